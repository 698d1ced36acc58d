/* Giving: all of a transaction or nothing, any size of record, any number of them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"
#include "store_outbox_help.h"

Test(store_outbox_put, abort_and_full_change_nothing)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 1 << 20);
    struct pl_sending sending;
    uint8_t record[5000];
    uint32_t line = help_line(box, "s");
    uint64_t serial = 1;
    enum pl_error error = PL_OK;
    struct pl_text reason;

    help_give(box, line, serial, 100);
    serial += 100;
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(pl_outbox_put(box, line, help_record_of(77, record), NULL, NULL), PL_OK);
    }
    cr_assert_eq(pl_outbox_set_input(box, (struct pl_bytes){(const uint8_t *)"in", 2},
                                     (struct pl_bytes){(const uint8_t *)"x", 1}, NULL),
                 PL_OK);
    pl_outbox_abort(box);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1, BUF_ROOM), 100);
    while (error == PL_OK) {
        error = pl_outbox_begin(box, &reason);
        for (int i = 0; i < 300 && error == PL_OK; i++) {
            error = pl_outbox_put(box, line, help_record_of(serial + (uint64_t)i, record), NULL, &reason);
        }
        error = error == PL_OK ? pl_outbox_commit(box, &reason) : error;
        serial += error == PL_OK ? 300 : 0;
    }
    cr_assert_eq(error, PL_E_STORE_FULL, "%s", reason.s);
    pl_outbox_abort(box);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1, BUF_ROOM), serial - 1);
    /* What is stored makes room again. */
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, serial - 1), PL_OK);
    cr_assert_eq(pl_outbox_trim(box, 10000, NULL, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_outbox_trim(box, 10000, NULL, &reason), PL_OK, "%s", reason.s);
    help_give(box, line, serial, 300);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, serial, BUF_ROOM), 300);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_put, input_position_is_committed_with_records)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 16 << 20);
    struct pl_bytes key = {(const uint8_t *)"/var/log/x", 10};
    uint8_t out[PL_INPUT_MAX];
    size_t n;

    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_E_NOT_FOUND);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_set_input(box, key, (struct pl_bytes){(const uint8_t *)"offset 1", 8}, NULL),
                 PL_OK);
    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_E_NOT_FOUND);
    cr_assert_eq(pl_outbox_set_input(box, key, (struct pl_bytes){help_buf, PL_INPUT_MAX + 1}, NULL),
                 PL_E_TOO_LARGE);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    pl_outbox_close(box);
    box = help_box_open(dir, 16 << 20);
    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_OK);
    cr_assert_eq(n, 8);
    cr_assert_arr_eq(out, "offset 1", 8);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_put, large_and_empty_records)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    uint8_t *large = malloc(PL_RECORD_MAX + 1);
    uint32_t line = help_line(box, "s");
    struct pl_sending sending;
    struct pl_held held;
    uint64_t number;

    memset(large, 0x5a, PL_RECORD_MAX + 1);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_put(box, line, (struct pl_bytes){NULL, 0}, &number, NULL), PL_OK);
    cr_assert_eq(number, 1);
    cr_assert_eq(pl_outbox_put(box, line, (struct pl_bytes){large, PL_RECORD_MAX}, &number, NULL), PL_OK);
    cr_assert_eq(number, 2);
    cr_assert_eq(pl_outbox_put(box, line, (struct pl_bytes){large, PL_RECORD_MAX + 1}, NULL, NULL),
                 PL_E_TOO_LARGE);
    cr_assert_eq(pl_outbox_put(box, line, (struct pl_bytes){NULL, 0}, &number, NULL), PL_OK);
    cr_assert_eq(number, 3);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    sending = help_sending(box, 0);
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, 0, help_buf, BUF_ROOM, &held), PL_OK);
    cr_assert_eq(held.bytes.n, 1 + 4 + PL_RECORD_MAX + 1);
    cr_assert_eq(held.ends, 3);
    cr_assert_arr_eq(held.bytes.p + 5, large, PL_RECORD_MAX);
    /* In the middle of the large one. */
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, 500000, help_buf, 1000, &held), PL_OK);
    cr_assert_eq(held.first_number, 2);
    cr_assert_eq(held.last_number, 2);
    cr_assert_eq(held.ends, 0);
    cr_assert_eq(held.bytes.n, 1000);
    pl_outbox_close(box);
    free(large);
    help_dir_end();
}

Test(store_outbox_put, a_hundred_thousand_in_one_transaction)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 256 << 20);
    struct pl_bytes *records = calloc(100000, sizeof *records);
    struct pl_sending sending;
    size_t taken;

    for (size_t i = 0; i < 100000; i++) {
        records[i] = (struct pl_bytes){(const uint8_t *)"0123456789abcdef0123456789abcdef0123456789", i % 43};
    }
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_put_many(box, help_line(box, "s"), records, 100000, &taken, NULL), PL_OK);
    cr_assert_eq(taken, 100000);
    cr_assert_eq(pl_outbox_streams(box), 0);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    sending = help_sending(box, 0);
    cr_assert_eq(sending.next.number, 100001);
    pl_outbox_close(box);
    free(records);
    help_dir_end();
}
