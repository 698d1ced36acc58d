/*
 * base64.h: 32 B keys as 44 characters of base64 (RFC 4648 section 4), as WireGuard's tools print them.
 *
 * One key has exactly one text: padding must be there and the two bits that carry nothing must be zero, so
 * that comparing texts and comparing keys agree. Not constant time.
 */
#ifndef PL_CRYPTO_BASE64_H
#define PL_CRYPTO_BASE64_H

#include <stddef.h>
#include <stdint.h>

#include "link/link_types.h"

enum { PL_KEY_TEXT_SIZE = 44 };

/* Writes the 44 characters of `key` and a NUL to `text`. If `key` is private, so is `text`: wipe it. */
void pl_key_to_text(const uint8_t key[32], char text[PL_KEY_TEXT_SIZE + 1]);

/*
 * Reads a key from the `n` characters at `text` (no NUL needed, no white space allowed). PL_OK, or PL_E_KEY
 * if it is not the canonical text of 32 B: `key` is then all zero and `*why` points to a constant phrase that
 * says what is wrong (on success it is NULL; `why` may be NULL). Any 32 B are accepted: see
 * pl_public_key_check.
 */
enum pl_error pl_key_from_text(const char *text, size_t n, uint8_t key[32], const char **why);

#endif
