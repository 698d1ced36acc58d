/* Sending streams: what was given and is durable in the outbox, by position in the birth; lives
 * say in which of the sender's lives a byte was given (spec sections 5 and 7). */
#include <string.h>

#include "link/memory.h"
#include "link/send.h"

enum { KIB = 1 << 10, AHEAD_TRAINS = 2 };

static struct pl_tx_stream *slot_of(const struct pl_link *link, uint32_t slot)
{
    return slot < link->tx.streams_room && link->tx.streams[slot].used ? &link->tx.streams[slot] : NULL;
}

bool pl_tx_may_send(const struct pl_tx_stream *stream)
{
    return stream->used && stream->machine.state == PL_SENDING_STREAM_OPEN;
}

static uint64_t sendable_end(const struct pl_tx_stream *stream)
{
    return stream->line.end < stream->limit ? stream->line.end : stream->limit;
}

bool pl_tx_has_bytes(const struct pl_tx_stream *stream)
{
    return pl_tx_may_send(stream) && ((stream->resend != NULL && stream->resend->count > 0) ||
                                      stream->next < sendable_end(stream));
}

bool pl_tx_unstored(const struct pl_tx_stream *stream)
{
    return stream->used && (stream->line.end > stream->line.begin || stream->gap);
}

size_t pl_tx_unstored_bytes(const struct pl_link *link)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < link->tx.streams_room; i++) {
        const struct pl_tx_stream *stream = &link->tx.streams[i];
        bytes += stream->used ? (size_t)(stream->line.end - stream->line.begin) : 0;
        bytes += pl_tx_unstored(stream) && stream->gap;
    }
    return bytes;
}

/* The life that holds the byte at `position`; *end: where the life ends as far as it was offered. */
struct pl_tx_life *pl_tx_life_at(struct pl_tx_stream *stream, uint64_t position, uint64_t *end)
{
    struct pl_tx_life *found = NULL;

    *end = stream->line.end;
    for (unsigned i = 0; i < stream->lives_n; i++) {
        /* starts wrap below zero for a life whose first records are gone: compare as signed */
        if ((int64_t)(stream->lives[i].start - position) <= 0) {
            found = &stream->lives[i];
            *end = i + 1 < stream->lives_n ? stream->lives[i + 1].start : stream->line.end;
        }
    }
    return found;
}

struct pl_tx_life *pl_tx_life_of(struct pl_tx_stream *stream, uint32_t tag)
{
    for (unsigned i = 0; i < stream->lives_n; i++) {
        if (stream->lives[i].tag == tag) {
            return &stream->lives[i];
        }
    }
    return NULL;
}

struct pl_tx_stream *pl_tx_by_life(struct pl_link *link, uint32_t tag)
{
    for (unsigned i = 0; i < link->tx.streams_room; i++) {
        struct pl_tx_stream *stream = &link->tx.streams[i];
        bool gap = stream->gap && stream->gap_life.tag == tag;
        /* The life before the oldest one held: its last numbers may be all the peer has stored yet. */
        bool before = stream->lives_n > 0 && tag != 0 && stream->lives[0].before == tag;
        if (stream->used && (gap || before || pl_tx_life_of(stream, tag) != NULL)) {
            return stream;
        }
    }
    return NULL;
}

void pl_tx_queue(struct pl_link *link, struct pl_tx_stream *stream, uint64_t from, uint64_t to)
{
    from = from < stream->line.begin ? stream->line.begin : from;
    to = to > stream->next ? stream->next : to;
    if (from >= to) {
        return;
    }
    if (stream->resend == NULL) {
        stream->resend = pl_memory_get(&link->env->memory, sizeof *stream->resend);
    }
    if (stream->resend == NULL) {
        stream->next = from; /* no memory for a list: go back to the lowest */
        return;
    }
    pl_ranges_add(stream->resend, from, to);
}

void pl_tx_unqueue(struct pl_tx_stream *stream, uint64_t from, uint64_t to)
{
    if (stream->resend != NULL) {
        pl_ranges_remove(stream->resend, from, to);
    }
}

