/* Forks: the rest of the refused life and all later ones go again as one life of a new birth; nothing else
 * moves. */
#include <criterion/criterion.h>
#include <string.h>

#include "store_outbox_help.h"

static struct pl_text reason;

/* Three lives of ten records each: serials 1..30. tags are theirs. */
static struct pl_outbox *three_lives(const char *dir, uint32_t tags[3])
{
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    struct pl_sending_life lives[3];
    size_t n;

    for (int i = 0; i < 3; i++) {
        pl_outbox_new_life(box);
        help_give(box, help_line(box, "s"), 1 + 10 * (uint64_t)i, 10);
    }
    cr_assert_eq(pl_outbox_lives(box, 1, help_sending(box, 0).stream, lives, 3, &n), PL_OK);
    cr_assert_eq(n, 3);
    for (int i = 0; i < 3; i++) {
        tags[i] = lives[i].tag;
    }
    return box;
}

static enum pl_error fork_at(struct pl_outbox *box, uint32_t stream, uint32_t life, uint64_t last,
                             uint64_t wall_ms, uint32_t *stream_new)
{
    static uint32_t tag = 0xf0000000;

    tag++;
    return pl_outbox_forked(box, 1, stream, life, last, 0xb0b0 + tag, tag, wall_ms, stream_new, &reason);
}

/* The streams as they must be after a fork in the middle life: 1..10 held by the old birth, 13..30 by the
 * new. */
static void expect_middle(struct pl_outbox *box, uint32_t stream_new)
{
    struct pl_sending old = help_sending(box, 0), new = help_sending(box, 1);
    struct pl_sending_life lives[4];
    size_t n;

    cr_assert_eq(pl_outbox_streams(box), 2);
    cr_expect_eq(old.next.number, 11);
    cr_expect_eq(help_expect_held(box, &old, 1, BUF_ROOM), 10);
    cr_expect(!old.newest && !old.blocked);
    cr_expect_eq(new.stream, stream_new);
    cr_expect(new.newest &&new.blocked);
    cr_expect_neq(new.birth, old.birth);
    cr_expect_eq(new.next.number, 19);
    cr_expect_eq(help_expect_held(box, &new, 13, 50), 18);
    cr_expect_eq(new.freed.number, 1);
    cr_expect_eq(new.freed.life, 0);
    cr_assert_eq(pl_outbox_lives(box, 1, stream_new, lives, 4, &n), PL_OK);
    cr_assert_eq(n, 1, "one life");
    cr_expect_eq(lives[0].before, 0);
    cr_expect_eq(lives[0].first_number, 1);
    cr_expect_eq(lives[0].position, 0);
    cr_expect_eq(lives[0].last_number, 18);
    cr_expect_eq(new.newest_life, lives[0].tag);
    cr_assert_eq(pl_outbox_lives(box, 1, old.stream, lives, 4, &n), PL_OK);
    cr_expect_eq(n, 1);
}

Test(store_outbox_fork, in_the_middle)
{
    const char *dir = help_dir_begin();
    uint32_t tags[3], stream_new;
    struct pl_outbox *box = three_lives(dir, tags);
    struct pl_sending old = help_sending(box, 0), new;

    cr_assert_eq(fork_at(box, old.stream, tags[1], 12, 5000000, &stream_new), PL_OK, "%s", reason.s);
    expect_middle(box, stream_new);
    pl_outbox_close(box);
    box = help_box_open(dir, 64 << 20);
    expect_middle(box, stream_new);
    /* What is given now goes to the new birth; it is free once the old one holds nothing. */
    help_give(box, help_line(box, "s"), 31, 5);
    cr_assert_eq(pl_outbox_stored(box, 1, old.stream, 10), PL_OK);
    cr_expect_not(help_sending(box, 1).blocked);
    cr_assert_eq(pl_outbox_trim(box, 1000, NULL, NULL), PL_OK);
    cr_assert_eq(pl_outbox_streams(box), 1, "an older birth that holds nothing is no more");
    new = help_sending(box, 0);
    cr_expect_eq(new.stream, stream_new);
    cr_expect_not(new.blocked);
    cr_expect_eq(help_expect_held(box, &new, 13, BUF_ROOM), 23);
    cr_assert_eq(pl_outbox_stored(box, 1, stream_new, 23), PL_OK);
    pl_outbox_close(box);
    box = help_box_open(dir, 64 << 20);
    new = help_sending(box, 0);
    cr_expect_eq(new.freed.number, 24);
    cr_expect_eq(new.next.number, 24);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_fork, wherever_it_falls)
{
    static const struct {
        int life;
        uint64_t last, stored;
        uint64_t old_held, new_serial, new_held;
    } cases[] = {
        {0, 0, 0, 0, 1, 30},    {0, 3, 0, 0, 4, 27},    {0, 10, 0, 0, 11, 20},   {1, 10, 0, 10, 11, 20},
        {1, 0, 0, 10, 11, 20},  {1, 20, 0, 10, 21, 10}, {2, 25, 0, 20, 26, 5},   {2, 20, 0, 20, 21, 10},
        {1, 12, 5, 5, 13, 18},  {1, 12, 10, 0, 13, 18}, {1, 12, 11, 0, 13, 18},  {1, 12, 15, 0, 16, 15},
        {2, 29, 10, 10, 30, 1}, {0, 3, 3, 0, 4, 27},    {1, 500, 0, 10, 21, 10},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *dir = help_dir_begin();
        uint32_t tags[3], stream_new;
        struct pl_outbox *box = three_lives(dir, tags);
        struct pl_sending old = help_sending(box, 0), new;
        if (cases[i].stored > 0) {
            cr_assert_eq(pl_outbox_stored(box, 1, old.stream, cases[i].stored), PL_OK);
        }
        cr_assert_eq(fork_at(box, old.stream, tags[cases[i].life], cases[i].last, 5000000, &stream_new),
                     PL_OK, "%s", reason.s);
        cr_assert_neq(stream_new, 0, "case %zu", i);
        for (int reopened = 0; reopened < 2; reopened++) {
            cr_assert_eq(pl_outbox_trim(box, 1000, NULL, NULL), PL_OK);
            cr_assert_eq(pl_outbox_streams(box), cases[i].old_held > 0 ? 2 : 1, "case %zu", i);
            if (cases[i].old_held > 0) {
                old = help_sending(box, 0);
                cr_assert_eq(help_expect_held(box, &old, cases[i].stored + 1, 90), cases[i].old_held,
                             "case %zu", i);
            }
            new = help_sending(box, pl_outbox_streams(box) - 1);
            cr_assert_eq(new.stream, stream_new);
            cr_assert_eq(help_expect_held(box, &new, cases[i].new_serial, 90), cases[i].new_held, "case %zu",
                         i);
            pl_outbox_close(box);
            box = help_box_open(dir, 64 << 20);
        }
        pl_outbox_close(box);
        help_dir_end();
    }
}

