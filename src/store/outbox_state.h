/* The open outbox, as its own parts see it.
 *
 * Inside, a line is one sequence for ever: its numbers and byte positions run on through forks. A stream
 * (one birth) is a stretch of its line, so that a fork moves no record: it ends one stretch, begins
 * another, and gives its bytes another life. What a transaction changes of a line it changes in a draft;
 * the commit makes the draft the state, anything else throws it away.
 */
#ifndef PL_STORE_OUTBOX_STATE_H
#define PL_STORE_OUTBOX_STATE_H

#include "store/env.h"
#include "store/outbox.h"
#include "store/outbox_batch.h"

#define PL_OUTBOX_FORMAT "purelink outbox 1"

enum { PL_O_META, PL_O_LINES, PL_O_STRETCHES, PL_O_LIVES, PL_O_ROWS, PL_O_INPUTS, PL_O_DAMAGED, PL_O_COUNT };

extern const struct pl_table pl_outbox_tables[PL_O_COUNT];

/* A place in a line. */
struct pl_spot {
    uint64_t number, position;
};

/* One birth: records from start to end of its line. The newest has no end of its own. */
struct pl_stretch {
    uint32_t stream;
    uint64_t birth;
    struct pl_spot start, end;
    struct pl_spot freed;         /* durable: below it nothing is held */
    uint64_t stored_number;       /* in memory only: below it the peer has stored everything */
};

struct pl_given_life {
    uint32_t tag, before;
    struct pl_spot start;
};

struct pl_line_state {
    bool kept;                    /* has rows in the tables */
    bool need_life;               /* the next record begins one */
    bool garbage;                 /* there may be rows below what is freed */
    uint32_t next_stream;
    uint64_t forked_ms;
    struct pl_spot next;
    struct pl_stretch *stretches; /* by start; the last one is the newest */
    size_t stretches_n;
    struct pl_given_life *lives;  /* by start */
    size_t lives_n;
};

/* Framed bytes of a row that records share: with its 16 B and the 16 B of LMDB's page head it fills two pages
 * of 4 KiB. */
enum { PL_ROW_BYTES = 2 * 4096 - 32 };

/* Positions from..to - 1 of a line whose rows were read whole and found sound since it was loaded. */
struct pl_sound {
    uint64_t from, to;
};

struct pl_line {
    uint32_t link, number;
    uint8_t name_size;
    uint8_t name[PL_NAME_MAX];
    struct pl_line_state now;
    struct pl_line_state *draft;  /* within a transaction that touched it */
    struct pl_sound sound;
    struct pl_spot row_start;     /* of the row being filled */
    uint32_t row_count, row_bytes;
    uint8_t *row;                 /* PL_ROW_BYTES; NULL before a transaction's first record */
};

struct pl_loaded_link {
    uint32_t link;
    uint32_t next_line, next_stream;
};

struct pl_outbox {
    struct pl_env *env;
    struct pl_outbox_options options;
    struct pl_line **lines;       /* by the index the caller holds; NULL: free */
    size_t lines_n;
    struct pl_loaded_link *links;
    size_t links_n;
    bool giving;                  /* from pl_outbox_begin() to the commit or abort */
    struct pl_write_batch batch;  /* what was given meanwhile; empty otherwise */
    MDB_txn *read_txn;
};

/* Deep copies and their end. NULL without memory. */
struct pl_line_state *pl_line_clone(const struct pl_line_state *state);
void pl_line_state_clear(struct pl_line_state *state);

/* The draft of a line, made at the first touch. */
struct pl_line_state *pl_line_draft(struct pl_line *line);

/* Ends the drafts of all lines: they become the state, or are thrown away. */
void pl_outbox_settle(struct pl_outbox *outbox, bool keep);

/* End of a stretch: its own, or the line's if it is the newest. */
struct pl_spot pl_stretch_end(const struct pl_line_state *state, size_t index);

/* Index of the life to which the byte at `position` belongs; the last life that began at or before it.
 * lives_n if none. */
size_t pl_life_at(const struct pl_line_state *state, uint64_t position);

/* Where that life ends. */
struct pl_spot pl_life_end(const struct pl_line_state *state, size_t life);

/* Makes room for one more in an array of line state. PL_E_NO_MEMORY. */
enum pl_error pl_state_add_stretch(struct pl_line_state *state, size_t at, const struct pl_stretch *stretch);
enum pl_error pl_state_add_life(struct pl_line_state *state, size_t at, const struct pl_given_life *life);
void pl_state_del_stretch(struct pl_line_state *state, size_t at);
void pl_state_del_life(struct pl_line_state *state, size_t at);

/* The line and stretch of a stream. PL_E_NOT_FOUND. */
enum pl_error pl_outbox_find(const struct pl_outbox *outbox, uint32_t link, uint32_t stream,
                             struct pl_line **line, size_t *index);

/* Frees what the peer has stored, deletes rows below it, at most *budget of them; works on the draft. */
enum pl_error pl_line_trim(struct pl_outbox *outbox, MDB_txn *txn, struct pl_line *line, size_t *budget);

/* True if the peer stored more than is freed, or freed rows are left to delete. */
bool pl_line_wants_trim(const struct pl_line *line);

/* Removes a stretch and its lives from the draft and the tables. */
enum pl_error pl_stretch_forget(struct pl_outbox *outbox, MDB_txn *txn, struct pl_line *line, size_t index);

/* Where record `number` begins, low.number <= number <= high.number, both in one stretch.
 * PL_E_STORE_DAMAGED: within a damaged row. */
enum pl_error pl_held_locate(MDB_cursor *cursor, const struct pl_line *line, struct pl_spot low,
                             struct pl_spot high, uint64_t number, struct pl_spot *out);

/* Ends a transaction that is not the caller's: commits if error is PL_OK; drafts follow. */
enum pl_error pl_outbox_finish(struct pl_outbox *outbox, MDB_txn *txn, enum pl_error error,
                               struct pl_text *reason);

#endif
