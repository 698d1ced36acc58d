/* The outbox as a whole: what was given is there after reopening, numbered, framed, in its lives; forks move
 * what they must and nothing else.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link/link_varint.h"
#include "store/inspect.h"
#include "store/outbox.h"
#include "store_help.h"

enum { BUF_ROOM = 1 << 21 };
static uint8_t buf[BUF_ROOM];
static struct help_random seed = {7};

static void draw_bytes(void *ctx, void *bytes, size_t n)
{
    uint8_t *p = bytes;

    for (size_t i = 0; i < n; i++) {
        p[i] = (uint8_t)help_draw(ctx, 256);
    }
}

static struct pl_outbox *box_open(const char *dir, uint64_t map_bytes)
{
    static uint64_t owner = 1;
    struct pl_outbox_options options = {.map_bytes = map_bytes,
                                        .disk_floor_bytes = 1,
                                        .owner = owner++,
                                        .random = draw_bytes,
                                        .random_ctx = &seed};
    struct pl_outbox *box;
    struct pl_text reason;
    enum pl_error error = pl_outbox_open(dir, &options, &box, &reason);

    cr_assert_eq(error, PL_OK, "%d %s", (int)error, reason.s);
    cr_assert_eq(pl_outbox_load(box, 1, &reason), PL_OK, "%s", reason.s);
    return box;
}

static uint32_t box_line(struct pl_outbox *box, const char *name)
{
    uint32_t line;

    cr_assert_eq(pl_outbox_line(box, 1, (struct pl_bytes){(const uint8_t *)name, strlen(name)}, &line, NULL),
                 PL_OK);
    return line;
}

/* Record `serial`: its size and bytes follow from it. */
static struct pl_bytes record_of(uint64_t serial, uint8_t *out)
{
    size_t n = serial % 11 == 0 ? 0 : serial % 97 == 0 ? 5000 : 20 + serial % 50;

    memset(out, (int)(serial % 251), n);
    if (n >= 8) {
        memcpy(out, &serial, 8);
    }
    return (struct pl_bytes){out, n};
}

static void give(struct pl_outbox *box, uint32_t line, uint64_t first_serial, size_t n)
{
    uint8_t record[5000];
    struct pl_text reason;

    cr_assert_eq(pl_outbox_begin(box, &reason), PL_OK, "%s", reason.s);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(pl_outbox_put(box, line, record_of(first_serial + i, record), NULL, &reason), PL_OK);
    }
    cr_assert_eq(pl_outbox_commit(box, &reason), PL_OK, "%s", reason.s);
}

static struct pl_sending sending_of(struct pl_outbox *box, size_t index)
{
    struct pl_sending sending;

    cr_assert_eq(pl_outbox_stream_at(box, index, &sending), PL_OK);
    return sending;
}

/* Reads everything held of a stream in pieces of at most `room` and compares it with records serial, serial +
 * 1 ... Numbers, offsets and lives must fit. Returns the number of records read. */
static uint64_t expect_held(struct pl_outbox *box, const struct pl_sending *sending, uint64_t serial,
                            size_t room)
{
    static uint8_t all[BUF_ROOM * 2];
    uint8_t record[5000];
    struct pl_held held;
    uint64_t position = sending->freed.position;
    uint64_t number = sending->freed.number;
    uint64_t ended = 0, walked = 0;
    size_t n = 0, at = 0;

    while (pl_outbox_read(box, 1, sending->stream, position, buf, room, &held) == PL_OK) {
        cr_assert(!held.lost);
        cr_assert_eq(held.position, position);
        cr_assert_eq(held.first_number, number + ended);
        cr_assert_eq(held.next_position, position + held.bytes.n);
        memcpy(all + n, held.bytes.p, held.bytes.n);
        n += held.bytes.n;
        ended += held.ends;
        position = held.next_position;
    }
    cr_assert_eq(position, sending->next.position);
    cr_assert_eq(number + ended, sending->next.number);
    while (at < n) {
        uint64_t size = 0;
        size_t used = 0;
        struct pl_bytes expected = record_of(serial + walked++, record);
        cr_assert_eq(pl_varint_decode(all + at, n - at, &size, &used), PL_OK);
        cr_assert_eq(size, expected.n);
        cr_assert_arr_eq(all + at + used, expected.p, size);
        at += used + size;
    }
    cr_assert_eq(walked, ended);
    return ended;
}

