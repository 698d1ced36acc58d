/* What the peer says about keeping: how far STORED frees, when less is a loss, what a refusal stops. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/send.h"
#include "link_pair.h"
#include "link_puppet.h"

enum { S = 1000000, LIFE_A = 0xa0a0a0a0, LIFE_B = 0xb0b0b0b0, LIFE_C = 0xc0c0c0c0 };

/* Lives A (1 to 3), B (4 to 6) and C (7 on), all sent. */
static struct puppet *three_lives(uint64_t seed)
{
    struct puppet *p = puppet_sender(seed, 3);

    puppet_give(p, LIFE_B, 4, LIFE_A, 3, 1000);
    puppet_give(p, LIFE_C, 7, LIFE_B, 3, 1000);
    puppet_collect(p);
    p->now_us += 10000;
    return p;
}

static void acked(struct puppet *p)
{
    puppet_ack(p, p->end_number, p->end_number);
}

Test(link_send_answered, stored_frees_its_life_and_earlier_ones_never_a_later_one)
{
    static const struct {
        uint32_t life;
        uint64_t number, freed;
    } rows[] = {{LIFE_A, 0, 0},  {LIFE_A, 2, 2}, {LIFE_A, 3, 3}, {LIFE_A, 4, 3},
                {LIFE_A, 99, 3}, {LIFE_B, 0, 0}, {LIFE_B, 4, 4}, {LIFE_B, 99, 6},
                {LIFE_C, 7, 7},  {LIFE_C, 9, 9}, {0x99, 9, 0}};

    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct puppet *p = three_lives(r + 1);
        acked(p);
        puppet_stored(p, rows[r].life, rows[r].number, 64);
        puppet_send(p);
        cr_assert_eq(p->end.stored[0], rows[r].freed, "row %u: %u", r, (unsigned)p->end.stored[0]);
        cr_assert_eq(side_events(&p->end, PL_EVENT_BEYOND, NULL), 0);
        if (rows[r].freed == 9) {
            cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER);
            cr_assert(pl_link_settled(p->end.link));
        }
        puppet_end(p);
    }
}

Test(link_send_answered, more_than_was_offered_is_told_and_gone_on_after)
{
    struct puppet *p = puppet_sender(1, 2);
    struct pl_event event = {0};

    puppet_collect(p);
    acked(p);
    puppet_stored(p, LIFE_A, 5, 64);
    puppet_send(p);
    cr_assert_eq(side_events(&p->end, PL_EVENT_BEYOND, &event), 1);
    cr_assert_eq(event.number, 5);
    cr_assert_eq(event.life, LIFE_A);
    struct pl_place place = {.number = 6, .life = LIFE_A, .life_first = 1, .offset = 5 * 1002};
    pl_link_stream_place(p->end.link, 0, &place);
    puppet_give(p, LIFE_A, 1, 0, 1, 1000);
    puppet_collect(p);
    const struct pl_frame *piece = puppet_find(p, PL_FRAME_RECORDS, 0);
    cr_assert_not_null(piece);
    cr_assert_eq(piece->u.records.offset, 5 * 1002);
    acked(p);
    puppet_stored(p, LIFE_A, 6, 64);
    puppet_send(p);
    cr_assert_eq(p->end.stored[0], 6);
    cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER);
    puppet_end(p);
}

/* G16: STORED's number counts from any run, its window only from the current one. */
Test(link_send_answered, a_window_counts_only_from_the_current_run)
{
    for (unsigned proven = 0; proven < 2; proven++) {
        struct puppet *p = puppet_sender(2, 60);
        puppet_collect(p);
        if (proven) {
            acked(p);
        } else {
            puppet_to(p);
        }
        puppet_stored(p, LIFE_A, 1, 4096);
        puppet_send(p);
        cr_assert_eq(p->end.stored[0], 1);
        uint64_t limit = p->end.link->tx.streams[0].limit;
        cr_assert_eq(limit, proven ? 1002 + ((uint64_t)4096 << 10) : PL_WINDOW_FIRST_KIB << 10);
        puppet_end(p);
    }
}

