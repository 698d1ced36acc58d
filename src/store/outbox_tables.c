/* Rows of the outbox's tables: put, found, checked. A value is valid if its checksum holds over its key and
 * itself, and it has the size its table gives it.
 */
#include "store/outbox_tables.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/bytes.h"
#include "store/crc32c.h"

const struct pl_table pl_outbox_tables[PL_O_COUNT] = {
    [PL_O_META] = {"meta", 0},       [PL_O_LINES] = {"lines", 0}, [PL_O_STRETCHES] = {"stretches", 0},
    [PL_O_LIVES] = {"lives", 0},     [PL_O_ROWS] = {"rows", 0},   [PL_O_INPUTS] = {"inputs", 0},
    [PL_O_DAMAGED] = {"damaged", 0},
};

enum { LINE_FIXED = 32, STRETCH_SIZE = 60, LIFE_SIZE = 20 };

uint32_t pl_value_crc(const void *key, size_t key_size, const uint8_t *value, size_t n)
{
    return pl_crc32c(pl_crc32c(0, key, key_size), value + 4, n - 4);
}

static size_t key_make(uint8_t key[PL_OUTBOX_KEY_MAX], const struct pl_line *line, uint64_t position)
{
    pl_put_be32(key, line->link);
    pl_put_be32(key + 4, line->number);
    pl_put_be64(key + 8, position);
    return 16;
}

static enum pl_error put(const struct pl_env *env, MDB_txn *txn, size_t table, const uint8_t *key,
                         size_t key_size, uint8_t *value, size_t n)
{
    MDB_val k = {key_size, (void *)key};
    MDB_val v = {n, value};

    pl_put_le32(value, pl_value_crc(key, key_size, value, n));
    return pl_env_error(mdb_put(txn, pl_env_table(env, table), &k, &v, 0));
}

static enum pl_error del(const struct pl_env *env, MDB_txn *txn, size_t table, const uint8_t *key,
                         size_t key_size)
{
    MDB_val k = {key_size, (void *)key};
    int rc = mdb_del(txn, pl_env_table(env, table), &k, NULL);

    return rc == MDB_NOTFOUND ? PL_OK : pl_env_error(rc);
}

static bool sound(const MDB_val *key, const MDB_val *value, size_t size_min)
{
    return value->mv_size >= size_min &&
           pl_get_le32(value->mv_data) ==
               pl_value_crc(key->mv_data, key->mv_size, value->mv_data, value->mv_size);
}

/* ---- rows of records */

enum pl_error pl_held_put(struct pl_write_batch *batch, const struct pl_line *line,
                          const struct pl_held_row *row, struct pl_bytes more)
{
    uint8_t key[PL_OUTBOX_KEY_MAX];
    size_t key_size = key_make(key, line, row->start.position);
    size_t size = PL_ROW_FIXED + row->bytes.n + more.n;
    uint8_t *value;
    enum pl_error error = pl_write_batch_add(batch, PL_O_ROWS, key, key_size, size, &value);

    if (error != PL_OK) {
        return error;
    }
    pl_put_le32(value + 4, (uint32_t)(row->end.number - row->start.number));
    pl_put_le64(value + 8, row->start.number);
    memcpy(value + PL_ROW_FIXED, row->bytes.p, row->bytes.n);
    if (more.n > 0) {
        memcpy(value + PL_ROW_FIXED + row->bytes.n, more.p, more.n);
    }
    pl_put_le32(value, pl_value_crc(key, key_size, value, size));
    return PL_OK;
}

static bool of_line(const MDB_val *key, const struct pl_line *line)
{
    const uint8_t *bytes = key->mv_data;

    return key->mv_size == 16 && pl_get_be32(bytes) == line->link && pl_get_be32(bytes + 4) == line->number;
}

/* Lies within what was found sound. */
static bool is_known(const MDB_val *value, const struct pl_line *line, uint64_t position)
{
    return value->mv_size > PL_ROW_FIXED && position >= line->sound.from && position < line->sound.to &&
           value->mv_size - PL_ROW_FIXED <= line->sound.to - position;
}

static enum pl_error held_read(const MDB_val *key, const MDB_val *value, const struct pl_line *line,
                               bool trust, struct pl_held_row *out)
{
    const uint8_t *p = value->mv_data;

    if (!of_line(key, line)) {
        return PL_E_NOT_FOUND;
    }
    *out = (struct pl_held_row){.start.position = pl_get_be64((const uint8_t *)key->mv_data + 8)};
    /* A record takes a byte at least: whoever reads a row goes forward. */
    out->damaged = !(trust && is_known(value, line, out->start.position)) &&
                   (!sound(key, value, PL_ROW_FIXED) || pl_get_le32(p + 4) == 0 ||
                    pl_get_le32(p + 4) > value->mv_size - PL_ROW_FIXED);
    if (out->damaged) {
        return PL_OK;
    }
    out->bytes = (struct pl_bytes){p + PL_ROW_FIXED, value->mv_size - PL_ROW_FIXED};
    out->start.number = pl_get_le64(p + 8);
    out->end.number = out->start.number + pl_get_le32(p + 4);
    out->end.position = out->start.position + out->bytes.n;
    return PL_OK;
}

