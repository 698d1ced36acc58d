/* endpoint.c: one end of a link over a real socket. */
#include "endpoint.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/x25519.h"

enum { KEY_BYTES = 32, DATAGRAMS = PL_IO_RECEIVE_MAX, RECEIVES_A_TURN = 4 };

const struct pl_io *endpoint_io = &pl_io_linux;

static void fail(const char *what)
{
    fprintf(stderr, "transport: %s\n", what);
    exit(EXIT_FAILURE);
}

static void *get(void *ctx, size_t size)
{
    (void)ctx;
    return malloc(size);
}

static void put(void *ctx, void *p, size_t size)
{
    (void)ctx;
    (void)size;
    free(p);
}

static void deliver(void *ctx, struct pl_link *link, const struct pl_delivery *delivery)
{
    struct endpoint *e = ctx;

    (void)link;
    if (e->check != NULL) {
        e->check(e->check_ctx, delivery);
    }
    e->last = *delivery;
    e->delivered = true;
}

static void gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *taken)
{
    (void)ctx;
    (void)link;
    (void)taken;
    fail("a GAP came although nothing was dropped");
}

static void event(void *ctx, struct pl_link *link, const struct pl_event *what)
{
    struct endpoint *e = ctx;

    (void)link;
    if (what->type == PL_EVENT_STORED) {
        e->stored = what->number;
    }
}

const struct pl_aead_ops *endpoint_aead(void)
{
    const char *name = getenv("AEAD");

    return name != NULL && strcmp(name, "openssl") == 0 ? &pl_aead_openssl : pl_aead_best();
}

static const struct pl_sink sink = {deliver, gap, event};

static void draw(void *ctx, void *bytes, size_t size)
{
    (void)ctx;
    endpoint_io->random(endpoint_io->ctx, bytes, size);
}

void endpoint_env_open(struct pl_env *env, const struct pl_sink *to, void *to_ctx, size_t datagram_bytes)
{
    pl_env_defaults(env);
    env->memory.get = get;
    env->memory.put = put;
    env->random = draw;
    env->sink = to;
    env->sink_ctx = to_ctx;
    env->settings.datagram_bytes = datagram_bytes;
    if (pl_aead_new(&env->aead, endpoint_aead()) != PL_OK) {
        fail("out of memory");
    }
}

struct pl_udp *endpoint_socket(const char *address_and_port, size_t receive_buffer_bytes,
                               size_t datagram_bytes)
{
    struct pl_text why;
    struct pl_udp *udp = NULL;
    struct pl_udp_options options = {
        .receive_buffer_bytes = receive_buffer_bytes,
        .datagram_max_bytes = datagram_bytes,
    };

    if (pl_address_parse(address_and_port, &options.local, &why) != PL_OK) {
        fail(why.s);
    }
    options.local.port = 0; /* a free one */
    if (endpoint_io->udp_open(endpoint_io->ctx, &options, &udp, &why) != PL_OK) {
        fail(why.s);
    }
    return udp;
}

void endpoint_open(struct endpoint *e)
{
    size_t datagram_bytes = e->datagram_bytes != 0 ? e->datagram_bytes : PL_DATAGRAM_SIZE;

    e->udp = endpoint_socket("127.0.0.1:1", ENDPOINT_RECEIVE_BUFFER_BYTES, datagram_bytes);
    endpoint_env_open(&e->env, &sink, e, datagram_bytes);
}

struct pl_address endpoint_address(const struct endpoint *e)
{
    return endpoint_io->udp_local(endpoint_io->ctx, e->udp);
}

void endpoint_route(struct pl_route *route, const struct pl_path *path)
{
    memset(route, 0, sizeof *route);
    memcpy(route->bytes, &path->peer, sizeof path->peer);
    memcpy(route->bytes + PL_ROUTE_HALF, &path->local, sizeof path->local);
}

void endpoint_config(struct pl_link_config *config, uint32_t device, bool first)
{
    uint8_t private[2][KEY_BYTES], public[2][KEY_BYTES];
    unsigned own = first ? 0 : 1;

    for (unsigned i = 0; i < 2; i++) {
        memset(private[i], (int)i + 1, sizeof private[i]);
    }
    for (unsigned i = 0; i < sizeof device; i++) {
        private[0][1 + i] ^= (uint8_t)(device >> i * CHAR_BIT);
    }
    for (unsigned i = 0; i < 2; i++) {
        pl_x25519_public(public[i], private[i]);
    }
    *config = (struct pl_link_config){
        .suite = PL_SUITE_AES_128_GCM,
        .direction_out = pl_secret_direction(public[own], public[!own]),
        .key_id_in = pl_key_id(public[!own], public[own]),
        .key_id_out = pl_key_id(public[own], public[!own]),
    };
    if (pl_secret_derive(&config->secret, private[own], public[own], public[!own]) != PL_OK) {
        fail("no link secret");
    }
}

