/* The rolling checkpoint keeps a start short, whatever the traffic. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/inspect.h"
#include "store/store_state.h"
#include "store_help.h"

static uint8_t arena[1 << 20];

/* Commits of one record each for `streams` streams in turn, `per_commit` of them. The largest load seen. */
static struct pl_store_load run(struct pl_store *store, uint32_t streams, uint32_t per_commit, int commits)
{
    uint64_t *numbers = calloc(streams, sizeof *numbers);
    struct pl_store_load worst = {0};
    struct pl_chunk chunk;
    uint32_t next = 0;

    pl_chunk_init(&chunk, arena, sizeof arena);
    for (int i = 0; i < commits; i++) {
        struct pl_store_load load;
        for (uint32_t k = 0; k < per_commit; k++, next = (next + 1) % streams) {
            uint64_t number = ++numbers[next];
            struct pl_stream_part begin = {1, 0, next + 1, {(const uint8_t *)"s", 1}};
            cr_assert_eq(pl_chunk_append(&chunk, next + 1, 1, 7, number, 10 * (number - 1), 1,
                                         (struct pl_bytes){arena + sizeof arena - 10, 10},
                                         number == 1 ? &begin : NULL),
                         PL_OK);
        }
        cr_assert_eq(help_commit(store, &chunk, 1), PL_OK);
        pl_chunk_reset(&chunk);
        pl_store_load(store, &load);
        worst.dirty_rows = load.dirty_rows > worst.dirty_rows ? load.dirty_rows : worst.dirty_rows;
        worst.replay_rows = load.replay_rows > worst.replay_rows ? load.replay_rows : worst.replay_rows;
        worst.replay_bytes = load.replay_bytes > worst.replay_bytes ? load.replay_bytes : worst.replay_bytes;
    }
    free(numbers);
    return worst;
}

Test(store_checkpoint, few_streams_or_many)
{
    static const struct {
        uint32_t streams, per_commit;
    } cases[] = {{1, 100}, {5000, 100}, {5000, 3}, {300, 300}, {5000, 2000}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pl_store_options options = {.map_bytes = 256 << 20, .owner = 3, .disk_floor_bytes = 1};
        struct pl_store *store;
        struct pl_store_load worst;
        options.replay_rows_max = 1000;
        options.checkpoint_rows = 16;
        cr_assert_eq(pl_store_open(help_dir_begin(), &options, &store, NULL), PL_OK);
        worst = run(store, cases[i].streams, cases[i].per_commit, 60);
        cr_expect_leq(worst.replay_rows, 750 + cases[i].per_commit, "case %zu: %llu rows", i,
                      (unsigned long long)worst.replay_rows);
        cr_expect_leq(worst.dirty_rows, 750 + cases[i].per_commit, "case %zu: %zu dirty", i,
                      worst.dirty_rows);
        cr_assert_eq(pl_checkpoint_all(store, NULL), PL_OK);
        cr_expect_eq(store->overlay.n, 0);
        cr_expect_eq(store->checkpoint.position, store->end.position);
        pl_store_close(store);
        help_dir_end();
    }
}

enum { KILLED_STREAMS = 40, KILLED_PER_COMMIT = 3 };

static bool note_heard(void *ctx, const struct pl_link_info *link, const struct pl_row *row)
{
    uint64_t *heard = ctx;

    (void)link;
    cr_assert_lt(row->link, KILLED_STREAMS + 1);
    heard[row->link] = row->heard;
    return true;
}

/* What a store killed after so many commits knows of each link when it is opened again. */
static void heard_after_kill(int commits, uint64_t heard[KILLED_STREAMS + 1])
{
    struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 3, .disk_floor_bytes = 1};
    char home[300], copy[300];
    const char *dir = help_dir_begin();
    struct pl_store *store;
    struct pl_reader *reader;

    options.replay_rows_max = 50;
    options.checkpoint_rows = 4;
    snprintf(home, sizeof home, "%s/home", dir);
    snprintf(copy, sizeof copy, "%s/copy", dir);
    cr_assert_eq(pl_store_open(home, &options, &store, NULL), PL_OK);
    run(store, KILLED_STREAMS, KILLED_PER_COMMIT, commits);
    cr_assert(help_copy_dir(home, copy));
    pl_store_close(store);
    unlink(help_path(copy, "lock.mdb"));
    options.owner = 4;
    cr_assert_eq(pl_store_open(copy, &options, &store, NULL), PL_OK);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_streams(reader, note_heard, heard, NULL), PL_OK);
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}

Test(store_checkpoint, a_kill_after_any_commit_forgets_nothing)
{
    for (int commits = 5; commits <= 60; commits += 11) {
        uint64_t heard[KILLED_STREAMS + 1] = {0};
        int records = commits * KILLED_PER_COMMIT;

        heard_after_kill(commits, heard);
        for (int link = 1; link <= KILLED_STREAMS; link++) {
            int last = records / KILLED_STREAMS + (link <= records % KILLED_STREAMS);
            cr_expect_eq(heard[link], (uint64_t)last, "%d commits, link %d: %llu of %d", commits, link,
                         (unsigned long long)heard[link], last);
        }
    }
}
