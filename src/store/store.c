/* Opening and closing the node's store. */
#include "store/store.h"

#include <stdlib.h>

#include "store/store_state.h"

enum { REPLAY_ROWS = 50000, REPLAY_BYTES = 32 << 20, CHECKPOINT_ROWS = 256, DISK_FLOOR = 16 << 20 };

static uint64_t map_default(void)
{
    return sizeof(void *) > 4 ? (uint64_t)1 << 40 : (uint64_t)1 << 30;
}

static void fill_in(struct pl_store_options *options)
{
    options->map_bytes = options->map_bytes ? options->map_bytes : map_default();
    options->disk_floor_bytes = options->disk_floor_bytes ? options->disk_floor_bytes : DISK_FLOOR;
    options->replay_rows_max = options->replay_rows_max ? options->replay_rows_max : REPLAY_ROWS;
    options->replay_bytes_max = options->replay_bytes_max ? options->replay_bytes_max : REPLAY_BYTES;
    options->checkpoint_rows = options->checkpoint_rows ? options->checkpoint_rows : CHECKPOINT_ROWS;
}

static enum pl_error open_env(struct pl_store *store, const char *dir, struct pl_text *reason)
{
    const struct pl_env_spec spec = {.dir = dir,
                                     .format = PL_STORE_FORMAT,
                                     .tables = pl_store_tables,
                                     .tables_n = PL_T_COUNT,
                                     .write = true,
                                     .map_bytes = store->options.map_bytes,
                                     .owner = store->options.owner,
                                     .wall_ms = store->options.wall_ms,
                                     .id = store->options.store_id};

    return pl_env_open(&spec, &store->env, reason);
}

static void store_free(struct pl_store *store)
{
    pl_env_close(store->env, true);
    pl_overlay_free(&store->overlay);
    free(store);
}

enum pl_error pl_store_open(const char *dir, const struct pl_store_options *options, struct pl_store **out,
                            struct pl_text *reason)
{
    struct pl_store *store;
    enum pl_error error;

    *out = NULL;
    pl_text_set(reason, "%s", "");
    if (options->owner == 0) {
        pl_text_set(reason, "%s: the owner number must not be 0", dir);
        return PL_E_USAGE;
    }
    store = calloc(1, sizeof *store);
    if (store == NULL) {
        return PL_E_NO_MEMORY;
    }
    store->options = *options;
    fill_in(&store->options);
    error = pl_overlay_init(&store->overlay);
    error = error != PL_OK ? error : open_env(store, dir, reason);
    error = error != PL_OK ? error : pl_replay(store, reason);
    if (error != PL_OK) {
        if (reason != NULL && reason->s[0] == 0) {
            pl_text_set(reason, "%s: cannot be opened: %s; put a backup in its place", dir,
                        pl_error_doc(error));
        }
        store_free(store);
        return error;
    }
    *out = store;
    return PL_OK;
}

void pl_store_close(struct pl_store *store)
{
    if (store != NULL) {
        /* A failure costs nothing but replay at the next start. */
        (void)pl_checkpoint_all(store, NULL);
        store_free(store);
    }
}

uint64_t pl_store_end(const struct pl_store *store)
{
    return store->end.position;
}

void pl_store_load(const struct pl_store *store, struct pl_store_load *out)
{
    out->dirty_rows = store->overlay.n;
    out->replay_rows = store->end.rows - store->checkpoint.rows;
    out->replay_bytes = store->end.bytes - store->checkpoint.bytes;
}