static enum pl_error held_step(MDB_cursor *cursor, const struct pl_line *line, MDB_cursor_op op,
                               struct pl_held_row *out)
{
    MDB_val key, value;
    int rc = mdb_cursor_get(cursor, &key, &value, op);

    return rc == MDB_SUCCESS ? held_read(&key, &value, line, false, out) : pl_env_error(rc);
}

enum pl_error pl_held_next_known(MDB_cursor *cursor, const struct pl_line *line, struct pl_held_row *out)
{
    MDB_val key, value;
    int rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);

    return rc == MDB_SUCCESS ? held_read(&key, &value, line, true, out) : pl_env_error(rc);
}

enum pl_error pl_held_next(MDB_cursor *cursor, const struct pl_line *line, struct pl_held_row *out)
{
    return held_step(cursor, line, MDB_NEXT, out);
}

enum pl_error pl_held_prev(MDB_cursor *cursor, const struct pl_line *line, struct pl_held_row *out)
{
    return held_step(cursor, line, MDB_PREV, out);
}

enum pl_error pl_held_seek(MDB_cursor *cursor, const struct pl_line *line, uint64_t position,
                           struct pl_held_row *out)
{
    uint8_t bytes[PL_OUTBOX_KEY_MAX];
    MDB_val key = {key_make(bytes, line, position), bytes};
    MDB_val value;
    enum pl_error error;
    int rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);

    if (rc == MDB_SUCCESS && of_line(&key, line) &&
        pl_get_be64((const uint8_t *)key.mv_data + 8) == position) {
        return held_read(&key, &value, line, false, out);
    }
    error = held_step(cursor, line, rc == MDB_NOTFOUND ? MDB_LAST : MDB_PREV, out);
    if (error == PL_OK && (out->damaged || out->end.position > position)) {
        return PL_OK;
    }
    /* The row before ends before `position`, or is another line's: what stands at the range's begin is it. */
    key = (MDB_val){key_make(bytes, line, position), bytes};
    rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    return rc == MDB_SUCCESS ? held_read(&key, &value, line, false, out) : pl_env_error(rc);
}

enum pl_error pl_held_set_aside(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                                MDB_cursor *cursor)
{
    uint8_t copy[PL_OUTBOX_KEY_MAX];
    MDB_val key, value;
    uint64_t count;
    int rc = mdb_cursor_get(cursor, &key, &value, MDB_GET_CURRENT);
    enum pl_error error = pl_env_error(rc);

    assert(error != PL_OK || of_line(&key, line));
    error = error != PL_OK ? error : pl_meta_get_u64(env, txn, "damaged", &count);
    if (error != PL_OK) {
        return error;
    }
    memcpy(copy, key.mv_data, sizeof copy);
    key.mv_data = copy;
    rc = mdb_put(txn, pl_env_table(env, PL_O_DAMAGED), &key, &value, 0);
    return rc ? pl_env_error(rc) : pl_meta_put_u64(env, txn, "damaged", count + 1);
}

/* ---- lines, stretches, lives */

enum pl_error pl_outbox_line_put(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                                 const struct pl_line_state *state)
{
    uint8_t key[PL_OUTBOX_KEY_MAX], value[LINE_FIXED + PL_NAME_MAX];

    key_make(key, line, 0);
    pl_put_le32(value + 4, state->next_stream);
    pl_put_le64(value + 8, state->forked_ms);
    pl_put_le64(value + 16, state->next.number);
    pl_put_le64(value + 24, state->next.position);
    memcpy(value + LINE_FIXED, line->name, line->name_size);
    return put(env, txn, PL_O_LINES, key, 8, value, LINE_FIXED + (size_t)line->name_size);
}

static size_t stretch_key(uint8_t key[PL_OUTBOX_KEY_MAX], const struct pl_line *line, uint32_t stream)
{
    key_make(key, line, 0);
    pl_put_be32(key + 8, stream);
    return 12;
}

enum pl_error pl_stretch_put(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                             const struct pl_stretch *stretch)
{
    uint8_t key[PL_OUTBOX_KEY_MAX], value[STRETCH_SIZE];
    const uint64_t fields[] = {stretch->birth,         stretch->start.number, stretch->start.position,
                               stretch->end.number,    stretch->end.position, stretch->freed.number,
                               stretch->freed.position};

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        pl_put_le64(value + 4 + 8 * i, fields[i]);
    }
    return put(env, txn, PL_O_STRETCHES, key, stretch_key(key, line, stretch->stream), value, sizeof value);
}

enum pl_error pl_stretch_del(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                             uint32_t stream)
{
    uint8_t key[PL_OUTBOX_KEY_MAX];

    return del(env, txn, PL_O_STRETCHES, key, stretch_key(key, line, stream));
}

enum pl_error pl_life_put(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                          const struct pl_given_life *life)
{
    uint8_t key[PL_OUTBOX_KEY_MAX], value[LIFE_SIZE];

