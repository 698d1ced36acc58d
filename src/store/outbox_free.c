/* Freeing: what the peer stored goes lazily, what the operator drops at once; rows are deleted a few at a
 * time.
 *
 * Each stretch's `freed` place is what counts: rows below it are garbage whenever they are deleted. A row
 * goes when every stretch that has a part in it freed that part; a damaged one is kept in a table of its own
 * first.
 */
#include <inttypes.h>

#include "store/outbox_tables.h"

enum { TRIM_WITH_DROP = 4096 };

enum pl_error pl_outbox_stored(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint64_t number)
{
    struct pl_line *line;
    size_t index;
    struct pl_stretch *stretch;
    uint64_t held;
    enum pl_error error = pl_outbox_find(outbox, link, stream, &line, &index);

    if (error != PL_OK) {
        return error;
    }
    stretch = &line->now.stretches[index];
    held = pl_stretch_end(&line->now, index).number - stretch->start.number;
    number = stretch->start.number + (number < held ? number : held);
    if (number > stretch->stored_number) {
        stretch->stored_number = number;
        if (line->draft != NULL) {
            /* Within a transaction stretches only join at the end: the index is the same. */
            line->draft->stretches[index].stored_number = number;
        }
    }
    return PL_OK;
}

bool pl_line_wants_trim(const struct pl_line *line)
{
    const struct pl_line_state *state = line->draft != NULL ? line->draft : &line->now;

    for (size_t i = 0; i < state->stretches_n; i++) {
        if (state->stretches[i].stored_number > state->stretches[i].freed.number) {
            return true;
        }
    }
    return state->garbage;
}

/* One trim of a line: where it works. */
struct trim {
    struct pl_outbox *outbox;
    MDB_txn *txn;
    struct pl_line *line;
    struct pl_line_state *state; /* the line's draft */
    MDB_cursor *cursor;
};

/* Moves `freed` up to what is stored. Where that lies within a damaged row it waits for the row's end. */
static enum pl_error free_stretch(const struct trim *trim, size_t index)
{
    struct pl_stretch *stretch = &trim->state->stretches[index];
    struct pl_spot spot, end = pl_stretch_end(trim->state, index);
    enum pl_error error;

    if (stretch->stored_number <= stretch->freed.number) {
        return PL_OK;
    }
    error = pl_held_locate(trim->cursor, trim->line, stretch->freed, end, stretch->stored_number, &spot);
    if (error != PL_OK) {
        return error == PL_E_STORE_DAMAGED ? PL_OK : error;
    }
    stretch->freed = spot;
    trim->state->garbage = true;
    return pl_stretch_put(trim->outbox->env, trim->txn, trim->line, stretch);
}

static bool is_garbage(const struct pl_line_state *state, uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < state->stretches_n; i++) {
        uint64_t start = state->stretches[i].start.position;
        uint64_t end = pl_stretch_end(state, i).position;
        uint64_t part_end = to < end ? to : end;
        if (from < end && start < to && state->stretches[i].freed.position < part_end) {
            return false;
        }
    }
    return true;
}

/* Where a row ends; of a damaged one only the next row can tell. */
static enum pl_error row_end(const struct trim *trim, const struct pl_held_row *row, uint64_t *end)
{
    struct pl_held_row next, again;
    enum pl_error error;

    *end = row->end.position;
    if (!row->damaged) {
        return PL_OK;
    }
    error = pl_held_next(trim->cursor, trim->line, &next);
    *end = error == PL_OK ? next.start.position : trim->state->next.position;
    if (error != PL_OK && error != PL_E_NOT_FOUND) {
        return error;
    }
    return pl_held_seek(trim->cursor, trim->line, row->start.position, &again);
}

static enum pl_error delete_rows(const struct trim *trim, size_t *budget)
{
    struct pl_held_row row;
    uint64_t end;
    enum pl_error error = *budget > 0 ? pl_held_seek(trim->cursor, trim->line, 0, &row) : PL_OK;

