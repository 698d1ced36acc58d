/* The peer's runs: what a replay may and may not do to the live one. */
#include <criterion/criterion.h>

#include "link/recv.h"
#include "link_puppet.h"

static bool knows(struct puppet *p, uint64_t run)
{
    return pl_runs_find(&p->end.link->rx, run) != NULL;
}

static unsigned unproven(struct puppet *p)
{
    return p->end.link->rx.runs_n - pl_runs_proven_n(&p->end.link->rx);
}

Test(link_recv_runs, unproven_runs_displace_each_other_and_never_a_proven_one)
{
    struct puppet *p = puppet_new(1);
    uint64_t proven[PL_PROVEN_RUNS];

    puppet_open(p);
    for (unsigned i = 0; i < PL_PROVEN_RUNS; i++) {
        proven[i] = p->run;
        puppet_prove(p);
        puppet_new_run(p);
    }
    for (unsigned i = 0; i < 400; i++) {
        p->now_us += 1000000;
        puppet_ping(p);
        cr_assert_eq(puppet_send(p), PL_DROP_NONE);
        puppet_new_run(p);
        cr_assert_leq(unproven(p), PL_UNPROVEN_RUNS);
    }
    for (unsigned i = 0; i < PL_PROVEN_RUNS; i++) {
        cr_assert(knows(p, proven[i]));
    }
    cr_assert_eq(p->end.link->rx.current->id, proven[PL_PROVEN_RUNS - 1]);
    puppet_end(p);
}

Test(link_recv_runs, the_fourth_proven_run_displaces_the_one_heard_of_least_lately)
{
    struct puppet *p = puppet_new(2);
    uint64_t runs[4];

    puppet_open(p);
    for (unsigned i = 0; i < 4; i++) {
        p->now_us += 1000;
        runs[i] = p->run;
        puppet_prove(p);
        if (i == 2) { /* the first is heard of again */
            p->run = runs[0];
            p->number += 10;
            puppet_ping(p);
            puppet_send(p);
        }
        puppet_new_run(p);
    }
    cr_assert(knows(p, runs[0]) && !knows(p, runs[1]) && knows(p, runs[2]) && knows(p, runs[3]));
    cr_assert_eq(p->end.link->rx.current->id, runs[3]);
    puppet_end(p);
}

/* An ACK proves a run only if it speaks of a packet later than any other run acknowledged. */
Test(link_recv_runs, an_acknowledgement_of_something_older_proves_nothing)
{
    struct puppet *p = puppet_new(3);

    puppet_open(p);
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    uint32_t old = p->end_number;
    puppet_prove(p);
    uint64_t live = p->run;
    uint32_t newest = p->end_number;
    for (uint32_t number = old; number <= newest; number++) {
        puppet_new_run(p);
        puppet_ack(p, number, number);
        puppet_send(p);
        cr_assert_eq(p->end.link->rx.current->id, live, "number %u of %u", number, newest);
        cr_assert(!pl_runs_is_proven(pl_runs_find(&p->end.link->rx, p->run)));
    }
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    puppet_ack(p, p->end_number, p->end_number);
    puppet_send(p);
    cr_assert_eq(p->end.link->rx.current->id, p->run);
    cr_assert_eq(side_events(&p->end, PL_EVENT_PEER_RUN, NULL), 2);
    puppet_end(p);
}

Test(link_recv_runs, an_acknowledgement_counts_only_under_a_to_that_names_a_kept_run)
{
    struct puppet *p = puppet_new(4);

    puppet_open(p);
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    struct pl_frame ack = {.type = PL_FRAME_ACK, .u.ack = {.largest = p->end_number}};
    puppet_frame(p, &ack); /* no TO at all */
    puppet_send(p);
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_TO, .u.to = {.run_tag = 0x12345678}});
    puppet_frame(p, &ack);
    puppet_send(p);
    cr_assert(!pl_link_is_proven(p->end.link));
    cr_assert_eq(p->end.env.counters.ack_lies, 0);
    puppet_ack(p, p->end_number, p->end_number);
    puppet_send(p);
    cr_assert(pl_link_is_proven(p->end.link));
    puppet_end(p);
}

