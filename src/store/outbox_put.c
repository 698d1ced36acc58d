/* Giving records: a transaction holds them, their numbers and lives, and the input's position.
 *
 * A record is framed into the row of its line that is being filled; a row goes to the batch when it is full,
 * or the transaction ends, so small records cost a copy each and LMDB one put for each PL_ROW_BYTES, while a
 * record committed alone writes no more than itself. A record of more than half a row has one of its own.
 * LMDB sees nothing of it before the commit: its write transactions must begin and end in one thread, and the
 * caller's records may come from several.
 */
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"
#include "store/bytes.h"
#include "store/outbox_tables.h"

enum { TRIM_WITH_COMMIT = 256, FRAME_MAX = 8 };

static enum pl_error no_transaction(struct pl_text *reason)
{
    pl_text_set(reason, "outbox: no transaction is open");
    return PL_E_USAGE;
}

enum pl_error pl_outbox_begin(struct pl_outbox *outbox, struct pl_text *reason)
{
    MDB_txn *txn;
    enum pl_error error;

    if (outbox->giving) {
        pl_text_set(reason, "outbox: a transaction is open already");
        return PL_E_USAGE;
    }
    error = pl_env_room(outbox->env, outbox->options.disk_floor_bytes, reason);
    /* Only asks: who lost the outbox, or its disk, learns of it before there is anything to lose. */
    error = error != PL_OK ? error : pl_env_begin(outbox->env, &txn, reason);
    if (error == PL_OK) {
        mdb_txn_abort(txn);
        outbox->giving = true;
    }
    return error;
}

void pl_outbox_abort(struct pl_outbox *outbox)
{
    if (outbox->giving) {
        outbox->giving = false;
        pl_write_batch_clear(&outbox->batch);
        pl_outbox_settle(outbox, false);
    }
}

static enum pl_error flush(struct pl_outbox *outbox, struct pl_line *line)
{
    struct pl_held_row row = {.start = line->row_start, .bytes = {line->row, line->row_bytes}};
    enum pl_error error;

    if (line->row_count == 0) {
        return PL_OK;
    }
    row.end.number = line->row_start.number + line->row_count;
    error = pl_held_put(&outbox->batch, line, &row, (struct pl_bytes){0});
    if (error == PL_OK) {
        line->row_count = line->row_bytes = 0;
    }
    return error;
}

static bool tag_taken(const struct pl_outbox *outbox, uint32_t link, uint32_t tag)
{
    for (size_t i = 0; i < outbox->lines_n; i++) {
        const struct pl_line *line = outbox->lines[i];
        const struct pl_line_state *state = line == NULL          ? NULL
                                            : line->draft != NULL ? line->draft
                                                                  : &line->now;
        for (size_t k = 0; state != NULL && line->link == link && k < state->lives_n; k++) {
            if (state->lives[k].tag == tag) {
                return true;
            }
        }
    }
    return tag == 0;
}

/* The first record of a line begins its first stretch. */
static enum pl_error begin_stretch(struct pl_outbox *outbox, struct pl_line *line,
                                   struct pl_line_state *draft)
{
    struct pl_stretch stretch = {.start = draft->next, .freed = draft->next};

    for (size_t i = 0; i < outbox->links_n; i++) {
        if (outbox->links[i].link == line->link) {
            stretch.stream = outbox->links[i].next_stream++;
        }
    }
    draft->next_stream = stretch.stream + 1;
    stretch.stored_number = draft->next.number;
    outbox->options.random(outbox->options.random_ctx, &stretch.birth, sizeof stretch.birth);
    return pl_state_add_stretch(draft, 0, &stretch);
}

static enum pl_error begin_life(struct pl_outbox *outbox, struct pl_line *line, struct pl_line_state *draft)
{
    struct pl_given_life life = {.start = draft->next};
    enum pl_error error = draft->stretches_n == 0 ? begin_stretch(outbox, line, draft) : PL_OK;

    if (error != PL_OK) {
        return error;
    }
    /* Lives are only added behind the newest stretch's start, so the last one is its newest. */
    life.before = draft->lives_n > 0 ? draft->lives[draft->lives_n - 1].tag : 0;
    do {
        outbox->options.random(outbox->options.random_ctx, &life.tag, sizeof life.tag);
    } while (tag_taken(outbox, line->link, life.tag));
    error = flush(outbox, line);
    error = error != PL_OK ? error : pl_state_add_life(draft, draft->lives_n, &life);
    draft->need_life = false;
    return error;
}

