/* Tests of crosscheck/engine as a whole: two links over a network with faults, judged record by record. */
#include "world.h"

#include <criterion/criterion.h>
#include <string.h>

enum { STEPS_MAX = 2000000 };

static const struct xt_net rough = {
    .lost = 15, .repeated = 5, .spoilt = 3, .late = 20, .delay_us = 2000, .late_us = 30000};

static void expect_all(const struct xt_world *world, uint64_t seed)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned stream = 0; stream < XT_STREAMS; stream++)
            cr_assert_eq(world->side[!side].delivered[stream], world->side[side].given[stream],
                         "seed %llu, side %u, stream %u", (unsigned long long)seed, side, stream);
}

static void give_some(struct xt_world *world, unsigned side, unsigned streams, unsigned records)
{
    for (unsigned i = 0; i < records; i++)
        xt_give(world, side, (unsigned)xt_below(&world->chance, streams));
}

Test(link, all_arrives_both_ways_in_both_suites)
{
    for (uint8_t suites = 0; suites < 4; suites++) {
        struct xt_world *world = xt_world_new(suites, 1 + suites / 2, 1 + suites % 2);
        world->side[0].config.extras = suites == 3;
        xt_forget(world, 0);
        give_some(world, 0, 5, 400);
        give_some(world, 1, 3, 200);
        cr_assert(xt_run(world, STEPS_MAX));
        expect_all(world, suites);
        cr_assert_eq(world->side[0].lost + world->side[1].lost, 0);
        cr_assert_eq(xt_counted(&world->side[0].reasons, "SEAL"), 0);
        xt_world_free(world);
    }
}

/* In bursts, with lives that end between them. */
static struct xt_world *run_rough(uint64_t seed)
{
    struct xt_world *world = xt_world_new(seed, 1 + seed % 2, 1 + seed / 2 % 2);

    world->net = rough;
    world->no_commit = seed % 3 * 10;
    for (int burst = 0; burst < 8; burst++) {
        give_some(world, 0, 1 + seed % 7, 60);
        give_some(world, 1, 2, burst % 2 == 0 ? 30 : 0);
        for (uint64_t steps = xt_below(&world->chance, 300); steps > 0; steps--)
            xt_step(world);
        if (xt_happens(&world->chance, 70))
            xc_link_new_lives(world->side[0].link);
    }
    cr_assert(xt_run(world, STEPS_MAX), "seed %llu: never at rest", (unsigned long long)seed);
    return world;
}

Test(link, all_arrives_over_a_rough_network)
{
    uint64_t replays = 0, seals = 0;

    for (uint64_t seed = xt_seed(1), end = seed + 30; seed < end; seed++) {
        struct xt_world *world = run_rough(seed);
        expect_all(world, seed);
        cr_assert_eq(world->side[0].lost + world->side[1].lost, 0, "seed %llu", (unsigned long long)seed);
        cr_assert_leq(world->side[1].births, 7U, "a birth for each stream");
        replays += xt_counted(&world->side[1].reasons, "REPLAY");
        seals += xt_counted(&world->side[1].reasons, "SEAL");
        xt_world_free(world);
    }
    cr_assert_gt(replays, 20U);
    cr_assert_gt(seals, 20U);
}

Test(link, large_records_arrive)
{
    struct xt_world *world = xt_world_new(4, XC_SUITE_AES, XC_SUITE_AES);

    world->net = (struct xt_net){.lost = 3, .late = 10, .delay_us = 1000, .late_us = 3000};
    world->record_max = 1 << 20;
    give_some(world, 0, 3, 20);
    cr_assert(xt_run(world, STEPS_MAX));
    expect_all(world, 4);
    xt_world_free(world);
}

Test(link, sixty_four_streams_arrive)
{
    struct xt_world *world = xt_world_new(5, XC_SUITE_CHACHA, XC_SUITE_AES);

    world->net = rough;
    for (unsigned i = 0; i < 5 * XT_STREAMS; i++)
        xt_give(world, 0, i % XT_STREAMS);
    cr_assert(xt_run(world, STEPS_MAX));
    expect_all(world, 5);
    xt_world_free(world);
}

