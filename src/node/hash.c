/* The open-addressing table of active links: see hash.h. */
#include "node/hash.h"

#include <assert.h>
#include <stdlib.h>

enum {
    SLOTS_MIN = 256,
    FULL_PERCENT = 60,  /* grow above */
    EMPTY_PERCENT = 12, /* shrink below: far from the other, so that a load on the edge does not flap */
    PERCENT = 100
};

/* The finaliser of MurmurHash3: every input bit reaches every output bit. */
static uint32_t mix(uint32_t key, uint32_t seed)
{
    uint32_t h = key ^ seed;

    h ^= h >> 16;
    h *= 0x85ebca6bU;
    h ^= h >> 13;
    h *= 0xc2b2ae35U;
    return h ^ h >> 16;
}

static uint32_t home_of(const struct pl_hash *hash, uint32_t key)
{
    return mix(key, hash->seed) & hash->mask;
}

static void place(struct pl_hash *hash, uint32_t key, void *value)
{
    uint32_t at = home_of(hash, key);

    while (hash->slots[at].value)
        at = (at + 1) & hash->mask;
    hash->slots[at] = (struct pl_hash_slot){value, key};
}

static enum pl_error resize(struct pl_hash *hash, size_t slots_n)
{
    struct pl_hash_slot *old = hash->slots, *slots = calloc(slots_n, sizeof *slots);
    size_t old_n = old ? (size_t)hash->mask + 1 : 0;

    if (!slots)
        return PL_E_NO_MEMORY;
    hash->slots = slots;
    hash->mask = (uint32_t)(slots_n - 1);
    for (size_t i = 0; i < old_n; i++)
        if (old[i].value)
            place(hash, old[i].key, old[i].value);
    free(old);
    return PL_OK;
}

enum pl_error pl_hash_open(struct pl_hash *hash, size_t limit, uint32_t seed)
{
    *hash = (struct pl_hash){.seed = seed, .limit = limit};
    return resize(hash, SLOTS_MIN);
}

void pl_hash_close(struct pl_hash *hash)
{
    free(hash->slots);
    hash->slots = NULL;
}

enum pl_error pl_hash_add(struct pl_hash *hash, uint32_t key, void *value)
{
    size_t slots_n = (size_t)hash->mask + 1;

    assert(value);
    if (hash->n >= hash->limit)
        return PL_E_LIMIT;
    if ((hash->n + 1) * PERCENT > slots_n * FULL_PERCENT && resize(hash, slots_n * 2) != PL_OK)
        return PL_E_NO_MEMORY;
    place(hash, key, value);
    hash->n++;
    return PL_OK;
}

/* Closes the hole at `hole` by moving back whatever would no longer be found across it. */
static void close_hole(struct pl_hash *hash, uint32_t hole)
{
    uint32_t at = hole;

    for (;;) {
        at = (at + 1) & hash->mask;
        if (!hash->slots[at].value)
            break;
        uint32_t home = home_of(hash, hash->slots[at].key);
        if (((at - home) & hash->mask) >= ((at - hole) & hash->mask)) {
            hash->slots[hole] = hash->slots[at];
            hole = at;
        }
    }
    hash->slots[hole].value = NULL;
}

void pl_hash_remove(struct pl_hash *hash, uint32_t key, const void *value)
{
    uint32_t at = home_of(hash, key);
    size_t slots_n = (size_t)hash->mask + 1;

    while (hash->slots[at].value != value || hash->slots[at].key != key) {
        assert(hash->slots[at].value);
        at = (at + 1) & hash->mask;
    }
    close_hole(hash, at);
    hash->n--;
    /* Without memory for the smaller table the larger one stays: nothing is lost but space. */
    if (slots_n > SLOTS_MIN && hash->n * PERCENT < slots_n * EMPTY_PERCENT)
        (void)resize(hash, slots_n / 2);
}

static void *scan(const struct pl_hash *hash, struct pl_hash_find *find)
{
    for (;; find->at = (find->at + 1) & hash->mask) {
        const struct pl_hash_slot *slot = &hash->slots[find->at];
        if (!slot->value || slot->key == find->key)
            return slot->value;
    }
}

void *pl_hash_first(const struct pl_hash *hash, uint32_t key, struct pl_hash_find *find)
{
    *find = (struct pl_hash_find){key, home_of(hash, key)};
    return scan(hash, find);
}

void *pl_hash_next(const struct pl_hash *hash, struct pl_hash_find *find)
{
    find->at = (find->at + 1) & hash->mask;
    return scan(hash, find);
}
