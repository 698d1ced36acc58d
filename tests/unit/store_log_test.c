/* The log table: found by position, whatever stands before or after. */
#include <criterion/criterion.h>
#include <string.h>

#include "store/log.h"
#include "store/tables.h"
#include "store_help.h"

/* Puts a block of `count` records at `position`. */
static void put(struct pl_env *env, MDB_txn *txn, uint64_t position, uint32_t count)
{
    static uint8_t arena[8192];
    uint8_t bytes[64] = {0};
    struct pl_chunk chunk;

    pl_chunk_init(&chunk, arena, sizeof arena);
    cr_assert_eq(pl_chunk_append(&chunk, 1, 1, 1, position + 1, position, count,
                                 (struct pl_bytes){bytes, count}, NULL),
                 PL_OK);
    pl_block_seal(arena, chunk.used_bytes, position, 1000 + position);
    cr_assert_eq(pl_log_put(env, txn, position, (struct pl_bytes){arena, chunk.used_bytes}), PL_OK);
}

static MDB_cursor *cursor_of(struct pl_env *env, MDB_txn *txn)
{
    MDB_cursor *cursor;

    cr_assert_eq(mdb_cursor_open(txn, pl_env_table(env, PL_T_LOG), &cursor), 0);
    return cursor;
}

Test(store_log, seeking)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    MDB_cursor *cursor = cursor_of(env, txn);
    struct pl_log_ends ends;
    struct pl_found_block found;
    static const struct {
        uint64_t position, at, next;
        enum pl_error error;
    } cases[] = {{0, 10, 15, PL_OK},         {10, 10, 15, PL_OK},         {14, 10, 15, PL_OK},
                 {15, 15, 16, PL_OK},        {16, 16, 36, PL_OK},         {35, 16, 36, PL_OK},
                 {36, 0, 0, PL_E_NOT_FOUND}, {1000, 0, 0, PL_E_NOT_FOUND}};

    cr_expect_eq(pl_log_seek(cursor, 0, &found), PL_E_NOT_FOUND);
    cr_assert_eq(pl_log_ends(env, txn, &ends), PL_OK);
    cr_expect(ends.first == 0 && ends.end == 0 && ends.last_ms == 0);
    put(env, txn, 10, 5);
    put(env, txn, 15, 1);
    put(env, txn, 16, 20);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(pl_log_seek(cursor, cases[i].position, &found), cases[i].error, "case %zu", i);
        if (cases[i].error == PL_OK) {
            cr_expect_eq(found.position, cases[i].at, "case %zu", i);
            cr_expect_eq(found.next_position, cases[i].next, "case %zu", i);
            cr_expect_eq(found.last, cases[i].at == 16, "case %zu", i);
        }
    }
    cr_assert_eq(pl_log_seek(cursor, 0, &found), PL_OK);
    cr_assert_eq(pl_log_next(cursor, &found), PL_OK);
    cr_expect_eq(found.position, 15);
    cr_assert_eq(pl_log_next(cursor, &found), PL_OK);
    cr_expect_eq(found.position, 16);
    cr_expect_eq(pl_log_next(cursor, &found), PL_E_NOT_FOUND);
    cr_assert_eq(pl_log_ends(env, txn, &ends), PL_OK);
    cr_expect_eq(ends.first, 10);
    cr_expect_eq(ends.end, 36);
    cr_expect_eq(ends.last_ms, 1016);
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_log, a_block_set_aside_leaves_a_hole)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    MDB_cursor *cursor;
    struct pl_found_block found;
    struct pl_log_ends ends;
    struct pl_block block;
    uint64_t count;
    MDB_stat stat;

    put(env, txn, 0, 5);
    put(env, txn, 5, 3);
    for (uint64_t position = 0; position <= 5; position += 5) {
        cursor = cursor_of(env, txn);
        cr_assert_eq(pl_log_seek(cursor, position, &found), PL_OK);
        cr_assert_eq(pl_log_set_aside(env, txn, &found, 99), PL_OK);
        mdb_cursor_close(cursor);
    }
    cursor = cursor_of(env, txn);
    cr_assert_eq(pl_log_seek(cursor, 0, &found), PL_OK);
    cr_assert_eq(pl_block_open(found.bytes, 0, &block), PL_OK);
    cr_expect_eq(block.rows, 0);
    cr_expect_eq(block.span, 5);
    cr_assert_eq(pl_log_next(cursor, &found), PL_OK);
    cr_expect_eq(found.position, 5);
    mdb_cursor_close(cursor);
    /* Of the last block the span is not believed: what follows must not take a position twice. */
    cr_assert_eq(pl_log_ends(env, txn, &ends), PL_OK);
    cr_expect_geq(ends.end, 8);
    cr_assert_eq(pl_meta_get_u64(env, txn, "damaged", &count), PL_OK);
    cr_expect_eq(count, 2);
    cr_assert_eq(mdb_stat(txn, pl_env_table(env, PL_T_DAMAGED), &stat), 0);
    cr_expect_eq(stat.ms_entries, 2);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}
