/* One seed of the engine-level simulation: the script of faults, the loop over whatever is due next, and the
 * judgement at the end. */
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"

/* Two copies of one outbox at work take turns at the link, and each backs off meanwhile. */
enum { HEAL_S = 180, HEAL_COPIES_S = 900, STEPS_MAX = 400000, ACTIONS_MAX = 400 };

struct scripted {
    uint64_t at_us;
    enum engine_action action;
};

static struct scripted script[ACTIONS_MAX];
static unsigned script_n, script_at;

/* ---- the script */

static enum engine_action draw_action(struct sim_rng *rng)
{
    unsigned total = 0;

    for (unsigned i = 0; i < ACT_COUNT; i++) {
        total += engine.plan.weights[i];
    }
    unsigned draw = (unsigned)sim_rng_below(rng, total + 400);
    for (unsigned i = 0; i < ACT_COUNT; i++) {
        if (draw < engine.plan.weights[i]) {
            return (enum engine_action)i;
        }
        draw -= engine.plan.weights[i];
    }
    return ACT_GIVE;
}

static void write_script(void)
{
    struct sim_rng *rng = &engine.script;
    uint64_t at_us = sim.now_us;
    unsigned n = engine.plan.gives * 2;

    script_at = 0;
    for (script_n = 0; script_n < n; script_n++) {
        script[script_n] = (struct scripted){at_us, script_n == 0 ? ACT_GIVE : draw_action(rng)};
        at_us += sim_rng_below(rng, 2 * engine.plan.active_us / n);
        at_us += sim_rng_chance(rng, engine.plan.nights) ? sim_rng_between(rng, 60 * SIM_S, 5 * SIM_HOUR) : 0;
    }
}

static struct device *any_device(void)
{
    struct device *device = &engine.devices[sim_rng_below(&engine.script, ENGINE_DEVICES)];

    while (!device->used) {
        device = &engine.devices[sim_rng_below(&engine.script, ENGINE_DEVICES)];
    }
    return device;
}

static void clone_device(void)
{
    struct device *from = any_device();

    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (!engine.devices[i].used) {
            device_clone(from, &engine.devices[i], i);
            return;
        }
    }
}

static bool is_copied(const struct device *device)
{
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (&engine.devices[i] != device && engine.devices[i].used &&
            engine.devices[i].index == device->index) {
            return true;
        }
    }
    return false;
}

/* A restored outbox loses what came after; a cloned one may still bring it. */
static void restore_device(void)
{
    struct device *device = any_device();

    if (!is_copied(device)) {
        device_restore(device);
    }
}

/* What is given next gets under way, perhaps in part, and is then forgotten. */
static void roll_back(void)
{
    struct device *device = any_device();

    if (is_copied(device) || engine.rolled != NULL) {
        return;
    }
    device_snapshot(device);
    engine.roll_stream = (unsigned)sim_rng_below(&engine.script, engine.plan.streams);
    device_give_one(device, engine.roll_stream, sim_rng_between(&engine.script, 1, engine.plan.record_limit));
    engine.rolled = device;
    engine.roll_us = sim.now_us + sim_rng_below(&engine.script, 3 * engine.plan.net.delay_us + SIM_MS);
}

static void finish_roll_back(void)
{
    struct device *device = engine.rolled;

    engine.rolled = NULL;
    if (!is_copied(device)) {
        sim_note("* rolled back");
        device_restore(device);
        if (sim_rng_chance(&engine.script, 500)) {
            device_give(device, engine.roll_stream, 1);
        }
        device_work(device);
    }
}

static void replay(void)
{
    uint32_t from = 0;

    if (sim_rng_chance(&engine.script, 500)) {
        from = SIM_VICTIMS + (uint32_t)sim_rng_below(&engine.script, SIM_VICTIMS_N);
    }
    net_replay((unsigned)sim_rng_between(&engine.script, 1, 60), from);
}

static void give(void)
{
    struct sim_rng *rng = &engine.script;

    device_give(any_device(), (unsigned)sim_rng_below(rng, engine.plan.streams),
                (unsigned)sim_rng_between(rng, 1, engine.plan.burst_max));
}

