/* Receiving streams in memory: the row of the store and the lives that wait to follow it
 * (spec section 5). */
#include "link/recv.h"

#include <string.h>

#include "link/memory.h"

enum { STREAMS_FIRST = 1, LIVES_FIRST = 1 };

struct pl_rx_stream *pl_rx_by_number(struct pl_rx *rx, uint32_t number)
{
    for (unsigned i = 0; i < rx->streams_n; i++) {
        if (rx->streams[i].number == number) {
            return &rx->streams[i];
        }
    }
    return NULL;
}

struct pl_rx_stream *pl_rx_by_birth(struct pl_rx *rx, uint64_t birth)
{
    for (unsigned i = 0; i < rx->streams_n; i++) {
        if (rx->streams[i].birth == birth) {
            return &rx->streams[i];
        }
    }
    return NULL;
}

struct pl_rx_life *pl_rx_life_of(struct pl_rx_stream *stream, uint32_t tag)
{
    for (unsigned i = stream->lives_n; i-- > 0;) {
        if (stream->lives[i].span.tag == tag) {
            return &stream->lives[i];
        }
    }
    return NULL;
}

struct pl_rx_waiting *pl_rx_waiting_of(struct pl_rx_stream *stream, uint32_t tag)
{
    for (unsigned i = 0; i < stream->waiting_n; i++) {
        if (stream->waiting[i].tag == tag) {
            return &stream->waiting[i];
        }
    }
    return NULL;
}

struct pl_rx_stream *pl_rx_by_life(struct pl_rx *rx, uint32_t tag)
{
    for (unsigned i = 0; i < rx->streams_n; i++) {
        struct pl_rx_stream *stream = &rx->streams[i];
        if (stream->life == tag || pl_rx_life_of(stream, tag) != NULL ||
            pl_rx_waiting_of(stream, tag) != NULL) {
            return stream;
        }
    }
    return NULL;
}

static bool make_room(struct pl_link *link)
{
    struct pl_rx *rx = &link->rx;
    unsigned room = rx->streams_room == 0 ? STREAMS_FIRST : 2 * rx->streams_room;

    if (rx->streams_n < rx->streams_room) {
        return true;
    }
    void *grown = pl_memory_grow(&link->env->memory, rx->streams, rx->streams_room * sizeof rx->streams[0],
                                 room * sizeof rx->streams[0]);
    if (grown == NULL) {
        return false;
    }
    rx->streams = grown;
    rx->streams_room = room;
    return true;
}

struct pl_rx_stream *pl_rx_stream_new(struct pl_link *link, uint64_t birth, struct pl_bytes name)
{
    struct pl_rx *rx = &link->rx;
    uint8_t *copy = pl_memory_get(&link->env->memory, name.n + 1); /* a name may be empty, a block not */

    if (copy == NULL || !make_room(link)) {
        pl_memory_put(&link->env->memory, copy, name.n + 1);
        return NULL;
    }
    if (name.n > 0) {
        memcpy(copy, name.p, name.n);
    }
    struct pl_rx_stream *stream = &rx->streams[rx->streams_n++];
    memset(stream, 0, sizeof *stream);
    stream->number = rx->next_stream++;
    stream->birth = birth;
    stream->name = (struct pl_bytes){copy, name.n};
    stream->window_kib = PL_WINDOW_FIRST_KIB;
    pl_receiving_stream_init(&stream->machine);
    return stream;
}

static bool lives_room(struct pl_link *link, struct pl_rx_stream *stream)
{
    unsigned room = stream->lives_room == 0 ? LIVES_FIRST : 2 * stream->lives_room;

    if (stream->lives_n < stream->lives_room) {
        return true;
    }
    if (stream->lives_room == PL_LIVES_REMEMBERED) {
        memmove(stream->lives, stream->lives + 1, (PL_LIVES_REMEMBERED - 1) * sizeof stream->lives[0]);
        stream->lives_n--;
        return true;
    }
    void *grown = pl_memory_grow(&link->env->memory, stream->lives,
                                 stream->lives_room * sizeof stream->lives[0],
                                 room * sizeof stream->lives[0]);
    if (grown == NULL) {
        return false;
    }
    stream->lives = grown;
    stream->lives_room = room;
    return true;
}

struct pl_rx_life *pl_rx_life_add(struct pl_link *link, struct pl_rx_stream *stream, uint32_t tag,
                                  uint64_t first, uint32_t before)
{
    if (!lives_room(link, stream)) {
        return NULL;
    }
    struct pl_rx_life *life = &stream->lives[stream->lives_n++];
    memset(life, 0, sizeof *life);
    life->span.tag = tag;
    life->span.first = first;
    life->span.last = first - 1;
    life->before = before;
    pl_receiving_life_init(&life->machine);
    pl_receiving_life_step(&life->machine, PL_RECEIVING_LIFE_ON_REACHED);
    return life;
}

