/* The store as a whole: what is committed is there again after closing, killing, sweeping, replaying. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/inspect.h"
#include "store_help.h"

struct seen {
    struct help_model *model;
    size_t rows, wrong;
};

static bool compare_row(void *ctx, const struct pl_link_info *link, const struct pl_row *row)
{
    struct seen *seen = ctx;
    const struct help_stream *stream = &seen->model->streams[(row->link - 1) * 4 + row->stream - 1];

    (void)link;
    seen->rows++;
    seen->wrong += !help_row_equal(&stream->row, row);
    return true;
}

static size_t begun(const struct help_model *model)
{
    size_t n = 0;

    for (size_t i = 0; i < HELP_STREAMS; i++) {
        n += model->streams[i].begun;
    }
    return n;
}

/* The streams as a reader sees them are the model's. */
static void expect_streams(struct pl_reader *reader, struct help_model *model)
{
    struct seen seen = {.model = model};

    cr_assert_eq(pl_store_streams(reader, compare_row, &seen, NULL), PL_OK);
    cr_assert_eq(seen.rows, begun(model), "%zu of %zu rows", seen.rows, begun(model));
    cr_assert_eq(seen.wrong, 0, "%zu rows differ", seen.wrong);
}

/* The checkpointed rows alone, as a resolver reads them. */
static void expect_rows(struct pl_reader *reader, struct help_model *model)
{
    struct pl_rows rows = {0};

    for (size_t i = 0; i < HELP_STREAMS; i++) {
        const struct pl_row *expected = &model->streams[i].row;
        const struct pl_row *row;
        if (model->streams[i].begun) {
            cr_assert_eq(pl_store_rows(reader, expected->link, &rows), PL_OK);
            row = pl_rows_find_birth(&rows, expected->birth);
            cr_assert_not_null(row, "link %u stream %u", expected->link, expected->stream);
            cr_assert(help_row_equal(row, expected));
        }
    }
    pl_rows_free(&rows);
}

/* Reads the whole log and compares every record with what the model gave. Returns records seen. */
static uint64_t expect_log(struct pl_reader *reader)
{
    struct pl_tail *tail;
    struct pl_tail_entry entry;
    uint64_t position = 0;
    uint64_t records = 0;
    uint8_t record[64];

    cr_assert_eq(pl_tail_open(reader, 0, NULL, &tail), PL_OK);
    while (pl_tail_next(tail, &entry, NULL) == PL_OK) {
        cr_assert_eq(entry.position, position);
        position = entry.position_to + 1;
        if (entry.kind == PL_TAIL_RECORD) {
            size_t n = help_record(record, entry.link, entry.stream, entry.number);
            cr_assert_eq(entry.record.n, n - 1);
            cr_assert_arr_eq(entry.record.p, record + 1, n - 1);
            cr_assert_gt(entry.stream_name.n, 0);
            records++;
        } else {
            cr_assert_eq(entry.kind, PL_TAIL_GAP);
        }
    }
    cr_assert_eq(pl_tail_position(tail), position);
    pl_tail_close(tail);
    return records;
}

static void run_commits(struct pl_store *store, struct help_model *model, struct pl_chunk *chunk, int commits)
{
    for (int i = 0; i < commits; i++) {
        uint32_t steps = 1 + help_draw(&model->random, 60);
        struct pl_sweep sweep = {.link = 1 + help_draw(&model->random, HELP_STREAMS / 4)};
        struct pl_chunk *chunks[] = {chunk};
        struct pl_commit commit = {.chunks = chunks, .chunks_n = 1, .sweeps = &sweep, .wall_ms = 5000};
        struct pl_text reason;
        enum pl_error error;
        while (steps-- > 0 && help_model_step(model, chunk)) {}
        commit.sweeps_n = help_draw(&model->random, 4) == 0;
        error = pl_store_commit(store, &commit, &reason);
        cr_assert_eq(error, PL_OK, "%s", reason.s);
        pl_chunk_reset(chunk);
    }
}

