/*
 * Key logs: the keys of runs as lines of text, so that a capture can be opened afterwards.
 *
 *     PURELINK_DEVICE_RUN a1b2c3d4 0102030405060708 1 00 9f0c...(key and iv in hexadecimal)
 *
 * A line is: who sealed (PURELINK_DEVICE_RUN or PURELINK_NODE_RUN), key id, run, suite in decimal, epochs
 * (the header's second byte), key and iv one after the other. Fields are parted by one space, hexadecimal
 * digits are lower case. Lines that begin with # and empty ones mean nothing. Logs of both ends, and several
 * of one end, may be joined; a line may occur more than once.
 *
 * Whoever reads such a line can read, and forge, every packet of that run; of other runs it tells nothing.
 * Nothing is logged unless a key log was opened, and no other part of this folder knows secrets.
 */
#ifndef PL_IO_KEYLOG_H
#define PL_IO_KEYLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/text.h"
#include "link/link_types.h"

enum { PL_KEYLOG_SECRET_MAX = 64, PL_KEYLOG_LINE_MAX = 256 };

struct pl_keylog_entry {
    bool from_node; /* the node sealed, not the device */
    uint8_t suite, epochs;
    uint32_t key_id;
    uint64_t run;
    size_t secret_n; /* 1 to PL_KEYLOG_SECRET_MAX */
    uint8_t secret[PL_KEYLOG_SECRET_MAX];
};

struct pl_keylog;

/*
 * Opens a log to append to, made with mode 0600 at need; *out is the caller's until pl_keylog_close. One that
 * others than its owner may use is PL_E_PERMISSION with the chmod that helps; what is no regular file
 * PL_E_IO; else as pl_file_error. `path` is copied.
 */
enum pl_error pl_keylog_open(const char *path, struct pl_keylog **out, struct pl_text *why);

/* Appends one line, in one write: several processes may share a log. What cannot be written is counted and
 * lost. One thread at a time. */
void pl_keylog_put(struct pl_keylog *log, const struct pl_keylog_entry *entry);

/* Lines lost so far; with any, *why (may be NULL) is what the last failure was. Any thread. */
uint64_t pl_keylog_lost(struct pl_keylog *log, struct pl_text *why);

/* NULL is allowed. */
void pl_keylog_close(struct pl_keylog *log);

/* Writes an entry as a line without its newline, zero-terminated; returns its length. Wipe `line` after use.
 */
size_t pl_keylog_format(const struct pl_keylog_entry *entry, char line[PL_KEYLOG_LINE_MAX]);

/*
 * Reads a line of n characters, without its newline. PL_OK; PL_E_EMPTY: a comment or an empty line; else *why
 * (may be NULL) is a constant phrase: PL_E_UNKNOWN_TYPE (another label), PL_E_RANGE (a field that is wrong or
 * missing), PL_E_TRAILING (more than there should be).
 */
enum pl_error pl_keylog_parse(const char *line, size_t n, struct pl_keylog_entry *out, const char **why);

#endif
