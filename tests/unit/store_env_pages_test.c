/* Which pages of LMDB's file are in use: the whole of a real one, cut at each page, and with each byte of its
 * page heads changed. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/env_pages.h"
#include "store_help.h"

enum { PAGE = 4096, ROOTS_AT = 16 + 24, RECORD = 48, ROWS = 600 };

static size_t roots[2];

/* Roots and last page of the newer meta page. */
static size_t read_metas(const uint8_t *bytes)
{
    size_t last[2], transaction[2];

    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *tables = bytes + i * PAGE + ROOTS_AT;
        memcpy(&last[i], tables + 2 * RECORD, sizeof last[i]);
        memcpy(&transaction[i], tables + 2 * RECORD + sizeof(size_t), sizeof transaction[i]);
    }
    unsigned newer = transaction[1] > transaction[0];
    for (unsigned i = 0; i < 2; i++) {
        memcpy(&roots[i], bytes + newer * PAGE + ROOTS_AT + i * RECORD + RECORD - sizeof(size_t),
               sizeof roots[i]);
    }
    return last[newer];
}

static void put(MDB_txn *txn, MDB_dbi table, size_t key, size_t n)
{
    static uint8_t value[5 * PAGE];
    MDB_val k = {sizeof key, &key}, v = {n, value};

    memset(value, (int)key, sizeof value);
    memcpy(value, &key, sizeof key);
    cr_assert_eq(mdb_put(txn, table, &k, &v, 0), 0);
}

/* A tree of some depth, values on pages of their own, values in trees of their own, a free list. */
static void fill(const char *dir)
{
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi plain, many;

    cr_assert_eq(mdb_env_create(&env), 0);
    mdb_env_set_maxdbs(env, 2);
    cr_assert_eq(mdb_env_open(env, dir, 0, 0600), 0);
    for (unsigned round = 0; round < 3; round++) {
        cr_assert_eq(mdb_txn_begin(env, NULL, 0, &txn), 0);
        cr_assert_eq(mdb_dbi_open(txn, "plain", MDB_CREATE, &plain), 0);
        cr_assert_eq(mdb_dbi_open(txn, "many", MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED, &many), 0);
        for (size_t key = 0; key < ROWS; key++) {
            size_t duplicate = key + round * ROWS, one = 1;
            MDB_val k = {sizeof one, &one}, v = {sizeof duplicate, &duplicate};
            put(txn, plain, key, key % 40 == 0 ? (size_t)(round + 2) * PAGE : 30 + 10 * round);
            cr_assert_eq(mdb_put(txn, many, &k, &v, 0), 0);
        }
        cr_assert_eq(mdb_txn_commit(txn), 0);
    }
    mdb_env_close(env);
}

static bool present(const char *path, uint64_t pages)
{
    int fd = open(path, O_RDONLY);
    bool all;

    cr_assert_eq(pl_env_pages_present(fd, PAGE, pages, roots, 2, &all), 0);
    close(fd);
    return all;
}

Test(store_env_pages, whole_cut_and_changed)
{
    const char *dir = help_dir_begin(), *path = help_path(dir, "data.mdb");
    size_t n, changed_found = 0;

    fill(dir);
    uint8_t *bytes = help_file_read(path, &n);
    size_t pages = read_metas(bytes) + 1;
    cr_assert(present(path, n / PAGE));
    cr_assert(pages > 20);
    bool before = true;
    for (size_t cut = n / PAGE; cut > 1; cut--) {
        bool all = present(path, cut);
        cr_assert(before || !all, "page %zu was missing, now it is not", cut);
        before = all;
    }
    cr_assert_not(before);
    for (size_t page = 2; page < n / PAGE; page++) {
        for (size_t at = 0; at < 24; at++) {
            bytes[page * PAGE + at] ^= 0xff;
            help_file_write(path, bytes, n);
            changed_found += !present(path, n / PAGE);
            bytes[page * PAGE + at] ^= 0xff;
        }
    }
    cr_assert(changed_found > pages, "%zu of %zu", changed_found, pages);
    free(bytes);
    help_dir_end();
}

Test(store_env_pages, no_tree_and_no_file)
{
    size_t none[] = {SIZE_MAX, SIZE_MAX};
    bool all = false;

    cr_assert_eq(pl_env_pages_present(-1, PAGE, 2, none, 2, &all), 0);
    cr_assert(all);
    none[1] = 2;
    cr_assert_eq(pl_env_pages_present(-1, PAGE, 3, none, 2, &all), EBADF);
}
