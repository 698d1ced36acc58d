/* A link's life: made, at rest, swept, started again; and that none of it repeats a nonce or a record. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/state.h"
#include "link_pair.h"

enum { S = 1000000 };

Test(link_link, first_contact_is_two_packets_and_then_nothing_is_due)
{
    struct pair *p = pair_new(1);
    unsigned door = pair_stream(p, A, "door", 7);

    pair_give(p, A, door, 61);
    cr_assert(pair_settle(p));
    cr_assert_eq(p->sent[A], 1);
    cr_assert_eq(p->sent[B], 1);
    cr_assert_eq(p->archive[0]->n, 125);
    cr_assert_eq(p->archive[1]->n, 55);
    cr_assert(pl_link_settled(p->side[A].link) && pl_link_settled(p->side[B].link));
    cr_assert_eq(pl_link_deadline(p->side[A].link), PL_NEVER);
    cr_assert_eq(pl_link_deadline(p->side[B].link), PL_NEVER);
    pair_check(p, A);
    pair_end(p);
}

Test(link_link, each_activation_has_a_fresh_run_and_no_nonce_repeats)
{
    struct pair *p = pair_new(2);
    unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);
    uint64_t runs[8];

    for (unsigned round = 0; round < 8; round++) {
        for (unsigned i = 0; i < 40; i++) {
            pair_give(p, A, door, 700);
        }
        pair_give(p, B, down, 100);
        cr_assert(pair_settle(p));
        runs[round] = p->side[A].link->tx.runs[0].run.id;
        for (unsigned i = 0; i < round; i++) {
            cr_assert_neq(runs[i], runs[round]);
        }
        pair_sweep(p, round & 1);
        pair_sweep(p, A);
    }
    pair_check(p, A);
    pair_check(p, B);
    pair_end(p);
}

/* Every datagram of a session with loss comes again, in any order, from elsewhere, to ends that have
 * forgotten all but their rows. */
static void replay_all(struct pair *p, const struct pl_route *from)
{
    unsigned n = p->archive_n;

    for (unsigned i = 0; i < n; i++) {
        unsigned at = (i * 7919 + 13) % n;
        pair_inject(p, p->archive[at], from);
        pair_send(p, p->archive[at]->to);
        if (i % 16 == 0) {
            p->now_us += S;
        }
    }
}

static bool lose_some(struct pair *p, struct datagram *d)
{
    (void)d;
    return p->archive_n % 9 != 0;
}

Test(link_link, a_whole_session_replayed_after_a_sweep_changes_nothing)
{
    struct pair *p = pair_new(3);
    struct pl_route attacker = side_route(66);
    struct pl_route main;
    size_t in = 0, out = 0;

    unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);
    p->filter = lose_some;
    for (unsigned i = 0; i < 60; i++) {
        pair_give(p, A, door, 500);
        pair_give(p, B, down, 90);
    }
    cr_assert(pair_settle(p));
    p->filter = NULL;
    pair_sweep(p, B);
    unsigned recorded = p->archive_n, had = side_durable(&p->side[B]);
    replay_all(p, &attacker);
    for (unsigned i = 0; i < recorded; i++) {
        in += p->archive[i]->to == B ? p->archive[i]->n : 0;
    }
    for (unsigned i = recorded; i < p->archive_n; i++) {
        struct datagram *d = p->archive[i];
        if (d->to == A) {
            out += d->n;
            cr_assert_null(pair_frame(p, d, PL_FRAME_RECORDS));
            cr_assert_null(pair_frame(p, d, PL_FRAME_RECORDS_LENGTH));
            cr_assert_null(pair_frame(p, d, PL_FRAME_REFUSED));
        }
    }
    cr_assert(out > 0 && out <= 3 * in, "%zu B drew %zu", in, out);
    cr_assert(!side_commit(&p->side[B], p->now_us));
    cr_assert_eq(p->side[B].delivered_n, had);
    cr_assert_eq(p->side[B].link->rx.current, NULL);
    bool validated = false;
    cr_assert(!pl_link_route(p->side[B].link, &main, &validated) || !validated);
    pair_give(p, A, door, 10);
    pair_give(p, B, down, 10);
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_check(p, B);
    pair_end(p);
}

Test(link_link, restarts_of_either_side_lose_and_repeat_nothing)
{
    for (unsigned seed = 1; seed <= 6; seed++) {
        struct pair *p = pair_new(seed);
        unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);
        p->filter = lose_some;
        for (unsigned round = 0; round < 12; round++) {
            for (unsigned i = 0; i < 25; i++) {
                pair_give(p, A, door, 50 + 37 * i);
                pair_give(p, B, down, 20 * i);
            }
            pair_run(p, 7000 + seed * 3000 + 9000 * (round % 5));
            pair_restart(p, (round + seed) % 3 == 0 ? A : B);
        }
        cr_assert(pair_settle(p), "seed %u", seed);
        pair_check(p, A);
        pair_check(p, B);
        cr_assert_eq(side_durable(&p->side[B]), p->out[A][door].n);
        cr_assert_eq(side_durable(&p->side[A]), p->out[B][down].n);
        pair_end(p);
    }
}
