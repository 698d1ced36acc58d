/* Rows of receiving streams: what a log row does to one, what must be refused, the stored form. */
#include <criterion/criterion.h>
#include <string.h>

#include "store/chunk.h"
#include "store/row.h"

static const struct pl_stream_part birth_part = {1, 0, 77, {(const uint8_t *)"log", 3}};

/* A log row of `count` records with `n` bytes. */
static struct pl_log_row records(uint32_t life, uint64_t number, uint64_t offset, uint32_t count, size_t n)
{
    return (struct pl_log_row){.link = 3,
                               .stream = 4,
                               .life = life,
                               .count = count,
                               .first_number = number,
                               .first_offset = offset,
                               .bytes = {(const uint8_t *)"", n}};
}

static struct pl_log_row begins(struct pl_log_row row, uint64_t first, uint32_t before)
{
    row.begins_life = true;
    row.begin = birth_part;
    row.begin.first_number = first;
    row.begin.life_before = before;
    return row;
}

static struct pl_log_row gap(uint32_t life, uint64_t upto, uint64_t offset)
{
    return (struct pl_log_row){.link = 3,
                               .stream = 4,
                               .life = life,
                               .gap = true,
                               .first_number = upto,
                               .first_offset = offset,
                               .lost_from = 1,
                               .lost_to = upto};
}

/* Ten records in life 5: heard 10, offset 100. */
static void make(struct pl_row *row)
{
    struct pl_log_row first = begins(records(5, 1, 0, 10, 100), 1, 0);

    pl_row_begin(row, &first);
    cr_assert_eq(pl_row_apply(row, &first, 0, PL_APPLY_EXACT, NULL), PL_OK);
}

Test(store_row, follows_or_is_refused)
{
    struct pl_row row;
    struct pl_row before;
    const struct {
        const char *what;
        struct pl_log_row by;
        enum pl_error exact, damaged;
    } cases[] = {
        {"the next", records(5, 11, 100, 2, 20), PL_OK, PL_OK},
        {"a repeat", records(5, 10, 90, 1, 10), PL_E_INTERNAL, PL_E_INTERNAL},
        {"a jump", records(5, 13, 130, 1, 10), PL_E_INTERNAL, PL_OK},
        {"another offset", records(5, 11, 101, 1, 10), PL_E_INTERNAL, PL_OK},
        {"an unknown life", records(6, 11, 0, 1, 10), PL_E_INTERNAL, PL_OK},
        {"a new life", begins(records(6, 11, 0, 1, 10), 11, 5), PL_OK, PL_OK},
        {"of another chain", begins(records(6, 11, 0, 1, 10), 11, 4), PL_E_INTERNAL, PL_OK},
        {"that began earlier", begins(records(6, 11, 0, 1, 10), 9, 5), PL_E_INTERNAL, PL_OK},
        {"not from its start", begins(records(6, 11, 5, 1, 10), 11, 5), PL_E_INTERNAL, PL_OK},
        {"a gap", gap(5, 20, 300), PL_OK, PL_OK},
        {"a gap that says nothing", gap(5, 10, 300), PL_E_INTERNAL, PL_E_INTERNAL},
        {"a gap in a new life", begins(gap(6, 20, 9), 15, 99), PL_OK, PL_OK},
        {"a gap before its life", begins(gap(6, 20, 9), 21, 99), PL_E_INTERNAL, PL_OK},
        {"a gap in an unknown life", gap(6, 20, 9), PL_E_INTERNAL, PL_OK},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pl_text reason = {""};
        make(&row);
        before = row;
        cr_expect_eq(pl_row_apply(&row, &cases[i].by, 10, PL_APPLY_EXACT, &reason), cases[i].exact, "%s",
                     cases[i].what);
        cr_expect(cases[i].exact == PL_OK || memcmp(&row, &before, sizeof row) == 0, "%s", cases[i].what);
        cr_expect_eq(reason.s[0] != 0, cases[i].exact != PL_OK, "%s", cases[i].what);
        make(&row);
        cr_expect_eq(pl_row_apply(&row, &cases[i].by, 10, PL_APPLY_DAMAGED, NULL), cases[i].damaged,
                     "%s, damaged", cases[i].what);
    }
}

