/*
 * aead.c: the cache of keyed contexts before a crypto library's table, and the nonce.
 *
 * The cache is set-associative: a key's serial, which is a hash, picks a set of four slots for its direction,
 * and the least recently used of them makes room. A look-up is four comparisons whatever is in it. A slot
 * keeps its context when its key goes: loading another key is cheaper than a new context.
 */
#include "crypto/aead.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/wipe.h"
#include "link/link_limits.h"

enum { WAYS = 4, SETS = PL_AEAD_CONTEXTS / WAYS };

struct slot {
    struct pl_key key; /* serial 0: no key loaded */
    void *ctx;
    uint8_t ctx_suite;
    uint64_t used; /* the cache's use counter at the last use */
};

struct direction {
    struct slot sets[SETS][WAYS];
    struct slot *last; /* the one used last: packets come in trains of one key. NULL: none yet */
};

struct pl_aead {
    const struct pl_aead_ops *ops;
    uint64_t uses;
    struct direction sealing, opening;
    void (*on_seal)(void *ctx, const struct pl_key *key, uint32_t number);
    void *on_seal_ctx;
};

enum pl_error pl_aead_new(struct pl_aead **out, const struct pl_aead_ops *ops)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) {
        return PL_E_NO_MEMORY;
    }
    (*out)->ops = ops;
    return PL_OK;
}

/* Wipes the slot's key here and, with its context, in the library. */
static void clear_slot(const struct pl_aead_ops *ops, struct slot *slot)
{
    ops->context_free(slot->ctx);
    pl_wipe(slot, sizeof *slot);
}

static void clear_direction(const struct pl_aead_ops *ops, struct direction *direction)
{
    for (size_t set = 0; set < SETS; set++) {
        for (size_t way = 0; way < WAYS; way++) {
            clear_slot(ops, &direction->sets[set][way]);
        }
    }
}

void pl_aead_free(struct pl_aead *aead)
{
    if (aead != NULL) {
        clear_direction(aead->ops, &aead->sealing);
        clear_direction(aead->ops, &aead->opening);
        free(aead);
    }
}

/* The serial finds the slot; the key itself decides, so that two keys of one serial could never be mixed up.
 * Both are ours and nobody's guess, so how long it takes tells nothing. */
static bool holds(const struct slot *slot, const struct pl_key *key)
{
    return slot->key.serial != 0 && slot->key.serial == key->serial && slot->key.suite == key->suite &&
           memcmp(slot->key.key, key->key, sizeof key->key) == 0;
}

static struct slot *find_slot(struct slot set[WAYS], const struct pl_key *key)
{
    for (size_t way = 0; way < WAYS; way++) {
        if (holds(&set[way], key)) {
            return &set[way];
        }
    }
    return NULL;
}

static struct slot *oldest_slot(struct slot set[WAYS])
{
    struct slot *oldest = &set[0];

    for (size_t way = 1; way < WAYS; way++) {
        if (set[way].used < oldest->used) {
            oldest = &set[way];
        }
    }
    return oldest;
}

/* Loads `key` into the slot. False if the library cannot: the slot is then empty. */
static bool load_slot(const struct pl_aead_ops *ops, struct slot *slot, const struct pl_key *key, bool seal)
{
    if (slot->ctx == NULL || slot->ctx_suite != key->suite) {
        clear_slot(ops, slot);
        slot->ctx = ops->context_new(key->suite);
        slot->ctx_suite = key->suite;
    }
    if (slot->ctx == NULL || !ops->set_key(slot->ctx, key, seal)) {
        clear_slot(ops, slot);
        return false;
    }
    slot->key = *key;
    return true;
}

/* The slot that has `key` loaded by now, or NULL. */
static struct slot *slot_for(const struct pl_aead_ops *ops, struct slot set[WAYS], const struct pl_key *key,
                             bool seal)
{
    struct slot *slot = find_slot(set, key);

    if (slot == NULL) {
        slot = oldest_slot(set);
        return load_slot(ops, slot, key, seal) ? slot : NULL;
    }
    return slot;
}

/* A context with `key` loaded, or NULL. Lent until the next call. */
static void *keyed_context(struct pl_aead *aead, const struct pl_key *key, bool seal)
{
    struct direction *direction = seal ? &aead->sealing : &aead->opening;
    struct slot *slot = direction->last;

    if (slot == NULL || !holds(slot, key)) {
        slot = slot_for(aead->ops, direction->sets[key->serial % SETS], key, seal);
        direction->last = slot;
    }
    if (slot == NULL) {
        return NULL;
    }
    slot->used = ++aead->uses;
    return slot->ctx;
}

static void make_nonce(const struct pl_key *key, uint32_t number, uint8_t nonce[PL_NONCE_SIZE])
{
    uint8_t *end = nonce + PL_NONCE_SIZE - sizeof number;
    uint32_t last;

    memcpy(nonce, key->iv, PL_NONCE_SIZE);
    memcpy(&last, end, sizeof last);
    last ^= htobe32(number);
    memcpy(end, &last, sizeof last);
}

bool pl_aead_seal(struct pl_aead *aead, const struct pl_key *key, uint32_t number, struct pl_bytes aad,
                  uint8_t *inout, size_t n)
{
    uint8_t nonce[PL_NONCE_SIZE];
    void *ctx = n <= PL_AEAD_TEXT_MAX && aad.n <= PL_AEAD_TEXT_MAX ? keyed_context(aead, key, true) : NULL;

    if (ctx == NULL) {
        return false;
    }
    if (aead->on_seal != NULL) {
        aead->on_seal(aead->on_seal_ctx, key, number);
    }
    make_nonce(key, number, nonce);
    return aead->ops->seal(ctx, nonce, aad, inout, n, inout);
}

bool pl_aead_open_to(struct pl_aead *aead, const struct pl_key *key, uint32_t number, struct pl_bytes aad,
                     const uint8_t *in, size_t n_with_tag, uint8_t *out)
{
    bool fits = n_with_tag >= PL_TAG_SIZE && n_with_tag <= PL_AEAD_TEXT_MAX && aad.n <= PL_AEAD_TEXT_MAX;
    uint8_t nonce[PL_NONCE_SIZE];
    void *ctx = fits ? keyed_context(aead, key, false) : NULL;

    if (ctx == NULL) {
        return false;
    }
    make_nonce(key, number, nonce);
    if (!aead->ops->open(ctx, nonce, aad, in, n_with_tag, out)) {
        /* Unauthentic plaintext must not be at hand for anyone to use by mistake. */
        memset(out, 0, n_with_tag - PL_TAG_SIZE);
        return false;
    }
    return true;
}

bool pl_aead_open(struct pl_aead *aead, const struct pl_key *key, uint32_t number, struct pl_bytes aad,
                  uint8_t *inout, size_t n_with_tag)
{
    return pl_aead_open_to(aead, key, number, aad, inout, n_with_tag, inout);
}

void pl_aead_forget(struct pl_aead *aead, const struct pl_key *key)
{
    struct slot *sealing = find_slot(aead->sealing.sets[key->serial % SETS], key);
    struct slot *opening = find_slot(aead->opening.sets[key->serial % SETS], key);

    if (sealing != NULL) {
        clear_slot(aead->ops, sealing);
    }
    if (opening != NULL) {
        clear_slot(aead->ops, opening);
    }
}

void pl_aead_trace(struct pl_aead *aead,
                   void (*on_seal)(void *ctx, const struct pl_key *key, uint32_t number), void *ctx)
{
    aead->on_seal = on_seal;
    aead->on_seal_ctx = ctx;
}