void pl_tx_lives_new_run(struct pl_link *link)
{
    for (unsigned i = 0; i < link->tx.streams_room; i++) {
        struct pl_tx_stream *stream = &link->tx.streams[i];
        for (unsigned j = 0; stream->used && j < stream->lives_n; j++) {
            pl_sending_life_step(&stream->lives[j].machine, PL_SENDING_LIFE_ON_NEW_RUN);
        }
    }
}

static bool free_slot(struct pl_link *link, uint32_t *slot)
{
    struct pl_tx *tx = &link->tx;
    unsigned room = tx->streams_room == 0 ? 1 : 2 * tx->streams_room;

    for (*slot = 0; *slot < tx->streams_room; (*slot)++) {
        if (!tx->streams[*slot].used) {
            return true;
        }
    }
    if (room > PL_BIRTHS_MAX) {
        return false;
    }
    void *grown = pl_memory_grow(&link->env->memory, tx->streams, tx->streams_room * sizeof tx->streams[0],
                                 room * sizeof tx->streams[0]);
    if (grown == NULL) {
        return false;
    }
    tx->streams = grown;
    tx->streams_room = room;
    return true;
}

static void add_life(struct pl_tx_stream *stream, uint32_t tag, uint64_t first, uint32_t before,
                     uint64_t start)
{
    struct pl_tx_life *life = &stream->lives[stream->lives_n++];

    life->tag = tag;
    life->first = first;
    life->before = before;
    life->start = start;
    pl_sending_life_init(&life->machine);
}

/* Positions count from the offset of `place` in its life, so that its life begins at position 0. */
static void place_at(struct pl_link *link, struct pl_tx_stream *stream, const struct pl_place *place)
{
    pl_line_reset(&stream->line, &link->env->memory, place->offset);
    stream->lives_n = 0;
    add_life(stream, place->life, place->life_first, place->life_before, 0);
    stream->number = place->number;
    stream->confirmed = place->number - 1 > stream->confirmed ? place->number - 1 : stream->confirmed;
    stream->next = place->offset;
    stream->limit = place->offset + (uint64_t)PL_WINDOW_FIRST_KIB * KIB;
    stream->sample_us = 0;
    if (stream->resend != NULL) {
        stream->resend->count = 0;
    }
}

enum pl_error pl_link_stream_add(struct pl_link *link, uint64_t birth, struct pl_bytes name,
                                 const struct pl_place *from, uint32_t *slot)
{
    if (name.n == 0 || name.n > PL_NAME_MAX) {
        return PL_E_NAME;
    }
    uint8_t *copy = pl_memory_get(&link->env->memory, name.n);
    if (copy == NULL || !free_slot(link, slot)) {
        pl_memory_put(&link->env->memory, copy, name.n);
        return copy == NULL ? PL_E_NO_MEMORY : PL_E_LIMIT;
    }
    struct pl_tx_stream *stream = &link->tx.streams[*slot];
    memset(stream, 0, sizeof *stream);
    memcpy(copy, name.p, name.n);
    stream->used = true;
    stream->birth = birth;
    stream->name = (struct pl_bytes){copy, name.n};
    pl_sending_stream_init(&stream->machine);
    place_at(link, stream, from);
    return PL_OK;
}

static void stream_free(struct pl_link *link, struct pl_tx_stream *stream)
{
    struct pl_memory *memory = &link->env->memory;

    pl_line_reset(&stream->line, memory, 0);
    pl_memory_put(memory, stream->resend, sizeof *stream->resend);
    pl_memory_put(memory, (void *)(uintptr_t)stream->name.p, stream->name.n);
    memset(stream, 0, sizeof *stream);
}