    while (error == PL_OK && *budget > 0) {
        error = row_end(trim, &row, &end);
        if (error != PL_OK || !is_garbage(trim->state, row.start.position, end)) {
            trim->state->garbage = false;
            break;
        }
        if (row.damaged) {
            error = pl_held_set_aside(trim->outbox->env, trim->txn, trim->line, trim->cursor);
        }
        error = error != PL_OK ? error : pl_env_error(mdb_cursor_del(trim->cursor, 0));
        /* What followed stands where the deleted one did, and that is where the cursor goes. */
        error = error != PL_OK ? error : pl_held_next_known(trim->cursor, trim->line, &row);
        --*budget;
    }
    if (error == PL_E_NOT_FOUND) {
        trim->state->garbage = false;
    }
    return error == PL_E_NOT_FOUND ? PL_OK : error;
}

/* A life is kept while a record of it is held or is the last one freed, and the newest for ever: a later one
 * names it. */
static enum pl_error forget_lives(const struct trim *trim)
{
    struct pl_line_state *state = trim->state;
    enum pl_error error = PL_OK;

    for (size_t s = 0; s < state->stretches_n; s++) {
        const struct pl_stretch *stretch = &state->stretches[s];
        size_t i = 0;
        while (error == PL_OK && i + 1 < state->lives_n) {
            uint64_t next = state->lives[i + 1].start.position;
            if (state->lives[i].start.position < stretch->start.position || next >= stretch->freed.position) {
                i++;
                continue;
            }
            error = pl_life_del(trim->outbox->env, trim->txn, trim->line, state->lives[i].start.position);
            pl_state_del_life(state, i);
        }
    }
    return error;
}

enum pl_error pl_stretch_forget(struct pl_outbox *outbox, MDB_txn *txn, struct pl_line *line, size_t index)
{
    struct pl_line_state *state = line->draft;
    uint64_t start = state->stretches[index].start.position;
    uint64_t end = pl_stretch_end(state, index).position;
    enum pl_error error = pl_stretch_del(outbox->env, txn, line, state->stretches[index].stream);

    for (size_t i = state->lives_n; i > 0 && error == PL_OK; i--) {
        uint64_t position = state->lives[i - 1].start.position;
        if (position >= start && position < end) {
            error = pl_life_del(outbox->env, txn, line, position);
            pl_state_del_life(state, i - 1);
        }
    }
    pl_state_del_stretch(state, index);
    return error;
}

/* Older births that hold nothing are no more. */
static enum pl_error forget_stretches(const struct trim *trim)
{
    enum pl_error error = PL_OK;

    for (size_t i = trim->state->stretches_n; i > 1 && error == PL_OK; i--) {
        const struct pl_stretch *stretch = &trim->state->stretches[i - 2];
        if (stretch->freed.number >= stretch->end.number) {
            error = pl_stretch_forget(trim->outbox, trim->txn, trim->line, i - 2);
        }
    }
    return error;
}

enum pl_error pl_line_trim(struct pl_outbox *outbox, MDB_txn *txn, struct pl_line *line, size_t *budget)
{
    struct trim trim = {outbox, txn, line, line->draft, NULL};
    enum pl_error error =
        pl_env_error(mdb_cursor_open(txn, pl_env_table(outbox->env, PL_O_ROWS), &trim.cursor));

    if (error != PL_OK) {
        return error;
    }
    for (size_t i = 0; i < trim.state->stretches_n && error == PL_OK; i++) {
        error = free_stretch(&trim, i);
    }
    error = error != PL_OK ? error : delete_rows(&trim, budget);
    error = error != PL_OK ? error : forget_lives(&trim);
    error = error != PL_OK ? error : forget_stretches(&trim);
    mdb_cursor_close(trim.cursor);
    return error;
}

static bool wants_trim(const struct pl_outbox *outbox)
{
    for (size_t i = 0; i < outbox->lines_n; i++) {
        if (outbox->lines[i] != NULL && pl_line_wants_trim(outbox->lines[i])) {
            return true;
        }
    }
    return false;
}

