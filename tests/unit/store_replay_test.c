/* A damaged tail of the log at start: the good part is kept, what is missing is counted, nothing is stored
 * over it. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "store/inspect.h"
#include "store/tables.h"
#include "store_help.h"

static uint8_t arena[1 << 16];

/* One commit: `count` records of one stream of link 1, each with `text` in it. */
static void commit_text(struct pl_store *store, uint32_t stream, uint64_t first, const char *text,
                        const struct pl_stream_part *begin)
{
    uint8_t bytes[64];
    struct pl_chunk chunk;
    size_t n = strlen(text);

    pl_chunk_init(&chunk, arena, sizeof arena);
    bytes[0] = (uint8_t)n;
    memcpy(bytes + 1, text, n);
    cr_assert_eq(pl_chunk_append(&chunk, 1, stream, 9, first, (first - 1) * (n + 1), 1,
                                 (struct pl_bytes){bytes, n + 1}, begin),
                 PL_OK);
    cr_assert_eq(help_commit(store, &chunk, 50), PL_OK);
}

/* A store killed with ten commits in its tail: streams 1 and 2 in turn, stream 3 in the last; records
 * "text-0".. */
static const char *killed(char *copy)
{
    const char *dir = help_dir_begin();
    char home[300], text[24];
    struct pl_store *store;

    snprintf(home, sizeof home, "%s/s", dir);
    store = help_store_open(home);
    for (int i = 0; i < 10; i++) {
        uint32_t stream = i == 9 ? 3 : 1 + (uint32_t)i % 2;
        struct pl_stream_part begin = {1, 0, stream, {(const uint8_t *)"name", 4}};
        snprintf(text, sizeof text, "text-%d", i);
        commit_text(store, stream, i == 9 ? 1 : 1 + (uint64_t)i / 2, text, i < 2 || i == 9 ? &begin : NULL);
    }
    sprintf(copy, "%s/k", dir);
    cr_assert(help_copy_dir(home, copy));
    pl_store_close(store);
    unlink(help_path(copy, "lock.mdb"));
    return copy;
}

struct found {
    uint64_t heard[4], lost[4];
    size_t rows, unnamed;
};

static bool note_row(void *ctx, const struct pl_link_info *link, const struct pl_row *row)
{
    struct found *found = ctx;

    (void)link;
    found->rows++;
    found->unnamed += row->birth == 0;
    found->heard[row->stream] = row->heard;
    found->lost[row->stream] = row->lost;
    return true;
}

/* Damages the block that holds `text`, opens, and tells what the streams are then. */
static struct found open_damaged(const char *text, uint64_t *end, char copy[300])
{
    struct found found = {0};
    struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 77, .disk_floor_bytes = 1};
    struct pl_store *store;
    struct pl_reader *reader;
    struct pl_store_status status;
    struct pl_text reason;

    cr_assert_gt(help_damage(killed(copy), text), 0);
    cr_assert_eq(pl_reader_open(copy, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_streams(reader, note_row, &found, NULL), PL_OK);
    pl_reader_close(reader);
    found = (struct found){0};
    cr_assert_eq(pl_store_open(copy, &options, &store, &reason), PL_OK, "%s", reason.s);
    cr_assert_not_null(strstr(reason.s, "set aside"), "%s", reason.s);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_status(reader, &status, NULL), PL_OK);
    cr_expect_eq(status.damaged_blocks, 1);
    cr_expect_not_null(strstr(status.last_damage.s, "fails its checksum"), "%s", status.last_damage.s);
    cr_assert_eq(pl_store_streams(reader, note_row, &found, NULL), PL_OK);
    *end = pl_store_end(store);
    pl_reader_close(reader);
    pl_store_close(store);
    return found;
}

/* Entries of each kind in the log of a store. */
static void count_entries(const char *dir, size_t counts[4])
{
    struct pl_reader *reader;
    struct pl_tail *tail;
    struct pl_tail_entry entry;

    memset(counts, 0, 4 * sizeof *counts);
    cr_assert_eq(pl_reader_open(dir, &reader, NULL), PL_OK);
    cr_assert_eq(pl_tail_open(reader, 0, NULL, &tail), PL_OK);
    while (pl_tail_next(tail, &entry, NULL) == PL_OK) {
        counts[entry.kind]++;
    }
    pl_tail_close(tail);
    pl_reader_close(reader);
}

Test(store_replay, in_the_middle)
{
    char copy[300];
    uint64_t end;
    struct found found = open_damaged("text-4", &end, copy);
    size_t counts[4];

    cr_expect_eq(found.rows, 3);
    cr_expect_eq(found.heard[1], 5);
    cr_expect_eq(found.lost[1], 1);
    cr_expect_eq(found.heard[2], 4);
    cr_expect_eq(found.lost[2], 0);
    cr_expect_eq(end, 10);
    count_entries(copy, counts);
    cr_expect_eq(counts[PL_TAIL_RECORD], 9);
    cr_expect_eq(counts[PL_TAIL_DAMAGED], 1);
    help_dir_end();
}

