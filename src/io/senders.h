/*
 * The list of who may send: the file of `serve --senders`, lines of NAME PUBLIC-KEY, read by the grammar in
 * senders.rl.
 *
 * A line: NAME, spaces or tabs, KEY, spaces or tabs, maybe a # comment. Blank lines and lines that are
 * comments are skipped. A line may end in CRLF, the last one in nothing. NAME: 1 to 255 bytes of UTF-8
 * without spaces and control characters, not beginning with #. KEY: 44 characters of base64 in their one
 * canonical form. Names and keys occur once.
 *
 * The file may be of any size: a line is never held as a whole, and what is kept of each sender (to find one
 * given twice) is 49 bytes and its name, at most doubled, until it returns.
 */
#ifndef PL_IO_SENDERS_H
#define PL_IO_SENDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/text.h"
#include "link/link_types.h"

enum { PL_SENDERS_NAME_MAX = 255, PL_SENDERS_KEY_SIZE = 32 };

struct pl_sender {
    struct pl_bytes name; /* valid during the call only, as the rest */
    uint8_t key[PL_SENDERS_KEY_SIZE];
    uint64_t line; /* from 1 */
};

/* What tells one state of a file from another; all zero: no file. Compared with memcmp. */
struct pl_file_mark {
    uint64_t device, inode, size_bytes, modified_ns, changed_ns;
};

/* Called for each sender in file order; anything but PL_OK ends the reading with that error. */
typedef enum pl_error (*pl_sender_each)(void *ctx, const struct pl_sender *sender);

/*
 * Reads path and calls each for every sender. Either PL_OK and all were given, or an error after which
 * everything given must be thrown away: that a name or key occurs twice is found at the end only. mark (may
 * be NULL) is of exactly what was read.
 * PL_E_NOT_FOUND, PL_E_PERMISSION, PL_E_IO (not a regular file; changed while it was read); PL_E_USAGE: the
 * line is wrong ("FILE:LINE: reason"), or the file has 0 bytes; PL_E_NAME, PL_E_KEY: the line's name or key
 * is; PL_E_EXISTS: given twice; PL_E_NO_MEMORY; or what each returned.
 */
enum pl_error pl_senders_read(const char *path, pl_sender_each each, void *ctx, struct pl_file_mark *mark,
                              struct pl_text *why);

/* The mark of the file as it is now. PL_OK, PL_E_NOT_FOUND, PL_E_PERMISSION, PL_E_IO. */
enum pl_error pl_file_mark_read(const char *path, struct pl_file_mark *mark, struct pl_text *why);

#endif
