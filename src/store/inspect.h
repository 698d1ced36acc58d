/* Read-only views for people and tools: the log from any position, counts and streams, an outbox's state.
 *
 * All of it works beside a running node or sender and never writes. A log position is one number: each record
 * and each GAP takes one, in the order they were stored, for ever; so any position a reader was given can be
 * resumed from, also after older blocks were trimmed.
 */
#ifndef PL_STORE_INSPECT_H
#define PL_STORE_INSPECT_H

#include "io/text.h"
#include "link/link_types.h"
#include "store/reader.h"

enum pl_tail_kind {
    PL_TAIL_RECORD,
    PL_TAIL_GAP,         /* the sender no longer held number..number_to */
    PL_TAIL_DAMAGED,     /* positions position..position_to are set aside or unreadable; no link, no stream */
    PL_TAIL_TRIMMED,     /* positions position..position_to were trimmed before they were read */
};

/* One entry. Pointers are valid until the next call on that tail. */
struct pl_tail_entry {
    enum pl_tail_kind kind;
    uint64_t position;            /* resume after it with position_to + 1 */
    uint64_t position_to;         /* = position for a record and a GAP */
    uint64_t wall_ms;             /* of the commit; 0 if not known */
    uint32_t link, stream, life;
    uint64_t birth;               /* 0 if not known (damage) */
    uint64_t number, number_to;   /* equal for a record */
    struct pl_bytes link_name, stream_name;
    struct pl_bytes record;       /* without its size */
};

/* Empty names match everything. Borrowed as long as the tail lives. */
struct pl_tail_filter {
    struct pl_bytes link_name;
    struct pl_bytes stream_name;
};

struct pl_tail;

/* Reads from log position `from` (0: the oldest). filter may be NULL. The reader is borrowed and must
 * outlive the tail; it may be used for other calls in between. PL_OK, PL_E_NO_MEMORY. */
enum pl_error pl_tail_open(struct pl_reader *reader, uint64_t from, const struct pl_tail_filter *filter,
                           struct pl_tail **out);

/* The next entry; at most 256 KiB (or one larger block) are copied at a time and no snapshot is held
 * between calls. PL_E_AGAIN: nothing more now (ask again later to follow). PL_E_STORE, PL_E_STORE_DAMAGED
 * (the tree itself is unreadable), PL_E_NO_MEMORY. */
enum pl_error pl_tail_next(struct pl_tail *tail, struct pl_tail_entry *out, struct pl_text *reason);

/* Position to resume from, so that nothing is given twice and nothing left out. */
uint64_t pl_tail_position(const struct pl_tail *tail);

void pl_tail_close(struct pl_tail *tail);

struct pl_store_status {
    uint8_t store_id[16];
    uint64_t owner_pid;             /* of the last writer; it may be gone */
    uint64_t opened_ms;             /* when that writer opened it */
    bool owned;                     /* a writer has the lock now */
    uint64_t links, allowed;
    uint64_t blocks;                /* in the log */
    uint64_t first_position, end_position, checkpoint_position;
    uint64_t last_commit_ms;        /* 0: none in the log */
    uint64_t file_bytes, map_bytes, used_bytes;
    uint64_t readers;               /* slots in use */
    uint64_t damaged_blocks;        /* set aside, ever */
    struct pl_list_info list;
    struct pl_text last_damage;     /* empty: none */
};

/* Counts of the store as of now. PL_OK, PL_E_STORE, PL_E_STORE_DAMAGED. */
enum pl_error pl_store_status(struct pl_reader *reader, struct pl_store_status *out, struct pl_text *reason);

/* Calls each(ctx, link, row) for every stream, checkpointed or not, in order of link and stream; stops
 * when it returns false. link and row are valid during the call. PL_OK, PL_E_NO_MEMORY, PL_E_STORE,
 * PL_E_STORE_DAMAGED. */
typedef bool pl_each_stream(void *ctx, const struct pl_link_info *link, const struct pl_row *row);
enum pl_error pl_store_streams(struct pl_reader *reader, pl_each_stream *each, void *ctx,
                               struct pl_text *reason);

/* Calls each(ctx, link) for every link ever allowed, in order of number. Errors as above. */
typedef bool pl_each_link(void *ctx, const struct pl_link_info *link);
enum pl_error pl_store_links(struct pl_reader *reader, pl_each_link *each, void *ctx, struct pl_text *reason);

/* One birth of a stream in an outbox. */
struct pl_outbox_status {
    uint32_t link, stream;
    uint64_t birth;
    uint8_t name_size;
    uint8_t name[PL_NAME_MAX];
    uint64_t next_number;           /* that the next record will have; for an older birth, last + 1 */
    uint64_t freed_number;          /* last one stored at the peer or dropped, as far as written down */
    uint64_t held_records, held_bytes;
    uint64_t lives;                 /* held */
    uint64_t forked_ms;             /* wall clock of the last fork; 0: never */
    bool blocked;                   /* an older birth of that name still holds records */
};

struct pl_outbox_totals {
    uint64_t owner_pid;
    uint64_t file_bytes, map_bytes, used_bytes;
    uint64_t held_records, held_bytes;
    uint64_t damaged_rows;          /* set aside, ever */
    uint64_t dropped_records;       /* given up by the operator, ever */
};

/* Reads DIR beside a running sender. each may be NULL. Errors as pl_reader_open() and pl_store_streams(). */
typedef bool pl_each_outbox(void *ctx, const struct pl_outbox_status *stream);
enum pl_error pl_outbox_inspect(const char *dir, struct pl_outbox_totals *totals, pl_each_outbox *each,
                                void *ctx, struct pl_text *reason);

#endif
