/* What all readers of files here share: opening without being trapped, and naming what failed. */
#ifndef PL_IO_FILE_H
#define PL_IO_FILE_H

#include <sys/stat.h>
#include <sys/types.h>

#include "io/text.h"
#include "link/link_types.h"

/*
 * Sets why to "PATH: what errno says" and returns the kind: PL_E_NOT_FOUND, PL_E_PERMISSION, PL_E_EXISTS,
 * PL_E_STORE_FULL (no space, quota), PL_E_NO_MEMORY, PL_E_TOO_LARGE (file size limit), else PL_E_IO.
 */
enum pl_error pl_file_error(const char *path, int error, struct pl_text *why);

/*
 * Opens path for reading: *fd is the caller's to close, *status is of what was opened. Never waits for the
 * other end of a FIFO and never becomes the owner of a terminal. PL_OK or as pl_file_error.
 */
enum pl_error pl_file_open(const char *path, int *fd, struct stat *status, struct pl_text *why);

/* As pl_file_open, and anything but a regular file is PL_E_IO with a reason. */
enum pl_error pl_file_open_regular(const char *path, int *fd, struct stat *status, struct pl_text *why);

/* As read(2), but goes on after signals. */
ssize_t pl_file_read(int fd, void *out, size_t n);

/* Makes the name of path itself durable: fsync of its folder. PL_OK or as pl_file_error. */
enum pl_error pl_file_sync_folder(const char *path, struct pl_text *why);

#endif
