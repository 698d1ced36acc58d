/* Log rows and blocks: built, extended, sealed, opened, walked, and every damage seen. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "store/bytes.h"
#include "store/chunk.h"

static uint8_t arena[4 << 20];

static struct pl_bytes filled(uint8_t *out, size_t n)
{
    memset(out, 7, n);
    return (struct pl_bytes){out, n};
}

static const struct pl_stream_part begin = {1, 0, 0x1122334455667788, {(const uint8_t *)"name", 4}};

static size_t count_rows(const struct pl_chunk *chunk, struct pl_log_row *last)
{
    struct pl_row_iter iter;
    size_t n = 0;

    pl_chunk_rows(chunk, &iter);
    while (pl_chunk_next(&iter, last)) {
        n++;
    }
    return n;
}

Test(store_chunk, consecutive_pieces_extend_the_row)
{
    static const struct {
        uint32_t link, stream, life;
        uint64_t number, offset;
        size_t rows;
    } steps[] = {
        {1, 1, 9, 3, 20, 1},   {1, 1, 9, 5, 30, 1},   {1, 1, 9, 7, 41, 2},   {1, 1, 9, 8, 51, 3},
        {1, 1, 10, 10, 61, 4}, {1, 2, 10, 12, 71, 5}, {2, 2, 10, 14, 81, 6}, {2, 2, 10, 16, 91, 6},
    };
    uint8_t bytes[20];
    struct pl_chunk chunk;
    struct pl_log_row row;

    pl_chunk_init(&chunk, arena, sizeof arena);
    cr_assert_eq(pl_chunk_append(&chunk, 1, 1, 9, 1, 0, 2, filled(bytes, 20), &begin), PL_OK);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        cr_assert_eq(pl_chunk_append(&chunk, steps[i].link, steps[i].stream, steps[i].life, steps[i].number,
                                     steps[i].offset, 2, filled(bytes, 10), NULL),
                     PL_OK);
        cr_assert_eq(count_rows(&chunk, &row), steps[i].rows, "step %zu", i);
        cr_assert_eq(chunk.rows_n, steps[i].rows);
        cr_assert_eq(row.first_number + row.count, steps[i].number + 2);
        cr_assert_eq(row.first_offset + row.bytes.n, steps[i].offset + 10);
    }
    cr_assert_eq(chunk.records_n, 18);
    pl_chunk_reset(&chunk);
    cr_assert_eq(count_rows(&chunk, &row), 0);
    cr_assert_eq(chunk.used_bytes, 0);
}

Test(store_chunk, parts_come_back)
{
    uint8_t bytes[20];
    struct pl_chunk chunk;
    struct pl_row_iter iter;
    struct pl_log_row row;

    pl_chunk_init(&chunk, arena, sizeof arena);
    cr_assert_eq(pl_chunk_append(&chunk, 4, 5, 6, 1, 0, 3, filled(bytes, 10), &begin), PL_OK);
    cr_assert_eq(pl_chunk_gap(&chunk, 4, 5, 6, 9, 77, 4, NULL), PL_OK);
    cr_assert_eq(pl_chunk_append(&chunk, 4, 5, 6, 10, 77, 1, filled(bytes, 1), NULL), PL_OK);
    cr_assert_eq(pl_chunk_gap(&chunk, 4, 7, 8, 2, 5, 1, &begin), PL_OK);
    pl_chunk_rows(&chunk, &iter);
    cr_assert(pl_chunk_next(&iter, &row));
    cr_assert(row.begins_life && !row.gap);
    cr_assert_eq(row.begin.birth, begin.birth);
    cr_assert_eq(row.begin.first_number, 1);
    cr_assert_arr_eq(row.begin.name.p, "name", 4);
    cr_assert_eq(row.count, 3);
    cr_assert(pl_chunk_next(&iter, &row));
    cr_assert(row.gap && !row.begins_life);
    cr_assert_eq(row.lost_from, 4);
    cr_assert_eq(row.lost_to, 9);
    cr_assert_eq(row.first_offset, 77);
    cr_assert(pl_chunk_next(&iter, &row));
    cr_assert_eq(row.count, 1);
    cr_assert(pl_chunk_next(&iter, &row));
    cr_assert(row.gap && row.begins_life);
    cr_assert_eq(row.begin.name.n, 4);
    cr_assert_not(pl_chunk_next(&iter, &row));
}

Test(store_chunk, blocks_stay_small_unless_one_append_is_large)
{
    uint8_t *bytes = malloc(1 << 20);
    struct pl_chunk chunk;
    size_t blocks = 0, large = 0;

    pl_chunk_init(&chunk, arena, sizeof arena);
    for (uint64_t i = 0; i < 200; i++) {
        cr_assert_eq(pl_chunk_append(&chunk, 1, 1, 2, 1 + i, 1000 * i, 1, filled(bytes, 1000), NULL), PL_OK);
    }
    cr_assert_eq(pl_chunk_append(&chunk, 1, 1, 2, 201, 200000, 1, filled(bytes, 1 << 20), NULL), PL_OK);
    cr_assert_eq(pl_chunk_append(&chunk, 1, 1, 2, 202, 200000 + (1 << 20), 1, filled(bytes, 5), NULL), PL_OK);
    for (size_t at = 0; at < chunk.used_bytes; at += pl_get_le32(arena + at + 4)) {
        blocks++;
        large += pl_get_le32(arena + at + 4) > PL_BLOCK_SIZE;
    }
    cr_assert_eq(large, 1);
    cr_assert_eq(blocks, 4 + 1 + 1);
    free(bytes);
}

Test(store_chunk, room_is_kept_and_told)
{
    uint8_t bytes[600];
    struct pl_chunk chunk;
    struct pl_chunk before;
    uint64_t number = 1;

    pl_chunk_init(&chunk, arena, 4096);
    while (pl_chunk_room(&chunk) >= 600) {
        cr_assert_eq(
            pl_chunk_append(&chunk, (uint32_t)number, 1, 2, number, 0, 1, filled(bytes, 600), &begin), PL_OK);
        number++;
    }
    cr_assert_gt(number, 3);
    before = chunk;
    while (pl_chunk_append(&chunk, 77, 1, 2, 1, 0, 1, filled(bytes, 600), NULL) == PL_OK) {
        before = chunk;
    }
    cr_assert_eq(memcmp(&before, &chunk, sizeof chunk), 0);
    cr_assert_leq(chunk.used_bytes, 4096);
}

/* A block with every kind of row; its size. */
static size_t sample(uint64_t position)
{
    uint8_t bytes[30];
    struct pl_chunk chunk;

    pl_chunk_init(&chunk, arena, sizeof arena);
    cr_assert_eq(pl_chunk_append(&chunk, 4, 5, 6, 1, 0, 3, filled(bytes, 30), &begin), PL_OK);
    cr_assert_eq(pl_chunk_gap(&chunk, 4, 5, 6, 9, 77, 4, NULL), PL_OK);
    cr_assert_eq(pl_chunk_append(&chunk, 4, 5, 6, 10, 77, 1, filled(bytes, 1), NULL), PL_OK);
    pl_block_seal(arena, chunk.used_bytes, position, 123456);
    return chunk.used_bytes;
}

