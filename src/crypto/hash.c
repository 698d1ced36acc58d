/* hash.c: SHA-256 and HMAC-SHA-256 over pieces, HMAC from kept midstates. */
#include "crypto/hash.h"

#include <string.h>

#include "crypto/wipe.h"

static void add_parts(struct pl_sha256 *h, const struct pl_bytes parts[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pl_sha256_add(h, parts[i].p, parts[i].n);
    }
}

void pl_hash(const struct pl_bytes parts[], size_t n, uint8_t out[PL_SHA256_SIZE])
{
    struct pl_sha256 h;

    pl_sha256_begin(&h);
    add_parts(&h, parts, n);
    pl_sha256_end(&h, out);
    pl_wipe(&h, sizeof h);
}

/* The state after one block of key XOR pad. */
static void pad_state(const uint8_t key_block[PL_SHA256_BLOCK], uint8_t pad, uint32_t state[PL_SHA256_WORDS])
{
    uint8_t block[PL_SHA256_BLOCK];

    for (size_t i = 0; i < sizeof block; i++) {
        block[i] = key_block[i] ^ pad;
    }
    pl_sha256_initial(state);
    pl_sha256_compress(state, block, 1);
    pl_wipe(block, sizeof block);
}

void pl_hmac_midstates(struct pl_bytes key, uint32_t inner[PL_SHA256_WORDS], uint32_t outer[PL_SHA256_WORDS])
{
    enum { IPAD = 0x36, OPAD = 0x5c }; /* RFC 2104 section 2 */
    uint8_t key_block[PL_SHA256_BLOCK] = {0};

    if (key.n > sizeof key_block) {
        pl_hash(&key, 1, key_block);
    } else if (key.n > 0) {
        memcpy(key_block, key.p, key.n);
    }
    pad_state(key_block, IPAD, inner);
    pad_state(key_block, OPAD, outer);
    pl_wipe(key_block, sizeof key_block);
}

void pl_hmac_from(const uint32_t inner[PL_SHA256_WORDS], const uint32_t outer[PL_SHA256_WORDS],
                  const struct pl_bytes parts[], size_t n, uint8_t out[PL_HMAC_SIZE])
{
    struct pl_sha256 h;
    uint8_t digest[PL_SHA256_SIZE];

    pl_sha256_resume(&h, inner, PL_SHA256_BLOCK);
    add_parts(&h, parts, n);
    pl_sha256_end(&h, digest);
    pl_sha256_resume(&h, outer, PL_SHA256_BLOCK);
    pl_sha256_add(&h, digest, sizeof digest);
    pl_sha256_end(&h, out);
    pl_wipe(digest, sizeof digest);
    pl_wipe(&h, sizeof h);
}

void pl_hmac(struct pl_bytes key, const struct pl_bytes parts[], size_t n, uint8_t out[PL_HMAC_SIZE])
{
    uint32_t inner[PL_SHA256_WORDS], outer[PL_SHA256_WORDS];

    pl_hmac_midstates(key, inner, outer);
    pl_hmac_from(inner, outer, parts, n, out);
    pl_wipe(inner, sizeof inner);
    pl_wipe(outer, sizeof outer);
}

uint64_t pl_mac64(const uint8_t secret[32], const struct pl_bytes parts[], size_t n)
{
    uint8_t mac[PL_HMAC_SIZE];
    uint64_t value = 0;

    pl_hmac((struct pl_bytes){secret, 32}, parts, n, mac);
    for (size_t i = 0; i < sizeof value; i++) {
        value = value << 8 | mac[i];
    }
    return value;
}
