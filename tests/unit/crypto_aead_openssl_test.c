/* Tests of src/crypto/aead_openssl.c: published vectors of both suites, in place and apart, refusals. */
#include <criterion/criterion.h>

#include <openssl/err.h>

#include "crypto/aead.h"
#include "link/link_limits.h"
#include "unit/crypto_hex.h"

enum { ROOM = 256 };

/* AES-128-GCM: test cases 1 to 4 of McGrew and Viega. ChaCha20-Poly1305: RFC 8439 section 2.8.2. */
static const struct vector {
    uint8_t suite;
    const char *key, *nonce, *aad, *plain, *sealed; /* sealed: ciphertext, tag */
} vectors[] = {
    {PL_SUITE_AES_128_GCM, "00000000000000000000000000000000", "000000000000000000000000", "", "",
     "58e2fccefa7e3061367f1d57a4e7455a"},
    {PL_SUITE_AES_128_GCM, "00000000000000000000000000000000", "000000000000000000000000", "",
     "00000000000000000000000000000000", "0388dace60b6a392f328c2b971b2fe78 ab6e47d42cec13bdf53a67b21257bddf"},
    {PL_SUITE_AES_128_GCM, "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", "",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
     "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985"
     "4d5c2af327cd64a62cf35abd2ba6fab4"},
    {PL_SUITE_AES_128_GCM, "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
     "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
     "5bc94fbc3221a5db94fae95ae7121a47"},
    {PL_SUITE_CHACHA20_POLY1305, "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
     "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
     "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
     "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
     "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
     "637265656e20776f756c642062652069742e",
     "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
     "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
     "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
     "3ff4def08e4b7a9de576d26586cec64b6116 1ae10b594f09e26a7e902ecbd0600691"},
};

/* A vector's bytes. */
struct loaded {
    struct pl_key key;
    uint8_t nonce[PL_NONCE_SIZE], aad[ROOM], plain[ROOM], sealed[ROOM];
    size_t aad_n, plain_n, sealed_n;
};

static struct loaded load(const struct vector *v)
{
    struct loaded l = {.key = {.serial = 1, .suite = v->suite}};

    hex_decode(v->key, l.key.key, sizeof l.key.key);
    hex_decode(v->nonce, l.nonce, sizeof l.nonce);
    l.aad_n = hex_decode(v->aad, l.aad, sizeof l.aad);
    l.plain_n = hex_decode(v->plain, l.plain, sizeof l.plain);
    l.sealed_n = hex_decode(v->sealed, l.sealed, sizeof l.sealed);
    return l;
}

static void *keyed(const struct pl_key *key, bool seal)
{
    void *ctx = pl_aead_openssl.context_new(key->suite);

    cr_assert_not_null(ctx);
    cr_assert(pl_aead_openssl.set_key(ctx, key, seal));
    return ctx;
}

Test(crypto_aead_openssl, published_vectors)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        struct loaded l = load(&vectors[i]);
        struct pl_bytes aad = {l.aad, l.aad_n};
        void *sealing = keyed(&l.key, true), *opening = keyed(&l.key, false);
        uint8_t out[ROOM];

        /* Twice: a context is used for many packets. */
        for (int round = 0; round < 2; round++) {
            cr_assert(pl_aead_openssl.seal(sealing, l.nonce, aad, l.plain, l.plain_n, out));
            cr_assert(memcmp(out, l.sealed, l.sealed_n) == 0, "sealed %zu", i);
            cr_assert(pl_aead_openssl.open(opening, l.nonce, aad, out, l.sealed_n, out), "in place %zu", i);
            cr_assert(memcmp(out, l.plain, l.plain_n) == 0, "opened %zu", i);
            cr_assert(pl_aead_openssl.seal(sealing, l.nonce, aad, out, l.plain_n, out));
            cr_assert(memcmp(out, l.sealed, l.sealed_n) == 0, "sealed in place %zu", i);
        }
        pl_aead_openssl.context_free(sealing);
        pl_aead_openssl.context_free(opening);
    }
}

Test(crypto_aead_openssl, a_context_takes_another_key)
{
    struct loaded a = load(&vectors[1]), b = load(&vectors[2]);
    void *ctx = keyed(&a.key, true);
    uint8_t out[ROOM];

    cr_assert(pl_aead_openssl.seal(ctx, a.nonce, (struct pl_bytes){NULL, 0}, a.plain, a.plain_n, out));
    cr_assert(pl_aead_openssl.set_key(ctx, &b.key, true));
    cr_assert(pl_aead_openssl.seal(ctx, b.nonce, (struct pl_bytes){NULL, 0}, b.plain, b.plain_n, out));
    cr_assert(memcmp(out, b.sealed, b.sealed_n) == 0);
    pl_aead_openssl.context_free(ctx);
}

Test(crypto_aead_openssl, every_changed_bit_is_refused_and_the_context_goes_on)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        struct loaded l = load(&vectors[i]);
        void *ctx = keyed(&l.key, false);
        struct pl_bytes aad = {l.aad, l.aad_n};
        uint8_t out[ROOM];

        for (size_t bit = 0; bit < 8 * l.sealed_n; bit++) {
            l.sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
            cr_assert_not(pl_aead_openssl.open(ctx, l.nonce, aad, l.sealed, l.sealed_n, out));
            l.sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        cr_assert_eq(ERR_peek_error(), 0, "nothing left in the error queue");
        cr_assert(pl_aead_openssl.open(ctx, l.nonce, aad, l.sealed, l.sealed_n, out));
        pl_aead_openssl.context_free(ctx);
    }
}

Test(crypto_aead_openssl, other_suites_and_mismatches_are_refused)
{
    struct loaded l = load(&vectors[1]);
    void *ctx = pl_aead_openssl.context_new(PL_SUITE_CHACHA20_POLY1305);

    for (unsigned suite = 0; suite < 256; suite++) {
        if (suite != PL_SUITE_AES_128_GCM && suite != PL_SUITE_CHACHA20_POLY1305) {
            cr_assert_null(pl_aead_openssl.context_new((uint8_t)suite), "suite %u", suite);
        }
    }
    cr_assert_not(pl_aead_openssl.set_key(ctx, &l.key, true));
    pl_aead_openssl.context_free(ctx);
    pl_aead_openssl.context_free(NULL);
}
