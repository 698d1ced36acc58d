/* Tests of src/crypto/aead.c: the nonce, the cache of contexts (with a library that only counts), the limits.
 */
#include <criterion/criterion.h>

#include "crypto/aead.h"
#include "link/link_limits.h"
#include "unit/crypto_hex.h"

/* A library that seals by copying and notes what it is asked for. */
static struct {
    int made, freed, keyed, refuse_new, refuse_key, refuse_open;
    uint8_t nonce[PL_NONCE_SIZE];
    uint64_t sealed_under;
} counts;

struct fake_context {
    struct pl_key key;
    bool seal;
    uint8_t suite;
};

static void *fake_new(uint8_t suite)
{
    struct fake_context *ctx = counts.refuse_new == 0 ? calloc(1, sizeof *ctx) : NULL;

    if (ctx != NULL) {
        counts.made++;
        ctx->suite = suite;
    }
    return ctx;
}

static void fake_free(void *ctx)
{
    counts.freed += ctx != NULL;
    free(ctx);
}

static bool fake_set_key(void *opaque, const struct pl_key *key, bool seal)
{
    struct fake_context *ctx = opaque;

    counts.keyed++;
    cr_assert_eq(ctx->suite, key->suite);
    ctx->key = *key;
    ctx->seal = seal;
    return counts.refuse_key == 0;
}

static bool fake_seal(void *ctx, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad, const uint8_t *in,
                      size_t n, uint8_t *out)
{
    (void)aad;
    cr_assert(((struct fake_context *)ctx)->seal);
    counts.sealed_under = ((struct fake_context *)ctx)->key.serial;
    memcpy(counts.nonce, nonce, PL_NONCE_SIZE);
    memmove(out, in, n);
    memset(out + n, 0x16, PL_TAG_SIZE);
    return true;
}

static bool fake_open(void *ctx, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad, const uint8_t *in,
                      size_t n, uint8_t *out)
{
    (void)aad;
    cr_assert_not(((struct fake_context *)ctx)->seal);
    memcpy(counts.nonce, nonce, PL_NONCE_SIZE);
    memmove(out, in, n - PL_TAG_SIZE);
    return counts.refuse_open == 0;
}

static const struct pl_aead_ops fake = {"fake", fake_new, fake_free, fake_set_key, fake_seal, fake_open};

static struct pl_aead *new_aead(const struct pl_aead_ops *ops)
{
    struct pl_aead *aead = NULL;

    cr_assert_eq(pl_aead_new(&aead, ops), PL_OK);
    return aead;
}

static struct pl_key numbered_key(uint64_t n)
{
    struct pl_key key = {.serial = n, .suite = PL_SUITE_AES_128_GCM};

    memcpy(key.key, &n, sizeof n);
    return key;
}

static bool seal_one(struct pl_aead *aead, const struct pl_key *key)
{
    uint8_t bytes[4 + PL_TAG_SIZE] = {0};

    return pl_aead_seal(aead, key, 1, (struct pl_bytes){NULL, 0}, bytes, 4);
}

static bool open_one(struct pl_aead *aead, const struct pl_key *key)
{
    uint8_t bytes[4 + PL_TAG_SIZE] = {0};

    return pl_aead_open(aead, key, 1, (struct pl_bytes){NULL, 0}, bytes, sizeof bytes);
}

Test(crypto_aead, the_number_is_mixed_into_the_end_of_the_iv)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key key = numbered_key(1);
    uint8_t bytes[PL_TAG_SIZE] = {0};

    hex_decode("a0a1a2a3a4a5a6a7a8a9aaab", key.iv, sizeof key.iv);
    cr_assert(pl_aead_seal(aead, &key, 0x01020304, (struct pl_bytes){NULL, 0}, bytes, 0));
    cr_assert(hex_equal("a0a1a2a3a4a5a6a7a9aba9af", counts.nonce, PL_NONCE_SIZE));
    cr_assert(pl_aead_open(aead, &key, 0xffffffff, (struct pl_bytes){NULL, 0}, bytes, sizeof bytes));
    cr_assert(hex_equal("a0a1a2a3a4a5a6a757565554", counts.nonce, PL_NONCE_SIZE));
    pl_aead_free(aead);
}

