/* The log read from any position, in copies, so that no reader holds back the writer's pages.
 *
 * A pass copies blocks (at most 256 KiB, or one larger block) under a snapshot and lets it go; entries are
 * then handed out from the copy. Names come from the row that begins a life, else from the stream's row,
 * checkpointed or pending.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"
#include "store/inspect.h"
#include "store/links.h"
#include "store/log.h"
#include "store/pending.h"
#include "store/reader_state.h"
#include "store/tables.h"

enum { COPY_BYTES = 256 << 10, BLOCKS_MAX = 64, NAMES = 256 };

/* What is known of a stream, for display. */
struct names {
    bool known;
    uint32_t link, stream;
    uint64_t birth;
    uint8_t link_size, stream_size;
    uint8_t link_name[PL_NAME_MAX], stream_name[PL_NAME_MAX];
};

struct copied_block {
    uint64_t position, next_position;
    size_t at, size; /* in the copy */
};

struct pl_tail {
    struct pl_reader *reader;
    struct pl_tail_filter filter;
    uint64_t position; /* next to be given */
    bool from_oldest;  /* nothing read yet, and asked for the oldest */
    uint8_t *copy;
    size_t copy_room, copy_bytes;
    struct copied_block blocks[BLOCKS_MAX];
    size_t blocks_n, block; /* those copied, the one being given */
    bool in_block, in_row;
    struct pl_block head;
    struct pl_row_iter rows;
    uint64_t row_position; /* of the record that comes next in the row */
    struct pl_log_row row;
    uint64_t number; /* of that record */
    const struct names *row_names;
    struct pl_pending pending;
    uint64_t pending_end; /* where the log ended when pending was read */
    struct names names[NAMES];
};

enum pl_error pl_tail_open(struct pl_reader *reader, uint64_t from, const struct pl_tail_filter *filter,
                           struct pl_tail **out)
{
    struct pl_tail *tail = calloc(1, sizeof *tail);

    *out = tail;
    if (tail == NULL) {
        return PL_E_NO_MEMORY;
    }
    tail->reader = reader;
    tail->position = from;
    tail->from_oldest = from == 0;
    tail->pending_end = UINT64_MAX;
    if (filter != NULL) {
        tail->filter = *filter;
    }
    return PL_OK;
}

void pl_tail_close(struct pl_tail *tail)
{
    if (tail != NULL) {
        pl_pending_free(&tail->pending);
        free(tail->copy);
        free(tail);
    }
}

uint64_t pl_tail_position(const struct pl_tail *tail)
{
    return tail->position;
}

/* ---- copying */

static bool copy_room(struct pl_tail *tail, size_t bytes)
{
    size_t room = bytes > COPY_BYTES ? bytes : COPY_BYTES;
    uint8_t *copy;

    if (tail->copy_room >= bytes && tail->copy != NULL) {
        return true;
    }
    copy = realloc(tail->copy, room);
    if (copy != NULL) {
        tail->copy = copy;
        tail->copy_room = room;
    }
    return copy != NULL;
}

/* Adds a block to the copy; PL_E_ROOM when it has to wait for the next pass. */
static enum pl_error copy_block(struct pl_tail *tail, const struct pl_found_block *found)
{
    size_t bytes = tail->copy_bytes + found->bytes.n;

    if (tail->blocks_n == BLOCKS_MAX || (tail->blocks_n > 0 && bytes > COPY_BYTES)) {
        return PL_E_ROOM;
    }
    if (!copy_room(tail, bytes)) {
        return PL_E_NO_MEMORY;
    }
    memcpy(tail->copy + tail->copy_bytes, found->bytes.p, found->bytes.n);
    tail->blocks[tail->blocks_n++] =
        (struct copied_block){found->position, found->next_position, tail->copy_bytes, found->bytes.n};
    tail->copy_bytes = bytes;
    return PL_OK;
}

static enum pl_error copy_pass(struct pl_tail *tail, MDB_cursor *cursor)
{
    struct pl_found_block found;
    enum pl_error error = pl_log_seek(cursor, tail->position, &found);

    while (error == PL_OK) {
        error = copy_block(tail, &found);
        error = error != PL_OK ? error : pl_log_next(cursor, &found);
    }
    return error == PL_E_NOT_FOUND || error == PL_E_ROOM ? PL_OK : error;
}

static enum pl_error copy_more(struct pl_tail *tail, struct pl_text *reason)
{
    struct pl_reader *reader = tail->reader;
    MDB_cursor *cursor;
    enum pl_error error = pl_env_read(reader->env, &reader->txn, reason);

    if (error != PL_OK) {
        return error;
    }
    tail->blocks_n = tail->block = tail->copy_bytes = 0;
    error = pl_env_error(mdb_cursor_open(reader->txn, pl_env_table(reader->env, PL_T_LOG), &cursor));
    if (error == PL_OK) {
        error = copy_pass(tail, cursor);
        mdb_cursor_close(cursor);
    }
    pl_env_read_end(reader->env, reader->txn);
    return error;
}

