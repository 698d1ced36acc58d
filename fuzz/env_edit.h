/* A directory with a store or an outbox, as it was made once and then damaged as an input says.
 *
 * An input is a list of edits: {table, row, how, at (2), n}, six bytes, and n bytes where `how` wants some.
 * Rows are changed in their values and keys inside LMDB's sound trees: LMDB itself does not defend against
 * altered pages (docs/store.md). Of the file as a whole, changed is what env_check.c looks at before LMDB
 * does. */
#ifndef FUZZ_ENV_EDIT_H
#define FUZZ_ENV_EDIT_H

#include <stdbool.h>

#include "store/env.h"

struct edit_target {
    const struct pl_table *tables;
    size_t tables_n;
    /* Makes the directory's contents. */
    void (*make)(const char *dir);
    /* Writes the checksum of a changed value, so that what is behind it is reached. */
    void (*repair)(size_t table, const MDB_val *key, uint8_t *value, size_t n);
};

/* What was done. */
struct edits {
    unsigned n;
    bool repaired; /* a checksum was written again */
    bool moved;    /* a row is gone, new or under another key: what is left may pass for true */
    bool meta;     /* a row of meta was changed: they carry no checksum */
    bool file;     /* the file as a whole was changed */
};

/* Makes the contents, in the directory that FUZZ_DIR names, or in a new one. Once. */
void edit_begin(const struct edit_target *target);

/* Puts the contents into the directory and edits them. The path is good until the next call. */
const char *edit_dir(const struct edit_target *target, const uint8_t *p, size_t n, struct edits *done);

/* Ends the run unless a refusal says why, in one line. Empties the reason. */
void edit_check_reason(const char *what, enum pl_error error, struct pl_text *reason);

#endif
