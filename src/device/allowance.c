/* allowance.c: a token bucket of activations. */
#include "device/allowance.h"

void pl_allowance_init(struct pl_allowance *a, uint64_t now_us)
{
    *a = (struct pl_allowance){.since_us = now_us, .left = PL_ALLOWANCE_BURST};
}

static void refill(struct pl_allowance *a, uint64_t now_us)
{
    if (now_us < a->since_us)
        return;
    uint64_t more = (now_us - a->since_us) / PL_ALLOWANCE_US;
    if (more >= PL_ALLOWANCE_BURST - a->left) {
        pl_allowance_init(a, now_us);
        return;
    }
    a->left += (unsigned)more;
    a->since_us += more * PL_ALLOWANCE_US;
}

void pl_allowance_take(struct pl_allowance *a, uint64_t now_us)
{
    refill(a, now_us);
    if (a->left > 0)
        a->left--;
}

bool pl_allowance_has(struct pl_allowance *a, uint64_t now_us)
{
    refill(a, now_us);
    return a->left > 0;
}
