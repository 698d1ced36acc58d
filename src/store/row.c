/* Rows of receiving streams: how a log row changes one, and its stored form.
 *
 * Stored form, little endian: crc32c (4, over link, stream and all that follows) | birth (8) | heard (8) |
 * offset (8) | records (8) | bytes (8) | lost (8) | position (8) | lives (1) | name size (1) | zero (2) |
 * lives {tag (4) | first (8) | last (8) | end offset (8)} oldest first | name.
 * It is valid if its size is what the two counts say, neither is above its limit, and the checksum holds.
 */
#include "store/row.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/bytes.h"
#include "store/chunk.h"
#include "store/crc32c.h"

enum { ROW_FIXED = 64, LIFE_SIZE = 28 };

void pl_rows_free(struct pl_rows *rows)
{
    free(rows->p);
    *rows = (struct pl_rows){0};
}

const struct pl_row *pl_rows_find_birth(const struct pl_rows *rows, uint64_t birth)
{
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->p[i].birth == birth) {
            return &rows->p[i];
        }
    }
    return NULL;
}

uint32_t pl_row_life(const struct pl_row *row)
{
    return row->lives_n > 0 ? row->lives[row->lives_n - 1].tag : 0;
}

const struct pl_life_span *pl_row_find_life(const struct pl_row *row, uint32_t tag)
{
    for (size_t i = 0; i < row->lives_n; i++) {
        if (row->lives[i].tag == tag) {
            return &row->lives[i];
        }
    }
    return NULL;
}

void pl_row_begin(struct pl_row *row, const struct pl_log_row *from)
{
    memset(row, 0, sizeof *row);
    row->link = from->link;
    row->stream = from->stream;
    row->birth = from->begin.birth;
    row->name_size = (uint8_t)from->begin.name.n;
    memcpy(row->name, from->begin.name.p, from->begin.name.n);
}

static enum pl_error refuse(const struct pl_row *row, const struct pl_log_row *by, const char *why,
                            struct pl_text *reason)
{
    pl_text_set(reason,
                "log row of link %" PRIu32 " stream %" PRIu32 " life %08" PRIx32 " number %" PRIu64
                " offset %" PRIu64 " does not follow number %" PRIu64 " offset %" PRIu64 ": %s",
                by->link, by->stream, by->life, by->first_number, by->first_offset, row->heard, row->offset,
                why);
    return PL_E_INTERNAL;
}

/* What is wrong with the life a log row names; NULL if nothing. */
static const char *life_fault(const struct pl_row *row, const struct pl_log_row *by, enum pl_apply how)
{
    if (by->begins_life && by->begin.birth != row->birth) {
        return "another birth";
    }
    if (by->life == pl_row_life(row)) {
        return NULL;
    }
    if (pl_row_find_life(row, by->life) != NULL) {
        return "an earlier life";
    }
    if (how == PL_APPLY_DAMAGED) {
        return NULL;
    }
    if (!by->begins_life) {
        return "a life not begun";
    }
    if (by->gap) {
        return by->begin.first_number <= by->first_number ? NULL : "a life that begins after the GAP";
    }
    if (by->begin.life_before != pl_row_life(row)) {
        return "the life before is another";
    }
    return by->begin.first_number == by->first_number && by->first_offset == 0 ? NULL : "not a life's first";
}

/* What is wrong with its numbers; NULL if nothing. */
static const char *number_fault(const struct pl_row *row, const struct pl_log_row *by, enum pl_apply how)
{
    if (by->gap) {
        return by->first_number > row->heard ? NULL : "a GAP over numbers already heard";
    }
    if (by->first_number == row->heard + 1) {
        bool same_life = by->life == pl_row_life(row);
        return how == PL_APPLY_DAMAGED || !same_life || by->first_offset == row->offset ? NULL
                                                                                        : "another offset";
    }
    return how == PL_APPLY_DAMAGED && by->first_number > row->heard ? NULL : "not the next number";
}

static void remember_life(struct pl_row *row, const struct pl_log_row *by)
{
    struct pl_life_span *life;

    if (row->lives_n == PL_LIVES_REMEMBERED) {
        memmove(row->lives, row->lives + 1, sizeof row->lives - sizeof row->lives[0]);
        row->lives_n--;
    }
    life = &row->lives[row->lives_n++];
    life->tag = by->life;
    life->first = by->begins_life ? by->begin.first_number : by->first_number;
}

