/* What must hold of LMDB's file before LMDB is let loose on it. */
#ifndef PL_STORE_ENV_CHECK_H
#define PL_STORE_ENV_CHECK_H

#include "io/text.h"
#include "link/link_types.h"

/* Looks at DIR/data.mdb and DIR/format. PL_OK: LMDB may open it. PL_E_NOT_FOUND: nothing was ever kept
 * there (a writer may make it, after pl_env_clear). PL_E_STORE_DAMAGED: something was kept there and is
 * gone, cut short or overwritten; PL_E_VERSION: the directory holds another format; PL_E_PERMISSION;
 * PL_E_IO: it cannot be read now. */
enum pl_error pl_env_check(const char *dir, const char *format, struct pl_text *reason);

/* Makes the meta pages durable as they read now, at the descriptor of LMDB's file, with its write transaction
 * held. After a failed flush the disk may hold a newer one than the kernel's memory: the pages of that would
 * be overwritten while, after a power cut, it would count. dir is for the reason. PL_E_IO, PL_E_STORE_FULL,
 * PL_E_STORE_DAMAGED. */
enum pl_error pl_env_settle(int fd, const char *dir, struct pl_text *reason);

/* Writes DIR/format, if it does not say so already, after the names in DIR and that of DIR are durable.
 * Returns when it is durable itself. PL_E_IO, PL_E_STORE_FULL, PL_E_PERMISSION, PL_E_NO_MEMORY. */
enum pl_error pl_env_mark(const char *dir, const char *format, struct pl_text *reason);

/* Empties DIR/data.mdb, where pl_env_check said PL_E_NOT_FOUND: pages of a beginning that was cut off would
 * be no store to LMDB. PL_E_IO, PL_E_PERMISSION, PL_E_TOO_LARGE. */
enum pl_error pl_env_clear(const char *dir, struct pl_text *reason);

#endif
