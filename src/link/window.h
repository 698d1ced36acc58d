/* The replay window of one receive run: which of the newest packet numbers were opened, and which of
 * those are to be acknowledged (RFC 9000 section 12.3 for the first, 13.2 for the second).
 *
 * A ring of bits addressed by the number itself. Look before opening, mark after: a forged packet
 * must not move the window. A number below it counts as seen. */
#ifndef PL_LINK_WINDOW_H
#define PL_LINK_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "link/link.h"

struct pl_window {
    bool any;
    uint32_t largest;     /* highest number marked, meaningful once any */
    uint32_t words;       /* of 64 bits; a power of two */
    uint64_t *seen;       /* words of bits; NULL: words is 1 and the two below serve */
    uint64_t *kept;       /* acknowledged ones: seen and nothing of them was left */
    uint64_t small_seen, small_kept;
};

enum pl_window_look { PL_WINDOW_NEW, PL_WINDOW_REPEAT, PL_WINDOW_OLD };

/* A window of PL_REPLAY_UNPROVEN numbers: no memory of its own. */
void pl_window_init(struct pl_window *window);

/* Widens to PL_REPLAY_PROVEN numbers; what was marked stays so. False: no memory, nothing changed. */
bool pl_window_widen(struct pl_window *window, struct pl_memory *memory);

void pl_window_free(struct pl_window *window, struct pl_memory *memory);

enum pl_window_look pl_window_look(const struct pl_window *window, uint32_t number);

/* Marks a number that was PL_WINDOW_NEW as opened. Returns true if it left a gap below it that was
 * not there before. */
bool pl_window_mark(struct pl_window *window, uint32_t number);

/* Marks an opened number as one to acknowledge. */
void pl_window_keep(struct pl_window *window, uint32_t number);

/* Closed ranges of kept numbers, highest first. Returns how many were written. */
struct pl_range32 {
    uint32_t low, high;
};
unsigned pl_window_ranges(const struct pl_window *window, struct pl_range32 *out, unsigned max);

#endif