/* From a run's second packet on the answers carry a challenge; its value from that address proves. */
Test(link_recv_runs, a_path_response_proves_from_its_own_address_only)
{
    struct puppet *p = puppet_new(5);

    puppet_open(p);
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_PATH_CHALLENGE), 0);
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_PATH_CHALLENGE), 1);
    uint64_t value = puppet_find(p, PL_FRAME_PATH_CHALLENGE, 0)->u.path_challenge.value;
    for (unsigned wrong = 0; wrong < 4; wrong++) {
        struct pl_frame f = {.type = PL_FRAME_PATH_RESPONSE, .u.path_response = {value + (wrong == 0)}};
        uint64_t run = p->run;
        uint32_t number = p->number;
        p->from = wrong == 1 ? side_route(99) : p->self.here;
        p->now_us += wrong == 2 ? 0 : 1000;
        if (wrong == 2) {
            puppet_new_run(p); /* another run */
        }
        puppet_frame(p, &f);
        puppet_send(p);
        cr_assert_eq(pl_link_is_proven(p->end.link), wrong == 3, "case %u", wrong);
        p->run = run;
        p->number = number + 1;
    }
    cr_assert_eq(p->end.link->rx.current->id, p->run);
    puppet_end(p);
}

Test(link_recv_runs, a_challenge_is_answered_for_two_minutes_and_no_longer)
{
    static const struct {
        uint64_t wait_us;
        bool good;
    } rows[] = {{0, true}, {59999999, true}, {60000001, true}, {119000000, true}, {240000001, false}};

    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct puppet *p = puppet_new(6 + r);
        puppet_open(p);
        for (unsigned i = 0; i < 2; i++) {
            puppet_ping(p);
            puppet_send(p);
            puppet_collect(p);
        }
        uint64_t value = puppet_find(p, PL_FRAME_PATH_CHALLENGE, 0)->u.path_challenge.value;
        p->now_us += rows[r].wait_us;
        puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_PATH_RESPONSE, .u.path_response = {value}});
        puppet_send(p);
        cr_assert_eq(pl_link_is_proven(p->end.link), rows[r].good, "after %u s",
                     (unsigned)(rows[r].wait_us / 1000000));
        puppet_end(p);
    }
}

/* Who cannot seal cannot use up what new runs of the peer are rationed by. */
Test(link_recv_runs, junk_does_not_keep_a_new_run_out)
{
    struct puppet *p = puppet_new(20);
    uint8_t junk[PL_PACKET_OVERHEAD + 20] = {0};

    puppet_open(p);
    puppet_prove(p);
    for (unsigned i = 0; i < 200; i++) {
        struct pl_header header = {.version = PL_VERSION,
                                   .suite = PL_SUITE_AES_128_GCM,
                                   .key_id = p->self.config.key_id_out,
                                   .run = 7000 + i,
                                   .packet_number = i};
        cr_assert(pl_header_encode(junk, sizeof junk, &header) == PL_HEADER_SIZE);
        struct pl_route from = side_route(66);
        cr_assert_eq(side_receive(&p->end, junk, sizeof junk, &from, 0, p->now_us), PL_DROP_SEAL);
    }
    cr_assert_eq(p->end.link->rx.runs_n, 1);
    puppet_new_run(p);
    puppet_ping(p);
    cr_assert_eq(puppet_send(p), PL_DROP_NONE);
    puppet_end(p);
}

Test(link_recv_runs, without_tries_left_only_known_runs_open)
{
    struct puppet *p = puppet_new(22);

    puppet_open(p);
    cr_assert_eq(p->end.env.tries_left, UINT32_MAX);
    puppet_ping(p);
    cr_assert_eq(puppet_send(p), PL_DROP_NONE);
    cr_assert_eq(p->end.env.tries_left, UINT32_MAX, "no limit is not used up");
    p->end.env.tries_left = 2;
    for (unsigned i = 0; i < 4; i++) {
        puppet_new_run(p);
        puppet_ping(p);
        cr_assert_eq(puppet_send(p), i < 2 ? PL_DROP_NONE : PL_DROP_BUDGET, "run %u", i);
        cr_assert_eq(knows(p, p->run), i < 2);
    }
    cr_assert_eq(p->end.env.drops[PL_DROP_BUDGET], 2);
    p->run = p->end.link->rx.runs[1]->id;
    p->number += 10;
    puppet_ping(p);
    cr_assert_eq(puppet_send(p), PL_DROP_NONE);
    cr_assert_eq(p->end.env.tries_left, 0);
    puppet_end(p);
}

Test(link_recv_runs, sixteen_new_runs_at_once_and_then_two_a_second)
{
    struct puppet *p = puppet_new(21);
    unsigned taken = 0;

    puppet_open(p);
    for (unsigned i = 0; i < 40; i++) {
        puppet_new_run(p);
        puppet_ping(p);
        taken += puppet_send(p) == PL_DROP_NONE;
    }
    cr_assert_eq(taken, PL_NEW_RUNS_BURST);
    p->now_us += 3000000;
    for (unsigned i = 0; i < 40; i++) {
        puppet_new_run(p);
        puppet_ping(p);
        taken += puppet_send(p) == PL_DROP_NONE;
    }
    cr_assert_eq(taken, PL_NEW_RUNS_BURST + 3 * PL_NEW_RUNS_PER_S);
    puppet_end(p);
}
