/* Tests of crosscheck/engine/runs.c: the replay window, the ranges of an ACK, how many runs are kept. */
#include "world.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct xc_link *new_link(struct xt_world **world)
{
    *world = xt_world_new(1, XC_SUITE_AES, XC_SUITE_AES);
    return (*world)->side[1].link;
}

Test(runs, the_window_takes_each_number_once)
{
    enum { NUMBERS = 3 * XC_REPLAY_WINDOW };
    static bool taken[NUMBERS];
    struct xt_chance chance = {xt_seed(2)};
    struct xc_peer_run run = {0};
    uint32_t largest = 0, old = 0, replays = 0;

    for (int i = 0; i < 200000; i++) {
        uint32_t oldest = largest > XC_REPLAY_WINDOW + 4 ? largest - XC_REPLAY_WINDOW - 4 : 0,
                 number = oldest + (uint32_t)xt_below(&chance, largest - oldest + 1);
        if (xt_happens(&chance, 10) && largest < NUMBERS - 4)
            number = largest + (uint32_t)xt_below(&chance, 4);
        const char *why = xc_run_look(&run, number);
        bool is_old = i > 0 && number + XC_REPLAY_WINDOW <= largest;
        cr_assert_eq(why == NULL, !is_old && !taken[number], "number %u, largest %u", number, largest);
        cr_assert(!is_old || strcmp(why, "OLD") == 0, "number %u, largest %u", number, largest);
        old += why != NULL && strcmp(why, "OLD") == 0;
        replays += why != NULL && strcmp(why, "REPLAY") == 0;
        if (why != NULL)
            continue;
        xc_run_mark(&run, number, 0);
        taken[number] = true;
        largest = number > largest ? number : largest;
        cr_assert_eq(run.largest, largest);
    }
    cr_assert_gt(old, 100U);
    cr_assert_gt(replays, 100U);
    cr_assert_geq(largest, (uint32_t)NUMBERS - 4);
}

Test(runs, numbers_may_begin_and_jump_anywhere)
{
    struct xc_peer_run run = {0};

    xc_run_mark(&run, 5, 0);
    cr_assert_null(xc_run_look(&run, 4));
    xc_run_mark(&run, UINT32_MAX - 1, 0);
    cr_assert_str_eq(xc_run_look(&run, 5), "OLD");
    cr_assert_null(xc_run_look(&run, UINT32_MAX - 2));
    cr_assert_null(xc_run_look(&run, UINT32_MAX));
    cr_assert_str_eq(xc_run_look(&run, UINT32_MAX - 1), "REPLAY");
    xc_run_mark(&run, UINT32_MAX, 0);
    cr_assert_str_eq(xc_run_look(&run, UINT32_MAX), "REPLAY");
}

/* The numbers an ACK names, as a reader of RFC 9000 section 19.3.1 finds them. */
static size_t acked(const struct xc_payload *payload, bool *named, uint32_t first, size_t n)
{
    struct xc_value values[200];
    struct xc_tree tree = {values, 200, 0};

    cr_assert_eq(xc_parse(payload->bytes, payload->n, &tree), XC_OK);
    uint64_t to = xc_get(&tree, 0, "largest"), from = to - xc_get(&tree, 0, "first_range");
    const struct xc_value *list = xc_value_of(&tree, 0, "ranges");
    size_t item = (size_t)(list - values) + 1, ranges = 1;
    memset(named, 0, n);
    for (uint64_t i = from; i <= to; i++)
        named[i - first] = true;
    for (; ranges <= list->number; ranges++, item = values[item].next) {
        to = from - xc_get(&tree, item, "gap") - 2;
        from = to - xc_get(&tree, item, "length");
        for (uint64_t i = from; i <= to; i++)
            named[i - first] = true;
    }
    return ranges;
}

Test(runs, an_ack_names_what_is_kept_and_no_more)
{
    enum { NUMBERS = 300, FIRST = 1000 };
    struct xt_chance chance = {xt_seed(3)};

    for (int round = 0; round < 300; round++) {
        struct xc_peer_run run = {0};
        struct xc_payload payload = {.room = XC_PAYLOAD_BYTES};
        bool kept[NUMBERS] = {false}, named[NUMBERS];
        size_t ranges = 0;
        for (uint32_t i = 0; i < NUMBERS; i++) {
            xc_run_mark(&run, FIRST + i, 0);
            kept[i] = xt_happens(&chance, round % 100);
            if (kept[i])
                xc_run_keep(&run, FIRST + i);
        }
        cr_assert(xc_put_ack(&payload, &run, 0, XC_ACK));
        if (payload.n > 0)
            ranges = acked(&payload, named, FIRST, NUMBERS);
        bool all = ranges < XC_ACK_RANGES_MAX;
        for (size_t i = NUMBERS; i-- > 0 && payload.n > 0;) {
            cr_assert(kept[i] || !named[i], "%zu was never kept", i);
            cr_assert(named[i] == kept[i] || !all, "%zu is not named", i);
        }
        cr_assert_leq(ranges, (size_t)XC_ACK_RANGES_MAX);
    }
}

Test(runs, new_ones_are_rationed_and_proven_ones_not_pushed_out)
{
    struct xt_world *world;
    struct xc_link *link = new_link(&world);
    struct xc_key key = {0};
    uint64_t now_us = 1000000000, taken = 0;

    for (uint64_t id = 1; id <= 3; id++)
        xc_run_prove(link, xc_run_add(link, now_us, id, &key));
    for (uint64_t id = 100; id < 200; id++) {
        taken += xc_run_add(link, now_us, id, &key) != NULL;
        xc_run_trim(link);
    }
    cr_assert_eq(taken, XC_NEW_RUNS_BURST - 3);
    cr_assert_eq(link->runs, (size_t)XC_PROVEN_RUNS + XC_UNPROVEN_RUNS);
    for (uint64_t id = 1; id <= 3; id++)
        cr_assert_not_null(xc_run_find(link, id));
    cr_assert_not_null(xc_run_add(link, now_us + 1000000 / XC_NEW_RUNS_PER_S, 300, &key), "a token has come");
    cr_assert_null(xc_run_add(link, now_us + 1000000 / XC_NEW_RUNS_PER_S, 301, &key));
    xc_run_prove(link, xc_run_find(link, 300));
    xc_run_trim(link);
    cr_assert_null(xc_run_find(link, 1), "the one proven first has gone");
    cr_assert_eq(xc_run_current(link)->id, 300);
    xt_world_free(world);
}
