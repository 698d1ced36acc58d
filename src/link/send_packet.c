/* One packet's payload for the main path: PING, STREAM before what uses its life, GAP, ASK, RECORDS
 * last (spec section 4, "Order in a packet"). */
#include "link/send.h"

/* Pieces a packet holds at most: with their STREAMs and an answer still below PL_FRAMES_MAX. */
enum { PIECES_MAX = 8, PIECE_ROOM_MIN = 1 << 5 };

static bool put(struct pl_outgoing *p, size_t written)
{
    p->size += written;
    return written != 0;
}

static uint8_t *at(const struct pl_outgoing *p)
{
    return p->out + p->size;
}

static size_t left(const struct pl_outgoing *p)
{
    return p->room - p->size;
}

static bool put_stream(struct pl_outgoing *p, const struct pl_tx_stream *stream, struct pl_tx_life *life)
{
    struct pl_frame_stream frame = {
        .life = life->tag,
        .first_number = life->first,
        .life_before = life->before,
        .birth = stream->birth,
        .name = stream->name,
    };

    if (!put(p, pl_stream_encode(at(p), left(p), &frame))) {
        return false;
    }
    p->ack_eliciting = true;
    return true;
}

/* STREAM goes along in each run until a STORED above 0 for the life came to that run. */
static bool announce(struct pl_outgoing *p, const struct pl_tx_stream *stream, struct pl_tx_life *life)
{
    if (life->machine.state == PL_SENDING_LIFE_BOUND) {
        return true;
    }
    if (!put_stream(p, stream, life)) {
        return false;
    }
    pl_sending_life_step(&life->machine, PL_SENDING_LIFE_ON_ANNOUNCED);
    return true;
}

static struct pl_sent *note(struct pl_outgoing *p, uint8_t slot)
{
    struct pl_sent *sent = pl_sent_add(p->link);

    sent->slot = slot;
    sent->at = (uint32_t)p->now_us;
    sent->run = (uint8_t)(p->run - p->link->tx.runs);
    p->entries++;
    return sent;
}

/* The next bytes to go: what must go again first, else new ones within the window. */
static struct pl_span next_span(const struct pl_tx_stream *stream, bool *again)
{
    uint64_t end = stream->line.end < stream->limit ? stream->line.end : stream->limit;

    *again = stream->resend != NULL && stream->resend->count > 0;
    if (*again) {
        return stream->resend->spans[0];
    }
    return (struct pl_span){stream->next, end > stream->next ? end : stream->next};
}

static void sample_start(struct pl_outgoing *p, struct pl_tx_stream *stream)
{
    if (stream->sample_us == 0) {
        stream->sample_us = p->now_us == 0 ? 1 : p->now_us;
        stream->sample_position = stream->next;
    }
}

static void book(struct pl_outgoing *p, struct pl_tx_stream *stream, uint64_t from, size_t n)
{
    uint8_t slot = (uint8_t)(stream - p->link->tx.streams);
    struct pl_sent *sent = note(p, slot);

    sent->position = from;
    sent->bytes = (uint16_t)n;
    pl_tx_unqueue(stream, from, from + n);
    if (from + n > stream->next) {
        stream->next = from + n;
        sample_start(p, stream);
    }
    p->ack_eliciting = true;
}

/* Another piece may follow in this packet if this one does not fill it. */
static bool more_follow(const struct pl_outgoing *p, const struct pl_tx_stream *stream, struct pl_span span,
                        size_t n)
{
    const struct pl_tx *tx = &p->link->tx;

    if (p->probe) {
        return false;
    }
    if (span.from + n < stream->line.end && span.from + n < stream->limit) {
        return true;
    }
    for (unsigned i = 0; i < tx->streams_room; i++) {
        if (&tx->streams[i] != stream && pl_tx_has_bytes(&tx->streams[i])) {
            return true;
        }
    }
    return stream->resend != NULL && stream->resend->count > 1;
}

