/* Rows on their way to LMDB, in blocks: each is copied here once, and once more into LMDB's page. */
#include "store/outbox_batch.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, SPARE_BLOCKS = 16, ALIGN_BYTES = 4 };

struct pl_write_block {
    struct pl_write_block *next;
    size_t room_bytes, used_bytes;
    uint8_t bytes[];               /* entries, each followed by its key and its value */
};

struct entry {
    uint32_t table, key_size, value_size;
};

static size_t entry_bytes(size_t key_size, size_t value_size)
{
    return (sizeof(struct entry) + key_size + value_size + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
}

/* A block with room for so many bytes; NULL without memory. */
static struct pl_write_block *take_block(struct pl_write_batch *batch, size_t room_bytes)
{
    struct pl_write_block *block = batch->spare;

    if (room_bytes <= BLOCK_BYTES && block != NULL) {
        batch->spare = block->next;
        batch->spare_n--;
    } else {
        room_bytes = room_bytes > BLOCK_BYTES ? room_bytes : BLOCK_BYTES;
        block = malloc(sizeof *block + room_bytes);
        if (block == NULL) {
            return NULL;
        }
        block->room_bytes = room_bytes;
    }
    block->next = NULL;
    block->used_bytes = 0;
    return block;
}

/* The last block, or a new one behind it if that has no such room. */
static struct pl_write_block *block_for(struct pl_write_batch *batch, size_t bytes)
{
    struct pl_write_block *block = batch->last;

    if (block != NULL && block->room_bytes - block->used_bytes >= bytes) {
        return block;
    }
    block = take_block(batch, bytes);
    if (block == NULL) {
        return NULL;
    }
    if (batch->last == NULL) {
        batch->first = block;
    } else {
        batch->last->next = block;
    }
    batch->last = block;
    return block;
}

enum pl_error pl_write_batch_add(struct pl_write_batch *batch, size_t table, const void *key, size_t key_size,
                                 size_t value_size, uint8_t **value)
{
    const struct entry entry = {(uint32_t)table, (uint32_t)key_size, (uint32_t)value_size};
    size_t bytes = entry_bytes(key_size, value_size);
    struct pl_write_block *block;
    uint8_t *at;

    *value = NULL;
    if (bytes > batch->max_bytes - batch->used_bytes) {
        return PL_E_STORE_FULL;
    }
    block = block_for(batch, bytes);
    if (block == NULL) {
        return PL_E_NO_MEMORY;
    }
    at = block->bytes + block->used_bytes;
    memcpy(at, &entry, sizeof entry);
    memcpy(at + sizeof entry, key, key_size);
    block->used_bytes += bytes;
    batch->used_bytes += bytes;
    *value = at + sizeof entry + key_size;
    return PL_OK;
}

static enum pl_error apply_block(const struct pl_write_block *block, const struct pl_env *env, MDB_txn *txn)
{
    int rc = MDB_SUCCESS;

    for (size_t at = 0; at < block->used_bytes && rc == MDB_SUCCESS;) {
        const uint8_t *p = block->bytes + at;
        struct entry entry;
        memcpy(&entry, p, sizeof entry);
        p += sizeof entry;
        MDB_val key = {entry.key_size, (void *)p};
        MDB_val value = {entry.value_size, (void *)(p + entry.key_size)};
        rc = mdb_put(txn, pl_env_table(env, entry.table), &key, &value, 0);
        at += entry_bytes(entry.key_size, entry.value_size);
    }
    return pl_env_error(rc);
}

enum pl_error pl_write_batch_apply(const struct pl_write_batch *batch, const struct pl_env *env, MDB_txn *txn)
{
    enum pl_error error = PL_OK;

    for (const struct pl_write_block *block = batch->first; block != NULL && error == PL_OK;
         block = block->next) {
        error = apply_block(block, env, txn);
    }
    return error;
}

void pl_write_batch_clear(struct pl_write_batch *batch)
{
    while (batch->first != NULL) {
        struct pl_write_block *block = batch->first;
        batch->first = block->next;
        if (block->room_bytes == BLOCK_BYTES && batch->spare_n < SPARE_BLOCKS) {
            block->next = batch->spare;
            batch->spare = block;
            batch->spare_n++;
        } else {
            free(block);
        }
    }
    batch->last = NULL;
    batch->used_bytes = 0;
}

void pl_write_batch_free(struct pl_write_batch *batch)
{
    pl_write_batch_clear(batch);
    while (batch->spare != NULL) {
        struct pl_write_block *block = batch->spare;
        batch->spare = block->next;
        free(block);
    }
    batch->spare_n = 0;
}