Test(store_row, another_birth_is_refused)
{
    struct pl_log_row by = begins(records(6, 11, 0, 1, 10), 11, 5);
    struct pl_row row;

    make(&row);
    by.begin.birth = 78;
    cr_expect_eq(pl_row_apply(&row, &by, 10, PL_APPLY_EXACT, NULL), PL_E_INTERNAL);
    cr_expect_eq(pl_row_apply(&row, &by, 10, PL_APPLY_DAMAGED, NULL), PL_E_INTERNAL);
}

Test(store_row, counts)
{
    struct pl_log_row steps[] = {records(5, 11, 100, 2, 20), gap(5, 20, 300), records(5, 21, 300, 1, 7)};
    struct pl_log_row jump = records(5, 31, 400, 1, 1);
    struct pl_row row;

    make(&row);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(pl_row_apply(&row, &steps[i], 10 + 3 * i, PL_APPLY_EXACT, NULL), PL_OK);
    }
    cr_expect_eq(row.heard, 21);
    cr_expect_eq(row.offset, 307);
    cr_expect_eq(row.records, 13);
    cr_expect_eq(row.bytes, 127);
    cr_expect_eq(row.lost, 8);
    cr_expect_eq(row.position, 17);
    cr_assert_eq(pl_row_apply(&row, &steps[2], 16, PL_APPLY_EXACT, NULL), PL_OK);
    cr_expect_eq(row.heard, 21, "a log row known already changes nothing");
    cr_assert_eq(pl_row_apply(&row, &jump, 17, PL_APPLY_DAMAGED, NULL), PL_OK);
    cr_expect_eq(row.lost, 17);
    cr_expect_eq(row.heard, 31);
}

Test(store_row, sixteen_lives_are_remembered)
{
    struct pl_row row;

    make(&row);
    for (uint32_t life = 6; life < 40; life++) {
        struct pl_log_row by = begins(records(life, row.heard + 1, 0, 2, 9), row.heard + 1, life - 1);
        cr_assert_eq(pl_row_apply(&row, &by, row.position, PL_APPLY_EXACT, NULL), PL_OK);
        cr_assert_eq(pl_row_life(&row), life);
    }
    cr_assert_eq(row.lives_n, PL_LIVES_REMEMBERED);
    cr_expect_null(pl_row_find_life(&row, 39 - PL_LIVES_REMEMBERED));
    for (uint32_t life = 40 - PL_LIVES_REMEMBERED; life < 40; life++) {
        const struct pl_life_span *span = pl_row_find_life(&row, life);
        cr_assert_not_null(span);
        cr_expect_eq(span->last, span->first + 1);
        cr_expect_eq(span->end_offset, 9);
    }
}

Test(store_row, stored_form)
{
    uint8_t stored[PL_ROW_STORED_MAX];
    struct pl_row row, back;
    size_t n;

    make(&row);
    row.lost = 9;
    n = pl_row_encode(stored, &row);
    cr_assert_eq(pl_row_decode((struct pl_bytes){stored, n}, 3, 4, &back), PL_OK);
    cr_expect_eq(memcmp(&row, &back, sizeof row), 0);
    cr_expect_eq(pl_row_decode((struct pl_bytes){stored, n}, 3, 5, &back), PL_E_STORE_DAMAGED);
    cr_expect_eq(pl_row_decode((struct pl_bytes){stored, n}, 2, 4, &back), PL_E_STORE_DAMAGED);
    for (size_t cut = 0; cut < n; cut++) {
        cr_expect_eq(pl_row_decode((struct pl_bytes){stored, cut}, 3, 4, &back), PL_E_STORE_DAMAGED);
    }
    for (size_t bit = 0; bit < n * 8; bit++) {
        stored[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_expect_eq(pl_row_decode((struct pl_bytes){stored, n}, 3, 4, &back), PL_E_STORE_DAMAGED, "bit %zu",
                     bit);
        stored[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}
