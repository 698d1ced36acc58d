/* The lock of a store's or outbox's directory: one writing process, whoever it is. */
#ifndef PL_STORE_LOCK_H
#define PL_STORE_LOCK_H

#include <stdbool.h>

#include "io/text.h"
#include "link/link_types.h"

/* Makes DIR with mode 0700 if it is not there. PL_OK; PL_E_PERMISSION, PL_E_NOT_FOUND (its parent), PL_E_IO,
 * PL_E_USAGE (something else has that name). */
enum pl_error pl_dir_make(const char *dir, struct pl_text *reason);

/* Takes the exclusive lock on DIR/lock (made at need, mode 0600) and writes this process's id into it;
 * *fd is to be closed to let it go (the kernel does so when the process ends, however it ends). PL_E_BUSY
 * names the pid that holds it; PL_E_PERMISSION, PL_E_IO. */
enum pl_error pl_lock_take(const char *dir, int *fd, struct pl_text *reason);

/* Whether a process holds the lock now. Takes nothing from whoever wants it: the lock is asked for shared,
 * for a moment, and pl_lock_take waits that moment. False too if it cannot be looked at. */
bool pl_lock_is_held(const char *dir);

/* Formats DIR/NAME into out; PL_E_TOO_LARGE if it does not fit. */
enum pl_error pl_path_join(char *out, size_t room, const char *dir, const char *name, struct pl_text *reason);

/* The error that an errno means here. */
enum pl_error pl_errno_error(int number);

#endif
