/* Opening and closing an outbox, and the lines in memory.
 *
 * Why a crash at any point is safe: every change (records with their numbers, lives and the input's position;
 * a fork; a drop; what is freed) is one LMDB transaction, visible whole or not at all. Nothing is sent before
 * its transaction is durable. What the peer stored is remembered lazily: after a crash it is held again and
 * answered as a repeat.
 */
#include "store/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "store/bytes.h"
#include "store/name.h"
#include "store/outbox_tables.h"

enum { DISK_FLOOR = 1 << 20, TRIM_AT_CLOSE = 4096 };

static uint64_t map_default(void)
{
    return sizeof(void *) > 4 ? (uint64_t)64 << 30 : (uint64_t)256 << 20;
}

static void line_free(struct pl_line *line)
{
    if (line != NULL) {
        pl_line_state_clear(&line->now);
        free(line);
    }
}

static void outbox_free(struct pl_outbox *outbox)
{
    for (size_t i = 0; i < outbox->lines_n; i++) {
        line_free(outbox->lines[i]);
    }
    pl_write_batch_free(&outbox->batch);
    pl_env_read_free(outbox->read_txn);
    pl_env_close(outbox->env, true);
    free(outbox->lines);
    free(outbox->links);
    free(outbox);
}

enum pl_error pl_outbox_open(const char *dir, const struct pl_outbox_options *options, struct pl_outbox **out,
                             struct pl_text *reason)
{
    uint8_t id[16];
    struct pl_env_spec spec = {.dir = dir, .format = PL_OUTBOX_FORMAT, .tables = pl_outbox_tables};
    struct pl_outbox *outbox;
    enum pl_error error;

    *out = NULL;
    pl_text_set(reason, "%s", "");
    if (options->owner == 0 || options->random == NULL) {
        pl_text_set(reason, "%s: the owner number and the random source must be given", dir);
        return PL_E_USAGE;
    }
    outbox = calloc(1, sizeof *outbox);
    if (outbox == NULL) {
        return PL_E_NO_MEMORY;
    }
    outbox->options = *options;
    outbox->options.disk_floor_bytes = options->disk_floor_bytes ? options->disk_floor_bytes : DISK_FLOOR;
    options->random(options->random_ctx, id, sizeof id);
    spec.tables_n = PL_O_COUNT;
    spec.write = true;
    spec.map_bytes = options->map_bytes ? options->map_bytes : map_default();
    outbox->batch.max_bytes = spec.map_bytes;
    spec.owner = options->owner;
    spec.wall_ms = options->wall_ms;
    spec.id = id;
    error = pl_env_open(&spec, &outbox->env, reason);
    if (error != PL_OK) {
        outbox_free(outbox);
        return error;
    }
    *out = outbox;
    return PL_OK;
}

void pl_outbox_close(struct pl_outbox *outbox)
{
    if (outbox != NULL) {
        pl_outbox_abort(outbox);
        /* A failure costs nothing but repeats after the next start. */
        (void)pl_outbox_trim(outbox, TRIM_AT_CLOSE, NULL, NULL);
        outbox_free(outbox);
    }
}

/* ---- lines */

static struct pl_loaded_link *find_link(const struct pl_outbox *outbox, uint32_t link)
{
    for (size_t i = 0; i < outbox->links_n; i++) {
        if (outbox->links[i].link == link) {
            return &outbox->links[i];
        }
    }
    return NULL;
}

static enum pl_error add_link(struct pl_outbox *outbox, uint32_t link)
{
    struct pl_loaded_link *links = realloc(outbox->links, (outbox->links_n + 1) * sizeof *links);

    if (links == NULL) {
        return PL_E_NO_MEMORY;
    }
    outbox->links = links;
    links[outbox->links_n++] = (struct pl_loaded_link){link, 1, 1};
    return PL_OK;
}

/* Puts a line into a free slot; it is the outbox's then. */
static enum pl_error add_line(struct pl_outbox *outbox, struct pl_line *line, uint32_t *slot)
{
    struct pl_line **lines;
    size_t at = 0;

    while (at < outbox->lines_n && outbox->lines[at] != NULL) {
        at++;
    }
    if (at == outbox->lines_n) {
        lines = realloc(outbox->lines, (at + 1) * sizeof(struct pl_line *));
        if (lines == NULL) {
            return PL_E_NO_MEMORY;
        }
        outbox->lines = lines;
        outbox->lines_n++;
    }
    outbox->lines[at] = line;
    *slot = (uint32_t)at;
    return PL_OK;
}

static enum pl_error take_line(struct pl_outbox *outbox, const MDB_val *key, const MDB_val *value)
{
    struct pl_line *line;
    struct pl_loaded_link *link;
    uint32_t slot;
    enum pl_error error = pl_outbox_line_load(outbox->env, outbox->read_txn, key, value, &line);

