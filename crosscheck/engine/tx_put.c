/* What goes into a packet of the sender's: streams in turn, pieces cut where the packet ends, probes; and
 * when the one timer sends another. */
#include "inner.h"

#include "memory.h"

#include <string.h>

static bool put_stream(struct xc_payload *payload, const struct xc_tx_stream *stream,
                       const struct xc_tx_life *life)
{
    struct xc_maker frame;

    xc_make_frame(&frame, XC_STREAM);
    xc_set(&frame, "life", life->tag);
    xc_set(&frame, "first_number", life->first);
    xc_set(&frame, "life_before", life->before);
    xc_set(&frame, "birth", life->birth);
    xc_set_bytes(&frame, "name", stream->name, stream->name_n);
    return xc_put(payload, &frame);
}

static size_t records_size(const struct xc_maker *frame)
{
    return xc_encode(&frame->tree, 0, NULL, 0);
}

/* One piece that begins at `from`, as long as it can be: with a length if it leaves room, else to the end of
 * the packet. Returns its bytes; 0: there is no room. */
static size_t put_piece(struct xc_payload *payload, const struct xc_tx_life *life, uint64_t from, uint64_t to)
{
    struct xc_maker with, without;
    size_t room = payload->room - payload->n, n = to - from < room ? (size_t)(to - from) : room;

    xc_make_frame(&with, XC_RECORDS_LENGTH);
    xc_set(&with, "life", life->tag);
    xc_set(&with, "offset", from);
    xc_set_bytes(&with, "bytes", life->bytes + from, n);
    xc_make_frame(&without, XC_RECORDS);
    xc_set(&without, "life", life->tag);
    xc_set(&without, "offset", from);
    size_t head = records_size(&without);
    if (records_size(&with) <= room)
        return xc_put(payload, &with) ? n : 0;
    if (head >= room)
        return 0;
    n = n < room - head ? n : room - head;
    xc_set_bytes(&without, "bytes", life->bytes + from, n);
    if (n + head < room) {
        /* The rest would be zeros that are read as bytes: leave the last byte to the next packet. */
        xc_set_bytes(&with, "bytes", life->bytes + from, n - 1);
        return n > 1 && xc_put(payload, &with) ? n - 1 : 0;
    }
    return xc_put(payload, &without) ? n : 0;
}

/* STREAM if the receiver may not know the life, then a piece. False: the packet is full. */
static bool put_some(struct xc_payload *payload, const struct xc_tx_stream *stream, struct xc_tx_life *life,
                     uint64_t from, uint64_t to, struct xc_sent *sent)
{
    size_t before = payload->n, frames = payload->frames;

    if (sent->pieces == XC_PIECES_MAX)
        return false;
    if (!life->bound && !put_stream(payload, stream, life))
        return false;
    size_t n = put_piece(payload, life, from, to);
    if (n == 0) {
        payload->n = before;
        payload->frames = frames;
        return false;
    }
    sent->piece[sent->pieces++] = (struct xc_piece){life->tag, from, n};
    life->sent = true;
    xc_ranges_remove(&life->todo, from, from + n);
    return from + n == to;
}

/* A piece of each life in its turn. False: the packet is full. */
static bool put_lives(struct xc_payload *payload, struct xc_tx_stream *stream, struct xc_sent *sent)
{
    for (size_t i = 0; i < stream->n && i < XC_LIVES_IN_FLIGHT; i++) {
        struct xc_tx_life *life = &stream->life[i];
        uint64_t room = xc_tx_room(stream, i);
        if (life->birth != stream->life[0].birth || life->todo.n == 0 || life->todo.range[0].from >= room)
            return true;
        uint64_t from = life->todo.range[0].from, to = life->todo.range[0].to;
        if (!put_some(payload, stream, life, from, to < room ? to : room, sent))
            return false;
    }
    return true;
}

static bool put_gap(struct xc_payload *payload, struct xc_tx_stream *stream)
{
    struct xc_maker gap;
    const struct xc_tx_life *life =
        stream->n > 0 && stream->life[0].stored > 0 ? &stream->life[0] : &stream->last;

    if (life->tag == 0 || !put_stream(payload, stream, life))
        return true;
    xc_make_frame(&gap, XC_GAP);
    xc_set(&gap, "life", life->tag);
    xc_set(&gap, "upto", life->first + life->stored - 1);
    xc_set(&gap, "offset", life->stored_end);
    return xc_put(payload, &gap);
}

/* For one stream: STREAM, GAP if one is due, ASK for the newest life sent. False: the packet is full. */
static bool put_ask(struct xc_payload *payload, struct xc_tx_stream *stream, struct xc_sent *sent)
{
    size_t newest = stream->n;

    if (stream->gap_due && !put_gap(payload, stream))
        return false;
    if (xc_tx_at_rest(stream) || sent->asks == XC_FRAMES_MAX)
        return true;
    while (newest > 1 && !stream->life[newest - 1].sent)
        newest--;
    const struct xc_tx_life *life = &stream->life[newest - 1];
    if (!life->bound && !put_stream(payload, stream, life))
        return false;
    if (!xc_put_life(payload, XC_ASK, life->tag))
        return false;
    sent->asked[sent->asks++] = life->tag;
    return true;
}

/* The first bytes above what is stored, acknowledged or not. */
static void put_first_bytes(struct xc_payload *payload, struct xc_tx_stream *stream, struct xc_sent *sent)
{
    if (stream->n == 0 || stream->state != XC_OPEN)
        return;
    struct xc_tx_life *life = &stream->life[0];
    uint64_t room = xc_tx_room(stream, 0), to = life->n < room ? life->n : room;
    if (life->stored_end < to)
        put_some(payload, stream, life, life->stored_end, to, sent);
}

