/* A commit is all or nothing, and can be repeated as it is. */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/inspect.h"
#include "store/store_state.h"
#include "store_help.h"

static uint8_t arena[1 << 20];

static bool check_row(void *ctx, const struct pl_link_info *link, const struct pl_row *row)
{
    struct help_model *model = ctx;

    (void)link;
    cr_assert(help_row_equal(row, &model->streams[(row->link - 1) * 4 + row->stream - 1].row));
    return true;
}

static void fill(struct help_model *model, struct pl_chunk *chunk, int steps)
{
    pl_chunk_reset(chunk);
    while (steps-- > 0 && help_model_step(model, chunk)) {}
}

Test(store_commit, a_full_map_leaves_nothing_and_can_be_repeated)
{
    struct pl_store_options options = {.map_bytes = 1 << 20, .owner = 3, .disk_floor_bytes = 1};
    const char *dir = help_dir_begin();
    struct help_model *model = calloc(1, sizeof *model);
    struct help_model before;
    struct pl_store *store;
    struct pl_reader *reader;
    struct pl_chunk chunk;
    struct pl_text reason;
    enum pl_error error;
    size_t deleted;
    uint64_t end;

    pl_chunk_init(&chunk, arena, sizeof arena);
    cr_assert_eq(pl_store_open(dir, &options, &store, NULL), PL_OK);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    do {
        before = *model;
        end = pl_store_end(store);
        fill(model, &chunk, 300);
        struct pl_chunk *chunks[] = {&chunk};
        struct pl_commit commit = {.chunks = chunks, .chunks_n = 1, .wall_ms = 5};
        error = pl_store_commit(store, &commit, &reason);
    } while (error == PL_OK);
    cr_assert_eq(error, PL_E_STORE_FULL);
    cr_expect_neq(reason.s[0], 0);
    cr_expect_eq(pl_store_end(store), end);
    cr_assert_eq(pl_store_streams(reader, check_row, &before, NULL), PL_OK);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(help_commit(store, &chunk, 6), PL_E_STORE_FULL);
    }
    /* Trims have their reserve; then the same chunk goes in. */
    cr_assert_eq(pl_store_trim(store, UINT64_MAX, 5, &deleted, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_store_trim(store, UINT64_MAX, 1000, &deleted, &reason), PL_OK, "%s", reason.s);
    cr_expect_gt(deleted, 0);
    cr_assert_eq(help_commit(store, &chunk, 7), PL_OK);
    cr_assert_eq(chunk.first_position, end);
    cr_assert_eq(pl_store_streams(reader, check_row, model, NULL), PL_OK);
    pl_reader_close(reader);
    pl_store_close(store);
    free(model);
    help_dir_end();
}

Test(store_commit, a_failing_disk)
{
    static const struct {
        int number;
        enum pl_error error, again;
    } cases[] = {{ENOSPC, PL_E_STORE_FULL, PL_OK}, {EIO, PL_E_IO, PL_E_IO}};
    for (size_t i = 0; i < 2; i++) {
        const char *dir = help_dir_begin();
        struct help_model *model = calloc(1, sizeof *model);
        struct pl_store *store = help_store_open(dir);
        struct pl_reader *reader;
        struct pl_chunk chunk;
        uint64_t end;
        pl_chunk_init(&chunk, arena, sizeof arena);
        fill(model, &chunk, 50);
        cr_assert_eq(help_commit(store, &chunk, 5), PL_OK);
        end = pl_store_end(store);
        fill(model, &chunk, 50);
        help_sync_errno = cases[i].number;
        cr_expect_eq(help_commit(store, &chunk, 5), cases[i].error);
        cr_expect_eq(pl_store_end(store), end);
        cr_expect_eq(help_commit(store, &chunk, 5), cases[i].again);
        if (cases[i].again != PL_OK) {
            pl_store_close(store);
            store = help_store_open(dir);
            cr_expect_eq(pl_store_end(store), end);
            cr_expect_eq(help_commit(store, &chunk, 5), PL_OK);
        }
        cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
        cr_assert_eq(pl_store_streams(reader, check_row, model, NULL), PL_OK);
        pl_reader_close(reader);
        pl_store_close(store);
        free(model);
        help_dir_end();
    }
}

Test(store_commit, what_does_not_follow_is_refused_whole)
{
    const char *dir = help_dir_begin();
    struct pl_store *store = help_store_open(dir);
    struct pl_stream_part begin = {1, 0, 5, {(const uint8_t *)"s", 1}};
    struct pl_bytes bytes = {(const uint8_t *)"\0\0", 2};
    struct pl_chunk good, bad;
    struct pl_chunk *chunks[] = {&good, &bad};
    struct pl_commit commit = {.chunks = chunks, .chunks_n = 2, .wall_ms = 5};
    struct pl_text reason;

    pl_chunk_init(&good, arena, 8192);
    pl_chunk_init(&bad, arena + 8192, 8192);
    cr_assert_eq(pl_chunk_append(&good, 1, 1, 9, 1, 0, 2, bytes, &begin), PL_OK);
    cr_assert_eq(pl_chunk_append(&bad, 1, 1, 9, 2, 1, 2, bytes, NULL), PL_OK);
    cr_expect_eq(pl_store_commit(store, &commit, &reason), PL_E_INTERNAL);
    cr_expect_not_null(strstr(reason.s, "not the next number"), "%s", reason.s);
    cr_expect_eq(pl_store_end(store), 0);
    pl_chunk_reset(&bad);
    cr_assert_eq(pl_chunk_append(&bad, 2, 1, 9, 1, 0, 2, bytes, NULL), PL_OK);
    cr_expect_eq(pl_store_commit(store, &commit, &reason), PL_E_INTERNAL);
    cr_expect_not_null(strstr(reason.s, "never begun"), "%s", reason.s);
    commit.chunks_n = 1;
    cr_expect_eq(pl_store_commit(store, &commit, &reason), PL_OK, "%s", reason.s);
    cr_expect_eq(pl_store_end(store), 2);
    pl_store_close(store);
    help_dir_end();
}

