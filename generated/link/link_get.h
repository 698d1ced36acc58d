/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * The one place where decoders touch bytes. Each function reads at *next, never past pe, and moves *next
 * behind
 * what it read; if there is too little it returns false and moves nothing.
 */
#ifndef PL_LINK_GET_H
#define PL_LINK_GET_H

#include <stdbool.h>
#include <string.h>

#include "link/link_varint.h"

static inline bool pl_get_be(const uint8_t **next, const uint8_t *pe, size_t size, uint64_t *v)
{
    uint64_t value = 0;

    if ((size_t)(pe - *next) < size)
        return false;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | (*next)[i];
    *next += size;
    *v = value;
    return true;
}

static inline bool pl_get_u8(const uint8_t **next, const uint8_t *pe, uint8_t *v)
{
    const uint8_t *p = *next;

    if (pe - p < 1)
        return false;
    *v = p[0];
    *next = p + 1;
    return true;
}

static inline bool pl_get_u16(const uint8_t **next, const uint8_t *pe, uint16_t *v)
{
    const uint8_t *p = *next;

    if (pe - p < 2)
        return false;
    *v = (uint16_t)(p[0] << 8 | p[1]);
    *next = p + 2;
    return true;
}

static inline bool pl_get_u32(const uint8_t **next, const uint8_t *pe, uint32_t *v)
{
    const uint8_t *p = *next;

    if (pe - p < 4)
        return false;
    *v = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    *next = p + 4;
    return true;
}

static inline bool pl_get_u64(const uint8_t **next, const uint8_t *pe, uint64_t *v)
{
    const uint8_t *p = *next;

    if (pe - p < 8)
        return false;
    *v = (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
         (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | p[7];
    *next = p + 8;
    return true;
}

static inline enum pl_error pl_get_varint(const uint8_t **next, const uint8_t *pe, uint64_t *v)
{
    if (*next < pe && **next < 0x40) {
        *v = *(*next)++;
        return PL_OK;
    }
    size_t used = 0;
    enum pl_error code = pl_varint_decode(*next, (size_t)(pe - *next), v, &used);

    *next += used;
    return code;
}

/* Lends size bytes. */
static inline bool pl_get_bytes(const uint8_t **next, const uint8_t *pe, uint64_t size, struct pl_bytes *v)
{
    if (size > (uint64_t)(pe - *next))
        return false;
    v->p = *next;
    v->n = (size_t)size;
    *next += size;
    return true;
}

/* Lends everything up to pe. */
static inline void pl_get_rest(const uint8_t **next, const uint8_t *pe, struct pl_bytes *v)
{
    v->p = *next;
    v->n = (size_t)(pe - *next);
    *next = pe;
}

static inline bool pl_get_copy(const uint8_t **next, const uint8_t *pe, uint8_t *out, size_t size)
{
    if ((size_t)(pe - *next) < size)
        return false;
    memcpy(out, *next, size);
    *next += size;
    return true;
}

/* Everything up to pe must be zero; *v counts it. */
static inline bool pl_get_zeros(const uint8_t **next, const uint8_t *pe, size_t *v)
{
    uint8_t seen = 0;

    for (const uint8_t *p = *next; p < pe; p++)
        seen |= *p;
    *v = (size_t)(pe - *next);
    *next = seen == 0 ? pe : *next;
    return seen == 0;
}

/* a + b, at most 2^62: more than any integer on the wire, so that a comparison with one still holds. */
static inline uint64_t pl_add_capped(uint64_t a, uint64_t b)
{
    const uint64_t cap = PL_VARINT_MAX + 1;

    return a >= cap || b >= cap - a ? cap : a + b;
}

#endif