/* ---- names */

static void name_set(uint8_t *out, uint8_t *size, const uint8_t *name, size_t n)
{
    memcpy(out, name, n);
    *size = (uint8_t)n;
}

/* Reads the log's pending rows unless they were read when the log ended where it does now. */
static enum pl_error pending_refresh(struct pl_tail *tail)
{
    struct pl_reader *reader = tail->reader;
    struct pl_log_ends ends;
    enum pl_error error = pl_log_ends(reader->env, reader->txn, &ends);

    if (error != PL_OK || ends.end == tail->pending_end) {
        return error;
    }
    tail->pending_end = ends.end;
    return pl_pending_read(&tail->pending, reader->env, reader->txn, NULL);
}

static enum pl_error stream_name(struct pl_tail *tail, struct names *names)
{
    struct pl_reader *reader = tail->reader;
    struct pl_row stored;
    const struct pl_row *row = pl_pending_find(&tail->pending, names->link, names->stream);
    enum pl_error error = PL_OK;

    if (row == NULL && pl_rows_get(reader->env, reader->txn, names->link, names->stream, &stored) == PL_OK) {
        row = &stored;
    }
    if (row == NULL) {
        error = pending_refresh(tail);
        row = pl_pending_find(&tail->pending, names->link, names->stream);
    }
    if (row != NULL) {
        names->birth = row->birth;
        name_set(names->stream_name, &names->stream_size, row->name, row->name_size);
    }
    /* A stream that only damage knows is shown without a name: its records are still read. */
    return error == PL_E_STORE_DAMAGED ? PL_OK : error;
}

static enum pl_error look_up(struct pl_tail *tail, struct names *names)
{
    struct pl_reader *reader = tail->reader;
    struct pl_link_row link;
    enum pl_error error = pl_env_read(reader->env, &reader->txn, NULL);

    if (error != PL_OK) {
        return error;
    }
    if (pl_links_get(reader->env, reader->txn, names->link, 0, &link) == PL_OK) {
        name_set(names->link_name, &names->link_size, link.info.name, link.info.name_size);
    }
    if (!tail->row.begins_life) {
        error = stream_name(tail, names);
    }
    pl_env_read_end(reader->env, reader->txn);
    return error;
}

/* The names of the row's stream, cached. */
static enum pl_error find_names(struct pl_tail *tail)
{
    const struct pl_log_row *row = &tail->row;
    struct names *names = &tail->names[(row->link * 31 + row->stream) % NAMES];
    enum pl_error error = PL_OK;

    if (!names->known || names->link != row->link || names->stream != row->stream) {
        *names = (struct names){.link = row->link, .stream = row->stream};
        error = look_up(tail, names);
        names->known = error == PL_OK && (row->begins_life || names->stream_size > 0);
    }
    if (row->begins_life) {
        names->birth = row->begin.birth;
        name_set(names->stream_name, &names->stream_size, row->begin.name.p, row->begin.name.n);
    }
    tail->row_names = names;
    return error;
}

static bool same(struct pl_bytes wanted, const uint8_t *name, size_t n)
{
    return wanted.n == 0 || (wanted.n == n && memcmp(wanted.p, name, n) == 0);
}

static bool wanted(const struct pl_tail *tail)
{
    const struct names *names = tail->row_names;

    return same(tail->filter.link_name, names->link_name, names->link_size) &&
           same(tail->filter.stream_name, names->stream_name, names->stream_size);
}

/* ---- entries */

/* Gives positions up to `to` as one entry that is no record. */
static void give_range(struct pl_tail *tail, enum pl_tail_kind kind, uint64_t to, struct pl_tail_entry *out)
{
    *out = (struct pl_tail_entry){.kind = kind, .position = tail->position, .position_to = to};
    tail->position = to + 1;
}

static void fill_in(struct pl_tail *tail, struct pl_tail_entry *out)
{
    const struct names *names = tail->row_names;

    *out = (struct pl_tail_entry){.kind = tail->row.gap ? PL_TAIL_GAP : PL_TAIL_RECORD,
                                  .position = tail->row_position,
                                  .position_to = tail->row_position,
                                  .wall_ms = tail->head.wall_ms,
                                  .link = tail->row.link,
                                  .stream = tail->row.stream,
                                  .life = tail->row.life,
                                  .birth = names->birth,
                                  .number = tail->row.gap ? tail->row.lost_from : tail->number,
                                  .number_to = tail->row.gap ? tail->row.lost_to : tail->number,
                                  .link_name = {names->link_name, names->link_size},
                                  .stream_name = {names->stream_name, names->stream_size}};
}