/* A process that is killed with a snapshot in its hands. */
static void killed_reader(const char *dir)
{
    MDB_env *env;
    MDB_txn *txn;
    int status;
    pid_t child = fork();

    if (child == 0) {
        bool reading = mdb_env_create(&env) == 0 && mdb_env_open(env, dir, MDB_RDONLY, 0) == 0 &&
                       mdb_txn_begin(env, NULL, MDB_RDONLY, &txn) == 0;
        kill(getpid(), reading ? SIGKILL : SIGABRT);
    }
    cr_assert_gt(child, 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static int count_line(const char *line, void *ctx)
{
    unsigned *slots = ctx;
    unsigned pid;

    *slots += sscanf(line, "%u", &pid) == 1;
    return 0;
}

static unsigned reader_slots(struct pl_store *store)
{
    unsigned slots = 0;

    cr_assert_geq(mdb_reader_list(pl_env_lmdb(store->env), count_line, &slots), 0);
    return slots;
}

Test(store_commit, killed_readers_are_forgotten_by_a_store_that_stays_open)
{
    static uint8_t small_arena[8192];
    const char *dir = help_dir_begin();
    struct pl_store *store = help_store_open(dir);
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_chunk chunk;
    unsigned slots = reader_slots(store);

    pl_chunk_init(&chunk, small_arena, sizeof small_arena);
    for (unsigned i = 0; i < 5; i++) {
        killed_reader(dir);
    }
    cr_assert_eq(reader_slots(store), slots + 5);
    for (unsigned i = 0; i < 16; i++) {
        pl_chunk_reset(&chunk);
        cr_assert(help_model_step(model, &chunk));
        cr_assert_eq(help_commit(store, &chunk, 5), PL_OK);
    }
    cr_expect_eq(reader_slots(store), slots);
    pl_store_close(store);
    free(model);
    help_dir_end();
}

Test(store_commit, sweep_and_nothing)
{
    const char *dir = help_dir_begin();
    struct pl_store *store = help_store_open(dir);
    const struct pl_allowed entry = {{(const uint8_t *)"peer", 4}, {1}, 7};
    struct pl_sweep sweep = {.link = 1, .address_size = 3, .address = "abc"};
    struct pl_commit nothing = {.wall_ms = 5};
    struct pl_commit commit = {.sweeps = &sweep, .sweeps_n = 1};
    struct pl_reader *reader;
    struct pl_link_info info;

    cr_assert_eq(pl_store_import(store, &entry, 1, (struct pl_bytes){0}, 1, NULL), PL_OK);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_expect_eq(pl_store_commit(store, &nothing, NULL), PL_OK);
    cr_expect_eq(pl_store_commit(store, &commit, NULL), PL_OK);
    cr_expect_eq(pl_store_link(reader, 1, &info), PL_OK);
    cr_expect_eq(info.address_size, 3);
    cr_expect_arr_eq(info.address, "abc", 3);
    sweep.link = 99;
    cr_expect_eq(pl_store_commit(store, &commit, NULL), PL_OK,
                 "a link never imported has no address to keep");
    sweep.link = 1;
    sweep.address_size = 0;
    cr_expect_eq(pl_store_commit(store, &commit, NULL), PL_OK);
    cr_expect_eq(pl_store_link(reader, 1, &info), PL_OK);
    cr_expect_eq(info.address_size, 3, "0 leaves it as it was");
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}

Test(store_commit, a_record_of_a_mebibyte_and_one_of_nothing)
{
    static uint8_t large_arena[3 << 20];
    uint8_t *bytes = malloc(1 + 4 + (1 << 20));
    const char *dir = help_dir_begin();
    struct pl_store *store = help_store_open(dir);
    struct pl_stream_part begin = {1, 0, 5, {(const uint8_t *)"s", 1}};
    struct pl_reader *reader;
    struct pl_tail *tail;
    struct pl_tail_entry entry;
    struct pl_chunk chunk;

    pl_chunk_init(&chunk, large_arena, sizeof large_arena);
    memset(bytes, 'x', 5 + (1 << 20));
    memcpy(bytes, "\0\x80\x10\0\0", 5);
    cr_assert_eq(pl_chunk_append(&chunk, 1, 1, 9, 1, 0, 2, (struct pl_bytes){bytes, 5 + (1 << 20)}, &begin),
                 PL_OK);
    cr_assert_eq(help_commit(store, &chunk, 5), PL_OK);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_tail_open(reader, 0, NULL, &tail), PL_OK);
    cr_assert_eq(pl_tail_next(tail, &entry, NULL), PL_OK);
    cr_expect_eq(entry.record.n, 0);
    cr_assert_eq(pl_tail_next(tail, &entry, NULL), PL_OK);
    cr_expect_eq(entry.record.n, 1 << 20);
    cr_expect_eq(memcmp(entry.record.p, bytes + 5, 1 << 20), 0);
    cr_expect_eq(pl_tail_next(tail, &entry, NULL), PL_E_AGAIN);
    pl_tail_close(tail);
    pl_reader_close(reader);
    pl_store_close(store);
    free(bytes);
    help_dir_end();
}
