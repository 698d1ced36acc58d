/*
 * aead_ipsecmb.c: the AEAD table on Intel's ipsec-mb for AES-128-GCM, where the library was there at build
 * time.
 *
 * Its calls have no per-packet set-up, which is half the price of a short packet elsewhere. Only the
 * single-packet calls are used: AES-GCM fills the processor's units by itself, and they keep no state in the
 * manager, so that one manager serves all threads. ChaCha20-Poly1305 stays with OpenSSL. Without the library
 * this file holds nothing but the choice of OpenSSL.
 */
#include "crypto/aead.h"

#ifdef PL_IPSEC_MB

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <intel-ipsec-mb.h>

#include "crypto/wipe.h"
#include "link/link_limits.h"

/* Expanded keys are read with aligned vector loads. */
enum { KEY_ALIGNMENT = 64 };

struct context {
    struct gcm_key_data key;
    void *other; /* a context of OpenSSL for the other suites */
    uint8_t suite;
};

static IMB_MGR *manager;
static pthread_once_t manager_once = PTHREAD_ONCE_INIT;

static void make_manager(void)
{
    IMB_ARCH arch;

    manager = alloc_mb_mgr(0);
    if (manager != NULL) {
        init_mb_mgr_auto(manager, &arch);
        if (imb_get_errno(manager) != 0) {
            free_mb_mgr(manager);
            manager = NULL;
        }
    }
}

static bool usable(void)
{
    return pthread_once(&manager_once, make_manager) == 0 && manager != NULL;
}

static void context_free(void *opaque)
{
    struct context *ctx = opaque;

    if (ctx != NULL) {
        pl_aead_openssl.context_free(ctx->other);
        pl_wipe(ctx, sizeof *ctx);
        free(ctx);
    }
}

static void *context_new(uint8_t suite)
{
    size_t size = (sizeof(struct context) + KEY_ALIGNMENT - 1) / KEY_ALIGNMENT * KEY_ALIGNMENT;
    struct context *ctx = usable() ? aligned_alloc(KEY_ALIGNMENT, size) : NULL;

    if (ctx == NULL) {
        return NULL;
    }
    memset(ctx, 0, sizeof *ctx);
    ctx->suite = suite;
    if (suite != PL_SUITE_AES_128_GCM && (ctx->other = pl_aead_openssl.context_new(suite)) == NULL) {
        free(ctx);
        return NULL;
    }
    return ctx;
}

static bool set_key(void *opaque, const struct pl_key *key, bool seal)
{
    struct context *ctx = opaque;

    if (key->suite != ctx->suite) {
        return false;
    }
    if (ctx->other != NULL) {
        return pl_aead_openssl.set_key(ctx->other, key, seal);
    }
    IMB_AES128_GCM_PRE(manager, key->key, &ctx->key);
    return true;
}

static bool seal_packet(void *opaque, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad,
                        const uint8_t *in, size_t n, uint8_t *out)
{
    struct context *ctx = opaque;
    struct gcm_context_data state;

    if (ctx->other != NULL) {
        return pl_aead_openssl.seal(ctx->other, nonce, aad, in, n, out);
    }
    IMB_AES128_GCM_ENC(manager, &ctx->key, &state, out, in, n, nonce, aad.p, aad.n, out + n, PL_TAG_SIZE);
    return true;
}

static bool open_packet(void *opaque, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad,
                        const uint8_t *in, size_t n, uint8_t *out)
{
    struct context *ctx = opaque;
    struct gcm_context_data state;
    uint8_t tag[PL_TAG_SIZE];
    size_t text_n = n - PL_TAG_SIZE;

    if (ctx->other != NULL) {
        return pl_aead_openssl.open(ctx->other, nonce, aad, in, n, out);
    }
    IMB_AES128_GCM_DEC(manager, &ctx->key, &state, out, in, text_n, nonce, aad.p, aad.n, tag, PL_TAG_SIZE);
    return pl_equal_ct(tag, in + text_n, PL_TAG_SIZE);
}

const struct pl_aead_ops pl_aead_ipsecmb = {.name = "ipsec-mb",
                                            .context_new = context_new,
                                            .context_free = context_free,
                                            .set_key = set_key,
                                            .seal = seal_packet,
                                            .open = open_packet};

const struct pl_aead_ops *pl_aead_best(void)
{
    return usable() ? &pl_aead_ipsecmb : &pl_aead_openssl;
}

#else

const struct pl_aead_ops *pl_aead_best(void)
{
    return &pl_aead_openssl;
}

#endif
