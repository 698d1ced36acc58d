/* Status of a store, and its streams, checkpointed or not, for people. */
#include "store/inspect.h"

#include <string.h>

#include "store/bytes.h"
#include "store/links.h"
#include "store/lock.h"
#include "store/pending.h"
#include "store/reader_state.h"
#include "store/tables.h"

static uint64_t entries(struct pl_reader *reader, size_t table)
{
    MDB_stat stat;

    return mdb_stat(reader->txn, pl_env_table(reader->env, table), &stat) == MDB_SUCCESS ? stat.ms_entries
                                                                                         : 0;
}

/* Says what could not be read, whatever it was. Returns the error. */
static enum pl_error tell(const struct pl_env *env, enum pl_error error, const char *what,
                          struct pl_text *reason)
{
    if (error != PL_OK) {
        pl_text_set(reason, "%s: %s: %s%s", pl_env_dir(env), what, pl_error_doc(error),
                    error == PL_E_STORE_DAMAGED ? "; put a backup in its place" : "");
    }
    return error;
}

static enum pl_error status_meta(struct pl_reader *reader, struct pl_store_status *out)
{
    struct pl_bytes value;
    struct pl_owner owner = {0};
    enum pl_error error = pl_meta_owner(reader->env, reader->txn, &owner);

    out->owner_pid = owner.pid;
    out->opened_ms = owner.opened_ms;
    error = error != PL_OK
                ? error
                : pl_meta_get_u64(reader->env, reader->txn, "checkpoint", &out->checkpoint_position);
    error =
        error != PL_OK ? error : pl_meta_get_u64(reader->env, reader->txn, "damaged", &out->damaged_blocks);
    if (pl_meta_get(reader->env, reader->txn, "id", &value) == PL_OK && value.n == sizeof out->store_id) {
        memcpy(out->store_id, value.p, value.n);
    }
    if (pl_meta_get(reader->env, reader->txn, "damage", &value) == PL_OK) {
        pl_text_set(&out->last_damage, "%.*s", (int)value.n, (const char *)value.p);
    }
    return error;
}

static enum pl_error status_tables(struct pl_reader *reader, struct pl_store_status *out)
{
    struct pl_log_ends ends;
    enum pl_error error = pl_log_ends(reader->env, reader->txn, &ends);

    out->first_position = ends.first;
    out->end_position = ends.end;
    out->last_commit_ms = ends.last_ms;
    error = error != PL_OK ? error : pl_links_list(reader->env, reader->txn, &out->list);
    out->allowed = out->list.entries;
    out->links = entries(reader, PL_T_LINKS);
    out->blocks = entries(reader, PL_T_LOG);
    return error;
}

enum pl_error pl_store_status(struct pl_reader *reader, struct pl_store_status *out, struct pl_text *reason)
{
    MDB_envinfo info;
    enum pl_error error;

    memset(out, 0, sizeof *out);
    error = pl_env_used(reader->env, &out->used_bytes, &out->file_bytes, &out->map_bytes);
    error = error != PL_OK ? error : pl_env_read(reader->env, &reader->txn, reason);
    if (error != PL_OK) {
        return tell(reader->env, error, "its pages cannot be counted", reason);
    }
    out->owned = pl_lock_is_held(pl_env_dir(reader->env));
    error = status_meta(reader, out);
    error = error != PL_OK ? error : status_tables(reader, out);
    pl_env_read_end(reader->env, reader->txn);
    if (mdb_env_info(pl_env_lmdb(reader->env), &info) == MDB_SUCCESS) {
        out->readers = info.me_numreaders;
    }
    return tell(reader->env, error, "its counts cannot be read", reason);
}

/* A walk over one table that ends when the caller has had enough. */
struct walk {
    struct pl_reader *reader;
    struct pl_list_info list;
    MDB_cursor *cursor;
    MDB_val key, value;
    enum pl_error error;
};

static bool walk_begin(struct walk *walk, struct pl_reader *reader, size_t table, struct pl_text *reason)
{
    walk->reader = reader;
    walk->error = pl_env_read(reader->env, &reader->txn, reason);
    if (walk->error != PL_OK) {
        return false;
    }
    walk->error = pl_links_list(reader->env, reader->txn, &walk->list);
    if (walk->error == PL_OK) {
        walk->error =
            pl_env_error(mdb_cursor_open(reader->txn, pl_env_table(reader->env, table), &walk->cursor));
    }
    if (walk->error != PL_OK) {
        pl_env_read_end(reader->env, reader->txn);
        tell(reader->env, walk->error, "its list cannot be read", reason);
    }
    return walk->error == PL_OK;
}

