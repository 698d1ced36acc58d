/* Log rows and blocks: built in a caller's arena, sealed, opened, walked. The layout is at the head of
 * chunk.h.
 *
 * A stored block is valid if and only if
 *  1. its size field is the size of the value, at least PL_BLOCK_HEAD;
 *  2. its checksum holds for the position under which it is stored;
 *  3. its rows fill it exactly, each valid by itself, and their number is `rows`;
 *  4. span is the sum over the rows of count, or of 1 for a GAP.
 * A hole has no rows and any span above 0.
 * A block is written within one LMDB transaction and never changed, so a crash leaves all of it or nothing.
 */
#include "store/chunk.h"

#include <assert.h>
#include <string.h>

#include "store/bytes.h"
#include "store/crc32c.h"

enum { KIND_RECORDS = 1, KIND_GAP = 2, KIND_BEGINS = 4 };
enum { BEGIN_SIZE = 20, GAP_SIZE = 16 };

#define HEADS_MAX (PL_BLOCK_HEAD + PL_ROW_HEAD + BEGIN_SIZE + PL_NAME_MAX + GAP_SIZE)

void pl_chunk_init(struct pl_chunk *chunk, uint8_t *arena, size_t room_bytes)
{
    assert(room_bytes >= 4096 && room_bytes <= UINT32_MAX);
    *chunk = (struct pl_chunk){.arena = arena, .room_bytes = room_bytes};
}

void pl_chunk_reset(struct pl_chunk *chunk)
{
    *chunk = (struct pl_chunk){.arena = chunk->arena, .room_bytes = chunk->room_bytes};
}

size_t pl_chunk_room(const struct pl_chunk *chunk)
{
    size_t left = chunk->room_bytes - chunk->used_bytes;

    return left > HEADS_MAX ? left - HEADS_MAX : 0;
}

static size_t block_size(const struct pl_chunk *chunk)
{
    return chunk->used_bytes - chunk->block_at;
}

/* Adds n bytes and span positions to the last block. */
static void block_grow(struct pl_chunk *chunk, size_t n, uint32_t span)
{
    uint8_t *block = chunk->arena + chunk->block_at;

    chunk->used_bytes += n;
    pl_put_le32(block + 4, (uint32_t)block_size(chunk));
    pl_put_le32(block + 20, pl_get_le32(block + 20) + span);
}

/* Makes room for a row of n bytes, in the last block if it fits there; NULL if there is none. */
static uint8_t *row_room(struct pl_chunk *chunk, size_t n)
{
    bool fits = chunk->used_bytes > 0 && block_size(chunk) + n <= PL_BLOCK_SIZE;
    size_t need = n + (fits ? 0 : PL_BLOCK_HEAD);
    uint8_t *block;

    if (need > chunk->room_bytes - chunk->used_bytes) {
        return NULL;
    }
    if (!fits) {
        chunk->block_at = chunk->used_bytes;
        memset(chunk->arena + chunk->block_at, 0, PL_BLOCK_HEAD);
        chunk->used_bytes += PL_BLOCK_HEAD;
    }
    block = chunk->arena + chunk->block_at;
    pl_put_le32(block + 16, pl_get_le32(block + 16) + 1);
    chunk->row_at = chunk->used_bytes;
    chunk->rows_n++;
    return chunk->arena + chunk->row_at;
}

static uint8_t *put_begin(uint8_t *p, const struct pl_stream_part *begin)
{
    pl_put_le64(p, begin->first_number);
    pl_put_le32(p + 8, begin->life_before);
    pl_put_le64(p + 12, begin->birth);
    memcpy(p + BEGIN_SIZE, begin->name.p, begin->name.n);
    return p + BEGIN_SIZE + begin->name.n;
}

static size_t row_size(const struct pl_log_row *row)
{
    return PL_ROW_HEAD + (row->begins_life ? BEGIN_SIZE + row->begin.name.n : 0) + (row->gap ? GAP_SIZE : 0) +
           row->bytes.n;
}

static void put_head(uint8_t *p, const struct pl_log_row *row)
{
    pl_put_le32(p, (uint32_t)row_size(row));
    p[4] = (uint8_t)((row->gap ? KIND_GAP : KIND_RECORDS) | (row->begins_life ? KIND_BEGINS : 0));
    p[5] = (uint8_t)(row->begins_life ? row->begin.name.n : 0);
    pl_put_le16(p + 6, 0);
    pl_put_le32(p + 8, row->link);
    pl_put_le32(p + 12, row->stream);
    pl_put_le32(p + 16, row->life);
    pl_put_le32(p + 20, row->count);
    pl_put_le64(p + 24, row->first_number);
    pl_put_le64(p + 32, row->first_offset);
}

static enum pl_error put_row(struct pl_chunk *chunk, const struct pl_log_row *row)
{
    uint8_t *p = row_room(chunk, row_size(row));

