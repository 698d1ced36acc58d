/* Tests of src/crypto/aead_openssl.c: published vectors of both suites, in place and apart, refusals. */
#include <criterion/criterion.h>

#include <openssl/err.h>

#include "crypto/aead.h"
#include "link/link_limits.h"
#include "unit/crypto_vectors.h"

static void *keyed(const struct pl_key *key, bool seal)
{
    void *ctx = pl_aead_openssl.context_new(key->suite);

    cr_assert_not_null(ctx);
    cr_assert(pl_aead_openssl.set_key(ctx, key, seal));
    return ctx;
}

Test(crypto_aead_openssl, published_vectors)
{
    vectors_hold(&pl_aead_openssl);
}

Test(crypto_aead_openssl, a_context_takes_another_key)
{
    struct loaded a = load(&vectors[1]), b = load(&vectors[2]);
    void *ctx = keyed(&a.key, true);
    uint8_t out[ROOM];

    cr_assert(pl_aead_openssl.seal(ctx, a.nonce, (struct pl_bytes){NULL, 0}, a.plain, a.plain_n, out));
    cr_assert(pl_aead_openssl.set_key(ctx, &b.key, true));
    cr_assert(pl_aead_openssl.seal(ctx, b.nonce, (struct pl_bytes){NULL, 0}, b.plain, b.plain_n, out));
    cr_assert(memcmp(out, b.sealed, b.sealed_n) == 0);
    pl_aead_openssl.context_free(ctx);
}

Test(crypto_aead_openssl, every_changed_bit_is_refused_and_the_context_goes_on)
{
    for (size_t i = 0; i < VECTORS; i++) {
        struct loaded l = load(&vectors[i]);
        void *ctx = keyed(&l.key, false);
        struct pl_bytes aad = {l.aad, l.aad_n};
        uint8_t out[ROOM];

        for (size_t bit = 0; bit < 8 * l.sealed_n; bit++) {
            l.sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
            cr_assert_not(pl_aead_openssl.open(ctx, l.nonce, aad, l.sealed, l.sealed_n, out));
            l.sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        cr_assert_eq(ERR_peek_error(), 0, "nothing left in the error queue");
        cr_assert(pl_aead_openssl.open(ctx, l.nonce, aad, l.sealed, l.sealed_n, out));
        pl_aead_openssl.context_free(ctx);
    }
}

Test(crypto_aead_openssl, other_suites_and_mismatches_are_refused)
{
    struct loaded l = load(&vectors[1]);
    void *ctx = pl_aead_openssl.context_new(PL_SUITE_CHACHA20_POLY1305);

    for (unsigned suite = 0; suite < 256; suite++) {
        if (suite != PL_SUITE_AES_128_GCM && suite != PL_SUITE_CHACHA20_POLY1305) {
            cr_assert_null(pl_aead_openssl.context_new((uint8_t)suite), "suite %u", suite);
        }
    }
    cr_assert_not(pl_aead_openssl.set_key(ctx, &l.key, true));
    pl_aead_openssl.context_free(ctx);
    pl_aead_openssl.context_free(NULL);
}
