/* The log table: blocks by position. */
#ifndef PL_STORE_LOG_H
#define PL_STORE_LOG_H

#include <stdbool.h>

#include "store/chunk.h"
#include "store/env.h"

/* A block as found. bytes is valid until the transaction changes or ends. */
struct pl_found_block {
    uint64_t position;
    uint64_t next_position;    /* of the block after it, or where one would begin */
    bool last;
    struct pl_bytes bytes;
};

/* Appends a sealed block. */
enum pl_error pl_log_put(const struct pl_env *env, MDB_txn *txn, uint64_t position, struct pl_bytes block);

/* The block that holds `position`, or the first one after it. PL_E_NOT_FOUND: neither. */
enum pl_error pl_log_seek(MDB_cursor *cursor, uint64_t position, struct pl_found_block *out);

/* The next one. PL_E_NOT_FOUND at the end. */
enum pl_error pl_log_next(MDB_cursor *cursor, struct pl_found_block *out);

/* First position kept, where the next block will begin, and the time of the last commit; all 0 for an
 * empty log. */
struct pl_log_ends {
    uint64_t first, end, last_ms;
};
enum pl_error pl_log_ends(const struct pl_env *env, MDB_txn *txn, struct pl_log_ends *out);

/* Moves a damaged block to the table of damaged ones and leaves a hole in its place; counts it in meta. */
enum pl_error pl_log_set_aside(const struct pl_env *env, MDB_txn *txn, const struct pl_found_block *block,
                               uint64_t wall_ms);

#endif
