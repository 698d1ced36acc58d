/* Walking framed records. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/link_varint.h"
#include "wire/walk.h"

Test(wire_walk, whole_cut_and_bad_records)
{
    static const struct {
        uint8_t bytes[8];
        size_t n;
        uint64_t max;
        uint64_t count;
        size_t whole, cut;
        enum pl_error fault;
    } rows[] = {
        {{0}, 0, 9, 0, 0, 0, PL_OK},                              /* nothing */
        {{0}, 1, 9, 1, 1, 0, PL_OK},                              /* an empty record */
        {{0, 0, 0}, 3, 2, 2, 2, 0, PL_OK},                        /* as many as asked for */
        {{2, 7, 7, 1, 8}, 5, 9, 2, 5, 0, PL_OK},                  /* two whole ones */
        {{2, 7, 7, 1}, 4, 9, 1, 3, 2, PL_OK},                     /* the second cut behind its size */
        {{2, 7, 7, 3, 8}, 5, 9, 1, 3, 4, PL_OK},                  /* cut in its bytes */
        {{2, 7, 7, 0x40}, 4, 9, 1, 3, 0, PL_OK},                  /* the size field cut */
        {{0x40, 0x3f, 1}, 3, 9, 0, 0, 0, PL_E_NOT_SHORTEST},      /* 63 in two bytes */
        {{1, 9, 0x40, 0x05, 1}, 5, 9, 1, 2, 0, PL_E_NOT_SHORTEST}, /* behind a good one */
        {{0x40, 0x65, 1}, 3, 9, 0, 0, 0, PL_E_TOO_LARGE},         /* 101 of at most 100 */
        {{0x40, 0x64, 1}, 3, 9, 0, 0, 102, PL_OK},                /* 100 are allowed */
        {{2, 7, 7, 0x40, 0x65}, 5, 1, 1, 3, 0, PL_OK},            /* the bad one was not asked for */
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 8, 9, 0, 0, 0, PL_E_TOO_LARGE},
    };

    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct pl_walk walk = pl_walk((struct pl_bytes){rows[r].bytes, rows[r].n}, rows[r].max, 100);
        cr_assert_eq(walk.count, rows[r].count, "row %u", r);
        cr_assert_eq(walk.whole_bytes, rows[r].whole, "row %u", r);
        cr_assert_eq(walk.cut_bytes, rows[r].cut, "row %u", r);
        cr_assert_eq(walk.fault, rows[r].fault, "row %u", r);
    }
}

/* Any prefix of good records: what is whole is counted, what is cut is measured. */
Test(wire_walk, every_prefix)
{
    static const size_t sizes[] = {0, 63, 64, 1, 300, 0, 16384, 5};
    static uint8_t bytes[20000];
    size_t ends[8], n = 0;

    for (unsigned i = 0; i < 8; i++) {
        n += pl_varint_encode(bytes + n, sizes[i]);
        memset(bytes + n, 0xee, sizes[i]);
        ends[i] = n += sizes[i];
    }
    for (size_t cut = 0; cut <= n; cut++) {
        unsigned whole = 0;
        while (whole < 8 && ends[whole] <= cut) {
            whole++;
        }
        size_t begin = whole == 0 ? 0 : ends[whole - 1];
        struct pl_walk walk = pl_walk((struct pl_bytes){bytes, cut}, UINT64_MAX, 1 << 20);
        cr_assert_eq(walk.count, whole, "%zu bytes", cut);
        cr_assert_eq(walk.whole_bytes, begin);
        size_t head = whole < 8 ? pl_varint_size(sizes[whole]) : 0;
        cr_assert_eq(walk.cut_bytes, cut - begin < head || cut == begin ? 0 : ends[whole] - begin,
                     "%zu bytes", cut);
    }
}
