/* A set of numbers as sorted ranges that neither touch nor overlap: bytes still to send, bytes that came. */
#ifndef XC_RANGES_H
#define XC_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From `from` up to, without, `to`. */
struct xc_range {
    uint64_t from, to;
};

/* All zero is the empty set. */
struct xc_ranges {
    struct xc_range *range;
    size_t n, room;
};

void xc_ranges_add(struct xc_ranges *set, uint64_t from, uint64_t to);
void xc_ranges_remove(struct xc_ranges *set, uint64_t from, uint64_t to);

/* The end of what the set holds without a hole from `from` on; `from` itself if it is not in the set. */
uint64_t xc_ranges_reach(const struct xc_ranges *set, uint64_t from);

void xc_ranges_free(struct xc_ranges *set);

#endif