    if (p == NULL) {
        return PL_E_ROOM;
    }
    put_head(p, row);
    p += PL_ROW_HEAD;
    if (row->begins_life) {
        p = put_begin(p, &row->begin);
    }
    if (row->gap) {
        pl_put_le64(p, row->lost_from);
        pl_put_le64(p + 8, row->lost_to);
    } else {
        memcpy(p, row->bytes.p, row->bytes.n);
    }
    block_grow(chunk, row_size(row), row->gap ? 1 : row->count);
    return PL_OK;
}

/* True if a piece continues the last row and the block may take it. */
static bool continues(const struct pl_chunk *chunk, const struct pl_log_row *piece)
{
    const uint8_t *last = chunk->arena + chunk->row_at;
    uint32_t count = chunk->row_at ? pl_get_le32(last + 20) : 0;
    size_t head = PL_ROW_HEAD;

    if (chunk->row_at == 0 || !(last[4] & KIND_RECORDS) ||
        block_size(chunk) + piece->bytes.n > PL_BLOCK_SIZE || pl_get_le32(last + 8) != piece->link ||
        pl_get_le32(last + 12) != piece->stream || pl_get_le32(last + 16) != piece->life) {
        return false;
    }
    head += last[4] & KIND_BEGINS ? BEGIN_SIZE + (size_t)last[5] : 0;
    return pl_get_le64(last + 24) + count == piece->first_number && count <= UINT32_MAX - piece->count &&
           pl_get_le64(last + 32) + pl_get_le32(last) - head == piece->first_offset;
}

static enum pl_error extend(struct pl_chunk *chunk, const struct pl_log_row *piece)
{
    uint8_t *last = chunk->arena + chunk->row_at;

    if (piece->bytes.n > chunk->room_bytes - chunk->used_bytes) {
        return PL_E_ROOM;
    }
    memcpy(chunk->arena + chunk->used_bytes, piece->bytes.p, piece->bytes.n);
    pl_put_le32(last, pl_get_le32(last) + (uint32_t)piece->bytes.n);
    pl_put_le32(last + 20, pl_get_le32(last + 20) + piece->count);
    block_grow(chunk, piece->bytes.n, piece->count);
    return PL_OK;
}

enum pl_error pl_chunk_append(struct pl_chunk *chunk, uint32_t link, uint32_t stream, uint32_t life,
                              uint64_t first_number, uint64_t first_offset, uint32_t count,
                              struct pl_bytes bytes, const struct pl_stream_part *begin)
{
    struct pl_log_row row = {.link = link, .stream = stream, .life = life, .count = count};
    enum pl_error error;

    assert(count > 0 && bytes.n >= count && bytes.n <= PL_APPEND_MAX);
    row.first_number = first_number;
    row.first_offset = first_offset;
    row.bytes = bytes;
    if (begin != NULL) {
        row.begins_life = true;
        row.begin = *begin;
    }
    error = begin == NULL && continues(chunk, &row) ? extend(chunk, &row) : put_row(chunk, &row);
    chunk->records_n += error == PL_OK ? count : 0;
    return error;
}

enum pl_error pl_chunk_gap(struct pl_chunk *chunk, uint32_t link, uint32_t stream, uint32_t life,
                           uint64_t upto, uint64_t offset, uint64_t lost_from,
                           const struct pl_stream_part *begin)
{
    struct pl_log_row row = {.link = link, .stream = stream, .life = life, .gap = true};

    assert(lost_from > 0 && lost_from <= upto);
    row.first_number = upto;
    row.first_offset = offset;
    row.lost_from = lost_from;
    row.lost_to = upto;
    if (begin != NULL) {
        row.begins_life = true;
        row.begin = *begin;
    }
    return put_row(chunk, &row);
}

/* Reads the row at p, of which n bytes are there. False if it is not well formed. */
static bool row_read(const uint8_t *p, size_t n, struct pl_log_row *row)
{
    size_t size = n >= PL_ROW_HEAD ? pl_get_le32(p) : 0;
    size_t head;

    if (size < PL_ROW_HEAD || size > n || (p[4] & ~KIND_BEGINS & 0xff) == 0 || pl_get_le16(p + 6) != 0) {
        return false;
    }
    *row = (struct pl_log_row){.link = pl_get_le32(p + 8),
                               .stream = pl_get_le32(p + 12),
                               .life = pl_get_le32(p + 16),
                               .count = pl_get_le32(p + 20),
                               .first_number = pl_get_le64(p + 24),
                               .first_offset = pl_get_le64(p + 32),
                               .begins_life = (p[4] & KIND_BEGINS) != 0,
                               .gap = (p[4] & ~KIND_BEGINS & 0xff) == KIND_GAP};
    if (!row->gap && (p[4] & ~KIND_BEGINS & 0xff) != KIND_RECORDS) {
        return false;
    }
    head = PL_ROW_HEAD + (row->begins_life ? BEGIN_SIZE + (size_t)p[5] : 0) + (row->gap ? GAP_SIZE : 0);
    if (head > size || (row->begins_life && p[5] == 0)) {
        return false;
    }
    row->bytes = (struct pl_bytes){p + head, size - head};
    return true;
}

