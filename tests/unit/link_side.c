/* One end of a link under test, with all that the engine asks of its caller. See link_side.h. */
#include "link_side.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "crypto/x25519.h"
#include "link/link_varint.h"

enum { NONCES = 1 << 18 };

static struct {
    uint64_t serial;
    uint32_t number;
} nonces[NONCES];

static void on_seal(void *ctx, const struct pl_key *key, uint32_t number)
{
    size_t at = (size_t)((key->serial ^ number * UINT64_C(0x9e3779b97f4a7c15)) % NONCES);

    (void)ctx;
    while (nonces[at].serial != 0) {
        cr_assert(nonces[at].serial != key->serial || nonces[at].number != number,
                  "number %u was sealed twice under one key", number);
        at = (at + 1) % NONCES;
    }
    nonces[at].serial = key->serial;
    nonces[at].number = number;
}

static void *pool_get(void *ctx, size_t size)
{
    struct side *side = ctx;

    side->gets++;
    if (side->fail_from != 0 && side->gets >= side->fail_from &&
        side->gets < side->fail_from + side->fail_n) {
        return NULL;
    }
    side->blocks++;
    return malloc(size);
}

static void pool_put(void *ctx, void *p, size_t size)
{
    struct side *side = ctx;

    (void)size;
    side->blocks--;
    free(p);
}

static void draw(void *ctx, void *bytes, size_t n)
{
    struct side *side = ctx;
    uint8_t *out = bytes;

    while (n-- > 0) {
        side->random_state ^= side->random_state << 13;
        side->random_state ^= side->random_state >> 7;
        side->random_state ^= side->random_state << 17;
        *out++ = (uint8_t)(side->random_state >> 32);
    }
}

uint64_t side_print(const uint8_t *bytes, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < n; i++) {
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return h;
}

static uint64_t birth_of(const struct pl_link *link, uint32_t stream)
{
    struct pl_stream_row row;
    uint64_t committed = 0;

    for (unsigned i = 0; pl_link_row(link, i, &row, &committed); i++) {
        if (row.stream == stream) {
            return row.birth;
        }
    }
    cr_assert(false, "a delivery of stream %u, which the link does not have", stream);
    return 0;
}

static void on_deliver(void *ctx, struct pl_link *link, const struct pl_delivery *d)
{
    struct side *side = ctx;
    size_t at = 0;

    cr_assert(d->count >= 1);
    side->stale_begins += (d->first_offset == 0) != (d->begins != NULL);
    for (uint32_t i = 0; i < d->count; i++) {
        uint64_t size = 0;
        size_t head = 0;
        cr_assert(pl_varint_decode(d->bytes.p + at, d->bytes.n - at, &size, &head) == PL_OK);
        cr_assert(size <= d->bytes.n - at - head, "a delivery ends inside a record");
        cr_assert(side->delivered_n < SIDE_DELIVERED);
        side->delivered[side->delivered_n++] = (struct side_record){
            .birth = birth_of(link, d->stream),
            .number = d->first_number + i,
            .life = d->life,
            .n = (size_t)size,
            .print = side_print(d->bytes.p + at + head, (size_t)size),
        };
        at += head + (size_t)size;
    }
    cr_assert(at == d->bytes.n, "a delivery holds more than its count of records");
}

static void on_gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *gap)
{
    struct side *side = ctx;

    (void)link;
    if (side->gaps_n < SIDE_GAPS) {
        side->gaps[side->gaps_n] = *gap;
        side->gaps[side->gaps_n].begins = NULL;
    }
    side->gaps_n++;
}

static void on_event(void *ctx, struct pl_link *link, const struct pl_event *event)
{
    struct side *side = ctx;

    (void)link;
    if (event->type == PL_EVENT_STORED) {
        cr_assert(event->stream < PL_BIRTHS_MAX && event->number > side->stored[event->stream]);
        side->stored[event->stream] = event->number;
    }
    if (side->events_n < SIDE_EVENTS) {
        side->events[side->events_n] = *event;
        side->events[side->events_n++].detail = (struct pl_bytes){NULL, 0};
    }
}

static const struct pl_sink sink = {on_deliver, on_gap, on_event};

struct pl_route side_route(uint8_t number)
{
    return (struct pl_route){{number}};
}

static void begin(struct side *side, uint64_t seed, uint8_t here)
{
    memset(side, 0, sizeof *side);
    pl_env_defaults(&side->env);
    side->random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + here;
    side->env.memory.get = pool_get;
    side->env.memory.put = pool_put;
    side->env.memory.ctx = side;
    side->env.random = draw;
    side->env.random_ctx = side;
    side->env.sink = &sink;
    side->env.sink_ctx = side;
    cr_assert(pl_aead_new(&side->env.aead, &pl_aead_openssl) == PL_OK);
    pl_aead_trace(side->env.aead, on_seal, NULL);
    side->here = side_route(here);
    side->delivered = calloc(SIDE_DELIVERED, sizeof side->delivered[0]);
    cr_assert(side->delivered != NULL);
}

static void allow(struct side *side, const uint8_t own[32], const uint8_t own_public[32],
                  const uint8_t peer_public[32])
{
    cr_assert(pl_secret_derive(&side->config.secret, own, own_public, peer_public) == PL_OK);
    side->config.direction_out = pl_secret_direction(own_public, peer_public);
    side->config.key_id_out = pl_key_id(own_public, peer_public);
    side->config.key_id_in = pl_key_id(peer_public, own_public);
    side->config.suite = PL_SUITE_AES_128_GCM;
}