Test(crypto_aead, a_key_in_use_is_loaded_once)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key key = numbered_key(7);

    for (int i = 0; i < 10; i++) {
        cr_assert(seal_one(aead, &key) && open_one(aead, &key));
    }
    cr_assert_eq(counts.keyed, 2, "one context for each direction");
    cr_assert_eq(counts.made, 2);
    pl_aead_free(aead);
    cr_assert_eq(counts.freed, counts.made);
}

Test(crypto_aead, as_many_keys_as_promised_fit)
{
    struct pl_aead *aead = new_aead(&fake);

    for (int round = 0; round < 3; round++) {
        for (uint64_t n = 1; n <= PL_AEAD_CONTEXTS; n++) {
            struct pl_key key = numbered_key(n);

            cr_assert(seal_one(aead, &key));
        }
    }
    cr_assert_eq(counts.keyed, PL_AEAD_CONTEXTS, "evenly spread serials all stay loaded");
    pl_aead_free(aead);
}

Test(crypto_aead, more_keys_push_out_the_least_recently_used_and_reuse_its_context)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key kept = numbered_key(5);
    int keyed_before;

    for (uint64_t n = 1; n <= 10 * PL_AEAD_CONTEXTS; n++) {
        struct pl_key key = numbered_key(n);

        cr_assert(seal_one(aead, &key));
        cr_assert_eq(counts.sealed_under, n);
        cr_assert(seal_one(aead, &kept));
        cr_assert_eq(counts.sealed_under, kept.serial);
    }
    cr_assert_eq(counts.keyed, 10 * PL_AEAD_CONTEXTS, "the key always in use was loaded once, as each other");
    cr_assert_eq(counts.made, PL_AEAD_CONTEXTS);
    keyed_before = counts.keyed;
    kept = numbered_key(1);
    cr_assert(seal_one(aead, &kept));
    cr_assert_eq(counts.keyed, keyed_before + 1, "an evicted key is loaded again");
    pl_aead_free(aead);
    cr_assert_eq(counts.freed, counts.made);
}

Test(crypto_aead, keys_of_one_serial_are_not_mixed_up)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key a = numbered_key(9), b = a, c = a;

    b.key[31] ^= 1;
    c.suite = PL_SUITE_CHACHA20_POLY1305;
    cr_assert(seal_one(aead, &a) && seal_one(aead, &b) && seal_one(aead, &c));
    cr_assert_eq(counts.keyed, 3);
    pl_aead_free(aead);
}

Test(crypto_aead, a_slot_changes_its_suite)
{
    struct pl_aead *aead = new_aead(&fake);

    for (uint64_t n = 0; n < 40; n++) {
        /* All in one set. */
        struct pl_key key = numbered_key((n + 1) * PL_AEAD_CONTEXTS);

        key.suite = n % 3 == 0 ? PL_SUITE_CHACHA20_POLY1305 : PL_SUITE_AES_128_GCM;
        cr_assert(seal_one(aead, &key));
        cr_assert_eq(counts.sealed_under, key.serial);
    }
    pl_aead_free(aead);
    cr_assert_eq(counts.freed, counts.made);
}

Test(crypto_aead, a_forgotten_key_is_gone_in_both_directions)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key key = numbered_key(3), other = numbered_key(4);

    cr_assert(seal_one(aead, &key) && open_one(aead, &key) && seal_one(aead, &other));
    pl_aead_forget(aead, &key);
    cr_assert_eq(counts.freed, 2);
    pl_aead_forget(aead, &key);
    cr_assert_eq(counts.freed, 2);
    cr_assert(seal_one(aead, &other));
    cr_assert_eq(counts.keyed, 3, "others stay");
    cr_assert(open_one(aead, &key));
    cr_assert_eq(counts.keyed, 4);
    pl_aead_free(aead);
}

Test(crypto_aead, a_failing_library_is_survived)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key key = numbered_key(3);

    counts.refuse_new = 1;
    cr_assert_not(seal_one(aead, &key));
    cr_assert_not(open_one(aead, &key));
    counts.refuse_new = 0;
    counts.refuse_key = 1;
    cr_assert_not(seal_one(aead, &key));
    counts.refuse_key = 0;
    cr_assert(seal_one(aead, &key));
    cr_assert_eq(counts.sealed_under, key.serial);
    pl_aead_free(aead);
    pl_aead_free(NULL);
    cr_assert_eq(counts.freed, counts.made);
}

