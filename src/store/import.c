/* The allow list comes in: many small transactions under a generation that is not in force yet, one that puts
 * it in force. Cut short anywhere, the old list serves on; the next import takes a higher generation, so what
 * a broken one left behind means nothing. A key that is on neither list keeps its link number and its rows
 * for ever: a key whose rows were gone would have its old packets stored again.
 */
#include <string.h>

#include "store/links.h"
#include "store/name.h"
#include "store/store_state.h"

enum { ENTRIES_PER_TRANSACTION = 1024 };

/* One transaction of an import. */
struct step {
    struct pl_change change;
    const struct pl_env *env;
    MDB_txn *txn;
    uint32_t in_force;
    uint32_t generation; /* being imported */
    uint64_t wall_ms;
    uint64_t next_link;
};

static enum pl_error refuse(const struct step *step, const struct pl_allowed *entry, enum pl_error error,
                            const char *why)
{
    pl_text_set(step->change.reason, "allow list: %.*s: %s",
                (int)(entry->name.n < PL_NAME_MAX ? entry->name.n : PL_NAME_MAX), (const char *)entry->name.p,
                why);
    return error;
}

/* At most PL_KEYS_PER_ID keys of the list may share a key id. */
static enum pl_error check_id(const struct step *step, const struct pl_allowed *entry)
{
    struct pl_link_row found[PL_KEYS_PER_ID];
    size_t n;
    enum pl_error error =
        pl_links_by_id(step->env, step->txn, entry->key_id, step->generation, found, PL_KEYS_PER_ID, &n);

    if (error != PL_OK || n < PL_KEYS_PER_ID) {
        return error;
    }
    pl_text_set(
        step->change.reason,
        "allow list: %.*s: its key id %08x is taken by %d other keys, one of them %.*s; give it another key",
        (int)(entry->name.n < 60 ? entry->name.n : 60), (const char *)entry->name.p, entry->key_id, (int)n,
        found[0].info.name_size < 60 ? found[0].info.name_size : 60, (const char *)found[0].info.name);
    return PL_E_LIMIT;
}

/* The link of an entry as it is, or a new one. */
static enum pl_error find_link(struct step *step, const struct pl_allowed *entry, struct pl_link_row *row,
                               bool *known)
{
    uint32_t link;
    enum pl_error error = pl_links_by_key(step->env, step->txn, entry->public_key, &link);

    *known = error == PL_OK;
    if (*known) {
        return pl_links_get(step->env, step->txn, link, step->in_force, row);
    }
    if (error != PL_E_NOT_FOUND) {
        return error;
    }
    if (step->next_link > UINT32_MAX) {
        return refuse(step, entry, PL_E_LIMIT, "the store has no link number left");
    }
    memset(row, 0, sizeof *row);
    row->info.link = (uint32_t)step->next_link++;
    row->info.key_id = entry->key_id;
    row->info.allowed_ms = step->wall_ms;
    memcpy(row->info.public_key, entry->public_key, sizeof row->info.public_key);
    return pl_links_put_key(step->env, step->txn, entry->public_key, row->info.link);
}

/* Writes the generation beside the one in force, and the entry's name and key id. */
static enum pl_error admit(const struct step *step, const struct pl_allowed *entry, struct pl_link_row *row,
                           bool known)
{
    enum pl_error error = PL_OK;
    int slot = row->generations[0] == step->in_force && step->in_force != 0;

    if (known && row->info.key_id != entry->key_id) {
        error = pl_links_del_id(step->env, step->txn, row->info.key_id, row->info.link);
    }
    row->generations[slot] = step->generation;
    row->info.key_id = entry->key_id;
    row->info.name_size = (uint8_t)entry->name.n;
    memcpy(row->info.name, entry->name.p, entry->name.n);
    error = error != PL_OK ? error : pl_links_put_id(step->env, step->txn, entry->key_id, row->info.link);
    return error != PL_OK ? error : pl_links_put(step->env, step->txn, row);
}

static enum pl_error take_entry(struct step *step, const struct pl_allowed *entry)
{
    struct pl_link_row row;
    bool known;
    enum pl_error error;

