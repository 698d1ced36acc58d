/* Bytes that wait: pieces that came out of order, and the part of a record not yet whole. */
#include "link/recv.h"

#include <string.h>

#include "link/memory.h"

enum { KIB = 1 << 10 };

static size_t footprint(const struct pl_piece *piece)
{
    return sizeof *piece + piece->size;
}

static void charge(struct pl_link *link, size_t bytes, bool unproven)
{
    link->rx.held_bytes += bytes;
    link->env->held_bytes += bytes;
    link->env->unproven_held_bytes += unproven ? bytes : 0;
}

static void refund(struct pl_link *link, size_t bytes, bool unproven)
{
    link->rx.held_bytes -= bytes;
    link->env->held_bytes -= bytes;
    link->env->unproven_held_bytes -= unproven ? bytes : 0;
}

/* A link may hold what a window lets come and two of the largest records, since pieces may find no room for a
 * while that are within the window; all links together their budget. */
static bool affordable(const struct pl_link *link, size_t bytes, bool unproven)
{
    const struct pl_env *env = link->env;
    size_t window_max = (size_t)env->settings.window_max_kib * KIB;
    size_t link_max = 2 * env->settings.record_max_bytes +
                      (window_max > PL_RECORD_MAX ? window_max : PL_RECORD_MAX);

    return link->rx.held_bytes + bytes <= link_max &&
           env->held_bytes + bytes <= env->settings.held_max_bytes &&
           (!unproven || env->unproven_held_bytes + bytes <= env->settings.unproven_pool_bytes);
}

static bool goes_before(const struct pl_piece *piece, uint32_t life, uint64_t offset)
{
    return piece->life < life || (piece->life == life && piece->offset < offset);
}

/* Where a piece belongs in the order. Most come in order, so behind the last one, without a walk. */
static struct pl_piece **held_place(struct pl_rx_stream *stream, uint32_t life, uint64_t offset)
{
    struct pl_piece **at = &stream->held;

    if (stream->held_last != NULL && goes_before(stream->held_last, life, offset)) {
        return &stream->held_last->next;
    }
    while (*at != NULL && goes_before(*at, life, offset)) {
        at = &(*at)->next;
    }
    return at;
}

bool pl_held_add(struct pl_link *link, struct pl_rx_stream *stream, uint32_t life, uint64_t offset,
                 struct pl_bytes bytes, bool unproven)
{
    struct pl_piece **at = held_place(stream, life, offset);
    size_t size = sizeof **at + bytes.n;

    if (*at != NULL && (*at)->life == life && (*at)->offset == offset && (*at)->size >= bytes.n) {
        return true; /* held already */
    }
    if (!affordable(link, size, unproven)) {
        return false;
    }
    struct pl_piece *piece = pl_memory_get_raw(&link->env->memory, size);
    if (piece == NULL) {
        return false;
    }
    piece->life = life;
    piece->offset = offset;
    piece->size = (uint32_t)bytes.n;
    piece->unproven = unproven;
    memcpy(piece->bytes, bytes.p, bytes.n);
    piece->next = *at;
    stream->held_last = piece->next == NULL ? piece : stream->held_last;
    *at = piece;
    charge(link, size, unproven);
    link->env->counters.pieces_held++;
    return true;
}

/* Drops the piece at `at`; `before` is the one before it, NULL if it is the first. */
static void drop_one(struct pl_link *link, struct pl_rx_stream *stream, struct pl_piece *before)
{
    struct pl_piece **at = before != NULL ? &before->next : &stream->held;
    struct pl_piece *piece = *at;

    *at = piece->next;
    stream->held_last = piece->next == NULL ? before : stream->held_last;
    refund(link, footprint(piece), piece->unproven);
    pl_memory_put(&link->env->memory, piece, footprint(piece));
}

void pl_held_drop(struct pl_link *link, struct pl_rx_stream *stream, uint32_t life)
{
    struct pl_piece *before = NULL;

    for (struct pl_piece *piece = stream->held, *next; piece != NULL; piece = next) {
        next = piece->next;
        if (piece->life == life) {
            drop_one(link, stream, before);
        } else {
            before = piece;
        }
    }
}

void pl_held_drop_first(struct pl_link *link, struct pl_rx_stream *stream, uint32_t life)
{
    struct pl_piece *before = NULL;

    for (struct pl_piece *piece = stream->held; piece != NULL; piece = piece->next) {
        if (piece->life == life) {
            drop_one(link, stream, before);
            return;
        }
        before = piece;
    }
}

void pl_held_drop_all(struct pl_link *link, struct pl_rx_stream *stream)
{
    while (stream->held != NULL) {
        drop_one(link, stream, NULL);
    }
}

void pl_part_drop(struct pl_link *link, struct pl_rx_stream *stream)
{
    refund(link, stream->part_room, false);
    pl_memory_put(&link->env->memory, stream->part, stream->part_room);
    stream->part = NULL;
    stream->part_n = stream->part_room = stream->part_need = 0;
}

bool pl_part_reserve(struct pl_link *link, struct pl_rx_stream *stream, size_t bytes)
{
    if (bytes <= stream->part_room) {
        return true;
    }
    if (!affordable(link, bytes - stream->part_room, false)) {
        return false;
    }
    uint8_t *part = pl_memory_get_raw(&link->env->memory, bytes);
    if (part == NULL) {
        return false;
    }
    if (stream->part_n > 0) {
        memcpy(part, stream->part, stream->part_n);
    }
    pl_memory_put(&link->env->memory, stream->part, stream->part_room);
    charge(link, bytes - stream->part_room, false);
    stream->part = part;
    stream->part_room = bytes;
    return true;
}
