/* Sorted, merged, bounded ranges of stream positions. */
#include "link/ranges.h"

#include <stdbool.h>
#include <string.h>

static void erase(struct pl_ranges *r, unsigned at, unsigned n)
{
    memmove(&r->spans[at], &r->spans[at + n], (r->count - at - n) * sizeof r->spans[0]);
    r->count -= n;
}

static void insert(struct pl_ranges *r, unsigned at, struct pl_span span)
{
    memmove(&r->spans[at + 1], &r->spans[at], (r->count - at) * sizeof r->spans[0]);
    r->spans[at] = span;
    r->count++;
}

/* Joins the two neighbours with the smallest hole between them. */
static void join_nearest(struct pl_ranges *r)
{
    unsigned best = 0;

    for (unsigned i = 1; i + 1 < r->count; i++) {
        if (r->spans[i + 1].from - r->spans[i].to < r->spans[best + 1].from - r->spans[best].to) {
            best = i;
        }
    }
    r->spans[best].to = r->spans[best + 1].to;
    erase(r, best + 1, 1);
}

void pl_ranges_add(struct pl_ranges *ranges, uint64_t from, uint64_t to)
{
    struct pl_span span = {from, to};
    unsigned at = 0, last = 0;

    if (from >= to) {
        return;
    }
    while (at < ranges->count && ranges->spans[at].to < from) {
        at++;
    }
    for (last = at; last < ranges->count && ranges->spans[last].from <= to; last++) {
        span.from = ranges->spans[last].from < span.from ? ranges->spans[last].from : span.from;
        span.to = ranges->spans[last].to > span.to ? ranges->spans[last].to : span.to;
    }
    erase(ranges, at, last - at);
    if (ranges->count == PL_RANGES_MAX) {
        join_nearest(ranges);
        pl_ranges_add(ranges, span.from, span.to);
        return;
    }
    insert(ranges, at, span);
}

void pl_ranges_remove(struct pl_ranges *ranges, uint64_t from, uint64_t to)
{
    unsigned at = 0;

    while (from < to && at < ranges->count) {
        struct pl_span *span = &ranges->spans[at];
        if (span->to <= from || span->from >= to) {
            at++;
        } else if (span->from < from && span->to > to) {
            if (ranges->count == PL_RANGES_MAX) {
                return; /* no room to split: sending a little too much again is safe */
            }
            insert(ranges, at, (struct pl_span){span->from, from});
            ranges->spans[at + 1].from = to;
            return;
        } else if (span->from < from) {
            span->to = from;
            at++;
        } else if (span->to > to) {
            span->from = to;
            return;
        } else {
            erase(ranges, at, 1);
        }
    }
}
