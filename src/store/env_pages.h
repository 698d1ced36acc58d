/* Which pages of LMDB's file are in use: looked up without mapping it. */
#ifndef PL_STORE_ENV_PAGES_H
#define PL_STORE_ENV_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Walks from the roots (SIZE_MAX: an empty tree) of a file of `pages` whole pages of page_size bytes
 * (256..65536, readable at fd). True if every page reached lies within the file; false if one does not, a
 * page is not what it should be, the walk does not end, or the file cannot be read. Reads each page in use
 * a few times. */
bool pl_env_pages_present(int fd, size_t page_size, uint64_t pages, const size_t *roots, size_t roots_n);

#endif
