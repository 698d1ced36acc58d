/*
 * A place in a file that can be found again: which file, how far, and what stood before it. lines.h says what
 * for.
 *
 * "PLP1" (4) | device (8) | inode (8) | offset (8) | fingerprint (8) | check (4)      all big endian
 *
 * The fingerprint is FNV-1a (64 bits) over the first 1,024 bytes before the offset, then the last 256 before
 * it; the check is its low half over all that stands before. They find mistakes, not forgery.
 */
#ifndef PL_IO_PLACE_H
#define PL_IO_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/lines.h"

struct pl_file_place {
    uint64_t device, inode, offset, fingerprint;
};

void pl_place_encode(const struct pl_file_place *place, struct pl_lines_position *out);

/* False if the bytes are not a place of this version. */
bool pl_place_decode(const struct pl_lines_position *in, struct pl_file_place *out);

/*
 * The fingerprint at offset of the open regular file. What can not be read (the file is shorter by now) does
 * not go in, so that it matches nothing.
 */
uint64_t pl_place_fingerprint(int fd, uint64_t offset);

/* True if fd is long enough and has the place's bytes before the place's offset, whatever file it is. */
bool pl_place_matches(const struct pl_file_place *place, int fd);

#endif
