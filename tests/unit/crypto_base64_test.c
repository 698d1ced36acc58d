/* Tests of src/crypto/base64.c: both ways, one text a key, reasons. */
#include <criterion/criterion.h>

#include "crypto/base64.h"
#include "unit/crypto_hex.h"

static const struct {
    const char *key, *text;
} pairs[] = {
    {"0000000000000000000000000000000000000000000000000000000000000000",
     "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},
    {"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
     "//////////////////////////////////////////8="},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
    {"8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
     "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="},
};

static const char good[] = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=";

/* True if `text` is refused with a reason and no byte of a key comes out. */
static bool refused(const char *text, size_t n)
{
    uint8_t key[32], zeros[32] = {0};
    const char *why = NULL;

    memset(key, 0x11, sizeof key);
    return pl_key_from_text(text, n, key, &why) == PL_E_KEY && why != NULL && *why != '\0' &&
           memcmp(key, zeros, sizeof key) == 0;
}

Test(crypto_base64, known_pairs_both_ways)
{
    uint8_t key[32], out[32];
    char text[PL_KEY_TEXT_SIZE + 1];
    const char *why = "";

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        hex_decode(pairs[i].key, key, sizeof key);
        pl_key_to_text(key, text);
        cr_assert_str_eq(text, pairs[i].text);
        cr_assert_eq(pl_key_from_text(pairs[i].text, strlen(pairs[i].text), out, &why), PL_OK);
        cr_assert(memcmp(out, key, sizeof key) == 0 && why == NULL, "pair %zu", i);
        cr_assert_eq(pl_key_from_text(pairs[i].text, strlen(pairs[i].text), out, NULL), PL_OK);
    }
}

Test(crypto_base64, every_byte_value_at_every_place_comes_back)
{
    uint8_t key[32] = {0}, out[32];
    char text[PL_KEY_TEXT_SIZE + 1];

    for (size_t at = 0; at < sizeof key; at++) {
        for (unsigned value = 0; value < 256; value++) {
            key[at] = (uint8_t)value;
            pl_key_to_text(key, text);
            cr_assert_eq(pl_key_from_text(text, PL_KEY_TEXT_SIZE, out, NULL), PL_OK);
            cr_assert(memcmp(out, key, sizeof key) == 0, "byte %zu = %u", at, value);
        }
        key[at] = (uint8_t)(at * 37);
    }
}

Test(crypto_base64, a_key_has_one_text)
{
    char text[PL_KEY_TEXT_SIZE + 1];
    uint8_t out[32];
    unsigned accepted = 0;

    memcpy(text, good, sizeof text);
    for (unsigned c = 0; c < 256; c++) {
        text[PL_KEY_TEXT_SIZE - 2] = (char)c;
        accepted += pl_key_from_text(text, PL_KEY_TEXT_SIZE, out, NULL) == PL_OK;
    }
    cr_assert_eq(accepted, 16, "of the last letter's 64 only those with two zero bits count");
}

Test(crypto_base64, refuses_what_is_not_a_digit_anywhere)
{
    static const char strangers[] = {'\0', ' ', '\n', '-', '_',    '=',    '.',
                                     '@',  '[', '`',  '{', '\x7f', '\x80', '\xff'};
    char text[PL_KEY_TEXT_SIZE + 1];

    for (size_t at = 0; at < PL_KEY_TEXT_SIZE; at++) {
        for (size_t i = 0; i < sizeof strangers; i++) {
            memcpy(text, good, sizeof text);
            text[at] = strangers[i];
            cr_assert(text[at] == good[at] || refused(text, PL_KEY_TEXT_SIZE), "at %zu", at);
        }
    }
    memcpy(text, good, sizeof text);
    text[PL_KEY_TEXT_SIZE - 1] = 'A';
    cr_assert(refused(text, PL_KEY_TEXT_SIZE), "no padding");
}

Test(crypto_base64, refuses_every_other_length)
{
    char text[100];

    memset(text, 'A', sizeof text);
    for (size_t n = 0; n < sizeof text; n++) {
        cr_assert(refused(text, n), "%zu letters", n);
        if (n > 0 && n != PL_KEY_TEXT_SIZE) {
            text[n - 1] = '=';
            cr_assert(refused(text, n), "%zu letters, the last '='", n);
            text[n - 1] = 'A';
        }
    }
}
