/* Tests of src/crypto/secret.c: link secrets, run keys, key ids, and which public keys are refused. */
#include <criterion/criterion.h>

#include "crypto/hkdf.h"
#include "crypto/secret.h"
#include "crypto/x25519.h"
#include "link/link_limits.h"
#include "unit/crypto_hex.h"

/* The key pairs of RFC 7748 section 6.1. */
static const char alice_private[] = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";
static const char alice_public[] = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
static const char bob_private[] = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb";
static const char bob_public[] = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";

/* Of this pair, for run 0x0123456789abcdef and epochs 0, computed with another implementation of HMAC. */
static const char link_prk[] = "555329f784688898779abf3932731581a0c6061be9335f6998ba23c5d9ab1460";
static const struct {
    uint8_t suite, direction;
    const char *okm;
} run_keys[] = {
    {PL_SUITE_AES_128_GCM, 0, "b20bf6cb23c7bfef1a2697d7aeef981d4cf2668df49a18f67ab59b23"},
    {PL_SUITE_AES_128_GCM, 1, "07b4967a52334ba6d991fa4156b79d52289b8c69a2cf3ca446b5624c"},
    {PL_SUITE_CHACHA20_POLY1305, 0,
     "5f50ab2b4710f881e2bdf914d95e1dae0a2b1321467c66ae1efeddf51a288d77ccde24e9113e050cccd98b95"},
    {PL_SUITE_CHACHA20_POLY1305, 1,
     "fd88602f22cf477e76bfe54c17b2a5e729bfe835e03879c3e3c3ceea323052f3798d68244f5794a560081c85"},
};

/* Every 32 B encoding of a point of low order, canonical or not. */
static const char *const low_order[] = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b880",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f11d7",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
};

struct pairs {
    uint8_t alice_private[32], alice_public[32], bob_private[32], bob_public[32];
};

static struct pairs rfc_pairs(void)
{
    struct pairs p;

    hex_decode(alice_private, p.alice_private, 32);
    hex_decode(alice_public, p.alice_public, 32);
    hex_decode(bob_private, p.bob_private, 32);
    hex_decode(bob_public, p.bob_public, 32);
    return p;
}

Test(crypto_secret, both_sides_derive_the_specified_secret)
{
    struct pairs p = rfc_pairs();
    struct pl_secret alice, bob, expected;
    uint8_t prk[32];

    hex_decode(link_prk, prk, sizeof prk);
    pl_hmac_midstates((struct pl_bytes){prk, sizeof prk}, expected.inner, expected.outer);
    cr_assert_eq(pl_secret_derive(&alice, p.alice_private, p.alice_public, p.bob_public), PL_OK);
    cr_assert_eq(pl_secret_derive(&bob, p.bob_private, p.bob_public, p.alice_public), PL_OK);
    cr_assert(memcmp(&alice, &expected, sizeof alice) == 0);
    cr_assert(memcmp(&bob, &expected, sizeof bob) == 0);
}

Test(crypto_secret, run_keys_are_as_specified)
{
    struct pairs p = rfc_pairs();
    struct pl_secret secret;
    struct pl_key key;
    uint8_t okm[64], zeros[32] = {0};

    cr_assert_eq(pl_secret_derive(&secret, p.alice_private, p.alice_public, p.bob_public), PL_OK);
    for (size_t i = 0; i < sizeof run_keys / sizeof run_keys[0]; i++) {
        size_t key_n = hex_decode(run_keys[i].okm, okm, sizeof okm) - PL_NONCE_SIZE;

        pl_secret_run_key(&secret, run_keys[i].suite, run_keys[i].direction, 0, 0x0123456789abcdef, &key);
        cr_assert_eq(key.suite, run_keys[i].suite);
        cr_assert(memcmp(key.key, okm, key_n) == 0, "key %zu", i);
        cr_assert(memcmp(key.key + key_n, zeros, sizeof key.key - key_n) == 0, "after key %zu", i);
        cr_assert(memcmp(key.iv, okm + key_n, PL_NONCE_SIZE) == 0, "iv %zu", i);
    }
}

/* Counts how many of the fields that must differ between two keys do not. */
static int shared_fields(const struct pl_key *a, const struct pl_key *b)
{
    return (memcmp(a->key, b->key, 16) == 0) + (memcmp(a->iv, b->iv, PL_NONCE_SIZE) == 0) +
           (a->serial == b->serial);
}

Test(crypto_secret, every_input_changes_the_run_key)
{
    const struct pl_secret secret = {{1, 2, 3}, {4, 5, 6}}, other = {{1, 2, 3}, {4, 5, 7}};
    struct pl_key keys[7], again;

    pl_secret_run_key(&secret, 1, 0, 0, 42, &keys[0]);
    pl_secret_run_key(&secret, 2, 0, 0, 42, &keys[1]);
    pl_secret_run_key(&secret, 1, 1, 0, 42, &keys[2]);
    pl_secret_run_key(&secret, 1, 0, 1, 42, &keys[3]);
    pl_secret_run_key(&secret, 1, 0, 0, 43, &keys[4]);
    pl_secret_run_key(&secret, 1, 0, 0, 42ULL << 56, &keys[5]);
    pl_secret_run_key(&other, 1, 0, 0, 42, &keys[6]);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        cr_assert_neq(keys[i].serial, 0);
        for (size_t j = 0; j < i; j++) {
            cr_assert_eq(shared_fields(&keys[i], &keys[j]), 0, "keys %zu and %zu", i, j);
        }
    }
    pl_secret_run_key(&secret, 1, 0, 0, 42, &again);
    cr_assert(memcmp(&again, &keys[0], sizeof again) == 0, "the same inputs give the same key and serial");
}

