/* What happens to the log at start: the tail since the checkpoint is checked block by block and applied.
 *
 * A block that fails its checks is set aside whole, in a transaction of its own that leaves a hole. What
 * follows it is applied knowing that something is missing: numbers passed over count as lost in their rows,
 * and a stream whose beginning is missing keeps its number under the name "(damaged)". Where the damaged
 * block was a stream's last word, the row falls back to what is known and the sender, who freed those
 * records, will report them by a GAP. So the good part is kept, and what is missing is counted at both ends.
 */
#include <inttypes.h>

#include "store/log.h"
#include "store/store_state.h"

/* One pass: a snapshot, and how far it went. */
struct pass {
    struct pl_store *store;
    MDB_txn *txn;
    struct pl_log_mark mark;
    enum pl_apply how;
    bool more;    /* stopped because memory is to be emptied first */
    bool damaged; /* stopped at a damaged block, */
    uint64_t damaged_position; /* under this key: far from the block before it if the key is what rotted */
    struct pl_text *reason;
};

static enum pl_error apply_found(struct pass *pass, const struct pl_found_block *found)
{
    struct pl_overlay *overlay = &pass->store->overlay;
    struct pl_block block;
    enum pl_error error;

    if (pl_block_open(found->bytes, found->position, &block) != PL_OK) {
        pass->damaged = true;
        pass->damaged_position = found->position;
        return PL_OK;
    }
    pass->mark.position = found->position;
    if (block.rows == 0) {
        /* A hole: what it held is missing from here on. */
        pass->how = PL_APPLY_DAMAGED;
    }
    pl_overlay_begin(overlay);
    error = pl_overlay_apply_block(overlay, pass->store->env, pass->txn, &block, &pass->mark, pass->how,
                                   pass->reason);
    pl_overlay_keep(overlay);
    return error;
}

static bool pass_full(const struct pass *pass)
{
    return pass->store->overlay.n >= pass->store->options.replay_rows_max;
}

static enum pl_error walk(struct pass *pass, MDB_cursor *cursor)
{
    struct pl_found_block found;
    enum pl_error error = pl_log_seek(cursor, pass->mark.position, &found);

    while (error == PL_OK && !pass->more) {
        error = apply_found(pass, &found);
        if (pass->damaged || error != PL_OK) {
            return error;
        }
        pass->more = pass_full(pass);
        error = pl_log_next(cursor, &found);
    }
    return error == PL_E_NOT_FOUND ? PL_OK : error;
}

static enum pl_error run_pass(struct pass *pass)
{
    const struct pl_env *env = pass->store->env;
    MDB_cursor *cursor;
    enum pl_error error = pl_env_read(pass->store->env, &pass->txn, pass->reason);

    if (error != PL_OK) {
        return error;
    }
    pass->more = pass->damaged = false;
    error = pl_env_error(mdb_cursor_open(pass->txn, pl_env_table(env, PL_T_LOG), &cursor));
    if (error == PL_OK) {
        error = walk(pass, cursor);
        mdb_cursor_close(cursor);
    }
    pl_env_read_end(pass->store->env, pass->txn);
    return error;
}

/* Finds the damaged block again within a write transaction, and sets it aside. */
static enum pl_error set_aside(struct pass *pass)
{
    struct pl_change change;
    struct pl_found_block found;
    MDB_cursor *cursor;
    enum pl_error error = pl_change_begin(&change, pass->store, pass->reason);

    if (error != PL_OK) {
        return error;
    }
    error = pl_env_error(mdb_cursor_open(change.txn, pl_env_table(pass->store->env, PL_T_LOG), &cursor));
    if (error == PL_OK) {
        error = pl_log_seek(cursor, pass->damaged_position, &found);
        mdb_cursor_close(cursor);
    }
    if (error == PL_OK) {
        pl_text_set(pass->reason,
                    "%s: log block at position %" PRIu64 " fails its checksum and was set aside; see status",
                    pl_env_dir(pass->store->env), found.position);
        error = pl_log_set_aside(pass->store->env, change.txn, &found, pass->store->options.wall_ms);
    }
    return pl_change_end(&change, error);
}

static enum pl_error find_ends(struct pl_store *store, struct pl_text *reason)
{
    struct pl_log_ends ends;
    MDB_txn *txn = NULL;
    enum pl_error error = pl_env_read(store->env, &txn, reason);

    if (error != PL_OK) {
        return error;
    }
    error = pl_log_ends(store->env, txn, &ends);
    error =
        error != PL_OK ? error : pl_meta_get_u64(store->env, txn, "checkpoint", &store->checkpoint.position);
    pl_env_read_end(store->env, txn);
    pl_env_read_free(txn);
    /* A last block with a rotten head may claim to end before what was checkpointed: no position is used
     * twice. */
    store->end.position = ends.end > store->checkpoint.position ? ends.end : store->checkpoint.position;
    return error;
}

enum pl_error pl_replay(struct pl_store *store, struct pl_text *reason)
{
    struct pass pass = {.store = store, .reason = reason, .how = PL_APPLY_EXACT, .more = true};
    enum pl_error error = find_ends(store, reason);

    pass.mark = store->checkpoint;
    while (error == PL_OK && (pass.more || pass.damaged)) {
        error = run_pass(&pass);
        if (error == PL_OK && pass.damaged) {
            error = set_aside(&pass);
        } else if (error == PL_OK && pass.more) {
            store->end = pass.mark;
            error = pl_checkpoint_all(store, reason);
        }
    }
    pl_env_read_free(pass.txn);
    store->end = (struct pl_log_mark){0};
    error = error != PL_OK ? error : find_ends(store, reason);
    error = error != PL_OK ? error : pl_checkpoint_all(store, reason);
    if (error == PL_E_INTERNAL) {
        /* The log contradicts a checkpointed row: nothing here can tell which of them is wrong. */
        return PL_E_STORE_DAMAGED;
    }
    return error;
}
