/* Rows of receiving streams: from memory to the store and back, and what a bad one does. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/recv.h"
#include "link_puppet.h"

enum { LIFE_A = 0xa0a0a0a0, LIFE_B = 0xb0b0b0b0, BIRTH = 77 };

static bool row_of(const struct puppet *p, struct pl_stream_row *row, uint64_t *committed)
{
    return pl_link_row(p->end.link, 0, row, committed);
}

Test(link_recv_row, a_row_says_what_was_heard_and_where_to_go_on)
{
    struct puppet *p = puppet_new(1);
    struct pl_stream_row row;
    uint64_t committed = 9;

    puppet_open(p);
    cr_assert(!row_of(p, &row, &committed));
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 15); /* two and a half */
    puppet_send(p);
    cr_assert(row_of(p, &row, &committed));
    cr_assert(row.birth == BIRTH && row.heard == 2 && row.life == LIFE_A && row.offset == 12);
    cr_assert_eq(committed, 0);
    cr_assert(row.name.n == 4 && memcmp(row.name.p, "door", 4) == 0);
    cr_assert(row.lives_n == 1 && row.lives[0].first == 1 && row.lives[0].last == 2);
    cr_assert_eq(row.lives[0].end, 12);
    puppet_stream(p, LIFE_B, 3, LIFE_A, BIRTH, "door");
    puppet_sixes(p, LIFE_B, 0, 6);
    puppet_send(p);
    side_commit(&p->end, p->now_us);
    cr_assert(row_of(p, &row, &committed));
    cr_assert(row.heard == 3 && row.life == LIFE_B && row.offset == 6 && committed == 3 && row.lives_n == 2);
    cr_assert(!pl_link_row(p->end.link, 1, &row, &committed));
    puppet_end(p);
}

/* STREAM alone makes no row: there is nothing to commit. */
Test(link_recv_row, no_row_by_stream_alone)
{
    struct puppet *p = puppet_new(2);

    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_ask(p, LIFE_A);
    puppet_send(p);
    cr_assert(!side_commit(&p->end, p->now_us));
    cr_assert_eq(p->end.rows_n, 0);
    cr_assert(pl_link_settled(p->end.link));
    puppet_collect(p);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 0);
    puppet_end(p);
}

Test(link_recv_row, a_name_may_be_empty_and_255_bytes)
{
    char name[PL_NAME_MAX + 1];

    memset(name, 'n', PL_NAME_MAX);
    name[PL_NAME_MAX] = 0;
    for (unsigned empty = 0; empty < 2; empty++) {
        struct puppet *p = puppet_new(3 + empty);
        const char *text = empty ? "" : name;
        puppet_open(p);
        for (unsigned i = 0; i < 2; i++) {
            puppet_stream(p, LIFE_A, 1, 0, BIRTH, text);
            puppet_sixes(p, LIFE_A, 6 * i, 6);
            puppet_send(p);
            side_commit(&p->end, p->now_us);
            side_close(&p->end);
            puppet_open(p);
        }
        cr_assert_eq(p->end.delivered_n, 2);
        cr_assert_eq(p->end.rows[0].row.name.n, strlen(text));
        puppet_end(p);
    }
}

/* Local numbers of new streams never meet those of loaded ones. */
Test(link_recv_row, numbers_go_on_after_the_loaded_ones)
{
    struct puppet *p = puppet_new(5);
    struct pl_stream_row row;
    uint64_t committed = 0;

    puppet_open(p);
    struct pl_stream_row loaded = {.stream = 41,
                                   .birth = 9,
                                   .name = {(const uint8_t *)"old", 3},
                                   .heard = 5,
                                   .life = 0x11,
                                   .offset = 30,
                                   .lives_n = 1,
                                   .lives = {{.tag = 0x11, .first = 1, .last = 5, .end = 30}}};
    cr_assert_eq(pl_link_load_row(p->end.link, &loaded), PL_OK);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_stream(p, 0x11, 1, 0, 9, "old");
    puppet_sixes(p, 0x11, 24, 12);
    puppet_send(p);
    cr_assert(pl_link_row(p->end.link, 0, &row, &committed));
    cr_assert(row.stream == 41 && row.heard == 6 && committed == 5);
    cr_assert(pl_link_row(p->end.link, 1, &row, &committed));
    cr_assert_eq(row.stream, 42);
    p->end.fail_from = p->end.gets + 1;
    p->end.fail_n = 1;
    loaded.stream = 50;
    loaded.birth = 10;
    cr_assert_eq(pl_link_load_row(p->end.link, &loaded), PL_E_NO_MEMORY);
    puppet_end(p);
}

/* A damaged row of the store is refused, never walked into. */
Test(link_recv_row, a_row_that_contradicts_itself_is_refused)
{
    struct pl_stream_row good = {.stream = 1,
                                 .birth = BIRTH,
                                 .name = {(const uint8_t *)"door", 4},
                                 .heard = 5,
                                 .life = LIFE_A,
                                 .offset = 30,
                                 .lives_n = 1,
                                 .lives = {{.tag = LIFE_A, .first = 1, .last = 5, .end = 30}}};

    for (unsigned r = 0; r < 7; r++) {
        struct puppet *p = puppet_new(6);
        struct pl_stream_row row = good;
        switch (r) {
        case 0: break;
        case 1: row.lives_n = 0; break;                       /* its life is not among its lives */
        case 2: row.lives[0].tag = LIFE_B; break;
        case 3: row.lives_n = PL_LIVES_REMEMBERED + 1; break; /* more lives than there are */
        case 4: row.lives[0].last = 4; break;                 /* the life ends before heard */
        case 5: row.lives[0].end = 29; break;
        default: row.lives[0].first = 6; break;               /* and begins behind it */
        }
        puppet_open(p);
        cr_assert_eq(pl_link_load_row(p->end.link, &row), r == 0 ? PL_OK : PL_E_STORE_DAMAGED, "row %u", r);
        puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
        puppet_sixes(p, LIFE_A, 30, 6);
        puppet_send(p);
        puppet_end(p);
    }
}
