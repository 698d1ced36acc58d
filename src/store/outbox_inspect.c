/* An outbox seen from outside, beside the process that owns it. */
#include <stdlib.h>
#include <string.h>

#include "store/inspect.h"
#include "store/outbox_tables.h"

static uint64_t count_lives(const struct pl_line_state *state, size_t index)
{
    uint64_t start = state->stretches[index].start.position;
    uint64_t end = pl_stretch_end(state, index).position;
    uint64_t n = 0;

    for (size_t i = 0; i < state->lives_n; i++) {
        uint64_t position = state->lives[i].start.position;
        bool held = pl_life_end(state, i).number > state->stretches[index].freed.number;
        n += position >= start && position < end && held;
    }
    return n;
}

static struct pl_outbox_status describe(const struct pl_line *line, size_t index)
{
    const struct pl_line_state *state = &line->now;
    const struct pl_stretch *stretch = &state->stretches[index];
    struct pl_spot end = pl_stretch_end(state, index);
    struct pl_outbox_status status = {.link = line->link,
                                      .stream = stretch->stream,
                                      .birth = stretch->birth,
                                      .name_size = line->name_size,
                                      .next_number = end.number - stretch->start.number + 1,
                                      .freed_number = stretch->freed.number - stretch->start.number,
                                      .held_records = end.number - stretch->freed.number,
                                      .held_bytes = end.position - stretch->freed.position,
                                      .lives = count_lives(state, index),
                                      .forked_ms = state->forked_ms};

    memcpy(status.name, line->name, line->name_size);
    for (size_t i = 0; i < index; i++) {
        status.blocked = status.blocked || state->stretches[i].freed.number < state->stretches[i].end.number;
    }
    return status;
}

/* Shows a line's streams; false: the caller has had enough. */
static bool show(const struct pl_line *line, struct pl_outbox_totals *totals, pl_each_outbox *each, void *ctx)
{
    bool more = true;

    for (size_t i = 0; i < line->now.stretches_n && more; i++) {
        struct pl_outbox_status status = describe(line, i);
        totals->held_records += status.held_records;
        totals->held_bytes += status.held_bytes;
        more = each == NULL || each(ctx, &status);
    }
    return more;
}

static enum pl_error show_lines(const struct pl_env *env, MDB_txn *txn, struct pl_outbox_totals *totals,
                                pl_each_outbox *each, void *ctx)
{
    MDB_cursor *cursor;
    MDB_val key, value;
    bool more = true;
    enum pl_error error = PL_OK;
    int rc = mdb_cursor_open(txn, pl_env_table(env, PL_O_LINES), &cursor);

    if (rc != MDB_SUCCESS) {
        return pl_env_error(rc);
    }
    while (more && error == PL_OK && (rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == MDB_SUCCESS) {
        struct pl_line *line;
        error = pl_outbox_line_load(env, txn, &key, &value, &line);
        if (error == PL_OK) {
            more = show(line, totals, each, ctx);
            pl_line_state_clear(&line->now);
            free(line);
        }
    }
    mdb_cursor_close(cursor);
    return error != PL_OK || rc == MDB_NOTFOUND ? error : pl_env_error(rc);
}

static enum pl_error read_totals(const struct pl_env *env, MDB_txn *txn, struct pl_outbox_totals *totals)
{
    struct pl_owner owner = {0};
    enum pl_error error = pl_meta_owner(env, txn, &owner);

    totals->owner_pid = owner.pid;
    error = error != PL_OK ? error : pl_meta_get_u64(env, txn, "damaged", &totals->damaged_rows);
    return error != PL_OK ? error : pl_meta_get_u64(env, txn, "dropped", &totals->dropped_records);
}

enum pl_error pl_outbox_inspect(const char *dir, struct pl_outbox_totals *totals, pl_each_outbox *each,
                                void *ctx, struct pl_text *reason)
{
    const struct pl_env_spec spec = {
        .dir = dir, .format = PL_OUTBOX_FORMAT, .tables = pl_outbox_tables, .tables_n = PL_O_COUNT};
    struct pl_env *env;
    MDB_txn *txn = NULL;
    enum pl_error error = pl_env_open(&spec, &env, reason);

    memset(totals, 0, sizeof *totals);
    if (error != PL_OK) {
        return error;
    }
    error = pl_env_used(env, &totals->used_bytes, &totals->file_bytes, &totals->map_bytes);
    error = error != PL_OK ? error : pl_env_read(env, &txn, reason);
    if (error == PL_OK) {
        error = read_totals(env, txn, totals);
        error = error != PL_OK ? error : show_lines(env, txn, totals, each, ctx);
        pl_env_read_end(env, txn);
        pl_env_read_free(txn);
    }
    if (error != PL_OK) {
        pl_text_set(reason, "%s: its lines cannot be read: %s%s", dir, pl_error_doc(error),
                    error == PL_E_STORE_DAMAGED ? "; put a backup in its place" : "");
    }
    pl_env_close(env, false);
    return error;
}
