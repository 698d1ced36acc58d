/* Fuzz target: two devices and a node, with models of outbox and store, under a clock and a network that the
 * input decides (script.h). The world and its judge are the simulator's (tests/sim).
 *
 * Each record is stored once, in order, with its bytes; nothing is freed before it is stored; no nonce is
 * used twice; no address gets more than three times what came from it; memory stays within its bounds; when
 * the script is over, all is stored and then all rest. If the script forges or reseals datagrams, the second
 * link's two sides are liars: what they do to each other is theirs, what the first link gets is judged as
 * before. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "forge.h"
#include "null_aead.h"
#include "script.h"
#include "sim/engine.h"

enum { DEVICES = 2, STREAMS = 2, HEAL_S = 200, STEPS_MAX = 40000, FATES = 256 };
enum { RECORDS_MAX = 400, GIVEN_MAX_BYTES = 1 << 18 };
enum { HELD_MAX_BYTES = 1 << 16, UNPROVEN_BYTES = 1 << 14, MEMORY_BYTES = 1 << 22 };
enum { TO_NODE, FROM_NODE };

static struct fates {
    struct {
        uint8_t kind, b, n;
    } queue[FATES];
    unsigned next, end;
} fates[2];

static unsigned records_given;
static size_t bytes_given;
/* A script whose liars never end is not judged at its end. */
static bool over;
/* FUZZ_TRACE in the environment prints each event. */
static bool trace;
static bool may_restore_node, may_restore_device;

/* ---- what becomes of datagrams */

static void change(struct net_packet *packet, bool sealed_again, uint8_t where, uint8_t bits)
{
    enum side side;

    if (sealed_again && engine_lies(LIAR) && forge_side(packet, &side)) {
        packet->bytes[PL_HEADER_SIZE + where * (packet->n - PL_PACKET_OVERHEAD) / 256] ^= bits;
        forge_reseal(packet);
    } else {
        packet->bytes[where * packet->n / 256] ^= bits;
    }
}

static bool decide(struct net_packet *packet)
{
    struct fates *f = &fates[packet->to == ENGINE_NODE_ADDRESS ? TO_NODE : FROM_NODE];

    forge_learn(packet);
    if (f->next == f->end) {
        return true;
    }
    unsigned at = f->next++ % FATES;
    uint8_t kind = f->queue[at].kind, b = f->queue[at].b, n = f->queue[at].n;
    switch (kind) {
    case FATE_TWICE:
        net_inject(packet->from, packet->to, packet->bytes, packet->n, engine.plan.net.delay_us + b * SIM_MS);
        break;
    case FATE_LATE: packet->due_us += (uint64_t)b * b * SIM_MS / 10; break;
    case FATE_DAMAGE:
    case FATE_LIE: change(packet, kind == FATE_LIE, b, n); break;
    case FATE_MARK: packet->ecn = 3; break;
    case FATE_CUT: packet->n = packet->n * b / 256; break;
    default: break;
    }
    return kind != FATE_LOSE && packet->n > 0;
}

static void plan_fates(const struct command *c)
{
    struct fates *f = &fates[c->a & 1];

    for (unsigned i = 0; i <= (unsigned)c->a >> 4 && f->end - f->next < FATES; i++) {
        unsigned at = f->end++ % FATES;
        f->queue[at].kind = c->a >> 1 & 7;
        f->queue[at].b = c->b;
        f->queue[at].n = c->n;
    }
}

/* ---- the commands */

static void check_bounds(void)
{
    const struct pl_env *env = &engine.node.env;

    if (env->memory.used_bytes > env->memory.limit_bytes || env->held_bytes > env->settings.held_max_bytes ||
        env->unproven_held_bytes > env->settings.unproven_pool_bytes) {
        sim_fail("the node has %zu B, %zu held, %zu of them unproven", env->memory.used_bytes,
                 env->held_bytes, env->unproven_held_bytes);
    }
}

