/* Sending streams: added, offered in any cuts, of sixteen lives at most, removed. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/send.h"
#include "link_pair.h"
#include "link_puppet.h"

enum { LIFE_A = 0xa0a0a0a0, LIFE_B = 0xb0b0b0b0 };

Test(link_send_stream, names_and_how_many_there_may_be)
{
    struct puppet *p = puppet_new(1);
    struct pl_place from = {.number = 1, .life = LIFE_A, .life_first = 1};
    static const uint8_t name[PL_NAME_MAX + 1] = "x";
    uint32_t slot = 0, first = 0;

    puppet_open(p);
    cr_assert_eq(pl_link_stream_add(p->end.link, 1, (struct pl_bytes){name, 0}, &from, &slot), PL_E_NAME);
    cr_assert_eq(pl_link_stream_add(p->end.link, 1, (struct pl_bytes){name, PL_NAME_MAX + 1}, &from, &slot),
                 PL_E_NAME);
    for (unsigned i = 0; i < PL_BIRTHS_MAX; i++) {
        struct pl_bytes longest = {name, PL_NAME_MAX};
        cr_assert_eq(pl_link_stream_add(p->end.link, i, longest, &from, &slot), PL_OK);
        cr_assert_eq(slot, i);
    }
    struct pl_bytes shortest = {name, 1};
    cr_assert_eq(pl_link_stream_add(p->end.link, 999, shortest, &from, &slot), PL_E_LIMIT);
    pl_link_stream_remove(p->end.link, 77);
    pl_link_stream_remove(p->end.link, 77);
    pl_link_stream_remove(p->end.link, 100000);
    cr_assert_eq(pl_link_stream_add(p->end.link, 999, shortest, &from, &first), PL_OK);
    cr_assert_eq(first, 77);
    p->end.fail_from = p->end.gets + 1;
    p->end.fail_n = 1;
    pl_link_stream_remove(p->end.link, 77);
    cr_assert_eq(pl_link_stream_add(p->end.link, 999, shortest, &from, &first), PL_E_NO_MEMORY);
    puppet_end(p);
}

/* A backlog waits in the outbox: the line takes no more while more is unsent than may leave for a while, and
 * goes on as soon as some of that left. */
Test(link_send_stream, the_line_does_not_run_far_ahead)
{
    enum { PIECE = 10000, FAR = 96 << 10 };
    struct puppet *p = puppet_sender(2, 0);
    static uint8_t zeros[PIECE]; /* records of nothing */
    struct pl_bytes piece = {zeros, PIECE};
    size_t given = 0;

    while (pl_link_room(p->end.link, 0) > 0) {
        cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A, 1, 0, piece), PIECE);
        given += PIECE;
        cr_assert_lt(given, FAR);
    }
    cr_assert_geq(given, PL_BATCH_ROOM, "but as far as the longest train");
    cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A, 1, 0, piece), 0);
    puppet_collect(p);
    cr_assert_gt(pl_link_room(p->end.link, 0), 0);
    cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A, 1, 0, piece), PIECE);
    puppet_end(p);
}

static size_t fill_line(struct puppet *p, size_t most)
{
    static uint8_t zeros[1000]; /* records of nothing */
    struct pl_bytes piece = {zeros, most};
    size_t given = 0;

    while (pl_link_room(p->end.link, 0) > 0) {
        cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A, 1, 0, piece), most);
        given += most;
    }
    return given;
}

/* On a long path with a small window trains are short, and so is what waits; a wide window lets no more wait
 * than two of the longest trains. */
Test(link_send_stream, how_far_ahead_depends_on_the_train_not_on_the_window)
{
    enum { PIECE = 1000, LONG_US = 100000, WIDE = 64 << 20 };
    enum { LONGEST = 2 * PL_BATCH_PACKETS * PL_DATAGRAM_SIZE };
    struct puppet *p = puppet_sender(2, 0);
    struct pl_congestion *congestion = &p->end.link->tx.congestion;

    congestion->rtt.smoothed_us = LONG_US;
    size_t given = fill_line(p, PIECE);
    cr_assert(given >= PL_BATCH_ROOM && given < PL_BATCH_ROOM + PIECE);
    congestion->window_bytes = WIDE;
    given += fill_line(p, PIECE);
    cr_assert(given >= LONGEST && given < LONGEST + PIECE);
    puppet_end(p);
}