/* G22: a STORED that says less is a loss only after an ASK that it acknowledges. */
Test(link_send_answered, less_than_was_freed_counts_only_as_the_answer_to_an_ask)
{
    struct puppet *p = puppet_sender(3, 6);
    struct pl_event event = {0};

    puppet_collect(p);
    uint32_t flight = p->end_number;
    acked(p);
    puppet_stored(p, LIFE_A, 5, 64);
    puppet_send(p);
    puppet_ack(p, flight, flight);
    puppet_stored(p, LIFE_A, 3, 64); /* one that was overtaken */
    puppet_send(p);
    cr_assert_eq(side_events(&p->end, PL_EVENT_BEHIND, NULL), 0);
    p->now_us += 3 * S;
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_ASK), 1);
    puppet_ack(p, flight, flight);
    puppet_stored(p, LIFE_A, 3, 64); /* still not the answer to it */
    puppet_send(p);
    cr_assert_eq(side_events(&p->end, PL_EVENT_BEHIND, NULL), 0);
    puppet_ack(p, p->end_number, p->end_number);
    puppet_stored(p, LIFE_A, 5, 64); /* the same as before: nothing is lost */
    puppet_send(p);
    cr_assert_eq(side_events(&p->end, PL_EVENT_BEHIND, NULL), 0);
    puppet_ack(p, p->end_number, p->end_number);
    puppet_stored(p, LIFE_A, 3, 64);
    puppet_send(p);
    cr_assert_eq(side_events(&p->end, PL_EVENT_BEHIND, &event), 1);
    cr_assert_eq(event.number, 3);
    puppet_end(p);
}

/* All of A is freed, B has nothing stored yet: the answer to ASK(B) says 0 for B, which is no loss. */
Test(link_send_answered, nothing_stored_of_a_later_life_is_no_loss)
{
    struct puppet *p = three_lives(4);

    acked(p);
    puppet_stored(p, LIFE_A, 3, 64);
    puppet_send(p);
    p->now_us += 3 * S;
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_ASK), 1);
    acked(p);
    puppet_stored(p, LIFE_A, 3, 64);
    puppet_stored(p, LIFE_C, 0, 64);
    puppet_send(p);
    cr_assert_eq(side_events(&p->end, PL_EVENT_BEHIND, NULL), 0);
    puppet_end(p);
}

/* A GAP goes with its STREAM before it, with each probe, until STORED reaches it. */
Test(link_send_answered, gap_goes_until_stored_reaches_it)
{
    struct puppet *p = puppet_sender(5, 6);

    puppet_collect(p);
    acked(p);
    puppet_stored(p, LIFE_A, 4, 64);
    puppet_send(p);
    pl_link_gap(p->end.link, 0, LIFE_A, 1, 0, 4, 4 * 1002);
    for (unsigned i = 0; i < 4; i++) {
        puppet_collect(p);
        cr_assert_leq(p->answers_n, 2, "round %u", i); /* a piece that was lost may follow */
        const struct pl_frame *gap = puppet_find(p, PL_FRAME_GAP, 0),
                              *stream = puppet_find(p, PL_FRAME_STREAM, 0);
        cr_assert(gap != NULL && stream != NULL && stream < gap);
        cr_assert_eq(gap->u.gap.upto, 4);
        cr_assert_eq(gap->u.gap.offset, 4 * 1002);
        acked(p);
        puppet_stored(p, LIFE_A, i < 3 ? 0 : 4, 64);
        puppet_send(p);
        p->now_us += 10 * S;
    }
    cr_assert_eq(side_events(&p->end, PL_EVENT_BEHIND, NULL), 0, "a GAP is on its way already");
    puppet_collect(p);
    cr_assert_null(puppet_find(p, PL_FRAME_GAP, 0));
    puppet_end(p);
}

/* The receiver is restored from a backup: what was freed since is reported lost at both ends, the rest
 * arrives. */