    error = error != PL_OK ? error : add_line(outbox, line, &slot);
    if (error != PL_OK) {
        line_free(line);
        return error;
    }
    link = find_link(outbox, line->link);
    link->next_line = line->number >= link->next_line ? line->number + 1 : link->next_line;
    link->next_stream = line->now.next_stream > link->next_stream ? line->now.next_stream : link->next_stream;
    return PL_OK;
}

static enum pl_error load_lines(struct pl_outbox *outbox, MDB_cursor *cursor, uint32_t link)
{
    uint8_t bytes[8];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value;
    enum pl_error error = PL_OK;
    int rc;

    pl_put_be32(bytes, link);
    pl_put_be32(bytes + 4, 0);
    rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    while (rc == MDB_SUCCESS && error == PL_OK && key.mv_size == 8 && pl_get_be32(key.mv_data) == link) {
        error = take_line(outbox, &key, &value);
        rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
    }
    return error != PL_OK || rc == MDB_NOTFOUND ? error : pl_env_error(rc);
}

enum pl_error pl_outbox_load(struct pl_outbox *outbox, uint32_t link, struct pl_text *reason)
{
    MDB_cursor *cursor;
    enum pl_error error;

    if (find_link(outbox, link) != NULL) {
        return PL_OK;
    }
    error = add_link(outbox, link);
    error = error != PL_OK ? error : pl_env_read(outbox->env, &outbox->read_txn, reason);
    if (error != PL_OK) {
        return error;
    }
    error = pl_env_error(mdb_cursor_open(outbox->read_txn, pl_env_table(outbox->env, PL_O_LINES), &cursor));
    if (error == PL_OK) {
        error = load_lines(outbox, cursor, link);
        mdb_cursor_close(cursor);
    }
    pl_env_read_end(outbox->env, outbox->read_txn);
    if (error != PL_OK) {
        pl_text_set(reason, "%s: the streams of link %u cannot be read%s", pl_env_dir(outbox->env), link,
                    error == PL_E_STORE_DAMAGED ? ": a row fails its checksum; put a backup in its place"
                                                : "");
        pl_outbox_unload(outbox, link);
    }
    return error;
}

void pl_outbox_unload(struct pl_outbox *outbox, uint32_t link)
{
    struct pl_loaded_link *loaded = find_link(outbox, link);

    for (size_t i = 0; i < outbox->lines_n; i++) {
        if (outbox->lines[i] != NULL && outbox->lines[i]->link == link) {
            line_free(outbox->lines[i]);
            outbox->lines[i] = NULL;
        }
    }
    if (loaded != NULL) {
        *loaded = outbox->links[--outbox->links_n];
    }
}

/* Finds the line of that name, and counts those of the link. */
static size_t count_lines(const struct pl_outbox *outbox, uint32_t link, struct pl_bytes name,
                          uint32_t *found)
{
    size_t n = 0;

    *found = UINT32_MAX;
    for (size_t i = 0; i < outbox->lines_n; i++) {
        const struct pl_line *line = outbox->lines[i];
        if (line == NULL || line->link != link) {
            continue;
        }
        n++;
        if (line->name_size == name.n && memcmp(line->name, name.p, name.n) == 0) {
            *found = (uint32_t)i;
        }
    }
    return n;
}

static enum pl_error new_line(struct pl_outbox *outbox, uint32_t link, struct pl_bytes name, uint32_t *slot)
{
    struct pl_loaded_link *loaded = find_link(outbox, link);
    struct pl_line *line = calloc(1, sizeof *line);
    enum pl_error error = line != NULL ? add_line(outbox, line, slot) : PL_E_NO_MEMORY;

    if (error != PL_OK) {
        free(line);
        return error;
    }
    line->link = link;
    line->number = loaded->next_line++;
    line->name_size = (uint8_t)name.n;
    memcpy(line->name, name.p, name.n);
    line->now.need_life = true;
    line->now.next.number = 1;
    return PL_OK;
}

enum pl_error pl_outbox_line(struct pl_outbox *outbox, uint32_t link, struct pl_bytes name, uint32_t *line,
                             struct pl_text *reason)
{
    enum pl_error error;
    size_t n;

    if (!pl_name_valid(name)) {
        pl_text_set(reason, "a stream's name must be 1 to %d bytes of UTF-8 without control characters",
                    (int)PL_NAME_MAX);
        return PL_E_NAME;
    }
    error = pl_outbox_load(outbox, link, reason);
    if (error != PL_OK) {
        return error;
    }
    n = count_lines(outbox, link, name, line);
    if (*line != UINT32_MAX) {
        return PL_OK;
    }
    if (n >= PL_STREAMS_MAX) {
        pl_text_set(reason, "stream %.*s: the outbox has %d streams already, more are not allowed",
                    (int)name.n, (const char *)name.p, (int)PL_STREAMS_MAX);
        return PL_E_LIMIT;
    }
    return new_line(outbox, link, name, line);
}

void pl_outbox_new_life(struct pl_outbox *outbox)
{
    for (size_t i = 0; i < outbox->lines_n; i++) {
        if (outbox->lines[i] != NULL) {
            outbox->lines[i]->now.need_life = true;
        }
    }
}