static void act(enum engine_action action)
{
    struct sim_rng *rng = &engine.script;

    sim_note("* %s", engine_action_name(action));
    switch (action) {
    case ACT_KILL_NODE: node_kill(); break;
    case ACT_KILL_DEVICE: device_kill(any_device()); break;
    case ACT_SWEEP_NODE: node_sweep((unsigned)sim_rng_below(rng, engine.plan.devices)); break;
    case ACT_SWEEP_DEVICE: device_sweep(any_device()); break;
    case ACT_REBIND: any_device()->address++; break;
    case ACT_REPLAY: replay(); break;
    case ACT_RENEW: device_renew(any_device()); break;
    case ACT_BLACK_OUT: net_black_out(sim_rng_between(rng, SIM_MS, 20 * SIM_S)); break;
    case ACT_STORE_FULL: node_store_full(true); break;
    case ACT_STORE_ROOM: node_store_full(false); break;
    case ACT_PAUSE: node_pause(true); break;
    case ACT_GO_ON: node_pause(false); break;
    case ACT_RESTORE_DEVICE: restore_device(); break;
    case ACT_CLONE_DEVICE: clone_device(); break;
    case ACT_RESTORE_NODE: node_restore(); break;
    case ACT_ROLL_BACK: roll_back(); break;
    case ACT_SNAPSHOT_DEVICE: device_snapshot(any_device()); break;
    case ACT_SNAPSHOT_NODE: node_snapshot(); break;
    case ACT_TRIM: outbox_trim(&any_device()->disk); break;
    default: give(); break;
    }
}

/* ---- the loop */

static uint64_t next_us(void)
{
    uint64_t next = engine_due_us();

    next = engine.rolled != NULL && engine.roll_us < next ? engine.roll_us : next;
    return script_at < script_n && script[script_at].at_us < next ? script[script_at].at_us : next;
}

static void step(void)
{
    if (script_at < script_n && script[script_at].at_us <= sim.now_us) {
        act(script[script_at++].action);
        engine_work();
    }
    if (engine.rolled != NULL && engine.roll_us <= sim.now_us) {
        finish_roll_back();
    }
    engine_step();
}

/* Goes on until nothing is due before until_us. */
static void run_until(uint64_t until_us)
{
    for (;;) {
        uint64_t next = next_us();
        if (next > until_us) {
            break;
        }
        sim.now_us = next > sim.now_us ? next : sim.now_us;
        if (++sim.step > STEPS_MAX) {
            sim_fail("no end after %d steps", STEPS_MAX);
        }
        if (sim.step == sim.until_step) {
            sim_fail("stopped at step %llu as asked", (unsigned long long)sim.step);
        }
        step();
    }
    if (until_us != SIM_NEVER && until_us > sim.now_us) {
        sim.now_us = until_us;
    }
}

/* ---- beginning and end */

static void judge_end(void)
{
    uint64_t missing = 0;
    int heal_s = HEAL_S;

    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        heal_s = engine.devices[i].used && is_copied(&engine.devices[i]) ? HEAL_COPIES_S : heal_s;
    }
    run_until(sim.now_us + (uint64_t)heal_s * SIM_S);
    if (!judge_all_durable(&missing)) {
        sim_fail("record %llu of %llu is not stored %d s after all was well", (unsigned long long)missing,
                 (unsigned long long)judge_count(), heal_s);
    }
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (engine.devices[i].used && outbox_holds(&engine.devices[i].disk)) {
            sim_fail("device %u still holds what is stored", i);
        }
    }
    uint64_t sent = net_sent();
    run_until(sim.now_us + 3 * SIM_HOUR);
    if (net_sent() != sent || next_us() != SIM_NEVER) {
        sim_fail("at rest: %llu packets, next thing due %s", (unsigned long long)(net_sent() - sent),
                 next_us() == SIM_NEVER ? "never" : "some time");
    }
}

void engine_run(void)
{
    struct engine_plan plan;

    engine_plan(&plan);
    engine_begin(&plan);
    sim_rng_init(&engine.script, sim.seed, "script");
    write_script();
    pl_aead_trace(engine.aead, judge_sealed, NULL);
    run_until(script[script_n - 1].at_us);
    engine.rolled = NULL;
    engine_heal();
    judge_end();
    engine_end();
}
