/* The outbox: records given but not yet stored at the peer, durable before the first byte leaves.
 *
 * A *line* is a named sequence of records for one link. A *stream* is one birth of it: most lines have
 * one stream for ever; a fork (protocol section 5) makes another, which begins where the older one was
 * cut. Numbers, lives and byte positions in this interface are those of the stream: numbers from 1,
 * position 0 is the first byte of record 1, an offset counts from the first byte of its life. A life's
 * bytes lie without a hole between the position where it begins and the one where the next begins, so
 * position = life's position + offset.
 *
 * Order of calls: pl_outbox_open(); pl_outbox_load() for each link used. To give records:
 * pl_outbox_line() once for each name, then begin, put ..., set_input, commit. Nothing of a transaction
 * can be read, and nothing of it may be sent, before pl_outbox_commit() returned PL_OK (write-ahead). To
 * send: pl_outbox_stream*() tell what is held, pl_outbox_read() gives bytes from any position,
 * pl_outbox_stored() frees in memory what the peer keeps; the rows go with the next commit or
 * pl_outbox_trim(). After a crash what was freed but not trimmed is held again: the peer answers it as a
 * repeat. pl_outbox_close() last. One thread at a time, any from call to call; one process at a time
 * (PL_E_BUSY).
 *
 * A row whose checksum fails is never sent: reading reports the numbers as lost (the caller sends a GAP
 * when it is their turn) and goes on behind it; the bytes are kept in a table of their own when the row
 * is freed.
 */
#ifndef PL_STORE_OUTBOX_H
#define PL_STORE_OUTBOX_H

#include <stdbool.h>

#include "io/text.h"
#include "link/link_limits.h"
#include "link/link_types.h"

#define PL_INPUT_KEY_MAX 255u
#define PL_INPUT_MAX 1024u

struct pl_outbox;

/* Fills n bytes with random ones; must not fail. */
typedef void pl_outbox_random(void *ctx, void *bytes, size_t n);

/* Values 0 mean the default; owner and random must be given. */
struct pl_outbox_options {
    uint64_t map_bytes;          /* default 64 GiB, 256 MiB where pointers have 32 bits */
    uint64_t disk_floor_bytes;   /* puts are refused when the file system has less free; default 1 MiB */
    uint64_t owner;              /* random, not 0 */
    uint64_t wall_ms;
    pl_outbox_random *random;    /* for births and lives */
    void *random_ctx;
};

/* Opens DIR, making it (0700) and the outbox at need. Errors as pl_store_open(). reason may be NULL. */
enum pl_error pl_outbox_open(const char *dir, const struct pl_outbox_options *options, struct pl_outbox **out,
                             struct pl_text *reason);

/* Trims what was freed (bounded) and closes; an open transaction is aborted. NULL is allowed. */
void pl_outbox_close(struct pl_outbox *outbox);

/* Brings the lines of a link into memory (at once if they are there). PL_OK (also if it has none),
 * PL_E_NO_MEMORY, PL_E_STORE, PL_E_STORE_DAMAGED. */
enum pl_error pl_outbox_load(struct pl_outbox *outbox, uint32_t link, struct pl_text *reason);

/* Lets them go again. Not within a transaction. Line and stream indices become invalid. */
void pl_outbox_unload(struct pl_outbox *outbox, uint32_t link);

/* ---- giving records */

/* Finds or makes the line of that name; *line is valid until its link is unloaded. A new one becomes
 * durable with its first record. PL_E_NAME: not 1..PL_NAME_MAX bytes of UTF-8 without control characters.
 * PL_E_LIMIT: more than PL_STREAMS_MAX lines of that link. PL_E_NO_MEMORY, and errors of
 * pl_outbox_load(). */
enum pl_error pl_outbox_line(struct pl_outbox *outbox, uint32_t link, struct pl_bytes name, uint32_t *line,
                             struct pl_text *reason);

/* Opens the transaction: in memory, so that it may be ended by another thread than this. PL_E_STORE_FULL
 * (90 % of the map, disk floor), PL_E_BUSY (another owner), PL_E_IO, PL_E_NO_MEMORY, PL_E_STORE. */