static void run_until(uint64_t until_us)
{
    for (uint64_t next = engine_due_us(); next <= until_us && next != SIM_NEVER; next = engine_due_us()) {
        sim.now_us = next > sim.now_us ? next : sim.now_us;
        if (++sim.step > STEPS_MAX) {
            /* Two liars can keep each other busy for ever: their traffic, not their harm, is bounded. */
            over = engine.plan.lying != 0;
            if (!over) {
                sim_fail("no end after %d steps", STEPS_MAX);
            }
            return;
        }
        engine_step();
        check_bounds();
    }
    sim.now_us = until_us > sim.now_us ? until_us : sim.now_us;
}

static void give(const struct command *c)
{
    size_t size = c->n < 128 ? c->n : (size_t)(c->n - 127) * 300;

    size = size < engine.plan.record_limit ? size : engine.plan.record_limit;
    for (unsigned i = 0; i <= (c->b & 7u) && records_given < RECORDS_MAX; i++, records_given++) {
        bytes_given += size;
        if (bytes_given > GIVEN_MAX_BYTES) {
            return;
        }
        device_give_one(&engine.devices[c->a & 1], c->a >> 1 & 1, size);
    }
}

static void set_memory(const struct command *c)
{
    struct pool *pool = (c->a & 1) == 0 ? &engine.node.pool : &engine.devices[c->a >> 1 & 1].pool;

    pool->failures = c->b;
}

static void restore(const struct command *c)
{
    if ((c->a & 1) == 0 && may_restore_node) {
        node_restore();
    } else if ((c->a & 1) != 0 && may_restore_device) {
        device_restore(&engine.devices[c->a >> 1 & 1]);
    }
}

static void play(const struct command *c)
{
    struct device *device = &engine.devices[c->a >> 1 & 1];
    bool node = (c->a & 1) == 0;
    uint64_t wait_us = (uint64_t)(16 + (c->a & 15)) << (c->a >> 4);

    sim_note("* op %u a %u b %u n %u", c->op, c->a, c->b, c->n);
    switch (c->op) {
    case OP_WAIT: run_until(sim.now_us + wait_us * 64 * (c->b % 2 != 0 ? 60 : 1)); break;
    case OP_GIVE: give(c); break;
    case OP_FATE: plan_fates(c); break;
    case OP_FORGE:
        forge_send((enum side)(c->a & 1), c->a >> 1 & 7, (int8_t)c->b, c->payload, c->n,
                   c->a >> 4 == 1 ? SIM_VICTIMS : 0);
        break;
    case OP_REPLAY: net_replay(c->a, c->b == 0 ? 0 : SIM_VICTIMS + c->b % SIM_VICTIMS_N); break;
    case OP_KILL: node ? node_kill() : device_kill(device); break;
    case OP_SWEEP: node ? node_sweep(c->a >> 1 & 1) : device_sweep(device); break;
    case OP_REBIND: device->address++; break;
    case OP_RENEW: device_renew(device); break;
    case OP_FULL: node_store_full(!node); break;
    case OP_PAUSE: node_pause(!node); break;
    case OP_TRIM: outbox_trim(&device->disk); break;
    case OP_MEMORY: set_memory(c); break;
    case OP_SNAPSHOT: node ? node_snapshot() : device_snapshot(device); break;
    case OP_RESTORE: restore(c); break;
    case OP_DISK: engine.plan.commit_max_us = engine.plan.commit_min_us + c->a * SIM_MS; break;
    default: break;
    }
    engine_work();
    check_bounds();
}

/* ---- a run */

static bool lies(const uint8_t *p, size_t n)
{
    struct command c;

    for (size_t at = SCRIPT_HEAD; (at = script_next(p, n, at, &c)) != 0;) {
        if (c.op == OP_FORGE || (c.op == OP_FATE && (c.a >> 1 & 7) == FATE_LIE)) {
            return true;
        }
    }
    return false;
}

