/* Rows that the log holds and no checkpoint yet: what a reader sees of a node that is running or was
 * killed. */
#ifndef PL_STORE_PENDING_H
#define PL_STORE_PENDING_H

#include "store/log.h"
#include "store/row.h"

/* Zero-initialise. rows are in order of link and stream. */
struct pl_pending {
    struct pl_rows rows;
};

/* Replays the log from the checkpoint in the reader's own memory: bounded as the writer's replay at start
 * is. Damaged blocks are passed over. PL_OK, PL_E_NO_MEMORY, PL_E_STORE, PL_E_STORE_DAMAGED. */
enum pl_error pl_pending_read(struct pl_pending *pending, const struct pl_env *env, MDB_txn *txn,
                              struct pl_text *reason);

/* The row of a stream, or NULL. */
const struct pl_row *pl_pending_find(const struct pl_pending *pending, uint32_t link, uint32_t stream);

void pl_pending_free(struct pl_pending *pending);

#endif
