/* ACK: what arrived, RTT, lies, and a peer whose process is another one. */
#include <criterion/criterion.h>

#include "link/send.h"
#include "link_pair.h"
#include "link_puppet.h"

enum { S = 1000000, LIFE_A = 0xa0a0a0a0 };

Test(link_send_ack, an_acknowledgement_of_what_was_never_sent_is_slowed_and_not_obeyed)
{
    struct puppet *p = puppet_sender(1, 20);
    struct pl_link_figures before, after;

    unsigned n = puppet_collect(p);
    cr_assert_gt(n, 10);
    p->now_us += 20000;
    pl_link_figures(p->end.link, &before);
    puppet_ack(p, p->end_number - 3, p->end_number + 1);
    puppet_stored(p, LIFE_A, 2, 64);
    puppet_send(p);
    pl_link_figures(p->end.link, &after);
    cr_assert_eq(p->end.env.counters.ack_lies, 1);
    cr_assert_lt(after.cwnd_bytes, before.cwnd_bytes);
    cr_assert(!pl_link_is_proven(p->end.link));
    cr_assert_eq(after.srtt_us, 0);
    cr_assert_eq(p->end.stored[0], 2, "the frames beside it count");
    puppet_end(p);
}

Test(link_send_ack, ranges_that_leave_the_numbers_are_ignored)
{
    struct puppet *p = puppet_sender(2, 20);
    static const uint8_t ranges[][2] = {{0x3f, 0}, {0, 0x3f}, {0x3f, 0x3f}};

    puppet_collect(p);
    p->end.link->tx.runs[0].run.first = 0; /* so that the numbers alone decide */
    for (unsigned r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        static const uint8_t ack[] = {PL_FRAME_ACK, 10, 0, 1, 0};
        puppet_to(p);
        puppet_raw(p, ack, sizeof ack);
        puppet_raw(p, ranges[r], 2);
        puppet_send(p);
    }
    cr_assert_eq(p->end.env.counters.acks_in, 0);
    cr_assert(!pl_link_is_proven(p->end.link));
    puppet_end(p);
}

Test(link_send_ack, a_delay_above_25_ms_is_not_believed)
{
    struct puppet *p = puppet_sender(3, 40);
    struct pl_link_figures figures;

    puppet_collect(p);
    p->now_us += 20000;
    puppet_ack(p, p->end_number, p->end_number);
    puppet_send(p);
    for (unsigned i = 0; i < 4; i++) {
        p->now_us += 100000;
        puppet_collect(p);
        p->now_us += 100000;
        puppet_to(p);
        puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_ACK,
                                           .u.ack = {.largest = p->end_number, .delay = 90000}});
        puppet_send(p);
    }
    pl_link_figures(p->end.link, &figures);
    cr_assert_gt(figures.srtt_us, 30000); /* towards 75 ms, not towards 10 */
    puppet_end(p);
}

/* A number is acknowledged once: the second time it changes nothing. */
Test(link_send_ack, repeats_count_once)
{
    struct puppet *p = puppet_sender(4, 20);
    struct pl_link_figures once, twice;

    puppet_collect(p);
    p->now_us += 20000;
    puppet_ack(p, p->end_number - 5, p->end_number);
    puppet_send(p);
    pl_link_figures(p->end.link, &once);
    puppet_ack(p, p->end_number - 5, p->end_number);
    puppet_send(p);
    pl_link_figures(p->end.link, &twice);
    cr_assert_eq(once.in_flight_bytes, twice.in_flight_bytes);
    cr_assert_eq(once.cwnd_bytes, twice.cwnd_bytes);
    puppet_end(p);
}

/* The node is another process: what it lost goes again at once, without a congestion event, and what left
 * after the newest packet it acknowledged stays in flight (G15 to G17). */
Test(link_send_ack, a_restarted_node_gets_again_what_it_lost)
{
    struct pair *p = pair_new(5);
    unsigned door = pair_stream(p, A, "door", 7);
    struct pl_link_figures before, after;

    for (unsigned i = 0; i < 100; i++) {
        pair_give(p, A, door, 700);
    }
    pair_run(p, 100000);
    cr_assert(pair_all_stored(p));
    p->no_commit[B] = true;
    for (unsigned i = 0; i < 20; i++) {
        pair_give(p, A, door, 700);
    }
    pair_run(p, 60000); /* all acknowledged, nothing stored */
    pl_link_figures(p->side[A].link, &before);
    cr_assert_eq(before.in_flight_bytes, 0);
    cr_assert_gt(before.unstored_bytes, 10000);
    pair_restart(p, B);
    p->no_commit[B] = false;
    unsigned sent = p->sent[A];
    cr_assert(pair_settle(p));
    pl_link_figures(p->side[A].link, &after);
    cr_assert_geq(after.cwnd_bytes, before.cwnd_bytes > PL_FIRST_CWND ? PL_FIRST_CWND : before.cwnd_bytes);
    cr_assert_eq(p->side[A].env.counters.lost_packets, 0);
    cr_assert_leq(p->sent[A] - sent, 20, "%u packets for 12 of content", p->sent[A] - sent);
    pair_check(p, A);
    pair_end(p);
}

/* G17: the first flight after a rest meets a node that rests too: it is not sent twice. */
Test(link_send_ack, a_swept_node_does_not_draw_the_flight_twice)
{
    struct pair *p = pair_new(6);
    unsigned door = pair_stream(p, A, "door", 7);

    pair_give(p, A, door, 100);
    cr_assert(pair_settle(p));
    pair_sweep(p, B);
    unsigned sent = p->sent[A];
    for (unsigned i = 0; i < 13; i++) {
        pair_give(p, A, door, 1000);
    }
    cr_assert(pair_settle(p));
    cr_assert_leq(p->sent[A] - sent, 12 + 4, "%u packets for 12 of content", p->sent[A] - sent);
    pair_check(p, A);
    pair_end(p);
}

/* G15: an UNBOUND counts from a run that proved nothing: a node restored without the row gets STREAM again.
 */
Test(link_send_ack, a_node_that_lost_its_rows_is_told_the_stream_again)
{
    struct pair *p = pair_new(7);
    unsigned door = pair_stream(p, A, "door", 7);

    pair_give(p, A, door, 100);
    cr_assert(pair_settle(p));
    p->side[B].rows_n = 0;
    pair_restart(p, B);
    pair_give(p, A, door, 100); /* number 2 of a bound life, without a STREAM */
    pair_run(p, 5 * (uint64_t)S);
    struct pl_event event = {0};
    cr_assert_geq(side_events(&p->side[A], PL_EVENT_BEHIND, &event), 1);
    cr_assert_eq(event.number, 0);
    pair_end(p);
}
