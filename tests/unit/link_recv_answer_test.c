/* Answers: when they go, what they hold, and how many bytes an address nobody vouches for may draw. */
#include <criterion/criterion.h>

#include "link/state.h"
#include "link_pair.h"
#include "link_puppet.h"

enum { S = 1000000, LIFE_A = 0xa0a0a0a0, LIFE_B = 0xb0b0b0b0, BIRTH = 77 };

static void record(struct puppet *p, unsigned k)
{
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 6 * k, 6);
    cr_assert_eq(puppet_send(p), PL_DROP_NONE);
}

/* 25 ms after the first unanswered packet, not after the last (G19). */
Test(link_recv_answer, an_answer_waits_25_ms_at_most)
{
    struct puppet *p = puppet_new(1);
    uint64_t first_us = p->now_us;

    puppet_open(p);
    cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER);
    for (unsigned i = 0; i < 5; i++) {
        record(p, i);
        cr_assert_eq(puppet_collect(p), 0);
        cr_assert_eq(pl_link_deadline(p->end.link), first_us + PL_ANSWER_DELAY_US);
        p->now_us += 4000;
    }
    p->now_us = first_us + PL_ANSWER_DELAY_US;
    cr_assert_eq(puppet_collect(p), 1);
    const struct pl_frame *ack = puppet_find(p, PL_FRAME_ACK, 0);
    cr_assert_eq(ack->u.ack.first_range, 4);
    cr_assert_eq(ack->u.ack.delay, 9000); /* of the newest packet */
    cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER);
    puppet_end(p);
}

Test(link_recv_answer, one_answer_a_commit_and_nothing_else_is_then_due)
{
    struct puppet *p = puppet_new(2);

    puppet_open(p);
    for (unsigned i = 0; i < 20; i++) {
        record(p, i);
    }
    cr_assert_eq(puppet_collect(p), 0);
    side_commit(&p->end, p->now_us);
    cr_assert_eq(puppet_collect(p), 1);
    cr_assert_eq(puppet_count(p, PL_FRAME_ACK), 1);
    cr_assert_eq(puppet_count(p, PL_FRAME_STORED), 1);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 20);
    cr_assert_eq(p->answers[0].payload.frames[0].type, PL_FRAME_TO);
    cr_assert_eq(p->answers[0].payload.frames[1].type, PL_FRAME_ACK);
    cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER);
    puppet_end(p);
}

Test(link_recv_answer, ping_ask_and_a_new_gap_are_answered_at_once)
{
    struct puppet *p = puppet_new(3);

    puppet_open(p);
    puppet_ping(p);
    puppet_send(p);
    cr_assert_eq(puppet_collect(p), 1);
    record(p, 0);
    puppet_ask(p, LIFE_A);
    puppet_send(p);
    cr_assert_eq(puppet_collect(p), 1);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 0);
    p->number += 1;
    record(p, 1);
    cr_assert_eq(puppet_collect(p), 1, "a new gap");
    record(p, 2);
    cr_assert_eq(puppet_collect(p), 0, "the gap was told");
    p->now_us += PL_ANSWER_DELAY_US;
    cr_assert_eq(puppet_collect(p), 1);
    puppet_end(p);
}

Test(link_recv_answer, at_256_unanswered_packets)
{
    struct puppet *p = puppet_new(4);

    puppet_open(p);
    for (unsigned i = 1; i <= PL_ANSWER_PACKETS; i++) {
        record(p, i % 9);
        cr_assert_eq(puppet_collect(p), i == PL_ANSWER_PACKETS, "packet %u", i);
    }
    puppet_end(p);
}

/* What asks for nothing gets nothing: answers to answers would never end. */
Test(link_recv_answer, answers_and_path_frames_ask_for_no_answer)
{
    struct puppet *p = puppet_new(5);

    puppet_open(p);
    puppet_prove(p);
    puppet_ack(p, p->end_number, p->end_number);
    puppet_stored(p, LIFE_A, 5, 16);
    puppet_refused(p, LIFE_A, 5, PL_REFUSAL_FORKED);
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_UNBOUND, .u.unbound = {.life = LIFE_B}});
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_PATH_RESPONSE, .u.path_response = {.value = 9}});
    puppet_send(p);
    cr_assert_eq(puppet_collect(p), 0);
    cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER);
    puppet_end(p);
}

/* The bytes of everything sent to an address stay below three times what came from there. */
Test(link_recv_answer, three_times_the_bytes_to_an_address_not_validated)
{
    for (unsigned seed = 1; seed <= 30; seed++) {
        struct puppet *p = puppet_new(seed);
        size_t in[3] = {0}, out[3] = {0};
        puppet_open(p);
        for (unsigned i = 0; i < 300; i++) {
            uint32_t r = 0;
            p->self.env.random(&p->self, &r, sizeof r);
            unsigned at = r >> 8 & 1;
            p->from = side_route((uint8_t)(70 + at));
            if (r % 7 == 0) {
                puppet_new_run(p);
                p->now_us += S;
            }
            switch (r % 5) {
            case 0: puppet_ping(p); break;
            case 1:
                puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
                puppet_sixes(p, LIFE_A, r >> 16 & 63, 6);
                break;
            case 2: puppet_ask(p, LIFE_A); break;
            case 3:
                puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_PATH_CHALLENGE, .u.path_challenge = {r}});
                break;
            default:
                for (unsigned life = 0; life < 9; life++) {
                    puppet_sixes(p, 100 + life, 0, 1);
                }
            }
            size_t n = p->payload_n + PL_PACKET_OVERHEAD;
            p->number += r >> 24 & 1; /* a gap now and then */
            if (puppet_send(p) == PL_DROP_NONE) {
                in[at] += n;
            }
            if (r >> 12 & 1) {
                side_commit(&p->end, p->now_us);
            }
            puppet_collect(p);
            for (unsigned a = 0; a < p->answers_n; a++) {
                unsigned to = (unsigned)(p->answers[a].route.bytes[0] - 70);
                cr_assert_lt(to, 2);
                out[to] += p->answers[a].n;
                cr_assert_leq(out[to], 3 * in[to], "seed %u: %zu B from there, %zu to there", seed, in[to],
                              out[to]);
            }
            p->now_us += r >> 20 & 4095;
        }
        cr_assert_gt(out[0], 0);
        puppet_end(p);
    }
}

