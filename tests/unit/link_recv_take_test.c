/* Bytes in order: whole records are delivered, large ones put together, bad ones refused. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "link_pair.h"
#include "link_puppet.h"

enum { LIFE_A = 0xa0a0a0a0, BIRTH = 77 };

/* A record larger than the first window arrives, wherever it stands (G5). */
Test(link_recv_take, records_larger_than_the_window)
{
    static const size_t sizes[] = {16380, 16384, 1 << 16, 1 << 20};

    for (unsigned i = 0; i < 4 * sizeof sizes / sizeof sizes[0]; i++) {
        struct pair *p = pair_new(i + 1);
        size_t size = sizes[i / 4];
        unsigned door = pair_stream(p, A, "door", 7);
        if (i & 1) {
            pair_give(p, A, door, 100);
        }
        if (i & 2) {
            p->out[A][door].new_life = true; /* the large one begins a life */
        }
        pair_give(p, A, door, size);
        pair_give(p, A, door, 5);
        cr_assert(pair_settle(p), "record of %zu B, case %u", size, i & 3);
        pair_check(p, A);
        cr_assert_eq(p->side[A].env.counters.lost_packets, 0);
        cr_assert_eq(p->side[B].env.counters.pieces_left, 0);
        pair_end(p);
    }
}

/* The window of a large first record of a later life is told although its own life has nothing stored. */
Test(link_recv_take, a_large_record_after_the_lives_before_are_stored)
{
    for (unsigned later = 0; later < 2; later++) {
        struct pair *p = pair_new(20);
        unsigned door = pair_stream(p, A, "door", 7);
        pair_give(p, A, door, 100);
        p->out[A][door].new_life = true;
        if (later) {
            cr_assert(pair_settle(p));
            pair_restart(p, A);
        }
        pair_give(p, A, door, 1 << 16);
        uint64_t begin_us = p->now_us;
        cr_assert(pair_settle(p));
        cr_assert_lt(p->now_us - begin_us, 500000, "it waited for a timer");
        cr_assert_eq(side_events(&p->side[A], PL_EVENT_BEHIND, NULL), 0);
        pair_check(p, A);
        pair_end(p);
    }
}

Test(link_recv_take, sizes_at_every_edge_and_none_at_all)
{
    static const size_t sizes[] = {0, 1, 63, 64, 0, 0, 16382, 16383, 16384, 1, 0, 1131, 1132, 1133, 62, 0};
    struct pair *p = pair_new(3);
    unsigned door = pair_stream(p, A, "door", 7);

    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            pair_give(p, A, door, sizes[i]);
        }
    }
    for (unsigned i = 0; i < 1200; i++) {
        pair_give(p, A, door, i);
    }
    cr_assert(pair_settle(p));
    pair_check(p, A);
    cr_assert_eq(side_durable(&p->side[B]), p->out[A][door].n);
    pair_end(p);
}

/* Records of 70 B whose size field takes two bytes, handed over a byte a packet. */
Test(link_recv_take, a_byte_a_packet)
{
    struct puppet *p = puppet_new(4);
    uint8_t bytes[216];

    for (unsigned i = 0; i < 3; i++) {
        memset(bytes + 72 * i, 'a' + (int)i, 72);
        bytes[72 * i] = 0x40;
        bytes[72 * i + 1] = 70;
    }
    puppet_open(p);
    for (unsigned i = 0; i < sizeof bytes; i++) {
        puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
        puppet_piece(p, LIFE_A, i, bytes + i, 1);
        puppet_send(p);
        cr_assert_eq(p->end.delivered_n, (i + 1) / 72);
    }
    cr_assert_eq(p->end.delivered[2].print, side_print(bytes + 146, 70));
    puppet_end(p);
}

/* Of a refused stream nothing is held, pieces count as dealt with, and each is answered by REFUSED. */
Test(link_recv_take, bad_sizes_are_refused_and_acknowledged)
{
    static const struct {
        uint8_t bytes[5];
        size_t n;
        uint64_t code;
    } rows[] = {
        {{0x40, 0x05, 1, 2, 3}, 5, PL_REFUSAL_FRAMING},           /* 5 in two bytes */
        {{0x80, 0, 0x3f, 0xff, 0}, 5, PL_REFUSAL_FRAMING},        /* 16383 in four */
        {{0x80, 0x10, 0x00, 0x01, 0}, 5, PL_REFUSAL_TOO_LARGE},   /* 1 MiB and a byte */
        {{0xbf, 0xff, 0xff, 0xff, 0}, 5, PL_REFUSAL_TOO_LARGE},
    };

    for (unsigned cut = 0; cut < 2 * sizeof rows / sizeof rows[0]; cut++) {
        struct puppet *p = puppet_new(cut + 1);
        unsigned r = cut / 2;
        struct pl_event event = {0};
        uint64_t number = 0;
        puppet_open(p);
        puppet_prove(p);
        puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
        puppet_sixes(p, LIFE_A, 0, 12);
        puppet_send(p);
        side_commit(&p->end, p->now_us);
        puppet_sixes(p, LIFE_A, 40, 10); /* held, and dropped when the stream is refused */
        puppet_send(p);
        if (cut & 1) { /* the size field itself comes in two pieces */
            puppet_piece(p, LIFE_A, 12, rows[r].bytes, 1);
            puppet_send(p);
            puppet_piece(p, LIFE_A, 13, rows[r].bytes + 1, rows[r].n - 1);
        } else {
            puppet_piece(p, LIFE_A, 12, rows[r].bytes, rows[r].n);
        }
        puppet_ping(p);
        puppet_send(p);
        puppet_collect(p);
        cr_assert_eq(puppet_refused_of(p, LIFE_A, &number), rows[r].code, "row %u", r);
        cr_assert_eq(number, 3);
        cr_assert(puppet_acked(p, p->number - 1));
        cr_assert_eq(p->end.env.held_bytes, 0);
        cr_assert_eq(side_events(&p->end, PL_EVENT_REFUSING, &event), 1);
        cr_assert_eq(event.number, 3);
        puppet_sixes(p, LIFE_A, 18, 6);
        puppet_ask(p, LIFE_A);
        puppet_send(p);
        puppet_collect(p);
        cr_assert_eq(puppet_refused_of(p, LIFE_A, &number), rows[r].code);
        cr_assert_eq(puppet_stored_of(p, LIFE_A), 2);
        cr_assert(puppet_acked(p, p->number - 1));
        cr_assert_eq(p->end.delivered_n, 2);
        puppet_end(p);
    }
}

