/* What one seed of the whole-product simulation decides. */
#include <string.h>

#include "sim/product.h"

const char *product_action_name(enum product_action action)
{
    static const char *const names[] = {"give",      "kill node", "kill device",   "rebind",       "replay",
                                        "black out", "resume",    "close device", "close node", "reload",
                                        "bad disk"};

    return names[action];
}

static void plan_net(struct net_settings *net, struct sim_rng *rng)
{
    static const uint64_t delays_us[] = {100, 1000, 10000, 40000, 150000, 300000};

    net->delay_us = delays_us[sim_rng_below(rng, 6)];
    net->jitter_us = net->delay_us / sim_rng_between(rng, 1, 20);
    if (sim_rng_chance(rng, 150)) {
        return;
    }
    net->loss = (unsigned)sim_rng_below(rng, sim_rng_chance(rng, 200) ? 300 : 50);
    net->duplicate = (unsigned)sim_rng_below(rng, 60);
    net->corrupt = (unsigned)sim_rng_below(rng, 40);
    net->reorder = (unsigned)sim_rng_below(rng, 200);
    net->reorder_us = net->delay_us * sim_rng_between(rng, 1, 6);
    net->mark = sim_rng_chance(rng, 200) ? 30 : 0;
    net->burst = (unsigned)sim_rng_below(rng, 6);
    net->burst_us = sim_rng_between(rng, SIM_MS, 2 * SIM_S);
}

static void plan_records(struct product_plan *plan, struct sim_rng *rng)
{
    static const size_t typical[] = {1, 20, 61, 300, 1013};

    plan->record_max = typical[sim_rng_below(rng, 5)];
    plan->record_min = sim_rng_chance(rng, 500) ? 0 : plan->record_max / 2;
    plan->record_large = sim_rng_chance(rng, 300) ? sim_rng_between(rng, 5000, 120000) : plan->record_max;
    plan->batch_max = (unsigned)sim_rng_between(rng, 1, PRODUCT_BATCH);
    plan->actions = (unsigned)sim_rng_between(rng, 5, 40);
}

static void plan_disk(struct product_plan *plan)
{
    struct sim_rng rng;

    sim_rng_init(&rng, sim.seed, "product disk");
    plan->power_cuts = sim_rng_chance(&rng, 700) ? (unsigned)sim_rng_between(&rng, 100, 1000) : 0;
    plan->weights[PRODUCT_BAD_DISK] = sim_rng_chance(&rng, 400) ? (unsigned)sim_rng_below(&rng, 300) : 0;
}

void product_plan(struct product_plan *plan)
{
    struct sim_rng rng;

    sim_rng_init(&rng, sim.seed, "product");
    memset(plan, 0, sizeof *plan);
    plan->devices = (unsigned)sim_rng_between(&rng, 1, sim_rng_chance(&rng, 600) ? 2 : PRODUCT_DEVICES);
    plan->streams = (unsigned)sim_rng_between(&rng, 1, PRODUCT_STREAMS);
    plan->active_us = sim_rng_between(&rng, SIM_S, 20 * SIM_S);
    plan->idle_us = sim_rng_between(&rng, SIM_S / 2, 10 * SIM_S);
    plan->actor_delay_us = sim_rng_chance(&rng, 500) ? 0 : sim_rng_between(&rng, 1, 20 * SIM_MS);
    plan->send_fault = sim_rng_chance(&rng, 400) ? (unsigned)sim_rng_below(&rng, 100) : 0;
    plan->nights = sim_rng_chance(&rng, 300) ? 100 : 0;
    plan->kill_calls = 1u << sim_rng_below(&rng, 9);
    plan->suite = sim_rng_chance(&rng, 200) ? PL_SUITE_CHACHA20_POLY1305 : PL_SUITE_AES_128_GCM;
    plan_net(&plan->net, &rng);
    plan_records(plan, &rng);
    for (unsigned i = PRODUCT_KILL_NODE; i < PRODUCT_BAD_DISK; i++) {
        plan->weights[i] = sim_rng_chance(&rng, 600) ? (unsigned)sim_rng_below(&rng, 300) : 0;
    }
    plan->weights[PRODUCT_RESUME_DEVICE] /= 4;
    plan->weights[PRODUCT_BLACK_OUT] /= 4;
    plan_disk(plan);
}
