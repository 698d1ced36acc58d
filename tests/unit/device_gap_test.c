/* device_gap_test.c: a node that lost what it had stored is told, and the stream goes on. */
#include "device_world.h"

#include <criterion/criterion.h>

Test(device_gap, a_node_that_forgot_everything)
{
    struct world *w = world_new();
    struct pl_device_status status;
    world_give(w, "s", "r", 10);
    cr_assert(world_run(w, 10000000));
    world_restart_node(w, false);
    w->stored_bytes = 0;
    world_give(w, "s", "again", 3);
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "again", 3));
    cr_assert_eq(w->gaps, 1);
    cr_assert_eq(w->gap_numbers, 10);
    pl_device_status(w->device, &status);
    cr_assert_eq(status.lost_records, 10);
    cr_assert_eq(status.last_error, PL_E_STORE_DAMAGED);
    world_free(w);
}

Test(device_gap, the_same_after_a_restart_of_the_device)
{
    struct world *w = world_new();
    world_give(w, "s", "r", 10);
    cr_assert(world_run(w, 10000000));
    world_restart_node(w, false);
    world_restart_device(w);
    w->stored_bytes = 0;
    world_give(w, "s", "again", 3);
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "again", 3));
    world_free(w);
}
