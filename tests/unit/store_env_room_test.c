/* Room: 90 % of the map, the disk's floor, free pages that are not in use. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "store/tables.h"
#include "store_help.h"

/* Puts or deletes n rows of 3 KiB. */
static enum pl_error rows(struct pl_env *env, uint32_t n, bool put)
{
    static uint8_t bytes[3000];
    MDB_txn *txn = help_env_begin(env);
    int rc = 0;

    for (uint32_t i = 0; i < n && rc == 0; i++) {
        MDB_val key = {sizeof i, &i};
        MDB_val value = {sizeof bytes, bytes};
        rc = put ? mdb_put(txn, pl_env_table(env, PL_T_DAMAGED), &key, &value, 0)
                 : mdb_del(txn, pl_env_table(env, PL_T_DAMAGED), &key, NULL);
    }
    if (rc != 0) {
        mdb_txn_abort(txn);
        return pl_env_error(rc);
    }
    return pl_env_commit(env, txn, NULL);
}

Test(store_env_room, refused_at_ninety_percent_until_freed)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    uint64_t used, file, map, used_after;
    struct pl_text reason = {""};
    uint32_t pages = (64 << 20) / 4096 * 92 / 100;

    cr_assert_eq(pl_env_room(env, 1, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_env_turn(env, NULL), PL_OK);
    cr_assert_eq(rows(env, pages, true), PL_OK);
    cr_expect_eq(pl_env_room(env, 1, &reason), PL_E_STORE_FULL);
    cr_expect_not_null(strstr(reason.s, "full"), "%s", reason.s);
    cr_assert_eq(pl_env_used(env, &used, &file, &map), PL_OK);
    cr_expect_eq(map, 64 << 20);
    cr_expect_gt(used, map / 100 * 90);
    cr_assert_eq(rows(env, pages / 2, false), PL_OK);
    cr_assert_eq(pl_env_turn(env, &reason), PL_OK);
    cr_expect_eq(pl_env_room(env, 1, &reason), PL_OK);
    cr_assert_eq(pl_env_used(env, &used_after, &file, &map), PL_OK);
    cr_expect_lt(used_after, used * 2 / 3);
    cr_expect_eq(rows(env, pages / 2, true), PL_OK, "what was freed can be used at once");
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_env_room, the_disks_floor)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    struct pl_text reason = {""};

    cr_expect_eq(pl_env_room(env, UINT64_MAX, &reason), PL_E_STORE_FULL);
    cr_expect_not_null(strstr(reason.s, "file system"), "%s", reason.s);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_env_room, blocks_for_readers)
{
    const char *dir = help_dir_begin();
    struct pl_text reason = {""};
    struct stat st;
    char path[256];

    snprintf(path, sizeof path, "%s/lock.mdb", dir);
    cr_assert_eq(pl_env_reserve_readers(dir, 126, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(stat(path, &st), 0);
    cr_expect_eq(st.st_size, 0, "LMDB takes a size for its own");
    cr_expect_geq(st.st_blocks * 512, 126 * 64);
    cr_assert_eq(pl_env_reserve_readers(dir, 126, &reason), PL_OK);
    cr_expect_eq(pl_env_reserve_readers("/nonexistent", 126, &reason), PL_OK, "LMDB says what is wrong");
    help_dir_end();
}
