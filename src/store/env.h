/* One LMDB environment, opened so that what is wrong with it is said instead of crashed on, and owned by
 * one process.
 *
 * Store and outbox both stand on this. It knows files, tables, the owner rule, errors and room; it knows
 * no row. An environment is opened once in a process (a rule of LMDB's): a second opening of the same
 * directory shares it, which is how a log reader and a node can live in one program.
 */
#ifndef PL_STORE_ENV_H
#define PL_STORE_ENV_H

#include <lmdb.h>
#include <stdbool.h>

#include "io/text.h"
#include "link/link_types.h"

enum { PL_ENV_TABLES_MAX = 8 };

/* A table: its name and LMDB's flags for it. Table 0 must be "meta". */
struct pl_table {
    const char *name;
    unsigned flags;
};

/* What kind of environment is meant. Borrowed for the call, tables for as long as it is open. */
struct pl_env_spec {
    const char *dir;
    const char *format;              /* e.g. "purelink store 1": kept in meta and in the file DIR/format */
    const struct pl_table *tables;
    size_t tables_n;
    bool write;
    uint64_t map_bytes;              /* for write */
    uint64_t owner;                  /* for write: not 0 */
    uint64_t wall_ms;
    const uint8_t *id;               /* for write: 16 bytes, its name if it is made now */
};

/* Who wrote last. */
struct pl_owner {
    uint64_t number;
    uint64_t pid;
    uint64_t opened_ms;
};

struct pl_env;

/* Opens it. For write: makes the directory and takes the lock. Conditions checked before the first page
 * is trusted are listed in env.c. Errors: PL_E_BUSY, PL_E_NOT_FOUND (not for write), PL_E_STORE_DAMAGED,
 * PL_E_VERSION, PL_E_PERMISSION, PL_E_STORE_FULL, PL_E_NO_MEMORY, PL_E_IO, PL_E_STORE; reason says which
 * file and what to do. */
enum pl_error pl_env_open(const struct pl_env_spec *spec, struct pl_env **out, struct pl_text *reason);

/* One more user of it; each pl_env_open() and pl_env_share() needs its pl_env_close(). */
struct pl_env *pl_env_share(struct pl_env *env);

/* Ends one use; the writer's use also gives the lock back. NULL is allowed. */
void pl_env_close(struct pl_env *env, bool writer);

const char *pl_env_dir(const struct pl_env *env);
MDB_env *pl_env_lmdb(struct pl_env *env);
MDB_dbi pl_env_table(const struct pl_env *env, size_t table);

/* Begins a write transaction after checking that this process still owns the environment. PL_E_BUSY,
 * PL_E_IO (an earlier write failed: open it again), PL_E_STORE_FULL, PL_E_NO_MEMORY, PL_E_STORE. */
enum pl_error pl_env_begin(struct pl_env *env, MDB_txn **txn, struct pl_text *reason);

/* Commits or, on any error, aborts; txn is gone afterwards. After PL_E_IO pl_env_begin() refuses. */
enum pl_error pl_env_commit(struct pl_env *env, MDB_txn *txn, struct pl_text *reason);

/* A snapshot for reading, kept for reuse in *txn (NULL at first); pl_env_read_end() lets the snapshot go
 * and keeps the reader's slot. */
enum pl_error pl_env_read(struct pl_env *env, MDB_txn **txn, struct pl_text *reason);
void pl_env_read_end(struct pl_env *env, MDB_txn *txn);
/* Gives the slot back. */
void pl_env_read_free(MDB_txn *txn);

/* PL_E_STORE_FULL if more than 90 % of the map is in use or the file system has less than floor_bytes. Not
 * within a write transaction's critical path: it may walk the list of free pages. */
enum pl_error pl_env_room(struct pl_env *env, uint64_t floor_bytes, struct pl_text *reason);

/* Before LMDB opens DIR: reserves the blocks of its table of readers, which it maps and writes to: on a full
 * file system a page without a block would kill the process with SIGBUS. PL_E_STORE_FULL, PL_E_TOO_LARGE. */
enum pl_error pl_env_reserve_readers(const char *dir, uint32_t readers, struct pl_text *reason);

/* To be called after a trim. Pages that a transaction frees serve the next but one, and in a full map no
 * other may come to pass in between: so there, this commits a small one. Errors as pl_env_commit(). */
enum pl_error pl_env_turn(struct pl_env *env, struct pl_text *reason);

/* Pages in use (free ones not counted), times their size. */
enum pl_error pl_env_used(struct pl_env *env, uint64_t *used_bytes, uint64_t *file_bytes,
                          uint64_t *map_bytes);

/* The error that LMDB's code means; the reason gets "DIR: WHAT: text". */
enum pl_error pl_env_error(int rc);
enum pl_error pl_env_fail(const struct pl_env *env, int rc, const char *what, struct pl_text *reason);

/* Rows of meta, by name. Reading: PL_E_NOT_FOUND; *out is valid until the transaction changes or ends. */
enum pl_error pl_meta_get(const struct pl_env *env, MDB_txn *txn, const char *name, struct pl_bytes *out);
enum pl_error pl_meta_put(const struct pl_env *env, MDB_txn *txn, const char *name, struct pl_bytes value);
/* One integer; a row that is missing reads as 0. */
enum pl_error pl_meta_get_u64(const struct pl_env *env, MDB_txn *txn, const char *name, uint64_t *out);
enum pl_error pl_meta_put_u64(const struct pl_env *env, MDB_txn *txn, const char *name, uint64_t value);
enum pl_error pl_meta_owner(const struct pl_env *env, MDB_txn *txn, struct pl_owner *out);

#endif
