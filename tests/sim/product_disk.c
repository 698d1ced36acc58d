/* The disk under a simulated host: system calls of LMDB and the store pass through here, so that a host can
 * be killed and its disk can fail at any of them; directories are copied; locks of the dead are released. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sim/product.h"

enum { HELD_MAX = 64, COPY_BYTES = 1 << 16 };

static pthread_mutex_t *held[HELD_MAX];
static size_t held_n;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name)
{
    void *p = dlsym(RTLD_NEXT, name);

    if (p == NULL) {
        _exit(2);
    }
    return p;
}

/* Interposed: references to them from liblmdb and from the store end here; hidden ones would be found by the
 * store alone. */
#pragma GCC visibility push(default)
int open(const char *path, int flags, ...);
ssize_t pread(int fd, void *bytes, size_t n, off_t at);
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at);
ssize_t writev(int fd, const struct iovec *parts, int n);
ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at);
int fdatasync(int fd);
int fsync(int fd);
int ftruncate(int fd, off_t n);
int fallocate(int fd, int mode, off_t at, off_t n);
int posix_fallocate(int fd, off_t at, off_t n);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
#pragma GCC visibility pop

/* ---- faults of the disk */

/* What calls a fault strikes, and with which errno. */
static const struct {
    unsigned calls;
    int number;
} faults[] = {
    [DISK_READS_FAIL] = {DISK_READ, EIO},
    [DISK_WRITES_FAIL] = {DISK_WRITE | DISK_CREATE, EIO},
    [DISK_FLUSHES_FAIL] = {DISK_FLUSH, EIO},
    [DISK_FULL] = {DISK_WRITE | DISK_CREATE | DISK_FLUSH, ENOSPC},
    [DISK_WRITES_SHORT] = {DISK_WRITE, 0},
};

/* Whether the running host's disk fails at this call. */
static bool strikes(enum disk_call call)
{
    struct host *host = host_running();

    if (host == NULL || product.calm || sim.now_us >= host->disk_until_us ||
        (faults[host->disk_fault].calls & call) == 0 || !sim_rng_chance(&product.disk, host->disk_permille)) {
        return false;
    }
    host->troubled = true;
    errno = faults[host->disk_fault].number;
    sim_note("host %u: the disk fails (%d) at a call of kind %d", host->index, host->disk_fault, call);
    return true;
}

int open(const char *path, int flags, ...)
{
    static __typeof__(&open) next;
    mode_t mode = 0;

    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    next = next != NULL ? next : REAL(open);
    if ((flags & O_CREAT) != 0 && access(path, F_OK) != 0 && strikes(DISK_CREATE)) {
        return -1;
    }
    return next(path, flags, mode);
}

ssize_t pread(int fd, void *bytes, size_t n, off_t at)
{
    static __typeof__(&pread) next;

    next = next != NULL ? next : REAL(pread);
    return strikes(DISK_READ) ? -1 : next(fd, bytes, n, at);
}

/* Writes to a descriptor opened with O_DSYNC are flushed before they return. */
static bool flush_written(int fd, size_t n, size_t at)
{
    if ((fcntl(fd, F_GETFL) & O_DSYNC) == 0) {
        return true;
    }
    host_call();
    bool fails = strikes(DISK_FLUSH);
    int number = errno;
    cache_flush_range(host_running(), fd, n, at, fails);
    errno = number;
    return !fails;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    static __typeof__(&pwrite) next;

    next = next != NULL ? next : REAL(pwrite);
    host_call();
    if (host_running() == NULL) {
        return next(fd, bytes, n, at);
    }
    if (strikes(DISK_WRITE)) {
        if (errno != 0) {
            return -1;
        }
        n /= 2;
    }
    ssize_t done = next(fd, bytes, n, at);
    if (done > 0) {
        cache_write(host_running(), fd, bytes, (size_t)done, (size_t)at);
    }
    return done <= 0 || flush_written(fd, (size_t)done, (size_t)at) ? done : -1;
}

