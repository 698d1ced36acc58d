/* The caller's pool with its account kept: the engine's only source of memory. */
#ifndef PL_LINK_MEMORY_H
#define PL_LINK_MEMORY_H

#include "link/link.h"

/* `size` zeroed bytes, or NULL beyond the limit or when the pool has none. */
void *pl_memory_get(struct pl_memory *memory, size_t size);

/* The same, holding anything: for bytes that are written before they are read. */
void *pl_memory_get_raw(struct pl_memory *memory, size_t size);

/* As realloc over the pool: the first min(old, size) bytes are kept, what is added is zeroed.
 * NULL leaves the old block. */
void *pl_memory_grow(struct pl_memory *memory, void *old, size_t old_size, size_t size);

/* Gives back; NULL is allowed. */
void pl_memory_put(struct pl_memory *memory, void *p, size_t size);

#endif