static void put_probe(struct xc_link *link, struct xc_payload *payload, struct xc_sent *sent)
{
    struct xc_tx *tx = &link->tx;

    xc_put_life(payload, XC_PING, 0);
    for (size_t i = 0; i < tx->n; i++)
        if (!put_ask(payload, &tx->stream[(tx->turn + i) % tx->n], sent)) {
            tx->turn = (tx->turn + i) % tx->n;
            break;
        }
    if (tx->n > 0)
        put_first_bytes(payload, &tx->stream[tx->turn], sent);
    tx->probe = false;
}

bool xc_tx_may_send(const struct xc_link *link, uint64_t now_us)
{
    if (now_us < link->tx.muted_until_us)
        return false;
    return link->tx.probe || link->tx.in_flight < XC_PACKETS_IN_FLIGHT;
}

/* Of a type that nobody knows, another one each time. */
static void put_extension(const struct xc_link *link, struct xc_payload *payload)
{
    struct xc_maker frame;

    xc_make_frame(&frame, XC_EXTENSION + link->own.next % (256 - XC_EXTENSION));
    xc_set_bytes(&frame, "body", (const uint8_t *)"extension", link->own.next % 9);
    xc_put(payload, &frame);
}

void xc_put_data(struct xc_link *link, struct xc_payload *payload, struct xc_sent *sent)
{
    struct xc_tx *tx = &link->tx;
    size_t before = payload->n, frames = payload->frames;
    bool ping = (tx->in_flight + 1) % XC_PING_EACH == 0;

    if (tx->probe) {
        put_probe(link, payload, sent);
        return;
    }
    if (ping && !xc_put_life(payload, XC_PING, 0))
        return;
    if (link->config.extras)
        put_extension(link, payload);
    for (size_t i = 0; i < tx->n; i++) {
        size_t at = (tx->turn + i) % tx->n;
        bool open = tx->stream[at].state == XC_OPEN && !tx->stream[at].gap_due;
        if (open && !put_lives(payload, &tx->stream[at], sent)) {
            tx->turn = at;
            break;
        }
    }
    if (sent->pieces == 0) {
        payload->n = before;
        payload->frames = frames;
    }
}

/* The older half is taken for lost: a peer that never says STORED, or makes this side ask without end, has it
 * remember no more. */
static void forget_older(struct xc_link *link)
{
    struct xc_tx *tx = &link->tx;
    size_t half = tx->sent_n / 2;

    for (size_t i = 0; i < half; i++) {
        if (tx->sent[i].state == XC_IN_FLIGHT)
            tx->in_flight--;
        xc_tx_requeue(link, &tx->sent[i], true);
    }
    tx->sent_n -= half;
    memmove(tx->sent, tx->sent + half, tx->sent_n * sizeof *tx->sent);
}

void xc_tx_sent(struct xc_link *link, const struct xc_sent *sent)
{
    struct xc_tx *tx = &link->tx;

    if (sent->pieces == 0 && sent->asks == 0)
        return;
    if (tx->sent_n == XC_SENT_MAX)
        forget_older(link);
    tx->sent = xc_room(tx->sent, &tx->sent_room, tx->sent_n + 1, sizeof *tx->sent);
    tx->sent[tx->sent_n++] = *sent;
    tx->in_flight++;
    tx->last_sent_us = sent->sent_us;
}

/* PTO while something is in flight, else the time to ask; doubled for each that brought nothing. */
void xc_tx_arm(struct xc_link *link, uint64_t now_us)
{
    struct xc_tx *tx = &link->tx;
    uint64_t wait_us, since_us = tx->last_sent_us;
    unsigned step = tx->in_flight > 0 ? tx->timeouts : tx->asks;

    tx->due_us = UINT64_MAX;
    if (!xc_tx_unstored(link))
        return;
    if (tx->in_flight > 0)
        wait_us = tx->srtt_us == 0 ? XC_TIMER_FIRST_US : tx->srtt_us + 4 * tx->var_us + XC_ACK_DELAY_MAX_US;
    else
        wait_us = tx->stored_us == 0 ? XC_TIMER_FIRST_US : 2 * tx->stored_us;
    if (wait_us < XC_ASK_FLOOR_US)
        wait_us = XC_ASK_FLOOR_US;
    for (; step > 0 && wait_us < XC_TIMER_MAX_US; step--)
        wait_us *= 2;
    wait_us += wait_us * tx->jitter / (3 * 256);
    tx->due_us = since_us + (wait_us < XC_TIMER_MAX_US ? wait_us : XC_TIMER_MAX_US);
    if (tx->due_us < tx->muted_until_us)
        tx->due_us = tx->muted_until_us;
    if (since_us == 0)
        tx->due_us = now_us;
}

void xc_tx_tick(struct xc_link *link, uint64_t now_us)
{
    struct xc_tx *tx = &link->tx;
    uint8_t jitter;

    if (tx->due_us > now_us || now_us < tx->muted_until_us || tx->last_sent_us == 0)
        return;
    if (tx->in_flight > 0)
        tx->timeouts++;
    else
        tx->asks++;
    link->config.outside.random(link->config.outside.context, &jitter, 1);
    tx->jitter = jitter;
    tx->probe = true;
    tx->last_sent_us = now_us;
}
