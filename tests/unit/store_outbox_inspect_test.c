/* An outbox seen from outside, beside the sender. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "store/inspect.h"
#include "store_outbox_help.h"

struct seen {
    struct pl_outbox_status streams[8];
    size_t n, stop_at;
};

static bool note(void *ctx, const struct pl_outbox_status *stream)
{
    struct seen *seen = ctx;

    seen->streams[seen->n++] = *stream;
    return seen->n != seen->stop_at;
}

Test(store_outbox_inspect, totals_and_streams)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    struct pl_outbox_totals totals;
    struct seen seen = {0};
    struct pl_sending sending;
    struct pl_text reason;
    uint32_t stream_new;

    help_give(box, help_line(box, "a"), 1, 20);
    help_give(box, help_line(box, "b"), 1, 30);
    pl_outbox_new_life(box);
    help_give(box, help_line(box, "b"), 31, 5);
    sending = help_sending(box, 1);
    cr_assert_eq(pl_outbox_forked(box, 1, sending.stream, sending.newest_life, 32, 9, 10, 777777, &stream_new,
                                  &reason),
                 PL_OK, "%s", reason.s);
    cr_assert_eq(pl_outbox_stored(box, 1, help_sending(box, 0).stream, 7), PL_OK);
    cr_assert_eq(pl_outbox_trim(box, 100, NULL, NULL), PL_OK);
    cr_assert_eq(pl_outbox_inspect(dir, &totals, note, &seen, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(seen.n, 3);
    cr_expect_eq(totals.held_records, 13 + 30 + 3);
    cr_expect_eq(totals.owner_pid, (uint64_t)getpid());
    cr_expect_eq(totals.map_bytes, 64 << 20);
    cr_expect_eq(seen.streams[0].next_number, 21);
    cr_expect_eq(seen.streams[0].freed_number, 7);
    cr_expect_eq(seen.streams[0].held_records, 13);
    cr_expect_eq(seen.streams[0].lives, 1);
    cr_expect_eq(seen.streams[0].name_size, 1);
    cr_expect_eq(seen.streams[1].held_records, 30);
    cr_expect_not(seen.streams[1].blocked);
    cr_expect_eq(seen.streams[2].held_records, 3);
    cr_expect_eq(seen.streams[2].birth, 9);
    cr_expect_eq(seen.streams[2].forked_ms, 777777);
    cr_expect(seen.streams[2].blocked);
    cr_expect_eq(totals.held_bytes,
                 seen.streams[0].held_bytes + seen.streams[1].held_bytes + seen.streams[2].held_bytes);
    seen = (struct seen){.stop_at = 2};
    cr_assert_eq(pl_outbox_inspect(dir, &totals, note, &seen, &reason), PL_OK);
    cr_expect_eq(seen.n, 2);
    pl_outbox_close(box);
    cr_expect_eq(pl_outbox_inspect(help_path(dir, "no"), &totals, note, &seen, &reason), PL_E_NOT_FOUND);
    help_dir_end();
}

Test(store_outbox_inspect, a_store_is_no_outbox)
{
    const char *dir = help_dir_begin();
    struct pl_outbox_totals totals;
    struct pl_text reason;

    pl_store_close(help_store_open(dir));
    cr_expect_eq(pl_outbox_inspect(dir, &totals, NULL, NULL, &reason), PL_E_VERSION);
    cr_expect_not_null(strstr(reason.s, "purelink store"), "%s", reason.s);
    help_dir_end();
}
