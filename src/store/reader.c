/* Look-ups: each takes a snapshot, copies what it found, and lets the snapshot go. */
#include "store/reader.h"

#include <stdlib.h>

#include "store/links.h"
#include "store/log.h"
#include "store/reader_state.h"
#include "store/store_state.h"

static enum pl_error make(struct pl_env *env, struct pl_reader **out, struct pl_text *reason)
{
    struct pl_reader *reader = calloc(1, sizeof *reader);
    enum pl_error error;

    *out = NULL;
    if (reader == NULL) {
        pl_env_close(env, false);
        return PL_E_NO_MEMORY;
    }
    reader->env = env;
    error = pl_env_read(env, &reader->txn, reason);
    if (error != PL_OK) {
        pl_env_close(env, false);
        free(reader);
        return error;
    }
    pl_env_read_end(env, reader->txn);
    *out = reader;
    return PL_OK;
}

enum pl_error pl_reader_of(struct pl_store *store, struct pl_reader **out, struct pl_text *reason)
{
    return make(pl_env_share(store->env), out, reason);
}

enum pl_error pl_reader_open(const char *dir, struct pl_reader **out, struct pl_text *reason)
{
    const struct pl_env_spec spec = {
        .dir = dir, .format = PL_STORE_FORMAT, .tables = pl_store_tables, .tables_n = PL_T_COUNT};
    struct pl_env *env;
    enum pl_error error = pl_env_open(&spec, &env, reason);

    *out = NULL;
    return error != PL_OK ? error : make(env, out, reason);
}

void pl_reader_close(struct pl_reader *reader)
{
    if (reader != NULL) {
        pl_env_read_free(reader->txn);
        pl_env_close(reader->env, false);
        free(reader);
    }
}

enum pl_error pl_store_find(struct pl_reader *reader, uint32_t key_id,
                            struct pl_link_info out[PL_KEYS_PER_ID], size_t *n)
{
    struct pl_link_row found[PL_KEYS_PER_ID];
    struct pl_list_info list;
    enum pl_error error = pl_env_read(reader->env, &reader->txn, NULL);

    *n = 0;
    if (error != PL_OK) {
        return error;
    }
    error = pl_links_list(reader->env, reader->txn, &list);
    if (error == PL_OK) {
        error = pl_links_by_id(reader->env, reader->txn, key_id, list.generation, found, PL_KEYS_PER_ID, n);
    }
    pl_env_read_end(reader->env, reader->txn);
    for (size_t i = 0; i < *n; i++) {
        out[i] = found[i].info;
    }
    return error;
}

/* The link with that number or, if key is not NULL, with that key. */
static enum pl_error get_link(struct pl_reader *reader, uint32_t link, const uint8_t *key,
                              struct pl_link_info *out)
{
    struct pl_list_info list;
    struct pl_link_row row;
    enum pl_error error = pl_env_read(reader->env, &reader->txn, NULL);

    if (error != PL_OK) {
        return error;
    }
    error = pl_links_list(reader->env, reader->txn, &list);
    if (error == PL_OK && key != NULL) {
        error = pl_links_by_key(reader->env, reader->txn, key, &link);
    }
    error = error != PL_OK ? error : pl_links_get(reader->env, reader->txn, link, list.generation, &row);
    pl_env_read_end(reader->env, reader->txn);
    if (error == PL_OK) {
        *out = row.info;
    }
    return error;
}

enum pl_error pl_store_link(struct pl_reader *reader, uint32_t link, struct pl_link_info *out)
{
    return get_link(reader, link, NULL, out);
}

enum pl_error pl_store_link_by_key(struct pl_reader *reader, const uint8_t public_key[32],
                                   struct pl_link_info *out)
{
    return get_link(reader, 0, public_key, out);
}

enum pl_error pl_store_rows(struct pl_reader *reader, uint32_t link, struct pl_rows *rows)
{
    enum pl_error error = pl_env_read(reader->env, &reader->txn, NULL);

    rows->n = 0;
    if (error != PL_OK) {
        return error;
    }
    error = pl_rows_of_link(reader->env, reader->txn, link, rows);
    pl_env_read_end(reader->env, reader->txn);
    return error;
}

enum pl_error pl_reader_list(struct pl_reader *reader, struct pl_list_info *out)
{
    enum pl_error error = pl_env_read(reader->env, &reader->txn, NULL);

    if (error != PL_OK) {
        return error;
    }
    error = pl_links_list(reader->env, reader->txn, out);
    pl_env_read_end(reader->env, reader->txn);
    return error;
}

enum pl_error pl_reader_end(struct pl_reader *reader, uint64_t *end)
{
    struct pl_log_ends ends;
    enum pl_error error = pl_env_read(reader->env, &reader->txn, NULL);

    *end = 0;
    if (error != PL_OK) {
        return error;
    }
    error = pl_log_ends(reader->env, reader->txn, &ends);
    pl_env_read_end(reader->env, reader->txn);
    *end = ends.end;
    return error;
}