/* The directory as a kill would leave it, opened anew: replay gives what memory held. */
static void expect_after_kill(const char *dir, struct help_model *model)
{
    char copy[300];
    struct pl_reader *reader;
    struct pl_store *store;

    snprintf(copy, sizeof copy, "%s/killed-%u", dir, help_draw(&model->random, 1000000));
    cr_assert(help_copy_dir(dir, copy));
    unlink(help_path(copy, "lock.mdb"));
    cr_assert_eq(pl_reader_open(copy, &reader, NULL), PL_OK);
    expect_streams(reader, model);
    pl_reader_close(reader);
    store = help_store_open(copy);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    expect_rows(reader, model);
    expect_streams(reader, model);
    cr_assert_eq(expect_log(reader), model->records);
    pl_reader_close(reader);
    pl_store_close(store);
}

Test(store_store, replay_equals_rows)
{
    static uint8_t arena[1 << 20];
    const char *dir = help_dir_begin();

    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct help_model *model = calloc(1, sizeof *model);
        const char *place = help_path(dir, seed == 1 ? "a" : seed == 2 ? "b" : seed == 3 ? "c" : "d");
        char home[200];
        struct pl_store_options options = {.map_bytes = 64 << 20, .owner = seed, .disk_floor_bytes = 1};
        struct pl_store *store;
        struct pl_reader *reader;
        struct pl_chunk chunk;
        strcpy(home, place);
        /* Bounds so small that the rolling checkpoint is always at work. */
        options.replay_rows_max = seed % 2 ? 40 : 400;
        options.checkpoint_rows = 4;
        model->random.state = seed;
        pl_chunk_init(&chunk, arena, sizeof arena);
        cr_assert_eq(pl_store_open(home, &options, &store, NULL), PL_OK);
        cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
        for (int round = 0; round < 6; round++) {
            run_commits(store, model, &chunk, 25);
            expect_streams(reader, model);
            expect_after_kill(home, model);
        }
        cr_assert_eq(expect_log(reader), model->records);
        pl_reader_close(reader);
        pl_store_close(store);
        cr_assert_eq(pl_reader_open(home, &reader, NULL), PL_OK);
        expect_rows(reader, model);
        pl_reader_close(reader);
        free(model);
    }
    help_dir_end();
}

Test(store_store, replay_is_bounded)
{
    static uint8_t arena[1 << 20];
    const char *dir = help_dir_begin();
    struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 5, .disk_floor_bytes = 1};
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_store *store;
    struct pl_chunk chunk;

    options.replay_rows_max = 200;
    options.checkpoint_rows = 4;
    model->random.state = 99;
    pl_chunk_init(&chunk, arena, sizeof arena);
    cr_assert_eq(pl_store_open(dir, &options, &store, NULL), PL_OK);
    for (int i = 0; i < 300; i++) {
        struct pl_store_load load;
        run_commits(store, model, &chunk, 1);
        pl_store_load(store, &load);
        /* Three quarters of the bound, and a commit of at most 60 rows. */
        cr_assert_leq(load.replay_rows, 200 * 3 / 4 + 60, "%llu", (unsigned long long)load.replay_rows);
        cr_assert_leq(load.dirty_rows, HELP_STREAMS);
    }
    pl_store_close(store);
    free(model);
    help_dir_end();
}

Test(store_store, second_opener_is_refused)
{
    const char *dir = help_dir_begin();
    struct pl_store *store = help_store_open(dir);
    struct pl_store *second;
    struct pl_store_options options = {.map_bytes = 1 << 20, .owner = 7};
    struct pl_text reason;
    char pid[32];

    snprintf(pid, sizeof pid, "process %ld", (long)getpid());
    cr_assert_eq(pl_store_open(dir, &options, &second, &reason), PL_E_BUSY);
    cr_assert_not_null(strstr(reason.s, pid), "%s", reason.s);
    cr_assert_null(second);
    pl_store_close(store);
    pl_store_close(help_store_open(dir));
    options.owner = 0;
    cr_assert_eq(pl_store_open(dir, &options, &second, &reason), PL_E_USAGE);
    help_dir_end();
}
