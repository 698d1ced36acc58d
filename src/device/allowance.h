/* allowance.h: how often a link may be activated.
 *
 * Each activation draws a fresh run, and a node takes only so many new runs of a link (limits of the spec). A
 * device that was at rest after each record would run into that with a few records a second. So a link is
 * given up at rest only while the allowance holds another activation; otherwise it is kept, without a timer,
 * until it comes to rest again. */
#ifndef PL_DEVICE_ALLOWANCE_H
#define PL_DEVICE_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

enum { PL_ALLOWANCE_BURST = 8, PL_ALLOWANCE_US = 1000000 }; /* half of what a node grants */

struct pl_allowance {
    uint64_t since_us; /* the time up to which it was refilled */
    unsigned left;
};

/* Full. */
void pl_allowance_init(struct pl_allowance *a, uint64_t now_us);

/* Takes one, if there is one. */
void pl_allowance_take(struct pl_allowance *a, uint64_t now_us);

/* Whether there is one. */
bool pl_allowance_has(struct pl_allowance *a, uint64_t now_us);

#endif