static struct engine_plan plan_of(const uint8_t head[SCRIPT_HEAD], bool lying)
{
    unsigned flags = head[0];
    struct engine_plan plan = {
        .devices = DEVICES,
        .streams = STREAMS,
        .net = {.delay_us = 100 + (uint64_t)head[2] * head[2] * 4},
        .commit_min_us = 50 + head[3] * 20u,
        .commit_max_us = 50 + head[3] * 20u,
        .run_packets = (flags & 4) != 0 ? 300 : PL_RUN_PACKETS,
        .datagram_bytes = (flags & 8) != 0 ? 1500 : PL_DATAGRAM_SIZE,
        .record_limit = 1 + head[1] * 160u,
        .window_max_kib = (flags & 16) != 0 ? 16 : PL_WINDOW_MAX_KIB,
        .suite = (flags & 32) != 0 ? PL_SUITE_CHACHA20_POLY1305 : PL_SUITE_AES_128_GCM,
        .node_limit_bytes = MEMORY_BYTES,
        .device_limit_bytes = MEMORY_BYTES,
        .held_max_bytes = HELD_MAX_BYTES,
        .unproven_pool_bytes = UNPROVEN_BYTES,
        .lying = lying ? 1u << LIAR : 0,
    };

    may_restore_node = (flags & 1) != 0;
    may_restore_device = (flags & 3) == 2;
    plan.ordered_gap_free = !may_restore_node;
    plan.weights[ACT_SNAPSHOT_DEVICE] = may_restore_device;
    plan.line_bytes = plan.record_limit + ((flags & 64) != 0 ? 2000 : 1 << 17);
    plan.chunk_bytes = plan.record_limit + ((flags & 128) != 0 ? 2000 : 1 << 17);
    return plan;
}

/* The liar leaves, and what it left behind at the node must not trouble the other. */
static void heal(bool lying)
{
    if (lying) {
        device_end(&engine.devices[LIAR]);
        engine.devices[LIAR].used = false;
    }
    engine_heal();
}

static void judge_end(bool lying)
{
    uint64_t missing = 0;

    run_until(sim.now_us + HEAL_S * SIM_S);
    if (!judge_all_durable(&missing)) {
        sim_fail("record %llu of %llu is not stored %d s after all was well", (unsigned long long)missing,
                 (unsigned long long)judge_count(), HEAL_S);
    }
    for (unsigned i = 0; i < DEVICES; i++) {
        if (!engine_lies(i) && outbox_holds(&engine.devices[i].disk)) {
            sim_fail("device %u still holds what is stored", i);
        }
    }
    run_until(sim.now_us + 3 * SIM_HOUR);
    if (!lying && engine_due_us() != SIM_NEVER) {
        sim_fail("something is due, though all is stored");
    }
}

static void run(const uint8_t *p, size_t n)
{
    bool lying = lies(p, n);
    struct engine_plan plan = plan_of(p, lying);
    struct command c;
    unsigned commands = 0;

    engine_begin(&plan);
    forge_begin();
    memset(fates, 0, sizeof fates);
    over = false;
    records_given = 0;
    bytes_given = 0;
    net_decide(decide);
    pl_aead_trace(engine.aead, judge_sealed, NULL);
    for (size_t at = SCRIPT_HEAD; (at = script_next(p, n, at, &c)) != 0 && !over && commands < COMMANDS_MAX;
         commands++) {
        play(&c);
    }
    if (!over) {
        heal(lying);
        judge_end(lying);
    }
    engine_end();
}

void fuzz_begin(void)
{
    engine.batch_bytes = sim_alloc(PL_BATCH_ROOM);
    trace = getenv("FUZZ_TRACE") != NULL;
}

void fuzz_one(const uint8_t *p, size_t n)
{
    pl_aead_free(engine.aead);
    if (pl_aead_new(&engine.aead, &fuzz_null_aead) != PL_OK) {
        fuzz_fail("no memory");
    }
    if (n < SCRIPT_HEAD) {
        return;
    }
    sim_begin(1, trace, 0);
    if (setjmp(sim.out) != 0) {
        fuzz_fail("step %llu, %llu us: %s", (unsigned long long)sim.step, (unsigned long long)sim.now_us,
                  sim.why);
    }
    run(p, n);
}
