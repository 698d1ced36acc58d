/* What one packet holds: PING, STREAM before what uses its life, pieces that fill it. */
#include <string.h>

#include <criterion/criterion.h>

#include "link_pair.h"
#include "link_puppet.h"

/* 61 B records in a bulk: 18.6 a packet, each full but the last, all bytes once. */
Test(link_send_packet, bulk_packets_are_full)
{
    struct pair *p = pair_new(1);
    unsigned door = pair_stream(p, A, "door", 7), full = 0, with_records = 0;
    enum { RECORDS = 18600 };

    for (unsigned i = 0; i < RECORDS; i++) {
        pair_give(p, A, door, 61);
    }
    cr_assert(pair_settle(p));
    for (unsigned i = 0; i < p->archive_n; i++) {
        struct datagram *d = p->archive[i];
        cr_assert_leq(d->n, PL_DATAGRAM_SIZE);
        if (d->to == B && pair_frame(p, d, PL_FRAME_RECORDS) != NULL) {
            with_records++;
            full += d->n == PL_DATAGRAM_SIZE;
        }
    }
    /* one is cut short where a stream's window ends */
    cr_assert_geq(full + 30, with_records, "%u of %u are full", full, with_records);
    cr_assert_leq(with_records, RECORDS / 18.2, "%u packets", with_records);
    pair_check(p, A);
    pair_end(p);
}

/* STREAM goes along in each packet with a piece of the life until a STORED above 0 for it came (G20). */
Test(link_send_packet, stream_goes_along_until_something_of_the_life_is_stored)
{
    struct pair *p = pair_new(2);
    unsigned door = pair_stream(p, A, "door", 7), with = 0, without = 0;

    for (unsigned life = 0; life < 3; life++) {
        for (unsigned i = 0; i < 60; i++) {
            pair_give(p, A, door, 900);
        }
        p->out[A][door].new_life = true;
    }
    cr_assert(pair_settle(p));
    for (unsigned life = 0; life < 3; life++) {
        uint32_t tag = p->out[A][door].records[60 * life].life;
        uint64_t bound_us = PL_NEVER;
        for (unsigned i = 0; i < p->archive_n; i++) {
            struct datagram *d = p->archive[i];
            const struct pl_frame *stored = d->to == A ? pair_frame(p, d, PL_FRAME_STORED) : NULL;
            if (stored != NULL && stored->u.stored.life == tag && stored->u.stored.number > 0) {
                bound_us = bound_us == PL_NEVER ? d->due_us : bound_us;
            }
            const struct pl_frame *piece = d->to == B ? pair_frame(p, d, PL_FRAME_RECORDS) : NULL;
            if (piece == NULL || piece->u.records.life != tag) {
                continue;
            }
            bool has = false;
            const struct pl_payload *payload = pair_peek(p, d);
            for (unsigned f = 0; f < payload->count; f++) {
                const struct pl_frame *frame = &payload->frames[f];
                has |= frame->type == PL_FRAME_STREAM && frame->u.stream.life == tag;
            }
            cr_assert(has || d->due_us - p->delay_us >= bound_us, "a piece of an unbound life");
            cr_assert(!has || d->due_us - p->delay_us <= bound_us, "STREAM of a bound life");
            with += has;
            without += !has;
        }
    }
    cr_assert(with > 10 && without > 10, "%u with, %u without", with, without);
    pair_end(p);
}

/* Each stream gets its turn: a bulk does not keep a single record back. */
Test(link_send_packet, streams_do_not_wait_for_one_another)
{
    struct pair *p = pair_new(3);
    unsigned bulk = pair_stream(p, A, "bulk", 7), door = pair_stream(p, A, "door", 8);

    for (unsigned i = 0; i < 3000; i++) {
        pair_give(p, A, bulk, 1000);
    }
    pair_run(p, 60000);
    pair_give(p, A, door, 10);
    pair_run(p, 60000);
    cr_assert_eq(p->out[A][door].stored, 1);
    cr_assert_lt(p->out[A][bulk].stored, 3000);
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_end(p);
}

/* Pieces of several streams share a packet; each of them parses and is placed. */
Test(link_send_packet, short_pieces_share_a_packet)
{
    struct pair *p = pair_new(4);
    char name[8] = "s0";

    for (unsigned i = 0; i < 7; i++) {
        name[1] = (char)('0' + i);
        pair_give(p, A, pair_stream(p, A, name, 10 + i), 20);
    }
    cr_assert(pair_settle(p));
    cr_assert_leq(p->sent[A], 2);
    pair_check(p, A);
    cr_assert_eq(side_durable(&p->side[B]), 7);
    pair_end(p);
}

/* PING on each quarter of the congestion window, on the last packet before a window stops the sender, on
 * probes; not where a burst just ends. */
Test(link_send_packet, where_pings_stand)
{
    struct puppet *p = puppet_sender(5, 3);

    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_PING), 0, "a burst that just ends");
    puppet_end(p);
    p = puppet_sender(5, 60); /* more than both windows of 16 KiB */
    puppet_collect(p);
    unsigned since = 0;
    for (unsigned a = 0; a < p->answers_n; a++) {
        bool ping = p->answers[a].payload.frames[0].type == PL_FRAME_PING;
        since = ping ? 0 : since + 1;
        cr_assert_lt(since, 5, "packet %u", a);
        cr_assert(ping || a + 1 < p->answers_n, "the last one before the window");
    }
    puppet_end(p);
}

/* A name of 255 B and lives without end still fit, a packet each at worst. */
Test(link_send_packet, long_names_and_many_lives)
{
    struct pair *p = pair_new(6);
    char name[32];

    memset(name, 'n', sizeof name);
    name[31] = 0;
    unsigned stream = pair_stream(p, A, name, 9);
    for (unsigned i = 0; i < 60; i++) {
        pair_give(p, A, stream, i % 7);
        p->out[A][stream].new_life = true;
    }
    cr_assert(pair_settle(p));
    pair_check(p, A);
    cr_assert_eq(side_durable(&p->side[B]), 60);
    pair_end(p);
}

/* The smallest pieces a cut can leave: nothing is sent twice, nothing left over. */
Test(link_send_packet, every_size_around_a_packets_edge)
{
    for (size_t size = 1090; size < 1170; size++) {
        struct pair *p = pair_new(7);
        unsigned door = pair_stream(p, A, "door", 7), bell = pair_stream(p, A, "bell", 8);
        pair_give(p, A, door, size);
        pair_give(p, A, bell, 3);
        cr_assert(pair_settle(p));
        cr_assert_eq(p->side[B].env.counters.repeats, 0, "size %zu", size);
        cr_assert_leq(p->sent[A], 3);
        pair_check(p, A);
        pair_end(p);
    }
}
