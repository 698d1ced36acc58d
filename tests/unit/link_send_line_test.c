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
        cr_assert_eq(pl_line_find(&line, 5, 5), begin);
        for (unsigned i = 0; i < 7; i++) {
            cr_assert_eq(pl_line_find(&line, 5, 6 + i), begin + ends[i], "%u from %u", i, (unsigned)begin);
        }
        cr_assert_eq(pl_line_find(&line, 5, 5 + 8), 0, "the last one is not whole");
        cr_assert_eq(pl_line_find(&line, 5, UINT64_MAX), 0);
        for (unsigned i = 0; i < 6; i++) {
            pl_line_free_to(&line, &a.env.memory, begin + ends[i]);
            cr_assert_eq(pl_line_find(&line, 6 + i, 7 + i), begin + ends[i + 1]);
        }
        pl_line_reset(&line, &a.env.memory, 0);
    }
    side_end(&a);
    side_end(&b);
}

enum { GIVEN = 20000 };

/* Record `number` of `ends` begins where the one before it ends. */
static void check_finds(const struct pl_line *line, const uint64_t *begins, uint64_t first, uint64_t next)
{
    static const uint64_t shares[] = {0, 1, 2, 7, 13, 99, 100};

    for (unsigned i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        uint64_t number = first + (next - first) * shares[i] / 100;
        cr_assert_eq(pl_line_find(line, first, number), begins[number], "%u of %u to %u", (unsigned)number,
                     (unsigned)first, (unsigned)next);
    }
    cr_assert_eq(pl_line_find(line, first, next + 1), 0);
}

/* Records come, each third time marked, and go; no place is found wrong, whatever was marked and forgotten.
 */
Test(link_send_line, marks_find_what_a_walk_finds)
{
    static uint64_t begins[GIVEN + 2];
    static uint8_t framed[MOST];
    struct side a, b;
    struct pl_line line = {0};
    uint64_t x = 9, first = 1, next = 1;
    unsigned marked = 0;

    side_pair(&a, &b, 4);
    pl_line_reset(&line, &a.env.memory, 77777);
    begins[1] = line.end;
    while (next <= GIVEN) {
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
        size_t size = (size_t)(x >> 40) % (x >> 60 == 3 ? 9000 : 200);
        size_t n = pl_varint_encode(framed, size) + size;
        if (n <= pl_line_room(&line, (size_t)16 * MOST)) {
            struct pl_bytes record = {framed, n};
            cr_assert_eq(pl_line_put(&line, &a.env.memory, record, (size_t)16 * MOST), n);
            begins[++next] = line.end;
            marked += line.marks_n;
            if (x % 3 == 0) {
                pl_line_mark(&line, &a.env.memory, next);
            }
        } else {
            uint64_t to = first + (x >> 33) % (next - first + 1);
            check_finds(&line, begins, first, next);
            pl_line_free_to(&line, &a.env.memory, begins[to]);
            first = to;
        }
    }
    cr_assert_gt(marked, GIVEN, "marks were made");
    pl_line_reset(&line, &a.env.memory, 0);
    side_end(&a);
    side_end(&b);
}

/* Without memory for marks nothing is marked and everything is found; they are given back with the line. */
Test(link_send_line, without_memory_for_marks)
{
    static uint8_t framed[MOST];
    struct side a, b;
    struct pl_line line = {0};

    side_pair(&a, &b, 5);
    struct pl_memory *m = &a.env.memory;
    size_t before = m->used_bytes;
    pl_line_reset(&line, m, 0);
    cr_assert_eq(pl_line_put(&line, m, (struct pl_bytes){framed, MOST}, MOST), MOST); /* empty records */
    a.fail_from = a.gets + 1;
    a.fail_n = 1;
    pl_line_mark(&line, m, 1 + MOST);
    cr_assert_eq(line.marks_n, 0);
    cr_assert_eq(pl_line_find(&line, 1, 1 + MOST), MOST);
    pl_line_mark(&line, m, 1 + MOST);
    cr_assert_eq(line.marks_n, 1);
    cr_assert_eq(pl_line_find(&line, 1, 1 + MOST), MOST);
    pl_line_free_to(&line, m, MOST);
    cr_assert_eq(m->used_bytes, before);
    side_end(&a);
    side_end(&b);
}
