/* The directory and its lock: flock on a file that is never removed, so that it can be neither stale nor
 * lost. */
#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, PID_ROOM = 16, SIGN_TRIES = 50, PROBE_TRIES = 50, PAUSE_MS = 2 };

enum pl_error pl_errno_error(int number)
{
    switch (number) {
    case 0: return PL_OK;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return PL_E_STORE_FULL;
    case ENOMEM: return PL_E_NO_MEMORY;
    case EACCES:
    case EPERM:
    case EROFS: return PL_E_PERMISSION;
    case ENOENT: return PL_E_NOT_FOUND;
    default: return PL_E_IO;
    }
}

enum pl_error pl_path_join(char *out, size_t room, const char *dir, const char *name, struct pl_text *reason)
{
    int n = snprintf(out, room, "%s/%s", dir, name);

    if (n < 0 || (size_t)n >= room) {
        pl_text_set(reason, "%.100s...: the path is too long", dir);
        return PL_E_TOO_LARGE;
    }
    return PL_OK;
}

enum pl_error pl_dir_make(const char *dir, struct pl_text *reason)
{
    struct stat st;

    if (mkdir(dir, 0700) == 0) {
        return PL_OK;
    }
    if (errno != EEXIST) {
        int number = errno;
        pl_text_set(reason, "%s: cannot make the directory: %s", dir, strerror(number));
        return pl_errno_error(number);
    }
    if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode)) {
        pl_text_set(reason, "%s: is not a directory", dir);
        return PL_E_USAGE;
    }
    return PL_OK;
}

/* Who holds the lock. One that took it just now may not have signed yet: it gets a moment. */
static void read_holder(int fd, char pid[PID_ROOM])
{
    for (int tries = 0; tries < SIGN_TRIES; tries++) {
        ssize_t n = pread(fd, pid, PID_ROOM - 1, 0);
        pid[n > 0 ? n : 0] = 0;
        if (strchr(pid, '\n')) {
            break;
        }
        poll(NULL, 0, PAUSE_MS);
    }
    pid[strspn(pid, "0123456789")] = 0;
}

static enum pl_error lock_busy(int fd, const char *path, struct pl_text *reason)
{
    char pid[PID_ROOM] = "";

    read_holder(fd, pid);
    pl_text_set(reason, "%s: in use by process %s; stop it first", path, pid[0] ? pid : "(unknown)");
    return PL_E_BUSY;
}

static void lock_sign(int fd)
{
    char pid[PID_ROOM];
    int n = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());

    /* Only for the message of the one who comes second: the lock itself is the flock. */
    if (ftruncate(fd, 0) != 0 || pwrite(fd, pid, (size_t)n, 0) != n) {
        return;
    }
}

/* Somebody who only looks at the lock (pl_lock_is_held) has it for a moment. */
static int lock_exclusive(int fd)
{
    int rc = flock(fd, LOCK_EX | LOCK_NB);

    for (int tries = 1; rc != 0 && errno == EWOULDBLOCK && tries < PROBE_TRIES; tries++) {
        poll(NULL, 0, PAUSE_MS);
        rc = flock(fd, LOCK_EX | LOCK_NB);
    }
    return rc;
}

bool pl_lock_is_held(const char *dir)
{
    char path[PATH_ROOM];
    bool held;
    int fd = pl_path_join(path, sizeof path, dir, "lock", NULL) == PL_OK
                 ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
                 : -1;

    if (fd < 0) {
        return false;
    }
    held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(fd);
    return held;
}

enum pl_error pl_lock_take(const char *dir, int *fd, struct pl_text *reason)
{
    char path[PATH_ROOM];
    enum pl_error error = pl_path_join(path, sizeof path, dir, "lock", reason);
    int number;

    if (error != PL_OK) {
        return error;
    }
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*fd < 0) {
        number = errno;
        pl_text_set(reason, "%s: cannot open: %s", path, strerror(number));
        return pl_errno_error(number);
    }
    if (lock_exclusive(*fd) == 0) {
        lock_sign(*fd);
        return PL_OK;
    }
    number = errno;
    error = number == EWOULDBLOCK ? lock_busy(*fd, path, reason) : PL_E_IO;
    if (error == PL_E_IO) {
        pl_text_set(reason, "%s: cannot lock: %s", path, strerror(number));
    }
    close(*fd);
    *fd = -1;
    return error;
}
