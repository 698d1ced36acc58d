/* Rows the log holds and no checkpoint yet, as a reader makes them. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "store/pending.h"
#include "store/store_state.h"
#include "store_help.h"

static uint8_t arena[1 << 16];

Test(store_pending, what_is_dirty_and_nothing_else)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_chunk chunk;

    pl_chunk_init(&chunk, arena, sizeof arena);
    for (int round = 0; round < 20; round++) {
        struct pl_pending pending = {0};
        MDB_txn *txn = NULL;
        size_t dirty = 0;
        for (int k = 0; k < 5; k++) {
            help_model_step(model, &chunk);
        }
        cr_assert_eq(help_commit(store, &chunk, 1), PL_OK);
        pl_chunk_reset(&chunk);
        cr_assert_eq(pl_env_read(store->env, &txn, NULL), PL_OK);
        cr_assert_eq(pl_pending_read(&pending, store->env, txn, NULL), PL_OK);
        for (size_t i = 0; i < HELP_STREAMS; i++) {
            const struct pl_row *row = &model->streams[i].row;
            const struct pl_row *found = pl_pending_find(&pending, 1 + (uint32_t)i / 4, 1 + (uint32_t)i % 4);
            cr_assert(found == NULL || help_row_equal(found, row));
            cr_assert_eq(found != NULL, pl_overlay_find(&store->overlay, row->link, row->stream) != NULL);
            dirty += found != NULL;
        }
        cr_assert_eq(dirty, pending.rows.n);
        cr_assert_null(pl_pending_find(&pending, 9999, 1));
        pl_env_read_end(store->env, txn);
        pl_env_read_free(txn);
        pl_pending_free(&pending);
        if (round % 6 == 5) {
            cr_assert_eq(pl_checkpoint_all(store, NULL), PL_OK);
        }
    }
    pl_store_close(store);
    free(model);
    help_dir_end();
}
