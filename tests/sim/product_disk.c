/* The disk under a simulated host: LMDB's system calls pass through here, so that a host can be killed at any
 * of them; directories are copied; locks of the dead are released. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
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

/* Interposed: liblmdb's references to them end here. */
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at);
ssize_t writev(int fd, const struct iovec *parts, int n);
ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at);
int fdatasync(int fd);
int fsync(int fd);
int ftruncate(int fd, off_t n);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    static __typeof__(&pwrite) next;

    next = next != NULL ? next : REAL(pwrite);
    host_call();
    return next(fd, bytes, n, at);
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
    static __typeof__(&writev) next;

    next = next != NULL ? next : REAL(writev);
    host_call();
    return next(fd, parts, n);
}

ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at)
{
    static __typeof__(&pwritev) next;

    next = next != NULL ? next : REAL(pwritev);
    host_call();
    return next(fd, parts, n, at);
}

/* A killed process leaves its writes to the kernel: nothing need reach a disk here. */
int fdatasync(int fd)
{
    (void)fd;
    host_call();
    return 0;
}

int fsync(int fd)
{
    (void)fd;
    host_call();
    return 0;
}

int ftruncate(int fd, off_t n)
{
    static __typeof__(&ftruncate) next;

    next = next != NULL ? next : REAL(ftruncate);
    host_call();
    return next(fd, n);
}

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
