/* The single-producer single-consumer ring: see ring.h. */
#include "node/ring.h"

#include <stdlib.h>

enum pl_error pl_ring_open(struct pl_ring *ring, uint32_t room, struct pl_sleeper *reader)
{
    uint32_t size = 1;

    while (size < room)
        size *= 2;
    ring->slots = calloc(size, sizeof *ring->slots);
    ring->mask = size - 1;
    ring->reader = reader;
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
    return ring->slots ? PL_OK : PL_E_NO_MEMORY;
}

void pl_ring_close(struct pl_ring *ring)
{
    free(ring->slots);
    ring->slots = NULL;
}

bool pl_ring_push(struct pl_ring *ring, void *p)
{
    uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

    if (tail - atomic_load_explicit(&ring->head, memory_order_acquire) > ring->mask)
        return false;
    ring->slots[tail & ring->mask] = p;
    /* Sequentially consistent, not just release: the sleeper's flag is read after it (see sleeper.h). */
    atomic_store(&ring->tail, tail + 1);
    if (ring->reader)
        pl_sleeper_notify(ring->reader);
    return true;
}

void *pl_ring_pop(struct pl_ring *ring)
{
    uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    void *p;

    if (head == atomic_load(&ring->tail))
        return NULL;
    p = ring->slots[head & ring->mask];
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return p;
}

bool pl_ring_is_empty(struct pl_ring *ring)
{
    return atomic_load(&ring->head) == atomic_load(&ring->tail);
}