static void row_read_parts(const uint8_t *p, struct pl_log_row *row)
{
    const uint8_t *part = p + PL_ROW_HEAD;

    if (row->begins_life) {
        row->begin = (struct pl_stream_part){.first_number = pl_get_le64(part),
                                             .life_before = pl_get_le32(part + 8),
                                             .birth = pl_get_le64(part + 12),
                                             .name = {part + BEGIN_SIZE, p[5]}};
        part += BEGIN_SIZE + p[5];
    }
    if (row->gap) {
        row->lost_from = pl_get_le64(part);
        row->lost_to = pl_get_le64(part + 8);
    }
}

/* Counts that must agree within a row. */
static bool row_sound(const struct pl_log_row *row)
{
    if (row->life == 0 || row->first_number == 0) {
        return false;
    }
    if (row->gap) {
        return row->bytes.n == 0 && row->count == 0 && row->lost_from > 0 && row->lost_from <= row->lost_to &&
               row->lost_to == row->first_number;
    }
    return row->count > 0 && row->bytes.n >= row->count;
}

static void enter_block(struct pl_row_iter *iter)
{
    const uint8_t *block = iter->block_end;

    iter->block_end = block + pl_get_le32(block + 4);
    iter->p = block + PL_BLOCK_HEAD;
}

void pl_chunk_rows(const struct pl_chunk *chunk, struct pl_row_iter *iter)
{
    iter->p = iter->block_end = chunk->arena;
    iter->end = chunk->arena + chunk->used_bytes;
}

void pl_block_rows(const struct pl_block *block, struct pl_row_iter *iter)
{
    iter->p = block->body.p;
    iter->block_end = iter->end = block->body.p + block->body.n;
}

bool pl_chunk_next(struct pl_row_iter *iter, struct pl_log_row *row)
{
    if (iter->p == iter->block_end && iter->block_end != iter->end) {
        enter_block(iter);
    }
    if (iter->p == iter->end || !row_read(iter->p, (size_t)(iter->block_end - iter->p), row)) {
        return false;
    }
    row_read_parts(iter->p, row);
    iter->p += pl_get_le32(iter->p);
    return true;
}

static uint32_t block_crc(const uint8_t *p, size_t size, uint64_t position)
{
    uint8_t seed[8];

    pl_put_le64(seed, position);
    return pl_crc32c(pl_crc32c(0, seed, sizeof seed), p + 4, size - 4);
}

void pl_block_seal(uint8_t *p, size_t size, uint64_t position, uint64_t wall_ms)
{
    pl_put_le64(p + 8, wall_ms);
    pl_put_le32(p, block_crc(p, size, position));
}

/* Conditions 3 and 4 of a valid block. */
static bool rows_sound(const struct pl_block *block)
{
    struct pl_row_iter iter;
    struct pl_log_row row;
    uint64_t rows = 0;
    uint64_t span = 0;

    pl_block_rows(block, &iter);
    while (pl_chunk_next(&iter, &row)) {
        if (!row_sound(&row)) {
            return false;
        }
        rows++;
        span += row.gap ? 1 : row.count;
    }
    return iter.p == iter.end && rows == block->rows && (rows == 0 ? block->span > 0 : span == block->span);
}

enum pl_error pl_block_open(struct pl_bytes in, uint64_t position, struct pl_block *block)
{
    if (in.n < PL_BLOCK_HEAD || pl_get_le32(in.p + 4) != in.n ||
        pl_get_le32(in.p) != block_crc(in.p, in.n, position)) {
        return PL_E_STORE_DAMAGED;
    }
    *block = (struct pl_block){.wall_ms = pl_get_le64(in.p + 8),
                               .rows = pl_get_le32(in.p + 16),
                               .span = pl_get_le32(in.p + 20),
                               .body = {in.p + PL_BLOCK_HEAD, in.n - PL_BLOCK_HEAD}};
    return rows_sound(block) ? PL_OK : PL_E_STORE_DAMAGED;
}

void pl_block_hole(uint8_t out[PL_BLOCK_HEAD], uint64_t position, uint32_t span, uint64_t wall_ms)
{
    memset(out, 0, PL_BLOCK_HEAD);
    pl_put_le32(out + 4, PL_BLOCK_HEAD);
    pl_put_le32(out + 20, span);
    pl_block_seal(out, PL_BLOCK_HEAD, position, wall_ms);
}
