/* Sets of ranges, by plain search from the first one. */
#include "ranges.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* Replaces `count` ranges at `at` by `with` ones that the caller fills in. */
static void replace(struct xc_ranges *set, size_t at, size_t count, size_t with)
{
    set->range = xc_room(set->range, &set->room, set->n - count + with, sizeof *set->range);
    memmove(set->range + at + with, set->range + at + count, (set->n - at - count) * sizeof *set->range);
    set->n = set->n - count + with;
}

void xc_ranges_add(struct xc_ranges *set, uint64_t from, uint64_t to)
{
    size_t at = 0, end;

    if (from >= to)
        return;
    while (at < set->n && set->range[at].to < from)
        at++;
    for (end = at; end < set->n && set->range[end].from <= to; end++) {
        from = set->range[end].from < from ? set->range[end].from : from;
        to = set->range[end].to > to ? set->range[end].to : to;
    }
    replace(set, at, end - at, 1);
    set->range[at] = (struct xc_range){from, to};
}

void xc_ranges_remove(struct xc_ranges *set, uint64_t from, uint64_t to)
{
    size_t at = 0;

    while (at < set->n && from < to) {
        struct xc_range r = set->range[at];
        if (r.to <= from || to <= r.from) {
            at++;
            continue;
        }
        size_t left = r.from < from, right = to < r.to;
        replace(set, at, 1, left + right);
        if (left)
            set->range[at] = (struct xc_range){r.from, from};
        if (right)
            set->range[at + left] = (struct xc_range){to, r.to};
        at += left + right;
    }
}

uint64_t xc_ranges_reach(const struct xc_ranges *set, uint64_t from)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->range[i].from <= from && from < set->range[i].to)
            return set->range[i].to;
    return from;
}

void xc_ranges_free(struct xc_ranges *set)
{
    free(set->range);
    *set = (struct xc_ranges){0};
}
