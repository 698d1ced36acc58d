/* Keys and sealing of the second engine, on nettle. */
#ifndef XC_CRYPTO_H
#define XC_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XC_KEY_BYTES = 32, XC_SUITE_AES = 1, XC_SUITE_CHACHA = 2 };

/* What two static keys have in common, as its own side sees it. */
struct xc_pair {
    uint8_t secret[32];     /* PRK */
    uint32_t id_out, id_in; /* key ids of packets from and to this side */
    uint8_t direction_out;  /* 0: this side has the smaller public key */
};

/* The key of one run. */
struct xc_key {
    uint8_t suite, key[32], iv[12];
};

void xc_public_key(const uint8_t private_key[XC_KEY_BYTES], uint8_t public_key[XC_KEY_BYTES]);

/* False: the peer's key is this side's own, not canonical, or of low order. */
bool xc_pair_make(struct xc_pair *pair, const uint8_t private_key[XC_KEY_BYTES],
                  const uint8_t peer[XC_KEY_BYTES]);

/* The key of a run that seals packets from this side (outgoing) or to it. `suite` is one of the two above. */
void xc_key_make(struct xc_key *key, const struct xc_pair *pair, bool outgoing, uint8_t suite, uint64_t run);

/* Seals n bytes of `in` to n + 16 bytes at `out`, which may be the same place. */
void xc_seal(const struct xc_key *key, uint32_t number, const uint8_t *aad, size_t aad_n, const uint8_t *in,
             size_t n, uint8_t *out);

/* Opens n bytes, the tag included, to n - 16 bytes at `out`. False: the tag does not fit. n is at least 16.
 */
bool xc_open(const struct xc_key *key, uint32_t number, const uint8_t *aad, size_t aad_n, const uint8_t *in,
             size_t n, uint8_t *out);

#endif
