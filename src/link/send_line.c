/* The line: framed bytes of a sending stream from the first not stored on, a ring addressed by
 * position. It grows with what is unstored and is given back when nothing is.
 *
 * The peer says 'stored' of a number, and a number's place is found by walking over size fields: bytes that
 * left the caches since they were offered. Marks, told when the number is known anyway, keep the walk
 * short. */
#include <string.h>

#include "link/memory.h"
#include "link/send.h"
#include "wire/walk.h"

#define LINE_FIRST ((size_t)1 << 12)

enum { MARKS_APART_MIN = 1 << 10 };

size_t pl_line_room(const struct pl_line *line, size_t most)
{
    size_t used = (size_t)(line->end - line->begin);

    return used < most ? most - used : 0;
}

/* Copies n bytes at `position` out of, or into, a ring of `room` bytes. */
static void ring_out(const uint8_t *ring, size_t room, uint64_t position, uint8_t *out, size_t n)
{
    size_t at = (size_t)(position & (room - 1));
    size_t head = n < room - at ? n : room - at;

    memcpy(out, ring + at, head);
    memcpy(out + head, ring, n - head);
}

static void ring_in(uint8_t *ring, size_t room, uint64_t position, const uint8_t *in, size_t n)
{
    size_t at = (size_t)(position & (room - 1));
    size_t head = n < room - at ? n : room - at;

    memcpy(ring + at, in, head);
    memcpy(ring, in + head, n - head);
}

static bool grow(struct pl_line *line, struct pl_memory *memory, size_t needed)
{
    size_t room = line->room == 0 ? LINE_FIRST : line->room;
    size_t used = (size_t)(line->end - line->begin);

    while (room < needed) {
        room *= 2;
    }
    if (room == line->room) {
        return true;
    }
    uint8_t *bytes = pl_memory_get_raw(memory, room);
    if (bytes == NULL) {
        return false;
    }
    for (size_t done = 0; done < used;) {
        size_t at = (size_t)((line->begin + done) & (room - 1));
        size_t n = used - done < room - at ? used - done : room - at;
        ring_out(line->bytes, line->room, line->begin + done, bytes + at, n);
        done += n;
    }
    pl_memory_put(memory, line->bytes, line->room);
    line->bytes = bytes;
    line->room = room;
    return true;
}

size_t pl_line_put(struct pl_line *line, struct pl_memory *memory, struct pl_bytes bytes, size_t most)
{
    size_t n = pl_line_room(line, most);

    n = bytes.n < n ? bytes.n : n;
    if (n == 0 || !grow(line, memory, (size_t)(line->end - line->begin) + n)) {
        return 0;
    }
    ring_in(line->bytes, line->room, line->end, bytes.p, n);
    line->end += n;
    return n;
}

void pl_line_copy(const struct pl_line *line, uint64_t position, uint8_t *out, size_t n)
{
    ring_out(line->bytes, line->room, position, out, n);
}

void pl_line_free_to(struct pl_line *line, struct pl_memory *memory, uint64_t position)
{
    line->begin = position;
    if (line->begin == line->end) {
        pl_line_reset(line, memory, position);
    }
}

void pl_line_reset(struct pl_line *line, struct pl_memory *memory, uint64_t position)
{
    pl_memory_put(memory, line->bytes, line->room);
    pl_memory_put(memory, line->marks, PL_MARKS * sizeof *line->marks);
    memset(line, 0, sizeof *line);
    line->begin = line->end = position;
}

/* The ring's contiguous bytes from `position` on. */
static struct pl_bytes stretch(const struct pl_line *line, uint64_t position)
{
    size_t at = (size_t)(position & (line->room - 1));
    size_t n = (size_t)(line->end - position);

    return (struct pl_bytes){line->bytes + at, n < line->room - at ? n : line->room - at};
}

/* The end of the record at `position`, which may wrap around the ring's edge; 0: it is not whole. */
static uint64_t cut_record_end(const struct pl_line *line, uint64_t position)
{
    uint8_t head[sizeof(uint64_t)];
    size_t left = (size_t)(line->end - position);
    size_t n = left < sizeof head ? left : sizeof head;

    pl_line_copy(line, position, head, n);
    struct pl_walk walk = pl_walk((struct pl_bytes){head, n}, 1, SIZE_MAX / 2);
    size_t bytes = walk.count == 1 ? walk.whole_bytes : walk.cut_bytes;
    return bytes == 0 || bytes > left ? 0 : position + bytes;
}

/* The end of `records` records from `from` on; 0: they are not all there. */
static uint64_t records_end(const struct pl_line *line, uint64_t from, uint64_t records)
{
    uint64_t at = from;

    while (records > 0 && at < line->end) {
        struct pl_walk walk = pl_walk(stretch(line, at), records, SIZE_MAX / 2);
        at += walk.whole_bytes;
        records -= walk.count;
        if (records > 0 && walk.count == 0) {
            uint64_t cut = cut_record_end(line, at);
            if (cut == 0) {
                break;
            }
            at = cut;
            records--;
        }
    }
    return records == 0 ? at : 0;
}

static struct pl_mark *mark_at(const struct pl_line *line, unsigned i)
{
    return &line->marks[(line->mark_first + i) % PL_MARKS];
}

static void drop_past(struct pl_line *line)
{
    while (line->marks_n > 0 && mark_at(line, 0)->position < line->begin) {
        line->mark_first = (line->mark_first + 1) % PL_MARKS;
        line->marks_n--;
    }
}

void pl_line_mark(struct pl_line *line, struct pl_memory *memory, uint64_t number)
{
    size_t apart = line->room / PL_MARKS;
    uint64_t last = line->marks_n > 0 ? mark_at(line, line->marks_n - 1)->position : line->begin;

    /* A short line is walked in no time; without memory it is walked too. */
    if (apart < MARKS_APART_MIN || line->end < last + apart) {
        return;
    }
    if (line->marks == NULL) {
        line->marks = pl_memory_get_raw(memory, PL_MARKS * sizeof *line->marks);
    }
    drop_past(line);
    if (line->marks != NULL && line->marks_n < PL_MARKS) {
        *mark_at(line, line->marks_n++) = (struct pl_mark){line->end, number};
    }
}

uint64_t pl_line_find(const struct pl_line *line, uint64_t first, uint64_t number)
{
    struct pl_mark from = {line->begin, first};

    for (unsigned i = 0; i < line->marks_n && mark_at(line, i)->number <= number; i++) {
        if (mark_at(line, i)->position >= line->begin) {
            from = *mark_at(line, i);
        }
    }
    return records_end(line, from.position, number - from.number);
}