enum pl_error pl_outbox_finish(struct pl_outbox *outbox, MDB_txn *txn, enum pl_error error,
                               struct pl_text *reason)
{
    if (error == PL_OK) {
        error = pl_env_commit(outbox->env, txn, reason);
    } else {
        mdb_txn_abort(txn);
    }
    pl_outbox_settle(outbox, error == PL_OK);
    return error;
}

enum pl_error pl_outbox_trim(struct pl_outbox *outbox, size_t rows_max, bool *left, struct pl_text *reason)
{
    MDB_txn *txn;
    enum pl_error error = PL_OK;

    if (!outbox->giving && rows_max > 0 && wants_trim(outbox)) {
        error = pl_env_begin(outbox->env, &txn, reason);
        if (error != PL_OK) {
            return error;
        }
        for (size_t i = 0; i < outbox->lines_n && error == PL_OK && rows_max > 0; i++) {
            struct pl_line *line = outbox->lines[i];
            if (line != NULL && pl_line_wants_trim(line)) {
                error =
                    pl_line_draft(line) != NULL ? pl_line_trim(outbox, txn, line, &rows_max) : PL_E_NO_MEMORY;
            }
        }
        error = pl_outbox_finish(outbox, txn, error, reason);
        error = error != PL_OK ? error : pl_env_turn(outbox->env, reason);
    }
    if (left != NULL) {
        *left = wants_trim(outbox);
    }
    return error;
}

/* Frees as dropped, within a transaction. */
static enum pl_error drop(struct pl_outbox *outbox, MDB_txn *txn, struct pl_line *line, size_t index,
                          uint64_t number, struct pl_text *reason)
{
    struct pl_stretch *stretch = &line->draft->stretches[index];
    uint32_t stream = stretch->stream;
    uint64_t count = number - stretch->stored_number;
    uint64_t dropped;
    size_t budget = TRIM_WITH_DROP;
    enum pl_error error = pl_meta_get_u64(outbox->env, txn, "dropped", &dropped);

    error = error != PL_OK ? error : pl_meta_put_u64(outbox->env, txn, "dropped", dropped + count);
    stretch->stored_number = number;
    error = error != PL_OK ? error : pl_line_trim(outbox, txn, line, &budget);
    for (size_t i = 0; i < line->draft->stretches_n && error == PL_OK; i++) {
        stretch = &line->draft->stretches[i];
        if (stretch->stream == stream && stretch->freed.number < number) {
            pl_text_set(reason, "number %" PRIu64 " lies within a damaged row: drop the whole of it",
                        number - stretch->start.number);
            error = PL_E_STORE_DAMAGED;
        }
    }
    return error;
}

enum pl_error pl_outbox_drop(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint64_t upto,
                             uint64_t *dropped, struct pl_text *reason)
{
    struct pl_line *line;
    size_t index;
    MDB_txn *txn;
    uint64_t before, number;
    enum pl_error error =
        !outbox->giving ? pl_outbox_find(outbox, link, stream, &line, &index) : PL_E_USAGE;

    if (error != PL_OK) {
        return error;
    }
    before = line->now.stretches[index].stored_number;
    number = line->now.stretches[index].start.number + upto;
    if (number > pl_stretch_end(&line->now, index).number || upto > UINT32_MAX * (uint64_t)UINT32_MAX) {
        pl_text_set(reason, "number %" PRIu64 " was never given", upto);
        return PL_E_RANGE;
    }
    if (dropped != NULL) {
        *dropped = number > before ? number - before : 0;
    }
    if (number <= before) {
        return PL_OK;
    }
    error = pl_env_begin(outbox->env, &txn, reason);
    if (error != PL_OK) {
        return error;
    }
    error = pl_line_draft(line) != NULL ? drop(outbox, txn, line, index, number, reason) : PL_E_NO_MEMORY;
    error = pl_outbox_finish(outbox, txn, error, reason);
    return error != PL_OK ? error : pl_env_turn(outbox->env, reason);
}
