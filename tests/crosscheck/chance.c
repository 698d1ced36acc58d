/* Chance from a seed, bytes from hexadecimal digits, and what is on the heap. */
#include "world.h"

#include <ctype.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64. */
uint64_t xt_draw(struct xt_chance *chance)
{
    uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t xt_below(struct xt_chance *chance, uint64_t n)
{
    return xt_draw(chance) % n;
}

bool xt_happens(struct xt_chance *chance, unsigned percent)
{
    return xt_below(chance, 100) < percent;
}

void xt_fill(struct xt_chance *chance, void *out, size_t n)
{
    uint8_t *p = out;

    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)xt_draw(chance);
}

uint64_t xt_seed(uint64_t otherwise)
{
    const char *text = getenv("XC_SEED");

    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static unsigned digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
}

size_t xt_hex(const char *text, uint8_t *out, size_t room)
{
    size_t n = 0;

    while (*text != '\0' && n < room) {
        if (isspace((unsigned char)*text)) {
            text++;
            continue;
        }
        out[n++] = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
        text += 2;
    }
    return n;
}

/* AddressSanitizer's own count, where the program was built with it. */
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

size_t xt_heap_bytes(void)
{
    if (__sanitizer_get_current_allocated_bytes != NULL)
        return __sanitizer_get_current_allocated_bytes();
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
