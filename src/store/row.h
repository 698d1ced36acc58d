/* What a node knows of one receiving stream: the row whose truth is the log and whose checkpoint is a table.
 *
 * A row is never written for its own sake. Log rows (chunk.h) carry every change; pl_row_apply() is the only
 * function that turns a log row into a changed row, and it is used alike when a commit ends, when the tail
 * of the log is replayed at start, and when a reader wants what is not checkpointed yet. So the three can
 * not differ.
 */
#ifndef PL_STORE_ROW_H
#define PL_STORE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/text.h"
#include "link/link_limits.h"
#include "link/link_types.h"

struct pl_log_row;

/* One life of a stream as the receiver remembers it. */
struct pl_life_span {
    uint32_t tag;         /* never 0 */
    uint64_t first;       /* number of the first record given in it */
    uint64_t last;        /* last number taken of it; first - 1 while there is none */
    uint64_t end_offset;  /* where record last + 1 would begin in it, in bytes from the life's first byte */
};

/* A receiving stream. link and stream are the key; the newest life, lives[lives_n - 1], is the row's life T.
 * A value type: copies are independent, nothing is borrowed. */
struct pl_row {
    uint32_t link;
    uint32_t stream;      /* local number, one for each birth; chosen by the caller, never 0 */
    uint64_t birth;
    uint64_t heard;       /* h: every number up to it is stored or reported as lost */
    uint64_t offset;      /* in T: where record heard + 1 would begin */
    uint64_t records;     /* records stored, ever */
    uint64_t bytes;       /* framed bytes stored, ever */
    uint64_t lost;        /* numbers passed over by GAP, or by a damaged block of the log */
    uint64_t position;    /* log positions below it are in this row */
    uint8_t lives_n;      /* 0..PL_LIVES_REMEMBERED */
    uint8_t name_size;
    struct pl_life_span lives[PL_LIVES_REMEMBERED];   /* oldest first */
    uint8_t name[PL_NAME_MAX];
};

/* Rows of one link, in order of stream. Zero-initialise; the array grows by realloc and is the caller's. */
struct pl_rows {
    struct pl_row *p;
    size_t n;
    size_t room;          /* rows allocated */
};

void pl_rows_free(struct pl_rows *rows);

/* The row with that birth, or NULL. Valid until rows changes. */
const struct pl_row *pl_rows_find_birth(const struct pl_rows *rows, uint64_t birth);

/* T's tag, 0 if the row has no life yet. */
uint32_t pl_row_life(const struct pl_row *row);

/* The remembered life with that tag, or NULL. Valid until row changes. */
const struct pl_life_span *pl_row_find_life(const struct pl_row *row, uint32_t tag);

/* Makes an empty row for a log row that begins a stream (protocol section 5: a row is made by its first
 * record or GAP). from must have its STREAM part. */
void pl_row_begin(struct pl_row *row, const struct pl_log_row *from);

/* How strictly a log row must follow the row it is applied to. */
enum pl_apply {
    PL_APPLY_EXACT,       /* must continue the row exactly, as each commit does */
    PL_APPLY_DAMAGED,     /* blocks are missing before it: numbers in between count as lost */
};

/* Applies one log row at log position `position` (that of its first record). Rows already in `row`
 * (position < row->position) change nothing. PL_OK, or PL_E_INTERNAL with the reason if the log row does not
 * continue the row (first number is not heard + 1, offset differs, life is neither T nor begun here, birth or
 * chain contradicts); then the row is unchanged. reason may be NULL. */
enum pl_error pl_row_apply(struct pl_row *row, const struct pl_log_row *by, uint64_t position,
                           enum pl_apply how, struct pl_text *reason);

/* The stored form: crc32c, fields, lives, name; at most PL_ROW_STORED_MAX bytes. */
#define PL_ROW_STORED_MAX (64 + 28 * PL_LIVES_REMEMBERED + PL_NAME_MAX)
size_t pl_row_encode(uint8_t out[PL_ROW_STORED_MAX], const struct pl_row *row);

/* PL_E_STORE_DAMAGED if the bytes are not what pl_row_encode() made for that link and stream. */
enum pl_error pl_row_decode(struct pl_bytes in, uint32_t link, uint32_t stream, struct pl_row *row);

#endif
