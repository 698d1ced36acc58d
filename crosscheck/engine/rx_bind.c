/* Receiving: STREAM binds a life, GAP skips numbers, ASK asks. */
#include "inner.h"

#include "memory.h"

#include <string.h>

static struct xc_rx_stream *by_birth(struct xc_rx *rx, uint64_t birth)
{
    for (size_t i = 0; i < rx->n; i++)
        if (rx->stream[i].birth == birth)
            return &rx->stream[i];
    return NULL;
}

static bool same_name(const struct xc_rx_stream *stream, const struct xc_value *name)
{
    return stream->name_n == name->size && memcmp(stream->name, name->bytes, name->size) == 0;
}

/* Whether a new birth of that name is within the limits of streams and births. */
static bool within_limits(const struct xc_rx *rx, const struct xc_value *name)
{
    size_t names = 0;

    for (size_t i = 0; i < rx->n; i++) {
        bool repeated = false;
        if (same_name(&rx->stream[i], name))
            return rx->n < XC_BIRTHS_MAX;
        for (size_t j = 0; j < i && !repeated; j++)
            repeated = rx->stream[j].name_n == rx->stream[i].name_n &&
                       memcmp(rx->stream[j].name, rx->stream[i].name, rx->stream[i].name_n) == 0;
        names += !repeated;
    }
    return names < XC_STREAMS_MAX && rx->n < XC_BIRTHS_MAX;
}

static struct xc_rx_stream *add_stream(struct xc_rx *rx, uint64_t birth, const struct xc_value *name)
{
    rx->stream = xc_room(rx->stream, &rx->room, rx->n + 1, sizeof *rx->stream);
    struct xc_rx_stream *stream = &rx->stream[rx->n++];
    memset(stream, 0, sizeof *stream);
    stream->birth = birth;
    memcpy(stream->name, name->bytes, name->size);
    stream->name_n = name->size;
    return stream;
}

/* A life that is bound already must be bound to the same. */
static bool contradicts(struct xc_rx_stream *stream, const struct xc_taking *t, size_t place)
{
    uint32_t tag = (uint32_t)xc_get(t->tree, place, "life"),
             before = (uint32_t)xc_get(t->tree, place, "life_before");
    uint64_t first = xc_get(t->tree, place, "first_number");
    const struct xc_rx_life *life = stream->now.tag == tag ? &stream->now : xc_rx_waiting(stream, tag);

    if (stream->birth != xc_get(t->tree, place, "birth") ||
        !same_name(stream, xc_value_of(t->tree, place, "name")))
        return true;
    if (life != NULL)
        return life->first != first || life->before != before;
    for (size_t i = 0; i < stream->past_n; i++)
        if (stream->past[i].tag == tag)
            return stream->past[i].first != first;
    return false;
}

/* Sixteen lives may wait; one place more is for a life that begins at the next number or below. */
static bool wait_for(struct xc_rx_stream *stream, uint32_t tag, uint64_t first, uint32_t before)
{
    size_t most = XC_LIVES_WAITING;

    if (first <= stream->heard + 1)
        most++;
    if (stream->waiting_n >= most) {
        if (first > stream->heard + 1 || stream->waiting[most - 1].first > stream->heard + 1)
            return false;
        xc_rx_life_free(&stream->waiting[--stream->waiting_n]);
    }
    stream->waiting[stream->waiting_n++] = (struct xc_rx_life){.tag = tag, .before = before, .first = first};
    return true;
}

void xc_rx_bind(struct xc_taking *t, size_t place)
{
    struct xc_rx *rx = &t->link->rx;
    uint32_t tag = (uint32_t)xc_get(t->tree, place, "life");
    uint64_t birth = xc_get(t->tree, place, "birth");
    const struct xc_value *name = xc_value_of(t->tree, place, "name");
    struct xc_rx_stream *bound = xc_rx_find(t->link, tag), *stream = by_birth(rx, birth);

    if (!t->link->config.accepts) {
        rx->unwanted = tag;
        return;
    }
    if (bound != NULL ? contradicts(bound, t, place) : stream != NULL && !same_name(stream, name)) {
        rx->contradicted = tag;
        return;
    }
    if (stream == NULL && !within_limits(rx, name)) {
        rx->too_many = tag;
        t->left = true;
        return;
    }
    if (stream == NULL)
        stream = add_stream(rx, birth, name);
    if (bound == NULL)
        wait_for(stream, tag, xc_get(t->tree, place, "first_number"),
                 (uint32_t)xc_get(t->tree, place, "life_before"));
    stream->owed = true;
    stream->asked = tag;
}

/* The row goes on behind number `upto` of the life, at `offset`. */
static void skip_to(struct xc_rx_stream *stream, uint32_t tag, uint64_t upto, uint64_t offset)
{
    struct xc_rx_life *life = xc_rx_waiting(stream, tag);

    if (life != NULL)
        xc_rx_follow(stream, life);
    if (stream->now.base != offset) {
        stream->now.came.n = 0;
        stream->now.base = offset;
    }
    stream->heard = upto;
    stream->refused = 0;
    stream->wanted_bytes = 0;
}

/* Only of a run that is proven, and only ahead. */
void xc_rx_gap(struct xc_taking *t, size_t place)
{
    uint32_t tag = (uint32_t)xc_get(t->tree, place, "life");
    uint64_t upto = xc_get(t->tree, place, "upto");
    struct xc_rx_stream *stream = xc_rx_find(t->link, tag);
    const struct xc_outside *outside = &t->link->config.outside;

    if (stream == NULL) {
        xc_rx_unbound(t->link, tag);
        return;
    }
    stream->owed = true;
    stream->asked = tag;
    if (!t->run->proven) {
        t->run->needs_proof = true;
        return;
    }
    if (upto <= stream->heard || (stream->now.tag != tag && xc_rx_waiting(stream, tag) == NULL))
        return;
    outside->lost(outside->context, stream->birth, stream->heard + 1, upto);
    skip_to(stream, tag, upto, xc_get(t->tree, place, "offset"));
    xc_rx_deliver(t->link, stream);
}

void xc_rx_ask(struct xc_taking *t, size_t place)
{
    uint32_t tag = (uint32_t)xc_get(t->tree, place, "life");
    struct xc_rx_stream *stream = xc_rx_find(t->link, tag);

    if (stream == NULL) {
        if (t->link->config.accepts)
            xc_rx_unbound(t->link, tag);
        else
            t->link->rx.unwanted = tag;
        return;
    }
    stream->owed = true;
    stream->asked = tag;
}
