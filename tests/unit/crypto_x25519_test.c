/* Tests of src/crypto/x25519.c: RFC 7748 sections 5.2 and 6.1, points of low order, clamping. */
#include <criterion/criterion.h>

#include <openssl/err.h>

#include "crypto/x25519.h"
#include "unit/crypto_hex.h"

static const struct {
    const char *scalar, *point, *result;
} rfc7748[] = {
    {"a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
     "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
     "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"},
    /* Bit 255 of this point is set, and ignored. */
    {"4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
     "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
     "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"},
};

/* Section 6.1: private and public keys of both sides, and what they share. */
static const char *const privates[] = {"77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
                                       "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"};
static const char *const publics[] = {"8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
                                      "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"};
static const char shared[] = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";

Test(crypto_x25519, rfc_7748_vectors)
{
    uint8_t scalar[32], point[32], out[32];

    for (size_t i = 0; i < sizeof rfc7748 / sizeof rfc7748[0]; i++) {
        hex_decode(rfc7748[i].scalar, scalar, sizeof scalar);
        hex_decode(rfc7748[i].point, point, sizeof point);
        cr_assert(pl_x25519(out, scalar, point), "vector %zu", i);
        cr_assert(hex_equal(rfc7748[i].result, out, sizeof out), "vector %zu", i);
    }
}

Test(crypto_x25519, rfc_7748_key_agreement)
{
    uint8_t private_key[32], public_key[32], out[32];

    for (size_t i = 0; i < 2; i++) {
        hex_decode(privates[i], private_key, sizeof private_key);
        cr_assert(pl_x25519_public(out, private_key));
        cr_assert(hex_equal(publics[i], out, sizeof out), "public key %zu", i);
        hex_decode(publics[1 - i], public_key, sizeof public_key);
        cr_assert(pl_x25519(out, private_key, public_key));
        cr_assert(hex_equal(shared, out, sizeof out), "side %zu", i);
    }
}

Test(crypto_x25519, rfc_7748_iterated)
{
    uint8_t k[32] = {9}, u[32] = {9}, out[32];

    for (int i = 1; i <= 1000; i++) {
        cr_assert(pl_x25519(out, k, u), "round %d", i);
        memcpy(u, k, sizeof u);
        memcpy(k, out, sizeof k);
        if (i == 1) {
            cr_assert(hex_equal("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079", k, 32));
        }
    }
    cr_assert(hex_equal("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51", k, 32));
}

Test(crypto_x25519, an_all_zero_result_is_refused)
{
    uint8_t private_key[32] = {1, 2, 3}, point[32] = {0}, out[32], zeros[32] = {0};

    for (uint8_t i = 0; i <= 1; i++) {
        point[0] = i;
        memset(out, 0xff, sizeof out);
        cr_assert_not(pl_x25519(out, private_key, point), "u = %d", i);
        cr_assert(memcmp(out, zeros, sizeof out) == 0);
        cr_assert_eq(ERR_peek_error(), 0, "nothing left in the error queue");
    }
}

Test(crypto_x25519, clamping_changes_five_bits_and_no_result)
{
    uint8_t low[32] = {0}, high[32], a[32], b[32];

    memset(high, 0xff, sizeof high);
    pl_x25519_clamp(low);
    pl_x25519_clamp(high);
    cr_assert(hex_equal("0000000000000000000000000000000000000000000000000000000000000040", low, 32));
    cr_assert(hex_equal("f8ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", high, 32));
    cr_assert(pl_x25519_public(a, high));
    memset(high, 0xff, sizeof high);
    cr_assert(pl_x25519_public(b, high));
    cr_assert(memcmp(a, b, sizeof a) == 0);
}