enum pl_error pl_outbox_begin(struct pl_outbox *outbox, struct pl_text *reason);

/* Appends one record (0..PL_RECORD_MAX bytes, copied). *number (may be NULL) is the number it will have
 * once committed. PL_E_TOO_LARGE: this record was not taken, the transaction goes on. Any other error
 * leaves only pl_outbox_abort(): PL_E_STORE_FULL (the transaction is larger than the whole map; whether the
 * map has room for it, only the commit knows), PL_E_NO_MEMORY. */
enum pl_error pl_outbox_put(struct pl_outbox *outbox, uint32_t line, struct pl_bytes record, uint64_t *number,
                            struct pl_text *reason);

/* As many pl_outbox_put() calls in one. *taken (may be NULL): records before the one that failed. */
enum pl_error pl_outbox_put_many(struct pl_outbox *outbox, uint32_t line, const struct pl_bytes *records,
                                 size_t n, size_t *taken, struct pl_text *reason);

/* Remembers where the input stands, with the records of this transaction. key 1..PL_INPUT_KEY_MAX bytes
 * names the source, position (0..PL_INPUT_MAX bytes) is opaque. Errors as pl_outbox_put();
 * PL_E_TOO_LARGE. */
enum pl_error pl_outbox_set_input(struct pl_outbox *outbox, struct pl_bytes key, struct pl_bytes position,
                                  struct pl_text *reason);

/* The position committed last for that source, copied to out; *n its size. PL_E_NOT_FOUND, PL_E_STORE,
 * PL_E_STORE_DAMAGED. */
enum pl_error pl_outbox_input(struct pl_outbox *outbox, struct pl_bytes key, uint8_t out[PL_INPUT_MAX],
                              size_t *n);

/* Writes it all and makes it durable. On any error it is aborted: nothing of it was given; numbers and lives
 * stand as before. PL_E_STORE_FULL, PL_E_BUSY (another owner), PL_E_IO (from then on every transaction is
 * refused until reopened), PL_E_NO_MEMORY, PL_E_STORE. */
enum pl_error pl_outbox_commit(struct pl_outbox *outbox, struct pl_text *reason);

void pl_outbox_abort(struct pl_outbox *outbox);

/* The next record of each line begins a new life (a run was drawn for a possible resume from an image).
 * Opening does the same. Not within a transaction. */
void pl_outbox_new_life(struct pl_outbox *outbox);

/* ---- what is held */

/* A place in a stream. */
struct pl_outbox_place {
    uint64_t number;       /* of the record that begins there */
    uint64_t position;
    uint32_t life;         /* in which `number` was given; at the end of all, the newest life */
    uint64_t offset;       /* in that life */
};

/* A stream, committed state. A value. */
struct pl_sending {
    uint32_t link, line;
    uint32_t stream;             /* local number, one for each birth */
    uint64_t birth;
    uint8_t name_size;
    uint8_t name[PL_NAME_MAX];
    struct pl_outbox_place next;        /* where the next record will begin (of an older birth: its end) */
    /* Everything below freed.number was stored or dropped. life and offset are those of the end of record
     * freed.number - 1, as a GAP states them; life is 0 while nothing was freed. */
    struct pl_outbox_place freed;
    uint32_t newest_life;        /* 0: no record given yet */
    uint64_t forked_ms;          /* of the line's last fork; 0: never */
    bool newest;                 /* records are given to it */
    bool blocked;                /* an older birth of its line holds a record: nothing of it may be sent */
};

/* A life with a record held, or the newest. */
struct pl_sending_life {
    uint32_t tag;
    uint32_t before;             /* 0 at birth */
    uint64_t first_number;
    uint64_t position;           /* where it begins */
    uint64_t last_number;        /* as given so far */
    uint64_t end_position;
};

/* Streams in memory, in order of link, line, age. Indices change when one is added or settled: a fork, a
 * commit, a load. PL_E_NOT_FOUND when index is past the end. */
