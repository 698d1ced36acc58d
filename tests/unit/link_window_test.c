/* The replay window, in the numbered manner of WireGuard's counter selftest. */
#include <criterion/criterion.h>

#include "link/window.h"
#include "link_side.h"

#define N PL_WINDOW_NEW
#define R PL_WINDOW_REPEAT
#define O PL_WINDOW_OLD

struct step {
    uint32_t number;
    enum pl_window_look look; /* before it is marked, if it is new */
    int gap;                  /* marking it leaves a gap; -1: not marked */
};

static void walk(struct pl_window *w, const struct step *steps, unsigned n, unsigned row)
{
    for (unsigned i = 0; i < n; i++) {
        enum pl_window_look look = pl_window_look(w, steps[i].number);
        cr_assert_eq(look, steps[i].look, "row %u step %u: number %u looks %d", row, i, steps[i].number,
                     look);
        if (steps[i].gap >= 0) {
            bool gap = pl_window_mark(w, steps[i].number);
            cr_assert_eq(gap, steps[i].gap, "row %u step %u: gap %d", row, i, gap);
            cr_assert_eq(pl_window_look(w, steps[i].number), R);
        }
    }
}

/* clang-format off */
static const struct step narrow[][8] = {
    /* in order, repeats */
    {{0, N, 0}, {1, N, 0}, {1, R, -1}, {0, R, -1}, {2, N, 0}, {2, R, -1}, {1, R, -1}, {3, N, 0}},
    /* gaps below the highest stay open */
    {{10, N, 0}, {12, N, 1}, {11, N, 0}, {11, R, -1}, {15, N, 1}, {13, N, 0}, {14, N, 0}, {16, N, 0}},
    /* the edge: 63 below is in the window, 64 below is not */
    {{100, N, 0}, {163, N, 1}, {100, R, -1}, {101, N, 0}, {164, N, 0}, {100, O, -1}, {101, R, -1},
     {102, N, 0}},
    {{0, N, 0}, {63, N, 1}, {0, R, -1}, {64, N, 0}, {0, O, -1}, {1, N, 0}, {65, N, 0}, {1, O, -1}},
    /* a jump of a whole window and more forgets all */
    {{5, N, 0}, {69, N, 1}, {5, O, -1}, {6, N, 0}, {133, N, 1}, {69, O, -1}, {70, N, 0}, {134, N, 0}},
    {{5, N, 0}, {1000000, N, 1}, {999937, N, 0}, {999936, O, -1}, {5, O, -1}, {999999, N, 0},
     {1000000, R, -1},
     {1000001, N, 0}},
    /* a first number far up; nothing below the window */
    {{536870911, N, 0}, {536870848, N, 0}, {536870847, O, -1}, {536870912, N, 0}, {536870848, O, -1},
     {536870849, N, 0}, {0, O, -1}, {536870911, R, -1}},
    /* the last numbers there are */
    {{4294967290u, N, 0}, {4294967295u, N, 1}, {4294967294u, N, 0}, {4294967232u, N, 0}, {4294967231u, O, -1},
     {4294967295u, R, -1}, {4294967291u, N, 0}, {4294967290u, R, -1}},
};
static const struct step wide[][8] = {
    {{1, N, 0}, {2048, N, 1}, {1, R, -1}, {2, N, 0}, {2049, N, 0}, {1, O, -1}, {2, R, -1}, {3, N, 0}},
    {{0, N, 0}, {2047, N, 1}, {0, R, -1}, {2048, N, 0}, {0, O, -1}, {1, N, 0}, {2049, N, 0}, {1, O, -1}},
    {{7, N, 0}, {4103, N, 1}, {7, O, -1}, {2055, O, -1}, {2056, N, 0}, {4102, N, 0}, {2056, R, -1},
     {4103, R, -1}},
    {{4294965248u, N, 0}, {4294967295u, N, 1}, {4294965248u, R, -1}, {4294965247u, O, -1},
     {4294965249u, N, 0},
     {4294967294u, N, 0}, {4294967294u, R, -1}, {4294967295u, R, -1}},
};
/* clang-format on */

Test(link_window, boundaries)
{
    struct side a, b;
    struct pl_window w;

    side_pair(&a, &b, 1);
    for (unsigned row = 0; row < sizeof narrow / sizeof narrow[0]; row++) {
        pl_window_init(&w);
        walk(&w, narrow[row], 8, row);
        pl_window_free(&w, &a.env.memory);
    }
    for (unsigned row = 0; row < sizeof wide / sizeof wide[0]; row++) {
        pl_window_init(&w);
        cr_assert(pl_window_widen(&w, &a.env.memory));
        walk(&w, wide[row], 8, 100 + row);
        pl_window_free(&w, &a.env.memory);
    }
    side_end(&a);
    side_end(&b);
}

