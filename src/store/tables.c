/* The rows table, and the list of all tables. */
#include "store/tables.h"

#include <stdlib.h>

#include "store/bytes.h"

const struct pl_table pl_store_tables[PL_T_COUNT] = {
    [PL_T_META] = {"meta", 0},       [PL_T_LOG] = {"log", 0}, [PL_T_ROWS] = {"rows", 0},
    [PL_T_LINKS] = {"links", 0},     [PL_T_KID] = {"kid", 0}, [PL_T_KEYS] = {"keys", 0},
    [PL_T_DAMAGED] = {"damaged", 0},
};

static void row_key(uint8_t key[8], uint32_t link, uint32_t stream)
{
    pl_put_be32(key, link);
    pl_put_be32(key + 4, stream);
}

enum pl_error pl_rows_get(const struct pl_env *env, MDB_txn *txn, uint32_t link, uint32_t stream,
                          struct pl_row *row)
{
    uint8_t bytes[8];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value;
    int rc;

    row_key(bytes, link, stream);
    rc = mdb_get(txn, pl_env_table(env, PL_T_ROWS), &key, &value);
    if (rc != MDB_SUCCESS) {
        return pl_env_error(rc);
    }
    return pl_row_decode((struct pl_bytes){value.mv_data, value.mv_size}, link, stream, row);
}

enum pl_error pl_rows_put(const struct pl_env *env, MDB_txn *txn, const struct pl_row *row)
{
    uint8_t bytes[8];
    uint8_t stored[PL_ROW_STORED_MAX];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value = {pl_row_encode(stored, row), stored};

    row_key(bytes, row->link, row->stream);
    return pl_env_error(mdb_put(txn, pl_env_table(env, PL_T_ROWS), &key, &value, 0));
}

struct pl_row *pl_rows_add(struct pl_rows *rows)
{
    if (rows->n == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 4;
        struct pl_row *p = realloc(rows->p, room * sizeof *p);
        if (p == NULL) {
            return NULL;
        }
        rows->p = p;
        rows->room = room;
    }
    return &rows->p[rows->n++];
}

static enum pl_error add_found(const MDB_val *key, const MDB_val *value, struct pl_rows *rows)
{
    const uint8_t *bytes = key->mv_data;
    struct pl_row *row;

    if (key->mv_size != 8) {
        return PL_E_STORE_DAMAGED;
    }
    row = pl_rows_add(rows);
    if (row == NULL) {
        return PL_E_NO_MEMORY;
    }
    return pl_row_decode((struct pl_bytes){value->mv_data, value->mv_size}, pl_get_be32(bytes),
                         pl_get_be32(bytes + 4), row);
}

enum pl_error pl_rows_of_link(const struct pl_env *env, MDB_txn *txn, uint32_t link, struct pl_rows *rows)
{
    uint8_t bytes[8];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value;
    MDB_cursor *cursor;
    enum pl_error error = PL_OK;
    int rc = mdb_cursor_open(txn, pl_env_table(env, PL_T_ROWS), &cursor);

    if (rc != MDB_SUCCESS) {
        return pl_env_error(rc);
    }
    row_key(bytes, link, 0);
    rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    while (rc == MDB_SUCCESS && error == PL_OK && key.mv_size == 8 && pl_get_be32(key.mv_data) == link) {
        error = add_found(&key, &value, rows);
        rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    return error != PL_OK || rc == MDB_NOTFOUND ? error : pl_env_error(rc);
}
