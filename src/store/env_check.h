/* What must hold of LMDB's file before LMDB is let loose on it. */
#ifndef PL_STORE_ENV_CHECK_H
#define PL_STORE_ENV_CHECK_H

#include "io/text.h"
#include "link/link_types.h"

/* Looks at DIR/data.mdb and DIR/format. PL_OK: LMDB may open it. PL_E_NOT_FOUND: nothing was ever kept
 * there (a writer may make it). PL_E_STORE_DAMAGED: something was kept there and is gone, cut short or
 * overwritten; PL_E_VERSION: the directory holds another format; PL_E_PERMISSION, PL_E_IO. */
enum pl_error pl_env_check(const char *dir, const char *format, struct pl_text *reason);

/* Writes DIR/format, durably, if it does not say so already. PL_E_IO, PL_E_STORE_FULL, PL_E_PERMISSION. */
enum pl_error pl_env_mark(const char *dir, const char *format, struct pl_text *reason);

#endif