/* Makes a waiting life that begins at heard + 1 after the row's life the row's life. What is held
 * of a part of a record of the life before is dropped: it was rolled back at the sender. */
bool pl_rx_follow(struct pl_link *link, struct pl_rx_stream *stream, struct pl_rx_waiting *waiting)
{
    struct pl_rx_waiting w = *waiting;

    struct pl_rx_life *life = pl_rx_life_add(link, stream, w.tag, w.first, w.before);
    if (life == NULL) {
        return false;
    }
    struct pl_rx_life *old = pl_rx_life_of(stream, stream->life);
    if (old != NULL) {
        pl_receiving_life_step(&old->machine, PL_RECEIVING_LIFE_ON_FOLLOWED);
    }
    pl_part_drop(link, stream);
    pl_held_drop(link, stream, stream->life);
    life->start = stream->position;
    stream->life = w.tag;
    stream->offset = 0;
    *waiting = stream->waiting[--stream->waiting_n];
    return true;
}

static void stream_free(struct pl_link *link, struct pl_rx_stream *stream)
{
    struct pl_memory *memory = &link->env->memory;

    pl_held_drop_all(link, stream);
    pl_part_drop(link, stream);
    pl_memory_put(memory, (void *)(uintptr_t)stream->name.p, stream->name.n + 1);
    pl_memory_put(memory, stream->lives, stream->lives_room * sizeof stream->lives[0]);
    pl_memory_put(memory, stream->waiting, PL_WAITING_ROOM * sizeof stream->waiting[0]);
}

void pl_rx_streams_free(struct pl_link *link)
{
    struct pl_rx *rx = &link->rx;

    for (unsigned i = 0; i < rx->streams_n; i++) {
        stream_free(link, &rx->streams[i]);
    }
    pl_memory_put(&link->env->memory, rx->streams, rx->streams_room * sizeof rx->streams[0]);
    rx->streams = NULL;
    rx->streams_n = rx->streams_room = 0;
}

/* What pieces are judged by must agree with itself: the row's life is one of its lives, and ends there. */
static bool row_is_sound(const struct pl_stream_row *row)
{
    if (row->lives_n > PL_LIVES_REMEMBERED || row->name.n > PL_NAME_MAX) {
        return false;
    }
    for (unsigned i = 0; i < row->lives_n; i++) {
        const struct pl_lifespan *span = &row->lives[i];
        if (span->tag == row->life && row->life != 0) {
            return span->first >= 1 && span->first <= row->heard && span->last == row->heard &&
                   span->end == row->offset;
        }
    }
    return false;
}

enum pl_error pl_link_load_row(struct pl_link *link, const struct pl_stream_row *row)
{
    if (!row_is_sound(row)) {
        return PL_E_STORE_DAMAGED;
    }
    struct pl_rx_stream *stream = pl_rx_stream_new(link, row->birth, row->name);
    if (stream == NULL) {
        return PL_E_NO_MEMORY;
    }
    stream->number = row->stream;
    if (link->rx.next_stream <= row->stream) {
        link->rx.next_stream = row->stream + 1;
    }
    for (unsigned i = 0; i < row->lives_n; i++) {
        const struct pl_lifespan *span = &row->lives[i];
        struct pl_rx_life *life = pl_rx_life_add(link, stream, span->tag, span->first, 0);
        if (life == NULL) {
            return PL_E_NO_MEMORY;
        }
        life->span = *span;
        life->stored = span->last;
        if (span->tag != row->life) {
            pl_receiving_life_step(&life->machine, PL_RECEIVING_LIFE_ON_FOLLOWED);
        }
    }
    stream->heard = stream->stored = row->heard;
    stream->life = stream->stored_life = row->life;
    stream->offset = stream->position = stream->stored_position = stream->grown_position = row->offset;
    pl_receiving_stream_step(&stream->machine, PL_RECEIVING_STREAM_ON_TAKEN);
    return PL_OK;
}

bool pl_link_row(const struct pl_link *link, unsigned index, struct pl_stream_row *row,
                 uint64_t *committed)
{
    if (index >= link->rx.streams_n) {
        return false;
    }
    const struct pl_rx_stream *stream = &link->rx.streams[index];
    memset(row, 0, sizeof *row);
    row->stream = stream->number;
    row->birth = stream->birth;
    row->name = stream->name;
    row->heard = stream->heard;
    row->life = stream->life;
    row->offset = stream->offset;
    row->lives_n = stream->lives_n;
    for (unsigned i = 0; i < stream->lives_n; i++) {
        row->lives[i] = stream->lives[i].span;
    }
    *committed = stream->stored;
    return true;
}
