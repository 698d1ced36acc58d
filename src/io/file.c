/* Opening and reading files with reasons. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum pl_error pl_file_error(const char *path, int error, struct pl_text *why)
{
    pl_text_set(why, "%s: %s", path, strerror(error));
    switch (error) {
    case ENOENT:
    case ENOTDIR: return PL_E_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS: return PL_E_PERMISSION;
    case EEXIST: return PL_E_EXISTS;
    case ENOSPC:
    case EDQUOT: return PL_E_STORE_FULL;
    case ENOMEM: return PL_E_NO_MEMORY;
    case EFBIG: return PL_E_TOO_LARGE;
    default: return PL_E_IO;
    }
}

enum pl_error pl_file_open(const char *path, int *fd, struct stat *status, struct pl_text *why)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0)
        return pl_file_error(path, errno, why);
    if (fstat(*fd, status) == 0)
        return PL_OK;
    enum pl_error error = pl_file_error(path, errno, why);
    close(*fd);
    *fd = -1;
    return error;
}

enum pl_error pl_file_open_regular(const char *path, int *fd, struct stat *status, struct pl_text *why)
{
    enum pl_error error = pl_file_open(path, fd, status, why);
    if (error || S_ISREG(status->st_mode))
        return error;
    pl_text_set(why, "%s: not a regular file", path);
    close(*fd);
    *fd = -1;
    return PL_E_IO;
}

ssize_t pl_file_read(int fd, void *out, size_t n)
{
    ssize_t got;
    do
        got = read(fd, out, n);
    while (got < 0 && errno == EINTR);
    return got;
}

enum pl_error pl_file_sync_folder(const char *path, struct pl_text *why)
{
    enum pl_error result = PL_OK;
    char *copy = strdup(path);
    if (!copy)
        return pl_file_error(path, ENOMEM, why);
    const char *folder = dirname(copy);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* EINVAL: this file system has no such thing as syncing a folder. */
    if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
        result = pl_file_error(folder, errno, why);
    if (fd >= 0)
        close(fd);
    free(copy);
    return result;
}
