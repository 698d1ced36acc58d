/* Pieces of lives in any order: repeat, next, early or forked, decided on what is durable. */
#include <criterion/criterion.h>

#include "link_pair.h"
#include "link_puppet.h"

enum { LIFE_A = 0xa0a0a0a0, LIFE_B = 0xb0b0b0b0, LIFE_C = 0xc0c0c0c0, BIRTH = 77 };

static void streams(struct puppet *p)
{
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_stream(p, LIFE_B, 3, LIFE_A, BIRTH, "door");
}

/* Two records of life A, two of life B that follows it: piece k holds record k + 1. */
static void piece(struct puppet *p, unsigned k)
{
    streams(p);
    puppet_sixes(p, k < 2 ? LIFE_A : LIFE_B, k % 2 * 6, 6);
    cr_assert(puppet_send(p) == PL_DROP_NONE);
}

Test(link_recv_piece, reordering_alone_never_forks)
{
    for (unsigned order = 0; order < 256; order++) {
        unsigned at[4] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
        if ((1 << at[0] | 1 << at[1] | 1 << at[2] | 1 << at[3]) != 15) {
            continue;
        }
        struct puppet *p = puppet_new(order);
        puppet_open(p);
        for (unsigned i = 0; i < 4; i++) {
            piece(p, at[i]);
            puppet_collect(p);
            cr_assert_eq(puppet_count(p, PL_FRAME_REFUSED), 0, "order %u", order);
        }
        cr_assert_eq(p->end.delivered_n, 4);
        for (unsigned i = 0; i < 4; i++) {
            cr_assert_eq(p->end.delivered[i].number, i + 1);
            cr_assert_eq(p->end.delivered[i].life, i < 2 ? LIFE_A : LIFE_B);
        }
        side_commit(&p->end, p->now_us);
        puppet_collect(p);
        cr_assert_eq(puppet_stored_of(p, LIFE_B), 4);
        for (unsigned i = 0; i < 4; i++) {
            piece(p, at[i]); /* all of it again: repeats */
        }
        puppet_collect(p);
        cr_assert_eq(puppet_count(p, PL_FRAME_REFUSED), 0);
        cr_assert_eq(p->end.delivered_n, 4);
        cr_assert_eq(p->end.stale_begins, 0);
        puppet_end(p);
    }
}

Test(link_recv_piece, forked_is_said_only_of_what_is_durable)
{
    struct puppet *p = puppet_new(1);
    uint64_t number = 9;

    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_send(p);
    puppet_stream(p, LIFE_B, 1, 0, BIRTH, "door"); /* a clone's */
    puppet_sixes(p, LIFE_B, 0, 6);
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_REFUSED), 0, "said before the commit");
    side_close(&p->end); /* killed: nothing of it was durable */
    cr_assert_eq(p->end.delivered_n, 0);
    puppet_open(p);
    puppet_stream(p, LIFE_B, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_B, 0, 12);
    puppet_send(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_REFUSED), 0);
    side_commit(&p->end, p->now_us);
    puppet_collect(p);
    cr_assert_eq(puppet_refused_of(p, LIFE_A, &number), PL_REFUSAL_FORKED);
    cr_assert_eq(number, 0);
    cr_assert_eq(p->end.delivered_n, 2);
    puppet_end(p);
}

Test(link_recv_piece, a_rolled_back_part_is_dropped_and_its_rest_is_forked)
{
    struct puppet *p = puppet_new(2);
    uint64_t number = 9;

    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 9); /* one record and half of the next */
    puppet_send(p);
    puppet_stream(p, LIFE_B, 2, LIFE_A, BIRTH, "door");
    puppet_sixes(p, LIFE_B, 0, 6);
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, 2);
    cr_assert_eq(p->end.delivered[1].life, LIFE_B);
    puppet_sixes(p, LIFE_A, 9, 3);
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, 2);
    side_commit(&p->end, p->now_us);
    puppet_collect(p);
    cr_assert_eq(puppet_refused_of(p, LIFE_A, &number), PL_REFUSAL_FORKED);
    cr_assert_eq(number, 1);
    puppet_sixes(p, LIFE_A, 0, 6); /* below its end: a repeat */
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_REFUSED), 0);
    puppet_end(p);
}

Test(link_recv_piece, the_life_before_is_checked)
{
    struct puppet *p = puppet_new(3);

    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_send(p);
    puppet_stream(p, LIFE_C, 2, LIFE_B, BIRTH, "door");
    puppet_sixes(p, LIFE_C, 0, 6);
    puppet_send(p);
    side_commit(&p->end, p->now_us);
    puppet_collect(p);
    cr_assert_eq(p->end.delivered_n, 1);
    cr_assert_eq(puppet_refused_of(p, LIFE_C, NULL), PL_REFUSAL_FORKED);
    puppet_end(p);
}

