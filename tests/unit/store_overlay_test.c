/* Rows newer than their checkpoint: groups are kept or undone whole. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "store/bytes.h"
#include "store/overlay.h"
#include "store/tables.h"
#include "store_help.h"

static uint8_t arena[1 << 16];

/* Applies `steps` random steps of the model as one block after another. */
static void apply(struct pl_overlay *overlay, struct pl_env *env, MDB_txn *txn, struct help_model *model,
                  int steps, struct pl_log_mark *mark)
{
    struct pl_chunk chunk;

    pl_chunk_init(&chunk, arena, sizeof arena);
    while (steps-- > 0 && help_model_step(model, &chunk)) {}
    for (size_t at = 0; at < chunk.used_bytes; at += pl_get_le32(arena + at + 4)) {
        struct pl_bytes bytes = {arena + at, pl_get_le32(arena + at + 4)};
        struct pl_block block;
        pl_block_seal(arena + at, bytes.n, mark->position, 0);
        cr_assert_eq(pl_block_open(bytes, mark->position, &block), PL_OK);
        cr_assert_eq(pl_overlay_apply_block(overlay, env, txn, &block, mark, PL_APPLY_EXACT, NULL), PL_OK);
    }
}

/* Every stream of the model is in the overlay, or in the table, as expected. */
static void expect(const struct pl_overlay *overlay, struct pl_env *env, MDB_txn *txn,
                   const struct help_model *model)
{
    for (size_t i = 0; i < HELP_STREAMS; i++) {
        const struct pl_row *row = &model->streams[i].row;
        uint32_t link = 1 + (uint32_t)i / 4, stream = 1 + (uint32_t)i % 4;
        struct pl_dirty *dirty = pl_overlay_find(overlay, link, stream);
        struct pl_row stored;
        enum pl_error error = pl_rows_get(env, txn, link, stream, &stored);
        if (!model->streams[i].begun) {
            cr_assert_null(dirty);
            cr_assert_eq(error, PL_E_NOT_FOUND);
        } else {
            cr_assert(dirty != NULL || error == PL_OK);
            cr_assert(help_row_equal(dirty != NULL ? &dirty->row : &stored, row));
        }
    }
}

Test(store_overlay, random_groups)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct help_model *model = calloc(1, sizeof *model);
    struct help_model *before = malloc(sizeof *model);
    struct pl_overlay overlay;
    struct pl_log_mark mark = {0};

    model->random.state = 5;
    cr_assert_eq(pl_overlay_init(&overlay), PL_OK);
    for (int round = 0; round < 300; round++) {
        struct pl_log_mark mark_before = mark;
        size_t n = overlay.n;
        MDB_txn *inner;
        *before = *model;
        cr_assert_eq(mdb_txn_begin(pl_env_lmdb(env), txn, 0, &inner), 0);
        pl_overlay_begin(&overlay);
        apply(&overlay, env, inner, model, 1 + (int)help_draw(&model->random, 20), &mark);
        if (help_draw(&model->random, 2) == 0) {
            cr_assert_eq(pl_overlay_write_link(&overlay, env, inner, 1 + help_draw(&model->random, 10)),
                         PL_OK);
            cr_assert_eq(pl_overlay_write(&overlay, env, inner, overlay.oldest), PL_OK);
        }
        if (help_draw(&model->random, 3) == 0) {
            pl_overlay_undo(&overlay);
            mdb_txn_abort(inner);
            before->random = model->random;
            *model = *before;
            mark = mark_before;
            cr_assert_eq(overlay.n, n);
        } else {
            cr_assert_eq(mdb_txn_commit(inner), 0);
            pl_overlay_keep(&overlay);
        }
        expect(&overlay, env, txn, model);
        for (struct pl_dirty *dirty = overlay.oldest; dirty != NULL && dirty->newer != NULL;
             dirty = dirty->newer) {
            cr_assert_leq(dirty->since.position, dirty->newer->since.position);
        }
    }
    pl_overlay_free(&overlay);
    free(model);
    free(before);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_overlay, oldest_skips_what_is_written)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_overlay overlay;
    struct pl_log_mark mark = {0};
    size_t left;

    cr_assert_eq(pl_overlay_init(&overlay), PL_OK);
    cr_expect_null(pl_overlay_oldest(&overlay));
    pl_overlay_begin(&overlay);
    apply(&overlay, env, txn, model, 200, &mark);
    for (left = overlay.n; pl_overlay_oldest(&overlay) != NULL; left--) {
        cr_assert_eq(pl_overlay_write(&overlay, env, txn, pl_overlay_oldest(&overlay)), PL_OK);
    }
    cr_expect_eq(left, 0);
    pl_overlay_keep(&overlay);
    cr_expect_eq(overlay.n, 0);
    cr_expect_null(overlay.oldest);
    cr_expect_null(overlay.newest);
    expect(&overlay, env, txn, model);
    pl_overlay_free(&overlay);
    free(model);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_overlay, the_hand_goes_round_in_order_of_key)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_overlay overlay;
    struct pl_log_mark mark = {0};
    uint64_t last = 0;
    size_t written = 0;

    cr_assert_eq(pl_overlay_init(&overlay), PL_OK);
    cr_expect_null(pl_overlay_hand(&overlay));
    pl_overlay_begin(&overlay);
    apply(&overlay, env, txn, model, 400, &mark);
    pl_overlay_keep(&overlay);
    while (overlay.n > 0) {
        pl_overlay_begin(&overlay);
        for (int i = 0; i < 7; i++) {
            struct pl_dirty *dirty = pl_overlay_hand(&overlay);
            uint64_t key = dirty != NULL ? (uint64_t)dirty->row.link << 32 | dirty->row.stream : 0;
            if (dirty != NULL) {
                cr_assert_gt(key, last);
                last = key;
                cr_assert_eq(pl_overlay_write(&overlay, env, txn, dirty), PL_OK);
                written++;
            }
        }
        pl_overlay_keep(&overlay);
    }
    cr_expect_eq(written, HELP_STREAMS);
    expect(&overlay, env, txn, model);
    /* The next round begins anew. */
    pl_overlay_begin(&overlay);
    apply(&overlay, env, txn, model, 400, &mark);
    pl_overlay_keep(&overlay);
    cr_assert_not_null(pl_overlay_hand(&overlay));
    pl_overlay_free(&overlay);
    free(model);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}
