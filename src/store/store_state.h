/* The open store, as its own parts see it. */
#ifndef PL_STORE_STORE_STATE_H
#define PL_STORE_STORE_STATE_H

#include "store/env.h"
#include "store/overlay.h"
#include "store/store.h"
#include "store/tables.h"

struct pl_store {
    struct pl_env *env;
    struct pl_store_options options;    /* with defaults filled in */
    struct pl_overlay overlay;
    struct pl_log_mark end;             /* where the next block goes; rows and bytes since opening */
    struct pl_log_mark checkpoint;      /* as written in meta: rows are complete up to there */
    uint64_t commits;                   /* tried since opening */
};

/* A write transaction with the changes to memory that become true with it. */
struct pl_change {
    struct pl_store *store;
    MDB_txn *txn;
    struct pl_log_mark end, checkpoint;
    struct pl_text *reason;
};

/* Opens the transaction and the overlay's group. Errors as pl_store_commit(). */
enum pl_error pl_change_begin(struct pl_change *change, struct pl_store *store, struct pl_text *reason);

/* Commits if error is PL_OK, else aborts; memory follows. Returns error, or what the commit said. */
enum pl_error pl_change_end(struct pl_change *change, enum pl_error error);

/* Writes the rows that are too old, up to rows_max others, and the checkpoint's position that results. */
enum pl_error pl_checkpoint_write(struct pl_change *change, size_t rows_max);

/* The rolling checkpoint: as much of that as the bounds ask for at the end of a commit. */
enum pl_error pl_checkpoint_roll(struct pl_change *change);

/* Writes every row in bounded transactions. */
enum pl_error pl_checkpoint_all(struct pl_store *store, struct pl_text *reason);

/* Replays the log from the checkpoint to its end, setting damaged blocks aside, and checkpoints the
 * result. */
enum pl_error pl_replay(struct pl_store *store, struct pl_text *reason);

/* Retention's share of a commit. */
enum pl_error pl_trim_slice(struct pl_change *change, uint64_t wall_ms);

#endif
