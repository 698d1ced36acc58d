/* What must be sent again: sorted, disjoint, merged, bounded. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/ranges.h"

enum { SPACE = 1000 };

static void check(const struct pl_ranges *r, const bool *want, bool exact)
{
    bool have[SPACE] = {false};

    for (unsigned i = 0; i < r->count; i++) {
        cr_assert_lt(r->spans[i].from, r->spans[i].to);
        cr_assert(i == 0 || r->spans[i - 1].to < r->spans[i].from, "spans touch or are out of order");
        memset(have + r->spans[i].from, true, r->spans[i].to - r->spans[i].from);
    }
    for (unsigned i = 0; i < SPACE; i++) {
        cr_assert(!want[i] || have[i], "%u was forgotten", i);
        cr_assert(!exact || want[i] == have[i], "%u is too much", i);
    }
}

Test(link_ranges, agrees_with_a_set_while_there_is_room)
{
    uint64_t x = 7;

    for (unsigned round = 0; round < 200; round++) {
        struct pl_ranges r = {.count = 0};
        bool set[SPACE] = {false};
        for (unsigned i = 0; i < 60; i++) {
            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            unsigned from = (unsigned)(x >> 33) % SPACE, n = (unsigned)(x >> 50) % 90;
            unsigned to = from + n > SPACE ? SPACE : from + n;
            bool add = (x >> 20 & 3) != 0;
            (add ? pl_ranges_add : pl_ranges_remove)(&r, from, to);
            memset(set + from, add, to - from);
            check(&r, set, true);
        }
        pl_ranges_remove(&r, 0, UINT64_MAX);
        cr_assert_eq(r.count, 0);
    }
}

/* Full: it covers more than was asked for, and forgets nothing. */
Test(link_ranges, a_full_list_joins_its_nearest)
{
    struct pl_ranges r = {.count = 0};
    bool set[SPACE] = {false};

    for (unsigned i = 0; i < PL_RANGES_MAX; i++) {
        pl_ranges_add(&r, 10 * i, 10 * i + 1 + (i == 20 ? 5 : 0));
        memset(set + 10 * i, true, 1 + (i == 20 ? 5 : 0));
    }
    cr_assert_eq(r.count, PL_RANGES_MAX);
    check(&r, set, true);
    pl_ranges_remove(&r, 202, 204); /* it cannot be split: nothing happens */
    check(&r, set, true);
    pl_ranges_add(&r, 800, 805);
    memset(set + 800, true, 5);
    cr_assert_eq(r.count, PL_RANGES_MAX);
    check(&r, set, false);
    cr_assert(r.spans[20].from == 200 && r.spans[20].to == 211, "the two nearest were joined");
    pl_ranges_add(&r, 0, 1); /* covered already: nothing changes */
    cr_assert_eq(r.count, PL_RANGES_MAX);
    for (unsigned i = 0; i < 90; i++) {
        pl_ranges_add(&r, 7 + 11 * i, 9 + 11 * i);
        memset(set + 7 + 11 * i, true, 2);
        check(&r, set, false);
        cr_assert_leq(r.count, PL_RANGES_MAX);
    }
}

Test(link_ranges, nothing_is_nothing)
{
    struct pl_ranges r = {.count = 0};

    pl_ranges_add(&r, 5, 5);
    pl_ranges_add(&r, 6, 5);
    pl_ranges_remove(&r, 0, 100);
    cr_assert_eq(r.count, 0);
    pl_ranges_add(&r, 5, 10);
    pl_ranges_remove(&r, 7, 7);
    pl_ranges_remove(&r, 10, 20);
    pl_ranges_remove(&r, 0, 5);
    cr_assert(r.count == 1 && r.spans[0].from == 5 && r.spans[0].to == 10);
}