Test(link_send_answered, a_restored_receiver_gets_a_gap_and_goes_on)
{
    struct pair *p = pair_new(6);
    unsigned door = pair_stream(p, A, "door", 7);
    struct pl_event behind = {0};

    for (unsigned i = 0; i < 10; i++) {
        pair_give(p, A, door, 100);
    }
    cr_assert(pair_settle(p));
    struct side_row backup = p->side[B].rows[0];
    for (unsigned i = 0; i < 10; i++) {
        pair_give(p, A, door, 100);
    }
    cr_assert(pair_settle(p));
    p->side[B].delivered_n = 10;
    p->side[B].rows[0] = backup;
    pair_restart(p, B);
    pair_give(p, A, door, 100);
    while (side_events(&p->side[A], PL_EVENT_BEHIND, &behind) == 0 && pair_step(p, 30 * (uint64_t)S)) {
    }
    cr_assert_eq(behind.number, 10);
    const struct out_record *first = &p->out[A][door].records[20];
    pl_link_gap(p->side[A].link, p->out[A][door].slot, first->life, first->life_first, first->before, 20,
                first->offset);
    cr_assert(pair_settle(p));
    cr_assert_eq(p->side[B].gaps_n, 1);
    cr_assert_eq(p->side[B].gaps[0].lost_from, 11);
    cr_assert_eq(p->side[B].gaps[0].upto, 20);
    cr_assert_eq(side_durable(&p->side[B]), 11);
    cr_assert_eq(p->side[B].delivered[10].number, 21);
    cr_assert_eq(p->side[B].rows[0].row.heard, 21);
    pair_end(p);
}

/* G7: what the life has up to the number counts as stored, the rest of it and later lives are cut off. */
Test(link_send_answered, a_fork_cuts_its_life_and_later_ones)
{
    static const struct {
        uint32_t life;
        uint64_t number, freed, unstored;
    } rows[] = {{LIFE_A, 0, 0, 0}, {LIFE_A, 1, 1, 0}, {LIFE_B, 0, 0, 3 * 1002}, {LIFE_B, 5, 5, 0},
                {LIFE_C, 0, 0, 6 * 1002}, {LIFE_C, 8, 8, 0}};

    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct puppet *p = three_lives(10 + r);
        struct pl_event event = {0};
        struct pl_link_figures figures;
        acked(p);
        puppet_refused(p, rows[r].life, rows[r].number, PL_REFUSAL_FORKED);
        puppet_send(p);
        cr_assert_eq(side_events(&p->end, PL_EVENT_FORKED, &event), 1, "row %u", r);
        cr_assert_eq(event.life, rows[r].life);
        cr_assert_eq(event.number, rows[r].number);
        cr_assert_eq(p->end.stored[0], rows[r].freed);
        pl_link_figures(p->end.link, &figures);
        cr_assert_eq(figures.unstored_bytes, rows[r].unstored, "row %u: %u", r,
                     (unsigned)figures.unstored_bytes);
        puppet_refused(p, rows[r].life, rows[r].number, PL_REFUSAL_FORKED); /* nothing of it is held */
        puppet_refused(p, 0x99, 1, PL_REFUSAL_FORKED);
        acked(p);
        puppet_refused(p, rows[r].life, rows[r].number, PL_REFUSAL_FORKED);
        puppet_send(p);
        cr_assert_eq(side_events(&p->end, PL_EVENT_FORKED, NULL), 1);
        for (unsigned i = 0; i < 3; i++) {
            p->now_us += 2 * S;
            puppet_collect(p);
        }
        puppet_end(p);
    }
}

/* Answers of a run that proved nothing stop nothing, and answers for a run we do not have are not read. */
Test(link_send_answered, stale_refusals_are_not_obeyed)
{
    struct puppet *p = three_lives(20);

    for (uint64_t code = PL_REFUSAL_FORKED; code <= PL_REFUSAL_FRAMING; code++) {
        if (code != PL_REFUSAL_MALFORMED) {
            puppet_to(p);
            puppet_refused(p, LIFE_A, 1, code);
            puppet_send(p);
        }
    }
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_TO, .u.to = {.run_tag = 0x31313131}});
    puppet_refused(p, 0, 0, PL_REFUSAL_MALFORMED);
    puppet_stored(p, LIFE_A, 2, 64);
    puppet_send(p);
    cr_assert_eq(side_events(&p->end, PL_EVENT_REFUSED, NULL), 0);
    cr_assert_eq(side_events(&p->end, PL_EVENT_FORKED, NULL), 0);
    cr_assert_eq(side_events(&p->end, PL_EVENT_MUTED, NULL), 0);
    cr_assert_eq(p->end.stored[0], 0);
    puppet_end(p);
}

