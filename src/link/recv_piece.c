/* RECORDS: a piece of a life's bytes, cut anywhere. Repeat, next, early, or forked
 * (spec section 5; the order of the tests is argued in docs/decisions.md). */
#include "link/recv.h"

static void forked(struct pl_arrival *arrival, struct pl_rx_stream *stream, uint32_t tag)
{
    const struct pl_rx_life *life = pl_rx_life_of(stream, tag);
    uint64_t stored = life != NULL ? life->stored : 0;

    arrival->link->env->counters.forks++;
    if (pl_due_add(arrival, PL_REFUSAL_FORKED, tag, stored, stream)) {
        struct pl_event event = {.type = PL_EVENT_REFUSING,
                                 .stream = stream->number,
                                 .life = tag,
                                 .number = stored + 1,
                                 .code = PL_REFUSAL_FORKED};
        arrival->link->env->sink->event(arrival->link->env->sink_ctx, arrival->link, &event);
    }
}

/* Held if there is room, and for a run not yet proven only in the node's pool. Returns whether it is. */
static bool hold(struct pl_arrival *arrival, struct pl_rx_stream *stream,
                 const struct pl_frame_records *frame)
{
    bool unproven = !pl_runs_is_proven(arrival->run);

    arrival->run->wants_proof |= unproven;
    if (!pl_held_add(arrival->link, stream, frame->life, frame->offset, frame->bytes, unproven)) {
        arrival->left = true;
        arrival->link->env->counters.pieces_left++;
        return false;
    }
    return true;
}

static uint64_t next_offset(const struct pl_rx_stream *stream)
{
    return stream->offset + stream->part_n;
}

/* A piece of the row's life. A repeat too may find room for what waits behind it. */
static void take(struct pl_arrival *arrival, struct pl_rx_stream *stream,
                 const struct pl_frame_records *frame)
{
    uint64_t next = next_offset(stream);

    if (frame->offset > next) {
        (void)hold(arrival, stream, frame);
        return;
    }
    if (frame->offset + frame->bytes.n <= next) {
        arrival->link->env->counters.repeats++;
    } else {
        size_t skip = (size_t)(next - frame->offset);
        struct pl_bytes fresh = {frame->bytes.p + skip, frame->bytes.n - skip};
        if (!pl_rx_take(arrival->link, stream, fresh) && hold(arrival, stream, frame)) {
            arrival->link->rx.stalled = true;
        }
    }
    pl_rx_drain(arrival, stream);
}

/* A life the row does not have yet: it follows, waits or is forked. */
static void take_new(struct pl_arrival *arrival, struct pl_rx_stream *stream, struct pl_rx_waiting *waiting,
                     const struct pl_frame_records *frame)
{
    if (waiting->first > stream->heard + 1) {
        (void)hold(arrival, stream, frame);
    } else if (waiting->first == stream->heard + 1 && waiting->before == stream->life) {
        if (pl_rx_follow(arrival->link, stream, waiting)) {
            take(arrival, stream, frame);
        } else {
            arrival->left = true;
        }
    } else {
        pl_receiving_life_step(&waiting->machine, PL_RECEIVING_LIFE_ON_CONTRADICTED);
        forked(arrival, stream, frame->life);
    }
}

/* The first held piece of the row's life, or NULL. */
static struct pl_piece *first_held(struct pl_rx_stream *stream)
{
    struct pl_piece *piece = stream->held;

    while (piece != NULL && piece->life != stream->life) {
        piece = piece->next;
    }
    return piece;
}

/* Takes held pieces of the row's life that are next by now. False: it stopped for want of room. */
static bool drain_life(struct pl_link *link, struct pl_rx_stream *stream)
{
    struct pl_piece *piece;

    while (stream->refused_code == 0 && (piece = first_held(stream)) != NULL &&
           piece->offset <= next_offset(stream)) {
        uint64_t skip = next_offset(stream) - piece->offset;
        if (skip < piece->size &&
            !pl_rx_take(link, stream, (struct pl_bytes){piece->bytes + skip, piece->size - (size_t)skip})) {
            link->rx.stalled = true;
            return false;
        }
        if (stream->refused_code == 0) {
            pl_held_drop_first(link, stream, stream->life);
        }
    }
    return true;
}

