/*
 * Private key files: one line of text, readable by their owner only.
 *
 * What the line means is told by the caller's decode function: this folder knows files, not keys. Every
 * buffer that held the line is wiped before a call returns.
 */
#ifndef PL_IO_KEYFILE_H
#define PL_IO_KEYFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/text.h"
#include "link/link_types.h"

enum { PL_KEYFILE_KEY_SIZE = 32, PL_KEYFILE_LINE_MAX = 128 };

/*
 * Turns the line (no newline, no spaces around) into a key: PL_OK, or an error and *why a constant phrase:
 * "not base64". pl_key_from_text of crypto/base64.h is one.
 */
typedef enum pl_error (*pl_keyfile_decode)(const char *line, size_t n, uint8_t key[PL_KEYFILE_KEY_SIZE],
                                           const char **why);

/*
 * Reads the file into key; path "-" is standard input, of which no mode is asked. Spaces around the line, a
 * CR and blank lines after it are tolerated.
 * PL_E_NOT_FOUND; PL_E_PERMISSION: not readable, or group or others may read or write it (why holds the chmod
 * that helps); PL_E_KEY: not a regular file, empty, too long, more than a line, or decode said no; PL_E_IO.
 * key is zero unless PL_OK.
 */
enum pl_error pl_keyfile_read(const char *path, pl_keyfile_decode decode, uint8_t key[PL_KEYFILE_KEY_SIZE],
                              struct pl_text *why);

/*
 * Writes line and a newline with mode 0600 from the first moment, durable when PL_OK. exclusive: an existing
 * file stays as it is (PL_E_EXISTS); otherwise it is replaced as a whole or not at all.
 * PL_E_EXISTS, PL_E_PERMISSION, PL_E_NOT_FOUND (the folder), PL_E_STORE_FULL (no space), PL_E_IO.
 */
enum pl_error pl_keyfile_write(const char *path, struct pl_bytes line, bool exclusive, struct pl_text *why);

#endif