enum pl_error pl_row_apply(struct pl_row *row, const struct pl_log_row *by, uint64_t position,
                           enum pl_apply how, struct pl_text *reason)
{
    const char *fault;
    struct pl_life_span *life;
    uint64_t last = by->gap ? by->first_number : by->first_number + by->count - 1;

    if (position < row->position) {
        return PL_OK;
    }
    fault = life_fault(row, by, how);
    fault = fault != NULL ? fault : number_fault(row, by, how);
    if (fault != NULL) {
        return refuse(row, by, fault, reason);
    }
    if (by->life != pl_row_life(row)) {
        remember_life(row, by);
    }
    row->lost += last - row->heard - by->count;
    row->records += by->count;
    row->bytes += by->bytes.n;
    row->heard = last;
    row->offset = by->first_offset + by->bytes.n;
    row->position = position + (by->gap ? 1 : by->count);
    life = &row->lives[row->lives_n - 1];
    life->last = row->heard;
    life->end_offset = row->offset;
    return PL_OK;
}

static uint32_t row_crc(const uint8_t *stored, size_t n, uint32_t link, uint32_t stream)
{
    uint8_t seed[8];

    pl_put_le32(seed, link);
    pl_put_le32(seed + 4, stream);
    return pl_crc32c(pl_crc32c(0, seed, sizeof seed), stored + 4, n - 4);
}

static uint8_t *life_encode(uint8_t *p, const struct pl_life_span *life)
{
    pl_put_le32(p, life->tag);
    pl_put_le64(p + 4, life->first);
    pl_put_le64(p + 12, life->last);
    pl_put_le64(p + 20, life->end_offset);
    return p + LIFE_SIZE;
}

size_t pl_row_encode(uint8_t out[PL_ROW_STORED_MAX], const struct pl_row *row)
{
    const uint64_t fixed[] = {row->birth, row->heard, row->offset,  row->records,
                              row->bytes, row->lost,  row->position};
    uint8_t *p = out + 4;
    size_t n;

    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++, p += 8) {
        pl_put_le64(p, fixed[i]);
    }
    p[0] = row->lives_n;
    p[1] = row->name_size;
    pl_put_le16(p + 2, 0);
    p += 4;
    for (size_t i = 0; i < row->lives_n; i++) {
        p = life_encode(p, &row->lives[i]);
    }
    memcpy(p, row->name, row->name_size);
    n = (size_t)(p - out) + row->name_size;
    pl_put_le32(out, row_crc(out, n, row->link, row->stream));
    return n;
}

static void fixed_decode(const uint8_t *p, struct pl_row *row)
{
    uint64_t *fixed[] = {&row->birth, &row->heard, &row->offset,  &row->records,
                         &row->bytes, &row->lost,  &row->position};

    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++, p += 8) {
        *fixed[i] = pl_get_le64(p);
    }
    row->lives_n = p[0];
    row->name_size = p[1];
}

enum pl_error pl_row_decode(struct pl_bytes in, uint32_t link, uint32_t stream, struct pl_row *row)
{
    const uint8_t *p = in.p + ROW_FIXED;

    memset(row, 0, sizeof *row);
    row->link = link;
    row->stream = stream;
    if (in.n < ROW_FIXED || pl_get_le32(in.p) != row_crc(in.p, in.n, link, stream)) {
        return PL_E_STORE_DAMAGED;
    }
    fixed_decode(in.p + 4, row);
    if (row->lives_n > PL_LIVES_REMEMBERED ||
        in.n != ROW_FIXED + (size_t)row->lives_n * LIFE_SIZE + row->name_size) {
        return PL_E_STORE_DAMAGED;
    }
    for (size_t i = 0; i < row->lives_n; i++, p += LIFE_SIZE) {
        row->lives[i] = (struct pl_life_span){.tag = pl_get_le32(p),
                                              .first = pl_get_le64(p + 4),
                                              .last = pl_get_le64(p + 12),
                                              .end_offset = pl_get_le64(p + 20)};
    }
    memcpy(row->name, p, row->name_size);
    return PL_OK;
}
