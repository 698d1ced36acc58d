/* Freeing: what the peer stored goes with the next commit, what is dropped at once. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"
#include "store/inspect.h"
#include "store_outbox_help.h"

Test(store_outbox_free, stored_is_trimmed_and_stays_so)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    struct pl_sending sending;
    struct pl_held held;
    bool left = true;

    help_give(box, help_line(box, "s"), 1, 1000);
    sending = help_sending(box, 0);
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 333), PL_OK);
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 222), PL_OK);
    while (left) {
        cr_assert_eq(pl_outbox_trim(box, 3, &left, NULL), PL_OK);
    }
    sending = help_sending(box, 0);
    cr_assert_eq(sending.freed.number, 334);
    cr_assert_neq(sending.freed.life, 0);
    cr_assert_eq(help_expect_held(box, &sending, 334, BUF_ROOM), 667);
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, sending.freed.position - 1, help_buf, 100, &held),
                 PL_E_NOT_FOUND);
    /* More than was given counts as all of it; the place of the next record survives an empty outbox. */
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 5000), PL_OK);
    pl_outbox_close(box);
    box = help_box_open(dir, 64 << 20);
    sending = help_sending(box, 0);
    cr_assert_eq(sending.freed.number, 1001);
    cr_assert_eq(sending.next.number, 1001);
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, sending.next.position, help_buf, 100, &held),
                 PL_E_AGAIN);
    help_give(box, help_line(box, "s"), 1001, 5);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1001, BUF_ROOM), 5);
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 1003), PL_OK);
    /* Lazy: rides the next commit. */
    help_give(box, help_line(box, "s"), 1006, 1);
    sending = help_sending(box, 0);
    cr_assert_eq(sending.freed.number, 1004);
    cr_assert_eq(help_expect_held(box, &sending, 1004, BUF_ROOM), 3);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_free, drop_is_durable_and_counted)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    struct pl_sending sending;
    struct pl_outbox_totals totals;
    struct pl_text reason;
    uint64_t dropped;

    help_give(box, help_line(box, "s"), 1, 1000);
    sending = help_sending(box, 0);
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 100), PL_OK);
    cr_assert_eq(pl_outbox_drop(box, 1, sending.stream, 150, &dropped, &reason), PL_OK, "%s", reason.s);
    cr_expect_eq(dropped, 50);
    cr_assert_eq(pl_outbox_drop(box, 1, sending.stream, 120, &dropped, &reason), PL_OK);
    cr_expect_eq(dropped, 0);
    cr_expect_eq(pl_outbox_drop(box, 1, sending.stream, 1001, &dropped, &reason), PL_E_RANGE);
    cr_expect_eq(pl_outbox_drop(box, 1, sending.stream, UINT64_MAX, &dropped, &reason), PL_E_RANGE);
    cr_expect_eq(pl_outbox_drop(box, 1, 99, 1, &dropped, &reason), PL_E_NOT_FOUND);
    pl_outbox_close(box);
    box = help_box_open(dir, 64 << 20);
    sending = help_sending(box, 0);
    cr_expect_eq(sending.freed.number, 151);
    cr_expect_eq(help_expect_held(box, &sending, 151, BUF_ROOM), 850);
    cr_assert_eq(pl_outbox_inspect(dir, &totals, NULL, NULL, NULL), PL_OK);
    cr_expect_eq(totals.dropped_records, 50);
    cr_assert_eq(pl_outbox_drop(box, 1, sending.stream, 1000, &dropped, &reason), PL_OK);
    cr_expect_eq(dropped, 850);
    sending = help_sending(box, 0);
    cr_expect_eq(sending.freed.number, sending.next.number);
    cr_expect_eq(sending.freed.life, sending.newest_life);
    cr_expect_eq(sending.freed.offset, sending.next.offset);
    pl_outbox_close(box);
    help_dir_end();
}

/* The place a GAP states: life and offset where the last number freed ends, across lives, also after
 * reopening. */
Test(store_outbox_free, what_a_gap_says)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    struct pl_sending_life lives[10];
    size_t n;
    uint32_t stream;

    for (int life = 0; life < 10; life++) {
        pl_outbox_new_life(box);
        help_give(box, help_line(box, "s"), 1 + 7 * (uint64_t)life, 7);
    }
    stream = help_sending(box, 0).stream;
    cr_assert_eq(pl_outbox_lives(box, 1, stream, lives, 10, &n), PL_OK);
    cr_assert_eq(n, 10);
    for (uint64_t number = 1; number <= 70; number++) {
        struct pl_sending sending;
        size_t life = (size_t)(number - 1) / 7;
        cr_assert_eq(pl_outbox_stored(box, 1, stream, number), PL_OK);
        cr_assert_eq(pl_outbox_trim(box, 1000, NULL, NULL), PL_OK);
        if (number % 5 == 0) {
            pl_outbox_close(box);
            box = help_box_open(dir, 64 << 20);
        }
        sending = help_sending(box, 0);
        cr_assert_eq(sending.freed.number, number + 1);
        cr_assert_eq(sending.freed.life, lives[life].tag, "number %llu", (unsigned long long)number);
        cr_assert_eq(sending.freed.offset, sending.freed.position - lives[life].position);
        cr_assert_eq(sending.newest_life, lives[9].tag);
    }
    pl_outbox_close(box);
    help_dir_end();
}
