/* A node in a world of its own: see node_world.h. */
#include "node_world.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crypto/x25519.h"
#include "link/link_varint.h"

struct pl_udp {
    struct nw *world;
    struct pl_address local;
};
struct pl_wake {
    int unused;
};

static void push(struct nw_queue *queue, const struct pl_address *from, const struct pl_address *to,
                 const uint8_t *bytes, size_t n)
{
    if (!queue->items)
        queue->items = malloc(NW_DATAGRAMS * sizeof *queue->items);
    if (queue->n == NW_DATAGRAMS && queue->drops)
        return;
    cr_assert_lt(queue->n, (size_t)NW_DATAGRAMS);
    cr_assert_leq(n, sizeof queue->items[0].bytes);
    struct nw_datagram *d = &queue->items[queue->n++];
    d->from = *from;
    d->to = *to;
    d->n = n;
    memcpy(d->bytes, bytes, n);
}

static struct nw_datagram *pop(struct nw_queue *queue)
{
    if (queue->taken == queue->n) {
        queue->taken = queue->n = 0;
        return NULL;
    }
    return &queue->items[queue->taken++];
}

static uint64_t io_now_us(void *ctx)
{
    return ((struct nw *)ctx)->now_us;
}

static uint64_t io_wall_ms(void *ctx)
{
    return 1700000000000u + io_now_us(ctx) / 1000 + (uint64_t)((struct nw *)ctx)->wall_moved_ms;
}

/* SplitMix64. */
static void io_random(void *ctx, void *out, size_t n)
{
    struct nw *w = ctx;
    for (size_t i = 0; i < n; i++) {
        uint64_t z = w->random_state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        ((uint8_t *)out)[i] = (uint8_t)(z >> 56);
    }
}

static enum pl_error io_udp_open(void *ctx, const struct pl_udp_options *options, struct pl_udp **out,
                                 struct pl_text *why)
{
    struct pl_udp *udp = calloc(1, sizeof *udp);
    (void)why;
    udp->world = ctx;
    udp->local = options->local;
    *out = udp;
    return PL_OK;
}

static void io_udp_close(void *ctx, struct pl_udp *udp)
{
    (void)ctx;
    free(udp);
}

static struct pl_address io_udp_local(void *ctx, const struct pl_udp *udp)
{
    (void)ctx;
    return udp->local;
}

static const struct pl_udp_counters *io_udp_counters(void *ctx, const struct pl_udp *udp)
{
    (void)udp;
    return &((struct nw *)ctx)->counters;
}

static struct pl_send_outcome io_udp_send(void *ctx, struct pl_udp *udp, const struct pl_train *batch)
{
    struct nw *w = ctx;
    struct pl_send_outcome sent = {PL_SEND_SENT, 0, false};
    if (w->refuse_sends || w->unreachable) {
        sent.result = w->refuse_sends ? PL_SEND_AGAIN : PL_SEND_UNREACHABLE;
        return sent;
    }
    for (size_t at = 0; at < batch->n; at += batch->segment_size, sent.segments++) {
        size_t n = batch->n - at < batch->segment_size ? batch->n - at : batch->segment_size;
        push(&w->from_node, &udp->local, &batch->path->peer, batch->bytes + at, n);
    }
    return sent;
}

static size_t io_udp_receive(void *ctx, struct pl_udp *udp, struct pl_datagram *out, size_t max)
{
    struct nw *w = ctx;
    size_t n = 0;
    while (n < max && w->to_node.taken < w->to_node.n) {
        struct nw_datagram *d = &w->to_node.items[w->to_node.taken++];
        out[n++] = (struct pl_datagram){.p = d->bytes, .n = d->n, .path = {d->from, udp->local}};
    }
    if (n == 0)
        w->to_node.n = w->to_node.taken = 0;
    return n;
}

static enum pl_error io_wake_open(void *ctx, struct pl_wake **out, struct pl_text *why)
{
    (void)ctx;
    (void)why;
    *out = calloc(1, sizeof **out);
    return PL_OK;
}

static void io_wake_close(void *ctx, struct pl_wake *wake)
{
    (void)ctx;
    free(wake);
}

static void io_wake(void *ctx, struct pl_wake *wake)
{
    (void)wake;
    ((struct nw *)ctx)->wakes++;
}