Test(store_outbox_fork, nothing_to_give_again)
{
    const char *dir = help_dir_begin();
    uint32_t tags[3], stream_new = 77;
    struct pl_outbox *box = three_lives(dir, tags);
    struct pl_sending old = help_sending(box, 0);

    cr_assert_eq(fork_at(box, old.stream, 0x12345678, 3, 5000000, &stream_new), PL_OK);
    cr_expect_eq(stream_new, 0, "a life not known");
    cr_assert_eq(fork_at(box, old.stream, tags[2], 30, 5000000, &stream_new), PL_OK);
    cr_expect_eq(stream_new, 0, "all of it stored");
    cr_assert_eq(pl_outbox_stored(box, 1, old.stream, 12), PL_OK);
    cr_assert_eq(fork_at(box, old.stream, tags[0], 3, 5000000, &stream_new), PL_OK);
    cr_expect_eq(stream_new, 0, "a life of which nothing is held");
    cr_expect_eq(pl_outbox_streams(box), 1);
    old = help_sending(box, 0);
    cr_expect_eq(old.forked_ms, 0);
    cr_expect_eq(fork_at(box, 99, tags[0], 3, 5000000, &stream_new), PL_E_NOT_FOUND);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_fork, again_only_after_an_hour)
{
    const char *dir = help_dir_begin();
    uint32_t tags[3], first, second;
    struct pl_outbox *box = three_lives(dir, tags);
    struct pl_sending old = help_sending(box, 0), new;
    uint64_t hour_ms = 3600000;
    struct pl_sending_life lives[2];
    size_t n;

    cr_assert_eq(fork_at(box, old.stream, tags[1], 12, 2 * hour_ms, &first), PL_OK);
    cr_assert_eq(pl_outbox_lives(box, 1, first, lives, 2, &n), PL_OK);
    cr_expect_eq(fork_at(box, first, lives[0].tag, 5, 3 * hour_ms - 1, &second), PL_E_AGAIN);
    cr_expect_not_null(strstr(reason.s, "hour"), "%s", reason.s);
    cr_expect_eq(second, 0);
    expect_middle(box, first);
    cr_assert_eq(fork_at(box, first, lives[0].tag, 5, 3 * hour_ms, &second), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_outbox_streams(box), 2, "the first holds nothing of its own any more");
    new = help_sending(box, 1);
    cr_expect_eq(new.stream, second);
    cr_expect_eq(help_expect_held(box, &new, 18, BUF_ROOM), 13);
    /* The oldest is forked while a newer one waits: the rest stands between them. */
    cr_assert_eq(fork_at(box, old.stream, tags[0], 4, 9 * hour_ms, &first), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_outbox_streams(box), 2);
    new = help_sending(box, 0);
    cr_expect_eq(new.stream, first);
    cr_expect_not(new.newest || new.blocked);
    cr_expect_eq(help_expect_held(box, &new, 5, BUF_ROOM), 6);
    new = help_sending(box, 1);
    cr_expect(new.newest &&new.blocked);
    cr_expect_eq(new.stream, second);
    /* A clock set back does not hold it up. */
    cr_assert_eq(pl_outbox_lives(box, 1, second, lives, 2, &n), PL_OK);
    cr_assert_eq(fork_at(box, second, lives[0].tag, 1, hour_ms, &first), PL_OK, "%s", reason.s);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_fork, misuse)
{
    const char *dir = help_dir_begin();
    uint32_t tags[3], stream_new;
    struct pl_outbox *box = three_lives(dir, tags);
    struct pl_sending old = help_sending(box, 0);

    cr_expect_eq(pl_outbox_forked(box, 1, old.stream, tags[1], 12, 1, 0, 1, &stream_new, &reason),
                 PL_E_USAGE);
    cr_expect_eq(pl_outbox_forked(box, 1, old.stream, tags[1], 12, 1, tags[0], 1, &stream_new, &reason),
                 PL_E_EXISTS);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_expect_eq(fork_at(box, old.stream, tags[1], 12, 1, &stream_new), PL_E_USAGE);
    pl_outbox_abort(box);
    pl_outbox_close(box);
    help_dir_end();
}
