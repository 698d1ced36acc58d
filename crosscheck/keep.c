/* The files of the two programs: a device's lives, a node's rows. */
#include "keep.h"

#include "common.h"
#include "engine/inner.h"
#include "engine/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(FILE *file, const void *p, size_t n)
{
    if (n > 0 && fwrite(p, 1, n, file) != n)
        xc_fail(XC_EXIT_FAILED, "not written", strerror(errno));
}

static bool get(FILE *file, void *p, size_t n)
{
    return n == 0 || fread(p, 1, n, file) == n;
}

/* ---- lives ---- */

uint64_t xc_lives_mark(const struct xc_link *link)
{
    uint64_t mark = 0;

    for (size_t i = 0; i < link->tx.n; i++) {
        const struct xc_tx_stream *stream = &link->tx.stream[i];
        mark = mark * 31 + stream->n;
        for (size_t j = 0; j < stream->n; j++)
            mark = mark * 31 + stream->life[j].tag;
    }
    return mark;
}

/* Bytes and ends of the records stand behind it; pointers in it mean nothing. */
static void put_life(FILE *file, const struct xc_tx_life *life)
{
    put(file, life, sizeof *life);
    put(file, life->bytes, life->n);
    put(file, life->ends, life->count * sizeof *life->ends);
}

static bool get_life(FILE *file, struct xc_tx_life *life)
{
    struct xc_tx_life kept;

    if (!get(file, &kept, sizeof kept))
        return false;
    *life = (struct xc_tx_life){.tag = kept.tag,
                                .before = kept.before,
                                .birth = kept.birth,
                                .first = kept.first,
                                .n = kept.n,
                                .count = kept.count};
    life->bytes = xc_room(NULL, &life->room, life->n + 1, 1);
    life->ends = xc_room(NULL, &life->ends_room, life->count + 1, sizeof *life->ends);
    xc_ranges_add(&life->todo, 0, life->n);
    return get(file, life->bytes, life->n) && get(file, life->ends, life->count * sizeof *life->ends);
}

static void put_stream(FILE *file, const struct xc_tx_stream *stream)
{
    put(file, &stream->name_n, sizeof stream->name_n);
    put(file, stream->name, stream->name_n);
    put(file, &stream->last, sizeof stream->last);
    put(file, &stream->n, sizeof stream->n);
    for (size_t i = 0; i < stream->n; i++)
        put_life(file, &stream->life[i]);
}

static bool get_stream(struct xc_link *link, FILE *file, size_t name_n)
{
    uint8_t name[sizeof link->tx.stream->name];
    struct xc_tx_life last;
    size_t n;

    if (name_n > sizeof name || !get(file, name, name_n) || !get(file, &last, sizeof last) ||
        !get(file, &n, sizeof n))
        return false;
    struct xc_tx_stream *stream = xc_tx_stream_of(link, name, name_n);
    stream->last = last;
    stream->life = xc_room(NULL, &stream->room, n + 1, sizeof *stream->life);
    while (stream->n < n)
        if (!get_life(file, &stream->life[stream->n++]))
            return false;
    return true;
}

void xc_lives_save(const struct xc_link *link, const char *path)
{
    char next[4096];

    snprintf(next, sizeof next, "%s.next", path);
    FILE *file = xc_open_file(next, "wb");
    for (size_t i = 0; i < link->tx.n; i++)
        put_stream(file, &link->tx.stream[i]);
    if (fflush(file) != 0 || fsync(fileno(file)) != 0 || fclose(file) != 0 || rename(next, path) != 0)
        xc_fail(XC_EXIT_FAILED, strerror(errno), path);
}

bool xc_lives_load(struct xc_link *link, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t name_n;

    if (file == NULL)
        return false;
    while (get(file, &name_n, sizeof name_n))
        if (!get_stream(link, file, name_n))
            xc_fail(XC_EXIT_FAILED, "not what was written to it", path);
    fclose(file);
    return true;
}

/* ---- rows ---- */

struct row {
    uint64_t birth, heard, first, base;
    uint32_t life, before;
    size_t name_n, past_n;
};

bool xc_rows_save(const struct xc_link *link, FILE *file, const void *head, size_t head_n)
{
    bool any = false;

    for (size_t i = 0; i < link->rx.n; i++) {
        const struct xc_rx_stream *s = &link->rx.stream[i];
        if (s->heard == s->stored)
            continue;
        struct row row = {.birth = s->birth,
                          .heard = s->heard,
                          .first = s->now.first,
                          .base = s->now.base,
                          .life = s->now.tag,
                          .before = s->now.before,
                          .name_n = s->name_n,
                          .past_n = s->past_n};
        put(file, head, head_n);
        put(file, &row, sizeof row);
        put(file, s->name, s->name_n);
        put(file, s->past, s->past_n * sizeof *s->past);
        any = true;
    }
    return any;
}

static bool read_row(FILE *file, struct row *row, struct xc_rx_stream *s)
{
    return get(file, row, sizeof *row) && row->name_n <= sizeof s->name &&
           row->past_n <= XC_LIVES_REMEMBERED && get(file, s->name, row->name_n) &&
           get(file, s->past, row->past_n * sizeof *s->past);
}

bool xc_row_skip(FILE *file)
{
    struct row row;
    struct xc_rx_stream s;

    return read_row(file, &row, &s);
}

static struct xc_rx_stream *row_of(struct xc_rx *rx, uint64_t birth)
{
    for (size_t i = 0; i < rx->n; i++)
        if (rx->stream[i].birth == birth)
            return &rx->stream[i];
    rx->stream = xc_room(rx->stream, &rx->room, rx->n + 1, sizeof *rx->stream);
    return &rx->stream[rx->n++];
}

bool xc_row_load(struct xc_link *link, FILE *file)
{
    struct row row;
    struct xc_rx_stream s = {0};

    if (!read_row(file, &row, &s))
        return false;
    s.birth = row.birth;
    s.heard = s.stored = row.heard;
    s.now = (struct xc_rx_life){.tag = row.life, .before = row.before, .first = row.first, .base = row.base};
    s.name_n = row.name_n;
    s.past_n = row.past_n;
    *row_of(&link->rx, row.birth) = s;
    return true;
}
