/* The rolling checkpoint: keeps short what a start has to replay, without writing a row for each commit.
 *
 * Invariant: rows in their table, plus the log from meta's "checkpoint" position on, give every row. The
 * position may lag behind what was written, never run ahead: it is that of the oldest row still dirty. A row
 * knows up to which position it holds the log, so replaying more than needed changes nothing.
 *
 * Bounds: when half of replay_rows_max or replay_bytes_max came since the oldest dirty row, or half of
 * replay_rows_max are dirty, each commit writes checkpoint_rows of them, or as many as became dirty in it,
 * so that the overlay does not grow. They go in order of key, round and round: neighbours share a page, and
 * a page costs 4 KiB however few of its rows changed. What is older than three quarters of a bound is
 * written whatever its place, about as many rows as came with one commit back then. So a start replays at
 * most three quarters of the bounds and one commit.
 */
#include "store/store_state.h"

enum { ROWS_PER_TRANSACTION = 512 };

/* Where the log may be cut off: before the oldest row that is still dirty. */
static struct pl_log_mark checkpoint_mark(const struct pl_change *change)
{
    const struct pl_dirty *dirty = pl_overlay_oldest(&change->store->overlay);

    return dirty != NULL ? dirty->since : change->end;
}

static enum pl_error write_mark(struct pl_change *change)
{
    change->checkpoint = checkpoint_mark(change);
    return pl_meta_put_u64(change->store->env, change->txn, "checkpoint", change->checkpoint.position);
}

/* True if more than quarters / 4 of the replay's bounds lie between the mark and the end of the log. */
static bool beyond(const struct pl_change *change, const struct pl_log_mark *mark, uint64_t quarters)
{
    const struct pl_store_options *options = &change->store->options;

    return change->end.rows - mark->rows > options->replay_rows_max * quarters / 4 ||
           change->end.bytes - mark->bytes > options->replay_bytes_max * quarters / 4;
}

/* Writes the rows that may not wait any longer. */
static enum pl_error write_urgent(struct pl_change *change)
{
    struct pl_overlay *overlay = &change->store->overlay;
    enum pl_error error = PL_OK;

    for (struct pl_dirty *dirty = overlay->oldest; dirty != NULL && error == PL_OK; dirty = dirty->newer) {
        if (!beyond(change, &dirty->since, 3)) {
            break;
        }
        error = pl_overlay_write(overlay, change->store->env, change->txn, dirty);
    }
    return error;
}

enum pl_error pl_checkpoint_write(struct pl_change *change, size_t rows_max)
{
    struct pl_overlay *overlay = &change->store->overlay;
    struct pl_dirty *dirty;
    enum pl_error error = write_urgent(change);

    for (size_t n = 0; n < rows_max && error == PL_OK && (dirty = pl_overlay_hand(overlay)) != NULL; n++) {
        error = pl_overlay_write(overlay, change->store->env, change->txn, dirty);
    }
    return error != PL_OK ? error : write_mark(change);
}

enum pl_error pl_checkpoint_roll(struct pl_change *change)
{
    const struct pl_store *store = change->store;
    struct pl_log_mark oldest = checkpoint_mark(change);
    size_t rows_max = store->options.checkpoint_rows;

    if (beyond(change, &oldest, 2) || store->overlay.n > store->options.replay_rows_max / 2) {
        rows_max = store->overlay.group_new > rows_max ? store->overlay.group_new : rows_max;
        return pl_checkpoint_write(change, rows_max);
    }
    return beyond(change, &change->checkpoint, 3) ? write_mark(change) : PL_OK;
}

enum pl_error pl_checkpoint_all(struct pl_store *store, struct pl_text *reason)
{
    enum pl_error error = PL_OK;

    while (error == PL_OK && (store->overlay.n > 0 || store->checkpoint.position != store->end.position)) {
        struct pl_change change;
        error = pl_change_begin(&change, store, reason);
        if (error == PL_OK) {
            error = pl_change_end(&change, pl_checkpoint_write(&change, ROWS_PER_TRANSACTION));
        }
    }
    return error;
}
