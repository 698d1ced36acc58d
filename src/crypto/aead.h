/*
 * aead.h: sealing and opening one packet (RFC 5116), behind one small table.
 *
 * `struct pl_aead_ops` is what a crypto library has to offer; OpenSSL's EVP is the first. `struct pl_aead`
 * adds what every library needs here: a small cache of keyed contexts, since loading a key costs as much as a
 * short packet and an expanded key is too large to keep for each link. One pl_aead for each thread: nothing
 * is shared, nothing locks. In the steady state a packet costs no allocation and no look-up by name.
 *
 * The nonce of a packet is iv XOR packet number (the number big endian in the last 4 bytes, as RFC 9001
 * section 5.3 does with 8). A (key, number) pair must be sealed once: run.h makes sure, and is the only
 * caller of pl_aead_seal outside tests. Opening has no state: the same packet opens again, for ever.
 */
#ifndef PL_CRYPTO_AEAD_H
#define PL_CRYPTO_AEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/link_types.h"

enum {
    PL_NONCE_SIZE = 12,
    PL_AEAD_TEXT_MAX = 65535, /* bytes sealed or opened in one call: more than any datagram holds */
    PL_AEAD_CONTEXTS = 64     /* keyed contexts a pl_aead keeps for each direction */
};

/*
 * The key of one run in one direction. `serial` names it in caches: made from the key itself, never 0, equal
 * for equal keys. Keys shorter than 32 B are followed by zeros. Secret: wipe it.
 */
struct pl_key {
    uint64_t serial;
    uint8_t suite;
    uint8_t key[32];
    uint8_t iv[PL_NONCE_SIZE];
};

/*
 * One crypto library. A context is used by one thread at a time, for one suite, in one direction after each
 * set_key. All but context_free return false or NULL on failure of the library.
 */
struct pl_aead_ops {
    const char *name;
    /* A context for `suite`, owned by the caller; NULL if the suite is not offered or there is no memory. */
    void *(*context_new)(uint8_t suite);
    /* Frees a context and wipes its key. NULL is allowed. */
    void (*context_free)(void *ctx);
    /* Loads a key for sealing (`seal`) or opening. key->suite is the context's. The key is not kept by
     * reference. */
    bool (*set_key)(void *ctx, const struct pl_key *key, bool seal);
    /* Writes n + 16 B to `out`, which may equal `in`. */
    bool (*seal)(void *ctx, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad, const uint8_t *in,
                 size_t n, uint8_t *out);
    /* `n` counts the tag (at least 16); writes n - 16 B to `out`, which may equal `in`. False: what was
       written is not authentic. */
    bool (*open)(void *ctx, const uint8_t nonce[PL_NONCE_SIZE], struct pl_bytes aad, const uint8_t *in,
                 size_t n, uint8_t *out);
};

extern const struct pl_aead_ops pl_aead_openssl;

/* AES-128-GCM on Intel's ipsec-mb; there only if the library was found when purelink was built. */
#ifdef PL_IPSEC_MB
extern const struct pl_aead_ops pl_aead_ipsecmb;
#endif

/* The fastest of the tables that this build has and this machine can run. Static. */
const struct pl_aead_ops *pl_aead_best(void);

struct pl_aead;

/*
 * Makes an empty cache over `ops` (static, outlives it). PL_OK, or PL_E_NO_MEMORY with *out NULL. Contexts
 * are allocated as keys first use them, up to 2 x PL_AEAD_CONTEXTS, and then reused.
 */
enum pl_error pl_aead_new(struct pl_aead **out, const struct pl_aead_ops *ops);

/* Frees it, all contexts and their keys wiped. NULL is allowed. */
void pl_aead_free(struct pl_aead *aead);

/*
 * Seals the `n` bytes at `inout` in place under (key, number); `inout` has room for n + 16. False if the
 * suite is not offered, n is above PL_AEAD_TEXT_MAX, or the library failed: nothing of `inout` may then be
 * sent.
 */
bool pl_aead_seal(struct pl_aead *aead, const struct pl_key *key, uint32_t number, struct pl_bytes aad,
                  uint8_t *inout, size_t n);

/*
 * Opens `n_with_tag` bytes at `inout` in place; the n_with_tag - 16 bytes of plaintext replace them. False if
 * it is not what was sealed under (key, number, aad), is shorter than a tag or longer than PL_AEAD_TEXT_MAX,
 * or the suite is not offered; once decryption began, the bytes of the text are then zeroed: to try several
 * keys on one packet, use pl_aead_open_to.
 */
bool pl_aead_open(struct pl_aead *aead, const struct pl_key *key, uint32_t number, struct pl_bytes aad,
                  uint8_t *inout, size_t n_with_tag);

/* As pl_aead_open, from `in` to `out` (room for n_with_tag - 16, equal to `in` or not overlapping it). */
bool pl_aead_open_to(struct pl_aead *aead, const struct pl_key *key, uint32_t number, struct pl_bytes aad,
                     const uint8_t *in, size_t n_with_tag, uint8_t *out);

/* Drops what is cached of `key`, in both directions, wiped. To be called when a key is given up. */
void pl_aead_forget(struct pl_aead *aead, const struct pl_key *key);

/*
 * Has `on_seal` called before each packet is sealed (NULL: no more), so that a simulator can prove that no
 * (key, nonce) is used twice. `ctx` is passed through and outlives the tracing.
 */
void pl_aead_trace(struct pl_aead *aead,
                   void (*on_seal)(void *ctx, const struct pl_key *key, uint32_t number), void *ctx);

#endif
