/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Variable-length integers of RFC 9000 section 16: 1, 2, 4 or 8 bytes, the first two bits say which.
 * Only the shortest form is written and accepted, so that each value has one encoding.
 */
#ifndef PL_LINK_VARINT_H
#define PL_LINK_VARINT_H

#include "link/link_types.h"

/* Largest value: 2^62 - 1 (RFC 9000 section 16). */
#define PL_VARINT_MAX UINT64_C(0x3fffffffffffffff)

/* Bytes of the shortest form of v, 1 to 8; v is at most PL_VARINT_MAX. */
static inline size_t pl_varint_size(uint64_t v)
{
    if (v < 0x40)
        return 1;
    if (v < 0x4000)
        return 2;
    return v < 0x40000000 ? 4 : 8;
}

/* Writes v, at most PL_VARINT_MAX, in its shortest form; the caller has room for pl_varint_size(v) bytes.
 * Returns the bytes written. */
static inline size_t pl_varint_encode(uint8_t *out, uint64_t v)
{
    if (v < 0x40) {
        out[0] = (uint8_t)v;
        return 1;
    }
    if (v < 0x4000) {
        out[0] = (uint8_t)(0x40 | v >> 8);
        out[1] = (uint8_t)v;
        return 2;
    }
    size_t size = v < 0x40000000 ? 4 : 8;
    uint64_t form = size == 4 ? v | UINT64_C(0x80000000) : v | UINT64_C(0xc000000000000000);
    for (size_t i = size; i-- > 0; form >>= 8)
        out[i] = (uint8_t)form;
    return size;
}

/* Reads a form of 2, 4 or 8 bytes, of which n are there. */
static inline enum pl_error pl_varint_decode_long(const uint8_t *p, size_t n, uint64_t *v, size_t *used)
{
    size_t size = (size_t)1 << (p[0] >> 6);

    if (size > n)
        return PL_E_TRUNCATED;
    uint64_t value = (uint64_t)(p[0] & 0x3f) << 8 | p[1];
    if (size > 2)
        value = value << 16 | (uint64_t)p[2] << 8 | p[3];
    if (size > 4)
        value = value << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | p[7];
    if (pl_varint_size(value) != size)
        return PL_E_NOT_SHORTEST;
    *v = value;
    *used = size;
    return PL_OK;
}

/* Reads an integer at p, of which n bytes are there. On PL_OK *v is its value and *used its size; otherwise
 * both are untouched. Errors: PL_E_TRUNCATED, PL_E_NOT_SHORTEST. */
static inline enum pl_error pl_varint_decode(const uint8_t *p, size_t n, uint64_t *v, size_t *used)
{
    if (n > 0 && p[0] < 0x40) {
        *v = p[0];
        *used = 1;
        return PL_OK;
    }
    return n > 0 ? pl_varint_decode_long(p, n, v, used) : PL_E_TRUNCATED;
}

#endif
