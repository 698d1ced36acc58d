/* The log read: from any position, filtered, followed beside the writer. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "store/inspect.h"
#include "store/tables.h"
#include "store_help.h"

static uint8_t arena[1 << 20];

static void commit_steps(struct pl_store *store, struct help_model *model, int steps)
{
    struct pl_chunk chunk;

    pl_chunk_init(&chunk, arena, sizeof arena);
    while (steps-- > 0 && help_model_step(model, &chunk)) {}
    cr_assert_eq(help_commit(store, &chunk, 77), PL_OK);
}

static void import_links(struct pl_store *store)
{
    static char names[HELP_STREAMS / 4][8];
    struct pl_allowed list[HELP_STREAMS / 4];

    for (uint32_t i = 0; i < HELP_STREAMS / 4; i++) {
        int n = snprintf(names[i], sizeof names[i], "dev%u", i + 1);
        list[i] = (struct pl_allowed){{(const uint8_t *)names[i], (size_t)n}, {(uint8_t)(i + 1)}, i};
    }
    cr_assert_eq(pl_store_import(store, list, HELP_STREAMS / 4, (struct pl_bytes){0}, 1, NULL), PL_OK);
}

Test(store_tail, from_every_position)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_reader *reader;
    struct pl_tail *tail;
    struct pl_tail_entry entry;
    uint64_t end;

    import_links(store);
    for (int i = 0; i < 5; i++) {
        commit_steps(store, model, 20);
    }
    end = pl_store_end(store);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    for (uint64_t from = 0; from < end + 2; from++) {
        uint64_t position = from;
        cr_assert_eq(pl_tail_open(reader, from, NULL, &tail), PL_OK);
        for (int i = 0; i < 40 && pl_tail_next(tail, &entry, NULL) == PL_OK; i++) {
            char name[24];
            cr_assert_eq(entry.position, position);
            cr_assert_eq(entry.wall_ms, 77);
            snprintf(name, sizeof name, "stream-%u", entry.stream);
            cr_assert_eq(entry.stream_name.n, strlen(name));
            cr_assert_arr_eq(entry.stream_name.p, name, strlen(name));
            snprintf(name, sizeof name, "dev%u", entry.link);
            cr_assert_eq(entry.link_name.n, strlen(name));
            cr_assert_arr_eq(entry.link_name.p, name, strlen(name));
            position = entry.position_to + 1;
            cr_assert_eq(pl_tail_position(tail), position);
        }
        pl_tail_close(tail);
    }
    pl_reader_close(reader);
    pl_store_close(store);
    free(model);
    help_dir_end();
}

Test(store_tail, filtered)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_tail_filter filter = {{(const uint8_t *)"dev3", 4}, {(const uint8_t *)"stream-2", 8}};
    struct pl_reader *reader;
    uint64_t expected = 0;

    import_links(store);
    for (int i = 0; i < 10; i++) {
        commit_steps(store, model, 100);
    }
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    for (int which = 0; which < 4; which++) {
        struct pl_tail_filter some = {which & 1 ? filter.link_name : (struct pl_bytes){0},
                                      which & 2 ? filter.stream_name : (struct pl_bytes){0}};
        struct pl_tail *tail;
        struct pl_tail_entry entry;
        uint64_t records = 0;
        expected = 0;
        for (size_t i = 0; i < HELP_STREAMS; i++) {
            const struct pl_row *row = &model->streams[i].row;
            bool wanted = (!(which & 1) || row->link == 3) && (!(which & 2) || row->stream == 2);
            expected += wanted ? row->records : 0;
        }
        cr_assert_eq(pl_tail_open(reader, 0, &some, &tail), PL_OK);
        while (pl_tail_next(tail, &entry, NULL) == PL_OK) {
            records += entry.kind == PL_TAIL_RECORD;
        }
        cr_expect_eq(records, expected, "filter %d", which);
        cr_expect_eq(pl_tail_position(tail), pl_store_end(store));
        pl_tail_close(tail);
    }
    pl_reader_close(reader);
    pl_store_close(store);
    free(model);
    help_dir_end();
}

Test(store_tail, followed_beside_the_writer)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_reader *reader;
    struct pl_tail *tail;
    struct pl_tail_entry entry;
    uint64_t records = 0;
    uint64_t position = 0;

    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_tail_open(reader, 0, NULL, &tail), PL_OK);
    cr_assert_eq(pl_tail_next(tail, &entry, NULL), PL_E_AGAIN);
    for (int i = 0; i < 200; i++) {
        uint64_t end;
        /* Some rounds commit several times before the reader looks, some nothing. */
        for (uint32_t k = help_draw(&model->random, 3); k > 0; k--) {
            commit_steps(store, model, 1 + (int)help_draw(&model->random, 30));
        }
        while (pl_tail_next(tail, &entry, NULL) == PL_OK) {
            cr_assert_eq(entry.position, position++);
            cr_assert_gt(entry.stream_name.n, 0);
            records += entry.kind == PL_TAIL_RECORD;
        }
        cr_assert_eq(pl_reader_end(reader, &end), PL_OK);
        cr_assert_eq(position, end);
    }
    cr_expect_eq(records, model->records);
    pl_tail_close(tail);
    pl_reader_close(reader);
    pl_store_close(store);
    free(model);
    help_dir_end();
}

