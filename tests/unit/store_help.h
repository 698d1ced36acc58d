/* What the tests of src/store share: a directory that vanishes, a store in it, and a random workload of
 * valid log rows with a model of what must come out.
 */
#ifndef TESTS_UNIT_STORE_HELP_H
#define TESTS_UNIT_STORE_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "store/chunk.h"
#include "store/env.h"
#include "store/store.h"

/* A fresh directory; path is valid until help_dir_end(). One at a time. */
const char *help_dir_begin(void);
void help_dir_end(void);

/* DIR/NAME in a static buffer of eight that take turns. */
const char *help_path(const char *dir, const char *name);

/* The whole of a file; the caller frees. */
uint8_t *help_file_read(const char *path, size_t *n);
void help_file_write(const char *path, const uint8_t *bytes, size_t n);
bool help_copy_dir(const char *from, const char *to);

/* A small generator: the same seed gives the same numbers. */
struct help_random {
    uint64_t state;
};
uint32_t help_draw(struct help_random *random, uint32_t below);

/* A store with a map of 256 MiB and an owner of its own; ends the test if it cannot be had. */
struct pl_store *help_store_open(const char *dir);

/* The store's environment alone, for tests of its tables; a write transaction in it. */
struct pl_env *help_env_open(const char *dir);
MDB_txn *help_env_begin(struct pl_env *env);

/* Flips a bit in every occurrence of the needle in DIR/data.mdb; returns how many there were. */
size_t help_damage(const char *dir, const char *needle);

/* The errno that the next fdatasync() of this process fails with, once; 0: it works. */
extern int help_sync_errno;

/* The same for the next pwrite() that is to be durable at once, as LMDB's to a meta page. */
extern int help_meta_errno;

/* The same for the next pread(). */
extern int help_read_errno;

/* What fsync() does in this process; NULL: what it does elsewhere. */
extern int (*help_fsync)(int fd);

/* Commits one chunk; the result is the caller's to judge. */
enum pl_error help_commit(struct pl_store *store, struct pl_chunk *chunk, uint64_t wall_ms);

/* Streams of a model: what was appended, as the rows must say it. */
enum { HELP_STREAMS = 40 };
struct help_stream {
    struct pl_row row; /* expected, but for position */
    bool begun;
};
struct help_model {
    struct help_random random;
    struct help_stream streams[HELP_STREAMS];
    uint32_t tags;
    uint64_t records;
};

/* Appends one random valid step (records, a new life, a GAP) to the chunk and the model. False if the
 * chunk is full. */
bool help_model_step(struct help_model *model, struct pl_chunk *chunk);

/* Bytes of record `number` of a stream, framed; returns their size. out has 64 bytes. */
size_t help_record(uint8_t *out, uint32_t link, uint32_t stream, uint64_t number);

/* True if both rows say the same, position aside. */
bool help_row_equal(const struct pl_row *a, const struct pl_row *b);

#endif