Test(store_chunk, every_damage_is_seen)
{
    size_t n = sample(1000);
    struct pl_block block;

    cr_assert_eq(pl_block_open((struct pl_bytes){arena, n}, 1000, &block), PL_OK);
    cr_assert_eq(block.wall_ms, 123456);
    cr_assert_eq(block.rows, 3);
    cr_assert_eq(block.span, 5);
    cr_assert_eq(pl_block_open((struct pl_bytes){arena, n}, 1001, &block), PL_E_STORE_DAMAGED);
    for (size_t cut = 0; cut < n; cut++) {
        cr_assert_eq(pl_block_open((struct pl_bytes){arena, cut}, 1000, &block), PL_E_STORE_DAMAGED);
    }
    for (size_t i = 0; i < n * 8; i++) {
        arena[i / 8] ^= (uint8_t)(1 << i % 8);
        cr_assert_eq(pl_block_open((struct pl_bytes){arena, n}, 1000, &block), PL_E_STORE_DAMAGED, "bit %zu",
                     i);
        arena[i / 8] ^= (uint8_t)(1 << i % 8);
    }
}

/* Right checksums over wrong contents: what a program with a fault, not a disk, would leave. */
Test(store_chunk, contents_are_checked_behind_the_checksum)
{
    size_t n = sample(1000);
    uint8_t good[512];
    struct pl_block block;

    memcpy(good, arena, n);
    for (size_t i = 4; i < n; i++) {
        for (int value = 0; value < 256; value += 51) {
            memcpy(arena, good, n);
            arena[i] = (uint8_t)value;
            pl_block_seal(arena, n, 1000, 123456);
            if (pl_block_open((struct pl_bytes){arena, n}, 1000, &block) == PL_OK) {
                struct pl_row_iter iter;
                struct pl_log_row row;
                uint64_t span = 0;
                pl_block_rows(&block, &iter);
                while (pl_chunk_next(&iter, &row)) {
                    span += row.gap ? 1 : row.count;
                    cr_assert(row.bytes.n == 0 || row.bytes.p + row.bytes.n <= arena + n);
                }
                cr_assert_eq(span, block.span);
            }
        }
    }
}

Test(store_chunk, holes)
{
    uint8_t hole[PL_BLOCK_HEAD];
    struct pl_block block;

    pl_block_hole(hole, 50, 9, 7);
    cr_assert_eq(pl_block_open((struct pl_bytes){hole, sizeof hole}, 50, &block), PL_OK);
    cr_assert_eq(block.rows, 0);
    cr_assert_eq(block.span, 9);
    pl_block_hole(hole, 50, 0, 7);
    cr_assert_eq(pl_block_open((struct pl_bytes){hole, sizeof hole}, 50, &block), PL_E_STORE_DAMAGED);
}