Test(crypto_secret, keys_of_low_order_are_refused_and_would_give_zero)
{
    struct pairs p = rfc_pairs();
    struct pl_secret secret, zeros = {{0}, {0}};
    uint8_t key[32], shared[32];

    for (size_t i = 0; i < sizeof low_order / sizeof low_order[0]; i++) {
        hex_decode(low_order[i], key, sizeof key);
        memset(&secret, 0xff, sizeof secret);
        cr_assert_not(pl_x25519(shared, p.alice_private, key), "point %zu is not of low order", i);
        cr_assert_eq(pl_public_key_check(key), PL_E_KEY, "point %zu", i);
        cr_assert_eq(pl_secret_derive(&secret, p.alice_private, p.alice_public, key), PL_E_KEY, "point %zu",
                     i);
        cr_assert(memcmp(&secret, &zeros, sizeof secret) == 0);
    }
}

Test(crypto_secret, only_canonical_keys_are_taken)
{
    struct pairs p = rfc_pairs();
    struct pl_secret secret;
    uint8_t key[32];

    memset(key, 0xff, sizeof key);
    for (unsigned low = 0; low < 256; low++) {
        key[0] = (uint8_t)low;
        key[31] = 0x7f;
        /* 2^255 - 20 is p - 1, of low order; everything above is not canonical. */
        cr_assert_eq(pl_public_key_check(key), low < 0xec ? PL_OK : PL_E_KEY, "lowest byte %02x", low);
        key[31] = 0x7e;
        cr_assert_eq(pl_public_key_check(key), PL_OK);
    }
    for (size_t at = 1; at < 31; at++) {
        memset(key, 0xff, sizeof key);
        key[31] = 0x7f;
        key[at] = 0xfe;
        cr_assert_eq(pl_public_key_check(key), PL_OK, "byte %zu below p's", at);
    }
    p.bob_public[31] |= 0x80;
    cr_assert_eq(pl_public_key_check(p.bob_public), PL_E_KEY);
    cr_assert_eq(pl_secret_derive(&secret, p.alice_private, p.alice_public, p.bob_public), PL_E_KEY);
    cr_assert_eq(pl_public_key_check(p.alice_public), PL_OK);
}

Test(crypto_secret, the_own_key_is_no_peer)
{
    struct pairs p = rfc_pairs();
    struct pl_secret secret;

    cr_assert_eq(pl_secret_derive(&secret, p.alice_private, p.alice_public, p.alice_public), PL_E_KEY);
}

Test(crypto_secret, direction_follows_byte_order)
{
    uint8_t a[32] = {0}, b[32] = {0};

    for (size_t at = 0; at < sizeof a; at++) {
        a[at] = 0x7f;
        b[at] = 0x80;
        cr_assert_eq(pl_secret_direction(a, b), 0, "byte %zu", at);
        cr_assert_eq(pl_secret_direction(b, a), 1, "byte %zu", at);
        a[at] = b[at] = (uint8_t)at;
    }
}

Test(crypto_secret, key_ids_name_the_ordered_pair)
{
    struct pairs p = rfc_pairs();

    /* The first 4 bytes of SHA-256("purelink id" | sender | receiver), computed with another implementation.
     */
    cr_assert_eq(pl_key_id(p.alice_public, p.bob_public), 0xb3564bfcU);
    cr_assert_eq(pl_key_id(p.bob_public, p.alice_public), 0x8dc004a6U);
}

Test(crypto_secret, a_key_goes_out_and_comes_back)
{
    static const struct {
        uint8_t suite;
        size_t size;
    } suites[] = {{PL_SUITE_AES_128_GCM, 28}, {PL_SUITE_CHACHA20_POLY1305, 44}};
    struct pairs p = rfc_pairs();
    struct pl_secret secret;
    struct pl_key key, back;
    uint8_t bytes[PL_RUN_SECRET_MAX + 1];

    cr_assert_eq(pl_secret_derive(&secret, p.alice_private, p.alice_public, p.bob_public), PL_OK);
    for (size_t i = 0; i < 2; i++) {
        pl_secret_run_key(&secret, suites[i].suite, 1, 0, 0x0102030405060708, &key);
        size_t n = pl_key_export(&key, bytes);
        cr_assert_eq(n, suites[i].size);
        cr_assert(pl_key_import(&back, suites[i].suite, (struct pl_bytes){bytes, n}));
        cr_assert_eq(memcmp(&back, &key, sizeof key), 0);
        cr_assert(!pl_key_import(&back, suites[i].suite, (struct pl_bytes){bytes, n - 1}));
        cr_assert(!pl_key_import(&back, suites[i].suite, (struct pl_bytes){bytes, n + 1}));
        cr_assert(!pl_key_import(&back, PL_SUITE_COOKIE, (struct pl_bytes){bytes, n}));
        cr_assert_eq(back.serial, 0);
    }
}
