/* Log rows as a shard collects them, log blocks as the store keeps them: one and the same bytes.
 *
 * A chunk is an arena of the caller. Each piece of whole records that became in-order is appended with
 * one memcpy; a piece that continues the last row (same link, stream, life, next number, next offset)
 * only extends it. The arena then goes by reference to the store thread, which fills in time and checksum
 * and puts each block as it lies there, and back to the shard, which walks the rows to answer each link
 * once.
 *
 * Block, all integers little endian:
 *
 *     0  crc32c (4)    over the block's log position (8) and everything after this field
 *     4  size (4)      of the whole block, this head included
 *     8  wall_ms (8)   of the commit, for age and display only
 *    16  rows (4)      0: a hole, left where a damaged block was set aside
 *    20  span (4)      log positions it takes: one for each record, one for each GAP
 *    24  rows ...
 *
 * Row:
 *
 *     0  size (4)      of the whole row
 *     4  kind (1)      bit 0 records, bit 1 GAP (one of the two), bit 2 with a STREAM part
 *     5  name size (1) 0 without a STREAM part
 *     6  zero (2)
 *     8  link (4) | stream (4) | life (4) | count (4): records, 0 in a GAP
 *    24  first number (8): of the records; in a GAP, upto
 *    32  first offset (8): of the first record in its life; in a GAP, where upto + 1 begins
 *    40  [STREAM part: first number of the life (8) | life before (4) | birth (8) | name]
 *        [GAP: lost from (8) | lost to (8)]
 *        framed records {size (i), bytes} ...
 *
 * A block is at most PL_BLOCK_SIZE, unless a single append is larger: that one has a block of its own.
 */
#ifndef PL_STORE_CHUNK_H
#define PL_STORE_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/link_limits.h"
#include "link/link_types.h"

#define PL_BLOCK_SIZE 61440u
#define PL_BLOCK_HEAD 24u
#define PL_ROW_HEAD 40u
#define PL_APPEND_MAX (16u << 20)   /* framed bytes of one append */

/* What begins a life, as the STREAM frame that announced it said. */
struct pl_stream_part {
    uint64_t first_number;   /* of the life */
    uint32_t life_before;    /* 0 at birth */
    uint64_t birth;
    struct pl_bytes name;    /* 1..PL_NAME_MAX bytes; borrowed for the call */
};

/* One row of the log, read back. Pointers are into the block it was read from. */
struct pl_log_row {
    uint32_t link, stream, life;
    uint32_t count;               /* records; 0 in a GAP */
    uint64_t first_number;        /* in a GAP: upto */
    uint64_t first_offset;
    struct pl_bytes bytes;        /* framed records; empty in a GAP */
    bool begins_life;             /* begin is set */
    struct pl_stream_part begin;
    bool gap;
    uint64_t lost_from, lost_to;
};

/* The arena. Fields are the chunk's own; read used_bytes and rows_n freely. */
struct pl_chunk {
    uint8_t *arena;
    size_t room_bytes;
    size_t used_bytes;        /* 0: nothing to commit */
    size_t block_at;          /* of the last block */
    size_t row_at;            /* of the last row; 0: none that may be extended */
    uint32_t rows_n;
    uint64_t records_n;
    uint64_t first_position;  /* log position of its first block; set by the commit that stored it */
};

/* arena is borrowed as long as the chunk is used; room_bytes at least 4 KiB, below 4 GiB. */
void pl_chunk_init(struct pl_chunk *chunk, uint8_t *arena, size_t room_bytes);

/* Empties it for reuse. Only when its commit has ended with PL_OK, or its rows are given up. */
void pl_chunk_reset(struct pl_chunk *chunk);

/* Framed bytes that the next append can surely take, STREAM part included. */
size_t pl_chunk_room(const struct pl_chunk *chunk);

/* Appends `count` whole framed records (count >= 1, bytes.n 1..PL_APPEND_MAX). begin is NULL, or the
 * STREAM of `life` when this is the life's first row. bytes are copied, framing is not looked at: the
 * caller counted. PL_OK, or PL_E_ROOM and the chunk unchanged. */
enum pl_error pl_chunk_append(struct pl_chunk *chunk, uint32_t link, uint32_t stream, uint32_t life,
                              uint64_t first_number, uint64_t first_offset, uint32_t count,
                              struct pl_bytes bytes, const struct pl_stream_part *begin);

/* Appends a GAP: numbers lost_from..lost_to (= upto) will never come, record upto + 1 begins at `offset` of
 * `life`. begin as above. PL_OK or PL_E_ROOM. */
enum pl_error pl_chunk_gap(struct pl_chunk *chunk, uint32_t link, uint32_t stream, uint32_t life,
                           uint64_t upto, uint64_t offset, uint64_t lost_from,
                           const struct pl_stream_part *begin);

/* Walks the rows of a block or of a chunk. */
struct pl_row_iter {
    const uint8_t *p;
    const uint8_t *block_end;
    const uint8_t *end;
};

void pl_chunk_rows(const struct pl_chunk *chunk, struct pl_row_iter *iter);

/* The next row; false at the end. A chunk's rows are well formed by construction. */
bool pl_chunk_next(struct pl_row_iter *iter, struct pl_log_row *row);

/* A block's head, read and checked. */
struct pl_block {
    uint64_t wall_ms;
    uint32_t rows;
    uint32_t span;
    struct pl_bytes body;     /* the rows; borrowed from the block */
};

/* Fills in time and checksum of the block that begins at p (`size` bytes, as pl_chunk made it). */
void pl_block_seal(uint8_t *p, size_t size, uint64_t position, uint64_t wall_ms);

/* Checks a stored block: size, checksum for that position, each row's form, count and span. PL_OK or
 * PL_E_STORE_DAMAGED. Afterwards pl_block_rows() + pl_chunk_next() walk it safely. */
enum pl_error pl_block_open(struct pl_bytes in, uint64_t position, struct pl_block *block);

void pl_block_rows(const struct pl_block *block, struct pl_row_iter *iter);

/* A hole of `span` positions, sealed; out has PL_BLOCK_HEAD bytes. */
void pl_block_hole(uint8_t out[PL_BLOCK_HEAD], uint64_t position, uint32_t span, uint64_t wall_ms);

#endif
