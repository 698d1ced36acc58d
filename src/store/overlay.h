/* Rows newer than their checkpoint, in memory, in the order in which they became so.
 *
 * A change belongs to a group: what a commit applies is kept with pl_overlay_keep() or taken back whole with
 * pl_overlay_undo(). Rows written to their table within the group leave the overlay when it is kept.
 * The same code serves the commit, the replay at start, and readers that want rows not checkpointed yet.
 */
#ifndef PL_STORE_OVERLAY_H
#define PL_STORE_OVERLAY_H

#include "store/chunk.h"
#include "store/env.h"
#include "store/row.h"

/* How much of the log there was: positions, rows, bytes. */
struct pl_log_mark {
    uint64_t position, rows, bytes;
};

/* A row newer than its checkpoint. */
struct pl_dirty {
    struct pl_row row;
    struct pl_log_mark since;          /* the block that made it dirty */
    struct pl_dirty *bucket_next;      /* of one link's bucket */
    struct pl_dirty *older, *newer;
    uint64_t group;                    /* the last group that changed it */
    bool written;                      /* in this group */
    struct pl_dirty *written_next;
};

struct pl_undo;

struct pl_overlay {
    struct pl_dirty **buckets;         /* by link */
    size_t buckets_n;                  /* a power of two */
    size_t n;
    struct pl_dirty *oldest, *newest;
    uint64_t group;
    size_t group_new;                  /* rows that became dirty in this group */
    struct pl_dirty *written;          /* rows written in this group */
    struct pl_undo *undo;
    size_t undo_n, undo_room;
    uint64_t *round;                   /* keys of rows to write next, in order; see pl_overlay_hand() */
    size_t round_n, round_at;
};

enum pl_error pl_overlay_init(struct pl_overlay *overlay);
void pl_overlay_free(struct pl_overlay *overlay);

/* Starts a group; the one before must have been kept or undone. */
void pl_overlay_begin(struct pl_overlay *overlay);
void pl_overlay_keep(struct pl_overlay *overlay);
void pl_overlay_undo(struct pl_overlay *overlay);

/* The row, dirty in memory, or NULL. */
struct pl_dirty *pl_overlay_find(const struct pl_overlay *overlay, uint32_t link, uint32_t stream);

/* Applies every log row of a block that begins at *at to its row, taken from memory, from the table, or
 * begun, and moves *at past the block. With PL_APPLY_DAMAGED a row whose beginning is lost gets the name
 * "(damaged)" and birth 0, so that its stream number stays taken. PL_OK, PL_E_NO_MEMORY, PL_E_INTERNAL,
 * PL_E_STORE_DAMAGED, PL_E_STORE. */
enum pl_error pl_overlay_apply_block(struct pl_overlay *overlay, const struct pl_env *env, MDB_txn *txn,
                                     const struct pl_block *block, struct pl_log_mark *at, enum pl_apply how,
                                     struct pl_text *reason);

/* The row that has been dirty for longest and is not written in this group; NULL if there is none. */
struct pl_dirty *pl_overlay_oldest(const struct pl_overlay *overlay);

/* The next row to write when none is urgent: in order of key, round and round. Neighbours share a page of
 * their table, so that many rows cost few pages. NULL if no row is left to write in this group. */
struct pl_dirty *pl_overlay_hand(struct pl_overlay *overlay);

/* Writes a row to its table, to leave the overlay when the group is kept. */
enum pl_error pl_overlay_write(struct pl_overlay *overlay, const struct pl_env *env, MDB_txn *txn,
                               struct pl_dirty *dirty);

/* Writes all rows of a link. */
enum pl_error pl_overlay_write_link(struct pl_overlay *overlay, const struct pl_env *env, MDB_txn *txn,
                                    uint32_t link);

#endif
