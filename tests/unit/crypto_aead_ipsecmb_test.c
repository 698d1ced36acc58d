/* Tests of src/crypto/aead_ipsecmb.c: published vectors, the same as OpenSSL on a million random packets of
 * every length, refusals. */
#include <criterion/criterion.h>

#include <string.h>

#include "crypto/aead.h"
#include "link/link_limits.h"
#include "unit/crypto_vectors.h"

Test(crypto_aead_ipsecmb, the_best_table_serves_both_suites)
{
    const struct pl_aead_ops *ops = pl_aead_best();

    for (uint8_t suite = PL_SUITE_AES_128_GCM; suite <= PL_SUITE_CHACHA20_POLY1305; suite++) {
        void *ctx = ops->context_new(suite);
        cr_assert_not_null(ctx, "%s, suite %u", ops->name, suite);
        ops->context_free(ctx);
    }
    cr_assert_null(ops->context_new(PL_SUITE_AES_128_GCM_SIV));
    ops->context_free(NULL);
}

#ifdef PL_IPSEC_MB

/* Sanitizers slow it down: there a tenth has to do. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PACKETS = 100000 };
#else
enum { PACKETS = 1000000 };
#endif

enum { TEXT_MAX = 1500, AAD_MAX = 40, KEY_LIFE = 16 };

static uint64_t state = 88172645463325252u;

/* xorshift: the same packets in each run. */
static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void fill(uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof state) {
        uint64_t word = draw();
        memcpy(out + i, &word, n - i < sizeof word ? n - i : sizeof word);
    }
}

/* A sealing and an opening context of each library under one key. */
struct both {
    const struct pl_aead_ops *ops[2];
    void *seal[2], *open[2];
};

static void both_new(struct both *b, uint8_t suite)
{
    b->ops[0] = &pl_aead_ipsecmb;
    b->ops[1] = &pl_aead_openssl;
    for (int i = 0; i < 2; i++) {
        b->seal[i] = b->ops[i]->context_new(suite);
        b->open[i] = b->ops[i]->context_new(suite);
        cr_assert(b->seal[i] != NULL && b->open[i] != NULL);
    }
}

static void both_key(struct both *b, uint8_t suite)
{
    struct pl_key key = {.serial = 1, .suite = suite};

    fill(key.key, suite == PL_SUITE_AES_128_GCM ? 16 : 32);
    for (int i = 0; i < 2; i++) {
        cr_assert(b->ops[i]->set_key(b->seal[i], &key, true));
        cr_assert(b->ops[i]->set_key(b->open[i], &key, false));
    }
}

static void both_free(struct both *b)
{
    for (int i = 0; i < 2; i++) {
        b->ops[i]->context_free(b->seal[i]);
        b->ops[i]->context_free(b->open[i]);
    }
}

/* Each library seals alike and opens what the other sealed; a changed bit is refused. */
static void one_packet(struct both *b, size_t n)
{
    uint8_t text[TEXT_MAX], aad_bytes[AAD_MAX], nonce[PL_NONCE_SIZE];
    uint8_t sealed[2][TEXT_MAX + PL_TAG_SIZE], opened[TEXT_MAX];
    struct pl_bytes aad = {aad_bytes, draw() % (AAD_MAX + 1)};

    fill(text, n);
    fill(aad_bytes, aad.n);
    fill(nonce, sizeof nonce);
    for (int i = 0; i < 2; i++) {
        cr_assert(b->ops[i]->seal(b->seal[i], nonce, aad, text, n, sealed[i]));
    }
    cr_assert_arr_eq(sealed[0], sealed[1], n + PL_TAG_SIZE);
    for (int i = 0; i < 2; i++) {
        cr_assert(b->ops[i]->open(b->open[i], nonce, aad, sealed[!i], n + PL_TAG_SIZE, opened));
        cr_assert(n == 0 || memcmp(opened, text, n) == 0);
    }
    sealed[0][draw() % (n + PL_TAG_SIZE)] ^= (uint8_t)(1 << draw() % 8);
    for (int i = 0; i < 2; i++) {
        cr_assert_not(b->ops[i]->open(b->open[i], nonce, aad, sealed[0], n + PL_TAG_SIZE, opened));
    }
}

Test(crypto_aead_ipsecmb, published_vectors)
{
    vectors_hold(&pl_aead_ipsecmb);
}

Test(crypto_aead_ipsecmb, agrees_with_openssl_on_random_packets)
{
    for (uint8_t suite = PL_SUITE_AES_128_GCM; suite <= PL_SUITE_CHACHA20_POLY1305; suite++) {
        struct both b;
        both_new(&b, suite);
        for (size_t i = 0; i < (suite == PL_SUITE_AES_128_GCM ? PACKETS : TEXT_MAX); i++) {
            if (i % KEY_LIFE == 0) {
                both_key(&b, suite);
            }
            one_packet(&b, i <= TEXT_MAX ? i : draw() % (TEXT_MAX + 1));
        }
        both_free(&b);
    }
}

Test(crypto_aead_ipsecmb, works_in_place_and_refuses_another_suites_key)
{
    struct both b;
    struct pl_key other = {.serial = 1, .suite = PL_SUITE_CHACHA20_POLY1305};
    uint8_t packet[TEXT_MAX + PL_TAG_SIZE], nonce[PL_NONCE_SIZE] = {0};

    both_new(&b, PL_SUITE_AES_128_GCM);
    cr_assert_not(pl_aead_ipsecmb.set_key(b.seal[0], &other, true));
    both_key(&b, PL_SUITE_AES_128_GCM);
    memset(packet, 7, TEXT_MAX);
    struct pl_bytes none = {NULL, 0};
    cr_assert(b.ops[0]->seal(b.seal[0], nonce, none, packet, TEXT_MAX, packet));
    cr_assert(b.ops[1]->open(b.open[1], nonce, none, packet, TEXT_MAX + PL_TAG_SIZE, packet));
    for (int i = 0; i < TEXT_MAX; i++) {
        cr_assert_eq(packet[i], 7);
    }
    both_free(&b);
}

#endif
