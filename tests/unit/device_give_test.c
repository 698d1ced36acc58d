/* device_give_test.c: transactions, input positions, wrong names and sizes, dropping. */
#include "device_world.h"

#include <criterion/criterion.h>
#include <string.h>

static struct pl_bytes text(const char *s)
{
    return (struct pl_bytes){(const uint8_t *)s, strlen(s)};
}

Test(device_give, positions_belong_to_their_transaction)
{
    struct world *w = world_new();
    uint8_t found[PL_INPUT_MAX];
    size_t n = sizeof found;
    struct pl_bytes r = text("r");
    cr_assert_eq(pl_device_input(w->device, text("file"), found, &n), PL_E_NOT_FOUND);
    cr_assert_eq(pl_device_put(w->device, text("s"), &r, 1, NULL, NULL), PL_OK);
    cr_assert_eq(pl_device_set_input(w->device, text("file"), text("place 1"), NULL), PL_OK);
    pl_device_abort(w->device);
    cr_assert_eq(pl_device_input(w->device, text("file"), found, &n), PL_E_NOT_FOUND);
    cr_assert_eq(pl_device_put(w->device, text("s"), &r, 1, NULL, NULL), PL_OK);
    cr_assert_eq(pl_device_set_input(w->device, text("file"), text("place 2"), NULL), PL_OK);
    cr_assert_eq(pl_device_commit(w->device, NULL), PL_OK);
    world_restart_device(w);
    n = 3;
    cr_assert_eq(pl_device_input(w->device, text("file"), found, &n), PL_E_TOO_LARGE);
    cr_assert_eq(n, 7);
    cr_assert_eq(pl_device_input(w->device, text("file"), found, &n), PL_OK);
    cr_assert_arr_eq(found, "place 2", 7);
    cr_assert_eq(pl_device_commit(w->device, NULL), PL_OK); /* nothing put: nothing done */
    cr_assert(world_run(w, 10000000));
    cr_assert_eq(w->stored_records, 1);
    world_free(w);
}

Test(device_give, wrong_records_and_names)
{
    struct world *w = world_new();
    static uint8_t large[PL_RECORD_MAX + 1], name[PL_NAME_MAX + 1];
    memset(name, 'n', sizeof name);
    struct pl_bytes records[] = {text("good"), {large, sizeof large}, text("never")};
    size_t taken = 9;
    cr_assert_eq(pl_device_put(w->device, text("s"), records, 3, &taken, NULL), PL_E_TOO_LARGE);
    cr_assert_eq(taken, 1);
    cr_assert_eq(pl_device_put(w->device, text(""), records, 1, &taken, NULL), PL_E_NAME);
    cr_assert_eq(taken, 0);
    cr_assert_eq(pl_device_put(w->device, text("a\nb"), records, 1, NULL, NULL), PL_E_NAME);
    cr_assert_eq(pl_device_put(w->device, (struct pl_bytes){name, sizeof name}, records, 1, NULL, NULL),
                 PL_E_NAME);
    cr_assert_eq(pl_device_commit(w->device, NULL), PL_OK);
    cr_assert(world_run(w, 10000000));
    cr_assert_eq(w->stored_records, 1); /* the good one, in spite of those that were wrong */
    world_free(w);
}

Test(device_give, dropped_records_are_told_as_lost)
{
    struct world *w = world_new();
    struct pl_bytes r = text("r");
    cr_assert_eq(pl_device_drop(w->device, text("s"), 1, NULL), PL_E_NOT_FOUND);
    w->node_off = true;
    world_give(w, "s", "dropped", 5);
    world_run(w, 100000);
    cr_assert_eq(pl_device_drop(w->device, text("s"), 6, NULL), PL_E_RANGE);
    cr_assert_eq(pl_device_put(w->device, text("s"), &r, 1, NULL, NULL), PL_OK);
    cr_assert_eq(pl_device_drop(w->device, text("s"), 5, NULL), PL_E_USAGE);
    pl_device_abort(w->device);
    cr_assert_eq(pl_device_drop(w->device, text("s"), 5, NULL), PL_OK);
    w->to_node.head = w->to_node.tail;
    w->node_off = false;
    world_give(w, "s", "kept", 4);
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "kept", 4));
    cr_assert_eq(w->gap_numbers, 5);
    world_free(w);
}
