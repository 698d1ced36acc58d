/* Rows newer than their checkpoint: a hash by link, a list by age, and a group of changes that can be undone.
 */
#include "store/overlay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/chunk.h"
#include "store/tables.h"

enum { BUCKETS_MIN = 64, UNDO_KEPT = 64 };

/* What a row was before the group touched it. */
struct pl_undo {
    struct pl_dirty *dirty;
    bool fresh; /* it was not in the overlay */
    struct pl_row before;
};

enum pl_error pl_overlay_init(struct pl_overlay *overlay)
{
    *overlay = (struct pl_overlay){.buckets_n = BUCKETS_MIN};
    overlay->buckets = calloc(BUCKETS_MIN, sizeof *overlay->buckets);
    return overlay->buckets != NULL ? PL_OK : PL_E_NO_MEMORY;
}

void pl_overlay_free(struct pl_overlay *overlay)
{
    struct pl_dirty *dirty = overlay->oldest;

    while (dirty != NULL) {
        struct pl_dirty *newer = dirty->newer;
        free(dirty);
        dirty = newer;
    }
    free(overlay->buckets);
    free(overlay->undo);
    free(overlay->round);
    *overlay = (struct pl_overlay){0};
}

static struct pl_dirty **bucket_of(const struct pl_overlay *overlay, uint32_t link)
{
    /* Link numbers are dense and the node's own: they need no hashing against an adversary. */
    return &overlay->buckets[link & (overlay->buckets_n - 1)];
}

struct pl_dirty *pl_overlay_find(const struct pl_overlay *overlay, uint32_t link, uint32_t stream)
{
    struct pl_dirty *dirty = *bucket_of(overlay, link);

    while (dirty != NULL && (dirty->row.link != link || dirty->row.stream != stream)) {
        dirty = dirty->bucket_next;
    }
    return dirty;
}

/* Makes the table of buckets n large; without memory it stays as it is, which is only slower. */
static void resize(struct pl_overlay *overlay, size_t n)
{
    struct pl_dirty **buckets = calloc(n, sizeof *buckets);

    if (buckets == NULL) {
        return;
    }
    free(overlay->buckets);
    overlay->buckets = buckets;
    overlay->buckets_n = n;
    for (struct pl_dirty *dirty = overlay->oldest; dirty != NULL; dirty = dirty->newer) {
        struct pl_dirty **bucket = bucket_of(overlay, dirty->row.link);
        dirty->bucket_next = *bucket;
        *bucket = dirty;
    }
}

static void enter(struct pl_overlay *overlay, struct pl_dirty *dirty)
{
    struct pl_dirty **bucket = bucket_of(overlay, dirty->row.link);

    dirty->bucket_next = *bucket;
    *bucket = dirty;
    dirty->older = overlay->newest;
    *(overlay->newest != NULL ? &overlay->newest->newer : &overlay->oldest) = dirty;
    overlay->newest = dirty;
    overlay->group_new++;
    if (++overlay->n > overlay->buckets_n) {
        resize(overlay, 2 * overlay->buckets_n);
    }
}

static void leave(struct pl_overlay *overlay, struct pl_dirty *dirty)
{
    struct pl_dirty **at = bucket_of(overlay, dirty->row.link);

    while (*at != dirty) {
        at = &(*at)->bucket_next;
    }
    *at = dirty->bucket_next;
    *(dirty->older != NULL ? &dirty->older->newer : &overlay->oldest) = dirty->newer;
    *(dirty->newer != NULL ? &dirty->newer->older : &overlay->newest) = dirty->older;
    overlay->n--;
    free(dirty);
}

void pl_overlay_begin(struct pl_overlay *overlay)
{
    assert(overlay->undo_n == 0);
    overlay->group++;
    overlay->group_new = 0;
}

static void group_end(struct pl_overlay *overlay)
{
    overlay->undo_n = 0;
    overlay->written = NULL;
    if (overlay->undo_room > UNDO_KEPT) {
        free(overlay->undo);
        overlay->undo = NULL;
        overlay->undo_room = 0;
    }
    if (overlay->buckets_n > BUCKETS_MIN && overlay->n < overlay->buckets_n / 8) {
        resize(overlay, overlay->buckets_n / 4 < BUCKETS_MIN ? BUCKETS_MIN : overlay->buckets_n / 4);
    }
}