/* What was freed is lost with the peer's memory and told so; all else arrives. */
Test(link, a_peer_that_forgets_is_told_what_is_lost)
{
    uint64_t lost = 0;

    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct xt_world *world = xt_world_new(seed, XC_SUITE_AES, XC_SUITE_AES);
        world->net = rough;
        world->by_number = true;
        for (int burst = 0; burst < 5; burst++) {
            give_some(world, 0, 1, 50);
            for (uint64_t steps = xt_below(&world->chance, 400); steps > 0; steps--)
                xt_step(world);
            if (burst % 2 == 1)
                xt_forget(world, 1);
        }
        cr_assert(xt_run(world, STEPS_MAX), "seed %llu: never at rest", (unsigned long long)seed);
        cr_assert_eq(world->side[1].delivered[0], world->side[0].given[0]);
        lost += world->side[1].lost;
        xt_world_free(world);
    }
    cr_assert_gt(lost, 0U);
}

Test(link, a_stream_goes_on_after_a_rest)
{
    static const uint8_t name[] = {0};
    struct xt_world *world = xt_world_new(6, XC_SUITE_AES, XC_SUITE_AES);
    struct xc_rest rest;

    world->net = rough;
    cr_assert_not(xc_link_rest(world->side[0].link, name, 1, &rest), "there is no such stream");
    for (int i = 0; i < 20; i++) {
        give_some(world, 0, 1, 1 + (unsigned)i % 3);
        cr_assert_not(xc_link_rest(world->side[0].link, name, 1, &rest), "something is held");
        cr_assert(xt_run(world, STEPS_MAX));
        cr_assert(xc_link_rest(world->side[0].link, name, 1, &rest));
        xt_forget(world, 0);
        xc_link_resume(world->side[0].link, name, 1, &rest);
    }
    expect_all(world, 6);
    cr_assert_eq(world->side[1].births, 1);
    xt_world_free(world);
}

Test(link, a_peer_that_wants_nothing_stops_the_stream)
{
    struct xt_world *world = xt_world_new(7, XC_SUITE_AES, XC_SUITE_AES);

    world->side[1].config.accepts = false;
    xt_forget(world, 1);
    give_some(world, 0, 1, 10);
    for (int i = 0; i < 1000 && xc_link_stopped(world->side[0].link) == 0; i++)
        xt_step(world);
    cr_assert_eq(xc_link_stopped(world->side[0].link), 10);
    cr_assert_eq(xc_link_held(world->side[0].link), 10);
    cr_assert_eq(xc_link_drop_refused(world->side[0].link), 0, "no record is refused by its number");
    xt_world_free(world);
}

Test(link, a_record_too_large_is_dropped_and_the_rest_arrives)
{
    struct xt_world *world = xt_world_new(8, XC_SUITE_AES, XC_SUITE_AES);
    uint64_t dropped = 0;

    world->record_max = 5000;
    world->by_number = true;
    world->side[1].config.record_max_bytes = 2000;
    xt_forget(world, 1);
    give_some(world, 0, 1, 100);
    for (int i = 0; i < STEPS_MAX && xc_link_held(world->side[0].link) > 0; i++) {
        xt_step(world);
        dropped += xc_link_drop_refused(world->side[0].link);
    }
    cr_assert_eq(xc_link_held(world->side[0].link), 0);
    cr_assert_gt(dropped, 0U);
    for (int i = 0; i < 1000; i++)
        xt_step(world);
    cr_assert_eq(world->side[1].lost, dropped, "%llu lost, %llu dropped",
                 (unsigned long long)world->side[1].lost, (unsigned long long)dropped);
    cr_assert_eq(world->side[1].taken + dropped, 100);
    xt_world_free(world);
}

/* With nothing to say, nothing is said. */
Test(link, silence_at_rest)
{
    struct xt_world *world = run_rough(9);

    while (world->flying_n > 0)
        xt_step(world);
    uint64_t sent = world->sent;
    for (int i = 0; i < 10; i++) {
        world->now_us += 60000000;
        xt_step(world);
    }
    cr_assert_eq(world->sent, sent);
    cr_assert_eq(xc_link_due_us(world->side[0].link), UINT64_MAX);
    xt_world_free(world);
}
