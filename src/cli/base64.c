/* base64.c: any bytes as base64: see base64.h. */
#include "cli/base64.h"

#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void pl_print_base64(FILE *to, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    for (size_t at = 0; at < n; at += 3) {
        size_t left = n - at;
        uint32_t group = (uint32_t)p[at] << 16;
        if (left > 1)
            group |= (uint32_t)p[at + 1] << 8;
        if (left > 2)
            group |= p[at + 2];
        char text[4] = {digits[group >> 18], digits[group >> 12 & 63],
                        left > 1 ? digits[group >> 6 & 63] : '=', left > 2 ? digits[group & 63] : '='};
        fwrite(text, 1, sizeof text, to);
    }
}
