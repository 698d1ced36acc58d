/* A link's life: made, at rest, swept, started again; and that none of it repeats a nonce or a record. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/state.h"
#include "link_pair.h"
#include "link_puppet.h"

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

static uint64_t draw(struct puppet *p, uint64_t below)
{
    uint64_t r = 0;

    p->self.env.random(&p->self, &r, sizeof r);
    return r % below;
}

/* A number that is mostly small, now and then at an edge of what the wire carries. */
static uint64_t some_number(struct puppet *p)
{
    static const uint64_t edges[] = {0, 1, 63, 64, 16383, UINT32_MAX, PL_PIECE_END_MAX - 1, PL_PIECE_END_MAX};

    return draw(p, 8) == 0 ? edges[draw(p, 8)] : draw(p, 40);
}

static void some_frame(struct puppet *p)
{
    static const char *const names[] = {"door", "bell", ""};
    static const uint8_t any[40] = {5, 1, 1, 1, 1, 1, 0, 3, 2, 2, 2, 0x40, 0x50};
    uint32_t life = draw(p, 6) == 0 ? 0xa0a0a0a0 : (uint32_t)draw(p, 12);
    struct pl_frame f = {.type = (uint8_t)draw(p, 20)};
    uint8_t encoded[400];
    size_t n = 1 + draw(p, sizeof any), at = draw(p, sizeof any + 1 - n);

    switch (f.type) {
    case PL_FRAME_TO: f.u.to.run_tag = (uint32_t)(draw(p, 4) == 0 ? 7 : p->end_run >> 32); break;
    case PL_FRAME_ACK:
        f.u.ack.largest = p->end_number + draw(p, 4) - draw(p, 30);
        f.u.ack.first_range = draw(p, 3) == 0 ? some_number(p) : draw(p, 5);
        f.u.ack.delay = some_number(p);
        break;
    case PL_FRAME_STREAM:
        puppet_stream(p, life + (life == 0), n, n == 1 ? 0 : 1 + (uint32_t)at % 11, draw(p, 5),
                      names[draw(p, 3)]);
        p->payload_n -= draw(p, 9) == 0; /* now and then cut: malformed */
        return;
    case PL_FRAME_RECORDS_LENGTH:
        f.u.records_length = (struct pl_frame_records){life, some_number(p), {any + at, n}};
        break;
    case PL_FRAME_GAP: f.u.gap = (struct pl_frame_gap){life, some_number(p), some_number(p)}; break;
    case PL_FRAME_ASK: f.u.ask.life = life; break;
    case PL_FRAME_STORED:
        f.u.stored = (struct pl_frame_stored){life, some_number(p), some_number(p)};
        break;
    case PL_FRAME_UNBOUND: f.u.unbound.life = life; break;
    case PL_FRAME_REFUSED:
        f.u.refused = (struct pl_frame_refused){life, some_number(p), draw(p, 12), {any, draw(p, 9)}};
        break;
    case PL_FRAME_PATH_CHALLENGE:
    case PL_FRAME_PATH_RESPONSE: f.u.path_challenge.value = draw(p, 3); break;
    default: f.type = PL_FRAME_PING; break;
    }
    size_t size = pl_frame_encode(encoded, sizeof encoded, &f);
    puppet_raw(p, encoded, size); /* what cannot be encoded is left out */
}

/* An allowed peer that says anything in any order, from anywhere, in any run, to an end that sends as well:
 * no crash, no spin, no assertion, and all memory comes back. */
Test(link_link, a_peer_that_says_anything)
{
    for (unsigned seed = 1; seed <= 60; seed++) {
        struct puppet *p = seed % 3 == 0 ? puppet_new(seed) : puppet_sender(seed, 20);
        if (seed % 3 == 0) { /* a node with records for the peer, that knows no address of it */
            puppet_open(p);
            puppet_give(p, 0xa0a0a0a0, 1, 0, 20, 1000);
        }
        p->end.env.memory.limit_bytes = seed % 4 == 0 ? p->end.env.memory.used_bytes + 4000 : SIZE_MAX;
        p->end.env.settings.poll_us = seed % 5 == 0 ? S : 0;
        for (unsigned i = 0; i < 500; i++) {
            for (uint64_t n = 1 + draw(p, 6); n > 0; n--) {
                some_frame(p);
            }
            if (draw(p, 30) == 0) {
                puppet_new_run(p);
            }
            p->from = side_route((uint8_t)(1 + (draw(p, 10) == 0)));
            p->number += (uint32_t)draw(p, 3);
            if (p->payload_n > 0) {
                puppet_send(p);
            }
            if (draw(p, 3) == 0) {
                side_commit(&p->end, p->now_us);
            }
            if (draw(p, 40) == 0) {
                p->end.env.store_full = !p->end.env.store_full;
                pl_link_unrefuse(p->end.link, p->now_us);
            }
            p->now_us += draw(p, 100) == 0 ? 4000 * (uint64_t)S : draw(p, 30000);
            puppet_collect(p);
        }
        puppet_end(p);
    }
}
