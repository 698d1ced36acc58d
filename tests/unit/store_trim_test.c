/* Retention: old blocks go, the checkpoint and the last block stay, what was heard stays for ever. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "store/inspect.h"
#include "store/tables.h"
#include "store_help.h"

static uint8_t arena[1 << 18];

static void run(struct pl_store *store, struct help_model *model, int commits, uint64_t wall_ms)
{
    struct pl_chunk chunk;

    pl_chunk_init(&chunk, arena, sizeof arena);
    for (int i = 0; i < commits; i++) {
        for (int k = 0; k < 30; k++) {
            help_model_step(model, &chunk);
        }
        cr_assert_eq(help_commit(store, &chunk, wall_ms), PL_OK);
        pl_chunk_reset(&chunk);
    }
}

static struct pl_store_status status_of(struct pl_store *store)
{
    struct pl_reader *reader;
    struct pl_store_status status;

    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_status(reader, &status, NULL), PL_OK);
    pl_reader_close(reader);
    return status;
}

static bool check_row(void *ctx, const struct pl_link_info *link, const struct pl_row *row)
{
    struct help_model *model = ctx;

    (void)link;
    cr_assert(help_row_equal(row, &model->streams[(row->link - 1) * 4 + row->stream - 1].row));
    return true;
}

Test(store_trim, heard_outlives_the_records)
{
    const char *dir = help_dir_begin();
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_store *store = help_store_open(dir);
    struct pl_store_status before, after;
    struct pl_reader *reader;
    struct pl_tail *tail;
    struct pl_tail_entry entry;
    size_t deleted;

    run(store, model, 40, 5);
    before = status_of(store);
    cr_assert_eq(pl_store_trim(store, before.end_position / 2, 1000, &deleted, NULL), PL_OK);
    after = status_of(store);
    cr_expect_eq(after.blocks, before.blocks - deleted);
    cr_expect_leq(after.first_position, before.end_position / 2);
    cr_expect_gt(after.first_position, 0);
    cr_assert_eq(pl_store_trim(store, UINT64_MAX, 7, &deleted, NULL), PL_OK);
    cr_expect_eq(deleted, 7);
    cr_assert_eq(pl_store_trim(store, UINT64_MAX, 1000, &deleted, NULL), PL_OK);
    cr_expect_eq(status_of(store).blocks, 1);
    pl_store_close(store);
    store = help_store_open(dir);
    cr_expect_eq(pl_store_end(store), before.end_position);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_streams(reader, check_row, model, NULL), PL_OK);
    cr_assert_eq(pl_tail_open(reader, 3, NULL, &tail), PL_OK);
    cr_assert_eq(pl_tail_next(tail, &entry, NULL), PL_OK);
    cr_expect_eq(entry.kind, PL_TAIL_TRIMMED);
    cr_expect_eq(entry.position, 3);
    cr_expect_eq(entry.position_to + 1, status_of(store).first_position);
    pl_tail_close(tail);
    run(store, model, 1, 5);
    cr_assert_eq(pl_store_streams(reader, check_row, model, NULL), PL_OK);
    pl_reader_close(reader);
    pl_store_close(store);
    free(model);
    help_dir_end();
}

Test(store_trim, by_age_and_by_size)
{
    for (int by_size = 0; by_size < 2; by_size++) {
        struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 4, .disk_floor_bytes = 1};
        struct help_model *model = calloc(1, sizeof *model);
        struct pl_store *store;
        struct pl_store_status status;
        options.replay_rows_max = 100;
        options.retain_bytes = by_size ? 200000 : 0;
        options.retain_ms = by_size ? 0 : 1000;
        cr_assert_eq(pl_store_open(help_dir_begin(), &options, &store, NULL), PL_OK);
        run(store, model, 60, 5000);
        run(store, model, 60, 5500);
        status = status_of(store);
        cr_expect_gt(status.blocks, by_size ? 0 : 119);
        run(store, model, 60, 6400);
        status = status_of(store);
        cr_expect_lt(status.blocks, 179);
        cr_expect_leq(status.first_position, status.checkpoint_position);
        cr_expect_gt(status.first_position, 0);
        pl_store_close(store);
        free(model);
        help_dir_end();
    }
}

static struct pl_store *retaining(uint64_t retain_bytes, uint64_t retain_ms)
{
    struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 4, .disk_floor_bytes = 1};
    struct pl_store *store;

    options.retain_bytes = retain_bytes;
    options.retain_ms = retain_ms;
    cr_assert_eq(pl_store_open(help_dir_begin(), &options, &store, NULL), PL_OK);
    return store;
}

static size_t retain_all(struct pl_store *store, uint64_t wall_ms)
{
    size_t deleted, all = 0;

    do {
        cr_assert_eq(pl_store_retain(store, wall_ms, &deleted, NULL), PL_OK);
        cr_assert_leq(deleted, 64);
        all += deleted;
    } while (deleted > 0);
    return all;
}

/* Nothing has come for long: the checkpoint, which only commits roll on, is brought along. */
Test(store_trim, at_rest_past_the_old_checkpoint)
{
    for (int by_size = 0; by_size < 2; by_size++) {
        struct pl_store *store = by_size ? retaining(100000, 0) : retaining(0, 1000);
        struct help_model *model = calloc(1, sizeof *model);
        struct pl_store_status status;
        struct pl_reader *reader;
        run(store, model, 100, 5000);
        run(store, model, 100, 5500);
        cr_expect(pl_store_retains(store));
        status = status_of(store);
        cr_assert_eq(status.checkpoint_position, 0, "no commit had to roll it on");
        cr_assert_eq(status.first_position, 0);
        cr_expect_eq(retain_all(store, 6000) > 0, by_size);
        cr_expect_eq(retain_all(store, 6001), by_size ? 0 : status.blocks / 2);
        cr_expect_eq(retain_all(store, 9000), by_size ? 0 : status.blocks / 2 - 1, "the last block stays");
        status = status_of(store);
        cr_expect_eq(status.checkpoint_position, status.end_position);
        cr_expect_gt(status.first_position, 0);
        cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
        cr_assert_eq(pl_store_streams(reader, check_row, model, NULL), PL_OK);
        pl_reader_close(reader);
        pl_store_close(store);
        free(model);
        help_dir_end();
    }
}

