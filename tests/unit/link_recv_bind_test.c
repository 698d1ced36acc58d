/* STREAM, ASK and GAP: bound once, answered for what is asked, lost only what a proven run says is lost. */
#include <stdio.h>

#include <criterion/criterion.h>

#include "link_pair.h"
#include "link_puppet.h"

enum { LIFE_A = 0xa0a0a0a0, LIFE_B = 0xb0b0b0b0, LIFE_X = 0xcccccccc, BIRTH = 77, OTHER = 78 };

/* A first record of life A is stored. */
static struct puppet *with_one_stored(uint64_t seed)
{
    struct puppet *p = puppet_new(seed);

    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_send(p);
    side_commit(&p->end, p->now_us);
    puppet_collect(p);
    return p;
}

/* A tag is bound once; the answer to what contradicts it frees nothing (G9). */
Test(link_recv_bind, a_stream_that_contradicts_is_forked_with_number_0)
{
    static const struct {
        uint64_t first, birth;
        uint32_t before;
        const char *name;
    } rows[] = {
        {1, OTHER, 0, "door"}, {1, BIRTH, 0, "window"}, {2, BIRTH, LIFE_B, "door"}, {1, OTHER, 0, "window"}};

    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct puppet *p = with_one_stored(r + 1);
        uint64_t number = 9;
        puppet_stream(p, LIFE_A, rows[r].first, rows[r].before, rows[r].birth, rows[r].name);
        puppet_ping(p);
        puppet_send(p);
        puppet_collect(p);
        cr_assert_eq(puppet_refused_of(p, LIFE_A, &number), PL_REFUSAL_FORKED, "row %u", r);
        cr_assert_eq(number, 0);
        puppet_stream(p, LIFE_B, 2, LIFE_A, BIRTH, "gate"); /* a birth has one name */
        puppet_ping(p);
        puppet_send(p);
        puppet_collect(p);
        cr_assert_eq(puppet_refused_of(p, LIFE_B, &number), PL_REFUSAL_FORKED);
        cr_assert_eq(number, 0);
        cr_assert_eq(p->end.delivered_n, 1);
        puppet_end(p);
    }
}

Test(link_recv_bind, ask_is_answered_for_its_life_and_the_last_stored)
{
    struct puppet *p = with_one_stored(1);

    puppet_stream(p, LIFE_B, 2, LIFE_A, BIRTH, "door");
    puppet_ask(p, LIFE_B);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(p->answers_n, 1);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 1);
    cr_assert_eq(puppet_stored_of(p, LIFE_B), 0);
    puppet_sixes(p, LIFE_B, 0, 12);
    puppet_send(p);
    side_commit(&p->end, p->now_us);
    puppet_collect(p);
    cr_assert_eq(puppet_stored_of(p, LIFE_B), 3);
    puppet_ask(p, LIFE_A);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 1);
    cr_assert_eq(puppet_stored_of(p, LIFE_B), 3);
    puppet_ask(p, LIFE_X);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_UNBOUND), 1);
    cr_assert_eq(puppet_count(p, PL_FRAME_STORED), 0);
    puppet_end(p);
}

/* One commit that ends in a later life makes the lives before it durable too. */
Test(link_recv_bind, a_commit_over_lives_counts_for_each_of_them)
{
    struct puppet *p = puppet_new(2);

    puppet_open(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 12);
    puppet_send(p);
    puppet_stream(p, LIFE_B, 3, LIFE_A, BIRTH, "door");
    puppet_sixes(p, LIFE_B, 0, 6);
    puppet_send(p);
    side_commit(&p->end, p->now_us);
    puppet_ask(p, LIFE_A);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 2);
    cr_assert_eq(puppet_stored_of(p, LIFE_B), 3);
    puppet_end(p);
}

Test(link_recv_bind, gap_is_taken_only_from_a_proven_run_and_only_forwards)
{
    struct puppet *p = with_one_stored(3);

    for (unsigned proven = 0; proven < 2; proven++) {
        puppet_stream(p, LIFE_B, 5, LIFE_A, BIRTH, "door");
        puppet_gap(p, LIFE_B, 7, 18);
        puppet_ask(p, LIFE_B);
        puppet_send(p);
        side_commit(&p->end, p->now_us);
        puppet_collect(p);
        cr_assert_eq(p->end.gaps_n, proven);
        cr_assert_eq(side_events(&p->end, PL_EVENT_LOST, NULL), proven);
        cr_assert_eq(puppet_stored_of(p, LIFE_B), proven ? 7 : 0);
        if (!proven) {
            puppet_prove(p);
        }
    }
    cr_assert_eq(p->end.gaps[0].lost_from, 2);
    cr_assert_eq(p->end.gaps[0].upto, 7);
    cr_assert_eq(p->end.gaps[0].offset, 18);
    puppet_gap(p, LIFE_B, 7, 18); /* again: a repeat */
    puppet_send(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_gap(p, LIFE_A, 1, 6); /* back: nothing */
    puppet_send(p);
    cr_assert_eq(p->end.gaps_n, 1);
    puppet_sixes(p, LIFE_B, 18, 12);
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, 3);
    cr_assert_eq(p->end.delivered[1].number, 8);
    side_close(&p->end);
    puppet_open(p); /* the row of the GAP goes on at the offset it names */
    puppet_stream(p, LIFE_B, 5, LIFE_A, BIRTH, "door");
    puppet_sixes(p, LIFE_B, 18, 6);
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, 2);
    cr_assert_eq(p->end.delivered[1].number, 8);
    puppet_end(p);
}

