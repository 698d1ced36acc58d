/* The log table: blocks by position, never changed once put but for a damaged one that becomes a hole.
 *
 * Positions: a block's key is the position of its first record; the next block's key is that plus its span.
 * They are never used twice: a trim leaves the last block, and a hole spans at least what its block did.
 */
#include "store/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "store/bytes.h"
#include "store/tables.h"

enum pl_error pl_log_put(const struct pl_env *env, MDB_txn *txn, uint64_t position, struct pl_bytes block)
{
    uint8_t bytes[8];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value = {block.n, (void *)block.p};

    pl_put_be64(bytes, position);
    return pl_env_error(mdb_put(txn, pl_env_table(env, PL_T_LOG), &key, &value, MDB_APPEND));
}

/* Positions a block takes, its checksum not looked at: a position takes a byte at least, so a damaged head
 * that claims more than its size is not believed, and one that claims nothing is taken at its size. */
static uint64_t span_of(const MDB_val *value)
{
    uint64_t span = value->mv_size >= PL_BLOCK_HEAD ? pl_get_le32((const uint8_t *)value->mv_data + 20) : 0;
    uint32_t rows = value->mv_size >= PL_BLOCK_HEAD ? pl_get_le32((const uint8_t *)value->mv_data + 16) : 0;
    bool hole = value->mv_size == PL_BLOCK_HEAD && rows == 0;

    return span == 0 || (span > value->mv_size && !hole) ? value->mv_size + 1 : span;
}

/* Fills in *out from the cursor's place; looks one block ahead and comes back. */
static enum pl_error found(MDB_cursor *cursor, const MDB_val *key, const MDB_val *value,
                           struct pl_found_block *out)
{
    MDB_val next_key, next_value, again;
    int rc;

    if (key->mv_size != 8) {
        return PL_E_STORE_DAMAGED;
    }
    out->position = pl_get_be64(key->mv_data);
    out->bytes = (struct pl_bytes){value->mv_data, value->mv_size};
    out->next_position = out->position + span_of(value);
    out->last = true;
    rc = mdb_cursor_get(cursor, &next_key, &next_value, MDB_NEXT);
    if (rc == MDB_NOTFOUND) {
        return PL_OK;
    }
    if (rc != MDB_SUCCESS || next_key.mv_size != 8) {
        return rc != MDB_SUCCESS ? pl_env_error(rc) : PL_E_STORE_DAMAGED;
    }
    out->next_position = pl_get_be64(next_key.mv_data);
    out->last = false;
    return pl_env_error(mdb_cursor_get(cursor, &next_key, &again, MDB_PREV));
}

enum pl_error pl_log_seek(MDB_cursor *cursor, uint64_t position, struct pl_found_block *out)
{
    uint8_t bytes[8];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value;
    enum pl_error error;
    int rc;

    pl_put_be64(bytes, position);
    rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    if (rc == MDB_SUCCESS && key.mv_size == 8 && pl_get_be64(key.mv_data) == position) {
        return found(cursor, &key, &value, out);
    }
    rc = mdb_cursor_get(cursor, &key, &value, rc == MDB_NOTFOUND ? MDB_LAST : MDB_PREV);
    if (rc == MDB_NOTFOUND) {
        rc = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
    }
    error = rc == MDB_SUCCESS ? found(cursor, &key, &value, out) : pl_env_error(rc);
    if (error == PL_OK && out->next_position <= position) {
        return pl_log_next(cursor, out);
    }
    return error;
}

enum pl_error pl_log_next(MDB_cursor *cursor, struct pl_found_block *out)
{
    MDB_val key, value;
    int rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);

    return rc == MDB_SUCCESS ? found(cursor, &key, &value, out) : pl_env_error(rc);
}

enum pl_error pl_log_ends(const struct pl_env *env, MDB_txn *txn, struct pl_log_ends *out)
{
    MDB_cursor *cursor;
    MDB_val key, value;
    int rc = mdb_cursor_open(txn, pl_env_table(env, PL_T_LOG), &cursor);

    *out = (struct pl_log_ends){0};
    if (rc != MDB_SUCCESS) {
        return pl_env_error(rc);
    }
    rc = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
    if (rc == MDB_SUCCESS && key.mv_size == 8) {
        out->first = pl_get_be64(key.mv_data);
        rc = mdb_cursor_get(cursor, &key, &value, MDB_LAST);
    }
    if (rc == MDB_SUCCESS && key.mv_size == 8) {
        out->end = pl_get_be64(key.mv_data) + span_of(&value);
        out->last_ms = value.mv_size >= PL_BLOCK_HEAD ? pl_get_le64((const uint8_t *)value.mv_data + 8) : 0;
    } else if (rc == MDB_SUCCESS) {
        rc = MDB_CORRUPTED;
    }
    mdb_cursor_close(cursor);
    return rc == MDB_NOTFOUND ? PL_OK : pl_env_error(rc);
}

static enum pl_error count_damage(const struct pl_env *env, MDB_txn *txn, const struct pl_found_block *block)
{
    char text[160];
    uint64_t count;
    enum pl_error error = pl_meta_get_u64(env, txn, "damaged", &count);
    int n = snprintf(text, sizeof text,
                     "log block at position %" PRIu64 " (%zu bytes, positions up to %" PRIu64
                     ") fails its checksum and was set aside",
                     block->position, block->bytes.n, block->next_position - 1);

    error = error != PL_OK ? error : pl_meta_put_u64(env, txn, "damaged", count + 1);
    return error != PL_OK ? error
                          : pl_meta_put(env, txn, "damage", (struct pl_bytes){(uint8_t *)text, (size_t)n});
}

enum pl_error pl_log_set_aside(const struct pl_env *env, MDB_txn *txn, const struct pl_found_block *block,
                               uint64_t wall_ms)
{
    uint8_t bytes[8], hole[PL_BLOCK_HEAD];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val kept = {block->bytes.n, (void *)block->bytes.p};
    MDB_val value = {sizeof hole, hole};
    /* Behind the last block nothing tells how far it went, but a position takes a byte at least. */
    uint64_t span = block->last ? block->bytes.n + 1 : block->next_position - block->position;
    int rc;

    pl_put_be64(bytes, block->position);
    pl_block_hole(hole, block->position, span <= UINT32_MAX ? (uint32_t)span : UINT32_MAX, wall_ms);
    rc = mdb_put(txn, pl_env_table(env, PL_T_DAMAGED), &key, &kept, 0);
    rc = rc ? rc : mdb_put(txn, pl_env_table(env, PL_T_LOG), &key, &value, 0);
    return rc ? pl_env_error(rc) : count_damage(env, txn, block);
}
