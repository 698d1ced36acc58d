/* The line: a ring of framed bytes that grows, wraps and is given back. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/send.h"
#include "link_side.h"

enum { MOST = 1 << 16 };

static uint8_t byte_at(uint64_t position)
{
    return (uint8_t)(position * 31 + (position >> 8));
}

static void put(struct pl_line *line, struct pl_memory *memory, size_t n)
{
    static uint8_t bytes[MOST];

    for (size_t i = 0; i < n; i++) {
        bytes[i] = byte_at(line->end + i);
    }
    cr_assert_eq(pl_line_put(line, memory, (struct pl_bytes){bytes, n}, MOST), n);
}

static void check(const struct pl_line *line)
{
    static uint8_t out[MOST];
    size_t n = (size_t)(line->end - line->begin);

    pl_line_copy(line, line->begin, out, n);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(out[i], byte_at(line->begin + i), "byte %zu of %zu", i, n);
    }
}

Test(link_send_line, it_wraps_grows_and_is_given_back)
{
    static const uint64_t begins[] = {0, 1, 4095, 4096, 100001, ((uint64_t)1 << 62) - 5000};
    struct side a, b;

    side_pair(&a, &b, 1);
    for (unsigned i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        struct pl_line line = {0};
        uint64_t x = i + 1;
        pl_line_reset(&line, &a.env.memory, begins[i]);
        for (unsigned step = 0; step < 400; step++) {
            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            size_t room = pl_line_room(&line, MOST), used = (size_t)(line.end - line.begin);
            cr_assert_eq(room, MOST - used);
            if (x >> 63) {
                size_t n = (size_t)(x >> 20) % (step % 9 == 0 ? 20000 : 700) + 1;
                put(&line, &a.env.memory, n < room ? n : room > 0 ? room : 0);
            } else if (used > 0) {
                pl_line_free_to(&line, &a.env.memory, line.begin + (size_t)(x >> 20) % (used + 1));
            }
            if (line.end > line.begin) {
                check(&line);
            } else {
                cr_assert_eq(line.room, 0, "an empty line holds no memory");
            }
        }
        pl_line_reset(&line, &a.env.memory, 0);
    }
    side_end(&a);
    side_end(&b);
}

Test(link_send_line, it_takes_what_it_has_room_for)
{
    struct side a, b;
    struct pl_line line = {0};
    static uint8_t bytes[5000];

    side_pair(&a, &b, 2);
    struct pl_memory *m = &a.env.memory;
    cr_assert_eq(pl_line_put(&line, m, (struct pl_bytes){bytes, 5000}, 4500), 4500);
    cr_assert_eq(pl_line_put(&line, m, (struct pl_bytes){bytes, 1}, 4500), 0);
    pl_line_free_to(&line, m, 100);
    cr_assert_eq(pl_line_put(&line, m, (struct pl_bytes){bytes, 5000}, 4500), 100);
    a.fail_from = a.gets + 1;
    a.fail_n = 1;
    cr_assert_eq(pl_line_put(&line, m, (struct pl_bytes){bytes, 5000}, 1 << 20), 0, "no memory to grow");
    cr_assert_eq(pl_line_put(&line, m, (struct pl_bytes){bytes, 5000}, 1 << 20), 5000);
    pl_line_reset(&line, m, 0);
    side_end(&a);
    side_end(&b);
}

/* Records of 0, 1, 63, 64 and 300 B in a ring of 4,096 B, begun at each place of it: the end of any number of
 * them is found across the edge, also where a size field lies on it. */
Test(link_send_line, ends_of_records_across_the_edge)
{
    static const size_t sizes[] = {0, 1, 63, 64, 300, 0, 64, 2};
    uint8_t framed[600];
    uint64_t ends[8];
    size_t n = 0;
    struct side a, b;

    side_pair(&a, &b, 3);
    for (unsigned i = 0; i < 8; i++) {
        n += pl_varint_encode(framed + n, sizes[i]);
        memset(framed + n, (int)i, sizes[i]);
        n += sizes[i];
        ends[i] = n;
    }
    for (uint64_t begin = 3500; begin < 4200; begin++) {
        struct pl_line line = {0};
        pl_line_reset(&line, &a.env.memory, begin);
        cr_assert_eq(pl_line_put(&line, &a.env.memory, (struct pl_bytes){framed, n - 1}, MOST), n - 1);
        cr_assert_eq(line.room, 4096);
        cr_assert_eq(pl_line_records_end(&line, begin, 0), begin);
        for (unsigned i = 0; i < 7; i++) {
            cr_assert_eq(pl_line_records_end(&line, begin, i + 1), begin + ends[i], "%u from %u", i,
                         (unsigned)begin);
            cr_assert_eq(pl_line_records_end(&line, begin + ends[i], 1), i == 6 ? 0 : begin + ends[i + 1]);
        }
        cr_assert_eq(pl_line_records_end(&line, begin, 8), 0, "the last one is not whole");
        cr_assert_eq(pl_line_records_end(&line, begin, UINT64_MAX), 0);
        pl_line_reset(&line, &a.env.memory, 0);
    }
    side_end(&a);
    side_end(&b);
}