    pl_put_le32(value + 4, life->tag);
    pl_put_le32(value + 8, life->before);
    pl_put_le64(value + 12, life->start.number);
    return put(env, txn, PL_O_LIVES, key, key_make(key, line, life->start.position), value, sizeof value);
}

enum pl_error pl_life_del(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                          uint64_t position)
{
    uint8_t key[PL_OUTBOX_KEY_MAX];

    return del(env, txn, PL_O_LIVES, key, key_make(key, line, position));
}

static enum pl_error take_stretch(const MDB_val *key, const MDB_val *value, struct pl_line *line)
{
    const uint8_t *p = (const uint8_t *)value->mv_data + 4;
    struct pl_stretch s;
    size_t at = line->now.stretches_n;

    if (key->mv_size != 12 || value->mv_size != STRETCH_SIZE || !sound(key, value, STRETCH_SIZE)) {
        return PL_E_STORE_DAMAGED;
    }
    s.stream = pl_get_be32((const uint8_t *)key->mv_data + 8);
    s.birth = pl_get_le64(p);
    s.start = (struct pl_spot){pl_get_le64(p + 8), pl_get_le64(p + 16)};
    s.end = (struct pl_spot){pl_get_le64(p + 24), pl_get_le64(p + 32)};
    s.freed = (struct pl_spot){pl_get_le64(p + 40), pl_get_le64(p + 48)};
    s.stored_number = s.freed.number;
    while (at > 0 && line->now.stretches[at - 1].start.position > s.start.position) {
        at--;
    }
    return pl_state_add_stretch(&line->now, at, &s);
}

static enum pl_error take_life(const MDB_val *key, const MDB_val *value, struct pl_line *line)
{
    const uint8_t *p = value->mv_data;
    struct pl_given_life life;

    if (key->mv_size != 16 || value->mv_size != LIFE_SIZE || !sound(key, value, LIFE_SIZE)) {
        return PL_E_STORE_DAMAGED;
    }
    life.tag = pl_get_le32(p + 4);
    life.before = pl_get_le32(p + 8);
    life.start = (struct pl_spot){pl_get_le64(p + 12), pl_get_be64((const uint8_t *)key->mv_data + 8)};
    return pl_state_add_life(&line->now, line->now.lives_n, &life);
}

/* Walks a table's rows of one line. */
static enum pl_error load_table(const struct pl_env *env, MDB_txn *txn, size_t table, struct pl_line *line,
                                enum pl_error (*take)(const MDB_val *, const MDB_val *, struct pl_line *))
{
    uint8_t bytes[PL_OUTBOX_KEY_MAX];
    MDB_val key = {8, bytes};
    MDB_val value;
    MDB_cursor *cursor;
    enum pl_error error = PL_OK;
    int rc = mdb_cursor_open(txn, pl_env_table(env, table), &cursor);

    if (rc != MDB_SUCCESS) {
        return pl_env_error(rc);
    }
    key_make(bytes, line, 0);
    rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    while (rc == MDB_SUCCESS && error == PL_OK && key.mv_size >= 8 && memcmp(key.mv_data, bytes, 8) == 0) {
        error = take(&key, &value, line);
        rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    return error != PL_OK || rc == MDB_NOTFOUND ? error : pl_env_error(rc);
}

static enum pl_error line_decode(const MDB_val *key, const MDB_val *value, struct pl_line *line)
{
    const uint8_t *p = value->mv_data;
    size_t name_size = value->mv_size - LINE_FIXED;

    if (key->mv_size != 8 || !sound(key, value, LINE_FIXED) || name_size > PL_NAME_MAX) {
        return PL_E_STORE_DAMAGED;
    }
    line->link = pl_get_be32(key->mv_data);
    line->number = pl_get_be32((const uint8_t *)key->mv_data + 4);
    line->name_size = (uint8_t)name_size;
    memcpy(line->name, p + LINE_FIXED, name_size);
    line->now.kept = line->now.need_life = line->now.garbage = true;
    line->now.next_stream = pl_get_le32(p + 4);
    line->now.forked_ms = pl_get_le64(p + 8);
    line->now.next = (struct pl_spot){pl_get_le64(p + 16), pl_get_le64(p + 24)};
    return PL_OK;
}

enum pl_error pl_outbox_line_load(const struct pl_env *env, MDB_txn *txn, const MDB_val *key,
                                  const MDB_val *value, struct pl_line **out)
{
    struct pl_line *line = calloc(1, sizeof *line);
    enum pl_error error = line != NULL ? line_decode(key, value, line) : PL_E_NO_MEMORY;

    error = error != PL_OK ? error : load_table(env, txn, PL_O_STRETCHES, line, take_stretch);
    error = error != PL_OK ? error : load_table(env, txn, PL_O_LIVES, line, take_life);
    if (error == PL_OK && (line->now.stretches_n == 0 || line->now.lives_n == 0)) {
        error = PL_E_STORE_DAMAGED;
    }
    if (error != PL_OK && line != NULL) {
        pl_line_state_clear(&line->now);
        free(line);
        line = NULL;
    }
    *out = line;
    return error;
}
