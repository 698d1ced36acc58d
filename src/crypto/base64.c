/* base64.c: keys as text, one text for each key. */
#include "crypto/base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum {
    KEY_SIZE = 32,
    DIGITS = 43,
    TAIL_BITS = 2
}; /* 43 digits of 6 bits: 256 bits of key and 2 that are 0 */

void pl_key_to_text(const uint8_t key[KEY_SIZE], char text[PL_KEY_TEXT_SIZE + 1])
{
    for (size_t i = 0; i < DIGITS; i++) {
        size_t at = i * 6 / 8;
        uint32_t pair = (uint32_t)key[at] << 8 | (at + 1 < KEY_SIZE ? key[at + 1] : 0);

        text[i] = alphabet[pair >> (10 - i * 6 % 8) & 63];
    }
    text[DIGITS] = '=';
    text[PL_KEY_TEXT_SIZE] = '\0';
}

/* The value of a digit, or -1. */
static int digit_value(char c)
{
    const char *found = c == '\0' ? NULL : strchr(alphabet, c);

    return found == NULL ? -1 : (int)(found - alphabet);
}

/* Decodes the digits; NULL, or the phrase that says what is wrong. */
static const char *decode_digits(const char *text, uint8_t key[KEY_SIZE])
{
    uint32_t bits = 0;
    size_t have = 0, at = 0;

    for (size_t i = 0; i < DIGITS; i++) {
        int value = digit_value(text[i]);

        if (value < 0) {
            return "a key has only letters, digits, '+' and '/', and one '=' at its end";
        }
        bits = bits << 6 | (uint32_t)value;
        have += 6;
        if (have >= 8) {
            have -= 8;
            key[at++] = (uint8_t)(bits >> have);
        }
    }
    return (bits & ((1U << TAIL_BITS) - 1)) == 0 ? NULL
                                                 : "the last letter of the key is not one a key can end with";
}

/* As pl_key_from_text, but leaves what it decoded. */
static const char *decode(const char *text, size_t n, uint8_t key[KEY_SIZE])
{
    if (n != PL_KEY_TEXT_SIZE) {
        return "a key is 44 characters of base64";
    }
    if (text[DIGITS] != '=') {
        return "a key ends with '='";
    }
    return decode_digits(text, key);
}

enum pl_error pl_key_from_text(const char *text, size_t n, uint8_t key[KEY_SIZE], const char **why)
{
    const char *fault = decode(text, n, key);

    if (why != NULL) {
        *why = fault;
    }
    if (fault != NULL) {
        memset(key, 0, KEY_SIZE);
        return PL_E_KEY;
    }
    return PL_OK;
}