Test(store_replay, a_streams_last_word)
{
    char copy[300];
    uint64_t end;
    struct found found = open_damaged("text-8", &end, copy);

    cr_expect_eq(found.heard[1], 4);
    cr_expect_eq(found.lost[1], 0);
    cr_expect_eq(found.heard[3], 1);
    help_dir_end();
}

Test(store_replay, a_streams_beginning)
{
    char copy[300];
    uint64_t end;
    struct found found = open_damaged("text-0", &end, copy);

    cr_expect_eq(found.rows, 3);
    cr_expect_eq(found.unnamed, 1);
    cr_expect_eq(found.heard[1], 5);
    cr_expect_eq(found.lost[1], 1);
    help_dir_end();
}

Test(store_replay, the_last_block)
{
    char copy[300];
    uint64_t end;
    struct found found = open_damaged("text-9", &end, copy);
    struct pl_store *store;
    struct pl_stream_part begin = {1, 0, 8, {(const uint8_t *)"name", 4}};
    size_t counts[4];

    cr_expect_eq(found.rows, 2);
    cr_expect_gt(end, 9);
    store = help_store_open(copy);
    cr_expect_eq(pl_store_end(store), end);
    commit_text(store, 3, 1, "after", &begin);
    pl_store_close(store);
    count_entries(copy, counts);
    cr_expect_eq(counts[PL_TAIL_RECORD], 10);
    cr_expect_eq(counts[PL_TAIL_DAMAGED], 1);
    help_dir_end();
}

/* What happened once is not done again: a second start finds the hole and goes on. */
Test(store_replay, killed_again)
{
    char copy[300], again[320];
    uint64_t end;
    struct pl_store *store;
    struct pl_reader *reader;
    struct pl_store_status status;

    open_damaged("text-4", &end, copy);
    snprintf(again, sizeof again, "%s-2", copy);
    cr_assert(help_copy_dir(copy, again));
    unlink(help_path(again, "lock.mdb"));
    store = help_store_open(again);
    commit_text(store, 1, 6, "text-a", NULL);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_status(reader, &status, NULL), PL_OK);
    cr_expect_eq(status.damaged_blocks, 1);
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}

/* Moves the last block of the log to a far position, as a rotten key would; or gives it a key of 3 bytes. */
static void move_last(const char *dir, bool cut)
{
    struct pl_env *env = help_env_open(dir);
    MDB_txn *txn = help_env_begin(env);
    MDB_cursor *cursor;
    MDB_val key, value;
    uint8_t key_bytes[8], block[200];

    cr_assert_eq(mdb_cursor_open(txn, pl_env_table(env, PL_T_LOG), &cursor), 0);
    cr_assert_eq(mdb_cursor_get(cursor, &key, &value, MDB_LAST), 0);
    cr_assert(key.mv_size == sizeof key_bytes && value.mv_size <= sizeof block);
    memcpy(key_bytes, key.mv_data, sizeof key_bytes);
    memcpy(block, value.mv_data, value.mv_size);
    cr_assert_eq(mdb_cursor_del(cursor, 0), 0);
    mdb_cursor_close(cursor);
    key_bytes[0] = 0x18;
    key = (MDB_val){cut ? 3 : sizeof key_bytes, key_bytes};
    value.mv_data = block;
    cr_assert_eq(mdb_put(txn, pl_env_table(env, PL_T_LOG), &key, &value, 0), 0);
    cr_assert_eq(pl_env_commit(env, txn, NULL), PL_OK);
    pl_env_close(env, true);
}

Test(store_replay, rotten_key)
{
    char copy[300];
    struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 77, .disk_floor_bytes = 1};
    struct pl_store *store;
    struct pl_reader *reader;
    struct pl_store_status status;
    struct pl_text reason;
    struct found found = {0};

    killed(copy);
    move_last(copy, false);
    cr_assert_eq(pl_store_open(copy, &options, &store, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_streams(reader, note_row, &found, NULL), PL_OK);
    cr_assert_eq(pl_store_status(reader, &status, NULL), PL_OK);
    cr_expect_eq(status.damaged_blocks, 1, "the block before it is sound");
    cr_expect(found.heard[1] == 5 && found.heard[2] == 4);
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}

Test(store_replay, key_of_another_size)
{
    char copy[300];
    struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 77, .disk_floor_bytes = 1};
    struct pl_store *store;
    struct pl_text reason;

    killed(copy);
    move_last(copy, true);
    cr_expect_eq(pl_store_open(copy, &options, &store, &reason), PL_E_STORE_DAMAGED);
    cr_expect(strstr(reason.s, copy) != NULL, "'%s'", reason.s);
    help_dir_end();
}
