/* Reading: bytes from any position, numbers located, damage told and passed over. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"
#include "store/inspect.h"
#include "store_outbox_help.h"

Test(store_outbox_read, every_number_is_located)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    struct pl_sending sending;
    struct pl_held held;

    help_give(box, help_line(box, "s"), 1, 300);
    pl_outbox_new_life(box);
    help_give(box, help_line(box, "s"), 301, 300);
    sending = help_sending(box, 0);
    for (uint64_t number = 1; number <= 600; number++) {
        struct pl_outbox_place place;
        uint8_t record[5000];
        struct pl_bytes expected = help_record_of(number, record);
        cr_assert_eq(pl_outbox_locate(box, 1, sending.stream, number, &place), PL_OK);
        cr_assert_eq(pl_outbox_read(box, 1, sending.stream, place.position, help_buf, BUF_ROOM, &held),
                     PL_OK);
        cr_assert_eq(held.first_number, number);
        cr_assert_eq(held.life, place.life);
        cr_assert_eq(held.offset, place.offset);
        cr_assert_arr_eq(held.bytes.p + pl_varint_size(expected.n), expected.p, expected.n);
    }
    pl_outbox_close(box);
    help_dir_end();
}

/* Flips a bit in the row that holds the record with this text, in a copy of the outbox. */
static struct pl_outbox *damaged_box(const char *dir, const char *name, const char *const *texts, size_t n)
{
    const char *home = help_path(dir, "o");
    char copy[300];
    struct pl_outbox *box = help_box_open(home, 64 << 20);
    uint8_t record[1500];

    /* Rows of one record each, numbers 1..12, two lives of six. */
    for (int i = 1; i <= 12; i++) {
        if (i == 7) {
            pl_outbox_new_life(box);
        }
        memset(record, 'r', sizeof record);
        record[snprintf((char *)record, sizeof record, "record-%02d", i)] = 'r';
        cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
        cr_assert_eq(
            pl_outbox_put(box, help_line(box, "s"), (struct pl_bytes){record, sizeof record}, NULL, NULL),
            PL_OK);
        cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    }
    pl_outbox_close(box);
    snprintf(copy, sizeof copy, "%s/%s", dir, name);
    cr_assert(help_copy_dir(home, copy));
    for (size_t i = 0; i < n; i++) {
        cr_assert_gt(help_damage(copy, texts[i]), 0);
    }
    return help_box_open(copy, 64 << 20);
}

struct range {
    uint64_t first, last;
    bool lost;
};

static void expect_ranges(struct pl_outbox *box, uint64_t position, const struct range *ranges, size_t n)
{
    struct pl_held held;
    uint32_t stream = help_sending(box, 0).stream;

    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(pl_outbox_read(box, 1, stream, position, help_buf, BUF_ROOM, &held), PL_OK);
        cr_assert_eq(held.lost, ranges[i].lost, "range %zu", i);
        cr_assert_eq(held.first_number, ranges[i].first, "range %zu: %llu", i,
                     (unsigned long long)held.first_number);
        cr_assert_eq(held.last_number, ranges[i].last, "range %zu: %llu", i,
                     (unsigned long long)held.last_number);
        cr_assert_eq(held.bytes.n, held.lost ? 0 : held.next_position - held.position);
        position = held.next_position;
    }
    cr_assert_eq(pl_outbox_read(box, 1, stream, position, help_buf, BUF_ROOM, &held), PL_E_AGAIN);
}

Test(store_outbox_read, a_damaged_row_is_told_and_passed_over)
{
    const char *dir = help_dir_begin();
    const char *const texts[] = {"record-03", "record-04", "record-06", "record-07", "record-12"};
    const struct range ranges[] = {{1, 2, false}, {3, 4, true},   {5, 5, false}, {6, 6, true},
                                   {7, 7, true},  {8, 11, false}, {12, 12, true}};
    struct pl_outbox *box = damaged_box(dir, "a", texts, 5);
    struct pl_outbox_place place;
    struct pl_outbox_totals totals;
    struct pl_text reason;
    uint32_t stream = help_sending(box, 0).stream;
    uint64_t dropped;

    expect_ranges(box, 0, ranges, 7);
    cr_expect_eq(pl_outbox_locate(box, 1, stream, 4, &place), PL_E_STORE_DAMAGED);
    cr_expect_eq(pl_outbox_locate(box, 1, stream, 5, &place), PL_OK);
    cr_expect_eq(place.position, 4 * 1502);
    cr_expect_eq(pl_outbox_locate(box, 1, stream, 9, &place), PL_OK);
    cr_expect_eq(place.offset, 2 * 1502);
    /* What is freed goes, the damaged rows into a table of their own. */
    cr_assert_eq(pl_outbox_stored(box, 1, stream, 2), PL_OK);
    cr_assert_eq(pl_outbox_stored(box, 1, stream, 4), PL_OK);
    cr_assert_eq(pl_outbox_trim(box, 100, NULL, &reason), PL_OK, "%s", reason.s);
    expect_ranges(box, help_sending(box, 0).freed.position, ranges + 2, 5);
    cr_assert_eq(pl_outbox_inspect(help_path(dir, "a"), &totals, NULL, NULL, NULL), PL_OK);
    cr_expect_eq(totals.damaged_rows, 2);
    cr_assert_eq(pl_outbox_drop(box, 1, stream, 12, &dropped, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_outbox_inspect(help_path(dir, "a"), &totals, NULL, NULL, NULL), PL_OK);
    cr_expect_eq(totals.damaged_rows, 5);
    cr_expect_eq(totals.held_records, 0);
    help_give(box, help_line(box, "s"), 13, 1);
    cr_expect_eq(help_sending(box, 0).next.number, 14);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_read, all_damaged)
{
    const char *dir = help_dir_begin();
    const char *const texts[] = {"record-"};
    const struct range ranges[] = {{1, 6, true}, {7, 12, true}};
    struct pl_outbox *box = damaged_box(dir, "b", texts, 1);

    expect_ranges(box, 0, ranges, 2);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_read, one_of_ten_thousand)
{
    const char *dir = help_dir_begin();
    const char *home = help_path(dir, "o");
    struct pl_outbox *box = help_box_open(home, 64 << 20);
    char copy[300], text[40];
    uint64_t position = 0, lost = 0, read = 0;
    struct pl_held held;

    snprintf(copy, sizeof copy, "%s/c", dir);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    for (int i = 1; i <= 10000; i++) {
        int n = snprintf(text, sizeof text, "record number %d.", i);
        cr_assert_eq(pl_outbox_put(box, help_line(box, "s"), (struct pl_bytes){(uint8_t *)text, (size_t)n},
                                   NULL, NULL),
                     PL_OK);
    }
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    pl_outbox_close(box);
    cr_assert(help_copy_dir(home, copy));
    cr_assert_gt(help_damage(copy, "record number 5000."), 0);
    box = help_box_open(copy, 64 << 20);
    while (pl_outbox_read(box, 1, help_sending(box, 0).stream, position, help_buf, BUF_ROOM, &held) ==
           PL_OK) {
        lost += held.lost ? held.last_number - held.first_number + 1 : 0;
        read += held.ends;
        position = held.next_position;
    }
    cr_expect_eq(read + lost, 10000);
    cr_expect(lost > 0 && lost <= 8160 / 18, "a row at most: %llu", (unsigned long long)lost);
    pl_outbox_close(box);
    help_dir_end();
}
