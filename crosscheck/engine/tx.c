/* Sending: streams and their lives, what is held of them, and the one timer. */
#include "inner.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

static void free_life(struct xc_tx_life *life)
{
    free(life->bytes);
    free(life->ends);
    xc_ranges_free(&life->todo);
}

void xc_tx_free(struct xc_tx *tx)
{
    for (size_t i = 0; i < tx->n; i++) {
        for (size_t j = 0; j < tx->stream[i].n; j++)
            free_life(&tx->stream[i].life[j]);
        free(tx->stream[i].life);
    }
    free(tx->stream);
    free(tx->sent);
}

struct xc_tx_stream *xc_tx_stream_of(struct xc_link *link, const uint8_t *name, size_t name_n)
{
    struct xc_tx *tx = &link->tx;

    for (size_t i = 0; i < tx->n; i++)
        if (tx->stream[i].name_n == name_n && memcmp(tx->stream[i].name, name, name_n) == 0)
            return &tx->stream[i];
    tx->stream = xc_room(tx->stream, &tx->room, tx->n + 1, sizeof *tx->stream);
    struct xc_tx_stream *stream = &tx->stream[tx->n++];
    memset(stream, 0, sizeof *stream);
    memcpy(stream->name, name, name_n);
    stream->name_n = name_n;
    stream->window_bytes = XC_WINDOW_FIRST_KIB * 1024;
    return stream;
}

static uint32_t draw_tag(struct xc_link *link)
{
    uint32_t tag = 0;

    while (tag == 0)
        link->config.outside.random(link->config.outside.context, &tag, sizeof tag);
    return tag;
}

/* A life at the end of the stream. birth 0: a new one is drawn, and the life begins at number 1. */
static struct xc_tx_life *add_life(struct xc_link *link, struct xc_tx_stream *stream, uint64_t birth,
                                   uint64_t first, uint32_t before)
{
    stream->life = xc_room(stream->life, &stream->room, stream->n + 1, sizeof *stream->life);
    struct xc_tx_life *life = &stream->life[stream->n++];
    memset(life, 0, sizeof *life);
    life->tag = draw_tag(link);
    life->birth = birth;
    if (birth == 0)
        link->config.outside.random(link->config.outside.context, &life->birth, sizeof life->birth);
    life->first = first;
    life->before = before;
    return life;
}

static void add_bytes(struct xc_tx_life *life, const uint8_t *p, size_t n)
{
    life->bytes = xc_room(life->bytes, &life->room, life->n + n, 1);
    if (n > 0)
        memcpy(life->bytes + life->n, p, n);
    xc_ranges_add(&life->todo, life->n, life->n + n);
    life->n += n;
}

static void end_record(struct xc_tx_life *life)
{
    life->ends = xc_room(life->ends, &life->ends_room, life->count + 1, sizeof *life->ends);
    life->ends[life->count++] = life->n;
}

/* {size (i), record}, the size in its shortest form. */
static void add_record(struct xc_tx_life *life, const uint8_t *record, size_t n)
{
    uint8_t size[8];
    unsigned code = 0, bytes;

    while (n >> ((8U << code) - 2) != 0)
        code++;
    bytes = 1U << code;
    for (unsigned i = 0; i < bytes; i++)
        size[i] = (uint8_t)(n >> (8 * (bytes - 1 - i)));
    size[0] |= (uint8_t)(code << 6);
    add_bytes(life, size, bytes);
    add_bytes(life, record, n);
    end_record(life);
}

void xc_link_give(struct xc_link *link, const uint8_t *name, size_t name_n, const uint8_t *record, size_t n)
{
    struct xc_tx_stream *stream = xc_tx_stream_of(link, name, name_n);
    const struct xc_tx_life *last = stream->n > 0 ? &stream->life[stream->n - 1] : &stream->last;

    if (last->tag == 0)
        add_life(link, stream, 0, 1, 0);
    else if (stream->n == 0 || stream->fresh)
        add_life(link, stream, last->birth, last->first + last->count, last->tag);
    stream->fresh = false;
    add_record(&stream->life[stream->n - 1], record, n);
}

struct xc_tx_life *xc_tx_find(struct xc_link *link, uint32_t tag, struct xc_tx_stream **stream)
{
    for (size_t i = 0; i < link->tx.n; i++)
        for (size_t j = 0; j < link->tx.stream[i].n; j++)
            if (link->tx.stream[i].life[j].tag == tag) {
                *stream = &link->tx.stream[i];
                return &link->tx.stream[i].life[j];
            }
    return NULL;
}

/* The life's numbers up to `number` are stored or given up; of earlier lives of that birth all are. What is
 * settled is dropped. */
void xc_tx_settle(struct xc_tx_stream *stream, size_t index, uint64_t number)
{
    struct xc_tx_life *life = &stream->life[index];
    uint64_t most = life->first + life->count - 1, upto = number < most ? number : most;

    if (upto >= life->first && upto - life->first + 1 > life->stored) {
        life->stored = (size_t)(upto - life->first + 1);
        life->stored_end = life->ends[life->stored - 1];
        xc_ranges_remove(&life->todo, 0, life->stored_end);
    }
    size_t gone = life->stored == life->count ? index + 1 : index;
    if (gone == 0 || (index > 0 && life->stored == 0))
        return;
    stream->last = stream->life[gone - 1];
    for (size_t i = 0; i < gone; i++)
        free_life(&stream->life[i]);
    stream->last.bytes = NULL;
    stream->last.ends = NULL;
    stream->last.todo = (struct xc_ranges){0};
    stream->n -= gone;
    memmove(stream->life, stream->life + gone, stream->n * sizeof *stream->life);
}