void pl_overlay_keep(struct pl_overlay *overlay)
{
    struct pl_dirty *dirty = overlay->written;

    while (dirty != NULL) {
        struct pl_dirty *next = dirty->written_next;
        leave(overlay, dirty);
        dirty = next;
    }
    group_end(overlay);
}

void pl_overlay_undo(struct pl_overlay *overlay)
{
    for (struct pl_dirty *dirty = overlay->written; dirty != NULL; dirty = dirty->written_next) {
        dirty->written = false;
    }
    while (overlay->undo_n > 0) {
        struct pl_undo *undo = &overlay->undo[--overlay->undo_n];
        if (undo->fresh) {
            leave(overlay, undo->dirty);
        } else {
            undo->dirty->row = undo->before;
            undo->dirty->group = 0;
        }
    }
    group_end(overlay);
}

/* A place in the undo list; NULL without memory. */
static struct pl_undo *undo_add(struct pl_overlay *overlay)
{
    if (overlay->undo_n == overlay->undo_room) {
        size_t room = overlay->undo_room ? 2 * overlay->undo_room : UNDO_KEPT;
        struct pl_undo *undo = realloc(overlay->undo, room * sizeof *undo);
        if (undo == NULL) {
            return NULL;
        }
        overlay->undo = undo;
        overlay->undo_room = room;
    }
    return &overlay->undo[overlay->undo_n++];
}

static enum pl_error touch(struct pl_overlay *overlay, struct pl_dirty *dirty, bool fresh)
{
    struct pl_undo *undo;

    if (dirty->group == overlay->group) {
        return PL_OK;
    }
    undo = undo_add(overlay);
    if (undo == NULL) {
        return PL_E_NO_MEMORY;
    }
    undo->dirty = dirty;
    undo->fresh = fresh;
    if (!fresh) {
        undo->before = dirty->row;
    }
    dirty->group = overlay->group;
    return PL_OK;
}

/* The row of a stream whose beginning was in a damaged block: its number must not be given to another. */
static void begin_damaged(struct pl_row *row, const struct pl_log_row *by)
{
    struct pl_log_row from = *by;

    from.begin = (struct pl_stream_part){.name = {(const uint8_t *)"(damaged)", 9}};
    pl_row_begin(row, &from);
}

/* A log row on its way to its row. */
struct applying {
    struct pl_overlay *overlay;
    const struct pl_env *env;
    MDB_txn *txn;
    struct pl_log_row by;
    struct pl_log_mark block; /* where its block begins */
    uint64_t position;
    enum pl_apply how;
    struct pl_text *reason;
};

/* The row as its table has it, or begun. */
static enum pl_error fetch(const struct applying *a, struct pl_row *row)
{
    enum pl_error error = pl_rows_get(a->env, a->txn, a->by.link, a->by.stream, row);

    if (error == PL_E_STORE_DAMAGED) {
        pl_text_set(a->reason, "row of link %u stream %u fails its checksum", a->by.link, a->by.stream);
    }
    if (error != PL_E_NOT_FOUND) {
        return error;
    }
    if (a->by.begins_life) {
        pl_row_begin(row, &a->by);
    } else if (a->how == PL_APPLY_DAMAGED) {
        begin_damaged(row, &a->by);
    } else {
        pl_text_set(a->reason, "log row of link %u stream %u: the stream was never begun", a->by.link,
                    a->by.stream);
        return PL_E_INTERNAL;
    }
    return PL_OK;
}

/* A row that is not dirty yet: taken in if the log row changes it. */
static enum pl_error apply_fresh(const struct applying *a)
{
    struct pl_dirty *dirty = calloc(1, sizeof *dirty);
    enum pl_error error = dirty != NULL ? fetch(a, &dirty->row) : PL_E_NO_MEMORY;
    bool known = error == PL_OK && a->position < dirty->row.position;

