/* Rows of the outbox's tables: found by any byte they hold, damage seen, lines read back whole. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "store/bytes.h"
#include "store/outbox_tables.h"
#include "store_help.h"

static struct pl_env *env_open(const char *dir)
{
    const struct pl_env_spec spec = {.dir = dir,
                                     .format = PL_OUTBOX_FORMAT,
                                     .tables = pl_outbox_tables,
                                     .tables_n = PL_O_COUNT,
                                     .write = true,
                                     .map_bytes = 16 << 20,
                                     .owner = 1,
                                     .id = (const uint8_t *)"0123456789abcdef"};
    struct pl_env *env;

    cr_assert_eq(pl_env_open(&spec, &env, NULL), PL_OK);
    return env;
}

static void put_row(struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                    const struct pl_held_row *row)
{
    struct pl_write_batch batch = {.max_bytes = 1 << 20};

    cr_assert_eq(pl_held_put(&batch, line, row, (struct pl_bytes){0}), PL_OK);
    cr_assert_eq(pl_write_batch_apply(&batch, env, txn), PL_OK);
    pl_write_batch_free(&batch);
}

static void put(struct pl_env *env, MDB_txn *txn, const struct pl_line *line, uint64_t position, size_t n)
{
    uint8_t bytes[100] = {0};
    struct pl_held_row row = {
        .start = {position + 1, position}, .end = {position + 1 + n, 0}, .bytes = {bytes, n}};

    put_row(env, txn, line, &row);
}

Test(store_outbox_tables, rows_by_position)
{
    struct pl_env *env = env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct pl_line line = {.link = 1, .number = 2}, before = {.link = 1, .number = 1},
                   after = {.link = 2, .number = 1};
    MDB_cursor *cursor;
    struct pl_held_row row;
    static const struct {
        uint64_t position, start;
        enum pl_error error;
    } cases[] = {{0, 100, PL_OK},   {99, 100, PL_OK},         {100, 100, PL_OK},       {149, 100, PL_OK},
                 {150, 150, PL_OK}, {159, 150, PL_OK},        {160, 200, PL_OK},       {200, 200, PL_OK},
                 {219, 200, PL_OK}, {220, 0, PL_E_NOT_FOUND}, {999, 0, PL_E_NOT_FOUND}};

    put(env, txn, &before, 900, 50);
    put(env, txn, &after, 0, 50);
    cr_assert_eq(mdb_cursor_open(txn, pl_env_table(env, PL_O_ROWS), &cursor), 0);
    cr_expect_eq(pl_held_seek(cursor, &line, 0, &row), PL_E_NOT_FOUND);
    put(env, txn, &line, 100, 50);
    put(env, txn, &line, 150, 10);
    put(env, txn, &line, 200, 20);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(pl_held_seek(cursor, &line, cases[i].position, &row), cases[i].error, "case %zu", i);
        cr_expect(cases[i].error != PL_OK || row.start.position == cases[i].start, "case %zu", i);
    }
    cr_assert_eq(pl_held_seek(cursor, &line, 150, &row), PL_OK);
    cr_expect_eq(row.end.position, 160);
    cr_expect_eq(row.end.number, 161);
    cr_assert_eq(pl_held_prev(cursor, &line, &row), PL_OK);
    cr_expect_eq(row.start.position, 100);
    cr_expect_eq(pl_held_prev(cursor, &line, &row), PL_E_NOT_FOUND);
    cr_assert_eq(pl_held_seek(cursor, &line, 200, &row), PL_OK);
    cr_expect_eq(pl_held_next(cursor, &line, &row), PL_E_NOT_FOUND);
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_outbox_tables, lines_come_back_or_are_damaged)
{
    struct pl_env *env = env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct pl_line line = {.link = 7, .number = 3, .name_size = 4, .name = "name"};
    struct pl_line_state state = {.next_stream = 9, .forked_ms = 55, .next = {20, 300}};
    struct pl_stretch stretch = {.stream = 8, .birth = 77, .start = {5, 50}, .freed = {6, 60}};
    struct pl_given_life life = {0xabcdef01, 0, {5, 50}};
    size_t tables[] = {PL_O_LINES, PL_O_STRETCHES, PL_O_LIVES};
    uint8_t key_bytes[16];
    MDB_val key, value;
    struct pl_line *back;

    cr_assert_eq(pl_outbox_line_put(env, txn, &line, &state), PL_OK);
    cr_assert_eq(pl_stretch_put(env, txn, &line, &stretch), PL_OK);
    cr_assert_eq(pl_life_put(env, txn, &line, &life), PL_OK);
    pl_put_be32(key_bytes, 7);
    pl_put_be32(key_bytes + 4, 3);
    key = (MDB_val){8, key_bytes};
    cr_assert_eq(mdb_get(txn, pl_env_table(env, PL_O_LINES), &key, &value), 0);
    cr_assert_eq(pl_outbox_line_load(env, txn, &key, &value, &back), PL_OK);
    cr_expect_eq(back->now.next.position, 300);
    cr_expect_eq(back->now.next_stream, 9);
    cr_expect_eq(back->now.forked_ms, 55);
    cr_expect_arr_eq(back->name, "name", 4);
    cr_expect_eq(back->now.stretches[0].birth, 77);
    cr_expect_eq(back->now.stretches[0].stored_number, 6);
    cr_expect_eq(back->now.lives[0].tag, 0xabcdef01);
    cr_expect(back->now.kept && back->now.need_life);
    pl_line_state_clear(&back->now);
    free(back);
    for (size_t i = 0; i < 3; i++) {
        MDB_cursor *cursor;
        MDB_val k, v;
        uint8_t bad[400];
        MDB_txn *inner;
        cr_assert_eq(mdb_txn_begin(pl_env_lmdb(env), txn, 0, &inner), 0);
        cr_assert_eq(mdb_cursor_open(inner, pl_env_table(env, tables[i]), &cursor), 0);
        cr_assert_eq(mdb_cursor_get(cursor, &k, &v, MDB_FIRST), 0);
        memcpy(bad, v.mv_data, v.mv_size);
        bad[v.mv_size - 1] ^= 1;
        v.mv_data = bad;
        memcpy(key_bytes, k.mv_data, k.mv_size);
        k.mv_data = key_bytes;
        cr_assert_eq(mdb_cursor_put(cursor, &k, &v, MDB_CURRENT), 0);
        mdb_cursor_close(cursor);
        key = (MDB_val){8, key_bytes};
        cr_assert_eq(mdb_get(inner, pl_env_table(env, PL_O_LINES), &key, &value), 0);
        cr_expect_eq(pl_outbox_line_load(env, inner, &key, &value, &back), PL_E_STORE_DAMAGED, "table %zu",
                     i);
        cr_expect_null(back);
        mdb_txn_abort(inner);
    }
    cr_assert_eq(pl_stretch_del(env, txn, &line, 8), PL_OK);
    cr_assert_eq(pl_life_del(env, txn, &line, 50), PL_OK);
    cr_assert_eq(pl_life_del(env, txn, &line, 50), PL_OK);
    cr_assert_eq(mdb_get(txn, pl_env_table(env, PL_O_LINES), &key, &value), 0);
    cr_expect_eq(pl_outbox_line_load(env, txn, &key, &value, &back), PL_E_STORE_DAMAGED,
                 "a line without a stretch");
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_outbox_tables, a_row_of_fewer_bytes_than_records_is_damaged)
{
    struct pl_env *env = env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct pl_line line = {.link = 1, .number = 2};
    struct pl_held_row row = {.start = {1, 0}, .end = {4, 0}, .bytes = {(const uint8_t *)"\0\0\0", 2}};
    MDB_cursor *cursor;

    put_row(env, txn, &line, &row);
    row.bytes.n = 3;
    row.start.position = 2;
    put_row(env, txn, &line, &row);
    cr_assert_eq(mdb_cursor_open(txn, pl_env_table(env, PL_O_ROWS), &cursor), 0);
    cr_assert_eq(pl_held_seek(cursor, &line, 0, &row), PL_OK);
    cr_expect(row.damaged);
    cr_assert_eq(pl_held_next(cursor, &line, &row), PL_OK);
    cr_expect_not(row.damaged);
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}
