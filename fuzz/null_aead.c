/* The AEAD that hides nothing. */
#include "null_aead.h"

#include <stdlib.h>
#include <string.h>

#include "link/link_limits.h"

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    return hash ^ hash >> 29;
}

static uint64_t hash_bytes(uint64_t hash, const uint8_t *p, size_t n)
{
    uint64_t word = 0;

    hash = mixed(hash, n);
    for (; n >= sizeof word; p += sizeof word, n -= sizeof word) {
        memcpy(&word, p, sizeof word);
        hash = mixed(hash, word);
    }
    word = 0;
    if (n > 0) {
        memcpy(&word, p, n);
    }
    return mixed(hash, word);
}

static void make_tag(const struct pl_key *key, const uint8_t *nonce, struct pl_bytes aad, const uint8_t *text,
                     size_t n, uint8_t tag[PL_TAG_SIZE])
{
    uint64_t hash = hash_bytes(1, key->key, sizeof key->key);

    hash = hash_bytes(hash, nonce, PL_NONCE_SIZE);
    hash = hash_bytes(hash, aad.p, aad.n);
    hash = hash_bytes(hash, text, n);
    memcpy(tag, &hash, sizeof hash);
    hash = mixed(hash, 1);
    memcpy(tag + sizeof hash, &hash, sizeof hash);
}

static void *context_new(uint8_t suite)
{
    bool known = suite == PL_SUITE_AES_128_GCM || suite == PL_SUITE_CHACHA20_POLY1305;

    return known ? malloc(sizeof(struct pl_key)) : NULL;
}

static bool set_key(void *ctx, const struct pl_key *key, bool seal)
{
    (void)seal;
    memcpy(ctx, key, sizeof *key);
    return true;
}

static bool seal(void *ctx, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad, const uint8_t *in,
                 size_t n, uint8_t *out)
{
    memmove(out, in, n);
    make_tag(ctx, nonce, aad, out, n, out + n);
    return true;
}

static bool open(void *ctx, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad, const uint8_t *in,
                 size_t n, uint8_t *out)
{
    uint8_t tag[PL_TAG_SIZE];
    size_t text_n = n - PL_TAG_SIZE;

    make_tag(ctx, nonce, aad, in, text_n, tag);
    if (memcmp(tag, in + text_n, PL_TAG_SIZE) != 0) {
        return false;
    }
    memmove(out, in, text_n);
    return true;
}

const struct pl_aead_ops fuzz_null_aead = {
    .name = "null",
    .context_new = context_new,
    .context_free = free,
    .set_key = set_key,
    .seal = seal,
    .open = open,
};
