/* STREAM, ASK and GAP: what a life is, how far it is stored, what of it will never come. */
#include "link/recv.h"

#include <string.h>

#include "link/memory.h"

static bool same_name(struct pl_bytes a, struct pl_bytes b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* A tag is bound once: a STREAM that names it with any other field contradicts what is bound. */
static bool contradicts(struct pl_rx_stream *stream, const struct pl_frame_stream *frame)
{
    const struct pl_rx_life *life = pl_rx_life_of(stream, frame->life);
    const struct pl_rx_waiting *waiting = pl_rx_waiting_of(stream, frame->life);

    if (stream->birth != frame->birth || !same_name(stream->name, frame->name)) {
        return true;
    }
    if (life != NULL) {
        return life->span.first != frame->first_number;
    }
    return waiting != NULL &&
           (waiting->first != frame->first_number || waiting->before != frame->life_before);
}

static bool room_for_stream(const struct pl_rx *rx, struct pl_bytes name)
{
    unsigned names = 0;

    for (unsigned i = 0; i < rx->streams_n; i++) {
        bool seen = false;
        for (unsigned j = 0; j < i && !seen; j++) {
            seen = same_name(rx->streams[i].name, rx->streams[j].name);
        }
        names += !seen && !same_name(rx->streams[i].name, name);
    }
    return rx->streams_n < PL_BIRTHS_MAX && names < PL_STREAMS_MAX;
}

static struct pl_rx_stream *stream_for(struct pl_arrival *arrival, const struct pl_frame_stream *frame)
{
    struct pl_link *link = arrival->link;
    struct pl_rx_stream *stream = pl_rx_by_birth(&link->rx, frame->birth);

    if (stream != NULL) {
        return stream;
    }
    if (!link->env->settings.allow_new_streams) {
        pl_due_add(arrival, PL_REFUSAL_UNWANTED, frame->life, 0, NULL);
        return NULL;
    }
    if (!room_for_stream(&link->rx, frame->name)) {
        pl_due_add(arrival, PL_REFUSAL_LIMIT, frame->life, 0, NULL);
        return NULL;
    }
    return pl_rx_stream_new(link, frame->birth, frame->name);
}

static bool has_held(const struct pl_rx_stream *stream, uint32_t tag)
{
    const struct pl_piece *piece = stream->held;

    while (piece != NULL && piece->life != tag) {
        piece = piece->next;
    }
    return piece != NULL;
}

/* Lives that begin beyond the next number wait, at most PL_LIVES_WAITING of them. One place more is for
 * a life that begins at the next number or below: it follows or forks with its first piece, so it must
 * never find its place taken by those that wait for it, nor by one like itself that brought nothing. */
static struct pl_rx_waiting *place_for(struct pl_rx_stream *stream, uint64_t first)
{
    struct pl_rx_waiting *stale = NULL;
    unsigned later = 0;

    for (unsigned i = 0; i < stream->waiting_n; i++) {
        struct pl_rx_waiting *waiting = &stream->waiting[i];
        bool waits = waiting->first > stream->heard + 1;
        later += waits;
        stale = !waits && !has_held(stream, waiting->tag) ? waiting : stale;
    }
    if (first > stream->heard + 1 && later >= PL_LIVES_WAITING) {
        return NULL;
    }
    return stream->waiting_n < PL_WAITING_ROOM ? &stream->waiting[stream->waiting_n++] : stale;
}

static void wait_for(struct pl_link *link, struct pl_rx_stream *stream, const struct pl_frame_stream *frame)
{
    struct pl_rx_waiting *waiting;

    if (stream->waiting == NULL) {
        stream->waiting = pl_memory_get(&link->env->memory, PL_WAITING_ROOM * sizeof stream->waiting[0]);
    }
    if (stream->waiting == NULL || (waiting = place_for(stream, frame->first_number)) == NULL) {
        return; /* its pieces are left, and STREAM comes again with them */
    }
    waiting->tag = frame->life;
    waiting->first = frame->first_number;
    waiting->before = frame->life_before;
    pl_receiving_life_init(&waiting->machine);
}

/* An answer that waits for its commit is not led away by who replays old packets meanwhile. */
void pl_rx_asked(struct pl_arrival *arrival, struct pl_rx_stream *stream)
{
    bool proven = pl_runs_is_proven(arrival->run);

    if (proven || !stream->answer || !stream->by_proven) {
        stream->by = arrival->packet->route;
        stream->by_proven = proven;
    }
    stream->answer = true;
}

void pl_rx_bind(struct pl_arrival *arrival, const struct pl_frame_stream *frame)
{
    struct pl_link *link = arrival->link;
    struct pl_rx_stream *stream = pl_rx_by_life(&link->rx, frame->life);

    if (stream != NULL) {
        if (contradicts(stream, frame)) {
            pl_due_add(arrival, PL_REFUSAL_FORKED, frame->life, 0, NULL);
            link->env->counters.forks++;
        } else {
            pl_rx_asked(arrival, stream);
        }
        return;
    }
    stream = stream_for(arrival, frame);
    if (stream == NULL) {
        return;
    }
    if (!same_name(stream->name, frame->name)) {
        pl_due_add(arrival, PL_REFUSAL_FORKED, frame->life, 0, NULL);
        link->env->counters.forks++;
        return;
    }
    wait_for(link, stream, frame);
    pl_rx_asked(arrival, stream);
}

void pl_rx_ask(struct pl_arrival *arrival, uint32_t tag)
{
    struct pl_link *link = arrival->link;
    struct pl_rx_stream *stream = pl_rx_by_life(&link->rx, tag);

    if (stream == NULL) {
        for (unsigned i = 0; i < link->rx.due_n; i++) {
            if (link->rx.due[i].life == tag) {
                return; /* refused in this very packet */
            }
        }
        pl_due_add(arrival, 0, tag, 0, NULL);
        return;
    }
    pl_rx_asked(arrival, stream);
    stream->asked_life = tag;
    if (stream->refused_code != 0) {
        pl_due_add(arrival, stream->refused_code, stream->refused_life, stream->refused_number, NULL);
    } else if (link->env->store_full || link->env->paused) {
        pl_due_add(arrival, link->env->store_full ? PL_REFUSAL_STORE_FULL : PL_REFUSAL_PAUSED, tag, 0, NULL);
        pl_rx_refuse_for_now(stream);
    }
}

void pl_rx_refuse_for_now(struct pl_rx_stream *stream)
{
    stream->refused_soft = true;
    pl_receiving_stream_step(&stream->machine, PL_RECEIVING_STREAM_ON_REFUSED);
}

/* The life a GAP names becomes the row's, ending at upto for now. NULL: it is one of the past, whose
 * numbers are all heard, or it is not bound, or there is no memory. */
static struct pl_rx_life *gap_life(struct pl_link *link, struct pl_rx_stream *stream,
                                   const struct pl_frame_gap *frame)
{
    struct pl_rx_life *life = pl_rx_life_of(stream, frame->life);
    struct pl_rx_waiting *waiting = pl_rx_waiting_of(stream, frame->life);

    if (life != NULL) {
        return life->span.tag == stream->life ? life : NULL;
    }
    if (waiting == NULL || waiting->first > frame->upto) {
        return NULL;
    }
    life = pl_rx_life_add(link, stream, waiting->tag, waiting->first, waiting->before);
    if (life != NULL) {
        struct pl_rx_life *old = pl_rx_life_of(stream, stream->life);
        if (old != NULL) {
            pl_receiving_life_step(&old->machine, PL_RECEIVING_LIFE_ON_FOLLOWED);
        }
        *waiting = stream->waiting[--stream->waiting_n];
    }
    return life;
}

static void deliver_gap(struct pl_link *link, struct pl_rx_stream *stream, const struct pl_rx_life *life,
                        const struct pl_frame_gap *frame)
{
    struct pl_frame_stream begins = {
        .life = life->span.tag,
        .first_number = life->span.first,
        .life_before = life->before,
        .birth = stream->birth,
        .name = stream->name,
    };
    struct pl_gap_taken gap = {
        .stream = stream->number,
        .life = frame->life,
        .lost_from = stream->heard + 1,
        .upto = frame->upto,
        .offset = frame->offset,
        .begins = &begins,
    };
    struct pl_event lost = {
        .type = PL_EVENT_LOST, .stream = stream->number, .life = frame->life, .number = frame->upto};

    link->env->counters.gaps++;
    link->env->sink->gap(link->env->sink_ctx, link, &gap);
    link->env->sink->event(link->env->sink_ctx, link, &lost);
}

void pl_rx_gap(struct pl_arrival *arrival, const struct pl_frame_gap *frame)
{
    struct pl_link *link = arrival->link;
    struct pl_rx_stream *stream = pl_rx_by_life(&link->rx, frame->life);
    size_t row_bytes = sizeof(struct pl_stream_row);

    if (stream == NULL || !pl_runs_is_proven(arrival->run)) {
        return; /* it goes with each probe until STORED reaches it */
    }
    pl_rx_asked(arrival, stream);
    if (frame->upto <= stream->heard || link->env->room_bytes < row_bytes) {
        return;
    }
    struct pl_rx_life *life = gap_life(link, stream, frame);
    if (life == NULL) {
        return;
    }
    deliver_gap(link, stream, life, frame);
    link->env->room_bytes -= row_bytes;
    pl_part_drop(link, stream);
    if (stream->life != frame->life) {
        pl_held_drop(link, stream, stream->life);
    }
    life->start = stream->position - frame->offset;
    stream->heard = life->span.last = frame->upto;
    stream->life = frame->life;
    stream->offset = life->span.end = frame->offset;
    stream->refused_code = 0;
    pl_receiving_stream_step(&stream->machine, PL_RECEIVING_STREAM_ON_GAP);
    pl_rx_drain(arrival, stream);
}