static size_t put_head(struct pl_outgoing *p, const struct pl_frame_records *records, bool to_end)
{
    if (to_end) {
        return pl_records_head_encode(at(p), left(p), records);
    }
    return pl_records_length_head_encode(at(p), left(p), records);
}

/* Writes one piece from span.from on, of one life. False: nothing fits. */
static bool put_piece(struct pl_outgoing *p, struct pl_tx_stream *stream, struct pl_span span)
{
    uint64_t life_end = 0;
    struct pl_tx_life *life = pl_tx_life_at(stream, span.from, &life_end);
    uint64_t to = span.to < life_end ? span.to : life_end;

    if (life == NULL || to <= span.from || p->entries == PIECES_MAX || !announce(p, stream, life)) {
        return false;
    }
    struct pl_frame_records records = {.life = life->tag, .offset = span.from - life->start};
    records.bytes.n = (size_t)(to - span.from);
    size_t head = pl_records_size(&records) - records.bytes.n;
    if (left(p) < head + PIECE_ROOM_MIN && left(p) < head + records.bytes.n) {
        return false;
    }
    bool fills = records.bytes.n >= left(p) - head;
    bool to_end = fills || !more_follow(p, stream, span, records.bytes.n);
    size_t head_length = head + pl_varint_size(records.bytes.n);
    if (!to_end && records.bytes.n > left(p) - head_length) {
        to_end = true; /* only the length field does not fit any more */
    }
    records.bytes.n = fills ? left(p) - head : records.bytes.n;
    size_t written = put_head(p, &records, to_end);
    if (!put(p, written)) {
        return false;
    }
    pl_line_copy(&stream->line, span.from, at(p), records.bytes.n);
    p->size += records.bytes.n;
    book(p, stream, span.from, records.bytes.n);
    return !to_end;
}

/* Pieces in round robin until the packet is full or nothing is left. */
static void put_pieces(struct pl_outgoing *p)
{
    struct pl_tx *tx = &p->link->tx;
    bool again = false;

    for (unsigned tried = 0; tried < tx->streams_room;) {
        struct pl_tx_stream *stream = &tx->streams[tx->turn % tx->streams_room];
        if (!pl_tx_has_bytes(stream)) {
            tx->turn++;
            tried++;
            continue;
        }
        struct pl_span span = next_span(stream, &again);
        if (!put_piece(p, stream, span)) {
            return;
        }
        tried = 0;
        tx->turn += !pl_tx_has_bytes(stream);
    }
}

static void put_ping(struct pl_outgoing *p)
{
    if (put(p, pl_ping_encode(at(p), left(p), &(struct pl_frame_ping){0}))) {
        p->ack_eliciting = true;
        p->link->tx.since_ping_bytes = 0;
        p->link->tx.ping = false;
    }
}

/* The next packet is the last one that a window lets go: an answer is wanted at once. */
static bool window_ends(const struct pl_outgoing *p)
{
    const struct pl_tx *tx = &p->link->tx;
    size_t datagram = p->link->env->settings.datagram_bytes;

    if (tx->in_flight_bytes + 2 * datagram > tx->congestion.window_bytes) {
        return true;
    }
    for (unsigned i = 0; i < tx->streams_room; i++) {
        const struct pl_tx_stream *stream = &tx->streams[i];
        bool stopped = pl_tx_has_bytes(stream) && stream->line.end > stream->limit;
        if (stopped && stream->limit - stream->next <= p->room) {
            return true;
        }
    }
    return false;
}

static bool wants_ping(const struct pl_outgoing *p)
{
    const struct pl_tx *tx = &p->link->tx;

    return tx->ping || tx->since_ping_bytes >= tx->congestion.window_bytes / 4 ||
           (window_ends(p) && pl_tx_wants_to_send(p->link));
}

