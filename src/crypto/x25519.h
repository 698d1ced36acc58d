/*
 * x25519.h: X25519 (RFC 7748) on 32 B strings.
 *
 * Around 40 us a call: never on the packet path. A call may allocate inside the library. Keys are read and
 * written as they stand on the wire; the private key is clamped inside (RFC 7748 section 5), so any 32 random
 * bytes are one.
 */
#ifndef PL_CRYPTO_X25519_H
#define PL_CRYPTO_X25519_H

#include <stdbool.h>
#include <stdint.h>

enum { PL_X25519_SIZE = 32 };

/*
 * out = X25519(private, public) (RFC 7748 section 5). False, and `out` all zero, if the result would be all
 * zero (section 6.1: a point of low order) or the library has no memory. Bit 255 of `public_key` is ignored,
 * as the RFC asks; whether such a key is acceptable is for pl_public_key_check. `out` is secret: wipe it.
 */
bool pl_x25519(uint8_t out[PL_X25519_SIZE], const uint8_t private_key[PL_X25519_SIZE],
               const uint8_t public_key[PL_X25519_SIZE]);

/* out = X25519(private, 9): the public key (RFC 7748 section 6.1). False only if the library has no memory.
 */
bool pl_x25519_public(uint8_t out[PL_X25519_SIZE], const uint8_t private_key[PL_X25519_SIZE]);

/*
 * Clamps a private key in place (RFC 7748 section 5). Not needed before the calls above; for key files, which
 * other tools expect to hold clamped keys.
 */
void pl_x25519_clamp(uint8_t private_key[PL_X25519_SIZE]);

#endif