/* They are kept and acknowledged: a slow disk is no loss on the way. */
Test(link_recv_take, a_full_chunk_makes_pieces_wait_until_there_is_room)
{
    struct pair *p = pair_new(5);
    unsigned door = pair_stream(p, A, "door", 7);

    for (unsigned i = 0; i < 300; i++) {
        pair_give(p, A, door, 900);
    }
    while (!pair_all_stored(p) && p->now_us < 100000000) {
        p->side[B].env.room_bytes = 5000;
        pair_run(p, 15000);
    }
    cr_assert_gt(p->side[B].env.counters.pieces_held, 0);
    cr_assert_eq(p->side[B].env.counters.pieces_left, 0);
    cr_assert_eq(p->side[A].env.counters.lost_packets, 0);
    cr_assert(pair_all_stored(p));
    pair_check(p, A);
    pair_end(p);
}

/* Nothing says later that it came: it must not count as received. */
Test(link_recv_take, what_finds_neither_room_nor_memory_is_left)
{
    for (int room = 0; room < 3; room++) {
        struct puppet *p = puppet_new(3);
        struct pl_env *env = &p->end.env;
        puppet_open(p);
        puppet_prove(p);
        puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
        env->room_bytes = room == 1 ? 1000 : 0;
        env->settings.held_max_bytes = room == 2 ? 1000 : 0;
        puppet_sixes(p, LIFE_A, 0, 12);
        puppet_ping(p);
        puppet_send(p);
        puppet_collect(p);
        cr_assert_eq(puppet_acked(p, p->number - 1), room > 0);
        cr_assert_eq(env->counters.pieces_left, room == 0);
        cr_assert_eq(pl_link_is_stalled(p->end.link), room == 2);
        cr_assert_eq(p->end.delivered_n, room == 1 ? 2 : 0);
        env->room_bytes = 1000;
        pl_link_resume(p->end.link, p->now_us);
        cr_assert_not(pl_link_is_stalled(p->end.link));
        cr_assert_eq(p->end.delivered_n, room > 0 ? 2 : 0);
        puppet_sixes(p, LIFE_A, 0, 12);
        puppet_send(p);
        cr_assert_eq(p->end.delivered_n, 2);
        puppet_end(p);
    }
}

/* Loses the first answer that says STORED above 0. */
static bool lose_one_stored(struct pair *p, struct datagram *d)
{
    bool *lost = p->filter_ctx;
    const struct pl_frame *stored = d->to == A ? pair_frame(p, d, PL_FRAME_STORED) : NULL;

    if (stored == NULL || stored->u.stored.number == 0 || *lost) {
        return true;
    }
    *lost = true;
    return false;
}

Test(link_recv_take, what_precedes_a_refused_record_is_asked_after)
{
    struct pair *p = pair_new(7);
    unsigned door = pair_stream(p, A, "door", 7);
    bool lost = false;

    p->side[B].env.settings.record_max_bytes = 1000;
    p->commit_delay_us = 100000; /* REFUSED goes before the commit */
    p->filter = lose_one_stored;
    p->filter_ctx = &lost;
    pair_give(p, A, door, 1000);
    pair_give(p, A, door, 1001);
    pair_run(p, 20 * UINT64_C(1000000));
    cr_assert(lost);
    cr_assert_eq(side_events(&p->side[A], PL_EVENT_REFUSED, NULL), 1);
    cr_assert_eq(p->out[A][door].stored, 1);
    unsigned sent = p->sent[A];
    pair_run(p, 3000 * UINT64_C(1000000));
    cr_assert_leq(p->sent[A], sent + 1, "then once an hour");
    pair_end(p);
}

Test(link_recv_take, record_max_is_a_setting)
{
    struct pair *p = pair_new(6);
    unsigned door = pair_stream(p, A, "door", 7), bell = pair_stream(p, A, "bell", 8);
    struct pl_event event = {0};

    p->side[B].env.settings.record_max_bytes = 1000;
    pair_give(p, A, door, 1000);
    pair_give(p, A, door, 1001);
    pair_give(p, A, door, 7);
    pair_give(p, A, bell, 10);
    pair_run(p, 20 * UINT64_C(1000000));
    cr_assert_eq(p->out[A][door].stored, 1);
    cr_assert_eq(p->out[A][bell].stored, 1);
    cr_assert_eq(side_events(&p->side[A], PL_EVENT_REFUSED, &event), 1);
    cr_assert_eq(event.code, PL_REFUSAL_TOO_LARGE);
    cr_assert_eq(event.number, 2);
    pair_end(p);
}