/* A record whose size does not fit its row: told as damage, the rest goes on. */
Test(store_tail, bad_framing_is_passed_over)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct pl_stream_part begin = {1, 0, 1, {(const uint8_t *)"s", 1}};
    struct pl_chunk chunk;
    struct pl_reader *reader;
    struct pl_tail *tail;
    struct pl_tail_entry entry;

    pl_chunk_init(&chunk, arena, sizeof arena);
    cr_assert_eq(
        pl_chunk_append(&chunk, 1, 1, 5, 1, 0, 3, (struct pl_bytes){(const uint8_t *)"\1a\x09zz", 5}, &begin),
        PL_OK);
    cr_assert_eq(
        pl_chunk_append(&chunk, 1, 2, 5, 1, 0, 1, (struct pl_bytes){(const uint8_t *)"\1b", 2}, &begin),
        PL_OK);
    cr_assert_eq(help_commit(store, &chunk, 1), PL_OK);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_tail_open(reader, 0, NULL, &tail), PL_OK);
    cr_assert_eq(pl_tail_next(tail, &entry, NULL), PL_OK);
    cr_expect_eq(entry.record.n, 1);
    cr_assert_eq(pl_tail_next(tail, &entry, NULL), PL_OK);
    cr_expect_eq(entry.kind, PL_TAIL_DAMAGED);
    cr_expect_eq(entry.position, 1);
    cr_expect_eq(entry.position_to, 2);
    cr_assert_eq(pl_tail_next(tail, &entry, NULL), PL_OK);
    cr_expect_eq(entry.kind, PL_TAIL_RECORD);
    cr_expect_eq(entry.position, 3);
    cr_expect_eq(entry.record.p[0], 'b');
    cr_expect_eq(pl_tail_next(tail, &entry, NULL), PL_E_AGAIN);
    pl_tail_close(tail);
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}

Test(store_tail, what_cannot_be_read_says_why)
{
    const char *dir = help_dir_begin();
    struct pl_env *env = help_env_open(dir);
    MDB_txn *txn = help_env_begin(env);
    MDB_val key = {3, (void *)"key"}, value = {3, (void *)"row"};
    struct pl_reader *reader;
    struct pl_tail *tail;
    struct pl_tail_entry entry;
    struct pl_text reason = {""};

    cr_assert_eq(mdb_put(txn, pl_env_table(env, PL_T_LOG), &key, &value, 0), 0);
    cr_assert_eq(pl_env_commit(env, txn, NULL), PL_OK);
    pl_env_close(env, true);
    cr_assert_eq(pl_reader_open(dir, &reader, NULL), PL_OK);
    cr_assert_eq(pl_tail_open(reader, 0, NULL, &tail), PL_OK);
    cr_expect_eq(pl_tail_next(tail, &entry, &reason), PL_E_STORE_DAMAGED);
    cr_expect(strstr(reason.s, dir) != NULL, "'%s'", reason.s);
    pl_tail_close(tail);
    pl_reader_close(reader);
    help_dir_end();
}