void endpoint_link(struct endpoint *e, bool first, const struct pl_address *peer)
{
    struct pl_link_config config;
    struct pl_path path = {{0}, {0}};
    struct pl_route route;

    endpoint_config(&config, 0, first);
    if (peer != NULL) {
        path.peer = *peer;
        endpoint_route(&route, &path);
        config.configured = &route;
    }
    e->link = pl_link_new(&e->env, &config, endpoint_io->now_us(endpoint_io->ctx));
    if (e->link == NULL) {
        fail("out of memory");
    }
}

/* As the node does it: all packets of a receive are laid out before the first is opened. */
static bool receive(struct endpoint *e, uint64_t now_us)
{
    struct pl_datagram datagrams[DATAGRAMS];
    struct pl_packet packets[DATAGRAMS];
    size_t n = endpoint_io->udp_receive(endpoint_io->ctx, e->udp, datagrams, DATAGRAMS);

    for (size_t i = 0; i < n; i++) {
        packets[i].bytes = datagrams[i].p;
        packets[i].size = datagrams[i].n;
        packets[i].ecn = datagrams[i].ecn;
        endpoint_route(&packets[i].route, &datagrams[i].path);
    }
    for (size_t i = 0; i < n; i++) {
        size_t used = 0;
        if (pl_header_decode(packets[i].bytes, packets[i].size, &packets[i].header, &used) == PL_OK) {
            pl_link_receive(e->link, &packets[i], now_us);
        }
    }
    e->received_datagrams += n;
    return n > 0;
}

static void commit(struct endpoint *e, uint64_t now_us)
{
    const struct pl_delivery *last = &e->last;

    if (e->delivered) {
        pl_link_committed(e->link, last->stream, last->life, last->first_number + last->count - 1,
                          last->first_offset + last->bytes.n, now_us);
        e->delivered = false;
    }
}

static bool send_due(struct endpoint *e, uint64_t now_us)
{
    struct pl_batch batch = {.bytes = e->batch_bytes, .room_bytes = sizeof e->batch_bytes};
    bool moved = false;

    while (pl_link_send(e->link, now_us, &batch) > 0) {
        struct pl_path path;
        memcpy(&path.peer, batch.route.bytes, sizeof path.peer);
        memcpy(&path.local, batch.route.bytes + PL_ROUTE_HALF, sizeof path.local);
        struct pl_train train = {
            .path = &path, .bytes = batch.bytes, .n = batch.size, .segment_size = batch.segment};
        struct pl_send_outcome outcome = endpoint_io->udp_send(endpoint_io->ctx, e->udp, &train);
        e->sent_datagrams += outcome.segments;
        e->send_calls++;
        moved = true;
    }
    return moved;
}

bool endpoint_send(struct endpoint *e)
{
    return send_due(e, endpoint_io->now_us(endpoint_io->ctx));
}

bool endpoint_turn(struct endpoint *e)
{
    uint64_t now_us = endpoint_io->now_us(endpoint_io->ctx);
    bool moved = false;

    for (int i = 0; i < RECEIVES_A_TURN && receive(e, now_us); i++) {
        moved = true;
    }
    commit(e, now_us);
    return send_due(e, now_us) || moved;
}

void endpoint_wait(struct endpoint *e)
{
    uint64_t deadline_us = pl_link_deadline(e->link);
    uint64_t now_us = endpoint_io->now_us(endpoint_io->ctx);
    uint64_t timeout_us = deadline_us > now_us ? deadline_us - now_us : 0;

    timeout_us = deadline_us == PL_NEVER ? PL_IO_FOREVER : timeout_us;

    endpoint_io->wait(endpoint_io->ctx, &e->udp, 1, NULL, timeout_us);
}

void endpoint_close(struct endpoint *e)
{
    if (e->link != NULL) {
        pl_link_free(e->link);
    }
    endpoint_io->udp_close(endpoint_io->ctx, e->udp);
    pl_aead_free(e->env.aead);
}
