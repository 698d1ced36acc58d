/*
 * Records from a file or a pipe: one a line, or each after its length as four bytes, big endian.
 *
 * It is incremental. pl_lines_next never blocks and never gives half a record; after each record
 * pl_lines_position tells the place after it, which the caller commits together with the record. Opened again
 * at that place, nothing is lost or repeated.
 *
 * A place names the file by device and inode, and by a fingerprint of the bytes before the offset (the first
 * 1,024 and the last 256): a file that was truncated and written anew is not taken for the old one.
 *
 * Following (like tail -F): at the end of the file there is nothing yet, not an end. If a new file stands
 * under the name (rotation), the old one is finished, then the new one is read from its start. If the file
 * was truncated, it is read from 0. If rotation happened while nobody read, the old file is looked for in the
 * same folder and finished first.
 */
#ifndef PL_IO_LINES_H
#define PL_IO_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/text.h"
#include "link/link_types.h"

enum {
    PL_LINES_POSITION_SIZE = 40, /* bytes of a place as it is stored */
    PL_LINES_POLL_MS = 200       /* how often to look again while following */
};

struct pl_lines;

struct pl_lines_options {
    bool framed;             /* lengths instead of newlines */
    bool follow;             /* wait for more at the end; needs a regular file by name */
    bool last_partial;       /* at the end of the input, a last line without newline counts as one */
    size_t record_max_bytes; /* 1 to PL_RECORD_MAX; longer: an error */
};

/* A place as bytes, for the outbox: version, device, inode, offset, fingerprint, big endian. */
struct pl_lines_position {
    uint8_t bytes[PL_LINES_POSITION_SIZE];
};

/* How a place given to pl_lines_open was met. */
enum pl_lines_start {
    PL_LINES_FROM_START, /* no place given */
    PL_LINES_RESUMED,    /* same file, same bytes before the place: goes on there */
    PL_LINES_ROTATED,    /* the file has another name now: goes on there, then the one under the name */
    PL_LINES_TRUNCATED,  /* same file, other bytes or fewer: from 0 */
    PL_LINES_REPLACED    /* the old file is not to be found: the one under the name, from 0 */
};

/*
 * Opens path; a path of "-" is standard input, left open at close; a FIFO's open waits for its writer.
 * resume: NULL or a place; then the input must be a regular file. On PL_OK *out is the caller's until
 * pl_lines_close, and *start (may be NULL) tells where it begins.
 * PL_E_NOT_FOUND, PL_E_PERMISSION, PL_E_IO, PL_E_NO_MEMORY; PL_E_USAGE: a folder, a pipe to be followed or
 * resumed, or a place that is none (its version or shape is not ours).
 */
enum pl_error pl_lines_open(const char *path, const struct pl_lines_options *options,
                            const struct pl_lines_position *resume, struct pl_lines **out,
                            enum pl_lines_start *start, struct pl_text *why);
void pl_lines_close(struct pl_lines *lines);

/*
 * The next record: *record is valid until the next call on lines. A line comes without its newline; a CR
 * before it stays.
 * PL_OK; PL_E_AGAIN: nothing whole now (a pipe has no more yet, or following: look again after
 * PL_LINES_POLL_MS); PL_E_CLOSED: the end. PL_E_TOO_LARGE: a record above the limit; PL_E_TRUNCATED: the
 * input ends inside a framed record; PL_E_IO, PL_E_NO_MEMORY. why names file, line or record number, and
 * byte. After an error (not AGAIN) every call returns it again.
 */
enum pl_error pl_lines_next(struct pl_lines *lines, struct pl_bytes *record, struct pl_text *why);

/*
 * The place after the last record given. PL_OK; PL_E_USAGE if the input is no regular file; PL_E_IO.
 * After PL_E_AGAIN while following it may have moved to the start of a new file.
 */
enum pl_error pl_lines_position(const struct pl_lines *lines, struct pl_lines_position *out,
                                struct pl_text *why);

/*
 * Blocks until pl_lines_next may have more, at most timeout_ms (0: no wait). True if it is worth a call. For
 * a reader that has a thread or nothing else to do.
 */
bool pl_lines_wait(struct pl_lines *lines, uint32_t timeout_ms);

/* Offset in bytes after the last record given, in the file being read now; for display. */
uint64_t pl_lines_offset(const struct pl_lines *lines);

#endif
