/* base64.h: any bytes as base64 (RFC 4648 section 4), for output. */
#ifndef PL_CLI_BASE64_H
#define PL_CLI_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* Writes the text of `n` bytes at `bytes`, padded, without a newline. */
void pl_print_base64(FILE *to, const void *bytes, size_t n);

#endif
