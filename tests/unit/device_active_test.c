/* device_active_test.c: activation, rest, the allowance between them, and the clock that jumps. */
#include "device_world.h"

#include <criterion/criterion.h>

static uint64_t activations(struct world *w)
{
    struct pl_device_status status;
    pl_device_status(w->device, &status);
    return status.activations;
}

Test(device_active, rest_frees_the_link_and_its_memory)
{
    struct world *w = world_new();
    for (uint64_t i = 1; i <= 20; i++) {
        world_give(w, "s", "r", 1);
        cr_assert(world_run(w, 10000000));
        cr_assert_null(w->device->link);
        cr_assert_eq(w->device->env.memory.used_bytes, 0);
        cr_assert_eq(w->sockets_open, 1);
        cr_assert_eq(activations(w), i);
        w->now_us += 10000000;
    }
    cr_assert_eq(w->stored_records, 20);
    world_free(w);
}

Test(device_active, many_short_activations_are_limited)
{
    struct world *w = world_new();
    for (unsigned i = 0; i < 200; i++) {
        world_give(w, "s", "r", 1);
        cr_assert(world_run(w, 10000000));
        cr_assert_eq(pl_device_step(w->device, w->now_us), PL_NEVER);
        w->now_us += 50000;
    }
    cr_assert_eq(w->stored_records, 200);
    cr_assert_leq(activations(w), PL_ALLOWANCE_BURST + 12);
    world_free(w);
}

Test(device_active, a_jump_of_the_wall_clock_draws_a_fresh_run_and_life)
{
    struct world *w = world_new();
    struct pl_sending before, after;
    world_give(w, "s", "r", 1);
    cr_assert(world_run(w, 10000000));
    cr_assert_eq(pl_outbox_stream_at(w->device->outbox, 0, &before), PL_OK);
    static const int64_t jumps_ms[] = {500, -900, 1500, -5000};
    for (size_t i = 0; i < 4; i++) {
        struct pl_device_status status;
        pl_device_status(w->device, &status);
        uint64_t resumes = status.resumes;
        w->wall_offset_ms += jumps_ms[i];
        cr_assert(world_run(w, 1000000));
        pl_device_status(w->device, &status);
        cr_assert_eq(status.resumes, resumes + (i >= 2));
        world_give(w, "s", "r", 1);
        cr_assert(world_run(w, 10000000));
        cr_assert_eq(pl_outbox_stream_at(w->device->outbox, 0, &after), PL_OK);
        cr_assert_eq(after.newest_life != before.newest_life, i >= 2);
        before = after;
    }
    cr_assert_eq(w->stored_records, 5);
    world_free(w);
}

/* Packets sealed, and the key of the last one; `before`: the key that may not seal any more. */
struct sealed {
    uint64_t packets, serial, before;
};

static void on_seal(void *ctx, const struct pl_key *key, uint32_t number)
{
    struct sealed *sealed = ctx;
    (void)number;
    cr_assert_neq(key->serial, sealed->before, "another copy of the machine may use this key too");
    sealed->serial = key->serial;
    sealed->packets++;
}

Test(device_active, a_jump_while_records_travel)
{
    struct world *w = world_new();
    struct sealed sealed = {0};
    pl_aead_trace(pl_device_aead(w->device), on_seal, &sealed);
    world_give(w, "s", "r", 20000);
    pl_device_step(w->device, w->now_us);
    cr_assert_not_null(w->device->link);
    cr_assert_gt(sealed.packets, 0);
    sealed = (struct sealed){.before = sealed.serial};
    w->wall_offset_ms += 3600000;
    cr_assert(world_run(w, 60000000));
    cr_assert_gt(sealed.packets, 0);
    cr_assert(world_stored_are(w, "r", 20000));
    world_free(w);
}

Test(device_active, polling_is_the_only_timer_at_rest)
{
    struct world *w = world_new();
    w->config.poll_us = 10000000;
    world_restart_device(w);
    world_give(w, "s", "r", 1);
    cr_assert(world_run(w, 10000000));
    unsigned before = w->packets_out;
    for (uint64_t until_us = w->now_us + 60000000; w->now_us < until_us;) {
        uint64_t due_us = pl_device_step(w->device, w->now_us);
        cr_assert_neq(due_us, PL_NEVER);
        world_exchange(w);
        if (w->to_device.head == w->to_device.tail)
            w->now_us = due_us > w->now_us ? due_us : w->now_us + 1000;
    }
    cr_assert(w->packets_out >= before + 5 && w->packets_out <= before + 7, "%u", w->packets_out - before);
    world_free(w);
}
