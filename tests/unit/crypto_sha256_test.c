/* Tests of src/crypto/sha256.c: FIPS 180-4 digests, input in pieces, resumed states. */
#include <criterion/criterion.h>

#include "crypto/sha256.h"
#include "unit/crypto_hex.h"

static const struct {
    const char *text, *digest;
} vectors[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrs"
     "t"
     "nopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
};

static void digest_of(const uint8_t *p, size_t n, uint8_t out[PL_SHA256_SIZE])
{
    struct pl_sha256 h;

    pl_sha256_begin(&h);
    pl_sha256_add(&h, p, n);
    pl_sha256_end(&h, out);
}

Test(crypto_sha256, published_digests)
{
    uint8_t out[PL_SHA256_SIZE];

    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        digest_of((const uint8_t *)vectors[i].text, strlen(vectors[i].text), out);
        cr_assert(hex_equal(vectors[i].digest, out, sizeof out), "vector %zu", i);
    }
}

Test(crypto_sha256, a_million_letters)
{
    static uint8_t letters[1000];
    struct pl_sha256 h;
    uint8_t out[PL_SHA256_SIZE];

    memset(letters, 'a', sizeof letters);
    pl_sha256_begin(&h);
    for (int i = 0; i < 1000; i++) {
        pl_sha256_add(&h, letters, sizeof letters);
    }
    pl_sha256_end(&h, out);
    cr_assert(hex_equal("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", out, sizeof out));
}

Test(crypto_sha256, every_length_around_the_padding)
{
    uint8_t bytes[200], out[PL_SHA256_SIZE];
    struct pl_sha256 all;

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7);
    }
    pl_sha256_begin(&all);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        digest_of(bytes, n, out);
        pl_sha256_add(&all, out, sizeof out);
    }
    pl_sha256_end(&all, out);
    /* The digest of the 201 digests, computed with another implementation. */
    cr_assert(hex_equal("c43614ca86d050b81500ab839e2b7e83381ef396e722c27d3e537ab57268e893", out, sizeof out));
}

Test(crypto_sha256, the_length_is_of_64_bits)
{
    uint8_t padding[PL_SHA256_BLOCK] = {0x80}, out[PL_SHA256_SIZE];
    uint32_t state[PL_SHA256_WORDS];
    struct pl_sha256 h;

    /* 0x1234567 times 2^32 + 64 bytes are 0x91a2b38 times 2^32 + 512 bits. */
    memcpy(padding + PL_SHA256_BLOCK - 8, (const uint8_t[]){0x09, 0x1a, 0x2b, 0x38, 0, 0, 2, 0}, 8);
    pl_sha256_initial(state);
    pl_sha256_resume(&h, state, ((uint64_t)0x1234567 << 32) + PL_SHA256_BLOCK);
    pl_sha256_end(&h, out);
    pl_sha256_compress(state, padding, 1);
    for (size_t i = 0; i < PL_SHA256_SIZE; i++) {
        cr_assert_eq(out[i], (uint8_t)(state[i / 4] >> (24 - i % 4 * 8)), "byte %zu", i);
    }
}

Test(crypto_sha256, cut_anywhere)
{
    uint8_t bytes[200], whole[PL_SHA256_SIZE], cut[PL_SHA256_SIZE];
    struct pl_sha256 h;

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7);
    }
    for (size_t n = 0; n <= sizeof bytes; n++) {
        digest_of(bytes, n, whole);
        for (size_t at = 0; at <= n; at++) {
            pl_sha256_begin(&h);
            pl_sha256_add(&h, bytes, at);
            pl_sha256_add(&h, NULL, 0);
            pl_sha256_add(&h, bytes + at, n - at);
            pl_sha256_end(&h, cut);
            cr_assert(memcmp(whole, cut, sizeof cut) == 0, "%zu bytes cut at %zu", n, at);
        }
    }
}

Test(crypto_sha256, a_kept_state_goes_on)
{
    uint8_t bytes[3 * PL_SHA256_BLOCK + 5] = {1, 2, 3}, whole[PL_SHA256_SIZE], resumed[PL_SHA256_SIZE];
    uint32_t state[PL_SHA256_WORDS];
    struct pl_sha256 h;

    digest_of(bytes, sizeof bytes, whole);
    pl_sha256_initial(state);
    pl_sha256_compress(state, bytes, 2);
    pl_sha256_resume(&h, state, 2 * PL_SHA256_BLOCK);
    pl_sha256_add(&h, bytes + 2 * PL_SHA256_BLOCK, sizeof bytes - 2 * PL_SHA256_BLOCK);
    pl_sha256_end(&h, resumed);
    cr_assert(memcmp(whole, resumed, sizeof whole) == 0);
}
