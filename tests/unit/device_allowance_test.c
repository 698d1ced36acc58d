/* device_allowance_test.c: the bucket of activations: its burst, its refill, its bound. */
#include "device/allowance.h"

#include <criterion/criterion.h>

Test(device_allowance, bucket)
{
    struct pl_allowance a;
    pl_allowance_init(&a, 5);
    for (unsigned i = 0; i < PL_ALLOWANCE_BURST; i++) {
        cr_assert(pl_allowance_has(&a, 5));
        pl_allowance_take(&a, 5);
    }
    cr_assert_not(pl_allowance_has(&a, 5));
    pl_allowance_take(&a, 5); /* more than there is: stays empty */
    cr_assert_not(pl_allowance_has(&a, 5 + PL_ALLOWANCE_US - 1));
    cr_assert(pl_allowance_has(&a, 5 + PL_ALLOWANCE_US));
    pl_allowance_take(&a, 5 + PL_ALLOWANCE_US);
    cr_assert_not(pl_allowance_has(&a, 4 + 2 * (uint64_t)PL_ALLOWANCE_US));
    cr_assert_not(pl_allowance_has(&a, 0)); /* an earlier time gives nothing */
}

Test(device_allowance, never_more_than_the_burst)
{
    struct pl_allowance a;
    pl_allowance_init(&a, 0);
    uint64_t later_us = UINT64_MAX / 2;
    cr_assert(pl_allowance_has(&a, later_us));
    for (unsigned i = 0; i < PL_ALLOWANCE_BURST; i++)
        pl_allowance_take(&a, later_us);
    cr_assert_not(pl_allowance_has(&a, later_us));
}