/* The same numbers in any order against a plain set of all numbers. */
Test(link_window, agrees_with_a_set)
{
    static bool seen[20000], kept[20000];
    struct pl_range32 ranges[4096];
    struct pl_window w;
    struct side a, b;
    uint32_t high = 0, size = PL_REPLAY_UNPROVEN;

    side_pair(&a, &b, 2);
    pl_window_init(&w);
    for (unsigned i = 0; i < 60000; i++) {
        uint32_t r = 0;
        a.env.random(&a, &r, sizeof r);
        uint32_t ahead = r % 5, back = r / 8 % (2 * size);
        uint32_t number = r % 3 != 0 ? high + ahead : high > back ? high - back : 0;
        if (number >= 20000) {
            break;
        }
        enum pl_window_look want = w.any && number + size <= high ? O : seen[number] ? R : N;
        cr_assert_eq(pl_window_look(&w, number), want, "number %u of %u", number, high);
        if (want == N) {
            bool gap = pl_window_mark(&w, number);
            cr_assert_eq(gap, i > 0 && number > high + 1);
            seen[number] = true;
            high = number > high ? number : high;
            if (r / 4096 % 3 != 0) {
                pl_window_keep(&w, number);
                kept[number] = true;
            }
        }
        if (i == 5000) {
            cr_assert(pl_window_widen(&w, &a.env.memory));
            size = PL_REPLAY_PROVEN;
            for (uint32_t n = 0; n + PL_REPLAY_UNPROVEN <= high; n++) {
                seen[n] = true; /* what fell out of the narrow window is not taken a second time */
                kept[n] = false;
            }
        }
        if (i % 500 == 0) {
            unsigned n = pl_window_ranges(&w, ranges, 4096);
            uint32_t at = high + 1;
            for (unsigned k = 0; k < n; k++) {
                cr_assert(ranges[k].low <= ranges[k].high && ranges[k].high < at);
                for (uint32_t x = ranges[k].high + 1; x < at; x++) {
                    cr_assert(!kept[x], "%u is missing from the ranges", x);
                }
                for (uint32_t x = ranges[k].low; x <= ranges[k].high; x++) {
                    cr_assert(kept[x], "%u is in the ranges", x);
                }
                cr_assert(k == 0 || ranges[k].high + 1 < at, "ranges touch");
                at = ranges[k].low;
            }
        }
    }
    cr_assert(high > 2 * PL_REPLAY_PROVEN);
    pl_window_free(&w, &a.env.memory);
    side_end(&a);
    side_end(&b);
}

Test(link_window, ranges_are_cut_at_their_most_and_what_was_left_is_not_in_them)
{
    struct pl_range32 ranges[PL_ACK_RANGES_MAX];
    struct pl_window w;

    pl_window_init(&w);
    cr_assert_eq(pl_window_ranges(&w, ranges, PL_ACK_RANGES_MAX), 0);
    pl_window_keep(&w, 5); /* not opened: nothing to keep */
    cr_assert_eq(pl_window_ranges(&w, ranges, PL_ACK_RANGES_MAX), 0);
    for (uint32_t n = 0; n < 64; n += 2) {
        pl_window_mark(&w, 1000 + n);
        pl_window_keep(&w, 1000 + n);
    }
    pl_window_mark(&w, 1063); /* opened and left */
    cr_assert_eq(pl_window_ranges(&w, ranges, PL_ACK_RANGES_MAX), 32);
    cr_assert_eq(ranges[0].high, 1062);
    cr_assert_eq(ranges[0].low, 1062);
    cr_assert_eq(ranges[31].low, 1000);
    cr_assert_eq(pl_window_ranges(&w, ranges, 3), 3);
    cr_assert_eq(ranges[2].low, 1058);
}

Test(link_window, without_memory_it_stays_narrow_and_whole)
{
    struct pl_window w;
    struct side a, b;

    side_pair(&a, &b, 3);
    pl_window_init(&w);
    pl_window_mark(&w, 9);
    a.fail_from = 1;
    a.fail_n = 1;
    cr_assert(!pl_window_widen(&w, &a.env.memory));
    cr_assert_eq(pl_window_look(&w, 9), R);
    cr_assert(pl_window_widen(&w, &a.env.memory));
    cr_assert_eq(pl_window_look(&w, 9), R);
    cr_assert_eq(pl_window_look(&w, 8), N);
    cr_assert(pl_window_widen(&w, &a.env.memory));
    pl_window_free(&w, &a.env.memory);
    side_end(&a);
    side_end(&b);
}
