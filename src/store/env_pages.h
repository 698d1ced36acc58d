/* Which pages of LMDB's file are in use: looked up without mapping it. */
#ifndef PL_STORE_ENV_PAGES_H
#define PL_STORE_ENV_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Walks from the roots (SIZE_MAX: an empty tree) of a file of `pages` whole pages of page_size bytes
 * (256..65536, readable at fd). *present: every page reached lies within the file; false if one does not, a
 * page is not what it should be, or the walk does not end. Reads each page in use a few times. 0, or the
 * errno of a read that failed, ENOMEM. */
int pl_env_pages_present(int fd, size_t page_size, uint64_t pages, const size_t *roots, size_t roots_n,
                         bool *present);

#endif
