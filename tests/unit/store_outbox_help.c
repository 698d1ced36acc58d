/* What the tests of the outbox share. */
#include "store_outbox_help.h"

#include <criterion/criterion.h>
#include <string.h>

#include "link/link_varint.h"

uint8_t help_buf[BUF_ROOM];
struct help_random help_seed = {7};

void help_draw_bytes(void *ctx, void *bytes, size_t n)
{
    uint8_t *p = bytes;

    for (size_t i = 0; i < n; i++) {
        p[i] = (uint8_t)help_draw(ctx, 256);
    }
}

struct pl_outbox *help_box_open(const char *dir, uint64_t map_bytes)
{
    static uint64_t owner = 1;
    struct pl_outbox_options options = {.map_bytes = map_bytes,
                                        .disk_floor_bytes = 1,
                                        .owner = owner++,
                                        .random = help_draw_bytes,
                                        .random_ctx = &help_seed};
    struct pl_outbox *box;
    struct pl_text reason;
    enum pl_error error = pl_outbox_open(dir, &options, &box, &reason);

    cr_assert_eq(error, PL_OK, "%d %s", (int)error, reason.s);
    cr_assert_eq(pl_outbox_load(box, 1, &reason), PL_OK, "%s", reason.s);
    return box;
}

uint32_t help_line(struct pl_outbox *box, const char *name)
{
    uint32_t line;

    cr_assert_eq(pl_outbox_line(box, 1, (struct pl_bytes){(const uint8_t *)name, strlen(name)}, &line, NULL),
                 PL_OK);
    return line;
}

struct pl_bytes help_record_of(uint64_t serial, uint8_t *out)
{
    size_t n = serial % 11 == 0 ? 0 : serial % 97 == 0 ? 5000 : 20 + serial % 50;

    memset(out, (int)(serial % 251), n);
    if (n >= 8) {
        memcpy(out, &serial, 8);
    }
    return (struct pl_bytes){out, n};
}

void help_give(struct pl_outbox *box, uint32_t line, uint64_t first_serial, size_t n)
{
    uint8_t record[5000];
    struct pl_text reason;

    cr_assert_eq(pl_outbox_begin(box, &reason), PL_OK, "%s", reason.s);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(pl_outbox_put(box, line, help_record_of(first_serial + i, record), NULL, &reason),
                     PL_OK);
    }
    cr_assert_eq(pl_outbox_commit(box, &reason), PL_OK, "%s", reason.s);
}

struct pl_sending help_sending(struct pl_outbox *box, size_t index)
{
    struct pl_sending sending;

    cr_assert_eq(pl_outbox_stream_at(box, index, &sending), PL_OK);
    return sending;
}

uint64_t help_expect_held(struct pl_outbox *box, const struct pl_sending *sending, uint64_t serial,
                          size_t room)
{
    static uint8_t all[BUF_ROOM * 2];
    uint8_t record[5000];
    struct pl_held held;
    uint64_t position = sending->freed.position;
    uint64_t number = sending->freed.number;
    uint64_t ended = 0, walked = 0;
    size_t n = 0, at = 0;

    while (pl_outbox_read(box, 1, sending->stream, position, help_buf, room, &held) == PL_OK) {
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
        struct pl_bytes expected = help_record_of(serial + walked++, record);
        cr_assert_eq(pl_varint_decode(all + at, n - at, &size, &used), PL_OK);
        cr_assert_eq(size, expected.n);
        cr_assert_arr_eq(all + at + used, expected.p, size);
        at += used + size;
    }
    cr_assert_eq(walked, ended);
    return ended;
}