static unsigned io_wait(void *ctx, struct pl_udp *const *sockets, size_t n, struct pl_wake *wake,
                        uint64_t timeout_us)
{
    (void)ctx, (void)sockets, (void)n, (void)wake, (void)timeout_us;
    return 0;
}

static const struct pl_io table = {
    .now_us = io_now_us,
    .wall_ms = io_wall_ms,
    .random = io_random,
    .udp_open = io_udp_open,
    .udp_close = io_udp_close,
    .udp_local = io_udp_local,
    .udp_counters = io_udp_counters,
    .udp_send = io_udp_send,
    .udp_receive = io_udp_receive,
    .wake_open = io_wake_open,
    .wake_close = io_wake_close,
    .wake = io_wake,
    .wait = io_wait,
};

void nw_start(struct nw *w)
{
    struct pl_text why;
    enum pl_error error = pl_node_open(&w->config, &w->node, &why);
    cr_assert_eq(error, PL_OK, "%s", why.s);
}

struct nw *nw_new(void (*configure)(struct pl_node_config *config))
{
    struct nw *w = calloc(1, sizeof *w);
    w->io = table;
    w->io.ctx = w;
    w->now_us = 1000000;
    w->random_state = 42;
    strcpy(w->dir, "/tmp/node_world_XXXXXX");
    cr_assert_not_null(mkdtemp(w->dir));
    io_random(w, w->node_key, sizeof w->node_key);
    cr_assert(pl_x25519_public(w->node_public, w->node_key));
    cr_assert_eq(pl_address_parse("192.0.2.1:7000", &w->listen, NULL), PL_OK);
    w->config = (struct pl_node_config){.io = &w->io,
                                        .private_key = w->node_key,
                                        .dir = w->dir,
                                        .listen = &w->listen,
                                        .listen_n = 1,
                                        .map_bytes = 64 << 20,
                                        .resolvers = 1};
    if (configure)
        configure(&w->config);
    nw_start(w);
    return w;
}

void nw_kill(struct nw *w)
{
    pl_node_close(w->node);
    w->node = NULL;
}

void nw_stop(struct nw *w)
{
    pl_node_drain(w->node);
    for (int i = 0; i < 100 && !pl_node_is_drained(w->node); i++)
        (void)pl_node_step_all(w->node, w->now_us);
    cr_assert(pl_node_is_drained(w->node));
    nw_kill(w);
}

void nw_free(struct nw *w)
{
    char command[128];
    for (size_t i = 0; i < w->devices_n; i++) {
        nw_rest(&w->devices[i]);
        pl_aead_free(w->devices[i].env.aead);
    }
    pl_node_close(w->node);
    snprintf(command, sizeof command, "rm -rf %s", w->dir);
    cr_assert_eq(system(command), 0);
    free(w->to_node.items);
    free(w->from_node.items);
    free(w->seen.items);
    free(w);
}

/* ---- devices ---- */

static void *memory_get(void *ctx, size_t size)
{
    (void)ctx;
    return malloc(size);
}

static void memory_put(void *ctx, void *p, size_t size)
{
    (void)ctx, (void)size;
    free(p);
}

static void no_delivery(void *ctx, struct pl_link *link, const struct pl_delivery *delivery)
{
    (void)ctx, (void)link, (void)delivery;
    cr_assert_fail("a node sends no records");
}

static void no_gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *gap)
{
    (void)ctx, (void)link, (void)gap;
}

static void take_event(void *ctx, struct pl_link *link, const struct pl_event *event)
{
    struct nw_device *d = ctx;
    (void)link;
    if (event->type == PL_EVENT_STORED)
        d->stored = event->number;
    if (event->type == PL_EVENT_REFUSED)
        d->refused_code = event->code;
    if (event->type == PL_EVENT_RESUMED)
        d->resumed++;
}

static const struct pl_sink sink = {no_delivery, no_gap, take_event};

struct nw_device *nw_device(struct nw *w, const char *name)
{
    struct nw_device *d = &w->devices[w->devices_n++];
    cr_assert_leq(w->devices_n, (size_t)NW_DEVICES);
    d->world = w;
    snprintf(d->name, sizeof d->name, "%s", name);
    io_random(w, d->private_key, sizeof d->private_key);
    cr_assert(pl_x25519_public(d->public_key, d->private_key));
    d->address = w->listen;
    d->address.ip[3] = (uint8_t)(100 + w->devices_n);
    d->address.port = 40000;
    io_random(w, &d->birth, sizeof d->birth);
    pl_env_defaults(&d->env);
    d->env.memory = (struct pl_memory){memory_get, memory_put, NULL, 0, 64 << 20};
    d->env.random = io_random;
    d->env.random_ctx = w;
    d->env.sink = &sink;
    d->env.sink_ctx = d;
    cr_assert_eq(pl_aead_new(&d->env.aead, &pl_aead_openssl), PL_OK);
    return d;
}

