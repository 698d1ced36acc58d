/* Status: what it counts, and that walks stop when told. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/inspect.h"
#include "store_help.h"

static uint8_t arena[1 << 16];

struct walk {
    size_t n, stop_at;
    uint64_t last;
    size_t named;
};

static bool each_stream(void *ctx, const struct pl_link_info *link, const struct pl_row *row)
{
    struct walk *walk = ctx;
    uint64_t key = (uint64_t)row->link << 32 | row->stream;

    cr_assert_gt(key, walk->last, "in order");
    cr_assert_eq(link->link, row->link);
    walk->last = key;
    walk->named += link->name_size > 0;
    return ++walk->n != walk->stop_at;
}

static bool each_link(void *ctx, const struct pl_link_info *link)
{
    struct walk *walk = ctx;

    cr_assert_gt(link->link, walk->last);
    walk->last = link->link;
    walk->named += link->allowed;
    return ++walk->n != walk->stop_at;
}

Test(store_inspect, counts_and_walks)
{
    struct pl_store_options options = {
        .map_bytes = 64 << 20, .owner = 4, .disk_floor_bytes = 1, .wall_ms = 1234};
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_allowed list[3] = {{{(const uint8_t *)"a", 1}, {1}, 1},
                                 {{(const uint8_t *)"b", 1}, {2}, 1},
                                 {{(const uint8_t *)"c", 1}, {3}, 2}};
    struct pl_store *store;
    struct pl_store_status status;
    struct pl_reader *reader;
    struct pl_chunk chunk;

    memcpy(options.store_id, "sixteen bytes id", 16);
    options.replay_rows_max = 100;
    const char *dir = help_dir_begin();
    cr_assert_eq(pl_store_open(dir, &options, &store, NULL), PL_OK);
    cr_assert_eq(pl_store_import(store, list, 3, (struct pl_bytes){0}, 1, NULL), PL_OK);
    cr_assert_eq(pl_store_import(store, list, 2, (struct pl_bytes){0}, 1, NULL), PL_OK);
    pl_chunk_init(&chunk, arena, sizeof arena);
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 10; k++) {
            help_model_step(model, &chunk);
        }
        cr_assert_eq(help_commit(store, &chunk, 9000 + (uint64_t)i), PL_OK);
        pl_chunk_reset(&chunk);
    }
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_status(reader, &status, NULL), PL_OK);
    cr_expect_arr_eq(status.store_id, options.store_id, 16);
    cr_expect_eq(status.owner_pid, (uint64_t)getpid());
    cr_expect_eq(status.opened_ms, 1234);
    cr_expect(status.owned);
    cr_expect_eq(status.links, 3);
    cr_expect_eq(status.allowed, 2);
    cr_expect_eq(status.blocks, 30);
    cr_expect_eq(status.first_position, 0);
    cr_expect_eq(status.end_position, pl_store_end(store));
    cr_expect_gt(status.checkpoint_position, 0);
    cr_expect_eq(status.last_commit_ms, 9029);
    cr_expect_eq(status.map_bytes, 64 << 20);
    cr_expect(status.used_bytes > 0 && status.used_bytes <= status.file_bytes);
    cr_expect_gt(status.readers, 0);
    cr_expect_eq(status.damaged_blocks, 0);
    cr_expect_eq(status.last_damage.s[0], 0);
    for (size_t stop_at = 0; stop_at <= HELP_STREAMS; stop_at += 7) {
        struct walk walk = {.stop_at = stop_at};
        cr_assert_eq(pl_store_streams(reader, each_stream, &walk, NULL), PL_OK);
        cr_expect_eq(walk.n, stop_at ? stop_at : HELP_STREAMS);
        cr_expect(stop_at != 0 || walk.named == 12);
    }
    for (size_t stop_at = 0; stop_at <= 3; stop_at++) {
        struct walk walk = {.stop_at = stop_at};
        cr_assert_eq(pl_store_links(reader, each_link, &walk, NULL), PL_OK);
        cr_expect_eq(walk.n, stop_at ? stop_at : 3);
        cr_expect(stop_at != 0 || walk.named == 2);
    }
    pl_reader_close(reader);
    pl_store_close(store);
    cr_assert_eq(pl_reader_open(dir, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_status(reader, &status, NULL), PL_OK);
    cr_expect_not(status.owned, "its owner is gone");
    pl_reader_close(reader);
    free(model);
    help_dir_end();
}
