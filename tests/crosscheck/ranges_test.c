/* Tests of crosscheck/engine/ranges.c and memory.c: against a set of bits, with borders that touch. */
#include "world.h"

#include "engine/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 64 };

static void expect_same(const struct xc_ranges *set, const bool *bits)
{
    bool held[NUMBERS] = {false};

    for (size_t i = 0; i < set->n; i++) {
        cr_assert_lt(set->range[i].from, set->range[i].to, "no range is empty");
        cr_assert(i == 0 || set->range[i - 1].to < set->range[i].from, "ranges are apart and in order");
        for (uint64_t n = set->range[i].from; n < set->range[i].to; n++)
            held[n] = true;
    }
    cr_assert(memcmp(held, bits, sizeof held) == 0);
    for (uint64_t from = 0; from < NUMBERS; from++) {
        uint64_t reach = from;
        while (reach < NUMBERS && bits[reach])
            reach++;
        cr_assert_eq(xc_ranges_reach(set, from), reach);
    }
}

Test(ranges, hold_what_a_set_of_bits_holds)
{
    struct xt_chance chance = {xt_seed(1)};

    for (int round = 0; round < 200; round++) {
        struct xc_ranges set = {0};
        bool bits[NUMBERS] = {false};
        for (int i = 0; i < 60; i++) {
            uint64_t from = xt_below(&chance, NUMBERS), to = xt_below(&chance, NUMBERS + 1);
            bool add = xt_happens(&chance, 55);
            if (add)
                xc_ranges_add(&set, from, to);
            else
                xc_ranges_remove(&set, from, to);
            for (uint64_t n = from; n < to; n++)
                bits[n] = add;
            expect_same(&set, bits);
        }
        xc_ranges_free(&set);
        cr_assert_eq(set.n, 0);
    }
}

Test(ranges, at_the_largest_offsets)
{
    struct xc_ranges set = {0};
    const uint64_t end = (UINT64_C(1) << 62) - 1;

    xc_ranges_add(&set, end - 1, end);
    xc_ranges_add(&set, 0, 1);
    cr_assert_eq(xc_ranges_reach(&set, end - 1), end);
    xc_ranges_add(&set, 1, end - 1);
    cr_assert_eq(set.n, 1);
    cr_assert_eq(xc_ranges_reach(&set, 0), end);
    xc_ranges_remove(&set, 0, UINT64_MAX);
    cr_assert_eq(set.n, 0);
    xc_ranges_free(&set);
}

Test(memory, grows_and_keeps_what_it_holds)
{
    uint32_t *array = NULL;
    size_t room = 0;
    uint8_t *zeroed = xc_zeroed(0);

    free(zeroed);
    for (uint32_t i = 0; i < 1000; i++) {
        array = xc_room(array, &room, i + 1, sizeof *array);
        cr_assert_gt(room, i);
        array[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert_eq(array[i], i);
    cr_assert_lt(room, 2049U);
    array = xc_room(array, &room, 10 * room, sizeof *array);
    array[room - 1] = 1;
    cr_assert_geq(room, 10000U);
    cr_assert_eq(array[999], 999);
    free(array);
}
