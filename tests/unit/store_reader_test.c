/* Readers: beside the writer, in other threads, in other processes. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/inspect.h"
#include "store_help.h"

static uint8_t arena[1 << 16];

Test(store_reader, nothing_there)
{
    const char *dir = help_dir_begin();
    struct pl_reader *reader;
    struct pl_text reason;

    cr_expect_eq(pl_reader_open(dir, &reader, &reason), PL_E_NOT_FOUND);
    cr_expect_not_null(strstr(reason.s, dir), "%s", reason.s);
    cr_expect_null(reader);
    cr_expect_eq(pl_reader_open(help_path(dir, "no"), &reader, &reason), PL_E_NOT_FOUND);
    cr_expect_eq(access(help_path(dir, "data.mdb"), F_OK), -1, "reading makes nothing");
    pl_reader_close(NULL);
    help_dir_end();
}

Test(store_reader, too_many_are_refused)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct pl_reader *readers[200];
    enum pl_error error = PL_OK;
    size_t n = 0;

    while (n < 200 && (error = pl_reader_of(store, &readers[n], NULL)) == PL_OK) {
        n++;
    }
    cr_expect_eq(error, PL_E_LIMIT);
    cr_expect_gt(n, 100);
    while (n > 0) {
        pl_reader_close(readers[--n]);
    }
    cr_expect_eq(pl_reader_of(store, &readers[0], NULL), PL_OK);
    pl_reader_close(readers[0]);
    pl_store_close(store);
    help_dir_end();
}

struct work {
    struct pl_store *store;
    atomic_bool stop;
    size_t looked, wrong;
};

/* Looks up what the writer keeps changing: each answer must be one commit's, never half of one. */
static void *look(void *arg)
{
    struct work *work = arg;
    struct pl_reader *reader;
    struct pl_rows rows = {0};

    if (pl_reader_of(work->store, &reader, NULL) != PL_OK) {
        work->wrong++;
        return NULL;
    }
    while (!work->stop || work->looked == 0) {
        work->wrong += pl_store_rows(reader, 1, &rows) != PL_OK;
        work->wrong += rows.n == 2 && rows.p[0].heard != rows.p[1].heard;
        work->looked++;
    }
    pl_rows_free(&rows);
    pl_reader_close(reader);
    return NULL;
}

Test(store_reader, snapshots_are_whole)
{
    struct work work = {.store = help_store_open(help_dir_begin())};
    struct pl_chunk chunk;
    struct pl_chunk *chunks[] = {&chunk};
    struct pl_sweep sweep = {.link = 1};
    struct pl_commit commit = {.chunks = chunks, .chunks_n = 1, .sweeps = &sweep, .sweeps_n = 1};
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, look, &work), 0);
    pl_chunk_init(&chunk, arena, sizeof arena);
    for (uint64_t number = 1; number <= 200; number++) {
        for (uint32_t stream = 1; stream <= 2; stream++) {
            struct pl_stream_part begin = {1, 0, stream, {(const uint8_t *)"s", 1}};
            cr_assert_eq(pl_chunk_append(&chunk, 1, stream, 5, number, number - 1, 1,
                                         (struct pl_bytes){(const uint8_t *)"", 1},
                                         number == 1 ? &begin : NULL),
                         PL_OK);
        }
        cr_assert_eq(pl_store_commit(work.store, &commit, NULL), PL_OK);
        pl_chunk_reset(&chunk);
    }
    work.stop = true;
    pthread_join(thread, NULL);
    cr_expect_eq(work.wrong, 0);
    cr_expect_gt(work.looked, 0);
    pl_store_close(work.store);
    help_dir_end();
}

/* Another process reads while this one writes. */
Test(store_reader, another_process)
{
    const char *dir = help_dir_begin();
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_store *store;
    struct pl_chunk chunk;
    int ready[2], go[2], status;
    uint64_t end = 0;
    pid_t child;

    cr_assert(pipe(ready) == 0 && pipe(go) == 0);
    child = fork();
    if (child == 0) {
        struct pl_reader *reader;
        uint64_t seen = 0;
        enum pl_error error;
        if (read(go[0], &end, 8) != 8 || pl_reader_open(dir, &reader, NULL) != PL_OK) {
            _exit(1);
        }
        do {
            error = pl_reader_end(reader, &seen);
            if (error != PL_OK || seen != end || write(ready[1], "x", 1) != 1) {
                _exit(2);
            }
        } while (read(go[0], &end, 8) == 8 && end != 0);
        pl_reader_close(reader);
        _exit(0);
    }
    /* So that a child that died is noticed. */
    close(ready[1]);
    store = help_store_open(dir);
    pl_chunk_init(&chunk, arena, sizeof arena);
    for (int i = 0; i < 20; i++) {
        char byte;
        help_model_step(model, &chunk);
        cr_assert_eq(help_commit(store, &chunk, 1), PL_OK);
        pl_chunk_reset(&chunk);
        end = pl_store_end(store);
        cr_assert_eq(write(go[1], &end, 8), 8);
        if (read(ready[0], &byte, 1) != 1) {
            break;
        }
    }
    end = 0;
    cr_assert_eq(write(go[1], &end, 8), 8);
    waitpid(child, &status, 0);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
    pl_store_close(store);
    free(model);
    help_dir_end();
}
