/* Loss by time (RFC 8985): what is lost goes again, what was only late is no loss. */
#include <criterion/criterion.h>

#include "link/send.h"
#include "link_pair.h"

enum { S = 1000000 };

/* What befalls the datagrams to the node, by their count. */
struct fate {
    unsigned seen, lose_from, lose_n, late_every;
    uint64_t late_us;
};

static bool meet(struct pair *p, struct datagram *d)
{
    struct fate *fate = p->filter_ctx;

    if (d->to == A) {
        return true;
    }
    unsigned at = ++fate->seen;
    if (fate->late_every != 0 && at % fate->late_every == 0) {
        d->due_us += fate->late_us;
    }
    return at < fate->lose_from || at >= fate->lose_from + fate->lose_n;
}

static struct pair *bulk(uint64_t seed, struct fate *fate, unsigned records)
{
    struct pair *p = pair_new(seed);
    unsigned door = pair_stream(p, A, "door", 7);

    p->filter = meet;
    p->filter_ctx = fate;
    for (unsigned i = 0; i < records; i++) {
        pair_give(p, A, door, 1000);
    }
    return p;
}

Test(link_send_loss, one_lost_packet_costs_one_packet_and_no_timeout)
{
    struct fate none = {0};
    struct pair *clean = bulk(1, &none, 300);
    cr_assert(pair_settle(clean));

    for (unsigned at = 1; at < 200; at += 23) {
        struct fate fate = {.lose_from = at, .lose_n = 1};
        struct pair *p = bulk(1, &fate, 300);
        cr_assert(pair_settle(p));
        cr_assert_eq(p->side[A].env.counters.lost_packets, 1, "packet %u", at);
        cr_assert_eq(p->side[A].env.counters.spurious_losses, 0);
        cr_assert_eq(p->side[A].env.counters.probes, 0);
        cr_assert_leq(p->sent[A], clean->sent[A] + 12);
        pair_check(p, A);
        pair_end(p);
    }
    pair_end(clean);
}

Test(link_send_loss, losses_of_one_flight_are_one_congestion_event)
{
    struct fate fate = {0};
    struct pair *p = bulk(2, &fate, 600);
    struct pl_link_figures before, after;

    while (fate.seen < 119 && pair_step(p, PL_NEVER - 1)) {
    }
    pl_link_figures(p->side[A].link, &before);
    fate.lose_from = fate.seen + 1;
    fate.lose_n = 9;
    uint64_t until = p->now_us + 60000;
    while (p->now_us < until && pair_step(p, until)) {
    }
    pl_link_figures(p->side[A].link, &after);
    cr_assert_geq(p->side[A].env.counters.lost_packets, 9);
    cr_assert_geq(after.cwnd_bytes, before.cwnd_bytes * 7 / 10, "%llu after %llu",
                  (unsigned long long)after.cwnd_bytes, (unsigned long long)before.cwnd_bytes);
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_end(p);
}

Test(link_send_loss, the_tail_of_a_burst_is_probed_for)
{
    struct fate fate = {.lose_from = 1, .lose_n = 0};
    struct pair *p = bulk(3, &fate, 3);
    cr_assert(pair_settle(p));
    fate.lose_from = fate.seen + 2;
    fate.lose_n = 2;
    for (unsigned i = 0; i < 3; i++) {
        pair_give(p, A, 0, 1000);
    }
    uint64_t begin_us = p->now_us;
    cr_assert(pair_settle(p));
    cr_assert_eq(p->side[A].env.counters.probes, 1);
    cr_assert_lt(p->now_us - begin_us, S / 2);
    pair_check(p, A);
    pair_end(p);
}

/* Every fifth packet takes 4 ms longer: seen once, the window widens, and the losses that were none are
 * taken back. */
Test(link_send_loss, reordering_is_learnt_and_spurious_losses_undone)
{
    struct fate fate = {.late_every = 5, .late_us = 4000};
    struct pair *p = bulk(4, &fate, 1500);
    struct pl_link_figures figures;

    cr_assert(pair_settle(p));
    pl_link_figures(p->side[A].link, &figures);
    const struct pl_counters *c = &p->side[A].env.counters;
    cr_assert_eq(c->lost_packets, c->spurious_losses, "%u lost, %u of them not", (unsigned)c->lost_packets,
                 (unsigned)c->spurious_losses);
    cr_assert_leq(c->lost_packets, 10);
    cr_assert(p->side[A].link->tx.reordering_seen);
    cr_assert_gt(figures.cwnd_bytes, 20 * PL_DATAGRAM_SIZE);
    pair_check(p, A);
    pair_end(p);
}

Test(link_send_loss, a_spurious_loss_gives_the_window_back)
{
    struct fate fate = {.late_every = 170, .late_us = 20000};
    struct pair *p = bulk(5, &fate, 400);
    uint64_t least = UINT64_MAX, high = 0;

    while (pair_step(p, PL_NEVER - 1)) {
        uint64_t window = p->side[A].link->tx.congestion.window_bytes;
        high = window > high ? window : high;
        least = window < high && window < least ? window : least;
    }
    cr_assert_geq(p->side[A].env.counters.spurious_losses, 1);
    cr_assert_eq(p->side[A].env.counters.spurious_losses, p->side[A].env.counters.lost_packets);
    cr_assert_lt(least, high, "there was a cut");
    cr_assert_geq(p->side[A].link->tx.congestion.window_bytes, high, "and it was undone");
    cr_assert_eq(p->side[A].link->tx.congestion.threshold_bytes, UINT64_MAX);
    pair_check(p, A);
    pair_end(p);
}

Test(link_send_loss, heavy_loss_loses_nothing)
{
    for (unsigned seed = 1; seed <= 5; seed++) {
        struct fate fate = {.lose_from = 3, .lose_n = seed * 3};
        struct pair *p = bulk(seed, &fate, 200);
        cr_assert(pair_settle(p), "seed %u", seed);
        pair_check(p, A);
        cr_assert_eq(side_durable(&p->side[B]), 200);
        cr_assert_eq(p->side[A].link->tx.in_flight_bytes, 0);
        pair_end(p);
    }
}