/* A record that shares no row: framed in one of its own. */
static enum pl_error put_large(struct pl_outbox *outbox, struct pl_line *line, struct pl_spot at,
                               struct pl_bytes record)
{
    uint8_t frame[FRAME_MAX];
    struct pl_held_row row = {.start = at, .end.number = at.number + 1};

    row.bytes = (struct pl_bytes){frame, pl_varint_encode(frame, record.n)};
    return pl_held_put(&outbox->batch, line, &row, record);
}

static enum pl_error put_small(struct pl_line *line, struct pl_spot at, struct pl_bytes record)
{
    if (line->row == NULL && (line->row = malloc(PL_ROW_BYTES)) == NULL) {
        return PL_E_NO_MEMORY;
    }
    if (line->row_count == 0) {
        line->row_start = at;
    }
    line->row_bytes += (uint32_t)pl_varint_encode(line->row + line->row_bytes, record.n);
    if (record.n > 0) {
        memcpy(line->row + line->row_bytes, record.p, record.n);
    }
    line->row_bytes += (uint32_t)record.n;
    line->row_count++;
    return PL_OK;
}

static enum pl_error put_record(struct pl_outbox *outbox, struct pl_line *line, struct pl_line_state *draft,
                                struct pl_bytes record)
{
    size_t framed = pl_varint_size(record.n) + record.n;
    bool alone = framed > PL_ROW_BYTES / 2;
    enum pl_error error = draft->need_life ? begin_life(outbox, line, draft) : PL_OK;

    if (error == PL_OK && (alone || line->row_bytes + framed > PL_ROW_BYTES)) {
        error = flush(outbox, line);
    }
    if (error != PL_OK) {
        return error;
    }
    error = alone ? put_large(outbox, line, draft->next, record) : put_small(line, draft->next, record);
    if (error == PL_OK) {
        draft->next.number++;
        draft->next.position += framed;
    }
    return error;
}

static enum pl_error explain_put(const struct pl_outbox *outbox, enum pl_error error, struct pl_text *reason)
{
    if (error != PL_OK) {
        pl_text_set(reason, "%s: %s", pl_env_dir(outbox->env),
                    error == PL_E_STORE_FULL  ? "the outbox is full: nothing of this transaction was taken"
                    : error == PL_E_NO_MEMORY ? "out of memory"
                                              : "the record could not be written");
    }
    return error;
}

enum pl_error pl_outbox_put(struct pl_outbox *outbox, uint32_t line_index, struct pl_bytes record,
                            uint64_t *number, struct pl_text *reason)
{
    struct pl_line *line = line_index < outbox->lines_n ? outbox->lines[line_index] : NULL;
    struct pl_line_state *draft;
    enum pl_error error;

    if (!outbox->giving || line == NULL) {
        return no_transaction(reason);
    }
    if (record.n > PL_RECORD_MAX) {
        pl_text_set(reason, "a record of %zu bytes is larger than %d", record.n, (int)PL_RECORD_MAX);
        return PL_E_TOO_LARGE;
    }
    draft = pl_line_draft(line);
    error = draft != NULL ? put_record(outbox, line, draft, record) : PL_E_NO_MEMORY;
    if (error == PL_OK && number != NULL) {
        *number = draft->next.number - draft->stretches[draft->stretches_n - 1].start.number;
    }
    return explain_put(outbox, error, reason);
}

enum pl_error pl_outbox_put_many(struct pl_outbox *outbox, uint32_t line, const struct pl_bytes *records,
                                 size_t n, size_t *taken, struct pl_text *reason)
{
    enum pl_error error = PL_OK;
    size_t at = 0;

    while (at < n && error == PL_OK) {
        error = pl_outbox_put(outbox, line, records[at], NULL, reason);
        at += error == PL_OK;
    }
    if (taken != NULL) {
        *taken = at;
    }
    return error;
}

enum pl_error pl_outbox_set_input(struct pl_outbox *outbox, struct pl_bytes key, struct pl_bytes position,
                                  struct pl_text *reason)
{
    uint8_t *value;
    enum pl_error error;

    if (!outbox->giving) {
        return no_transaction(reason);
    }
    if (key.n == 0 || key.n > PL_INPUT_KEY_MAX || position.n > PL_INPUT_MAX) {
        pl_text_set(reason, "an input's name has 1 to %u bytes, its position at most %u", PL_INPUT_KEY_MAX,
                    PL_INPUT_MAX);
        return PL_E_TOO_LARGE;
    }
    error = pl_write_batch_add(&outbox->batch, PL_O_INPUTS, key.p, key.n, 4 + position.n, &value);
    if (error != PL_OK) {
        return explain_put(outbox, error, reason);
    }
    if (position.n > 0) {
        memcpy(value + 4, position.p, position.n);
    }
    pl_put_le32(value, pl_value_crc(key.p, key.n, value, 4 + position.n));
    return PL_OK;
}

