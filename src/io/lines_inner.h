/* What lines.c (records out of bytes) and lines_follow.c (which file the bytes come from) share. */
#ifndef PL_IO_LINES_INNER_H
#define PL_IO_LINES_INNER_H

#include <sys/stat.h>

#include "io/lines.h"
#include "io/place.h"

/* Looks at a quiet old file before the new one is read: its writer may still have it open. */
enum { PL_LINES_ROTATE_POLLS = 5 };

struct pl_lines {
    struct pl_lines_options options;
    char *path; /* the name given */
    int fd;
    bool regular;
    bool moved; /* what is read now is not what stands under the name */
    uint64_t device, inode;

    /* Bytes [begin, end) of buffer are not given out; buffer[begin] is at offset in the file. */
    uint8_t *buffer;
    size_t room, begin, end;
    size_t looked; /* bytes from begin known to hold no newline */
    uint64_t offset;

    uint64_t first_offset; /* where reading this file began */
    uint64_t records;      /* given of this file since then */

    unsigned quiet;    /* looks at the end in a row that brought nothing */
    uint64_t end_mark; /* fingerprint of all read when the end was first seen, while quiet > 0 */

    enum pl_error failed; /* once and for all */
    struct pl_text failure;
};

/* Makes fd, a file just opened, the one that is read, from offset. Closes the one before. */
void pl_lines_take_file(struct pl_lines *lines, int fd, const struct stat *status, uint64_t offset);

/*
 * Finds the file of place and begins there, or tells why not by *start. PL_OK; PL_E_NOT_FOUND: no file at
 * all.
 */
enum pl_error pl_lines_resume(struct pl_lines *lines, const struct pl_file_place *place,
                              enum pl_lines_start *start);

/* What there is at the end of a regular file. */
enum pl_lines_end {
    PL_LINES_NOTHING,         /* no more now */
    PL_LINES_FINAL,           /* no more from this file: deliver what is left of it, then go on to the next */
    PL_LINES_AGAIN_FROM_START /* it was truncated: reading begins at 0 again, what was left is dropped */
};

/* Called each time reading met the end of the file while following. */
enum pl_lines_end pl_lines_look(struct pl_lines *lines);

/* True if bytes that appeared after an end follow on what was read; else reading has begun at 0 again. */
bool pl_lines_still_same(struct pl_lines *lines);

/* Goes on to the file after the one that is finished. False if there is none yet. */
bool pl_lines_next_file(struct pl_lines *lines);

#endif
