/* Names of peers and streams: UTF-8 without control characters, by a small decoder. */
#include "store/name.h"

#include "link/link_limits.h"

/* Bytes of the character that begins with `lead`, 0 if none begins so. */
static size_t sequence_size(uint8_t lead)
{
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xc2 && lead <= 0xdf) {
        return 2;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        return 3;
    }
    return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/* RFC 3629 section 4: what the second byte may be after certain first ones. */
static bool second_allowed(uint8_t lead, uint8_t second)
{
    switch (lead) {
    case 0xc2: return second >= 0xa0; /* U+0080..U+009F are control characters */
    case 0xe0: return second >= 0xa0;
    case 0xed: return second <= 0x9f;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second <= 0x8f;
    default: return true;
    }
}

/* Bytes of the character at p, 0 if it may not stand in a name. */
static size_t character(const uint8_t *p, size_t n)
{
    size_t size = sequence_size(p[0]);

    if (size == 0 || size > n || p[0] < 0x20 || p[0] == 0x7f) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return size == 1 || second_allowed(p[0], p[1]) ? size : 0;
}

bool pl_name_valid(struct pl_bytes name)
{
    size_t at = 0;

    if (name.n == 0 || name.n > PL_NAME_MAX) {
        return false;
    }
    while (at < name.n) {
        size_t size = character(name.p + at, name.n - at);
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return true;
}
