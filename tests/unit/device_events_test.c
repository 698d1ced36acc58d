/* device_events_test.c: refusals, forks of a restored outbox, a node that restarts. */
#include "device_world.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static void copy_dir(const char *from, const char *to)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s' && cp -r '%s' '%s'", to, from, to);
    cr_assert_eq(system(command), 0);
}

/* The outbox is set back to an older copy, as from a backup. */
static void restore(struct world *w, const char *copy)
{
    pl_device_close(w->device);
    copy_dir(copy, w->dir);
    w->to_device.head = w->to_device.tail;
    cr_assert_eq(pl_device_open(&w->device, &w->config, NULL), PL_OK);
}

Test(device_events, a_restored_outbox_forks_and_loses_nothing)
{
    struct world *w = world_new();
    struct pl_device_status status;
    char copy[96];
    snprintf(copy, sizeof copy, "%s.copy", w->dir);
    world_give(w, "s", "before", 3);
    cr_assert(world_run(w, 10000000));
    pl_device_close(w->device);
    copy_dir(w->dir, copy);
    cr_assert_eq(pl_device_open(&w->device, &w->config, NULL), PL_OK);
    world_give(w, "s", "forgotten", 2);
    cr_assert(world_run(w, 10000000));
    restore(w, copy);
    w->stored_bytes = 0;
    world_give(w, "s", "after", 4);
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "after", 4));
    pl_device_status(w->device, &status);
    cr_assert_eq(status.forks, 1);

    restore(w, copy); /* once more, but the copy knows of no fork: not within the hour of it */
    w->stored_bytes = 0;
    world_give(w, "s", "late", 2);
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "late", 2));
    cr_assert_eq(system("rm -rf /tmp/purelink-device-*.copy"), 0);
    world_free(w);
}

Test(device_events, a_node_that_restarts_with_its_rows)
{
    struct world *w = world_new();
    unsigned given = 0;
    for (unsigned round = 0; round < 20; round++) {
        struct pl_bytes name = {(const uint8_t *)"s", 1};
        for (unsigned i = 0; i < 500; i++) {
            char text[16];
            struct pl_bytes record = {(uint8_t *)text, (size_t)snprintf(text, sizeof text, "r %u", given++)};
            cr_assert_eq(pl_device_put(w->device, name, &record, 1, NULL, NULL), PL_OK);
        }
        cr_assert_eq(pl_device_commit(w->device, NULL), PL_OK);
        world_run(w, 700 * round);
        world_restart_node(w, true);
    }
    cr_assert(world_run(w, 180000000));
    cr_assert(world_stored_are(w, "r", given));
    world_free(w);
}

Test(device_events, a_stream_that_is_not_wanted)
{
    struct world *w = world_new();
    struct pl_device_status status;
    w->env.settings.allow_new_streams = false;
    world_give(w, "s", "r", 3);
    cr_assert_not(world_run(w, 20000000));
    cr_assert_eq(pl_device_state(w->device), PL_DEVICE_REFUSED);
    pl_device_status(w->device, &status);
    cr_assert_eq(status.refused_code, PL_REFUSAL_UNWANTED);
    cr_assert_eq(status.refused_name_size, 1);
    cr_assert_eq(status.held_records, 3);
    world_free(w);
}

Test(device_events, a_record_the_node_finds_too_large)
{
    struct world *w = world_new();
    struct pl_device_status status;
    static uint8_t large[5000];
    struct pl_bytes name = {(const uint8_t *)"s", 1}, record = {large, sizeof large};
    w->env.settings.record_max_bytes = 4000;
    world_give(w, "s", "r", 3);
    cr_assert_eq(pl_device_put(w->device, name, &record, 1, NULL, NULL), PL_OK);
    cr_assert_eq(pl_device_commit(w->device, NULL), PL_OK);
    cr_assert_not(world_run(w, 20000000));
    cr_assert_eq(pl_device_state(w->device), PL_DEVICE_REFUSED);
    pl_device_status(w->device, &status);
    cr_assert_eq(status.refused_code, PL_REFUSAL_TOO_LARGE);
    cr_assert(world_stored_are(w, "r", 3));
    cr_assert_eq(pl_device_drop(w->device, name, 4, NULL), PL_OK);
    world_give(w, "s", "r", 3);
    cr_assert(world_run(w, 4 * UINT64_C(3600000000))); /* a refused stream asks once an hour */
    cr_assert_eq(w->stored_records, 6);
    world_free(w);
}
