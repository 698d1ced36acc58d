/* The node's store: one writer, many readers, one LMDB environment.
 *
 * Order of calls: pl_store_open() once (a process, one thread: the store thread). Then any number of
 * pl_store_commit(), pl_store_import_*(), pl_store_trim() from that thread alone. Other threads of the
 * same process take a pl_reader each (pl_reader_of, reader.h): look-up by key id, a link, its rows. Other
 * processes read by pl_reader_open() (reader.h), with status and tail in inspect.h. pl_store_close()
 * last, after every reader.
 *
 * The log is the truth. A commit is one transaction: blocks of records, and with them everything they
 * prove heard. Rows of streams (row.h) are checkpoints, kept in memory while they are newer than their
 * table, written when a link is swept and by a rolling checkpoint, and made again at start by replaying
 * the bounded tail of the log. See docs/store.md for layout, validity and the argument why a crash at any
 * point is safe.
 *
 * One process at a time: an exclusive lock on DIR/lock, and an owner number in the store that each
 * transaction checks, so that a lock that did not hold (a second machine, a file system without locks)
 * costs an error, never a record stored twice.
 *
 * It must never: say PL_OK before the data is durable; leave part of a commit visible; use LMDB's
 * WRITEMAP, NOSYNC, NOMETASYNC; draw random numbers or read clocks.
 */
#ifndef PL_STORE_STORE_H
#define PL_STORE_STORE_H

#include "io/text.h"
#include "link/link_limits.h"
#include "link/link_types.h"
#include "store/chunk.h"
#include "store/row.h"

struct pl_store;

/* All values 0 (but the random ones) mean the default. */
struct pl_store_options {
    uint64_t map_bytes;          /* address space; default 1 TiB, 1 GiB where pointers have 32 bits */
    uint64_t disk_floor_bytes;   /* commits are refused when the file system has less free; default 16 MiB */
    uint64_t retain_bytes;       /* the log's oldest blocks go when it is larger; default: never */
    uint64_t retain_ms;          /* ... or when older than this; default: never */
    uint32_t replay_rows_max;    /* the tail replayed at start; default 50,000 rows */
    uint32_t replay_bytes_max;   /* and 32 MiB */
    uint32_t checkpoint_rows;    /* rows the rolling checkpoint writes in a commit; default 256 */
    uint64_t owner;              /* random, not 0: this opening's owner number */
    uint8_t store_id[16];        /* random: becomes the store's name if it is made now */
    uint64_t wall_ms;            /* now, for display */
};

/* Opens DIR for writing, making it (mode 0700) and the store at need. Before it returns, the tail of the
 * log was checked and replayed, and the result checkpointed in bounded transactions. PL_OK; PL_E_BUSY:
 * another process owns it (reason names the pid); PL_E_STORE_DAMAGED: what is damaged and what to do;
 * PL_E_VERSION: written by another format; PL_E_PERMISSION, PL_E_IO, PL_E_NO_MEMORY, PL_E_USAGE (owner
 * 0). Damaged blocks in the tail do not stop it: each is set aside whole in the store, a hole takes its
 * place, and status counts them (docs/store.md, section "Damage"). reason may be NULL; with PL_OK it says
 * what was set aside, or is empty. */
enum pl_error pl_store_open(const char *dir, const struct pl_store_options *options, struct pl_store **out,
                            struct pl_text *reason);

/* Writes what is newer than its checkpoint (best effort: the log has it) and closes. NULL is allowed. */
void pl_store_close(struct pl_store *store);

/* A link that leaves memory: its rows are checkpointed, its last validated address kept. */
struct pl_sweep {
    uint32_t link;
    uint8_t address_size;        /* 0: the address stays as it was */
    uint8_t address[32];         /* opaque to the store */
};

