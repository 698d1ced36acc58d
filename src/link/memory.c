/* The caller's pool with its account kept. */
#include "link/memory.h"

#include <string.h>

void *pl_memory_get_raw(struct pl_memory *memory, size_t size)
{
    if (size > memory->limit_bytes - memory->used_bytes) {
        return NULL;
    }
    void *p = memory->get(memory->ctx, size);
    if (p != NULL) {
        memory->used_bytes += size;
    }
    return p;
}

void *pl_memory_get(struct pl_memory *memory, size_t size)
{
    void *p = pl_memory_get_raw(memory, size);

    return p != NULL ? memset(p, 0, size) : NULL;
}

void *pl_memory_grow(struct pl_memory *memory, void *old, size_t old_size, size_t size)
{
    void *p = pl_memory_get(memory, size);

    if (p != NULL && old != NULL) {
        memcpy(p, old, old_size < size ? old_size : size);
        pl_memory_put(memory, old, old_size);
    }
    return p;
}

void pl_memory_put(struct pl_memory *memory, void *p, size_t size)
{
    if (p != NULL) {
        memory->used_bytes -= size;
        memory->put(memory->ctx, p, size);
    }
}