    if (!pl_name_valid(entry->name)) {
        pl_text_set(step->change.reason,
                    "allow list: a name must be 1 to %d bytes of UTF-8 without control characters",
                    PL_NAME_MAX);
        return PL_E_NAME;
    }
    error = find_link(step, entry, &row, &known);
    if (error != PL_OK) {
        return error;
    }
    if (row.generations[0] == step->generation || row.generations[1] == step->generation) {
        return refuse(step, entry, PL_E_EXISTS, "its key is on the list twice");
    }
    error = check_id(step, entry);
    return error != PL_OK ? error : admit(step, entry, &row, known);
}

static enum pl_error step_begin(struct step *step, struct pl_store *store, const struct pl_import *import,
                                struct pl_text *reason)
{
    struct pl_list_info list;
    enum pl_error error = pl_change_begin(&step->change, store, reason);

    if (error != PL_OK) {
        return error;
    }
    step->env = store->env;
    step->txn = step->change.txn;
    step->generation = import->generation;
    step->wall_ms = import->wall_ms;
    error = pl_links_list(step->env, step->txn, &list);
    step->in_force = list.generation;
    error = error != PL_OK ? error : pl_meta_get_u64(step->env, step->txn, "next link", &step->next_link);
    step->next_link = step->next_link ? step->next_link : 1;
    return error != PL_OK ? pl_change_end(&step->change, error) : PL_OK;
}

enum pl_error pl_store_import_begin(struct pl_store *store, struct pl_import *import, uint64_t wall_ms,
                                    struct pl_text *reason)
{
    struct pl_change change;
    uint64_t generation = 0;
    enum pl_error error = pl_change_begin(&change, store, reason);

    *import = (struct pl_import){.wall_ms = wall_ms};
    if (error != PL_OK) {
        return error;
    }
    error = pl_meta_get_u64(store->env, change.txn, "generation", &generation);
    if (error == PL_OK && ++generation > UINT32_MAX) {
        error = PL_E_LIMIT;
    }
    error = error != PL_OK ? error : pl_meta_put_u64(store->env, change.txn, "generation", generation);
    import->generation = (uint32_t)generation;
    return pl_change_end(&change, error);
}

enum pl_error pl_store_import_step(struct pl_store *store, struct pl_import *import,
                                   const struct pl_allowed *entries, size_t n, struct pl_text *reason)
{
    struct step step;
    enum pl_error error = pl_env_room(store->env, store->options.disk_floor_bytes, reason);

    error = error != PL_OK ? error : step_begin(&step, store, import, reason);
    if (error != PL_OK) {
        return error;
    }
    for (size_t i = 0; i < n && error == PL_OK; i++) {
        error = take_entry(&step, &entries[i]);
    }
    error = error != PL_OK ? error : pl_meta_put_u64(step.env, step.txn, "next link", step.next_link);
    error = pl_change_end(&step.change, error);
    import->entries += error == PL_OK ? n : 0;
    return error;
}

enum pl_error pl_store_import_end(struct pl_store *store, struct pl_import *import, struct pl_bytes mark,
                                  struct pl_text *reason)
{
    struct pl_list_info list = {.generation = import->generation, .entries = import->entries};
    struct pl_change change;
    enum pl_error error;

    if (mark.n > sizeof list.mark) {
        pl_text_set(reason, "allow list: a mark has at most %zu bytes", sizeof list.mark);
        return PL_E_USAGE;
    }
    list.wall_ms = import->wall_ms;
    list.mark_size = (uint8_t)mark.n;
    if (mark.n > 0) {
        memcpy(list.mark, mark.p, mark.n);
    }
    error = pl_change_begin(&change, store, reason);
    return error != PL_OK ? error : pl_change_end(&change, pl_links_put_list(store->env, change.txn, &list));
}

enum pl_error pl_store_import(struct pl_store *store, const struct pl_allowed *entries, size_t n,
                              struct pl_bytes mark, uint64_t wall_ms, struct pl_text *reason)
{
    struct pl_import import;
    enum pl_error error = pl_store_import_begin(store, &import, wall_ms, reason);

    for (size_t at = 0; at < n && error == PL_OK; at += ENTRIES_PER_TRANSACTION) {
        size_t left = n - at < ENTRIES_PER_TRANSACTION ? n - at : ENTRIES_PER_TRANSACTION;
        error = pl_store_import_step(store, &import, entries + at, left, reason);
    }
    return error != PL_OK ? error : pl_store_import_end(store, &import, mark, reason);
}