Test(store_outbox, given_is_held_after_reopening)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = box_open(dir, 64 << 20);
    struct pl_sending_life lives[8];
    struct pl_sending sending;
    size_t n;

    give(box, box_line(box, "one"), 1, 500);
    give(box, box_line(box, "one"), 501, 1);
    give(box, box_line(box, "two"), 9000, 40);
    pl_outbox_close(box);
    box = box_open(dir, 64 << 20);
    cr_assert_eq(pl_outbox_streams(box), 2);
    sending = sending_of(box, 0);
    cr_assert_eq(sending.next.number, 502);
    cr_assert(sending.newest && !sending.blocked);
    cr_assert_eq(expect_held(box, &sending, 1, BUF_ROOM), 501);
    cr_assert_eq(expect_held(box, &sending, 1, 700), 501);
    cr_assert_eq(expect_held(box, &sending, 1, 3), 501);
    give(box, box_line(box, "one"), 502, 10);
    sending = sending_of(box, 0);
    cr_assert_eq(expect_held(box, &sending, 1, 4096), 511);
    cr_assert_eq(pl_outbox_lives(box, 1, sending.stream, lives, 8, &n), PL_OK);
    cr_assert_eq(n, 2);
    cr_assert_eq(lives[0].before, 0);
    cr_assert_eq(lives[1].before, lives[0].tag);
    cr_assert_eq(lives[0].last_number, 501);
    cr_assert_eq(lives[1].first_number, 502);
    cr_assert_eq(lives[1].last_number, 511);
    cr_assert_eq(lives[1].position, lives[0].end_position);
    cr_assert_eq(sending.newest_life, lives[1].tag);
    pl_outbox_new_life(box);
    give(box, box_line(box, "one"), 512, 1);
    cr_assert_eq(pl_outbox_lives(box, 1, sending.stream, lives, 8, &n), PL_OK);
    cr_assert_eq(n, 3);
    sending = sending_of(box, 1);
    cr_assert_eq(expect_held(box, &sending, 9000, BUF_ROOM), 40);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox, every_number_is_located)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = box_open(dir, 64 << 20);
    struct pl_sending sending;
    struct pl_held held;

    give(box, box_line(box, "s"), 1, 300);
    pl_outbox_new_life(box);
    give(box, box_line(box, "s"), 301, 300);
    sending = sending_of(box, 0);
    for (uint64_t number = 1; number <= 600; number++) {
        struct pl_outbox_place place;
        uint8_t record[5000];
        struct pl_bytes expected = record_of(number, record);
        cr_assert_eq(pl_outbox_locate(box, 1, sending.stream, number, &place), PL_OK);
        cr_assert_eq(pl_outbox_read(box, 1, sending.stream, place.position, buf, BUF_ROOM, &held), PL_OK);
        cr_assert_eq(held.first_number, number);
        cr_assert_eq(held.life, place.life);
        cr_assert_eq(held.offset, place.offset);
        cr_assert_arr_eq(held.bytes.p + pl_varint_size(expected.n), expected.p, expected.n);
    }
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox, stored_is_trimmed_and_stays_so)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = box_open(dir, 64 << 20);
    struct pl_sending sending;
    struct pl_held held;
    bool left = true;

    give(box, box_line(box, "s"), 1, 1000);
    sending = sending_of(box, 0);
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 333), PL_OK);
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 222), PL_OK);
    while (left) {
        cr_assert_eq(pl_outbox_trim(box, 3, &left, NULL), PL_OK);
    }
    sending = sending_of(box, 0);
    cr_assert_eq(sending.freed.number, 334);
    cr_assert_neq(sending.freed.life, 0);
    cr_assert_eq(expect_held(box, &sending, 334, BUF_ROOM), 667);
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, sending.freed.position - 1, buf, 100, &held),
                 PL_E_NOT_FOUND);
    /* More than was given counts as all of it; the place of the next record survives an empty outbox. */
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 5000), PL_OK);
    pl_outbox_close(box);
    box = box_open(dir, 64 << 20);
    sending = sending_of(box, 0);
    cr_assert_eq(sending.freed.number, 1001);
    cr_assert_eq(sending.next.number, 1001);
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, sending.next.position, buf, 100, &held), PL_E_AGAIN);
    give(box, box_line(box, "s"), 1001, 5);
    sending = sending_of(box, 0);
    cr_assert_eq(expect_held(box, &sending, 1001, BUF_ROOM), 5);
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, 1003), PL_OK);
    /* Lazy: rides the next commit. */
    give(box, box_line(box, "s"), 1006, 1);
    sending = sending_of(box, 0);
    cr_assert_eq(sending.freed.number, 1004);
    cr_assert_eq(expect_held(box, &sending, 1004, BUF_ROOM), 3);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox, abort_and_full_change_nothing)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = box_open(dir, 1 << 20);
    struct pl_sending sending;
    uint8_t record[5000];
    uint32_t line = box_line(box, "s");
    uint64_t serial = 1;
    enum pl_error error = PL_OK;
    struct pl_text reason;

    give(box, line, serial, 100);
    serial += 100;
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(pl_outbox_put(box, line, record_of(77, record), NULL, NULL), PL_OK);
    }
    cr_assert_eq(pl_outbox_set_input(box, (struct pl_bytes){(const uint8_t *)"in", 2},
                                     (struct pl_bytes){(const uint8_t *)"x", 1}, NULL),
                 PL_OK);
    pl_outbox_abort(box);
    sending = sending_of(box, 0);
    cr_assert_eq(expect_held(box, &sending, 1, BUF_ROOM), 100);
    while (error == PL_OK) {
        error = pl_outbox_begin(box, &reason);
        for (int i = 0; i < 300 && error == PL_OK; i++) {
            error = pl_outbox_put(box, line, record_of(serial + (uint64_t)i, record), NULL, &reason);
        }
        error = error == PL_OK ? pl_outbox_commit(box, &reason) : error;
        serial += error == PL_OK ? 300 : 0;
    }
    cr_assert_eq(error, PL_E_STORE_FULL, "%s", reason.s);
    pl_outbox_abort(box);
    sending = sending_of(box, 0);
    cr_assert_eq(expect_held(box, &sending, 1, BUF_ROOM), serial - 1);
    /* What is stored makes room again. */
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, serial - 1), PL_OK);
    cr_assert_eq(pl_outbox_trim(box, 10000, NULL, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_outbox_trim(box, 10000, NULL, &reason), PL_OK, "%s", reason.s);
    give(box, line, serial, 300);
    sending = sending_of(box, 0);
    cr_assert_eq(expect_held(box, &sending, serial, BUF_ROOM), 300);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox, input_position_is_committed_with_records)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = box_open(dir, 16 << 20);
    struct pl_bytes key = {(const uint8_t *)"/var/log/x", 10};
    uint8_t out[PL_INPUT_MAX];
    size_t n;

    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_E_NOT_FOUND);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_set_input(box, key, (struct pl_bytes){(const uint8_t *)"offset 1", 8}, NULL),
                 PL_OK);
    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_E_NOT_FOUND);
    cr_assert_eq(pl_outbox_set_input(box, key, (struct pl_bytes){buf, PL_INPUT_MAX + 1}, NULL),
                 PL_E_TOO_LARGE);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    pl_outbox_close(box);
    box = box_open(dir, 16 << 20);
    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_OK);
    cr_assert_eq(n, 8);
    cr_assert_arr_eq(out, "offset 1", 8);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox, large_and_empty_records)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = box_open(dir, 64 << 20);
    uint8_t *large = malloc(PL_RECORD_MAX + 1);
    uint32_t line = box_line(box, "s");
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
    sending = sending_of(box, 0);
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, 0, buf, BUF_ROOM, &held), PL_OK);
    cr_assert_eq(held.bytes.n, 1 + 4 + PL_RECORD_MAX + 1);
    cr_assert_eq(held.ends, 3);
    cr_assert_arr_eq(held.bytes.p + 5, large, PL_RECORD_MAX);
    /* In the middle of the large one. */
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, 500000, buf, 1000, &held), PL_OK);
    cr_assert_eq(held.first_number, 2);
    cr_assert_eq(held.last_number, 2);
    cr_assert_eq(held.ends, 0);
    cr_assert_eq(held.bytes.n, 1000);
    pl_outbox_close(box);
    free(large);
    help_dir_end();
}