/* Bytes may be offered in any cuts; what is not taken is offered again. */
Test(link_send_stream, offers_cut_anywhere_and_a_full_line)
{
    struct puppet *p = puppet_sender(2, 0);
    uint8_t record[102] = {0x40, 100};

    p->end.env.settings.line_max_bytes = 1000;
    puppet_give(p, LIFE_A, 1, 0, 1, 100);
    cr_assert_eq(pl_link_room(p->end.link, 0), 1000 - 102);
    for (unsigned i = 0; i < 8 * 102; i++) {
        struct pl_bytes byte = {record + i % 102, 1};
        cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A, 1, 0, byte), 1);
    }
    struct pl_bytes rest = {record, 102};
    cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A, 1, 0, rest), 1000 - 9 * 102);
    cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A, 1, 0, rest), 0);
    cr_assert_eq(pl_link_room(p->end.link, 0), 0);
    cr_assert_eq(pl_link_room(p->end.link, 5), 0);
    cr_assert_eq(pl_link_offer(p->end.link, 5, LIFE_A, 1, 0, rest), 0);
    puppet_collect(p);
    puppet_ack(p, p->end_number, p->end_number);
    puppet_stored(p, LIFE_A, 9, 64);
    puppet_send(p);
    cr_assert_eq(p->end.stored[0], 9);
    cr_assert_eq(pl_link_room(p->end.link, 0), 1000 - (1000 - 9 * 102));
    puppet_end(p);
}

/* Of the sixteen oldest lives not settled, no more (G8). */
Test(link_send_stream, sixteen_lives_in_flight)
{
    struct puppet *p = puppet_sender(3, 1);
    uint8_t record[2] = {1, 7};
    struct pl_bytes bytes = {record, 2};

    for (uint32_t i = 1; i < PL_LIVES_IN_FLIGHT; i++) {
        cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A + i, 1 + i, LIFE_A + i - 1, bytes), 2);
    }
    cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_B, 17, LIFE_A + 15, bytes), 0);
    cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_A + 15, 16, LIFE_A + 14, bytes), 2, "the newest goes on");
    puppet_collect(p);
    puppet_ack(p, p->end_number, p->end_number);
    puppet_stored(p, LIFE_A, 1, 64);
    puppet_send(p);
    cr_assert_eq(pl_link_offer(p->end.link, 0, LIFE_B, 18, LIFE_A + 15, bytes), 2);
    puppet_end(p);
}

/* Every byte is of one life, whose first byte is its offset 0. */
Test(link_send_stream, a_position_tells_its_life)
{
    struct puppet *p = puppet_sender(4, 1);
    struct pl_tx_stream *stream = &p->end.link->tx.streams[0];
    uint64_t end = 0;

    puppet_give(p, LIFE_B, 2, LIFE_A, 2, 10);
    cr_assert_eq(pl_tx_life_at(stream, 0, &end)->tag, LIFE_A);
    cr_assert_eq(end, 1002);
    cr_assert_eq(pl_tx_life_at(stream, 1001, &end)->tag, LIFE_A);
    cr_assert_eq(pl_tx_life_at(stream, 1002, &end)->tag, LIFE_B);
    cr_assert_eq(end, 1002 + 22);
    cr_assert_eq(pl_tx_life_of(stream, LIFE_B)->start, 1002);
    cr_assert_null(pl_tx_life_of(stream, 1));
    cr_assert_eq(pl_tx_by_life(p->end.link, LIFE_B), stream);
    cr_assert_null(pl_tx_by_life(p->end.link, 1));
    cr_assert_null(pl_tx_by_life(p->end.link, 0));
    puppet_end(p);
}

/* What goes again lies between what is stored and what was sent; without memory for a list all of it goes. */
Test(link_send_stream, what_goes_again_is_clamped)
{
    struct puppet *p = puppet_sender(5, 6);
    struct pl_tx_stream *stream = &p->end.link->tx.streams[0];

    puppet_collect(p);
    uint64_t sent = stream->next;
    cr_assert_eq(sent, 6 * 1002);
    p->end.fail_from = p->end.gets + 1;
    p->end.fail_n = 1;
    pl_tx_queue(p->end.link, stream, 500, 600);
    cr_assert(stream->resend == NULL && stream->next == 500);
    stream->next = sent;
    pl_tx_queue(p->end.link, stream, 0, UINT64_MAX);
    cr_assert_eq(stream->resend->count, 1);
    cr_assert(stream->resend->spans[0].from == 0 && stream->resend->spans[0].to == sent);
    pl_tx_unqueue(stream, 0, sent);
    pl_tx_queue(p->end.link, stream, 100, 100);
    pl_tx_queue(p->end.link, stream, sent, sent + 5);
    cr_assert_eq(stream->resend->count, 0);
    puppet_end(p);
}

/* A stream removed in mid-flight leaves nothing behind that an ACK or a timer could reach. */
Test(link_send_stream, removed_in_flight)
{
    struct puppet *p = puppet_sender(6, 10);

    puppet_collect(p);
    pl_link_stream_remove(p->end.link, 0);
    cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER);
    puppet_ack(p, p->end_number - 2, p->end_number);
    puppet_stored(p, LIFE_A, 5, 64);
    puppet_refused(p, LIFE_A, 5, PL_REFUSAL_FORKED);
    puppet_send(p);
    cr_assert_eq(p->end.stored[0], 0);
    cr_assert_eq(p->end.link->tx.in_flight_bytes, 0);
    p->gives = false;
    puppet_give(p, LIFE_B, 1, 0, 3, 100);
    cr_assert_gt(puppet_collect(p), 0);
    puppet_end(p);
}
