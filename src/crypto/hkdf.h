/*
 * hkdf.h: HKDF with SHA-256 (RFC 5869), its second half from kept midstates.
 *
 * Extract makes a pseudo-random key once; Expand is called for each run, so it takes that key as the two HMAC
 * midstates of pl_hmac_midstates: an output of up to 32 B from an info of up to 54 B costs two compressions.
 */
#ifndef PL_CRYPTO_HKDF_H
#define PL_CRYPTO_HKDF_H

#include "crypto/hash.h"

enum { PL_HKDF_OKM_MAX = 255 * PL_HMAC_SIZE }; /* RFC 5869 section 2.3: the step counter is one byte */

/* PRK = HKDF-Extract(salt, the `n` pieces of `ikm`) (RFC 5869 section 2.2). Wipe `prk` after use. */
void pl_hkdf_extract(struct pl_bytes salt, const struct pl_bytes ikm[], size_t n, uint8_t prk[PL_HMAC_SIZE]);

/* Writes okm_n (at most PL_HKDF_OKM_MAX) bytes of HKDF-Expand(PRK, info) (RFC 5869 section 2.3). */
void pl_hkdf_expand(const uint32_t inner[PL_SHA256_WORDS], const uint32_t outer[PL_SHA256_WORDS],
                    struct pl_bytes info, uint8_t *okm, size_t okm_n);

#endif