Test(store_outbox, a_hundred_thousand_in_one_transaction)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = box_open(dir, 256 << 20);
    struct pl_bytes *records = calloc(100000, sizeof *records);
    struct pl_sending sending;
    size_t taken;

    for (size_t i = 0; i < 100000; i++) {
        records[i] = (struct pl_bytes){(const uint8_t *)"0123456789abcdef0123456789abcdef0123456789", i % 43};
    }
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_put_many(box, box_line(box, "s"), records, 100000, &taken, NULL), PL_OK);
    cr_assert_eq(taken, 100000);
    cr_assert_eq(pl_outbox_streams(box), 0);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    sending = sending_of(box, 0);
    cr_assert_eq(sending.next.number, 100001);
    pl_outbox_close(box);
    free(records);
    help_dir_end();
}

Test(store_outbox, refuses_what_it_must)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = box_open(dir, 16 << 20);
    struct pl_outbox_options options = {
        .map_bytes = 1 << 20, .owner = 5, .random = draw_bytes, .random_ctx = &seed};
    struct pl_outbox *second;
    struct pl_text reason;
    char name[16];
    uint32_t line;

    cr_assert_eq(pl_outbox_open(dir, &options, &second, &reason), PL_E_BUSY);
    cr_assert_eq(pl_outbox_put(box, box_line(box, "s"), (struct pl_bytes){0}, NULL, NULL), PL_E_USAGE);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_E_USAGE);
    cr_assert_eq(pl_outbox_line(box, 1, (struct pl_bytes){(const uint8_t *)"a\nb", 3}, &line, &reason),
                 PL_E_NAME);
    for (int i = 1; i < PL_STREAMS_MAX; i++) {
        snprintf(name, sizeof name, "n%d", i);
        box_line(box, name);
    }
    cr_assert_eq(pl_outbox_line(box, 1, (struct pl_bytes){(const uint8_t *)"more", 4}, &line, &reason),
                 PL_E_LIMIT);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_E_USAGE);
    cr_assert_eq(pl_outbox_put(box, 500, (struct pl_bytes){0}, NULL, NULL), PL_E_USAGE);
    pl_outbox_close(box);
    options.owner = 0;
    cr_assert_eq(pl_outbox_open(dir, &options, &second, &reason), PL_E_USAGE);
    help_dir_end();
}
