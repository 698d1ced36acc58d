/*
 * A ring of pointers between exactly two threads: one pushes, one pops, neither waits.
 *
 * What a pointer points to belongs to the popping side from the pop on; everything the pushing side wrote
 * before the push is seen after it. The pushing side notifies the popping side's sleeper, so that a full pass
 * of work costs at most one wake.
 */
#ifndef PL_NODE_RING_H
#define PL_NODE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "link/link_types.h"
#include "node/sleeper.h"

enum { PL_CACHE_LINE = 64 }; /* bytes; only speed depends on it */

struct pl_ring {
    void **slots;
    uint32_t mask;
    struct pl_sleeper *reader;
    char before_head[PL_CACHE_LINE];
    _Atomic uint32_t head; /* pops so far, written by the popping side */
    char before_tail[PL_CACHE_LINE];
    _Atomic uint32_t tail; /* pushes so far, written by the pushing side */
    char after_tail[PL_CACHE_LINE];
};

/*
 * Makes an empty ring for at least `room` pointers (1 to 2^20, rounded up to a power of two). `reader` (may
 * be NULL: nobody sleeps) is notified at each push and outlives the ring. PL_OK or PL_E_NO_MEMORY.
 */
enum pl_error pl_ring_open(struct pl_ring *ring, uint32_t room, struct pl_sleeper *reader);

/* Both sides are done with it. Pointers still inside are forgotten: pop them first. A zeroed ring is allowed.
 */
void pl_ring_close(struct pl_ring *ring);

/* Pushing side: false if the ring is full; nothing is pushed then. */
bool pl_ring_push(struct pl_ring *ring, void *p);

/* Popping side: the oldest pointer, or NULL if the ring is empty. */
void *pl_ring_pop(struct pl_ring *ring);

/* Either side: whether nothing is in it now. */
bool pl_ring_is_empty(struct pl_ring *ring);

#endif
