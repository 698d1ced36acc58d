/* crypto_hex.h: test vectors are written as hexadecimal text; this turns them into bytes. */
#ifndef PL_TESTS_UNIT_CRYPTO_HEX_H
#define PL_TESTS_UNIT_CRYPTO_HEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_types.h"

/* Decodes `text` (two digits a byte, spaces allowed between bytes) into `out`; returns the size, at most
 * `room`. */
static inline size_t hex_decode(const char *text, uint8_t *out, size_t room)
{
    size_t n = 0;

    for (; *text != '\0' && n < room; text++) {
        if (*text != ' ') {
            const char digits[3] = {text[0], text[1], '\0'};

            out[n++] = (uint8_t)strtoul(digits, NULL, 16);
            text++;
        }
    }
    return n;
}

/* True if the `n` bytes at `p` are those of `text`. */
static inline int hex_equal(const char *text, const uint8_t *p, size_t n)
{
    uint8_t bytes[512];

    return hex_decode(text, bytes, sizeof bytes) == n && memcmp(bytes, p, n) == 0;
}

/* The bytes of a C string, borrowed. */
static inline struct pl_bytes text_bytes(const char *text)
{
    return (struct pl_bytes){(const uint8_t *)text, strlen(text)};
}

#endif
