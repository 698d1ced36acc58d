/*
 * hash.h: SHA-256 and HMAC-SHA-256 over a list of pieces, and the short MAC of stateless challenges.
 *
 * A message is given as pieces, so that nobody has to concatenate what is only hashed. An HMAC key may be
 * kept as its two midstates (64 B): the compressions of key XOR ipad and key XOR opad, which are half of the
 * cost of a short HMAC. Midstates are as secret as the key. Nothing allocates, nothing fails.
 */
#ifndef PL_CRYPTO_HASH_H
#define PL_CRYPTO_HASH_H

#include "crypto/sha256.h"
#include "link/link_types.h"

enum { PL_HMAC_SIZE = PL_SHA256_SIZE };

/* SHA-256 of the `n` pieces one after the other (FIPS 180-4). Pieces are only read. */
void pl_hash(const struct pl_bytes parts[], size_t n, uint8_t out[PL_SHA256_SIZE]);

/* HMAC-SHA-256 (RFC 2104) of the `n` pieces under a key of any length. */
void pl_hmac(struct pl_bytes key, const struct pl_bytes parts[], size_t n, uint8_t out[PL_HMAC_SIZE]);

/* The midstates of an HMAC key of any length (RFC 2104 section 4): words in the host's order, not for the
 * wire. */
void pl_hmac_midstates(struct pl_bytes key, uint32_t inner[PL_SHA256_WORDS], uint32_t outer[PL_SHA256_WORDS]);

/* HMAC-SHA-256 as pl_hmac, the key given as the midstates that pl_hmac_midstates made of it. */
void pl_hmac_from(const uint32_t inner[PL_SHA256_WORDS], const uint32_t outer[PL_SHA256_WORDS],
                  const struct pl_bytes parts[], size_t n, uint8_t out[PL_HMAC_SIZE]);

/*
 * The first 8 bytes, big endian, of HMAC-SHA-256(secret, pieces): the value of stateless challenges. The
 * pieces are not framed: a caller with more than one of variable length adds the lengths itself.
 */
uint64_t pl_mac64(const uint8_t secret[32], const struct pl_bytes parts[], size_t n);

#endif