Test(link_recv_answer, the_credit_lapses_after_a_second)
{
    struct puppet *p = puppet_new(6);

    puppet_open(p);
    record(p, 0);
    p->now_us += PL_CREDIT_TIME_US + 1;
    side_commit(&p->end, p->now_us);
    cr_assert_eq(puppet_collect(p), 0);
    cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER, "what may not be sent is given up");
    puppet_ask(p, LIFE_A);
    puppet_send(p);
    cr_assert_eq(puppet_collect(p), 1);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 1);
    puppet_end(p);
}

/* A replay of an old run's packets, however often, does not lead the live run's STORED away. */
Test(link_recv_answer, a_replay_does_not_lead_answers_away)
{
    struct puppet *p = puppet_new(7);
    uint64_t old = p->run;

    puppet_open(p);
    record(p, 0); /* what the attacker recorded: the old run's numbers 1000 on */
    side_commit(&p->end, p->now_us);
    side_close(&p->end);
    puppet_open(p);
    p->answers_n = 0;
    puppet_new_run(p);
    puppet_prove(p);
    uint64_t live = p->run;
    uint32_t live_number = p->number, old_number = 1000;
    for (unsigned i = 1; i < 50; i++) {
        p->run = live;
        p->number = live_number++;
        p->from = p->self.here;
        record(p, i);
        p->run = old;
        p->number = old_number++;
        p->from = side_route(66);
        record(p, 0);
        side_commit(&p->end, p->now_us);
        puppet_collect(p);
        bool heard = false;
        for (unsigned a = 0; a < p->answers_n; a++) {
            const struct pl_payload *payload = &p->answers[a].payload;
            for (unsigned f = 0; f < payload->count && p->answers[a].route.bytes[0] == p->self.here.bytes[0];
                 f++) {
                heard |= payload->frames[f].type == PL_FRAME_STORED &&
                         payload->frames[f].u.stored.number == i + 1;
            }
        }
        cr_assert(heard, "STORED of record %u went elsewhere", i + 1);
        p->now_us += 1000;
    }
    puppet_end(p);
}

/* Only the newest run has STORED under it; each run with news has its own TO and ACK. */
Test(link_recv_answer, each_run_with_news_has_its_ack)
{
    struct puppet *p = puppet_new(8);

    puppet_open(p);
    record(p, 0);
    uint64_t first = p->run;
    p->now_us += 100;
    puppet_new_run(p);
    record(p, 1);
    side_commit(&p->end, p->now_us);
    cr_assert_eq(puppet_collect(p), 1);
    const struct pl_payload *answer = &p->answers[0].payload;
    cr_assert_eq(puppet_count(p, PL_FRAME_TO), 2);
    cr_assert_eq(puppet_count(p, PL_FRAME_ACK), 2);
    cr_assert_eq(answer->frames[0].u.to.run_tag, (uint32_t)(p->run >> 32));
    cr_assert_eq(puppet_find(p, PL_FRAME_TO, 1)->u.to.run_tag, (uint32_t)(first >> 32));
    cr_assert_eq(answer->frames[2].type, PL_FRAME_STORED);
    puppet_end(p);
}

Test(link_recv_answer, many_streams_are_answered_in_packets_that_parse)
{
    struct pair *p = pair_new(9);
    char name[8] = "s00";

    for (unsigned i = 0; i < PL_STREAMS_MAX; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        unsigned stream = pair_stream(p, A, name, 100 + i);
        for (unsigned k = 0; k < 3; k++) {
            pair_give(p, A, stream, 20 + i);
        }
    }
    cr_assert(pair_settle(p));
    pair_check(p, A);
    cr_assert_eq(side_durable(&p->side[B]), 3 * PL_STREAMS_MAX);
    cr_assert_eq(p->drops[PL_DROP_MALFORMED], 0);
    pair_end(p);
}

/* A store that was full at the first contact tells that it has room again. */
Test(link_recv_answer, the_end_of_a_full_store_is_told)
{
    for (unsigned first = 0; first < 2; first++) {
        struct pair *p = pair_new(10);
        unsigned door = pair_stream(p, A, "door", 7);
        struct pl_event event = {0};
        if (!first) {
            pair_give(p, A, door, 30);
            cr_assert(pair_settle(p));
        }
        p->side[B].env.store_full = true;
        pair_give(p, A, door, 900);
        pair_give(p, A, door, 900);
        pair_run(p, 3 * S);
        cr_assert_eq(side_events(&p->side[A], PL_EVENT_REFUSED, &event), 1);
        cr_assert_eq(event.code, PL_REFUSAL_STORE_FULL);
        pair_run(p, 3 * S);
        cr_assert_leq(p->sent[A], 12, "a full store is only probed");
        p->side[B].env.store_full = false;
        pl_link_unrefuse(p->side[B].link, p->now_us);
        pair_run(p, S / 2);
        cr_assert_eq(side_events(&p->side[A], PL_EVENT_RESUMED, NULL), 1, "first %u", first);
        cr_assert(pair_all_stored(p));
        cr_assert(pair_settle(p));
        pair_check(p, A);
        pair_end(p);
    }
}