Test(link_recv_bind, gap_drops_parts_of_lower_numbers_and_takes_what_waited)
{
    struct puppet *p = with_one_stored(4);

    puppet_prove(p);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 6, 3); /* half of number 2 */
    puppet_sixes(p, LIFE_A, 20, 10); /* the end of 4, and 5 */
    puppet_send(p);
    puppet_gap(p, LIFE_A, 3, 18); /* 2 and 3 are gone */
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, 1);
    puppet_sixes(p, LIFE_A, 18, 2);
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, 3);
    cr_assert_eq(p->end.delivered[1].number, 4);
    cr_assert_eq(p->end.delivered[2].number, 5);
    side_commit(&p->end, p->now_us);
    puppet_collect(p);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 5);
    cr_assert_lt(p->end.env.held_bytes, 100); /* room for a part is kept, no piece */
    puppet_end(p);
}

/* A record that no one takes blocks its stream; a GAP over it is how an operator goes on. */
Test(link_recv_bind, gap_ends_a_refusal)
{
    struct puppet *p = with_one_stored(5);
    static const uint8_t bad[3] = {0x40, 0x01, 7};

    puppet_prove(p);
    puppet_piece(p, LIFE_A, 6, bad, 3);
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_refused_of(p, LIFE_A, NULL), PL_REFUSAL_FRAMING);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_gap(p, LIFE_A, 2, 12);
    puppet_sixes(p, LIFE_A, 12, 6);
    puppet_send(p);
    side_commit(&p->end, p->now_us);
    puppet_collect(p);
    cr_assert_eq(puppet_refused_of(p, LIFE_A, NULL), 0);
    cr_assert_eq(puppet_stored_of(p, LIFE_A), 3);
    cr_assert_eq(p->end.delivered_n, 2);
    puppet_end(p);
}

Test(link_recv_bind, limits_of_names_and_births)
{
    struct puppet *p = puppet_new(6);
    char name[16];

    puppet_open(p);
    puppet_prove(p);
    for (uint32_t i = 0; i < PL_STREAMS_MAX + 1; i++) {
        snprintf(name, sizeof name, "s%u", i);
        puppet_stream(p, 1000 + i, 1, 0, 500 + i, name);
        puppet_sixes(p, 1000 + i, 0, 6);
        puppet_send(p);
    }
    cr_assert_eq(p->end.delivered_n, PL_STREAMS_MAX);
    p->now_us += PL_ANSWER_DELAY_US;
    puppet_collect(p);
    cr_assert_eq(puppet_refused_of(p, 1000 + PL_STREAMS_MAX, NULL), PL_REFUSAL_LIMIT);
    for (uint32_t i = PL_STREAMS_MAX; i < PL_BIRTHS_MAX + 1; i++) {
        puppet_stream(p, 1000 + i, 1, 0, 500 + i, "s1");
        puppet_sixes(p, 1000 + i, 0, 6);
        puppet_send(p);
    }
    cr_assert_eq(p->end.delivered_n, PL_BIRTHS_MAX);
    p->now_us += PL_ANSWER_DELAY_US;
    puppet_collect(p);
    cr_assert_eq(puppet_refused_of(p, 1000 + PL_BIRTHS_MAX, NULL), PL_REFUSAL_LIMIT);
    puppet_end(p);
}

Test(link_recv_bind, unwanted_streams_stop_and_are_asked_for_once_an_hour)
{
    struct pair *p = pair_new(7);
    unsigned door = pair_stream(p, A, "door", 7);
    struct pl_event event = {0};

    p->side[B].env.settings.allow_new_streams = false;
    pair_give(p, A, door, 100);
    pair_run(p, 10000000);
    cr_assert_eq(side_events(&p->side[A], PL_EVENT_REFUSED, &event), 1);
    cr_assert_eq(event.code, PL_REFUSAL_UNWANTED);
    cr_assert_eq(p->side[B].delivered_n, 0);
    unsigned sent = p->sent[A];
    cr_assert_leq(sent, 2);
    pair_run(p, PL_REFUSED_ASK_US - 20000000);
    cr_assert_eq(p->sent[A], sent);
    pair_run(p, 20000000);
    cr_assert_eq(p->sent[A], sent + 2); /* PING, STREAM, ASK; and the response to a challenge */
    p->side[B].env.settings.allow_new_streams = true;
    pair_run(p, PL_REFUSED_ASK_US + 10000000);
    cr_assert_eq(side_events(&p->side[A], PL_EVENT_RESUMED, NULL), 1);
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_end(p);
}
