/* x25519.c: X25519 through OpenSSL's EVP, its objects made and freed in each call. */
#include "crypto/x25519.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "crypto/wipe.h"

/* Agrees own and peer into `out`. False on any failure of the library, an all-zero result being one. */
static bool agree(uint8_t out[PL_X25519_SIZE], EVP_PKEY *own, EVP_PKEY *peer)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(own, NULL);
    size_t out_n = PL_X25519_SIZE;
    bool ok = ctx != NULL && EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, peer) == 1 &&
              EVP_PKEY_derive(ctx, out, &out_n) == 1 && out_n == PL_X25519_SIZE;

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/*
 * The library's object of a private key, for agreeing alone. Given only the private key the library computes
 * the public one as well, which takes as long as the agreement and is not used in it (RFC 7748 section 6.1).
 * So it is given one: the base point, which is no secret and nobody's.
 */
static EVP_PKEY *agreement_key(const uint8_t private_key[PL_X25519_SIZE])
{
    static const uint8_t base_point[PL_X25519_SIZE] = {9};
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, (void *)private_key, PL_X25519_SIZE),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)base_point, PL_X25519_SIZE),
        OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(EVP_PKEY_X25519, NULL);
    EVP_PKEY *key = NULL;

    if (ctx == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(ctx);
    return key;
}

bool pl_x25519(uint8_t out[PL_X25519_SIZE], const uint8_t private_key[PL_X25519_SIZE],
               const uint8_t public_key[PL_X25519_SIZE])
{
    static const uint8_t zeros[PL_X25519_SIZE];
    EVP_PKEY *own = agreement_key(private_key);
    EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, public_key, PL_X25519_SIZE);
    /* The library refuses an all-zero result too; said here because the safety of every key rests on it. */
    bool ok = own != NULL && peer != NULL && agree(out, own, peer) && !pl_equal_ct(out, zeros, sizeof zeros);

    if (!ok) {
        pl_wipe(out, PL_X25519_SIZE);
        ERR_clear_error();
    }
    EVP_PKEY_free(own);
    EVP_PKEY_free(peer);
    return ok;
}

bool pl_x25519_public(uint8_t out[PL_X25519_SIZE], const uint8_t private_key[PL_X25519_SIZE])
{
    EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key, PL_X25519_SIZE);
    size_t out_n = PL_X25519_SIZE;
    bool ok = own != NULL && EVP_PKEY_get_raw_public_key(own, out, &out_n) == 1;

    if (!ok) {
        ERR_clear_error();
    }
    EVP_PKEY_free(own);
    return ok;
}

void pl_x25519_clamp(uint8_t private_key[PL_X25519_SIZE])
{
    private_key[0] &= 0xf8;
    private_key[31] &= 0x7f;
    private_key[31] |= 0x40;
}
