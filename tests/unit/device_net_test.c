/* device_net_test.c: what the kernel says of a send, and datagrams that are not for us. */
#include "device_world.h"

#include <criterion/criterion.h>

Test(device_net, batches_the_kernel_does_not_take)
{
    static const enum pl_send_result results[] = {PL_SEND_AGAIN, PL_SEND_LOST, PL_SEND_UNREACHABLE,
                                                  PL_SEND_TOO_BIG};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        struct world *w = world_new();
        world_give(w, "s", "r", 100);
        w->send_result = results[i];
        uint64_t due_us = pl_device_step(w->device, w->now_us);
        cr_expect_gt(due_us, w->now_us, "result %d: no loop", results[i]);
        cr_expect_neq(due_us, PL_NEVER);
        cr_expect_eq(pl_device_state(w->device), PL_DEVICE_WAITING);
        cr_expect_not(world_run(w, 30000000));
        w->send_result = PL_SEND_SENT;
        cr_expect(world_run(w, 120000000), "result %d", results[i]);
        cr_expect(world_stored_are(w, "r", 100), "result %d", results[i]);
        world_free(w);
    }
}

Test(device_net, no_socket)
{
    struct world *w = world_new();
    struct pl_device_status status;
    w->open_result = PL_E_IO;
    world_give(w, "s", "r", 1);
    cr_assert_not(world_run(w, 5000000));
    pl_device_status(w->device, &status);
    cr_assert_eq(status.last_error, PL_E_IO);
    w->open_result = PL_OK;
    cr_assert(world_run(w, 120000000));
    world_free(w);
}

Test(device_net, datagrams_not_for_us)
{
    struct world *w = world_new();
    struct pl_device_status status;
    w->node_off = true;
    world_give(w, "s", "r", 1);
    pl_device_step(w->device, w->now_us);
    struct world_packet *own = &w->to_node.items[w->to_node.head % WORLD_QUEUE];
    struct world_packet wrong[] = {{.n = 0}, {.n = 33}, {.n = 1200}, *own};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        w->to_device.items[w->to_device.tail++ % WORLD_QUEUE] = wrong[i];
    pl_device_step(w->device, w->now_us);
    pl_device_status(w->device, &status);
    cr_assert_eq(status.drops, 4);
    cr_assert_eq(w->device->env.drops[PL_DROP_SHORT], 2);
    cr_assert_eq(w->device->env.drops[PL_DROP_OWN_KEY_ID], 1);
    w->node_off = false;
    cr_assert(world_run(w, 60000000));
    world_free(w);
}