void pl_link_stream_remove(struct pl_link *link, uint32_t slot)
{
    struct pl_tx_stream *stream = slot_of(link, slot);

    if (stream != NULL) {
        pl_sent_forget_slot(link, slot);
        /* If it was stopped, what was refused is given up: added again, it is open. */
        pl_sending_stream_step(&stream->machine, PL_SENDING_STREAM_ON_DROPPED);
        stream_free(link, stream);
        if (pl_tx_unstored_bytes(link) == 0) {
            link->tx.timer_us = PL_NEVER;
        }
    }
}

void pl_tx_streams_free(struct pl_link *link)
{
    struct pl_tx *tx = &link->tx;

    for (unsigned i = 0; i < tx->streams_room; i++) {
        if (tx->streams[i].used) {
            stream_free(link, &tx->streams[i]);
        }
    }
    pl_memory_put(&link->env->memory, tx->streams, tx->streams_room * sizeof tx->streams[0]);
    tx->streams = NULL;
    tx->streams_room = 0;
}

void pl_link_stream_place(struct pl_link *link, uint32_t slot, const struct pl_place *place)
{
    struct pl_tx_stream *stream = slot_of(link, slot);

    if (stream != NULL) {
        pl_sent_forget_slot(link, slot);
        place_at(link, stream, place);
    }
}

/* What the line has room for; nothing while enough for the next trains waits in it. More lies as well in the
 * outbox: in the line it leaves the caches before it leaves, and a thousand links would hold it twice. */
static size_t room_of(const struct pl_link *link, const struct pl_tx_stream *stream)
{
    const struct pl_congestion *c = &link->tx.congestion;
    uint64_t train = pl_congestion_quantum(c, PL_BATCH_PACKETS);
    uint64_t ahead = AHEAD_TRAINS * (train < c->window_bytes ? train : c->window_bytes);

    ahead = ahead < PL_BATCH_ROOM ? PL_BATCH_ROOM : ahead;

    if (stream->line.end - stream->next >= ahead) {
        return 0;
    }
    return pl_line_room(&stream->line, link->env->settings.line_max_bytes);
}

size_t pl_link_room(const struct pl_link *link, uint32_t slot)
{
    const struct pl_tx_stream *stream = slot_of(link, slot);

    return stream == NULL ? 0 : room_of(link, stream);
}

size_t pl_link_offer(struct pl_link *link, uint32_t slot, uint32_t life, uint64_t life_first,
                     uint32_t life_before, struct pl_bytes bytes)
{
    struct pl_tx_stream *stream = slot_of(link, slot);

    if (stream == NULL || bytes.n == 0) {
        return 0;
    }
    bool news = stream->lives_n == 0 || stream->lives[stream->lives_n - 1].tag != life;
    if (news && stream->lives_n == PL_LIVES_IN_FLIGHT) {
        return 0;
    }
    uint64_t start = stream->line.end;
    size_t taken = 0;
    if (room_of(link, stream) > 0) {
        taken = pl_line_put(&stream->line, &link->env->memory, bytes, link->env->settings.line_max_bytes);
    }
    if (taken > 0 && news) {
        add_life(stream, life, life_first, life_before, start);
    }
    if (stream->machine.state == PL_SENDING_STREAM_SETTLED) {
        pl_sending_stream_step(&stream->machine, PL_SENDING_STREAM_ON_RESUMED);
    }
    return taken;
}

void pl_link_mark(struct pl_link *link, uint32_t slot, uint64_t number)
{
    struct pl_tx_stream *stream = slot_of(link, slot);

    if (stream != NULL && number > stream->number) {
        pl_line_mark(&stream->line, &link->env->memory, number);
    }
}

void pl_link_gap(struct pl_link *link, uint32_t slot, uint32_t life, uint64_t life_first,
                 uint32_t life_before, uint64_t upto, uint64_t offset)
{
    struct pl_tx_stream *stream = slot_of(link, slot);

    if (stream != NULL) {
        stream->gap = true;
        stream->gap_life = (struct pl_tx_life){.tag = life, .first = life_first, .before = life_before};
        stream->gap_upto = upto;
        stream->gap_offset = offset;
        stream->ask = true;
        link->tx.probe = true;
        link->tx.timer_us = 0;
    }
}
