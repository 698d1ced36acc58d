/* The rows table: rows of a link, in order, and damage seen. */
#include <criterion/criterion.h>
#include <string.h>

#include "store/tables.h"
#include "store_help.h"

Test(store_tables, rows_by_link)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct pl_rows rows = {0};
    struct pl_row row = {.birth = 5, .lives_n = 1, .lives = {{7, 1, 2, 3}}, .name_size = 1, .name = "n"};
    struct pl_row back;

    for (uint32_t link = 1; link <= 3; link++) {
        for (uint32_t stream = 300; stream > 0; stream -= 100) {
            row.link = link;
            row.stream = stream;
            row.heard = link * 1000 + stream;
            cr_assert_eq(pl_rows_put(env, txn, &row), PL_OK);
        }
    }
    cr_assert_eq(pl_rows_get(env, txn, 2, 200, &back), PL_OK);
    cr_expect_eq(back.heard, 2200);
    cr_expect_eq(pl_rows_get(env, txn, 2, 201, &back), PL_E_NOT_FOUND);
    cr_expect_eq(pl_rows_get(env, txn, 9, 200, &back), PL_E_NOT_FOUND);
    for (uint32_t link = 0; link <= 4; link++) {
        rows.n = 0;
        cr_assert_eq(pl_rows_of_link(env, txn, link, &rows), PL_OK);
        cr_expect_eq(rows.n, link >= 1 && link <= 3 ? 3 : 0);
        for (size_t i = 0; i < rows.n; i++) {
            cr_expect_eq(rows.p[i].heard, link * 1000 + 100 * (i + 1));
        }
    }
    pl_rows_free(&rows);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_tables, a_damaged_row_is_no_row)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    uint8_t key_bytes[8] = {0, 0, 0, 1, 0, 0, 0, 2};
    MDB_val key = {8, key_bytes};
    MDB_val value = {70, (uint8_t[70]){0}};
    struct pl_rows rows = {0};
    struct pl_row row;

    cr_assert_eq(mdb_put(txn, pl_env_table(env, PL_T_ROWS), &key, &value, 0), 0);
    cr_expect_eq(pl_rows_get(env, txn, 1, 2, &row), PL_E_STORE_DAMAGED);
    cr_expect_eq(pl_rows_of_link(env, txn, 1, &rows), PL_E_STORE_DAMAGED);
    pl_rows_free(&rows);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}