static uint32_t key_id_of(const struct nw_device *d)
{
    return d->key_id ? d->key_id : pl_key_id(d->public_key, d->world->node_public);
}

void nw_allow(struct nw *w, size_t n)
{
    struct pl_allowed entries[NW_DEVICES];
    static struct pl_reload reload;
    memset(&reload, 0, sizeof reload);
    reload.entries = entries;
    reload.n = n;
    for (size_t i = 0; i < n; i++) {
        struct nw_device *d = &w->devices[i];
        entries[i] =
            (struct pl_allowed){.name = {(const uint8_t *)d->name, strlen(d->name)}, .key_id = key_id_of(d)};
        memcpy(entries[i].public_key, d->public_key, 32);
    }
    cr_assert(pl_node_reload(w->node, &reload));
    for (int i = 0; i < 100 && !atomic_load(&reload.done); i++)
        (void)pl_node_step_all(w->node, w->now_us);
    cr_assert(atomic_load(&reload.done));
    cr_assert_eq(reload.error, PL_OK, "%s", reload.why.s);
}

void nw_activate(struct nw_device *d)
{
    struct nw *w = d->world;
    struct pl_route route;
    struct pl_link_config config = {.key_id_in = pl_key_id(w->node_public, d->public_key),
                                    .key_id_out = key_id_of(d),
                                    .direction_out = pl_secret_direction(d->public_key, w->node_public),
                                    .suite = PL_SUITE_AES_128_GCM,
                                    .configured = &route,
                                    .user = d};
    struct pl_place from = {.number = 1, .life_first = 1};
    nw_rest(d);
    pl_net_route(&w->listen, &route);
    cr_assert_eq(pl_secret_derive(&config.secret, d->private_key, d->public_key, w->node_public), PL_OK);
    d->link = pl_link_new(&d->env, &config, w->now_us);
    cr_assert_not_null(d->link);
    from.life_before = d->life;
    io_random(w, &d->life, sizeof d->life);
    d->life |= 1;
    from.life = d->life;
    from.number = from.life_first = d->given + 1;
    struct pl_bytes name = {(const uint8_t *)"log", 3};
    cr_assert_eq(pl_link_stream_add(d->link, d->birth, name, &from, &d->slot), PL_OK);
    d->life_first = from.life_first;
    d->life_before = from.life_before;
}

void nw_rest(struct nw_device *d)
{
    if (d->link)
        pl_link_free(d->link);
    d->link = NULL;
}

static void record_text(const struct nw_device *d, uint64_t number, char out[64])
{
    snprintf(out, 64, "%s %llu", d->name, (unsigned long long)number);
}

void nw_give(struct nw_device *d, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        char text[64];
        uint8_t framed[80];
        record_text(d, d->given + 1, text);
        size_t size = pl_varint_encode(framed, strlen(text));
        memcpy(framed + size, text, strlen(text));
        struct pl_bytes bytes = {framed, size + strlen(text)};
        cr_assert_eq(pl_link_offer(d->link, d->slot, d->life, d->life_first, d->life_before, bytes), bytes.n);
        d->given++;
    }
}

static bool step_device(struct nw_device *d)
{
    struct nw *w = d->world;
    bool any = false;
    uint8_t *bytes = malloc(PL_BATCH_ROOM);
    struct pl_batch batch = {.bytes = bytes, .room_bytes = PL_BATCH_ROOM};
    while (d->link && pl_link_deadline(d->link) <= w->now_us &&
           pl_link_send(d->link, w->now_us, &batch) > 0) {
        for (size_t at = 0; at < batch.size; at += batch.segment) {
            size_t n = batch.size - at < batch.segment ? batch.size - at : batch.segment;
            d->sent++;
            push(&w->to_node, &d->address, &w->listen, bytes + at, n);
            push(&w->seen, &d->address, &w->listen, bytes + at, n);
        }
        any = true;
    }
    free(bytes);
    return any;
}

