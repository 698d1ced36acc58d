/* Pieces that wait: their order, their budgets, and that all of it is given back. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/recv.h"
#include "link_puppet.h"

enum { LIFE_A = 0xa0a0a0a0, BIRTH = 77, PIECE = 1000 };

/* Pieces of a life from beyond its first byte on, so that all wait. Returns how many were acknowledged. */
static unsigned hold(struct puppet *p, uint32_t life, uint64_t birth, const char *name, unsigned n)
{
    static const uint8_t bytes[PIECE];
    unsigned held = 0;

    for (unsigned i = 0; i < n; i++) {
        uint32_t number = p->number;
        puppet_stream(p, life, 1, 0, birth, name);
        puppet_piece(p, life, 10 + (uint64_t)PIECE * i, bytes, PIECE);
        puppet_ping(p);
        cr_assert_eq(puppet_send(p), PL_DROP_NONE);
        puppet_collect(p);
        held += puppet_acked(p, number);
    }
    return held;
}

/* A run that proved nothing has its pieces held in the node's pool only; what finds no place is left. */
Test(link_recv_held, an_unproven_run_fills_the_pool_and_no_more)
{
    struct puppet *p = puppet_new(1);

    p->end.env.settings.unproven_pool_bytes = 20 * (PIECE + 100);
    puppet_open(p);
    unsigned held = hold(p, LIFE_A, BIRTH, "door", 40);
    cr_assert(held >= 20 && held < 25, "%u", held);
    cr_assert_leq(p->end.env.unproven_held_bytes, p->end.env.settings.unproven_pool_bytes);
    cr_assert_not_null(puppet_find(p, PL_FRAME_PATH_CHALLENGE, 0), "proof is wanted");
    puppet_prove(p);
    cr_assert_eq(hold(p, LIFE_A, BIRTH, "door", 40), 40, "a proven run has its own budget");
    cr_assert_eq(p->end.delivered_n, 0);
    side_close(&p->end);
    cr_assert_eq(p->end.env.held_bytes + p->end.env.unproven_held_bytes, 0);
    puppet_end(p);
}

/* A link holds a window and two of the largest records; all links together what the settings say. */
Test(link_recv_held, a_link_and_all_links_have_a_budget)
{
    for (unsigned all = 0; all < 2; all++) {
        struct puppet *p = puppet_new(2);
        size_t most = 2 * 10000 + PL_RECORD_MAX;
        p->end.env.settings.record_max_bytes = 10000;
        p->end.env.settings.window_max_kib = PL_RECORD_MAX / 1024;
        if (all) {
            most = p->end.env.settings.held_max_bytes = 50000;
        }
        puppet_open(p);
        puppet_prove(p);
        hold(p, LIFE_A, BIRTH, "door", 700);
        hold(p, LIFE_A + 1, BIRTH + 1, "bell", 700);
        cr_assert(p->end.env.held_bytes <= most && p->end.env.held_bytes > most - 2 * PIECE, "%zu of %zu",
                  p->end.env.held_bytes, most);
        /* what is in order still comes in */
        puppet_stream(p, LIFE_A + 2, 1, 0, BIRTH + 2, "gate");
        puppet_sixes(p, LIFE_A + 2, 0, 60);
        puppet_send(p);
        cr_assert_eq(p->end.delivered_n, 10);
        puppet_end(p);
    }
}

/* The same bytes again cost nothing. */
Test(link_recv_held, repeats_are_held_once)
{
    struct puppet *p = puppet_new(3);

    puppet_open(p);
    puppet_prove(p);
    cr_assert_eq(hold(p, LIFE_A, BIRTH, "door", 5), 5);
    size_t bytes = p->end.env.held_bytes;
    cr_assert_eq(hold(p, LIFE_A, BIRTH, "door", 5), 5);
    cr_assert_eq(p->end.env.held_bytes, bytes);
    puppet_end(p);
}

