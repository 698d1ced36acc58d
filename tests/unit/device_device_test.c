/* device_device_test.c: opening, the packets of a first contact, the loop, the status. */
#include "device_world.h"

#include <criterion/criterion.h>
#include <string.h>

#include "crypto/x25519.h"

Test(device_device, a_first_contact_is_two_packets_and_rest_is_silent)
{
    struct world *w = world_new();
    world_give(w, "s", "hello", 1);
    cr_assert(world_run(w, 10000000));
    cr_assert(world_stored_are(w, "hello", 1));
    cr_assert_eq(w->packets_out, 1);
    cr_assert_eq(w->packets_in, 1);
    cr_assert_eq(pl_device_step(w->device, w->now_us), PL_NEVER);
    w->now_us += 3600000000u;
    cr_assert_eq(pl_device_step(w->device, w->now_us), PL_NEVER);
    cr_assert_eq(w->packets_out, 1);
    world_free(w);
}

Test(device_device, wrong_configurations)
{
    struct world *w = world_new();
    struct pl_device_config c = w->config;
    struct pl_device *d = NULL;
    struct pl_text why = {""};
    cr_assert_eq(pl_device_open(&d, &c, &why), PL_E_BUSY); /* the outbox is open already */
    cr_assert_null(d);
    c.node = "nowhere";
    cr_assert_eq(pl_device_open(&d, &c, &why), PL_E_ADDRESS);
    cr_assert(why.s[0]);
    c = w->config;

    uint8_t own_public[32], zero[32] = {0};
    pl_x25519_public(own_public, w->device_key);
    c.node_key = own_public;
    cr_assert_eq(pl_device_open(&d, &c, &why), PL_E_KEY);
    cr_assert_not_null(strstr(why.s, "this device"));
    c.node_key = zero;
    cr_assert_eq(pl_device_open(&d, &c, &why), PL_E_KEY);
    cr_assert_null(d);
    world_free(w);
}

Test(device_device, run_waits_until_stored_or_the_time_is_up_or_a_stop)
{
    struct world *w = world_new();
    bool stopped = true;
    cr_assert_eq(pl_device_run(w->device, PL_NEVER, &stopped), PL_DEVICE_STORED);
    cr_assert_not(stopped);
    world_give(w, "s", "r", 1000);
    cr_assert_eq(pl_device_run(w->device, PL_NEVER, &stopped), PL_DEVICE_STORED);
    cr_assert(world_stored_are(w, "r", 1000));
    w->node_off = true;
    world_give(w, "s", "x", 1);
    uint64_t began_us = w->now_us;
    cr_assert_eq(pl_device_run(w->device, began_us + 5000000, &stopped), PL_DEVICE_WAITING);
    cr_assert_eq(w->now_us, began_us + 5000000);
    cr_assert_not(stopped);
    pl_device_stop(w->device);
    cr_assert_eq(pl_device_run(w->device, PL_NEVER, &stopped), PL_DEVICE_WAITING);
    cr_assert(stopped);
    cr_assert_eq(w->now_us, began_us + 5000000);
    world_free(w);
}

Test(device_device, a_node_that_is_off_is_tried_for_ever)
{
    struct world *w = world_new();
    struct pl_device_status status;
    w->node_off = true;
    world_give(w, "s", "r", 10);
    cr_assert_not(world_run(w, 6 * UINT64_C(3600000000)));
    pl_device_status(w->device, &status);
    cr_assert(status.unreachable);
    cr_assert_eq(status.held_records, 10);
    cr_assert_gt(w->packets_out, 100); /* once a minute, or more often */
    cr_assert_lt(w->packets_out, 2000);
    w->node_off = false;
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "r", 10));
    pl_device_status(w->device, &status);
    cr_assert_not(status.unreachable);
    cr_assert_eq(status.stored_records, 10);
    cr_assert_eq(status.given_records, 10);
    cr_assert_eq(status.held_records + status.held_bytes, 0);
    world_free(w);
}
