/* The heap of deadlines against a plain array. */
#include "node/timers.h"

#include <criterion/criterion.h>

enum { TIMERS = 500 };

static struct pl_timer timers[TIMERS];
static uint64_t expected[TIMERS];

static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static uint64_t earliest(void)
{
    uint64_t at_us = UINT64_MAX;
    for (int i = 0; i < TIMERS; i++)
        at_us = expected[i] < at_us ? expected[i] : at_us;
    return at_us;
}

Test(node_timers, equals_a_plain_array)
{
    struct pl_timers heap = {0};
    uint64_t state = 5, now_us = 0;
    for (int i = 0; i < TIMERS; i++)
        expected[i] = UINT64_MAX;
    for (int step = 0; step < 40000; step++) {
        int i = (int)(draw(&state) % TIMERS);
        unsigned what = draw(&state) % 10;
        if (what < 6) {
            expected[i] = now_us + draw(&state) % 1000;
            cr_assert_eq(pl_timers_set(&heap, &timers[i], expected[i]), PL_OK);
        } else if (what < 8) {
            pl_timers_unset(&heap, &timers[i]);
            expected[i] = UINT64_MAX;
        } else {
            now_us += draw(&state) % 20;
            for (struct pl_timer *t; (t = pl_timers_pop(&heap, now_us)) != NULL;) {
                cr_assert_eq(expected[t - timers], earliest(), "earliest first");
                expected[t - timers] = UINT64_MAX;
            }
        }
        cr_assert_eq(pl_timers_at(&heap, &timers[i]), expected[i]);
        cr_assert_eq(pl_timers_next_us(&heap), earliest());
    }
    pl_timers_close(&heap);
}

Test(node_timers, an_empty_heap_has_nothing_and_keeps_little)
{
    struct pl_timers heap = {0};
    cr_assert_eq(pl_timers_next_us(&heap), UINT64_MAX);
    cr_assert_null(pl_timers_pop(&heap, UINT64_MAX));
    for (int i = 0; i < TIMERS; i++)
        cr_assert_eq(pl_timers_set(&heap, &timers[i], (uint64_t)i), PL_OK);
    for (int i = 0; i < TIMERS; i++)
        cr_assert_eq(pl_timers_pop(&heap, TIMERS), &timers[i]);
    cr_assert_leq(heap.room, 64);
    pl_timers_close(&heap);
}
