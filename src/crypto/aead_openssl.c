/*
 * aead_openssl.c: the AEAD table on OpenSSL's EVP.
 *
 * A cipher is fetched by name once a process and suite; a context takes its key once and then only a nonce
 * for each packet, so that no packet allocates, fetches or expands a key.
 */
#include <stdlib.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include "crypto/aead.h"
#include "link/link_limits.h"

struct context {
    EVP_CIPHER_CTX *evp;
    uint8_t suite;
};

/* The library's own static table entries: no fetch here, but one in the context's first set_key. */
static const EVP_CIPHER *suite_cipher(uint8_t suite)
{
    switch (suite) {
    case PL_SUITE_AES_128_GCM: return EVP_aes_128_gcm();
    case PL_SUITE_CHACHA20_POLY1305: return EVP_chacha20_poly1305();
    default: return NULL;
    }
}

static void context_free(void *opaque)
{
    struct context *ctx = opaque;

    if (ctx != NULL) {
        EVP_CIPHER_CTX_free(ctx->evp);
        free(ctx);
    }
}

static void *context_new(uint8_t suite)
{
    struct context *ctx;

    if (suite_cipher(suite) == NULL || (ctx = calloc(1, sizeof *ctx)) == NULL) {
        return NULL;
    }
    ctx->suite = suite;
    ctx->evp = EVP_CIPHER_CTX_new();
    if (ctx->evp == NULL) {
        ERR_clear_error();
        free(ctx);
        return NULL;
    }
    return ctx;
}

/* Leaves nothing in the thread's error queue: a failed opening is a packet's fault, not the library's news.
 */
static bool settle(bool ok)
{
    if (!ok) {
        ERR_clear_error();
    }
    return ok;
}

static bool set_key(void *opaque, const struct pl_key *key, bool seal)
{
    struct context *ctx = opaque;
    /* Naming the cipher again would throw away the library's part of the context and fetch a new one. */
    const EVP_CIPHER *cipher = EVP_CIPHER_CTX_get0_cipher(ctx->evp) == NULL ? suite_cipher(ctx->suite) : NULL;

    return settle(key->suite == ctx->suite &&
                  EVP_CipherInit_ex(ctx->evp, cipher, NULL, key->key, NULL, seal ? 1 : 0) == 1);
}

/* Loads the nonce and the associated data of one packet. */
static bool begin_packet(EVP_CIPHER_CTX *evp, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad)
{
    int out_n;

    return EVP_CipherInit_ex(evp, NULL, NULL, NULL, nonce, -1) == 1 &&
           (aad.n == 0 || EVP_CipherUpdate(evp, NULL, &out_n, aad.p, (int)aad.n) == 1);
}

static bool run_text(EVP_CIPHER_CTX *evp, const uint8_t *in, size_t n, uint8_t *out)
{
    int out_n;

    return n == 0 || (EVP_CipherUpdate(evp, out, &out_n, in, (int)n) == 1 && (size_t)out_n == n);
}

static bool finish(EVP_CIPHER_CTX *evp)
{
    uint8_t rest[EVP_MAX_BLOCK_LENGTH];
    int rest_n;

    return EVP_CipherFinal_ex(evp, rest, &rest_n) == 1 && rest_n == 0;
}

static bool seal_packet(void *opaque, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad,
                        const uint8_t *in, size_t n, uint8_t *out)
{
    EVP_CIPHER_CTX *evp = ((struct context *)opaque)->evp;

    return settle(begin_packet(evp, nonce, aad) && run_text(evp, in, n, out) && finish(evp) &&
                  EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_GET_TAG, PL_TAG_SIZE, out + n) == 1);
}

static bool open_packet(void *opaque, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad,
                        const uint8_t *in, size_t n, uint8_t *out)
{
    EVP_CIPHER_CTX *evp = ((struct context *)opaque)->evp;
    size_t text_n = n - PL_TAG_SIZE;
    uint8_t *tag = (uint8_t *)in + text_n; /* the library's setter takes it unqualified and only reads */

    return settle(begin_packet(evp, nonce, aad) &&
                  EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_SET_TAG, PL_TAG_SIZE, tag) == 1 &&
                  run_text(evp, in, text_n, out) && finish(evp));
}

const struct pl_aead_ops pl_aead_openssl = {.name = "openssl",
                                            .context_new = context_new,
                                            .context_free = context_free,
                                            .set_key = set_key,
                                            .seal = seal_packet,
                                            .open = open_packet};