/* A refusal of a record that is stored or given up was overtaken: the next one may be taken. */
Test(link_send_answered, refusals_of_what_is_gone_are_old)
{
    static const uint64_t codes[] = {PL_REFUSAL_TOO_LARGE, PL_REFUSAL_FRAMING};

    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct puppet *p = three_lives(30 + i);
        uint64_t code = codes[i];
        acked(p);
        puppet_stored(p, LIFE_A, 2, 64);
        puppet_refused(p, LIFE_A, 2, code);
        puppet_send(p);
        cr_assert_eq(side_events(&p->end, PL_EVENT_REFUSED, NULL), 0);
        acked(p);
        puppet_refused(p, LIFE_A, 3, code);
        puppet_send(p);
        cr_assert_eq(side_events(&p->end, PL_EVENT_REFUSED, NULL), 1);
        puppet_end(p);
    }
}

/* 4 to 6 are probed without bytes, and end with a STORED that opens a window; 2, 3 and 8 stop the stream
 * (G24). */
Test(link_send_answered, refusals_and_their_ends)
{
    for (uint64_t code = PL_REFUSAL_UNWANTED; code <= PL_REFUSAL_FRAMING; code++) {
        bool soft = code >= PL_REFUSAL_STORE_FULL && code <= PL_REFUSAL_LIMIT;
        struct puppet *p = three_lives(21 + code);
        if (code == PL_REFUSAL_MALFORMED) {
            puppet_end(p);
            continue;
        }
        for (unsigned again = 0; again < 3; again++) {
            acked(p);
            puppet_stored(p, LIFE_A, 1, 64);
            puppet_refused(p, LIFE_A, 2, code);
            puppet_send(p);
        }
        cr_assert_eq(side_events(&p->end, PL_EVENT_REFUSED, NULL), 1, "told once");
        cr_assert_eq(side_events(&p->end, PL_EVENT_RESUMED, NULL), 0);
        unsigned probes = 0;
        for (unsigned i = 0; i < 100; i++) {
            p->now_us += S;
            probes += puppet_collect(p);
            cr_assert_eq(puppet_count(p, PL_FRAME_RECORDS) + puppet_count(p, PL_FRAME_RECORDS_LENGTH), 0);
            cr_assert_eq(puppet_count(p, PL_FRAME_ASK), p->answers_n);
        }
        cr_assert(soft ? probes >= 4 && probes <= 14 : probes == 0, "code %u: %u", (unsigned)code, probes);
        puppet_to(p);
        puppet_stored(p, LIFE_A, 1, 0); /* a window of nothing ends nothing */
        puppet_send(p);
        cr_assert_eq(side_events(&p->end, PL_EVENT_RESUMED, NULL), 0);
        puppet_to(p);
        puppet_stored(p, LIFE_A, 1, 64);
        puppet_send(p);
        cr_assert_eq(side_events(&p->end, PL_EVENT_RESUMED, NULL), 1);
        p->now_us += S;
        puppet_collect(p);
        const struct pl_frame *piece = puppet_find(p, PL_FRAME_RECORDS, 0);
        piece = piece != NULL ? piece : puppet_find(p, PL_FRAME_RECORDS_LENGTH, 0);
        cr_assert_not_null(piece);
        cr_assert_eq(piece->u.records.offset, 1002, "all above STORED goes again");
        puppet_end(p);
    }
}

Test(link_send_answered, unbound_brings_the_stream_again)
{
    struct puppet *p = puppet_sender(40, 3);

    puppet_collect(p);
    acked(p);
    puppet_stored(p, LIFE_A, 3, 64);
    puppet_send(p);
    puppet_give(p, LIFE_A, 1, 0, 1, 100);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_STREAM), 0);
    puppet_new_run(p);
    puppet_to(p); /* of a run that proved nothing */
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_UNBOUND, .u.unbound = {.life = LIFE_A}});
    puppet_send(p);
    p->now_us += 3 * S;
    puppet_collect(p);
    cr_assert_geq(puppet_count(p, PL_FRAME_STREAM), 1);
    puppet_end(p);
}
