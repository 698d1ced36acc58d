/* The ring between two threads: order, limits, and when the reader is woken. */
#include "node/ring.h"

#include <criterion/criterion.h>

#include "io/io.h"

static unsigned wakes;

static void count_wake(void *ctx, struct pl_wake *wake)
{
    (void)ctx, (void)wake;
    wakes++;
}

Test(node_ring, gives_back_in_order_across_many_wraps)
{
    struct pl_ring ring;
    static int values[1000];
    cr_assert_eq(pl_ring_open(&ring, 5, NULL), PL_OK);
    cr_assert(pl_ring_is_empty(&ring));
    cr_assert_null(pl_ring_pop(&ring));
    for (int i = 0; i < 1000; i++) {
        cr_assert(pl_ring_push(&ring, &values[i]));
        if (i >= 3)
            cr_assert_eq(pl_ring_pop(&ring), &values[i - 3]);
    }
    for (int i = 997; i < 1000; i++)
        cr_assert_eq(pl_ring_pop(&ring), &values[i]);
    cr_assert(pl_ring_is_empty(&ring));
    pl_ring_close(&ring);
}

Test(node_ring, a_full_ring_takes_nothing)
{
    struct pl_ring ring;
    int value;
    cr_assert_eq(pl_ring_open(&ring, 5, NULL), PL_OK); /* rounded up to 8 */
    for (int i = 0; i < 8; i++)
        cr_assert(pl_ring_push(&ring, &value));
    cr_assert_not(pl_ring_push(&ring, &value));
    cr_assert_eq(pl_ring_pop(&ring), &value);
    cr_assert(pl_ring_push(&ring, &value));
    cr_assert_not(pl_ring_push(&ring, &value));
    pl_ring_close(&ring);
}

Test(node_ring, the_reader_is_woken_once_and_only_when_it_sleeps)
{
    struct pl_io io = {.wake = count_wake};
    struct pl_sleeper sleeper = {.io = &io};
    struct pl_ring ring;
    int value;
    atomic_init(&sleeper.sleeping, false);
    cr_assert_eq(pl_ring_open(&ring, 8, &sleeper), PL_OK);
    pl_ring_push(&ring, &value);
    cr_assert_eq(wakes, 0);
    pl_sleeper_about_to(&sleeper);
    pl_ring_push(&ring, &value);
    pl_ring_push(&ring, &value);
    cr_assert_eq(wakes, 1);
    pl_sleeper_awake(&sleeper);
    pl_ring_push(&ring, &value);
    cr_assert_eq(wakes, 1);
    pl_ring_close(&ring);
}
