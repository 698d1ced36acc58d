/* The batch: rows come out as they went in, whatever their sizes; its bounds are kept. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>

#include "store/bytes.h"
#include "store/outbox_batch.h"
#include "store/outbox_tables.h"
#include "store_help.h"

enum { ROWS = 400 };

static struct pl_env *env_open(const char *dir)
{
    const struct pl_env_spec spec = {.dir = dir,
                                     .format = PL_OUTBOX_FORMAT,
                                     .tables = pl_outbox_tables,
                                     .tables_n = PL_O_COUNT,
                                     .write = true,
                                     .map_bytes = 64 << 20,
                                     .owner = 1,
                                     .id = (const uint8_t *)"0123456789abcdef"};
    struct pl_env *env;

    cr_assert_eq(pl_env_open(&spec, &env, NULL), PL_OK);
    return env;
}

/* Sizes around the blocks' 64 KiB, and many small ones. */
static size_t size_of(uint32_t row)
{
    static const size_t large[] = {65535, 65536, 65537, 1 << 20, 64 * 1024 - 16, 64 * 1024 - 20};

    return row % 50 == 49 ? large[row / 50 % 6] : row % 10 == 3 ? 0 : row * 7 % 3000;
}

static void add(struct pl_write_batch *batch, uint32_t row, int fill)
{
    uint8_t key[4];
    uint8_t *value;

    pl_put_be32(key, row);
    cr_assert_eq(pl_write_batch_add(batch, row % 2 ? PL_O_ROWS : PL_O_INPUTS, key, 4, size_of(row), &value),
                 PL_OK);
    memset(value, fill, size_of(row));
}

static void expect(const struct pl_env *env, MDB_txn *txn, uint32_t row, int fill)
{
    uint8_t bytes[4];
    MDB_val key = {4, bytes}, value;

    pl_put_be32(bytes, row);
    cr_assert_eq(mdb_get(txn, pl_env_table(env, row % 2 ? PL_O_ROWS : PL_O_INPUTS), &key, &value), 0, "%u",
                 row);
    cr_assert_eq(value.mv_size, size_of(row), "%u", row);
    for (size_t i = 0; i < value.mv_size; i++) {
        cr_assert_eq(((uint8_t *)value.mv_data)[i], (uint8_t)fill, "%u", row);
    }
}

Test(store_outbox_batch, rows_come_out_as_they_went_in)
{
    struct pl_env *env = env_open(help_dir_begin());
    struct pl_write_batch batch = {.max_bytes = 32 << 20};

    /* Twice, so that the second one is made of what the first left; the last of a key counts. */
    for (int round = 0; round < 2; round++) {
        MDB_txn *txn = help_env_begin(env);
        for (uint32_t row = 0; row < ROWS; row++) {
            add(&batch, row, (int)row + round);
        }
        add(&batch, 5, 201 + round);
        cr_assert_eq(pl_write_batch_apply(&batch, env, txn), PL_OK);
        for (uint32_t row = 0; row < ROWS; row++) {
            expect(env, txn, row, row == 5 ? 201 + round : (int)row + round);
        }
        mdb_txn_abort(txn);
        pl_write_batch_clear(&batch);
        cr_expect_eq(batch.used_bytes, 0);
        cr_expect_leq(batch.spare_n, 16);
    }
    MDB_txn *txn = help_env_begin(env);
    MDB_stat stat;
    cr_assert_eq(pl_write_batch_apply(&batch, env, txn), PL_OK);
    cr_assert_eq(mdb_stat(txn, pl_env_table(env, PL_O_ROWS), &stat), 0);
    cr_expect_eq(stat.ms_entries, 0, "a cleared batch has no rows");
    mdb_txn_abort(txn);
    pl_write_batch_free(&batch);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_outbox_batch, no_more_than_its_bound)
{
    struct pl_write_batch batch = {.max_bytes = 1000};
    uint8_t *value;
    size_t added = 0;

    while (pl_write_batch_add(&batch, PL_O_ROWS, "key!", 4, 84, &value) == PL_OK) {
        memset(value, 1, 84);
        added++;
    }
    cr_expect_eq(added, 10, "12 bytes, the key and the value count");
    cr_expect_null(value);
    cr_expect_eq(batch.used_bytes, 1000);
    cr_expect_eq(pl_write_batch_add(&batch, PL_O_ROWS, "k", 1, 0, &value), PL_E_STORE_FULL);
    pl_write_batch_clear(&batch);
    cr_expect_eq(pl_write_batch_add(&batch, PL_O_ROWS, "k", 1, 1000, &value), PL_E_STORE_FULL);
    cr_expect_eq(pl_write_batch_add(&batch, PL_O_ROWS, "k", 1, 900, &value), PL_OK);
    pl_write_batch_free(&batch);
}

/* A sanitizer's allocator ends the process where malloc() returns NULL. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
Test(store_outbox_batch, without_memory_it_stays_as_it_was)
{
    struct pl_write_batch batch = {.max_bytes = UINT64_MAX};
    struct rlimit limit, none = {0};
    uint8_t *value;
    enum pl_error error;

    cr_assert_eq(pl_write_batch_add(&batch, PL_O_ROWS, "a", 1, 100, &value), PL_OK);
    uint64_t used_bytes = batch.used_bytes;
    cr_assert_eq(getrlimit(RLIMIT_AS, &limit), 0);
    none.rlim_max = limit.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_AS, &none), 0);
    error = pl_write_batch_add(&batch, PL_O_ROWS, "b", 1, 64 << 20, &value);
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    cr_expect_eq(error, PL_E_NO_MEMORY);
    cr_expect_null(value);
    cr_expect_eq(batch.used_bytes, used_bytes);
    cr_expect_eq(pl_write_batch_add(&batch, PL_O_ROWS, "b", 1, 64 << 20, &value), PL_OK);
    pl_write_batch_free(&batch);
}
#endif