struct pl_commit {
    struct pl_chunk *const *chunks;      /* borrowed for the call; their blocks are sealed in place */
    size_t chunks_n;
    const struct pl_sweep *sweeps;
    size_t sweeps_n;
    uint64_t wall_ms;
};

/* One transaction: every block, every swept link's rows, a slice of the rolling checkpoint, a slice of
 * the trim; after every 16th the slots of readers that were killed are freed. Returns after it is durable.
 * Any error means nothing of it is visible and the same call may be repeated: PL_E_STORE_FULL (90 % of the
 * map, the disk floor, ENOSPC), PL_E_NO_MEMORY, PL_E_BUSY (another owner took the store: stop),
 * PL_E_INTERNAL (a row does not continue its stream),
 * PL_E_STORE_DAMAGED, PL_E_IO (after which every commit is refused until the store is opened again: what
 * the kernel still holds is not known). With nothing to write it writes nothing. On PL_OK each chunk's
 * first_position is set. */
enum pl_error pl_store_commit(struct pl_store *store, const struct pl_commit *commit, struct pl_text *reason);

/* Log position that the next record will take. */
uint64_t pl_store_end(const struct pl_store *store);

/* Rows newer than their checkpoint, and log rows and bytes a start now would replay. */
struct pl_store_load {
    size_t dirty_rows;
    uint64_t replay_rows;
    uint64_t replay_bytes;
};
void pl_store_load(const struct pl_store *store, struct pl_store_load *out);

/* Deletes whole blocks below `position` (never past the checkpoint, never the last block), at most
 * `blocks_max` in one transaction; *deleted says how many. PL_OK and errors as for a commit. */
enum pl_error pl_store_trim(struct pl_store *store, uint64_t position, size_t blocks_max, size_t *deleted,
                            struct pl_text *reason);

/* Whether the options gave a retention. */
bool pl_store_retains(const struct pl_store *store);

/* Retention for when no commits come: deletes up to 64 of the blocks that are too old at wall_ms or too many,
 * after writing the checkpoint if that holds them. Writes nothing if there are none. *deleted says how many:
 * above 0 there may be more. PL_OK and errors as for a commit. */
enum pl_error pl_store_retain(struct pl_store *store, uint64_t wall_ms, size_t *deleted,
                              struct pl_text *reason);

/* A line of the allow list. */
struct pl_allowed {
    struct pl_bytes name;        /* 1..PL_NAME_MAX bytes of UTF-8 without control characters; borrowed */
    uint8_t public_key[32];
    uint32_t key_id;             /* of packets from that peer to us */
};

/* An allow list on its way in. The list in force stays in force until pl_store_import_end(). */
struct pl_import {
    uint32_t generation;
    uint64_t wall_ms;
    uint64_t entries;
};

/* Starts one; an import that was not ended is forgotten. Errors as for a commit, here and below. */
enum pl_error pl_store_import_begin(struct pl_store *store, struct pl_import *import, uint64_t wall_ms,
                                    struct pl_text *reason);

/* Takes n entries in one transaction (callers give up to 1,024, between two commits). A key known before
 * keeps its link number and its rows. PL_E_NAME: name unusable; PL_E_LIMIT: a fifth key with one key id
 * (reason names both). After an error the import is void, the list in force stays. */
enum pl_error pl_store_import_step(struct pl_store *store, struct pl_import *import,
                                   const struct pl_allowed *entries, size_t n, struct pl_text *reason);

/* Puts the list in force. mark (<= 128 bytes, opaque: digest or file identity) is what pl_reader_list() gives
 * back, so that an unchanged list is recognised without reading it. */
enum pl_error pl_store_import_end(struct pl_store *store, struct pl_import *import, struct pl_bytes mark,
                                  struct pl_text *reason);

/* All three in one, for a list in memory. */
enum pl_error pl_store_import(struct pl_store *store, const struct pl_allowed *entries, size_t n,
                              struct pl_bytes mark, uint64_t wall_ms, struct pl_text *reason);

#endif