Test(crypto_aead, lengths_are_bounded)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key key = numbered_key(3);
    static uint8_t bytes[PL_AEAD_TEXT_MAX + 1 + PL_TAG_SIZE];
    const struct pl_bytes none = {NULL, 0}, long_aad = {bytes, PL_AEAD_TEXT_MAX + 1};

    for (size_t n = 0; n < PL_TAG_SIZE; n++) {
        cr_assert_not(pl_aead_open(aead, &key, 1, none, bytes, n), "%zu bytes", n);
    }
    cr_assert(pl_aead_open(aead, &key, 1, none, bytes, PL_TAG_SIZE));
    cr_assert(pl_aead_open(aead, &key, 1, none, bytes, PL_AEAD_TEXT_MAX));
    cr_assert_not(pl_aead_open(aead, &key, 1, none, bytes, PL_AEAD_TEXT_MAX + 1));
    cr_assert(pl_aead_seal(aead, &key, 1, none, bytes, PL_AEAD_TEXT_MAX));
    cr_assert_not(pl_aead_seal(aead, &key, 1, none, bytes, PL_AEAD_TEXT_MAX + 1));
    cr_assert_not(pl_aead_seal(aead, &key, 1, long_aad, bytes, 1));
    cr_assert_not(pl_aead_open(aead, &key, 1, long_aad, bytes, PL_TAG_SIZE));
    pl_aead_free(aead);
}

Test(crypto_aead, unauthentic_text_is_zeroed_and_the_input_apart_is_kept)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key key = numbered_key(3);
    uint8_t in[8 + PL_TAG_SIZE], out[8], zeros[8] = {0}, in_before[sizeof in];

    memset(in, 0x77, sizeof in);
    memcpy(in_before, in, sizeof in);
    counts.refuse_open = 1;
    cr_assert_not(pl_aead_open_to(aead, &key, 1, (struct pl_bytes){NULL, 0}, in, sizeof in, out));
    cr_assert(memcmp(out, zeros, sizeof out) == 0);
    cr_assert(memcmp(in, in_before, sizeof in) == 0);
    pl_aead_free(aead);
}

/* Notes the last sealing that was traced. */
static void note_number(void *ctx, const struct pl_key *key, uint32_t number)
{
    *(uint64_t *)ctx = key->serial << 32 | number;
}

Test(crypto_aead, sealings_are_traced)
{
    struct pl_aead *aead = new_aead(&fake);
    struct pl_key key = numbered_key(3);
    uint64_t seen = 0;

    pl_aead_trace(aead, note_number, &seen);
    cr_assert(open_one(aead, &key));
    cr_assert_eq(seen, 0);
    cr_assert(seal_one(aead, &key));
    cr_assert_eq(seen, (uint64_t)3 << 32 | 1);
    seen = 0;
    pl_aead_trace(aead, NULL, NULL);
    cr_assert(seal_one(aead, &key));
    cr_assert_eq(seen, 0);
    pl_aead_free(aead);
}

Test(crypto_aead, many_keys_of_both_suites_open_what_they_sealed)
{
    enum { KEYS = 200 };
    struct pl_aead *aead = new_aead(&pl_aead_openssl);
    static uint8_t packets[KEYS][32 + PL_TAG_SIZE];
    const struct pl_bytes aad = text_bytes("associated");

    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t n = 0; n < KEYS; n++) {
            struct pl_key key = numbered_key(n * 0x9e3779b97f4a7c15 + 1);
            uint8_t plain[32];

            key.suite = n % 2 == 0 ? PL_SUITE_AES_128_GCM : PL_SUITE_CHACHA20_POLY1305;
            memset(plain, (int)n, sizeof plain);
            if (pass == 0) {
                memcpy(packets[n], plain, sizeof plain);
                cr_assert(pl_aead_seal(aead, &key, (uint32_t)n, aad, packets[n], sizeof plain));
            } else {
                cr_assert(pl_aead_open(aead, &key, (uint32_t)n, aad, packets[n], sizeof packets[n]));
                cr_assert(memcmp(packets[n], plain, sizeof plain) == 0, "key %d", (int)n);
            }
        }
    }
    pl_aead_free(aead);
}
