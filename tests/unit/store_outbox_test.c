/* The outbox as a whole: what was given is there after reopening; what must be refused is. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"
#include "store_outbox_help.h"

Test(store_outbox, given_is_held_after_reopening)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    struct pl_sending_life lives[8];
    struct pl_sending sending;
    size_t n;

    help_give(box, help_line(box, "one"), 1, 500);
    help_give(box, help_line(box, "one"), 501, 1);
    help_give(box, help_line(box, "two"), 9000, 40);
    pl_outbox_close(box);
    box = help_box_open(dir, 64 << 20);
    cr_assert_eq(pl_outbox_streams(box), 2);
    sending = help_sending(box, 0);
    cr_assert_eq(sending.next.number, 502);
    cr_assert(sending.newest && !sending.blocked);
    cr_assert_eq(help_expect_held(box, &sending, 1, BUF_ROOM), 501);
    cr_assert_eq(help_expect_held(box, &sending, 1, 700), 501);
    cr_assert_eq(help_expect_held(box, &sending, 1, 3), 501);
    help_give(box, help_line(box, "one"), 502, 10);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1, 4096), 511);
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
    help_give(box, help_line(box, "one"), 512, 1);
    cr_assert_eq(pl_outbox_lives(box, 1, sending.stream, lives, 8, &n), PL_OK);
    cr_assert_eq(n, 3);
    sending = help_sending(box, 1);
    cr_assert_eq(help_expect_held(box, &sending, 9000, BUF_ROOM), 40);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox, refuses_what_it_must)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 16 << 20);
    struct pl_outbox_options options = {
        .map_bytes = 1 << 20, .owner = 5, .random = help_draw_bytes, .random_ctx = &help_seed};
    struct pl_outbox *second;
    struct pl_text reason;
    char name[16];
    uint32_t line;

    cr_assert_eq(pl_outbox_open(dir, &options, &second, &reason), PL_E_BUSY);
    cr_assert_eq(pl_outbox_put(box, help_line(box, "s"), (struct pl_bytes){0}, NULL, NULL), PL_E_USAGE);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_E_USAGE);
    cr_assert_eq(pl_outbox_line(box, 1, (struct pl_bytes){(const uint8_t *)"a\nb", 3}, &line, &reason),
                 PL_E_NAME);
    for (int i = 1; i < PL_STREAMS_MAX; i++) {
        snprintf(name, sizeof name, "n%d", i);
        help_line(box, name);
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
