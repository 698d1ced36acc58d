/*
 * sha256.c: SHA-256 with an open state, on the library's compression function.
 *
 * OpenSSL 3 marks SHA256_Transform deprecated and offers nothing in its place: EVP keeps its state closed and
 * fetches and allocates for each hash. Resuming an HMAC from its midstates, which makes a run's key in 120 ns
 * instead of 1,366, needs the function itself. So this file alone asks for the interface of OpenSSL 1.1; all
 * others are compiled against the current one.
 */
#define OPENSSL_API_COMPAT 0x10100000L

#include "crypto/sha256.h"

#include <string.h>

#include <openssl/sha.h>

#include "crypto/wipe.h"

void pl_sha256_initial(uint32_t state[PL_SHA256_WORDS])
{
    static const uint32_t initial[PL_SHA256_WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(state, initial, sizeof initial);
}

void pl_sha256_compress(uint32_t state[PL_SHA256_WORDS], const uint8_t *blocks, size_t count)
{
    SHA256_CTX ctx;

    /* The compression reads and writes h alone; the rest of the structure belongs to the buffering calls. */
    for (size_t i = 0; i < PL_SHA256_WORDS; i++) {
        ctx.h[i] = state[i]; /* the library's words may be wider */
    }
    for (; count > 0; count--, blocks += PL_SHA256_BLOCK) {
        SHA256_Transform(&ctx, blocks);
    }
    for (size_t i = 0; i < PL_SHA256_WORDS; i++) {
        state[i] = ctx.h[i];
    }
    pl_wipe(ctx.h, sizeof ctx.h);
}

void pl_sha256_begin(struct pl_sha256 *h)
{
    pl_sha256_initial(h->state);
    h->total_bytes = 0;
}

void pl_sha256_resume(struct pl_sha256 *h, const uint32_t state[PL_SHA256_WORDS], uint64_t done_bytes)
{
    memcpy(h->state, state, sizeof h->state);
    h->total_bytes = done_bytes;
}

/* Fills up the tail from the front of {p, n}; returns how much it took. Compresses it when full. */
static size_t fill_tail(struct pl_sha256 *h, const uint8_t *p, size_t n)
{
    size_t used = h->total_bytes % PL_SHA256_BLOCK;
    size_t take = PL_SHA256_BLOCK - used;

    if (take > n) {
        take = n;
    }
    memcpy(h->tail + used, p, take);
    h->total_bytes += take;
    if (used + take == PL_SHA256_BLOCK) {
        pl_sha256_compress(h->state, h->tail, 1);
    }
    return take;
}

void pl_sha256_add(struct pl_sha256 *h, const void *p, size_t n)
{
    const uint8_t *at = p;
    size_t whole;

    if (n > 0 && h->total_bytes % PL_SHA256_BLOCK > 0) {
        size_t took = fill_tail(h, at, n);

        at += took;
        n -= took;
    }
    whole = n / PL_SHA256_BLOCK;
    if (whole > 0) {
        pl_sha256_compress(h->state, at, whole);
        h->total_bytes += whole * PL_SHA256_BLOCK;
        at += whole * PL_SHA256_BLOCK;
        n -= whole * PL_SHA256_BLOCK;
    }
    if (n > 0) {
        fill_tail(h, at, n);
    }
}

static void store_word(uint8_t *out, uint32_t v)
{
    const uint8_t bytes[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};

    memcpy(out, bytes, sizeof bytes);
}

void pl_sha256_end(struct pl_sha256 *h, uint8_t out[PL_SHA256_SIZE])
{
    enum { LENGTH_SIZE = 8, LENGTH_AT = PL_SHA256_BLOCK - LENGTH_SIZE };
    size_t used = h->total_bytes % PL_SHA256_BLOCK;

    h->tail[used++] = 0x80;
    if (used > LENGTH_AT) {
        memset(h->tail + used, 0, PL_SHA256_BLOCK - used);
        pl_sha256_compress(h->state, h->tail, 1);
        used = 0;
    }
    memset(h->tail + used, 0, LENGTH_AT - used);
    store_word(h->tail + LENGTH_AT, (uint32_t)(h->total_bytes >> 29)); /* the length counts bits */
    store_word(h->tail + LENGTH_AT + 4, (uint32_t)(h->total_bytes << 3));
    pl_sha256_compress(h->state, h->tail, 1);
    for (size_t i = 0; i < PL_SHA256_WORDS; i++) {
        store_word(out + 4 * i, h->state[i]);
    }
}