/* A waiting life whose time has come, one that is contradicted by now, or NULL. */
static struct pl_rx_waiting *ripe(struct pl_rx_stream *stream)
{
    for (unsigned i = 0; i < stream->waiting_n; i++) {
        struct pl_rx_waiting *waiting = &stream->waiting[i];
        bool has_bytes = false;
        for (struct pl_piece *p = stream->held; p != NULL && !has_bytes; p = p->next) {
            has_bytes = p->life == waiting->tag;
        }
        if (has_bytes && waiting->first <= stream->heard + 1) {
            return waiting;
        }
    }
    return NULL;
}

void pl_rx_drain(struct pl_arrival *arrival, struct pl_rx_stream *stream)
{
    struct pl_rx_waiting *waiting;

    while (drain_life(arrival->link, stream) && (waiting = ripe(stream)) != NULL) {
        if (waiting->first == stream->heard + 1 && waiting->before == stream->life) {
            if (!pl_rx_follow(arrival->link, stream, waiting)) {
                return;
            }
        } else {
            pl_receiving_life_step(&waiting->machine, PL_RECEIVING_LIFE_ON_CONTRADICTED);
            forked(arrival, stream, waiting->tag);
            pl_held_drop(arrival->link, stream, waiting->tag);
            *waiting = stream->waiting[--stream->waiting_n];
        }
    }
}

/* Room may have come since held pieces found none. No packet would tell: all of them are acknowledged. */
void pl_rx_resume(struct pl_link *link, uint64_t now_us)
{
    if (!link->rx.stalled || link->env->room_bytes == 0) {
        return;
    }
    link->rx.stalled = false;
    for (unsigned i = 0; i < link->rx.streams_n; i++) {
        struct pl_rx_stream *stream = &link->rx.streams[i];
        struct pl_packet packet = {.route = stream->by};
        struct pl_arrival arrival = {.link = link, .packet = &packet, .now_us = now_us};
        if (stream->held != NULL) {
            pl_rx_drain(&arrival, stream);
        }
    }
}

static struct pl_rx_stream *bound(struct pl_arrival *arrival, uint32_t tag)
{
    struct pl_rx *rx = &arrival->link->rx;
    struct pl_rx_stream *stream = pl_rx_by_life(rx, tag);

    for (unsigned i = 0; stream == NULL && i < rx->due_n; i++) {
        if (rx->due[i].life == tag && rx->due[i].code != 0) {
            /* Its STREAM was refused. That is dealt with, unless the refusal may end: then the answer that
             * says so may be lost and must not leave the sender believing we have the piece. */
            arrival->left |= rx->due[i].code == PL_REFUSAL_LIMIT;
            return NULL;
        }
    }
    if (stream == NULL) {
        pl_due_add(arrival, 0, tag, 0, NULL);
        arrival->left = true;
        arrival->link->env->counters.pieces_left++;
    }
    return stream;
}

void pl_rx_piece(struct pl_arrival *arrival, const struct pl_frame_records *frame)
{
    struct pl_env *env = arrival->link->env;
    struct pl_rx_stream *stream = bound(arrival, frame->life);

    if (stream == NULL) {
        return;
    }
    pl_rx_asked(arrival, stream);
    if (stream->refused_code != 0) {
        pl_due_add(arrival, stream->refused_code, stream->refused_life, stream->refused_number, NULL);
        return;
    }
    if (env->store_full || env->paused) {
        uint8_t code = env->store_full ? PL_REFUSAL_STORE_FULL : PL_REFUSAL_PAUSED;
        pl_due_add(arrival, code, frame->life, 0, NULL);
        pl_rx_refuse_for_now(stream);
        arrival->left = true; /* not dealt with: once there is room, nothing tells that it was refused */
        return;
    }
    struct pl_rx_life *life = pl_rx_life_of(stream, frame->life);
    struct pl_rx_waiting *waiting = pl_rx_waiting_of(stream, frame->life);
    if (frame->life == stream->life) {
        take(arrival, stream, frame);
    } else if (life == NULL && waiting != NULL) {
        take_new(arrival, stream, waiting, frame);
    } else if (life != NULL && frame->offset + frame->bytes.n <= life->span.end) {
        env->counters.repeats++;
    } else {
        forked(arrival, stream, frame->life);
    }
    if (stream->refused_code != 0) {
        pl_due_add(arrival, stream->refused_code, stream->refused_life, stream->refused_number, NULL);
    }
}