    if (error == PL_OK && !known) {
        error = pl_row_apply(&dirty->row, &a->by, a->position, a->how, a->reason);
        error = error != PL_OK ? error : touch(a->overlay, dirty, true);
    }
    if (error != PL_OK || known) {
        free(dirty);
        return error;
    }
    dirty->since = a->block;
    enter(a->overlay, dirty);
    return PL_OK;
}

static enum pl_error apply(const struct applying *a)
{
    struct pl_dirty *dirty = pl_overlay_find(a->overlay, a->by.link, a->by.stream);
    enum pl_error error;

    if (dirty == NULL) {
        return apply_fresh(a);
    }
    error = touch(a->overlay, dirty, false);
    return error != PL_OK ? error : pl_row_apply(&dirty->row, &a->by, a->position, a->how, a->reason);
}

enum pl_error pl_overlay_apply_block(struct pl_overlay *overlay, const struct pl_env *env, MDB_txn *txn,
                                     const struct pl_block *block, struct pl_log_mark *at, enum pl_apply how,
                                     struct pl_text *reason)
{
    struct applying a = {overlay, env, txn, {0}, *at, at->position, how, reason};
    struct pl_row_iter iter;
    enum pl_error error = PL_OK;

    pl_block_rows(block, &iter);
    while (error == PL_OK && pl_chunk_next(&iter, &a.by)) {
        error = apply(&a);
        a.position += a.by.gap ? 1 : a.by.count;
    }
    *at = (struct pl_log_mark){at->position + block->span, at->rows + block->rows, at->bytes + block->body.n};
    return error;
}

struct pl_dirty *pl_overlay_oldest(const struct pl_overlay *overlay)
{
    struct pl_dirty *dirty = overlay->oldest;

    while (dirty != NULL && dirty->written) {
        dirty = dirty->newer;
    }
    return dirty;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Lists the rows to be written in the next round. False without memory. */
static bool start_round(struct pl_overlay *overlay)
{
    free(overlay->round);
    overlay->round_n = overlay->round_at = 0;
    overlay->round = malloc((overlay->n + 1) * sizeof *overlay->round);
    if (overlay->round == NULL) {
        return false;
    }
    for (const struct pl_dirty *dirty = overlay->oldest; dirty != NULL; dirty = dirty->newer) {
        if (!dirty->written) {
            overlay->round[overlay->round_n++] = (uint64_t)dirty->row.link << 32 | dirty->row.stream;
        }
    }
    qsort(overlay->round, overlay->round_n, sizeof *overlay->round, compare_keys);
    return true;
}

/* The next row of the round that is still there to be written; NULL when the round is over. */
static struct pl_dirty *next_of_round(struct pl_overlay *overlay)
{
    while (overlay->round_at < overlay->round_n) {
        uint64_t key = overlay->round[overlay->round_at++];
        struct pl_dirty *dirty = pl_overlay_find(overlay, (uint32_t)(key >> 32), (uint32_t)key);
        if (dirty != NULL && !dirty->written) {
            return dirty;
        }
    }
    return NULL;
}

struct pl_dirty *pl_overlay_hand(struct pl_overlay *overlay)
{
    struct pl_dirty *dirty = next_of_round(overlay);

    if (dirty != NULL) {
        return dirty;
    }
    return start_round(overlay) ? next_of_round(overlay) : pl_overlay_oldest(overlay);
}

enum pl_error pl_overlay_write(struct pl_overlay *overlay, const struct pl_env *env, MDB_txn *txn,
                               struct pl_dirty *dirty)
{
    enum pl_error error = dirty->written ? PL_OK : pl_rows_put(env, txn, &dirty->row);

    if (error == PL_OK && !dirty->written) {
        dirty->written = true;
        dirty->written_next = overlay->written;
        overlay->written = dirty;
    }
    return error;
}

enum pl_error pl_overlay_write_link(struct pl_overlay *overlay, const struct pl_env *env, MDB_txn *txn,
                                    uint32_t link)
{
    enum pl_error error = PL_OK;

    for (struct pl_dirty *dirty = *bucket_of(overlay, link); dirty != NULL && error == PL_OK;
         dirty = dirty->bucket_next) {
        if (dirty->row.link == link) {
            error = pl_overlay_write(overlay, env, txn, dirty);
        }
    }
    return error;
}
