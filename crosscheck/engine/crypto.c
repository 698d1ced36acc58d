/* X25519 (RFC 7748), HKDF with SHA-256 (RFC 5869), AES-128-GCM (RFC 5116), ChaCha20-Poly1305 (RFC 8439). */
#include "crypto.h"

#include "frame.h"
#include "limits.h"

#include <nettle/chacha-poly1305.h>
#include <nettle/curve25519.h>
#include <nettle/gcm.h>
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <string.h>

static const char label_extract[] = "purelink v1";
static const char label_id[] = "purelink id";

void xc_public_key(const uint8_t private_key[XC_KEY_BYTES], uint8_t public_key[XC_KEY_BYTES])
{
    curve25519_mul_g(public_key, private_key);
}

/* Below 2^255 - 19, least significant byte first. */
static bool is_canonical(const uint8_t key[XC_KEY_BYTES])
{
    bool high = key[31] == 0x7f;

    for (int i = 1; i < 31; i++)
        high = high && key[i] == 0xff;
    return key[31] < 0x80 && !(high && key[0] >= 0xed);
}

static uint32_t key_id(const uint8_t *sender, const uint8_t *receiver)
{
    struct sha256_ctx hash;
    uint8_t d[SHA256_DIGEST_SIZE];

    sha256_init(&hash);
    sha256_update(&hash, sizeof label_id - 1, (const uint8_t *)label_id);
    sha256_update(&hash, XC_KEY_BYTES, sender);
    sha256_update(&hash, XC_KEY_BYTES, receiver);
    sha256_digest(&hash, sizeof d, d);
    return (uint32_t)d[0] << 24 | (uint32_t)d[1] << 16 | (uint32_t)d[2] << 8 | d[3];
}

static void extract(const uint8_t *secret, size_t n, uint8_t prk[SHA256_DIGEST_SIZE])
{
    struct hmac_sha256_ctx mac;

    hmac_sha256_set_key(&mac, sizeof label_extract - 1, (const uint8_t *)label_extract);
    hkdf_extract(&mac, (nettle_hash_update_func *)hmac_sha256_update,
                 (nettle_hash_digest_func *)hmac_sha256_digest, SHA256_DIGEST_SIZE, n, secret, prk);
}

bool xc_pair_make(struct xc_pair *pair, const uint8_t private_key[XC_KEY_BYTES],
                  const uint8_t peer[XC_KEY_BYTES])
{
    static const uint8_t zeros[XC_KEY_BYTES];
    uint8_t own[XC_KEY_BYTES], input[3 * XC_KEY_BYTES];

    xc_public_key(private_key, own);
    int order = memcmp(own, peer, XC_KEY_BYTES);
    if (order == 0 || !is_canonical(peer))
        return false;
    curve25519_mul(input, private_key, peer);
    if (memeql_sec(input, zeros, XC_KEY_BYTES))
        return false;
    memcpy(input + XC_KEY_BYTES, order < 0 ? own : peer, XC_KEY_BYTES);
    memcpy(input + 2 * XC_KEY_BYTES, order < 0 ? peer : own, XC_KEY_BYTES);
    extract(input, sizeof input, pair->secret);
    pair->id_out = key_id(own, peer);
    pair->id_in = key_id(peer, own);
    pair->direction_out = order < 0 ? 0 : 1;
    return true;
}

void xc_key_make(struct xc_key *key, const struct xc_pair *pair, bool outgoing, uint8_t suite, uint64_t run)
{
    struct hmac_sha256_ctx mac;
    struct xc_maker info;
    uint8_t bytes[32], okm[44];
    size_t key_n = suite == XC_SUITE_AES ? 16 : 32;

    xc_make(&info, "Run Info");
    xc_set(&info, "suite", suite);
    xc_set(&info, "direction", outgoing ? pair->direction_out : 1U - pair->direction_out);
    xc_set(&info, "run", run);
    size_t n = xc_encode(&info.tree, 0, bytes, sizeof bytes);
    hmac_sha256_set_key(&mac, sizeof pair->secret, pair->secret);
    hkdf_expand(&mac, (nettle_hash_update_func *)hmac_sha256_update,
                (nettle_hash_digest_func *)hmac_sha256_digest, SHA256_DIGEST_SIZE, n, bytes, key_n + 12, okm);
    memset(key, 0, sizeof *key);
    key->suite = suite;
    memcpy(key->key, okm, key_n);
    memcpy(key->iv, okm + key_n, 12);
}

static void nonce_of(const struct xc_key *key, uint32_t number, uint8_t nonce[12])
{
    memcpy(nonce, key->iv, 12);
    for (int i = 0; i < 4; i++)
        nonce[11 - i] ^= (uint8_t)(number >> (8 * i));
}

void xc_seal(const struct xc_key *key, uint32_t number, const uint8_t *aad, size_t aad_n, const uint8_t *in,
             size_t n, uint8_t *out)
{
    uint8_t nonce[12];

    nonce_of(key, number, nonce);
    if (key->suite == XC_SUITE_AES) {
        struct gcm_aes128_ctx gcm;
        gcm_aes128_set_key(&gcm, key->key);
        gcm_aes128_set_iv(&gcm, sizeof nonce, nonce);
        gcm_aes128_update(&gcm, aad_n, aad);
        gcm_aes128_encrypt(&gcm, n, out, in);
        gcm_aes128_digest(&gcm, XC_TAG_BYTES, out + n);
    } else {
        struct chacha_poly1305_ctx box;
        chacha_poly1305_set_key(&box, key->key);
        chacha_poly1305_set_nonce(&box, nonce);
        chacha_poly1305_update(&box, aad_n, aad);
        chacha_poly1305_encrypt(&box, n, out, in);
        chacha_poly1305_digest(&box, XC_TAG_BYTES, out + n);
    }
}

bool xc_open(const struct xc_key *key, uint32_t number, const uint8_t *aad, size_t aad_n, const uint8_t *in,
             size_t n, uint8_t *out)
{
    uint8_t nonce[12], tag[XC_TAG_BYTES];

    n -= XC_TAG_BYTES;
    nonce_of(key, number, nonce);
    if (key->suite == XC_SUITE_AES) {
        struct gcm_aes128_ctx gcm;
        gcm_aes128_set_key(&gcm, key->key);
        gcm_aes128_set_iv(&gcm, sizeof nonce, nonce);
        gcm_aes128_update(&gcm, aad_n, aad);
        gcm_aes128_decrypt(&gcm, n, out, in);
        gcm_aes128_digest(&gcm, sizeof tag, tag);
    } else {
        struct chacha_poly1305_ctx box;
        chacha_poly1305_set_key(&box, key->key);
        chacha_poly1305_set_nonce(&box, nonce);
        chacha_poly1305_update(&box, aad_n, aad);
        chacha_poly1305_decrypt(&box, n, out, in);
        chacha_poly1305_digest(&box, sizeof tag, tag);
    }
    return memeql_sec(tag, in + n, sizeof tag);
}
