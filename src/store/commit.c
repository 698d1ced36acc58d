/* A commit: blocks, swept links, a slice of checkpoint and trim, all in one transaction, memory changed with
 * it or not at all.
 *
 * Why a crash at any point is safe: LMDB makes a transaction visible by one write of a meta page after all
 * its other pages are synced, so the log ends before this commit or after it. Rows in their table are older
 * than the log or as new; replay brings them to the log's end. STORED leaves only after this function
 * returned PL_OK.
 */
#include <string.h>

#include "store/bytes.h"
#include "store/links.h"
#include "store/log.h"
#include "store/store_state.h"

enum { COMMITS_PER_READER_CHECK = 16 };

enum pl_error pl_change_begin(struct pl_change *change, struct pl_store *store, struct pl_text *reason)
{
    enum pl_error error;

    *change = (struct pl_change){.store = store, .end = store->end, .checkpoint = store->checkpoint};
    change->reason = reason;
    error = pl_env_begin(store->env, &change->txn, reason);
    if (error == PL_OK) {
        pl_overlay_begin(&store->overlay);
    }
    return error;
}

/* Fills in a reason where a layer below knew none. */
static enum pl_error explain(const struct pl_store *store, enum pl_error error, struct pl_text *reason)
{
    if (error != PL_OK && reason != NULL && reason->s[0] == 0) {
        const char *what = error == PL_E_STORE_FULL      ? "the store is full"
                           : error == PL_E_NO_MEMORY     ? "out of memory"
                           : error == PL_E_STORE_DAMAGED ? "a page or row is damaged"
                                                         : "the transaction failed";
        pl_text_set(reason, "%s: commit: %s", pl_env_dir(store->env), what);
    }
    return error;
}

enum pl_error pl_change_end(struct pl_change *change, enum pl_error error)
{
    struct pl_store *store = change->store;

    if (error == PL_OK) {
        error = pl_env_commit(store->env, change->txn, change->reason);
    } else {
        mdb_txn_abort(change->txn);
    }
    if (error != PL_OK) {
        pl_overlay_undo(&store->overlay);
        return explain(store, error, change->reason);
    }
    pl_overlay_keep(&store->overlay);
    store->end = change->end;
    store->checkpoint = change->checkpoint;
    return PL_OK;
}

/* The block at p as pl_chunk built it. */
static struct pl_block built_block(const uint8_t *p)
{
    return (struct pl_block){.wall_ms = pl_get_le64(p + 8),
                             .rows = pl_get_le32(p + 16),
                             .span = pl_get_le32(p + 20),
                             .body = {p + PL_BLOCK_HEAD, pl_get_le32(p + 4) - PL_BLOCK_HEAD}};
}

static enum pl_error put_chunk(struct pl_change *change, struct pl_chunk *chunk, uint64_t wall_ms)
{
    struct pl_store *store = change->store;
    enum pl_error error = PL_OK;
    size_t at = 0;

    chunk->first_position = change->end.position;
    while (at < chunk->used_bytes && error == PL_OK) {
        uint8_t *p = chunk->arena + at;
        struct pl_block block = built_block(p);
        size_t size = PL_BLOCK_HEAD + block.body.n;
        uint64_t position = change->end.position;
        error = pl_overlay_apply_block(&store->overlay, store->env, change->txn, &block, &change->end,
                                       PL_APPLY_EXACT, change->reason);
        if (error == PL_OK) {
            pl_block_seal(p, size, position, wall_ms);
            error = pl_log_put(store->env, change->txn, position, (struct pl_bytes){p, size});
        }
        at += size;
    }
    return error;
}

static enum pl_error put_sweeps(struct pl_change *change, const struct pl_commit *commit)
{
    struct pl_store *store = change->store;
    enum pl_error error = PL_OK;

    for (size_t i = 0; i < commit->sweeps_n && error == PL_OK; i++) {
        const struct pl_sweep *sweep = &commit->sweeps[i];
        error = pl_overlay_write_link(&store->overlay, store->env, change->txn, sweep->link);
        if (error == PL_OK && sweep->address_size > 0) {
            error = pl_links_set_address(store->env, change->txn, sweep->link,
                                         (struct pl_bytes){sweep->address, sweep->address_size});
        }
    }
    return error;
}

static enum pl_error put_all(struct pl_change *change, const struct pl_commit *commit)
{
    enum pl_error error = PL_OK;

    for (size_t i = 0; i < commit->chunks_n && error == PL_OK; i++) {
        error = put_chunk(change, commit->chunks[i], commit->wall_ms);
    }
    error = error != PL_OK ? error : put_sweeps(change, commit);
    error = error != PL_OK ? error : pl_checkpoint_roll(change);
    return error != PL_OK ? error : pl_trim_slice(change, commit->wall_ms);
}

static bool has_blocks(const struct pl_commit *commit)
{
    for (size_t i = 0; i < commit->chunks_n; i++) {
        if (commit->chunks[i]->used_bytes > 0) {
            return true;
        }
    }
    return false;
}

/* A reader killed within a look-up holds back every page freed since, until somebody frees its slot. */
static void free_dead_readers(struct pl_store *store)
{
    int dead;

    if (++store->commits % COMMITS_PER_READER_CHECK == 0) {
        (void)mdb_reader_check(pl_env_lmdb(store->env), &dead);
    }
}

/* In a full store, retention still does its part: the next try may find room. */
static void make_room(struct pl_store *store, uint64_t wall_ms)
{
    struct pl_change change;
    enum pl_error error;

    if (!pl_store_retains(store)) {
        return;
    }
    if (pl_change_begin(&change, store, NULL) == PL_OK) {
        error = pl_checkpoint_write(&change, store->options.checkpoint_rows);
        error = pl_change_end(&change, error != PL_OK ? error : pl_trim_slice(&change, wall_ms));
        if (error == PL_OK) {
            (void)pl_env_turn(store->env, NULL);
        }
    }
}

enum pl_error pl_store_commit(struct pl_store *store, const struct pl_commit *commit, struct pl_text *reason)
{
    struct pl_change change;
    enum pl_error error = PL_OK;
    bool blocks = has_blocks(commit);

    pl_text_set(reason, "%s", "");
    if (!blocks && commit->sweeps_n == 0) {
        return PL_OK;
    }
    if (blocks) {
        error = pl_env_room(store->env, store->options.disk_floor_bytes, reason);
    }
    error = error != PL_OK ? error : pl_change_begin(&change, store, reason);
    if (error == PL_OK) {
        error = pl_change_end(&change, put_all(&change, commit));
    }
    free_dead_readers(store);
    if (error == PL_E_STORE_FULL) {
        make_room(store, commit->wall_ms);
    }
    return explain(store, error, reason);
}