/* Pieces of several lives beside each other, added from the back: each life's in the order of offsets. */
Test(link_recv_held, they_are_kept_by_life_and_offset)
{
    struct puppet *p = puppet_new(4);
    uint8_t byte = 0;
    unsigned n = 0;

    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_send(p);
    struct pl_rx_stream *stream = &p->end.link->rx.streams[0];
    for (unsigned i = 50; i-- > 0;) {
        byte = (uint8_t)i;
        struct pl_bytes bytes = {&byte, 1};
        cr_assert(pl_held_add(p->end.link, stream, 1 + i % 3, 100 + i / 3 * 10, bytes, i & 1));
    }
    for (const struct pl_piece *piece = stream->held; piece->next != NULL; piece = piece->next) {
        const struct pl_piece *next = piece->next;
        cr_assert(piece->life < next->life || (piece->life == next->life && piece->offset < next->offset));
    }
    pl_held_drop_first(p->end.link, stream, 2);
    pl_held_drop(p->end.link, stream, 3);
    for (const struct pl_piece *piece = stream->held; piece != NULL; piece = piece->next) {
        cr_assert(piece->life == 1 || (piece->life == 2 && piece->offset > 100));
        n++;
    }
    cr_assert_eq(n, 17 + 16);
    pl_held_drop_first(p->end.link, stream, 9);
    pl_held_drop_all(p->end.link, stream);
    cr_assert_eq(p->end.env.held_bytes + p->end.env.unproven_held_bytes, 0);
    puppet_end(p);
}

static void expect_order(const struct pl_rx_stream *stream)
{
    const struct pl_piece *last = stream->held;

    while (last != NULL && last->next != NULL) {
        const struct pl_piece *next = last->next;
        cr_assert(last->life < next->life || (last->life == next->life && last->offset < next->offset));
        last = next;
    }
    cr_assert_eq(stream->held_last, last);
}

/* Added in order, behind the last one, and out of order, and dropped from anywhere, in turn. */
Test(link_recv_held, the_last_one_is_known_whatever_goes)
{
    struct puppet *p = puppet_new(6);
    uint32_t draw = 1;

    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_send(p);
    struct pl_rx_stream *stream = &p->end.link->rx.streams[0];
    for (unsigned i = 0; i < 3000; i++) {
        draw = draw * 1664525 + 1013904223;
        uint32_t life = 1 + (draw >> 8) % 3;
        uint64_t offset = (draw >> 31) ? i : (draw >> 12) % 100;
        uint8_t byte = (uint8_t)i;
        if ((draw >> 16) % 8 < 5) {
            cr_assert(pl_held_add(p->end.link, stream, life, offset, (struct pl_bytes){&byte, 1}, false));
        } else if ((draw >> 20) % 16 != 0) {
            pl_held_drop_first(p->end.link, stream, life);
        } else {
            pl_held_drop(p->end.link, stream, life);
        }
        expect_order(stream);
    }
    pl_held_drop_all(p->end.link, stream);
    expect_order(stream);
    cr_assert_eq(p->end.env.held_bytes, 0);
    puppet_end(p);
}

Test(link_recv_held, a_part_grows_within_the_budget_and_is_given_back)
{
    struct puppet *p = puppet_new(5);

    p->end.env.settings.held_max_bytes = 5000;
    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_send(p);
    struct pl_rx_stream *stream = &p->end.link->rx.streams[0];
    cr_assert(pl_part_reserve(p->end.link, stream, 100));
    memset(stream->part, 7, 100);
    stream->part_n = 100;
    cr_assert(pl_part_reserve(p->end.link, stream, 50), "there is room already");
    cr_assert(pl_part_reserve(p->end.link, stream, 4000));
    cr_assert(stream->part[99] == 7 && stream->part_room == 4000);
    cr_assert(!pl_part_reserve(p->end.link, stream, 5001));
    cr_assert_eq(p->end.env.held_bytes, 4000);
    pl_part_drop(p->end.link, stream);
    pl_part_drop(p->end.link, stream);
    cr_assert_eq(p->end.env.held_bytes, 0);
    puppet_end(p);
}
