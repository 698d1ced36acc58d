/* What a transaction of giving holds before it is written: rows of tables, in order, in memory.
 *
 * It is here because LMDB's write transactions belong to the thread that began them, and an outbox belongs to
 * whichever thread calls: between two calls there is only this. Rows lie in blocks that do not move; those of
 * the usual size are kept for the next transaction, up to 1 MiB of them.
 */
#ifndef PL_STORE_OUTBOX_BATCH_H
#define PL_STORE_OUTBOX_BATCH_H

#include "store/env.h"

struct pl_write_block;

/* All zero is an empty one, but that max_bytes must be given. */
struct pl_write_batch {
    uint64_t max_bytes;            /* of rows, 12 bytes and their keys counted with each */
    uint64_t used_bytes;
    struct pl_write_block *first, *last;
    struct pl_write_block *spare;
    size_t spare_n;
};

/* Adds a row to be put into a table of the environment: the key is copied, room for the value is given back,
 * for the caller to fill; it is valid until the batch is cleared. A row put later under the same key takes
 * the place of an earlier one. key_size 1..PL_INPUT_KEY_MAX. PL_E_STORE_FULL: more than max_bytes;
 * PL_E_NO_MEMORY: the batch is as it was, *value is NULL. */
enum pl_error pl_write_batch_add(struct pl_write_batch *batch, size_t table, const void *key, size_t key_size,
                                 size_t value_size, uint8_t **value);

/* Puts all rows, in the order they were added; the batch stays as it is. Errors of LMDB's mdb_put() as
 * pl_env_error() names them. */
enum pl_error pl_write_batch_apply(const struct pl_write_batch *batch, const struct pl_env *env,
                                   MDB_txn *txn);

/* Empties it; what it may still hold then is at most 1 MiB. */
void pl_write_batch_clear(struct pl_write_batch *batch);

/* Gives all memory back. */
void pl_write_batch_free(struct pl_write_batch *batch);

#endif