/* Part by part: a disk that fails may do so after some of them. */
ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at)
{
    ssize_t done = 0;

    for (int i = 0; i < n; i++) {
        ssize_t more = pwrite(fd, parts[i].iov_base, parts[i].iov_len, at + done);
        if (more < 0) {
            return done > 0 ? done : -1;
        }
        done += more;
        if ((size_t)more < parts[i].iov_len) {
            break;
        }
    }
    return done;
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
    static __typeof__(&writev) next;

    next = next != NULL ? next : REAL(writev);
    off_t at = host_running() != NULL ? lseek(fd, 0, SEEK_CUR) : -1;
    if (at < 0) {
        return next(fd, parts, n);
    }
    ssize_t done = pwritev(fd, parts, n, at);
    lseek(fd, at + (done > 0 ? done : 0), SEEK_SET);
    return done;
}

/* No real disk is flushed: the simulated one keeps a copy. */
int fdatasync(int fd)
{
    host_call();
    struct host *host = host_running();
    if (host == NULL) {
        return 0;
    }
    bool fails = strikes(DISK_FLUSH);
    int number = errno;
    cache_flush(host, fd, fails);
    errno = number;
    return fails ? -1 : 0;
}

int fsync(int fd)
{
    return fdatasync(fd);
}

int ftruncate(int fd, off_t n)
{
    static __typeof__(&ftruncate) next;

    next = next != NULL ? next : REAL(ftruncate);
    host_call();
    int rc = next(fd, n);
    if (rc == 0 && host_running() != NULL) {
        cache_truncate(host_running(), fd, (size_t)n);
    }
    return rc;
}

int fallocate(int fd, int mode, off_t at, off_t n)
{
    static __typeof__(&fallocate) next;

    next = next != NULL ? next : REAL(fallocate);
    return strikes(DISK_WRITE) && errno != 0 ? -1 : next(fd, mode, at, n);
}

int posix_fallocate(int fd, off_t at, off_t n)
{
    static __typeof__(&posix_fallocate) next;

    next = next != NULL ? next : REAL(posix_fallocate);
    return strikes(DISK_WRITE) && errno != 0 ? errno : next(fd, at, n);
}

/* ---- locks */

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static __typeof__(&pthread_mutex_lock) next;

    next = next != NULL ? next : REAL(pthread_mutex_lock);
    int rc = next(mutex);
    if (rc == 0 && held_n < HELD_MAX) {
        held[held_n++] = mutex;
    }
    return rc;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    static __typeof__(&pthread_mutex_unlock) next;

    next = next != NULL ? next : REAL(pthread_mutex_unlock);
    for (size_t i = held_n; i-- > 0;) {
        if (held[i] == mutex) {
            memmove(&held[i], &held[i + 1], (--held_n - i) * sizeof held[0]);
            break;
        }
    }
    return next(mutex);
}

void disk_release_locks(void)
{
    while (held_n > 0) {
        pthread_mutex_unlock(held[held_n - 1]);
    }
}

void disk_begin(char *root, size_t room)
{
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

    snprintf(root, room, "%s/purelink-sim-XXXXXX", base);
    if (mkdtemp(root) == NULL) {
        perror(root);
        exit(1);
    }
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

void disk_end(const char *root)
{
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[COPY_BYTES];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t n = 0;

    while (in >= 0 && out >= 0 && (n = read(in, bytes, sizeof bytes)) > 0) {
        if (write(out, bytes, (size_t)n) != n) {
            n = -1;
            break;
        }
    }
    if (in < 0 || out < 0 || n < 0) {
        perror(from);
        exit(1);
    }
    close(in);
    close(out);
}

void disk_copy(const char *from, const char *to)
{
    char source[2 * PRODUCT_PATH], target[2 * PRODUCT_PATH];
    struct dirent *entry;
    DIR *dir = opendir(from);

    mkdir(to, 0700);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
        snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
        copy_file(source, target);
    }
    if (dir != NULL) {
        closedir(dir);
    }
}
