/* crypto.c: what the calls of src/crypto cost, in ns of CPU time each. Not a test: it judges nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/hash.h"
#include "crypto/run.h"
#include "crypto/x25519.h"
#include "lib/timing.h"
#include "link/link_limits.h"

enum { KEYS_COLD = 4096, SHORT_BYTES = 64 };

/* What the timed calls work on. */
struct bench {
    struct pl_aead *aead;
    struct pl_secret secret;
    struct pl_key keys[KEYS_COLD];
    size_t key_at, key_count; /* the next key, and how many are taken in turn */
    uint8_t suite;
    size_t payload_bytes;
    uint32_t number;
    uint64_t run;
    uint8_t own_private[32], own_public[32], peer_public[32];
    uint8_t sealed[PL_DATAGRAM_SIZE], packet[PL_DATAGRAM_SIZE];
};

static void derive_run_key(void *ctx)
{
    struct bench *b = ctx;

    pl_secret_run_key(&b->secret, b->suite, 0, 0, b->run++, &b->keys[0]);
}

static void derive_secret(void *ctx)
{
    struct bench *b = ctx;

    if (pl_secret_derive(&b->secret, b->own_private, b->own_public, b->peer_public) != PL_OK) {
        abort();
    }
}

static void compute_key_id(void *ctx)
{
    struct bench *b = ctx;

    b->run += pl_key_id(b->own_public, b->peer_public);
}

static void compute_mac64(void *ctx)
{
    struct bench *b = ctx;
    const struct pl_bytes parts[] = {{b->packet, 12}, {b->packet, 32}};

    b->run += pl_mac64(b->own_private, parts, 2);
}

static const struct pl_key *next_key(struct bench *b)
{
    b->key_at = b->key_at + 1 < b->key_count ? b->key_at + 1 : 0;
    return &b->keys[b->key_at];
}

static void seal(void *ctx)
{
    struct bench *b = ctx;

    if (!pl_aead_seal(b->aead, next_key(b), b->number++, (struct pl_bytes){b->packet, PL_HEADER_SIZE},
                      b->packet + PL_HEADER_SIZE, b->payload_bytes)) {
        abort();
    }
}

/* Opens what was sealed under keys[0]; with several keys in turn most openings fail, which costs the same. */
static void open(void *ctx)
{
    struct bench *b = ctx;
    bool ok = pl_aead_open_to(b->aead, next_key(b), 0, (struct pl_bytes){b->sealed, PL_HEADER_SIZE},
                              b->sealed + PL_HEADER_SIZE, b->payload_bytes + PL_TAG_SIZE, b->packet);

    if (!ok && b->key_at == 0) {
        abort();
    }
}

static void report(const char *what, size_t bytes, double ns)
{
    printf("%-44s %6zu B %10.0f ns\n", what, bytes, ns);
}

static void bench_packets(struct bench *b, const char *suite_name)
{
    static const struct {
        const char *what;
        size_t keys, payload_bytes;
    } cases[] = {{"one key", 1, PL_PAYLOAD_SIZE},
                 {"one key", 1, SHORT_BYTES},
                 {"a new key each", KEYS_COLD, PL_PAYLOAD_SIZE},
                 {"a new key each", KEYS_COLD, SHORT_BYTES}};
    char line[80];

    for (size_t i = 0; i < KEYS_COLD; i++) {
        pl_secret_run_key(&b->secret, b->suite, 0, 0, i, &b->keys[i]);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        b->key_count = cases[i].keys;
        b->payload_bytes = cases[i].payload_bytes;
        snprintf(line, sizeof line, "%s seal, %s", suite_name, cases[i].what);
        report(line, b->payload_bytes, bench_best_ns(seal, b));
        pl_aead_seal(b->aead, &b->keys[0], 0, (struct pl_bytes){b->sealed, PL_HEADER_SIZE},
                     b->sealed + PL_HEADER_SIZE, b->payload_bytes);
        snprintf(line, sizeof line, "%s open, %s", suite_name, cases[i].what);
        report(line, b->payload_bytes, bench_best_ns(open, b));
    }
}

static void bench_keys(struct bench *b)
{
    report("link secret (X25519, HKDF-Extract)", 0, bench_best_ns(derive_secret, b));
    report("key id", 0, bench_best_ns(compute_key_id, b));
    report("64-bit MAC of a challenge", 44, bench_best_ns(compute_mac64, b));
    b->suite = PL_SUITE_AES_128_GCM;
    report("run key, AES-128-GCM", 0, bench_best_ns(derive_run_key, b));
    b->suite = PL_SUITE_CHACHA20_POLY1305;
    report("run key, ChaCha20-Poly1305", 0, bench_best_ns(derive_run_key, b));
}

int main(void)
{
    struct bench *b = calloc(1, sizeof *b);
    uint8_t peer_private[32] = {5, 6, 7};

    if (b == NULL || pl_aead_new(&b->aead, &pl_aead_openssl) != PL_OK) {
        fputs("crypto: out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    b->own_private[0] = 1;
    pl_x25519_public(b->own_public, b->own_private);
    pl_x25519_public(b->peer_public, peer_private);
    bench_keys(b);
    b->suite = PL_SUITE_AES_128_GCM;
    bench_packets(b, "AES-128-GCM");
    b->suite = PL_SUITE_CHACHA20_POLY1305;
    bench_packets(b, "ChaCha20-Poly1305");
    pl_aead_free(b->aead);
    free(b);
    return EXIT_SUCCESS;
}
