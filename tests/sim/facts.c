/* Named checks that count packets, with a real node and device over a network without faults. */
#include "sim/facts.h"

#include <stdio.h>
#include <string.h>

#include "sim/product.h"

enum { CONTACT_MAX_BYTES = 140, ANSWER_MAX_BYTES = 64, DELAY_US = 20000, RECORD_BYTES = 61 };

static uint64_t passed, failed;

static void check(bool holds, const char *name)
{
    printf("%s: %s\n", name, holds ? "yes" : "NO");
    passed += holds;
    failed += !holds;
}

static void one_record_world(void)
{
    struct product_plan plan = {
        .net = {.delay_us = DELAY_US},
        .devices = 1,
        .streams = 1,
        .batch_max = 1,
        .record_min = RECORD_BYTES,
        .record_max = RECORD_BYTES,
        .record_large = RECORD_BYTES,
        .idle_us = 30 * SIM_S,
        .suite = PL_SUITE_AES_128_GCM,
    };

    product_begin(&plan);
    product.calm = true;
    product_run_until(sim.now_us + SIM_S); /* the allow list is in force by then */
}

static bool is_exchange(size_t index)
{
    const struct net_packet *out = net_archived(index), *back = net_archived(index + 1);

    return out != NULL && back != NULL && out->to == PRODUCT_NODE_ADDRESS &&
           back->from == PRODUCT_NODE_ADDRESS && out->n <= CONTACT_MAX_BYTES && back->n <= ANSWER_MAX_BYTES;
}

/* Gives one record and lets an hour pass. *took_us: until it was freed. */
static void give_one(uint64_t *took_us)
{
    uint64_t start_us = sim.now_us;

    product_device_give(&product.devices[0]);
    while (product.devices[0].due_us != SIM_NEVER && sim.now_us < start_us + SIM_S) {
        product_run_until(sim.now_us + SIM_MS);
    }
    *took_us = sim.now_us - start_us;
    product_run_until(start_us + SIM_HOUR);
}

static void run_all(void)
{
    char why[200];
    uint64_t took_us = 0;

    one_record_world();
    check(net_sent() == 0, "a device with nothing to send sends nothing");
    give_one(&took_us);
    check(product_all_stored(why, sizeof why), "its first record is stored");
    check(net_sent() == 2 && is_exchange(0), "a first contact is two packets");
    if (net_archived(1) != NULL) {
        printf("    %zu B out, %zu B back\n", net_archived(0)->n, net_archived(1)->n);
    }
    check(took_us <= 2 * DELAY_US + 2 * SIM_MS, "it takes one round trip");
    check(product.devices[0].due_us == SIM_NEVER, "then the device has no timer");
    product_run_until(sim.now_us + 48 * SIM_HOUR);
    check(net_sent() == 2, "in two days at rest nobody sends a packet");
    give_one(&took_us);
    check(net_sent() == 4 && is_exchange(2), "the next record costs two packets more");
    check(product.devices[0].due_us == SIM_NEVER && product_all_stored(why, sizeof why),
          "and then there is rest");
    product_end();
}

uint64_t facts_run(bool trace, uint64_t *passed_out)
{
    passed = failed = 0;
    sim_begin(1, trace, UINT64_MAX);
    if (setjmp(sim.out) == 0) {
        run_all();
    } else {
        check(false, sim.why);
    }
    *passed_out = passed;
    return failed;
}