static bool deliver_answers(struct nw *w)
{
    struct nw_datagram *datagram;
    bool any = false;
    while ((datagram = pop(&w->from_node)) != NULL) {
        any = true;
        for (size_t i = 0; i < w->devices_n; i++) {
            struct nw_device *d = &w->devices[i];
            struct pl_packet packet = {.bytes = datagram->bytes, .size = datagram->n};
            size_t used;
            if (!pl_address_equal(&d->address, &datagram->to))
                continue;
            d->received++;
            if (!d->link)
                continue;
            pl_net_route(&datagram->from, &packet.route);
            cr_assert_eq(pl_header_decode(packet.bytes, packet.size, &packet.header, &used), PL_OK);
            (void)pl_link_receive(d->link, &packet, w->now_us);
        }
    }
    return any;
}

static uint64_t earlier(uint64_t a_us, uint64_t b_us)
{
    return a_us < b_us ? a_us : b_us;
}

/* One moment: everything that is due now. Returns when the next thing is. */
static uint64_t settle(struct nw *w)
{
    uint64_t next_us = UINT64_MAX;
    bool any = true;
    for (int i = 0; i < 1000 && any; i++) {
        any = false;
        for (size_t k = 0; k < w->devices_n; k++)
            any = step_device(&w->devices[k]) || any;
        next_us = w->node ? pl_node_step_all(w->node, w->now_us) : UINT64_MAX;
        any = deliver_answers(w) || any || next_us <= w->now_us;
    }
    cr_assert_not(any, "it never comes to rest at %llu", (unsigned long long)w->now_us);
    for (size_t k = 0; k < w->devices_n; k++)
        if (w->devices[k].link)
            next_us = earlier(next_us, pl_link_deadline(w->devices[k].link));
    return next_us;
}

void nw_step(struct nw *w, bool store)
{
    for (size_t k = 0; k < w->devices_n; k++)
        step_device(&w->devices[k]);
    w->seen.n = w->seen.taken = 0;
    for (bool any = true; any;) {
        any = pl_shard_step(&w->node->shard, w->now_us) <= w->now_us;
        any = pl_resolver_step(&w->node->resolvers[0], w->now_us) <= w->now_us || any;
        any = any || pl_shard_has_input(&w->node->shard);
    }
    if (store)
        (void)pl_node_step_store(w->node, w->now_us);
    deliver_answers(w);
}

void nw_run(struct nw *w, uint64_t until_us)
{
    for (;;) {
        uint64_t next_us = settle(w);
        if (next_us > until_us)
            break;
        w->now_us = next_us;
    }
    if (until_us != UINT64_MAX && until_us > w->now_us)
        w->now_us = until_us;
}

bool nw_run_until_stored(struct nw *w, struct nw_device *d)
{
    uint64_t end_us = w->now_us + 60000000;
    for (;;) {
        uint64_t next_us = settle(w);
        if (d->stored == d->given)
            return true;
        if (next_us > end_us)
            return false;
        w->now_us = next_us;
    }
}

void nw_replay(struct nw *w, size_t i)
{
    const struct nw_datagram *d = &w->seen.items[i];
    cr_assert_lt(i, w->seen.n);
    push(&w->to_node, &d->from, &d->to, d->bytes, d->n);
}

int nw_stored(struct nw *w, const struct nw_device *d)
{
    struct pl_reader *reader;
    struct pl_tail *tail;
    struct pl_tail_entry entry;
    struct pl_tail_filter filter = {{(const uint8_t *)d->name, strlen(d->name)}, {NULL, 0}};
    int n = 0;
    cr_assert_eq(pl_reader_open(w->dir, &reader, NULL), PL_OK);
    cr_assert_eq(pl_tail_open(reader, 0, &filter, &tail), PL_OK);
    while (pl_tail_next(tail, &entry, NULL) == PL_OK) {
        char text[64];
        record_text(d, (uint64_t)n + 1, text);
        bool right = entry.kind == PL_TAIL_RECORD && entry.number == (uint64_t)n + 1 &&
                     entry.record.n == strlen(text) && memcmp(entry.record.p, text, entry.record.n) == 0;
        n = right && n >= 0 ? n + 1 : -1;
        if (n < 0)
            break;
    }
    pl_tail_close(tail);
    pl_reader_close(reader);
    return n;
}
