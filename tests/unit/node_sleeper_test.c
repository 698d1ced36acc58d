/* The flag before a wake: set, taken back, and used once. */
#include "node/sleeper.h"

#include <criterion/criterion.h>

#include "io/io.h"

static unsigned opened, wakes;

static enum pl_error open_wake(void *ctx, struct pl_wake **out, struct pl_text *why)
{
    (void)ctx, (void)why;
    *out = (struct pl_wake *)&opened;
    opened++;
    return PL_OK;
}

static enum pl_error fail_wake(void *ctx, struct pl_wake **out, struct pl_text *why)
{
    (void)ctx, (void)out;
    pl_text_set(why, "none left");
    return PL_E_IO;
}

static void close_wake(void *ctx, struct pl_wake *wake)
{
    (void)ctx, (void)wake;
    opened--;
}

static void count_wake(void *ctx, struct pl_wake *wake)
{
    (void)ctx;
    cr_assert_eq((void *)wake, (void *)&opened);
    wakes++;
}

Test(node_sleeper, wakes_only_who_sleeps)
{
    struct pl_io io = {.wake_open = open_wake, .wake_close = close_wake, .wake = count_wake};
    struct pl_sleeper sleeper = {0};
    cr_assert_eq(pl_sleeper_open(&sleeper, &io, NULL), PL_OK);
    pl_sleeper_notify(&sleeper);
    cr_assert_eq(wakes, 0);
    pl_sleeper_about_to(&sleeper);
    pl_sleeper_notify(&sleeper);
    pl_sleeper_notify(&sleeper);
    cr_assert_eq(wakes, 1);
    pl_sleeper_about_to(&sleeper);
    pl_sleeper_awake(&sleeper);
    pl_sleeper_notify(&sleeper);
    cr_assert_eq(wakes, 1);
    pl_sleeper_close(&sleeper);
    pl_sleeper_close(&sleeper);
    cr_assert_eq(opened, 0);
}

Test(node_sleeper, passes_on_why_there_is_no_handle)
{
    struct pl_io io = {.wake_open = fail_wake, .wake_close = close_wake};
    struct pl_sleeper sleeper = {0};
    struct pl_text why = {""};
    cr_assert_eq(pl_sleeper_open(&sleeper, &io, &why), PL_E_IO);
    cr_assert_str_eq(why.s, "none left");
    pl_sleeper_close(&sleeper);
}