static void put_ask(struct pl_outgoing *p, struct pl_tx_stream *stream, const struct pl_tx_life *life)
{
    struct pl_frame_ask ask = {.life = life->tag};

    if (put(p, pl_ask_encode(at(p), left(p), &ask))) {
        struct pl_sent *sent = note(p, (uint8_t)(stream - p->link->tx.streams));
        sent->asked = true;
        p->ack_eliciting = true;
        stream->ask = false;
    }
}

static void put_gap(struct pl_outgoing *p, struct pl_tx_stream *stream)
{
    struct pl_frame_gap gap = {
        .life = stream->gap_life.tag, .upto = stream->gap_upto, .offset = stream->gap_offset};

    if (put_stream(p, stream, &stream->gap_life)) {
        put(p, pl_gap_encode(at(p), left(p), &gap));
        put_ask(p, stream, &stream->gap_life);
    }
}

/* What one stream asks for in a probe: its GAP, or STREAM and ASK for the newest life sent. */
static void put_question(struct pl_outgoing *p, struct pl_tx_stream *stream)
{
    uint64_t end = 0;
    uint64_t newest = stream->next > stream->line.begin ? stream->next - 1 : stream->line.begin;

    if (stream->gap) {
        put_gap(p, stream);
        return;
    }
    struct pl_tx_life *life = pl_tx_life_at(stream, newest, &end);
    if (life != NULL && announce(p, stream, life)) {
        put_ask(p, stream, life);
    }
}

/* PING, the questions of all streams with something unstored, and the first bytes above STORED of
 * one of them, acknowledged or not. */
static void put_probe(struct pl_outgoing *p)
{
    struct pl_tx *tx = &p->link->tx;
    struct pl_tx_stream *first = NULL;

    put_ping(p);
    for (unsigned i = 0; i < tx->streams_room && p->entries < PIECES_MAX / 2; i++) {
        struct pl_tx_stream *stream = &tx->streams[(tx->turn + i) % tx->streams_room];
        if (!pl_tx_unstored(stream)) {
            continue;
        }
        put_question(p, stream);
        if (first == NULL && pl_tx_may_send(stream) && stream->line.end > stream->line.begin &&
            !stream->bare_probe) {
            first = stream;
        }
        stream->bare_probe = false;
    }
    tx->turn++;
    if (first != NULL) {
        uint64_t end = first->line.end < first->limit ? first->line.end : first->limit;
        put_piece(p, first, (struct pl_span){first->line.begin, end});
    }
    tx->probe = false;
    p->link->env->counters.probes++;
}

static void put_asked(struct pl_outgoing *p)
{
    struct pl_tx *tx = &p->link->tx;

    for (unsigned i = 0; i < tx->streams_room && p->entries < PIECES_MAX / 2; i++) {
        if (tx->streams[i].used && tx->streams[i].ask) {
            put_question(p, &tx->streams[i]);
        }
    }
}

bool pl_tx_wants_to_send(const struct pl_link *link)
{
    for (unsigned i = 0; i < link->tx.streams_room; i++) {
        if (pl_tx_has_bytes(&link->tx.streams[i])) {
            return true;
        }
    }
    return false;
}

size_t pl_packet_fill(struct pl_outgoing *packet)
{
    struct pl_tx *tx = &packet->link->tx;

    if (!pl_sent_reserve(packet->link, PIECES_MAX + 2)) {
        /* no memory to book it: later, by the back-off timer at the latest */
        tx->probe = false;
        tx->pace_us = packet->now_us + pl_tx_pto_us(packet->link);
        return packet->size;
    }
    if (packet->probe) {
        put_probe(packet);
    } else {
        if (wants_ping(packet)) {
            put_ping(packet);
        }
        put_asked(packet);
        put_pieces(packet);
    }
    if (packet->ack_eliciting && packet->entries == 0) {
        note(packet, 0);
    }
    tx->since_ping_bytes += packet->size;
    return packet->size;
}
