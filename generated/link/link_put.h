/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * What encoders write with. The caller has room; each function returns the place behind what it wrote.
 */
#ifndef PL_LINK_PUT_H
#define PL_LINK_PUT_H

#include <string.h>

#include "link/link_varint.h"

static inline uint8_t *pl_put_be(uint8_t *p, size_t size, uint64_t v)
{
    for (size_t i = size; i-- > 0; v >>= 8)
        p[i] = (uint8_t)v;
    return p + size;
}

static inline uint8_t *pl_put_u8(uint8_t *p, uint8_t v)
{
    p[0] = (uint8_t)v;
    return p + 1;
}

static inline uint8_t *pl_put_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
    return p + 2;
}

static inline uint8_t *pl_put_u32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
    return p + 4;
}

static inline uint8_t *pl_put_u64(uint8_t *p, uint64_t v)
{
    p[0] = (uint8_t)(v >> 56);
    p[1] = (uint8_t)(v >> 48);
    p[2] = (uint8_t)(v >> 40);
    p[3] = (uint8_t)(v >> 32);
    p[4] = (uint8_t)(v >> 24);
    p[5] = (uint8_t)(v >> 16);
    p[6] = (uint8_t)(v >> 8);
    p[7] = (uint8_t)v;
    return p + 8;
}

/* from may be NULL if n is 0. */
static inline uint8_t *pl_put_copy(uint8_t *p, const void *from, size_t n)
{
    if (n > 0)
        memcpy(p, from, n);
    return p + n;
}

static inline uint8_t *pl_put_zeros(uint8_t *p, size_t n)
{
    memset(p, 0, n);
    return p + n;
}

#endif
