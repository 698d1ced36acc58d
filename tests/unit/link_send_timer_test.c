/* The one back-off timer: PTO while something is in flight, else ASK; doubled, jittered by a third. */
#include <criterion/criterion.h>

#include "link/send.h"
#include "link_pair.h"

enum { S = 1000000, MINUTE = 60 * S };

static bool lose_all(struct pair *p, struct datagram *d)
{
    (void)p;
    (void)d;
    return false;
}

static uint64_t left_us(const struct pair *p, unsigned at)
{
    return p->archive[at]->due_us - p->delay_us;
}

Test(link_send_timer, nobody_answers_one_packet_a_step_doubled_and_jittered_by_a_third)
{
    bool jitters = false;

    for (unsigned seed = 1; seed <= 12; seed++) {
        struct pair *p = pair_new(seed);
        unsigned door = pair_stream(p, A, "door", 7);
        uint64_t wait_us = PL_TIMER_FIRST_US;
        p->filter = lose_all;
        pair_give(p, A, door, 61);
        pair_run(p, 600 * (uint64_t)S);
        for (unsigned i = 1; i < p->archive_n; i++) {
            uint64_t took_us = left_us(p, i) - left_us(p, i - 1);
            cr_assert(took_us >= wait_us && took_us <= wait_us + wait_us / 3 + 1,
                      "packet %u after %u us, of %u", i, (unsigned)took_us, (unsigned)wait_us);
            jitters |= took_us > wait_us + wait_us / 10;
            wait_us = 2 * wait_us > PL_TIMER_MAX_US ? PL_TIMER_MAX_US : 2 * wait_us;
        }
        cr_assert(p->archive_n >= 12 && p->archive_n <= 16);
        cr_assert_eq(side_events(&p->side[A], PL_EVENT_UNREACHABLE, NULL), 1);
        cr_assert_gt(pl_link_silent_timeouts(p->side[A].link), 5);
        p->filter = NULL;
        cr_assert(pair_settle(p));
        cr_assert_eq(pl_link_silent_timeouts(p->side[A].link), 0);
        pair_check(p, A);
        pair_end(p);
    }
    cr_assert(jitters);
}

Test(link_send_timer, a_nodes_dormant_link_goes_on_to_an_hour)
{
    struct pair *p = pair_new(20);
    unsigned door = pair_stream(p, A, "door", 7);

    p->side[A].env.settings.dormant_hourly = true;
    p->filter = lose_all;
    pair_give(p, A, door, 61);
    pair_run(p, 6 * 3600 * (uint64_t)S);
    uint64_t last_us = left_us(p, p->archive_n - 1) - left_us(p, p->archive_n - 2);
    cr_assert(last_us >= PL_DORMANT_TIMER_MAX_US && last_us <= PL_DORMANT_TIMER_MAX_US / 3 * 4 + 1);
    cr_assert_leq(p->archive_n, 20);
    pair_end(p);
}

/* A probe holds PING, STREAM, ASK for the newest life sent and the first bytes above STORED (G18). */
Test(link_send_timer, what_a_probe_holds)
{
    struct pair *p = pair_new(21);
    unsigned door = pair_stream(p, A, "door", 7);

    for (unsigned i = 0; i < 3; i++) {
        pair_give(p, A, door, 2000);
        p->out[A][door].new_life = true;
    }
    p->filter = lose_all;
    pair_run(p, S / 2);
    unsigned flight = p->archive_n;
    cr_assert_gt(flight, 4);
    pair_run(p, S);
    cr_assert_eq(p->archive_n, flight + 1);
    const struct datagram *probe = p->archive[flight];
    cr_assert_not_null(pair_frame(p, probe, PL_FRAME_PING));
    cr_assert_not_null(pair_frame(p, probe, PL_FRAME_STREAM));
    cr_assert_eq(pair_frame(p, probe, PL_FRAME_ASK)->u.ask.life, p->out[A][door].records[2].life);
    const struct pl_frame *piece = pair_frame(p, probe, PL_FRAME_RECORDS);
    cr_assert_not_null(piece);
    cr_assert_eq(piece->u.records.life, p->out[A][door].records[0].life);
    cr_assert_eq(piece->u.records.offset, 0);
    pair_end(p);
}

/* Acknowledged but not stored: ASK at the time a STORED usually takes, not at every PTO. */
Test(link_send_timer, a_commit_that_takes_long_is_asked_after_with_back_off)
{
    struct pair *p = pair_new(22);
    unsigned door = pair_stream(p, A, "door", 7);

    for (unsigned i = 0; i < 20; i++) {
        pair_give(p, A, door, 100);
        cr_assert(pair_settle(p));
    }
    unsigned before = p->sent[A];
    p->no_commit[B] = true;
    pair_give(p, A, door, 100);
    pair_run(p, 20 * (uint64_t)S);
    unsigned asks = p->sent[A] - before - 1;
    cr_assert(asks >= 5 && asks <= 14, "%u ASKs in 20 s", asks);
    cr_assert_eq(p->side[A].env.counters.lost_packets, 0);
    cr_assert_eq(p->out[A][door].stored, 20);
    p->no_commit[B] = false;
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_end(p);
}

