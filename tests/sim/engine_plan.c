/* What one seed decides: how large, how hostile, how unlucky. */
#include <string.h>

#include "sim/engine.h"

/* Beyond the first window: a part of such a record arrives long before the rest. */
enum { ROLLED_BACK_BYTES = 40000 };

const char *engine_action_name(enum engine_action action)
{
    static const char *const names[] = {
        "give",        "kill node",      "kill device",  "sweep node",      "sweep device",
        "rebind",      "replay",         "renew",        "black out",       "store full",
        "store room",  "pause",          "go on",        "restore device",  "clone device",
        "restore node", "roll back",     "snapshot device", "snapshot node", "trim",
    };

    return names[action];
}

static void plan_net(struct net_settings *net, struct sim_rng *rng)
{
    static const uint64_t delays_us[] = {100, 1000, 10000, 40000, 150000, 300000};
    static const uint64_t rates[] = {0, 0, 20000, 200000, 5000000};

    net->delay_us = delays_us[sim_rng_below(rng, 6)];
    net->jitter_us = net->delay_us / sim_rng_between(rng, 1, 20);
    net->bytes_per_s = rates[sim_rng_below(rng, 5)];
    if (sim_rng_chance(rng, 150)) {
        return; /* a good network, for once */
    }
    net->loss = (unsigned)sim_rng_below(rng, sim_rng_chance(rng, 200) ? 400 : 60);
    net->duplicate = (unsigned)sim_rng_below(rng, 60);
    net->corrupt = (unsigned)sim_rng_below(rng, 40);
    net->reorder = (unsigned)sim_rng_below(rng, 200);
    net->reorder_us = net->delay_us * sim_rng_between(rng, 1, 6);
    net->mark = sim_rng_chance(rng, 200) ? 30 : 0;
    net->burst = (unsigned)sim_rng_below(rng, 6);
    net->burst_us = sim_rng_between(rng, SIM_MS, 2 * SIM_S);
}

static void plan_records(struct engine_plan *plan, struct sim_rng *rng)
{
    static const size_t typical[] = {1, 20, 61, 300, 1013, 4000};

    plan->record_max = typical[sim_rng_below(rng, 6)];
    plan->record_min = sim_rng_chance(rng, 500) ? 0 : plan->record_max / 2;
    plan->record_large = sim_rng_chance(rng, 300) ? sim_rng_between(rng, 5000, 120000) : plan->record_max;
    plan->record_limit = plan->record_large > 4096 ? plan->record_large : 4096;
    if (sim_rng_chance(rng, 300)) {
        plan->record_limit = plan->record_limit > ROLLED_BACK_BYTES ? plan->record_limit : ROLLED_BACK_BYTES;
    }
    plan->gives = (unsigned)sim_rng_between(rng, 3, 40);
    plan->burst_max = (unsigned)sim_rng_between(rng, 1, 40000 / (plan->record_max + 40));
}

static void plan_sizes(struct engine_plan *plan, struct sim_rng *rng)
{
    plan->run_packets = sim_rng_chance(rng, 400) ? (uint32_t)sim_rng_between(rng, 300, 1500) : PL_RUN_PACKETS;
    plan->datagram_bytes =
        sim_rng_chance(rng, 800) ? PL_DATAGRAM_SIZE : sim_rng_between(rng, PL_DATAGRAM_SIZE, 2000);
    plan->line_bytes =
        sim_rng_chance(rng, 300) ? plan->record_limit + sim_rng_between(rng, 8, 20000) : (size_t)1 << 20;
    plan->window_max_kib = sim_rng_chance(rng, 300) ? 16 : PL_WINDOW_MAX_KIB;
    plan->chunk_bytes = sim_rng_chance(rng, 300) ? plan->record_limit + 2000 : (size_t)1 << 20;
    plan->node_limit_bytes = plan->device_limit_bytes = (size_t)64 << 20;
    if (sim_rng_chance(rng, 200)) {
        plan->node_limit_bytes = 60000 + 3 * plan->record_limit;
    }
    plan->pool_failures = sim_rng_chance(rng, 200) ? 30 : 0;
    plan->suite = sim_rng_chance(rng, 200) ? PL_SUITE_CHACHA20_POLY1305 : PL_SUITE_AES_128_GCM;
    plan->commit_min_us = sim_rng_between(rng, 50, 5000);
    plan->commit_max_us = plan->commit_min_us * sim_rng_between(rng, 1, sim_rng_chance(rng, 100) ? 500 : 10);
}

static void plan_actions(struct engine_plan *plan, struct sim_rng *rng)
{
    unsigned *w = plan->weights;

    for (unsigned i = ACT_KILL_NODE; i <= ACT_BLACK_OUT; i++) {
        w[i] = sim_rng_chance(rng, 500) ? (unsigned)sim_rng_below(rng, 300) : 0;
    }
    w[ACT_TRIM] = 100;
    w[ACT_BLACK_OUT] /= 4;
    if (sim_rng_chance(rng, 200)) {
        w[ACT_STORE_FULL] = w[ACT_STORE_ROOM] = 100;
    }
    if (sim_rng_chance(rng, 100)) {
        w[ACT_PAUSE] = w[ACT_GO_ON] = 100;
    }
    if (sim_rng_chance(rng, 250)) {
        w[ACT_SNAPSHOT_DEVICE] = 200;
        w[ACT_ROLL_BACK] = sim_rng_chance(rng, 600) ? 200 : 0;
        w[ACT_RESTORE_DEVICE] = sim_rng_chance(rng, 600) ? 60 : 0;
        w[ACT_CLONE_DEVICE] = sim_rng_chance(rng, 600) ? 60 : 0;
    } else if (sim_rng_chance(rng, 200)) {
        w[ACT_SNAPSHOT_NODE] = 200;
        w[ACT_RESTORE_NODE] = 60;
        plan->ordered_gap_free = false;
    }
}

void engine_plan(struct engine_plan *plan)
{
    struct sim_rng rng;

    sim_rng_init(&rng, sim.seed, "plan");
    memset(plan, 0, sizeof *plan);
    plan->ordered_gap_free = true;
    plan->devices = (unsigned)sim_rng_between(&rng, 1, sim_rng_chance(&rng, 700) ? 1 : 3);
    plan->streams = (unsigned)sim_rng_between(&rng, 1, sim_rng_chance(&rng, 100) ? ENGINE_STREAMS : 3);
    plan->active_us = sim_rng_between(&rng, SIM_S, 30 * SIM_S);
    plan->nights = sim_rng_chance(&rng, 300) ? 100 : 0;
    plan_net(&plan->net, &rng);
    plan_records(plan, &rng);
    plan_sizes(plan, &rng);
    plan_actions(plan, &rng);
}
