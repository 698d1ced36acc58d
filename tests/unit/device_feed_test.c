/* device_feed_test.c: order, streams side by side, large records, restarts in the middle. */
#include "device_world.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(device_feed, many_records_in_order)
{
    struct world *w = world_new();
    world_give(w, "s", "r", 50000);
    cr_assert(world_run(w, 60000000));
    cr_assert(world_stored_are(w, "r", 50000));
    world_free(w);
}

Test(device_feed, streams_and_sizes)
{
    struct world *w = world_new();
    static uint8_t large[PL_RECORD_MAX];
    memset(large, 7, sizeof large);
    struct pl_bytes records[] = {
        {large, 0}, {large, 1}, {large, 1900}, {large, 70000}, {large, sizeof large}};
    uint64_t bytes = 0;
    for (unsigned stream = 0; stream < 20; stream++) {
        char name[16];
        struct pl_bytes s = {(uint8_t *)name, (size_t)snprintf(name, sizeof name, "stream %u", stream)};
        size_t n = stream == 0 ? 5 : 4;
        cr_assert_eq(pl_device_put(w->device, s, records, n, NULL, NULL), PL_OK);
        for (size_t i = 0; i < n; i++)
            bytes += records[i].n;
    }
    cr_assert_eq(pl_device_commit(w->device, NULL), PL_OK);
    cr_assert(world_run(w, 60000000));
    cr_assert_eq(w->stored_records, 81);
    cr_assert_eq(w->stored_bytes, bytes + 81 * sizeof(uint32_t));
    world_free(w);
}

Test(device_feed, killed_again_and_again)
{
    struct world *w = world_new();
    unsigned given = 0;
    for (unsigned round = 0; round < 30; round++) {
        char text[16];
        struct pl_bytes name = {(const uint8_t *)"s", 1};
        for (unsigned i = 0; i < 100; i++) {
            struct pl_bytes record = {(uint8_t *)text, (size_t)snprintf(text, sizeof text, "r %u", given++)};
            cr_assert_eq(pl_device_put(w->device, name, &record, 1, NULL, NULL), PL_OK);
        }
        cr_assert_eq(pl_device_commit(w->device, NULL), PL_OK);
        world_run(w, 3000 * round);
        world_restart_device(w);
        if (round % 7 == 6)
            world_restart_node(w, true);
    }
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "r", given));
    world_free(w);
}

Test(device_feed, what_is_not_committed_is_not_sent)
{
    struct world *w = world_new();
    struct pl_bytes name = {(const uint8_t *)"s", 1}, record = {(const uint8_t *)"r", 1};
    cr_assert_eq(pl_device_put(w->device, name, &record, 1, NULL, NULL), PL_OK);
    cr_assert(world_run(w, 1000000));
    cr_assert_eq(w->packets_out, 0);
    pl_device_abort(w->device);
    cr_assert(world_run(w, 1000000));
    cr_assert_eq(w->packets_out, 0);
    world_free(w);
}

Test(device_feed, many_lives_given_while_the_node_is_away)
{
    struct world *w = world_new();
    unsigned given = 0;
    w->node_off = true;
    for (; given < 150; given++) {
        char text[16];
        struct pl_bytes name = {(const uint8_t *)"s", 1};
        struct pl_bytes record = {(uint8_t *)text, (size_t)snprintf(text, sizeof text, "r %u", given)};
        cr_assert_eq(pl_device_put(w->device, name, &record, 1, NULL, NULL), PL_OK);
        cr_assert_eq(pl_device_commit(w->device, NULL), PL_OK);
        if (given % 10 == 0)
            pl_device_step(w->device, w->now_us);
        world_restart_device(w);
    }
    w->node_off = false;
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "r", given));
    world_free(w);
}
