/* The environment: owned by one, shared in a process, closed by the last. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "store/tables.h"
#include "store_help.h"

static struct pl_env_spec spec_of(const char *dir, bool write, uint64_t owner)
{
    return (struct pl_env_spec){.dir = dir,
                                .format = PL_STORE_FORMAT,
                                .tables = pl_store_tables,
                                .tables_n = PL_T_COUNT,
                                .write = write,
                                .map_bytes = 16 << 20,
                                .owner = owner,
                                .wall_ms = 9,
                                .id = (const uint8_t *)"0123456789abcdef"};
}

Test(store_env, meta_rows)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct pl_bytes value;
    struct pl_owner owner;
    uint64_t number;

    cr_expect_eq(pl_meta_get(env, txn, "x", &value), PL_E_NOT_FOUND);
    cr_expect_eq(pl_meta_get_u64(env, txn, "x", &number), PL_OK);
    cr_expect_eq(number, 0);
    cr_expect_eq(pl_meta_put_u64(env, txn, "x", 1ull << 60), PL_OK);
    cr_expect_eq(pl_meta_get_u64(env, txn, "x", &number), PL_OK);
    cr_expect_eq(number, 1ull << 60);
    cr_expect_eq(pl_meta_put(env, txn, "x", (struct pl_bytes){(const uint8_t *)"abc", 3}), PL_OK);
    cr_expect_eq(pl_meta_get_u64(env, txn, "x", &number), PL_E_STORE_DAMAGED);
    cr_expect_eq(pl_meta_owner(env, txn, &owner), PL_OK);
    cr_expect_eq(owner.pid, (uint64_t)getpid());
    cr_expect_eq(pl_env_commit(env, txn, NULL), PL_OK);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_env, errors_have_meanings)
{
    static const struct {
        int rc;
        enum pl_error error;
    } map[] = {{MDB_SUCCESS, PL_OK},
               {MDB_NOTFOUND, PL_E_NOT_FOUND},
               {MDB_MAP_FULL, PL_E_STORE_FULL},
               {ENOSPC, PL_E_STORE_FULL},
               {MDB_CORRUPTED, PL_E_STORE_DAMAGED},
               {MDB_PAGE_NOTFOUND, PL_E_STORE_DAMAGED},
               {MDB_INVALID, PL_E_STORE_DAMAGED},
               {MDB_VERSION_MISMATCH, PL_E_VERSION},
               {MDB_READERS_FULL, PL_E_LIMIT},
               {MDB_PANIC, PL_E_IO},
               {EIO, PL_E_IO},
               {ENOMEM, PL_E_NO_MEMORY},
               {MDB_BAD_TXN, PL_E_STORE}};

    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++) {
        cr_expect_eq(pl_env_error(map[i].rc), map[i].error, "%d", map[i].rc);
    }
}

Test(store_env, the_owner_number_keeps_out_who_got_past_the_lock)
{
    const char *dir = help_dir_begin();
    struct pl_env *env = help_env_open(dir);
    struct pl_text reason;
    MDB_txn *txn;

    /* Where a file system has no locks, a second process gets in, and leaves another number in the owner's
     * row. */
    cr_assert_eq(pl_env_begin(env, &txn, NULL), PL_OK);
    cr_assert_eq(pl_meta_put(env, txn, "owner",
                             (struct pl_bytes){(const uint8_t *)"\1\2\3\4\5\6\7\10\7\0\0\0\0\0\0\0"
                                                                "\0\0\0\0\0\0\0\0",
                                               24}),
                 PL_OK);
    cr_assert_eq(pl_env_commit(env, txn, NULL), PL_OK);
    cr_assert_eq(pl_env_begin(env, &txn, &reason), PL_E_BUSY);
    cr_assert_not_null(strstr(reason.s, "process 7"), "%s", reason.s);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_env, one_process_may_write_and_read)
{
    const char *dir = help_dir_begin();
    struct pl_env *env = help_env_open(dir);
    struct pl_env_spec reading = spec_of(dir, false, 0);
    struct pl_env_spec writing = spec_of(dir, true, 77);
    struct pl_env *reader, *again;
    struct pl_text reason;
    MDB_txn *read_txn = NULL, *txn;

    cr_assert_eq(pl_env_open(&reading, &reader, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(reader, env);
    cr_assert_eq(pl_env_read(reader, &read_txn, NULL), PL_OK);
    pl_env_read_end(reader, read_txn);
    cr_assert_eq(pl_env_open(&writing, &again, &reason), PL_E_BUSY);
    pl_env_close(env, true);
    /* The reader lives on; another writer may come. */
    cr_assert_eq(pl_env_read(reader, &read_txn, NULL), PL_OK);
    pl_env_read_end(reader, read_txn);
    cr_assert_eq(pl_env_open(&writing, &again, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_env_begin(again, &txn, NULL), PL_OK);
    mdb_txn_abort(txn);
    pl_env_close(again, true);
    pl_env_read_free(read_txn);
    pl_env_close(reader, false);
    /* Opened for reading first, it cannot be written by this process. */
    cr_assert_eq(pl_env_open(&reading, &reader, &reason), PL_OK);
    cr_assert_eq(pl_env_open(&writing, &again, &reason), PL_E_BUSY);
    cr_assert_not_null(strstr(reason.s, "for reading"));
    pl_env_close(reader, false);
    help_dir_end();
}

Test(store_env, another_format_is_named)
{
    const char *dir = help_dir_begin();
    struct pl_env_spec spec = spec_of(dir, true, 3);
    struct pl_env *env;
    struct pl_text reason;

    pl_env_close(help_env_open(dir), true);
    spec.format = "purelink store 2";
    cr_assert_eq(pl_env_open(&spec, &env, &reason), PL_E_VERSION);
    cr_assert_not_null(strstr(reason.s, "purelink store 1"), "%s", reason.s);
    unlink(help_path(dir, "format"));
    cr_assert_eq(pl_env_open(&spec, &env, &reason), PL_E_VERSION);
    cr_assert_not_null(strstr(reason.s, "purelink store 1"), "%s", reason.s);
    spec.format = PL_STORE_FORMAT;
    cr_assert_eq(pl_env_open(&spec, &env, &reason), PL_OK, "%s", reason.s);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_env, a_failed_sync_ends_writing)
{
    const char *dir = help_dir_begin();
    struct pl_env *env = help_env_open(dir);
    MDB_txn *txn = help_env_begin(env);
    struct pl_text reason;
    uint64_t number;

    cr_assert_eq(pl_meta_put_u64(env, txn, "x", 5), PL_OK);
    help_sync_errno = EIO;
    cr_assert_eq(pl_env_commit(env, txn, &reason), PL_E_IO);
    cr_assert_eq(pl_env_begin(env, &txn, &reason), PL_E_IO);
    cr_assert_not_null(strstr(reason.s, "open it again"));
    pl_env_close(env, true);
    env = help_env_open(dir);
    txn = help_env_begin(env);
    cr_assert_eq(pl_meta_get_u64(env, txn, "x", &number), PL_OK);
    cr_assert_eq(number, 0);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

/* Without its meta page a transaction may come to light later: that is not the full store that can be tried
 * again. */
Test(store_env, a_failed_meta_page_ends_writing)
{
    static const int numbers[] = {ENOSPC, EIO};
    struct pl_text reason;

    for (size_t i = 0; i < 2; i++) {
        const char *dir = help_dir_begin();
        struct pl_env *env = help_env_open(dir);
        MDB_txn *txn = help_env_begin(env);
        cr_assert_eq(pl_meta_put_u64(env, txn, "x", 5), PL_OK);
        help_meta_errno = numbers[i];
        cr_expect_eq(pl_env_commit(env, txn, &reason), PL_E_IO);
        cr_expect_not_null(strstr(reason.s, strerror(numbers[i])), "%s", reason.s);
        cr_expect_eq(pl_env_begin(env, &txn, &reason), PL_E_IO);
        cr_expect_not_null(strstr(reason.s, "open it again"));
        pl_env_close(env, true);
        env = help_env_open(dir);
        txn = help_env_begin(env);
        cr_expect_eq(pl_meta_put_u64(env, txn, "x", 6), PL_OK);
        cr_expect_eq(pl_env_commit(env, txn, &reason), PL_OK);
        pl_env_close(env, true);
        help_dir_end();
    }
}

/* The meta pages are made durable before a writer's first change: see pl_env_settle. */
Test(store_env, opening_needs_a_flush)
{
    const char *dir = help_dir_begin();
    struct pl_env_spec spec = spec_of(dir, true, 3);
    struct pl_env *env;
    struct pl_text reason;

    pl_env_close(help_env_open(dir), true);
    help_sync_errno = EIO;
    cr_expect_eq(pl_env_open(&spec, &env, &reason), PL_E_IO);
    cr_expect_not_null(strstr(reason.s, "data.mdb: cannot write"), "%s", reason.s);
    cr_assert_eq(pl_env_open(&spec, &env, &reason), PL_OK, "%s", reason.s);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_env, what_does_not_open_says_why)
{
    const char *dir = help_dir_begin();
    const struct pl_env_spec spec = spec_of(dir, false, 0);
    struct pl_env *env = help_env_open(dir);
    MDB_txn *txn = help_env_begin(env);
    MDB_val key = {strlen("format"), (void *)"format"};
    struct pl_text reason = {""};

    cr_assert_eq(mdb_del(txn, pl_env_table(env, PL_T_META), &key, NULL), 0);
    cr_assert_eq(pl_env_commit(env, txn, NULL), PL_OK);
    pl_env_close(env, true);
    cr_expect_eq(pl_env_open(&spec, &env, &reason), PL_E_VERSION);
    cr_expect(strstr(reason.s, dir) != NULL, "'%s'", reason.s);
    help_dir_end();
}