static uint64_t drop_refused(struct xc_tx_stream *stream)
{
    for (size_t i = stream->n; i-- > 0;) {
        const struct xc_tx_life *life = &stream->life[i];
        if (life->birth == stream->life[0].birth && life->first <= stream->refused_number) {
            xc_tx_settle(stream, i, stream->refused_number);
            stream->state = XC_OPEN;
            stream->gap_due = true;
            return 1;
        }
    }
    return 0;
}

uint64_t xc_link_drop_refused(struct xc_link *link)
{
    uint64_t dropped = 0;

    for (size_t i = 0; i < link->tx.n; i++)
        if (link->tx.stream[i].state == XC_STOPPED && link->tx.stream[i].refused_number > 0)
            dropped += drop_refused(&link->tx.stream[i]);
    link->tx.probe = link->tx.probe || dropped > 0;
    return dropped;
}

void xc_link_new_lives(struct xc_link *link)
{
    for (size_t i = 0; i < link->tx.n; i++)
        link->tx.stream[i].fresh = true;
}

static void add_rest(struct xc_tx_life *next, const struct xc_tx_life *life, uint64_t number)
{
    for (size_t record = life->stored; record < life->count; record++) {
        uint64_t from = record > 0 ? life->ends[record - 1] : 0;
        if (life->first + record <= number)
            continue;
        add_bytes(next, life->bytes + from, (size_t)(life->ends[record] - from));
        end_record(next);
    }
}

/* The life's records above `number` and all of later lives, given again as one life of a new birth. */
void xc_tx_reborn(struct xc_link *link, struct xc_tx_stream *stream, size_t index, uint64_t number)
{
    size_t last = stream->n;
    struct xc_tx_life *next = add_life(link, stream, 0, 1, 0);

    for (size_t i = index; i < last; i++) {
        add_rest(next, &stream->life[i], i == index ? number : 0);
        free_life(&stream->life[i]);
    }
    stream->life[index] = *next;
    stream->n = index + 1;
    stream->window_bytes = XC_WINDOW_FIRST_KIB * 1024;
    if (stream->life[index].count > 0)
        return;
    /* Nothing is left: what is given next begins a birth of its own. */
    free_life(&stream->life[index]);
    stream->n = index;
    stream->last.tag = 0;
}

/* Bytes of life number `index` that the stream's window lets out, counted from the life's beginning. */
uint64_t xc_tx_room(const struct xc_tx_stream *stream, size_t index)
{
    uint64_t left = stream->window_bytes;

    for (size_t i = 0; i < index; i++) {
        uint64_t used = stream->life[i].n - stream->life[i].stored_end;
        left = left > used ? left - used : 0;
    }
    return stream->life[index].stored_end + left;
}

void xc_tx_again(struct xc_tx_life *life, uint64_t from, uint64_t to)
{
    if (from < life->stored_end)
        from = life->stored_end;
    if (to > life->n)
        to = life->n;
    xc_ranges_add(&life->todo, from, to);
}

/* What came while the stream was refused was acknowledged and not kept. */
void xc_tx_all_again(struct xc_tx_stream *stream)
{
    for (size_t i = 0; i < stream->n; i++)
        xc_tx_again(&stream->life[i], 0, stream->life[i].n);
}

/* Nothing is to be sent and nothing to be waited for: all is stored, or the stream was refused for good and
 * what comes before the record refused is stored. */
bool xc_tx_at_rest(const struct xc_tx_stream *stream)
{
    if (stream->n == 0)
        return true;
    const struct xc_tx_life *oldest = &stream->life[0];
    return stream->state == XC_STOPPED && oldest->first + oldest->stored >= stream->refused_number;
}

bool xc_tx_unstored(const struct xc_link *link)
{
    for (size_t i = 0; i < link->tx.n; i++)
        if (!xc_tx_at_rest(&link->tx.stream[i]) || link->tx.stream[i].gap_due)
            return true;
    return false;
}

static uint64_t records_of(const struct xc_tx_stream *stream)
{
    uint64_t n = 0;

    for (size_t i = 0; i < stream->n; i++)
        n += stream->life[i].count - stream->life[i].stored;
    return n;
}

uint64_t xc_link_held(const struct xc_link *link)
{
    uint64_t n = 0;

    for (size_t i = 0; i < link->tx.n; i++)
        n += records_of(&link->tx.stream[i]);
    return n;
}

uint64_t xc_link_stopped(const struct xc_link *link)
{
    uint64_t n = 0;

    for (size_t i = 0; i < link->tx.n; i++)
        n += xc_tx_at_rest(&link->tx.stream[i]) ? records_of(&link->tx.stream[i]) : 0;
    return n;
}
