/* Half-open ranges of stream positions, sorted, disjoint and merged: what must be sent again.
 *
 * Bounded: when it is full, adding joins the two nearest ranges (more is sent again, nothing is
 * forgotten). */
#ifndef PL_LINK_RANGES_H
#define PL_LINK_RANGES_H

#include <stdint.h>

enum { PL_RANGES_MAX = 1 << 6 };

struct pl_span {
    uint64_t from, to;
};

struct pl_ranges {
    unsigned count;
    struct pl_span spans[PL_RANGES_MAX];
};

void pl_ranges_add(struct pl_ranges *ranges, uint64_t from, uint64_t to);
void pl_ranges_remove(struct pl_ranges *ranges, uint64_t from, uint64_t to);

#endif