void side_pair(struct side *a, struct side *b, uint64_t seed)
{
    uint8_t a_key[32], b_key[32], a_public[32], b_public[32];

    memset(nonces, 0, sizeof nonces);
    begin(a, seed, 1);
    begin(b, seed, 2);
    draw(a, a_key, sizeof a_key);
    draw(b, b_key, sizeof b_key);
    cr_assert(pl_x25519_public(a_public, a_key) && pl_x25519_public(b_public, b_key));
    allow(a, a_key, a_public, b_public);
    allow(b, b_key, b_public, a_public);
    a->peer = b->here;
    a->has_peer = true;
}

void side_open(struct side *side, uint64_t now_us)
{
    struct pl_link_config config = side->config;

    memset(side->stored, 0, sizeof side->stored);
    config.configured = side->has_peer ? &side->peer : NULL;
    side->link = pl_link_new(&side->env, &config, now_us);
    if (side->link == NULL) {
        return;
    }
    for (unsigned i = 0; i < side->rows_n; i++) {
        side->rows[i].row.name.p = side->rows[i].name;
        cr_assert(pl_link_load_row(side->link, &side->rows[i].row) == PL_OK);
    }
}

void side_close(struct side *side)
{
    unsigned kept = 0;

    if (side->link != NULL) {
        pl_link_free(side->link);
        side->link = NULL;
    }
    cr_assert(side->blocks == 0, "%u blocks of the pool were not given back", side->blocks);
    cr_assert(side->env.memory.used_bytes == 0, "the pool's account is off by %zu",
              side->env.memory.used_bytes);
    cr_assert(side->env.held_bytes == 0 && side->env.unproven_held_bytes == 0);
    for (unsigned i = 0; i < side->delivered_n; i++) {
        if (side->delivered[i].durable) {
            side->delivered[kept++] = side->delivered[i];
        }
    }
    side->delivered_n = kept;
}

void side_end(struct side *side)
{
    side_close(side);
    pl_aead_free(side->env.aead);
    free(side->delivered);
}

static void keep_row(struct side *side, const struct pl_stream_row *row)
{
    unsigned at = 0;

    while (at < side->rows_n && side->rows[at].row.birth != row->birth) {
        at++;
    }
    cr_assert(at < SIDE_ROWS);
    side->rows_n += at == side->rows_n;
    side->rows[at].row = *row;
    memcpy(side->rows[at].name, row->name.p, row->name.n);
}

bool side_commit(struct side *side, uint64_t now_us)
{
    struct pl_stream_row row;
    uint64_t committed = 0;
    bool any = false;

    for (unsigned i = 0; side->link != NULL && pl_link_row(side->link, i, &row, &committed); i++) {
        if (row.heard > committed) {
            keep_row(side, &row);
            pl_link_committed(side->link, row.stream, row.life, row.heard, row.offset, now_us);
            any = true;
        }
    }
    for (unsigned i = 0; i < side->delivered_n; i++) {
        side->delivered[i].durable = true;
    }
    return any;
}

unsigned side_events(const struct side *side, enum pl_event_type type, struct pl_event *last)
{
    unsigned n = 0;

    for (unsigned i = 0; i < side->events_n; i++) {
        if (side->events[i].type == type) {
            n++;
            if (last != NULL) {
                *last = side->events[i];
            }
        }
    }
    return n;
}

unsigned side_durable(const struct side *side)
{
    unsigned n = 0;

    for (unsigned i = 0; i < side->delivered_n; i++) {
        n += side->delivered[i].durable;
    }
    return n;
}

bool side_peek(const struct side *from, const uint8_t *bytes, size_t n, uint8_t *plain,
               struct pl_payload *out)
{
    struct pl_header header;
    struct pl_key key;
    size_t used = 0, fault = 0;

    if (n <= PL_PACKET_OVERHEAD || pl_header_decode(bytes, n, &header, &used) != PL_OK) {
        return false;
    }
    pl_secret_run_key(&from->config.secret, header.suite, from->config.direction_out, 0, header.run, &key);
    if (!pl_aead_open_to(from->env.aead, &key, header.packet_number, (struct pl_bytes){bytes, PL_HEADER_SIZE},
                         bytes + PL_HEADER_SIZE, n - PL_HEADER_SIZE, plain)) {
        return false;
    }
    return pl_payload_parse((struct pl_bytes){plain, n - PL_PACKET_OVERHEAD}, out, &fault) == PL_OK;
}

enum pl_drop side_receive(struct side *side, const uint8_t *bytes, size_t n, const struct pl_route *from,
                          uint8_t ecn, uint64_t now_us)
{
    struct pl_packet packet = {.size = n, .route = *from, .ecn = ecn};
    size_t used = 0;

    if (pl_header_decode(bytes, n, &packet.header, &used) != PL_OK) {
        return PL_DROP_VERSION; /* by the driver */
    }
    packet.bytes = malloc(n);
    cr_assert(packet.bytes != NULL);
    memcpy(packet.bytes, bytes, n);
    enum pl_drop drop = pl_link_receive(side->link, &packet, now_us);
    free(packet.bytes);
    return drop;
}
