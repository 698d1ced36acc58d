/*
 * sha256.h: SHA-256's compression function and a stream over it (FIPS 180-4).
 *
 * Everything in purelink that hashes goes through here. The state is plain words, so that a half-done hash
 * (an HMAC midstate) can be kept, copied and resumed: no library interface offers that. Nothing allocates,
 * nothing fails.
 */
#ifndef PL_CRYPTO_SHA256_H
#define PL_CRYPTO_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { PL_SHA256_SIZE = 32, PL_SHA256_BLOCK = 64, PL_SHA256_WORDS = 8 };

/* A hash in progress. Owned by the caller, no pointers inside; holds input bytes, so wipe it if they are
 * secret. */
struct pl_sha256 {
    uint32_t state[PL_SHA256_WORDS];
    uint64_t total_bytes; /* everything hashed so far, the buffered tail and resumed blocks included */
    uint8_t tail[PL_SHA256_BLOCK];
};

/* Sets `state` to the initial hash value (FIPS 180-4 section 5.3.3). */
void pl_sha256_initial(uint32_t state[PL_SHA256_WORDS]);

/* Applies the compression function to `count` blocks of 64 B at `blocks` (FIPS 180-4 section 6.2.2). */
void pl_sha256_compress(uint32_t state[PL_SHA256_WORDS], const uint8_t *blocks, size_t count);

/* Starts a hash. */
void pl_sha256_begin(struct pl_sha256 *h);

/* Goes on from a kept `state` that has taken `done_bytes` (a multiple of 64). */
void pl_sha256_resume(struct pl_sha256 *h, const uint32_t state[PL_SHA256_WORDS], uint64_t done_bytes);

/* Hashes `n` more bytes at `p`; `p` may be NULL if `n` is 0. The bytes are not kept beyond the call but in
 * `h`. */
void pl_sha256_add(struct pl_sha256 *h, const void *p, size_t n);

/* Writes the digest. `h` is used up: begin again before adding. */
void pl_sha256_end(struct pl_sha256 *h, uint8_t out[PL_SHA256_SIZE]);

#endif
