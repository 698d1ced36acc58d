/* Receiving: pieces become records in order, each once, whatever life they come in. */
#include "inner.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* Nothing is held of the life. */
static void drop_bytes(struct xc_rx_life *life)
{
    free(life->bytes);
    life->bytes = NULL;
    life->room = 0;
    xc_ranges_free(&life->came);
}

void xc_rx_life_free(struct xc_rx_life *life)
{
    drop_bytes(life);
    *life = (struct xc_rx_life){0};
}

void xc_rx_free(struct xc_rx *rx)
{
    for (size_t i = 0; i < rx->n; i++) {
        xc_rx_life_free(&rx->stream[i].now);
        for (size_t j = 0; j < rx->stream[i].waiting_n; j++)
            xc_rx_life_free(&rx->stream[i].waiting[j]);
    }
    free(rx->stream);
}

struct xc_rx_life *xc_rx_waiting(struct xc_rx_stream *stream, uint32_t life)
{
    for (size_t i = 0; i < stream->waiting_n; i++)
        if (stream->waiting[i].tag == life)
            return &stream->waiting[i];
    return NULL;
}

static const struct xc_past_life *past_of(const struct xc_rx_stream *stream, uint32_t life)
{
    for (size_t i = 0; i < stream->past_n; i++)
        if (stream->past[i].tag == life)
            return &stream->past[i];
    return NULL;
}

/* The stream that a life is bound to; NULL: none. */
struct xc_rx_stream *xc_rx_find(struct xc_link *link, uint32_t life)
{
    for (size_t i = 0; i < link->rx.n; i++) {
        struct xc_rx_stream *stream = &link->rx.stream[i];
        if (stream->now.tag == life || past_of(stream, life) != NULL || xc_rx_waiting(stream, life) != NULL)
            return stream;
    }
    return NULL;
}

void xc_rx_unbound(struct xc_link *link, uint32_t life)
{
    struct xc_rx *rx = &link->rx;

    for (size_t i = 0; i < rx->unbound_n; i++)
        if (rx->unbound[i] == life)
            return;
    if (rx->unbound_n < XC_UNBOUND_MAX)
        rx->unbound[rx->unbound_n++] = life;
}

static void refuse(struct xc_rx_stream *stream, uint64_t code)
{
    stream->refused = code;
    stream->refused_life = stream->now.tag;
    stream->refused_number = stream->heard + 1;
    stream->wanted_bytes = 0;
    stream->now.came.n = 0;
    for (size_t i = 0; i < stream->waiting_n; i++)
        stream->waiting[i].came.n = 0;
    stream->owed = true;
}

static size_t memory_of(const struct xc_rx_life *life)
{
    return life->room + life->came.room * sizeof *life->came.range;
}

/* Whether the life's buffer may grow to `end`, beside what all lives of the link have. */
static bool may_grow(const struct xc_rx *rx, const struct xc_rx_life *life, uint64_t end)
{
    size_t used = 0;

    if (end <= life->room)
        return true;
    for (size_t i = 0; i < rx->n; i++) {
        used += memory_of(&rx->stream[i].now);
        for (size_t j = 0; j < rx->stream[i].waiting_n; j++)
            used += memory_of(&rx->stream[i].waiting[j]);
    }
    return used + life->room + end <= XC_HELD_ALL_MAX;
}

/* Keeps a piece in its place in the life's buffer, which begins at a record. False: there is no room. */
static bool hold(const struct xc_rx *rx, struct xc_rx_life *life, uint64_t offset, const uint8_t *p, size_t n)
{
    uint64_t skip = offset < life->base ? life->base - offset : 0, end = offset + n - life->base;

    if (end > XC_HELD_MAX || (life->came.n >= XC_HOLES_MAX && offset > life->base) ||
        !may_grow(rx, life, end))
        return false;
    life->bytes = xc_room(life->bytes, &life->room, (size_t)end, 1);
    memcpy(life->bytes + (offset + skip - life->base), p + skip, n - skip);
    xc_ranges_add(&life->came, offset + skip, offset + n);
    return true;
}

/* The size field at p, of `have` bytes, one at least. Returns its own bytes: 0: more are needed; -1: not in
 * its shortest form. */
static int read_size(const uint8_t *p, size_t have, uint64_t *size)
{
    unsigned bytes = 1U << (p[0] >> 6);
    if (have < bytes)
        return 0;
    *size = p[0] & 0x3f;
    for (unsigned i = 1; i < bytes; i++)
        *size = *size << 8 | p[i];
    return bytes > 1 && *size >> (4 * bytes - 2) == 0 ? -1 : (int)bytes;
}

