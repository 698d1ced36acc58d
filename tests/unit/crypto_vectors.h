/* crypto_vectors.h: published vectors of both suites, and that a crypto library holds them. Include after
 * criterion. */
#ifndef PL_TESTS_UNIT_CRYPTO_VECTORS_H
#define PL_TESTS_UNIT_CRYPTO_VECTORS_H

#include "crypto/aead.h"
#include "link/link_limits.h"
#include "unit/crypto_hex.h"

enum { ROOM = 256, VECTORS = 5 };

/* AES-128-GCM: test cases 1 to 4 of McGrew and Viega. ChaCha20-Poly1305: RFC 8439 section 2.8.2. */
static const struct vector {
    uint8_t suite;
    const char *key, *nonce, *aad, *plain, *sealed; /* sealed: ciphertext, tag */
} vectors[VECTORS] = {
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

static inline struct loaded load(const struct vector *v)
{
    struct loaded l = {.key = {.serial = 1, .suite = v->suite}};

    hex_decode(v->key, l.key.key, sizeof l.key.key);
    hex_decode(v->nonce, l.nonce, sizeof l.nonce);
    l.aad_n = hex_decode(v->aad, l.aad, sizeof l.aad);
    l.plain_n = hex_decode(v->plain, l.plain, sizeof l.plain);
    l.sealed_n = hex_decode(v->sealed, l.sealed, sizeof l.sealed);
    return l;
}

/* Seals and opens vector i in place and apart. */
static inline void vector_holds(const struct pl_aead_ops *ops, size_t i)
{
    struct loaded l = load(&vectors[i]);
    struct pl_bytes aad = {l.aad, l.aad_n};
    void *sealing = ops->context_new(l.key.suite), *opening = ops->context_new(l.key.suite);
    uint8_t out[ROOM];

    cr_assert(ops->set_key(sealing, &l.key, true) && ops->set_key(opening, &l.key, false));
    /* Twice: a context is used for many packets. */
    for (int round = 0; round < 2; round++) {
        cr_assert(ops->seal(sealing, l.nonce, aad, l.plain, l.plain_n, out));
        cr_assert(memcmp(out, l.sealed, l.sealed_n) == 0, "%s: sealed %zu", ops->name, i);
        cr_assert(ops->open(opening, l.nonce, aad, out, l.sealed_n, out), "%s: in place %zu", ops->name, i);
        cr_assert(memcmp(out, l.plain, l.plain_n) == 0, "%s: opened %zu", ops->name, i);
        cr_assert(ops->seal(sealing, l.nonce, aad, out, l.plain_n, out));
        cr_assert(memcmp(out, l.sealed, l.sealed_n) == 0, "%s: sealed in place %zu", ops->name, i);
        out[0] ^= 1;
        cr_assert_not(ops->open(opening, l.nonce, aad, out, l.sealed_n, out), "%s: changed %zu", ops->name,
                      i);
    }
    ops->context_free(sealing);
    ops->context_free(opening);
}

static inline void vectors_hold(const struct pl_aead_ops *ops)
{
    for (size_t i = 0; i < VECTORS; i++) {
        vector_holds(ops, i);
    }
}

#endif