size_t pl_outbox_streams(const struct pl_outbox *outbox);
enum pl_error pl_outbox_stream_at(const struct pl_outbox *outbox, size_t index, struct pl_sending *out);
enum pl_error pl_outbox_stream(const struct pl_outbox *outbox, uint32_t link, uint32_t stream,
                               struct pl_sending *out);

/* Lives from the one that freed.life names on, oldest first, and always the newest; up to `room` are
 * copied, *n is their number. Those below `freed` have no record left: the first may be there for the
 * sake of a GAP. PL_E_NOT_FOUND: no such stream. */
enum pl_error pl_outbox_lives(const struct pl_outbox *outbox, uint32_t link, uint32_t stream,
                              struct pl_sending_life *out, size_t room, size_t *n);

/* What pl_outbox_read() found. */
struct pl_held {
    bool lost;               /* numbers first_number..last_number cannot be given: damaged. bytes is empty */
    uint32_t life;
    uint64_t position;       /* of the first byte (for lost: where the damage begins) */
    uint64_t offset;         /* the same, in its life */
    uint64_t first_number;   /* of the record to which the first byte belongs */
    uint64_t last_number;    /* of the record to which the last byte belongs */
    uint32_t ends;           /* records whose last byte is in bytes */
    uint64_t next_position;  /* go on there */
    struct pl_bytes bytes;   /* in buf */
};

/* Copies framed bytes of one life from `position` on into buf: whole rows as far as they fit, or the part
 * that fits (room_bytes > 0) of a row larger than that. position may be anywhere from `freed` to `next`.
 * PL_OK; PL_E_AGAIN at the end: nothing more is committed; PL_E_NOT_FOUND: no such stream, or position
 * was freed and trimmed; PL_E_STORE, PL_E_STORE_DAMAGED: the tree itself is unreadable. */
enum pl_error pl_outbox_read(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint64_t position,
                             uint8_t *buf, size_t room_bytes, struct pl_held *out);

/* Where record `number` begins (freed.number <= number <= next.number). life is the one it was given in.
 * Errors as pl_outbox_read(); PL_E_RANGE. */
enum pl_error pl_outbox_locate(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint64_t number,
                               struct pl_outbox_place *out);

/* ---- freeing */

/* Numbers up to `number` are stored at the peer: memory only, written with the next commit or trim. A
 * number beyond the last given counts as the last given. PL_E_NOT_FOUND. */
enum pl_error pl_outbox_stored(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint64_t number);

/* Deletes rows freed, at most rows_max, in a transaction of its own; *left (may be NULL) tells whether
 * more wait. Within a transaction it does nothing. Errors as pl_outbox_commit(). */
enum pl_error pl_outbox_trim(struct pl_outbox *outbox, size_t rows_max, bool *left, struct pl_text *reason);

/* The operator gives up numbers up to upto: durable on return. *dropped (may be NULL): records freed by
 * it. PL_E_RANGE: upto is beyond the last given. PL_E_NOT_FOUND, and errors as pl_outbox_commit(). */
enum pl_error pl_outbox_drop(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint64_t upto,
                             uint64_t *dropped, struct pl_text *reason);

/* REFUSED(forked, life, last) in one transaction: numbers of `life` up to last count as stored; the rest
 * of it and all later lives of that stream become a new stream (birth, one life with tag `tag`, from
 * number 1, offset 0) of the same line; earlier lives stay held in the old one, which blocks the new one.
 * *stream_new is its number, 0 if nothing of `life` was held (then nothing happens: protocol section 5).
 * birth and tag are random, tag not 0. PL_E_AGAIN: the line was forked within the hour before wall_ms
 * (reported, tried again later); PL_E_NOT_FOUND; PL_E_LIMIT: more than PL_BIRTHS_MAX births hold records;
 * PL_E_STORE_DAMAGED: the row to be cut is damaged (drop it); and errors as pl_outbox_commit(). Not
 * within a transaction (PL_E_USAGE). */
enum pl_error pl_outbox_forked(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint32_t life,
                               uint64_t last, uint64_t birth, uint32_t tag, uint64_t wall_ms,
                               uint32_t *stream_new, struct pl_text *reason);

#endif
