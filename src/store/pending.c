/* The log's tail replayed for a reader: the same functions as the writer's replay, nothing written. */
#include "store/pending.h"

#include <stdlib.h>

#include "store/overlay.h"
#include "store/tables.h"

static enum pl_error replay(struct pl_overlay *overlay, const struct pl_env *env, MDB_txn *txn,
                            MDB_cursor *cursor, struct pl_text *reason)
{
    struct pl_log_mark mark = {0};
    struct pl_found_block found;
    struct pl_block block;
    enum pl_apply how = PL_APPLY_EXACT;
    enum pl_error error = pl_meta_get_u64(env, txn, "checkpoint", &mark.position);

    error = error != PL_OK ? error : pl_log_seek(cursor, mark.position, &found);
    while (error == PL_OK) {
        mark.position = found.position;
        if (pl_block_open(found.bytes, found.position, &block) != PL_OK || block.rows == 0) {
            how = PL_APPLY_DAMAGED;
        } else {
            pl_overlay_begin(overlay);
            error = pl_overlay_apply_block(overlay, env, txn, &block, &mark, how, reason);
            pl_overlay_keep(overlay);
        }
        error = error != PL_OK ? error : pl_log_next(cursor, &found);
    }
    return error == PL_E_NOT_FOUND ? PL_OK : error;
}

static int compare(const void *a, const void *b)
{
    const struct pl_row *x = a, *y = b;

    if (x->link != y->link) {
        return x->link < y->link ? -1 : 1;
    }
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

static enum pl_error collect(struct pl_pending *pending, const struct pl_overlay *overlay)
{
    for (const struct pl_dirty *dirty = overlay->oldest; dirty != NULL; dirty = dirty->newer) {
        struct pl_row *row = pl_rows_add(&pending->rows);
        if (row == NULL) {
            return PL_E_NO_MEMORY;
        }
        *row = dirty->row;
    }
    if (pending->rows.n > 0) {
        qsort(pending->rows.p, pending->rows.n, sizeof *pending->rows.p, compare);
    }
    return PL_OK;
}

enum pl_error pl_pending_read(struct pl_pending *pending, const struct pl_env *env, MDB_txn *txn,
                              struct pl_text *reason)
{
    struct pl_overlay overlay;
    MDB_cursor *cursor;
    enum pl_error error = pl_overlay_init(&overlay);

    pending->rows.n = 0;
    if (error != PL_OK) {
        return error;
    }
    error = pl_env_error(mdb_cursor_open(txn, pl_env_table(env, PL_T_LOG), &cursor));
    if (error == PL_OK) {
        error = replay(&overlay, env, txn, cursor, reason);
        mdb_cursor_close(cursor);
    }
    error = error != PL_OK ? error : collect(pending, &overlay);
    pl_overlay_free(&overlay);
    return error == PL_E_INTERNAL ? PL_E_STORE_DAMAGED : error;
}

const struct pl_row *pl_pending_find(const struct pl_pending *pending, uint32_t link, uint32_t stream)
{
    const struct pl_row key = {.link = link, .stream = stream};

    if (pending->rows.n == 0) {
        return NULL;
    }
    return bsearch(&key, pending->rows.p, pending->rows.n, sizeof key, compare);
}

void pl_pending_free(struct pl_pending *pending)
{
    pl_rows_free(&pending->rows);
}