Test(store_trim, without_a_retention_all_stays)
{
    struct pl_store *store = retaining(0, 0);
    struct help_model *model = calloc(1, sizeof *model);

    run(store, model, 20, 5000);
    cr_expect_not(pl_store_retains(store));
    cr_expect_eq(retain_all(store, UINT64_MAX), 0);
    cr_expect_eq(status_of(store).checkpoint_position, 0, "nothing is written either");
    pl_store_close(store);
    free(model);
    help_dir_end();
}

/* A store that is full and has a retention gets itself out. */
Test(store_trim, a_full_store_makes_room)
{
    struct pl_store_options options = {
        .map_bytes = 1 << 20, .owner = 4, .disk_floor_bytes = 1, .retain_ms = 1};
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_store *store;
    struct pl_chunk chunk;
    uint64_t wall_ms = 2;
    enum pl_error error = PL_OK;

    options.replay_rows_max = 100;
    pl_chunk_init(&chunk, arena, sizeof arena);
    cr_assert_eq(pl_store_open(help_dir_begin(), &options, &store, NULL), PL_OK);
    /* The clock stands still, so nothing grows old. */
    while (error == PL_OK) {
        pl_chunk_reset(&chunk);
        for (int k = 0; k < 200; k++) {
            help_model_step(model, &chunk);
        }
        error = help_commit(store, &chunk, wall_ms);
    }
    cr_assert_eq(error, PL_E_STORE_FULL);
    for (int tries = 0; tries < 5 && error != PL_OK; tries++) {
        error = help_commit(store, &chunk, wall_ms + 1000);
    }
    cr_expect_eq(error, PL_OK);
    pl_store_close(store);
    free(model);
    help_dir_end();
}

Test(store_trim, what_cannot_be_trimmed_says_why)
{
    const char *dir = help_dir_begin();
    const struct pl_env_spec spec = {
        .dir = dir, .format = PL_STORE_FORMAT, .tables = pl_store_tables, .tables_n = PL_T_COUNT};
    struct pl_store *store = help_store_open(dir);
    struct help_model *model = calloc(1, sizeof *model);
    MDB_val key = {3, (void *)"\0\0"}, value = {3, (void *)"row"};
    struct pl_text reason = {""};
    struct pl_env *env;
    size_t deleted = 0;
    MDB_txn *txn;

    run(store, model, 3, 1);
    cr_assert_eq(pl_env_open(&spec, &env, NULL), PL_OK);
    cr_assert_eq(mdb_txn_begin(pl_env_lmdb(env), NULL, 0, &txn), 0);
    cr_assert_eq(mdb_put(txn, pl_env_table(env, PL_T_LOG), &key, &value, 0), 0);
    cr_assert_eq(mdb_txn_commit(txn), 0);
    pl_env_close(env, false);
    cr_expect_eq(pl_store_trim(store, 1000, 2, &deleted, &reason), PL_E_STORE_DAMAGED);
    cr_expect(strstr(reason.s, dir) != NULL, "'%s'", reason.s);
    pl_store_close(store);
    free(model);
    help_dir_end();
}
