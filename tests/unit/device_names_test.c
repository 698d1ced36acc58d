/* device_names_test.c: when a name is looked up, and which of its addresses is used. */
#include "device_world.h"

#include <criterion/criterion.h>
#include <sched.h>

static size_t look_ups;
static bool fails;

static enum pl_error look_up(const char *text, struct pl_address out[PL_ADDRESS_RESOLVE_MAX], size_t *n,
                             struct pl_text *why)
{
    (void)text;
    look_ups++;
    if (fails) {
        pl_text_set(why, "no such name");
        return PL_E_NOT_FOUND;
    }
    *n = 3;
    for (size_t i = 0; i < *n; i++)
        out[i] = (struct pl_address){.family = PL_ADDRESS_IPV4, .port = 7000, .ip = {10, 0, 0, (uint8_t)i}};
    return PL_OK;
}

static struct world *named_world(void)
{
    struct world *w = world_new();
    w->config.node = "node.example:7000";
    w->config.resolve = look_up;
    world_restart_device(w);
    return w;
}

/* A look-up runs on a thread: let it end before virtual time goes on. */
static void run_slowly(struct world *w, uint64_t for_us)
{
    for (uint64_t until_us = w->now_us + for_us; w->now_us < until_us;) {
        unsigned wakes = w->wakes;
        bool was = w->device->looking_up;
        world_run(w, 100000);
        while (!was && w->device->looking_up && w->wakes == wakes)
            sched_yield();
        if (pl_device_state(w->device) == PL_DEVICE_STORED)
            return;
    }
}

Test(device_names, all_addresses_are_tried_then_the_name_again)
{
    struct world *w = named_world();
    bool used[3] = {false};
    w->node_off = true;
    world_run(w, 1000000);
    cr_assert_eq(look_ups, 0); /* nothing to send: nothing looked up */
    world_give(w, "s", "r", 1);
    for (unsigned i = 0; i < 2000; i++) {
        run_slowly(w, 500000);
        if (w->last_peer.ip[0] == 10)
            used[w->last_peer.ip[3]] = true;
    }
    cr_assert(used[0] && used[1] && used[2]);
    cr_assert_geq(look_ups, 2);
    w->node_off = false;
    run_slowly(w, 180000000);
    cr_assert(world_stored_are(w, "r", 1));
    world_free(w);
}

Test(device_names, a_name_that_does_not_resolve_is_tried_again)
{
    struct world *w = named_world();
    struct pl_device_status status;
    fails = true;
    world_give(w, "s", "r", 1);
    run_slowly(w, 20000000);
    pl_device_status(w->device, &status);
    cr_assert_eq(status.last_error, PL_E_NOT_FOUND);
    cr_assert_str_eq(status.last_reason.s, "no such name");
    cr_assert_eq(status.node.family, PL_ADDRESS_NONE);
    cr_assert(look_ups >= 3 && look_ups <= 8);
    fails = false;
    run_slowly(w, 120000000);
    cr_assert(world_stored_are(w, "r", 1));
    world_free(w);
}
