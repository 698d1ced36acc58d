/* What both sides of the engine-level simulation share: routes, randomness, memory, receiving, sending, and
 * the printing of packets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_frames.h"
#include "link/recv.h"
#include "sim/engine.h"
#include "wire/payload.h"

enum { SENDS_MAX = 4096 };

struct pl_route engine_route(uint32_t peer, uint32_t local)
{
    struct pl_route route = {{0}};

    memcpy(route.bytes, &peer, sizeof peer);
    memcpy(route.bytes + PL_ROUTE_HALF, &local, sizeof local);
    return route;
}

uint32_t engine_route_peer(const struct pl_route *route)
{
    uint32_t peer;

    memcpy(&peer, route->bytes, sizeof peer);
    return peer;
}

void engine_random(void *ctx, void *bytes, size_t n)
{
    (void)ctx;
    sim_rng_fill(&engine.wire, bytes, n);
}

void engine_settings(struct pl_env *env)
{
    const struct engine_plan *plan = &engine.plan;

    env->aead = engine.aead;
    env->random = engine_random;
    env->settings.run_packets = plan->run_packets;
    env->settings.record_max_bytes = plan->record_limit;
    env->settings.datagram_bytes = plan->datagram_bytes;
    env->settings.line_max_bytes = plan->line_bytes;
    env->settings.window_max_kib = plan->window_max_kib;
    if (plan->held_max_bytes > 0) {
        env->settings.held_max_bytes = plan->held_max_bytes;
        env->settings.unproven_pool_bytes = plan->unproven_pool_bytes;
    }
}

static void *pool_get(void *ctx, size_t size)
{
    struct pool *pool = ctx;

    if (!engine.calm && sim_rng_chance(&pool->rng, pool->failures)) {
        return NULL;
    }
    size_t *block = sim_alloc(2 * sizeof size + size);
    block[0] = size;
    memset(block + 2, 0xa5, size);
    return block + 2;
}

static void pool_put(void *ctx, void *p, size_t size)
{
    size_t *block = (size_t *)p - 2;

    (void)ctx;
    if (block[0] != size) {
        sim_fail("%zu B of memory were given back as %zu B", block[0], size);
    }
    memset(p, 0x5a, size);
    free(block);
}

void pool_attach(struct pool *pool, struct pl_memory *memory, size_t limit_bytes, const char *concern)
{
    pool->limit_bytes = limit_bytes;
    pool->failures = engine.plan.pool_failures;
    sim_rng_init(&pool->rng, sim.seed, concern);
    memory->get = pool_get;
    memory->put = pool_put;
    memory->ctx = pool;
    memory->limit_bytes = limit_bytes;
}

enum pl_drop engine_receive(struct pl_link *link, struct net_packet *net)
{
    struct pl_packet packet = {.bytes = net->bytes, .size = net->n, .ecn = net->ecn};
    size_t used = 0;

    if (pl_header_decode(net->bytes, net->n, &packet.header, &used) != PL_OK) {
        return PL_DROP_SHORT;
    }
    packet.route = engine_route(net->from, net->to);
    bool known = pl_runs_find(&link->rx, packet.header.run) != NULL;
    enum pl_drop drop = pl_link_receive(link, &packet, sim.now_us);
    if (drop == PL_DROP_NONE) {
        judge_taken(link, packet.header.run, known, packet.header.packet_number);
    }
    return drop;
}

static void send_batch(const struct pl_batch *batch, uint32_t from)
{
    uint32_t to = engine_route_peer(&batch->route);

    for (size_t at = 0; at < batch->size; at += batch->segment) {
        size_t n = batch->size - at < batch->segment ? batch->size - at : batch->segment;
        net_trace("->", from, to, batch->bytes + at, n);
        net_send(from, to, batch->bytes + at, n);
    }
}

void engine_pump(struct pl_link *link, uint32_t from)
{
    struct pl_batch batch = {.bytes = engine.batch_bytes, .room_bytes = PL_BATCH_ROOM};
    unsigned sends = 0;

    while (pl_link_send(link, sim.now_us, &batch) > 0) {
        if (batch.count == 0 || batch.segment == 0 || batch.size > batch.room_bytes ||
            (batch.size + batch.segment - 1) / batch.segment != batch.count) {
            sim_fail("a batch of %u segments of %zu B in %zu B", batch.count, batch.segment, batch.size);
        }
        if (++sends == SENDS_MAX) {
            sim_fail("a link sends without end");
        }
        if (!engine.calm && sim_rng_chance(&engine.faults, 2)) {
            sim_note("unsent %u", batch.count);
            pl_link_unsent(link, sim.now_us);
            continue;
        }
        send_batch(&batch, from);
    }
}

/* ---- printing */

static bool open_with(const struct pl_link_config *config, bool out, const struct pl_header *header,
                      const uint8_t *bytes, size_t n, uint8_t *plain)
{
    struct pl_key key;
    bool opened = false;

    if (header->key_id != (out ? config->key_id_out : config->key_id_in)) {
        return false;
    }
    pl_secret_run_key(&config->secret, header->suite, out ? config->direction_out : !config->direction_out, 0,
                      header->run, &key);
    opened =
        pl_aead_open_to(engine.aead, &key, header->packet_number, (struct pl_bytes){bytes, PL_HEADER_SIZE},
                        bytes + PL_HEADER_SIZE, n - PL_HEADER_SIZE, plain);
    pl_aead_forget(engine.aead, &key);
    return opened;
}

static void print_frames(const uint8_t *plain, size_t n)
{
    struct pl_payload payload;
    size_t fault = 0;
    char line[400];

    if (pl_payload_parse((struct pl_bytes){plain, n}, &payload, &fault) != PL_OK) {
        printf("%23s malformed at %zu\n", "", fault);
        return;
    }
    for (unsigned i = 0; i < payload.count; i++) {
        pl_frame_print(line, sizeof line, &payload.frames[i]);
        printf("%23s %.110s\n", "", line);
    }
}

void net_trace(const char *arrow, uint32_t from, uint32_t to, const uint8_t *bytes, size_t n)
{
    struct pl_header header;
    size_t used = 0;

    if (!sim.trace || pl_header_decode(bytes, n, &header, &used) != PL_OK) {
        return;
    }
    sim_note("%u %s %u: %zu B, run %08x number %u", from, arrow, to, n, (unsigned)(header.run >> 32),
             header.packet_number);
    uint8_t *plain = sim_alloc(n);
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (open_with(&engine.device_side[i], true, &header, bytes, n, plain) ||
            open_with(&engine.device_side[i], false, &header, bytes, n, plain)) {
            print_frames(plain, n - PL_PACKET_OVERHEAD);
            break;
        }
    }
    free(plain);
}
