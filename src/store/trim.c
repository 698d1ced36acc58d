/* Retention: the log's oldest blocks go, a few with each commit, never past the checkpoint, never the last
 * block (which tells where positions go on). Rows of streams stay: what was heard is known after its records
 * are gone.
 */
#include "store/bytes.h"
#include "store/log.h"
#include "store/store_state.h"

enum { BLOCKS_PER_COMMIT = 64 };

/* What may be deleted. */
struct limits {
    uint64_t below_position;
    uint64_t before_ms;    /* blocks older than this */
    uint64_t excess_bytes; /* and this many bytes whatever their age */
};

static bool may_go(const struct limits *limits, const struct pl_found_block *found)
{
    uint64_t wall_ms = found->bytes.n >= PL_BLOCK_HEAD ? pl_get_le64(found->bytes.p + 8) : 0;

    return !found->last && found->next_position <= limits->below_position &&
           (wall_ms < limits->before_ms || limits->excess_bytes > 0);
}

static enum pl_error open_log(struct pl_change *change, MDB_cursor **cursor)
{
    return pl_env_error(mdb_cursor_open(change->txn, pl_env_table(change->store->env, PL_T_LOG), cursor));
}

static enum pl_error delete_oldest(struct pl_change *change, struct limits *limits, size_t blocks_max,
                                   size_t *deleted)
{
    struct pl_found_block found;
    MDB_cursor *cursor;
    enum pl_error error = open_log(change, &cursor);

    *deleted = 0;
    if (error != PL_OK) {
        return error;
    }
    error = pl_log_seek(cursor, 0, &found);
    while (error == PL_OK && *deleted < blocks_max && may_go(limits, &found)) {
        size_t bytes = found.bytes.n;
        error = pl_env_error(mdb_cursor_del(cursor, 0));
        limits->excess_bytes -= limits->excess_bytes < bytes ? limits->excess_bytes : bytes;
        ++*deleted;
        error = error != PL_OK ? error : pl_log_seek(cursor, 0, &found);
    }
    mdb_cursor_close(cursor);
    return error == PL_E_NOT_FOUND ? PL_OK : error;
}

/* Bytes of the log's table above what is to be kept. */
static uint64_t excess_bytes(struct pl_change *change)
{
    uint64_t retain_bytes = change->store->options.retain_bytes;
    uint64_t pages;
    MDB_stat stat;

    if (retain_bytes == 0 ||
        mdb_stat(change->txn, pl_env_table(change->store->env, PL_T_LOG), &stat) != MDB_SUCCESS) {
        return 0;
    }
    pages = stat.ms_leaf_pages + stat.ms_overflow_pages;
    return pages * stat.ms_psize > retain_bytes ? pages * stat.ms_psize - retain_bytes : 0;
}

/* What retention asks for, up to the checkpoint. */
static struct limits retention(struct pl_change *change, uint64_t wall_ms)
{
    uint64_t retain_ms = change->store->options.retain_ms;

    return (struct limits){.below_position = change->checkpoint.position,
                           .before_ms = retain_ms > 0 && wall_ms > retain_ms ? wall_ms - retain_ms : 0,
                           .excess_bytes = excess_bytes(change)};
}

enum pl_error pl_trim_slice(struct pl_change *change, uint64_t wall_ms)
{
    struct limits limits = retention(change, wall_ms);
    size_t deleted;

    if (limits.excess_bytes == 0 && limits.before_ms == 0) {
        return PL_OK;
    }
    return delete_oldest(change, &limits, BLOCKS_PER_COMMIT, &deleted);
}

enum pl_error pl_store_trim(struct pl_store *store, uint64_t position, size_t blocks_max, size_t *deleted,
                            struct pl_text *reason)
{
    struct limits limits = {.before_ms = UINT64_MAX};
    struct pl_change change;
    enum pl_error error = pl_checkpoint_all(store, reason);

    *deleted = 0;
    error = error != PL_OK ? error : pl_change_begin(&change, store, reason);
    if (error != PL_OK) {
        return error;
    }
    limits.below_position = position < change.checkpoint.position ? position : change.checkpoint.position;
    error = pl_change_end(&change, delete_oldest(&change, &limits, blocks_max, deleted));
    *deleted = error == PL_OK ? *deleted : 0;
    return error != PL_OK ? error : pl_env_turn(store->env, reason);
}

bool pl_store_retains(const struct pl_store *store)
{
    return store->options.retain_bytes > 0 || store->options.retain_ms > 0;
}

/* Whether the oldest block would go if the checkpoint were past it. */
static bool is_held_by_checkpoint(struct pl_change *change, struct limits limits)
{
    struct pl_found_block found;
    MDB_cursor *cursor;
    bool held;

    if (open_log(change, &cursor) != PL_OK) {
        return false;
    }
    limits.below_position = UINT64_MAX;
    held = pl_log_seek(cursor, 0, &found) == PL_OK && may_go(&limits, &found);
    mdb_cursor_close(cursor);
    return held;
}

/* A transaction that deletes nothing has nothing to write, and costs the disk nothing. */
static enum pl_error retain_once(struct pl_store *store, uint64_t wall_ms, size_t *deleted, bool *held,
                                 struct pl_text *reason)
{
    struct pl_change change;
    enum pl_error error = pl_change_begin(&change, store, reason);

    if (error != PL_OK) {
        return error;
    }
    struct limits limits = retention(&change, wall_ms);
    error = delete_oldest(&change, &limits, BLOCKS_PER_COMMIT, deleted);
    *held = error == PL_OK && *deleted == 0 && is_held_by_checkpoint(&change, limits);
    return pl_change_end(&change, error);
}

enum pl_error pl_store_retain(struct pl_store *store, uint64_t wall_ms, size_t *deleted,
                              struct pl_text *reason)
{
    bool held = false;
    enum pl_error error = PL_OK;

    *deleted = 0;
    if (!pl_store_retains(store)) {
        return PL_OK;
    }
    error = retain_once(store, wall_ms, deleted, &held, reason);
    if (error == PL_OK && held) {
        error = pl_checkpoint_all(store, reason);
        error = error != PL_OK ? error : retain_once(store, wall_ms, deleted, &held, reason);
    }
    *deleted = error == PL_OK ? *deleted : 0;
    return error;
}
