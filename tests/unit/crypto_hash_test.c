/* Tests of src/crypto/hash.c: RFC 4231, messages in pieces, midstates, the 64-bit MAC. */
#include <criterion/criterion.h>

#include "crypto/hash.h"
#include "unit/crypto_hex.h"

/* RFC 4231 section 4; test case 5 there is of a truncated output and left out. */
static const struct {
    const char *key, *data, *mac;
} rfc4231[] = {
    {"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "4869205468657265",
     "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
    {"4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
     "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
     "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
    {"0102030405060708090a0b0c0d0e0f10111213141516171819",
     "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
     "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
};

/* Test cases 6 and 7: a key of 131 bytes of 0xaa. */
static const struct {
    const char *data, *mac;
} rfc4231_long_key[] = {
    {"Test Using Larger Than Block-Size Key - Hash Key First",
     "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
    {"This is a test using a larger than block-size key and a larger than block-size data. The key needs to "
     "be "
     "hashed before being used by the HMAC algorithm.",
     "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
};

Test(crypto_hash, rfc_4231)
{
    uint8_t key[64], data[64], out[PL_HMAC_SIZE];

    for (size_t i = 0; i < sizeof rfc4231 / sizeof rfc4231[0]; i++) {
        struct pl_bytes k = {key, hex_decode(rfc4231[i].key, key, sizeof key)};
        struct pl_bytes d = {data, hex_decode(rfc4231[i].data, data, sizeof data)};

        pl_hmac(k, &d, 1, out);
        cr_assert(hex_equal(rfc4231[i].mac, out, sizeof out), "vector %zu", i);
    }
}

Test(crypto_hash, rfc_4231_long_keys)
{
    uint8_t key[131], out[PL_HMAC_SIZE];

    memset(key, 0xaa, sizeof key);
    for (size_t i = 0; i < sizeof rfc4231_long_key / sizeof rfc4231_long_key[0]; i++) {
        struct pl_bytes d = text_bytes(rfc4231_long_key[i].data);

        pl_hmac((struct pl_bytes){key, sizeof key}, &d, 1, out);
        cr_assert(hex_equal(rfc4231_long_key[i].mac, out, sizeof out), "vector %zu", i);
    }
}

Test(crypto_hash, pieces_are_one_message)
{
    const struct pl_bytes pieces[] = {text_bytes("a"), {NULL, 0}, text_bytes("bc")};
    const struct pl_bytes whole = text_bytes("abc"), key = text_bytes("key");
    uint8_t a[PL_HMAC_SIZE], b[PL_HMAC_SIZE];

    pl_hash(pieces, 3, a);
    cr_assert(hex_equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", a, sizeof a));
    pl_hash(NULL, 0, a);
    cr_assert(hex_equal("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", a, sizeof a));
    pl_hmac(key, pieces, 3, a);
    pl_hmac(key, &whole, 1, b);
    cr_assert(memcmp(a, b, sizeof a) == 0);
}

Test(crypto_hash, midstates_stand_for_keys_of_every_length)
{
    const struct pl_bytes message = text_bytes("a message");
    uint8_t key[200], direct[PL_HMAC_SIZE], kept[201][PL_HMAC_SIZE], out[PL_SHA256_SIZE];
    const struct pl_bytes all = {kept[0], sizeof kept};
    uint32_t inner[PL_SHA256_WORDS], outer[PL_SHA256_WORDS];

    memset(key, 0x33, sizeof key);
    memcpy(key, (const uint8_t[]){9, 8, 7}, 3);
    for (size_t n = 0; n <= sizeof key; n++) {
        pl_hmac((struct pl_bytes){key, n}, &message, 1, direct);
        pl_hmac_midstates((struct pl_bytes){key, n}, inner, outer);
        pl_hmac_from(inner, outer, &message, 1, kept[n]);
        cr_assert(memcmp(direct, kept[n], sizeof direct) == 0, "key of %zu bytes", n);
    }
    pl_hash(&all, 1, out);
    /* The digest of the 201 codes, computed with another implementation. */
    cr_assert(hex_equal("6db693a3665752620dea61b96d140a6aac805519d2392dc457d33f7820aed909", out, sizeof out));
}

Test(crypto_hash, mac64_is_the_front_of_the_hmac)
{
    const struct pl_bytes pieces[] = {text_bytes("ab"), text_bytes("c")};
    uint8_t secret[32];

    for (size_t i = 0; i < sizeof secret; i++) {
        secret[i] = (uint8_t)i;
    }
    /* HMAC-SHA-256(00..1f, "abc"), computed with another implementation. */
    cr_assert_eq(pl_mac64(secret, pieces, 2), 0xf0133729c4163dedU);
}