enum pl_error pl_outbox_input(struct pl_outbox *outbox, struct pl_bytes key, uint8_t out[PL_INPUT_MAX],
                              size_t *n)
{
    MDB_val k = {key.n, (void *)key.p};
    MDB_val v;
    enum pl_error error;

    *n = 0;
    if (key.n == 0 || key.n > PL_INPUT_KEY_MAX) {
        return PL_E_NOT_FOUND;
    }
    error = pl_env_read(outbox->env, &outbox->read_txn, NULL);
    if (error != PL_OK) {
        return error;
    }
    error = pl_env_error(mdb_get(outbox->read_txn, pl_env_table(outbox->env, PL_O_INPUTS), &k, &v));
    if (error == PL_OK && (v.mv_size < 4 || v.mv_size > 4 + PL_INPUT_MAX ||
                           pl_get_le32(v.mv_data) != pl_value_crc(key.p, key.n, v.mv_data, v.mv_size))) {
        error = PL_E_STORE_DAMAGED;
    }
    if (error == PL_OK) {
        *n = v.mv_size - 4;
        memcpy(out, (const uint8_t *)v.mv_data + 4, *n);
    }
    pl_env_read_end(outbox->env, outbox->read_txn);
    return error;
}

/* Puts the rows still being filled to the others. */
static enum pl_error flush_all(struct pl_outbox *outbox)
{
    enum pl_error error = PL_OK;

    for (size_t i = 0; i < outbox->lines_n && error == PL_OK; i++) {
        struct pl_line *line = outbox->lines[i];
        if (line != NULL && line->draft != NULL) {
            error = flush(outbox, line);
        }
    }
    return error;
}

/* Writes a line that was given records; stretches and lives begun with them stand behind those it had. */
static enum pl_error write_line(struct pl_outbox *outbox, MDB_txn *txn, const struct pl_line *line)
{
    const struct pl_line_state *draft = line->draft;
    enum pl_error error = PL_OK;

    for (size_t i = line->now.stretches_n; i < draft->stretches_n && error == PL_OK; i++) {
        error = pl_stretch_put(outbox->env, txn, line, &draft->stretches[i]);
    }
    for (size_t i = line->now.lives_n; i < draft->lives_n && error == PL_OK; i++) {
        error = pl_life_put(outbox->env, txn, line, &draft->lives[i]);
    }
    return error != PL_OK ? error : pl_outbox_line_put(outbox->env, txn, line, draft);
}

/* Writes what was done to a line, and frees a little of what the peer stored. */
static enum pl_error finish_line(struct pl_outbox *outbox, MDB_txn *txn, struct pl_line *line, size_t *budget)
{
    enum pl_error error = line->draft != NULL ? write_line(outbox, txn, line) : PL_OK;

    if (error == PL_OK && *budget > 0 && line->now.kept && pl_line_wants_trim(line)) {
        error = pl_line_draft(line) != NULL ? pl_line_trim(outbox, txn, line, budget) : PL_E_NO_MEMORY;
    }
    return error;
}

static enum pl_error write_all(struct pl_outbox *outbox, MDB_txn *txn)
{
    size_t budget = TRIM_WITH_COMMIT;
    enum pl_error error = pl_write_batch_apply(&outbox->batch, outbox->env, txn);

    for (size_t i = 0; i < outbox->lines_n && error == PL_OK; i++) {
        if (outbox->lines[i] != NULL) {
            error = finish_line(outbox, txn, outbox->lines[i], &budget);
        }
    }
    return error;
}

enum pl_error pl_outbox_commit(struct pl_outbox *outbox, struct pl_text *reason)
{
    MDB_txn *txn;
    enum pl_error error;

    if (!outbox->giving) {
        return no_transaction(reason);
    }
    error = explain_put(outbox, flush_all(outbox), reason);
    error = error != PL_OK ? error : pl_env_begin(outbox->env, &txn, reason);
    if (error == PL_OK) {
        error = explain_put(outbox, write_all(outbox, txn), reason);
        error = pl_outbox_finish(outbox, txn, error, reason);
    }
    pl_outbox_abort(outbox); /* what was kept is the state already: there is only the batch to clear */
    return error;
}