/* The wait for STORED never feeds the RTT. */
Test(link_send_timer, slow_commits_do_not_raise_the_rtt)
{
    struct pair *p = pair_new(23);
    unsigned door = pair_stream(p, A, "door", 7);
    struct pl_link_figures figures;

    p->commit_delay_us = 400000;
    for (unsigned i = 0; i < 30; i++) {
        pair_give(p, A, door, 100);
        cr_assert(pair_settle(p));
    }
    pl_link_figures(p->side[A].link, &figures);
    /* an ACK came 25 ms after each packet, and never without: RFC 9002 section 5.3 takes it for the path */
    cr_assert(figures.srtt_us >= 20000 && figures.srtt_us <= 47000, "%u us", (unsigned)figures.srtt_us);
    cr_assert_leq(pl_tx_pto_us(p->side[A].link), 47000 + 4 * 23000 + PL_ACK_DELAY_MAX_US);
    pair_end(p);
}

/* A device at rest has no timer; poll-ms is the only one it may have. */
Test(link_send_timer, poll_is_a_ping_when_nothing_came_for_so_long)
{
    struct pair *p = pair_new(24);
    unsigned door = pair_stream(p, A, "door", 7);

    p->side[A].env.settings.poll_us = 50 * (uint64_t)S;
    pair_give(p, A, door, 100);
    pair_run(p, 40 * (uint64_t)S);
    unsigned before = p->sent[A];
    pair_run(p, 500 * (uint64_t)S);
    cr_assert(p->sent[A] - before >= 9 && p->sent[A] - before <= 11 + 2, "%u", p->sent[A] - before);
    cr_assert_not_null(pair_frame(p, p->archive[p->archive_n - 2], PL_FRAME_PING));
    p->filter = lose_all;
    before = p->sent[A];
    pair_run(p, 500 * (uint64_t)S);
    cr_assert(p->sent[A] - before >= 9 && p->sent[A] - before <= 11, "%u", p->sent[A] - before);
    pair_end(p);
}

/* With the congestion window closed a poll waits like everything else; the link is not due meanwhile. */
Test(link_send_timer, poll_waits_for_the_window)
{
    struct pair *p = pair_new(27);
    unsigned door = pair_stream(p, A, "door", 7);

    p->side[A].env.settings.poll_us = S / 2;
    p->filter = lose_all;
    for (unsigned i = 0; i < 60; i++) {
        pair_give(p, A, door, 1000);
    }
    pair_run(p, 30 * (uint64_t)S);
    cr_assert_leq(p->sent[A], 13 + 6);
    p->filter = NULL;
    pair_run(p, 60 * (uint64_t)S);
    cr_assert(pair_all_stored(p));
    pair_check(p, A);
    pair_end(p);
}

/* Its address is not known yet: there is nobody to ask, and no time at which there is. */
Test(link_send_timer, poll_waits_for_an_address)
{
    struct pair *p = pair_new(26);
    struct pl_route route = p->side[B].here;

    p->side[A].has_peer = false;
    p->side[A].env.settings.poll_us = 50 * (uint64_t)S;
    pair_restart(p, A);
    pair_run(p, 200 * (uint64_t)S);
    cr_assert_eq(p->sent[A], 0);
    cr_assert_eq(pl_link_deadline(p->side[A].link), PL_NEVER);
    pl_link_configure(p->side[A].link, &route);
    pair_run(p, 100 * (uint64_t)S);
    cr_assert_geq(p->sent[A], 1);
    pair_end(p);
}

/* REFUSED(malformed): silent for a minute, then two, four, to an hour (M21). */
Test(link_send_timer, who_is_called_malformed_is_silent)
{
    struct pair *p = pair_new(25);
    unsigned door = pair_stream(p, A, "door", 7);
    uint64_t wait_us = PL_MUTE_FIRST_US;

    pair_give(p, A, door, 100);
    cr_assert(pair_settle(p));
    for (unsigned i = 0; i < 9; i++) {
        struct pl_arrival arrival = {.link = p->side[A].link, .now_us = p->now_us};
        struct pl_frame_refused refused = {.code = PL_REFUSAL_MALFORMED};
        unsigned before = p->sent[A];
        pl_tx_refused(&arrival, &refused);
        cr_assert_eq(side_events(&p->side[A], PL_EVENT_MUTED, NULL), i + 1);
        pl_tx_refused(&arrival, &refused); /* of the same flight: once is enough */
        pair_give(p, A, door, 100);
        pair_run(p, wait_us - 1);
        cr_assert_eq(p->sent[A], before, "round %u", i);
        pair_run(p, 10 * (uint64_t)S);
        cr_assert_gt(p->sent[A], before);
        wait_us = 2 * wait_us > PL_MUTE_MAX_US ? PL_MUTE_MAX_US : 2 * wait_us;
    }
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_end(p);
}