Test(link_recv_piece, sixteen_lives_are_remembered)
{
    struct puppet *p = puppet_new(4);
    enum { LIVES = PL_LIVES_REMEMBERED + 1 };

    puppet_open(p);
    for (uint32_t i = 0; i < LIVES; i++) {
        puppet_stream(p, 100 + i, i + 1, i == 0 ? 0 : 99 + i, BIRTH, "door");
        puppet_sixes(p, 100 + i, 0, 6);
        puppet_send(p);
    }
    cr_assert_eq(p->end.delivered_n, LIVES);
    side_commit(&p->end, p->now_us);
    puppet_collect(p);
    for (unsigned again = 0; again < 2; again++) {
        puppet_stream(p, 101, 2, 100, BIRTH, "door");
        puppet_sixes(p, 101, 0, 6);
        puppet_send(p);
        puppet_collect(p);
        cr_assert_eq(puppet_refused_of(p, 101, NULL), 0);
        puppet_stream(p, 100, 1, 0, BIRTH, "door");
        puppet_sixes(p, 100, 0, 6);
        puppet_send(p);
        p->now_us += PL_ANSWER_DELAY_US;
        puppet_collect(p);
        cr_assert_eq(puppet_refused_of(p, 100, NULL), PL_REFUSAL_FORKED);
        side_close(&p->end); /* the row says the same */
        puppet_open(p);
    }
    cr_assert_eq(p->end.delivered_n, LIVES);
    puppet_end(p);
}

Test(link_recv_piece, at_most_sixteen_lives_wait_and_then_all_follow)
{
    struct puppet *p = puppet_new(5);
    uint32_t number = 0;

    puppet_open(p);
    for (uint32_t i = PL_LIVES_WAITING + 1; i >= 1; i--) {
        puppet_stream(p, 100 + i, i + 1, 99 + i, BIRTH, "door");
        puppet_sixes(p, 100 + i, 0, 6);
        number = p->number;
        puppet_send(p);
    }
    p->now_us += PL_ANSWER_DELAY_US;
    puppet_collect(p);
    cr_assert(puppet_acked(p, number - 1));
    cr_assert(!puppet_acked(p, number), "what could not wait was acknowledged");
    cr_assert_eq(puppet_count(p, PL_FRAME_UNBOUND), 1);
    puppet_stream(p, 100, 1, 0, BIRTH, "door");
    puppet_sixes(p, 100, 0, 6);
    puppet_send(p);
    puppet_stream(p, 101, 2, 100, BIRTH, "door");
    puppet_sixes(p, 101, 0, 6);
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, PL_LIVES_WAITING + 2);
    cr_assert_eq(p->end.stale_begins, 0);
    puppet_end(p);
}

/* Lives long forgotten come again, as a replay has them: they take no place from one that is next. */
Test(link_recv_piece, forgotten_lives_do_not_keep_a_new_one_out)
{
    struct puppet *p = puppet_new(8);

    puppet_open(p);
    for (unsigned again = 0; again < 2; again++) {
        for (uint32_t i = 0; i < 60; i++) {
            puppet_stream(p, 100 + i, i + 1, i == 0 ? 0 : 99 + i, BIRTH, "door");
            puppet_sixes(p, 100 + i, 0, 6);
            puppet_send(p);
        }
        side_commit(&p->end, p->now_us);
    }
    cr_assert_eq(p->end.delivered_n, 60);
    puppet_stream(p, 160, 61, 159, BIRTH, "door");
    puppet_sixes(p, 160, 0, 6);
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, 61);
    puppet_end(p);
}

Test(link_recv_piece, pieces_of_an_unknown_life_are_left_and_unbound)
{
    struct puppet *p = puppet_new(6);

    puppet_open(p);
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_UNBOUND), 1);
    cr_assert_eq(puppet_find(p, PL_FRAME_UNBOUND, 0)->u.unbound.life, LIFE_A);
    cr_assert_eq(puppet_count(p, PL_FRAME_ACK), 0);
    cr_assert_eq(p->end.delivered_n, 0);
    puppet_end(p);
}

/* Overlapping pieces, cut anywhere: the first bytes of a place win and each record comes once. */
Test(link_recv_piece, pieces_are_cut_and_overlap_anyhow)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct puppet *p = puppet_new(seed);
        bool have[61] = {false};
        unsigned left = 60;
        puppet_open(p);
        while (left > 0) {
            uint32_t r[2];
            p->self.env.random(&p->self, r, sizeof r);
            unsigned at = r[0] % 60, n = 1 + r[1] % 17;
            n = at + n > 60 ? 60 - at : n;
            puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
            puppet_sixes(p, LIFE_A, at, n);
            cr_assert(puppet_send(p) == PL_DROP_NONE);
            for (unsigned i = at; i < at + n; i++) {
                left -= !have[i];
                have[i] = true;
            }
        }
        cr_assert_eq(p->end.delivered_n, 10);
        for (unsigned i = 0; i < 10; i++) {
            uint8_t byte = (uint8_t)(LIFE_A + i), want[5] = {byte, byte, byte, byte, byte};
            cr_assert_eq(p->end.delivered[i].number, i + 1);
            cr_assert_eq(p->end.delivered[i].print, side_print(want, 5));
        }
        puppet_end(p);
    }
}

/* A device that restarted twenty times off line has twenty lives in its outbox; all answers are lost at
 * first, so that much of it is sent again (G8). */
static bool only_to_node(struct pair *p, struct datagram *d)
{
    return d->to == B || p->now_us > 4000000;
}

Test(link_recv_piece, twenty_lives_at_once_arrive_once)
{
    struct pair *p = pair_new(7);
    unsigned door = pair_stream(p, A, "door", 7);

    for (unsigned i = 0; i < 20; i++) {
        pair_give(p, A, door, 40 + i);
        pair_give(p, A, door, 10 * i);
        p->out[A][door].new_life = true;
    }
    p->filter = only_to_node;
    cr_assert(pair_settle(p));
    cr_assert_eq(p->side[B].env.counters.forks, 0);
    cr_assert_eq(side_durable(&p->side[B]), 40);
    pair_check(p, A);
    pair_end(p);
}
