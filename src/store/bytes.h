/* Integers in stored bytes: little endian in values, big endian in keys that LMDB sorts as bytes. */
#ifndef PL_STORE_BYTES_H
#define PL_STORE_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void pl_put_le16(uint8_t *p, uint16_t v)
{
    v = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap16(v);
    memcpy(p, &v, sizeof v);
}

static inline void pl_put_le32(uint8_t *p, uint32_t v)
{
    v = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
}

static inline void pl_put_le64(uint8_t *p, uint64_t v)
{
    v = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
}

static inline uint16_t pl_get_le16(const uint8_t *p)
{
    uint16_t v;

    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap16(v);
}

static inline uint32_t pl_get_le32(const uint8_t *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap32(v);
}

static inline uint64_t pl_get_le64(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

static inline void pl_put_be32(uint8_t *p, uint32_t v)
{
    v = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(v) : v;
    memcpy(p, &v, sizeof v);
}

static inline void pl_put_be64(uint8_t *p, uint64_t v)
{
    v = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(v) : v;
    memcpy(p, &v, sizeof v);
}

static inline uint32_t pl_get_be32(const uint8_t *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(v) : v;
}

static inline uint64_t pl_get_be64(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(v) : v;
}

#endif
