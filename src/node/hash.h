/*
 * A table from 32-bit keys to pointers: key ids and link numbers to active links.
 *
 * Open addressing with linear probing, 16 B a slot, at most 60 % full; it grows and shrinks with what is in
 * it, so that a node gives memory back when its links come to rest. One key may be in it several times (up to
 * four links share a key id). The seed makes the order unknown to peers, who can choose their keys and so
 * their ids.
 */
#ifndef PL_NODE_HASH_H
#define PL_NODE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "link/link_types.h"

struct pl_hash_slot {
    void *value; /* NULL: empty */
    uint32_t key;
};

struct pl_hash {
    struct pl_hash_slot *slots;
    uint32_t mask;
    uint32_t seed;
    size_t n, limit;
};

/* Makes an empty table for at most `limit` entries. PL_OK or PL_E_NO_MEMORY. */
enum pl_error pl_hash_open(struct pl_hash *hash, size_t limit, uint32_t seed);

/* Frees the table; the values are the caller's. A zeroed table is allowed. */
void pl_hash_close(struct pl_hash *hash);

/* Adds an entry; value is not NULL. PL_OK, PL_E_LIMIT, or PL_E_NO_MEMORY (nothing was added). */
enum pl_error pl_hash_add(struct pl_hash *hash, uint32_t key, void *value);

/* Removes the entry (key, value), which must be in it. Ends every look-up in progress. */
void pl_hash_remove(struct pl_hash *hash, uint32_t key, const void *value);

/* A look-up in progress: all values of one key, in no order. */
struct pl_hash_find {
    uint32_t key, at;
};

/* The first value of key, or NULL. */
void *pl_hash_first(const struct pl_hash *hash, uint32_t key, struct pl_hash_find *find);

/* The next one, or NULL. Nothing may have been added or removed since pl_hash_first. */
void *pl_hash_next(const struct pl_hash *hash, struct pl_hash_find *find);

#endif