/* Delivers the record at `at`; returns its framed bytes, 0 if it is not all there or is refused. */
static size_t deliver_one(struct xc_link *link, struct xc_rx_stream *stream, size_t at, size_t have)
{
    const struct xc_outside *outside = &link->config.outside;
    uint64_t size;

    stream->wanted_bytes = 0;
    if (have == at)
        return 0;
    const uint8_t *p = stream->now.bytes + at;
    int head = read_size(p, have - at, &size);
    if (head < 0)
        refuse(stream, XC_FRAMING);
    else if (head > 0 && size > link->config.record_max_bytes)
        refuse(stream, XC_TOO_LARGE);
    if (head <= 0 || stream->refused != 0)
        return 0;
    stream->wanted_bytes = size + (uint64_t)head;
    if (have - at < stream->wanted_bytes)
        return 0;
    stream->heard++;
    outside->record(outside->context, stream->birth, stream->name, stream->name_n, stream->heard, p + head,
                    (size_t)size);
    return (size_t)stream->wanted_bytes;
}

static void deliver_life(struct xc_link *link, struct xc_rx_stream *stream)
{
    struct xc_rx_life *life = &stream->now;
    uint64_t reach = xc_ranges_reach(&life->came, life->base), last = life->base;
    size_t have = (size_t)(reach - life->base), at = 0, used;

    while ((used = deliver_one(link, stream, at, have)) > 0)
        at += used;
    if (at == 0 || stream->refused != 0) {
        life->base += at;
        return;
    }
    if (life->came.n > 0)
        last = life->came.range[life->came.n - 1].to;
    memmove(life->bytes, life->bytes + at, (size_t)(last - life->base) - at);
    life->base += at;
    xc_ranges_remove(&life->came, 0, life->base);
    if (life->came.n == 0)
        drop_bytes(life);
}

/* The row's life is past; `next`, one of the stream's waiting lives, is the row's from here on. */
void xc_rx_follow(struct xc_rx_stream *stream, struct xc_rx_life *next)
{
    struct xc_rx_life *now = &stream->now;
    size_t index = (size_t)(next - stream->waiting);

    if (now->tag != 0) {
        if (stream->past_n == XC_LIVES_REMEMBERED)
            stream->past_n--;
        memmove(stream->past + 1, stream->past, stream->past_n * sizeof *stream->past);
        stream->past[0] = (struct xc_past_life){now->tag, now->first, stream->heard, now->base};
        stream->past_n++;
    }
    xc_rx_life_free(now);
    *now = *next;
    stream->waiting_n--;
    memmove(next, next + 1, (stream->waiting_n - index) * sizeof *next);
    stream->wanted_bytes = 0;
}

static bool follows(const struct xc_rx_stream *stream, const struct xc_rx_life *life)
{
    return life->first == stream->heard + 1 && life->before == stream->now.tag;
}

/* Everything that is in order, life after life. */
void xc_rx_deliver(struct xc_link *link, struct xc_rx_stream *stream)
{
    bool again = true;

    while (again && stream->refused == 0) {
        again = false;
        deliver_life(link, stream);
        for (size_t i = 0; i < stream->waiting_n && !again; i++)
            if (stream->waiting[i].came.n > 0 && follows(stream, &stream->waiting[i])) {
                xc_rx_follow(stream, &stream->waiting[i]);
                again = true;
            }
    }
}

static void fork_life(struct xc_rx_stream *stream, uint32_t life, uint64_t number)
{
    stream->forked = life;
    stream->forked_number = number;
}

/* The piece of a life that is not the row's: a repeat, early, the next life's, or forked. */
static bool other_life(const struct xc_rx *rx, struct xc_rx_stream *stream, uint32_t tag, uint64_t offset,
                       const uint8_t *p, size_t n)
{
    const struct xc_past_life *past = past_of(stream, tag);
    struct xc_rx_life *life = xc_rx_waiting(stream, tag);

    if (past != NULL) {
        if (offset + n > past->end)
            fork_life(stream, tag, past->last);
        return true;
    }
    if (life->first > stream->heard + 1)
        return hold(rx, life, offset, p, n);
    if (!follows(stream, life)) {
        fork_life(stream, tag, 0);
        return true;
    }
    xc_rx_follow(stream, life);
    return hold(rx, &stream->now, offset, p, n);
}

void xc_rx_piece(struct xc_taking *t, size_t place)
{
    uint32_t tag = (uint32_t)xc_get(t->tree, place, "life");
    uint64_t offset = xc_get(t->tree, place, "offset");
    const struct xc_value *bytes = xc_value_of(t->tree, place, "bytes");
    struct xc_rx_stream *stream = xc_rx_find(t->link, tag);
    bool taken = true;

    if (stream == NULL) {
        xc_rx_unbound(t->link, tag);
        t->left = t->link->config.accepts;
        return;
    }
    stream->owed = true;
    if (stream->asked == 0)
        stream->asked = tag;
    if (stream->refused != 0)
        return;
    if (tag != stream->now.tag)
        taken = other_life(&t->link->rx, stream, tag, offset, bytes->bytes, bytes->size);
    else if (offset + bytes->size > stream->now.base)
        taken = hold(&t->link->rx, &stream->now, offset, bytes->bytes, bytes->size);
    if (!taken)
        t->left = true;
    xc_rx_deliver(t->link, stream);
}