/* Takes the next record off the row. False if its size does not fit what is there. */
static bool take_record(struct pl_tail *tail, struct pl_bytes *record)
{
    struct pl_bytes *bytes = &tail->row.bytes;
    uint64_t size;
    size_t used;

    if (pl_varint_decode(bytes->p, bytes->n, &size, &used) != PL_OK || size > bytes->n - used) {
        return false;
    }
    *record = (struct pl_bytes){bytes->p + used, (size_t)size};
    bytes->p += used + size;
    bytes->n -= used + size;
    return true;
}

/* Positions of the row from row_position on. */
static uint64_t row_end(const struct pl_tail *tail)
{
    return tail->row.gap ? tail->row_position + 1
                         : tail->row_position + (tail->row.first_number + tail->row.count - tail->number);
}

static void leave_row(struct pl_tail *tail)
{
    tail->row_position = row_end(tail);
    tail->position = tail->position > tail->row_position ? tail->position : tail->row_position;
    tail->in_row = false;
}

/* The next entry of the row; false if it has none that is wanted. */
static bool next_of_row(struct pl_tail *tail, struct pl_tail_entry *out)
{
    struct pl_bytes record = {0};
    bool given = false;

    if (tail->row.gap) {
        given = tail->row_position >= tail->position;
        fill_in(tail, out);
        leave_row(tail);
        return given;
    }
    while (!given && tail->number < tail->row.first_number + tail->row.count) {
        if (!take_record(tail, &record)) {
            give_range(tail, PL_TAIL_DAMAGED, row_end(tail) - 1, out);
            leave_row(tail);
            return true;
        }
        given = tail->row_position >= tail->position;
        fill_in(tail, out);
        out->record = record;
        tail->number++;
        tail->row_position++;
    }
    tail->position = given ? tail->row_position : tail->position;
    tail->in_row = tail->number < tail->row.first_number + tail->row.count;
    return given;
}

/* Enters the next row of the block. False at the block's end. */
static bool enter_row(struct pl_tail *tail, enum pl_error *error)
{
    if (!pl_chunk_next(&tail->rows, &tail->row)) {
        return false;
    }
    tail->number = tail->row.first_number;
    *error = find_names(tail);
    if (wanted(tail)) {
        tail->in_row = true;
    } else {
        leave_row(tail);
    }
    return true;
}

/* Enters the next copied block. True if *out is an entry for a block that cannot be read. */
static bool enter_block(struct pl_tail *tail, struct pl_tail_entry *out)
{
    const struct copied_block *block = &tail->blocks[tail->block];
    struct pl_bytes bytes = {tail->copy + block->at, block->size};

    if (block->next_position <= tail->position) {
        tail->block++;
        return false;
    }
    if (tail->position < block->position && !tail->from_oldest) {
        give_range(tail, PL_TAIL_TRIMMED, block->position - 1, out);
        return true;
    }
    tail->from_oldest = false;
    tail->position = tail->position > block->position ? tail->position : block->position;
    if (pl_block_open(bytes, block->position, &tail->head) != PL_OK || tail->head.rows == 0) {
        tail->block++;
        give_range(tail, PL_TAIL_DAMAGED, block->next_position - 1, out);
        return true;
    }
    tail->in_block = true;
    tail->row_position = block->position;
    pl_block_rows(&tail->head, &tail->rows);
    return false;
}

static void leave_block(struct pl_tail *tail)
{
    tail->position = tail->blocks[tail->block].next_position;
    tail->in_block = false;
    tail->block++;
}

/* One step. PL_E_AGAIN: no entry yet, take another step; PL_E_NOT_FOUND: the log has no more. */
static enum pl_error step(struct pl_tail *tail, struct pl_tail_entry *out, struct pl_text *reason)
{
    enum pl_error error = PL_OK;

    if (tail->in_row) {
        return next_of_row(tail, out) ? PL_OK : PL_E_AGAIN;
    }
    if (tail->in_block) {
        if (!enter_row(tail, &error)) {
            leave_block(tail);
        }
        return error != PL_OK ? error : PL_E_AGAIN;
    }
    if (tail->block < tail->blocks_n) {
        return enter_block(tail, out) ? PL_OK : PL_E_AGAIN;
    }
    error = copy_more(tail, reason);
    if (error != PL_OK) {
        return error;
    }
    return tail->blocks_n == 0 || tail->blocks[tail->blocks_n - 1].next_position <= tail->position
               ? PL_E_NOT_FOUND
               : PL_E_AGAIN;
}

enum pl_error pl_tail_next(struct pl_tail *tail, struct pl_tail_entry *out, struct pl_text *reason)
{
    enum pl_error error;

    if (reason != NULL) {
        reason->s[0] = 0;
    }
    do {
        error = step(tail, out, reason);
    } while (error == PL_E_AGAIN);
    if (error != PL_OK && error != PL_E_NOT_FOUND && reason != NULL && reason->s[0] == 0) {
        pl_text_set(reason, "%s: the log cannot be read from position %" PRIu64 " on: %s",
                    pl_env_dir(tail->reader->env), tail->position, pl_error_doc(error));
    }
    return error == PL_E_NOT_FOUND ? PL_E_AGAIN : error;
}