static bool walk_next(struct walk *walk, size_t key_size)
{
    int rc = walk->error == PL_OK ? mdb_cursor_get(walk->cursor, &walk->key, &walk->value, MDB_NEXT)
                                  : MDB_NOTFOUND;

    if (rc == MDB_SUCCESS && walk->key.mv_size != key_size) {
        rc = MDB_CORRUPTED;
    }
    if (rc != MDB_SUCCESS && rc != MDB_NOTFOUND) {
        walk->error = pl_env_error(rc);
    }
    return rc == MDB_SUCCESS;
}

static enum pl_error walk_end(struct walk *walk, const char *what, struct pl_text *reason)
{
    mdb_cursor_close(walk->cursor);
    pl_env_read_end(walk->reader->env, walk->reader->txn);
    return tell(walk->reader->env, walk->error, what, reason);
}

static struct pl_bytes value_of(const struct walk *walk)
{
    return (struct pl_bytes){walk->value.mv_data, walk->value.mv_size};
}

enum pl_error pl_store_links(struct pl_reader *reader, pl_each_link *each, void *ctx, struct pl_text *reason)
{
    struct walk walk;
    struct pl_link_row row;
    bool more = true;

    if (!walk_begin(&walk, reader, PL_T_LINKS, reason)) {
        return walk.error;
    }
    while (more && walk_next(&walk, 4)) {
        walk.error =
            pl_links_decode(value_of(&walk), pl_get_be32(walk.key.mv_data), walk.list.generation, &row);
        more = walk.error == PL_OK && each(ctx, &row.info);
    }
    return walk_end(&walk, "its links cannot be read", reason);
}

/* Hands one stream over, with its link; a stream whose link was never imported is shown without a name. */
static bool show(struct walk *walk, const struct pl_row *row, pl_each_stream *each, void *ctx)
{
    struct pl_link_row link;
    enum pl_error error =
        pl_links_get(walk->reader->env, walk->reader->txn, row->link, walk->list.generation, &link);

    if (error == PL_E_NOT_FOUND) {
        memset(&link, 0, sizeof link);
        link.info.link = row->link;
        error = PL_OK;
    }
    walk->error = error;
    return error == PL_OK && each(ctx, &link.info, row);
}

/* True if a comes before b in order of link and stream. */
static bool before(const struct pl_row *a, const struct pl_row *b)
{
    return a->link != b->link ? a->link < b->link : a->stream < b->stream;
}

/* Merges the table with the rows that are newer. */
static void show_all(struct walk *walk, struct pl_pending *pending, pl_each_stream *each, void *ctx)
{
    struct pl_row row;
    size_t at = 0;
    bool more = true;

    while (more && walk_next(walk, 8)) {
        const uint8_t *key = walk->key.mv_data;
        walk->error = pl_row_decode(value_of(walk), pl_get_be32(key), pl_get_be32(key + 4), &row);
        more = walk->error == PL_OK;
        for (; more && at < pending->rows.n && before(&pending->rows.p[at], &row); at++) {
            more = show(walk, &pending->rows.p[at], each, ctx);
        }
        if (more && at < pending->rows.n && !before(&row, &pending->rows.p[at])) {
            row = pending->rows.p[at++];
        }
        more = more && show(walk, &row, each, ctx);
    }
    for (; more && walk->error == PL_OK && at < pending->rows.n; at++) {
        more = show(walk, &pending->rows.p[at], each, ctx);
    }
}

enum pl_error pl_store_streams(struct pl_reader *reader, pl_each_stream *each, void *ctx,
                               struct pl_text *reason)
{
    struct pl_pending pending = {0};
    struct walk walk;

    if (!walk_begin(&walk, reader, PL_T_ROWS, reason)) {
        return walk.error;
    }
    walk.error = pl_pending_read(&pending, reader->env, reader->txn, NULL);
    show_all(&walk, &pending, each, ctx);
    pl_pending_free(&pending);
    return walk_end(&walk, "its streams cannot be read", reason);
}
