/* secret.c: the link secret, run keys and key ids (protocol: Keys). */
#include "crypto/secret.h"

#include <assert.h>
#include <string.h>

#include "crypto/hkdf.h"
#include "crypto/x25519.h"
#include "link/link_frames.h"
#include "link/link_limits.h"

enum {
    PUBLIC_SIZE = PL_X25519_SIZE,
    INFO_ROOM = 32,
    KEY_SIZE_AES_128 = 16,
    KEY_SIZE_CHACHA20 = 32,
    OKM_ROOM = KEY_SIZE_CHACHA20 + PL_NONCE_SIZE
};
_Static_assert((int)OKM_ROOM == (int)PL_RUN_SECRET_MAX, "the largest secret of a run");

/*
 * The canonical encodings of the points of low order on Curve25519 and its twist (RFC 7748 section 6.1: with
 * them S would be all zero). Their other encodings are refused as not canonical.
 */
static const uint8_t low_order[][PUBLIC_SIZE] = {
    {0},
    {1},
    {0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a,
     0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00},
    {0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b,
     0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57},
    {0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
};

/* True below p = 2^255 - 19, little endian: ed ff .. ff 7f. */
static bool is_canonical(const uint8_t key[PUBLIC_SIZE])
{
    if (key[PUBLIC_SIZE - 1] != 0x7f) {
        return key[PUBLIC_SIZE - 1] < 0x7f;
    }
    for (size_t i = PUBLIC_SIZE - 2; i > 0; i--) {
        if (key[i] != 0xff) {
            return true;
        }
    }
    return key[0] < 0xed;
}

enum pl_error pl_public_key_check(const uint8_t key[PUBLIC_SIZE])
{
    if (!is_canonical(key)) {
        return PL_E_KEY;
    }
    for (size_t i = 0; i < sizeof low_order / sizeof low_order[0]; i++) {
        if (memcmp(key, low_order[i], PUBLIC_SIZE) == 0) {
            return PL_E_KEY;
        }
    }
    return PL_OK;
}

uint8_t pl_secret_direction(const uint8_t sender_public[PUBLIC_SIZE],
                            const uint8_t receiver_public[PUBLIC_SIZE])
{
    return memcmp(sender_public, receiver_public, PUBLIC_SIZE) < 0 ? 0 : 1;
}

/* HKDF-Extract (RFC 5869 section 2.2), its result kept as the midstates of an HMAC key. */
static void extract(struct pl_secret *out, const uint8_t shared[PL_X25519_SIZE],
                    const uint8_t *smaller_public, const uint8_t *larger_public)
{
    static const char label[] = PL_LABEL_EXTRACT;
    const struct pl_bytes salt = {(const uint8_t *)label, sizeof label - 1};
    const struct pl_bytes parts[] = {
        {shared, PL_X25519_SIZE}, {smaller_public, PUBLIC_SIZE}, {larger_public, PUBLIC_SIZE}};
    uint8_t prk[PL_HMAC_SIZE];

    pl_hkdf_extract(salt, parts, sizeof parts / sizeof parts[0], prk);
    pl_hmac_midstates((struct pl_bytes){prk, sizeof prk}, out->inner, out->outer);
    pl_wipe(prk, sizeof prk);
}

enum pl_error pl_secret_derive(struct pl_secret *out, const uint8_t own_private[32],
                               const uint8_t own_public[32], const uint8_t peer_public[32])
{
    bool own_first = pl_secret_direction(own_public, peer_public) == 0;
    uint8_t shared[PL_X25519_SIZE];

    memset(out, 0, sizeof *out);
    if (memcmp(own_public, peer_public, PUBLIC_SIZE) == 0 || pl_public_key_check(peer_public) != PL_OK ||
        !pl_x25519(shared, own_private, peer_public)) {
        return PL_E_KEY;
    }
    extract(out, shared, own_first ? own_public : peer_public, own_first ? peer_public : own_public);
    pl_wipe(shared, sizeof shared);
    return PL_OK;
}

static size_t key_size(uint8_t suite)
{
    return suite == PL_SUITE_CHACHA20_POLY1305 ? KEY_SIZE_CHACHA20 : KEY_SIZE_AES_128;
}

/*
 * A name for the key that tells nothing of it: the compression of a block that holds all of it (one length,
 * so no padding is needed). 0 is left for 'no key'.
 */
static uint64_t key_serial(const struct pl_key *key)
{
    uint8_t block[PL_SHA256_BLOCK] = {key->suite};
    uint32_t state[PL_SHA256_WORDS];
    uint64_t serial;

    memcpy(block + 1, key->key, sizeof key->key);
    memcpy(block + 1 + sizeof key->key, key->iv, sizeof key->iv);
    pl_sha256_initial(state);
    pl_sha256_compress(state, block, 1);
    pl_wipe(block, sizeof block);
    serial = (uint64_t)state[0] << 32 | state[1];
    return serial != 0 ? serial : 1;
}

static void set_key(struct pl_key *out, uint8_t suite, const uint8_t *okm)
{
    size_t key_n = key_size(suite);

    memset(out, 0, sizeof *out);
    out->suite = suite;
    memcpy(out->key, okm, key_n);
    memcpy(out->iv, okm + key_n, PL_NONCE_SIZE);
    out->serial = key_serial(out);
}

size_t pl_key_export(const struct pl_key *key, uint8_t out[PL_RUN_SECRET_MAX])
{
    size_t key_n = key_size(key->suite);

    memcpy(out, key->key, key_n);
    memcpy(out + key_n, key->iv, PL_NONCE_SIZE);
    return key_n + PL_NONCE_SIZE;
}

bool pl_key_import(struct pl_key *out, uint8_t suite, struct pl_bytes secret)
{
    bool is_served = suite == PL_SUITE_AES_128_GCM || suite == PL_SUITE_CHACHA20_POLY1305;

    memset(out, 0, sizeof *out);
    if (!is_served || secret.n != key_size(suite) + PL_NONCE_SIZE) {
        return false;
    }
    set_key(out, suite, secret.p);
    return true;
}

void pl_secret_run_key(const struct pl_secret *secret, uint8_t suite, uint8_t direction, uint8_t epochs,
                       uint64_t run, struct pl_key *out)
{
    const struct pl_run_info fields = {.suite = suite, .direction = direction, .epochs = epochs, .run = run};
    size_t key_n = key_size(suite);
    uint8_t info[INFO_ROOM], okm[OKM_ROOM];
    size_t info_n = pl_run_info_encode(info, sizeof info, &fields);

    assert(info_n > 0);
    pl_hkdf_expand(secret->inner, secret->outer, (struct pl_bytes){info, info_n}, okm, key_n + PL_NONCE_SIZE);
    set_key(out, suite, okm);
    pl_wipe(okm, sizeof okm);
}

uint32_t pl_key_id(const uint8_t sender_public[PUBLIC_SIZE], const uint8_t receiver_public[PUBLIC_SIZE])
{
    static const char label[] = PL_LABEL_ID;
    const struct pl_bytes parts[] = {{(const uint8_t *)label, sizeof label - 1},
                                     {sender_public, PUBLIC_SIZE},
                                     {receiver_public, PUBLIC_SIZE}};
    uint8_t digest[PL_SHA256_SIZE];

    pl_hash(parts, sizeof parts / sizeof parts[0], digest);
    return (uint32_t)digest[0] << 24 | (uint32_t)digest[1] << 16 | (uint32_t)digest[2] << 8 | digest[3];
}
