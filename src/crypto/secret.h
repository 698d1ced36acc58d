/*
 * secret.h: from two static key pairs to the key of a run (protocol: Keys).
 *
 *     S    = X25519(own private, peer public)
 *     PRK  = HKDF-Extract(SHA-256, "purelink v1", S | the two public keys in byte order)     the link secret
 *     OKM  = HKDF-Expand(PRK, "run" | suite | direction | epochs | run, key length + 12)     key and iv of a
 * run
 *
 * The link secret is made once, when a peer is allowed (one X25519, off the packet path), and kept; a run's
 * key is made from it whenever a run is met, in two or four hash compressions. So the secret is kept as the
 * two HMAC midstates of PRK instead of PRK. Whoever holds one can make every key of that link, both ways and
 * for ever: wipe copies, never log one.
 *
 * A secret holds no proof of who asked for it: callers derive secrets only for keys that were allowed.
 */
#ifndef PL_CRYPTO_SECRET_H
#define PL_CRYPTO_SECRET_H

#include "crypto/aead.h"
#include "crypto/wipe.h"
#include "link/link_types.h"

/* HMAC-SHA-256 midstates of the link secret PRK. 64 B without pointers, words in the host's order. */
struct pl_secret {
    uint32_t inner[8], outer[8];
};

/*
 * Derives the link secret; the same on both sides. `own_public` must be the public key of `own_private` (not
 * checked here: it costs another X25519). PL_OK; PL_E_KEY if `peer_public` is the own key, not canonical, of
 * low order, or gives an all-zero S (RFC 7748 section 6.1), and `*out` is then all zero. About 45 us.
 */
enum pl_error pl_secret_derive(struct pl_secret *out, const uint8_t own_private[32],
                               const uint8_t own_public[32], const uint8_t peer_public[32]);

/*
 * PL_OK if `key` may be allowed as a peer's public key; PL_E_KEY if it is not canonical (bit 255 set, or at
 * least 2^255 - 19) or of low order. Two accepted keys that differ as bytes differ as points.
 */
enum pl_error pl_public_key_check(const uint8_t key[32]);

/* The direction byte of packets from `sender_public`: 0 if it is the smaller of the two in byte order,
 * else 1. */
uint8_t pl_secret_direction(const uint8_t sender_public[32], const uint8_t receiver_public[32]);

/*
 * Derives the key of one run in one direction (RFC 5869 section 2.3). `suite` is a value of the suite
 * registry that has a key (not 0), `direction` from pl_secret_direction, `epochs` the header's second byte
 * (0: static keys). About 200 ns for suite 1. The result is for one run: sealing goes through run.h alone.
 * Wipe `*out` after use.
 */
void pl_secret_run_key(const struct pl_secret *secret, uint8_t suite, uint8_t direction, uint8_t epochs,
                       uint64_t run, struct pl_key *out);

/* Key and iv of a run one after the other, as HKDF-Expand makes them: what a key log holds. */
enum { PL_RUN_SECRET_MAX = 44 };

/* Writes them to `out`; returns how many bytes they are. Wipe `out` after use. */
size_t pl_key_export(const struct pl_key *key, uint8_t out[PL_RUN_SECRET_MAX]);

/* The way back. False, and *out all zero, if `suite` has no key here or `secret` is not of its size. */
bool pl_key_import(struct pl_key *out, uint8_t suite, struct pl_bytes secret);

/* The key id in the header of packets from sender to receiver: SHA-256("purelink id" | sender |
 * receiver)[0..4]. */
uint32_t pl_key_id(const uint8_t sender_public[32], const uint8_t receiver_public[32]);

#endif
