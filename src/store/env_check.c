/* Looks at LMDB's file before it is mapped: a page that is not there would kill the process with SIGBUS, a
 * page size of 0 with SIGFPE, and an empty file would pass for a new store.
 *
 * DIR/data.mdb may be opened if and only if
 *  1. it is a regular file;
 *  2. it holds two meta pages with LMDB's magic and data version, and one page size, a power of two of
 * 256..65536;
 *  3. it is as long as the newer meta page's last page says, or all pages in use lie within it: LMDB does
 *     not write a page that a transaction took at the end and gave back.
 * If it is missing or empty, DIR/format decides: that file is made after the first transaction is durable and
 * never removed, so without it nothing was ever kept here, and with it something is lost. Without it, a few
 * pages that no transaction ended are what a power cut left of LMDB's first steps: nothing was kept either.
 */
#include "store/env_check.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/env_pages.h"
#include "store/lock.h"

enum { PATH_ROOM = 4096, FORMAT_ROOM = 64, FIRST_PAGES = 64 /* more than the first transaction writes */ };

/* LMDB 0.9's meta page as it lies in the file, in the machine's own integers (mdb.c, MDB_page and MDB_meta).
 */
struct meta_page {
    size_t pgno;
    uint16_t pad, flags, lower, upper;
    uint32_t magic, version;
    void *address;
    size_t map_size;
    struct {
        uint32_t pad; /* of the first: the page size */
        uint16_t flags, depth;
        size_t branch_pages, leaf_pages, overflow_pages, entries, root;
    } tables[2];
    size_t last_page;
    size_t transaction;
};

#define META_MAGIC   0xBEEFC0DEu
#define META_VERSION 1u
#define META_FLAG    0x08u

static bool meta_sound(const struct meta_page *meta)
{
    uint32_t size = meta->tables[0].pad;

    return meta->magic == META_MAGIC && meta->version == META_VERSION && (meta->flags & META_FLAG) != 0 &&
           size >= 256 && size <= 65536 && (size & (size - 1)) == 0;
}

static enum pl_error unreadable(const char *path, int number, struct pl_text *reason)
{
    pl_text_set(reason, "%s: cannot read: %s", path, strerror(number));
    return pl_errno_error(number);
}

/* Reads both meta pages. 0, or an errno; *sound: they are two of one store. */
static int metas_read(int fd, struct meta_page metas[2], bool *sound)
{
    ssize_t n = pread(fd, &metas[0], sizeof metas[0], 0);

    *sound = n == sizeof metas[0] && meta_sound(&metas[0]);
    if (n < 0 || !*sound) {
        return n < 0 ? errno : 0;
    }
    n = pread(fd, &metas[1], sizeof metas[1], metas[0].tables[0].pad);
    *sound = n == sizeof metas[1] && meta_sound(&metas[1]) &&
             metas[1].tables[0].pad == metas[0].tables[0].pad;
    return n < 0 ? errno : 0;
}

/* Whether the file is what LMDB wrote before its first transaction ended: a few pages, and no meta page that
 * names a transaction. LMDB's page is the machine's. */
static bool is_unbegun(int fd, off_t bytes)
{
    long page_bytes = sysconf(_SC_PAGESIZE);
    struct meta_page meta;

    for (off_t page = 0; page < 2; page++) {
        ssize_t n = pread(fd, &meta, sizeof meta, page * page_bytes);
        if (n < 0 || (n == sizeof meta && meta_sound(&meta) && meta.transaction > 0)) {
            return false;
        }
    }
    return bytes <= (off_t)page_bytes * FIRST_PAGES;
}

static enum pl_error damaged(const char *path, const char *what, struct pl_text *reason)
{
    pl_text_set(reason, "%s: %s; put a backup in its place, or move the directory away to begin anew", path,
                what);
    return PL_E_STORE_DAMAGED;
}

static enum pl_error check_pages(int fd, const char *path, bool marked, struct pl_text *reason)
{
    struct meta_page metas[2];
    const struct meta_page *newer;
    struct stat st;
    uint64_t pages;
    char what[120];
    bool sound = false, present;
    int number = fstat(fd, &st) != 0 ? errno : 0;

    /* Beside a running writer a meta page may be read in the middle of its change: look again. */
    for (int tries = 0; tries < 4 && number == 0 && !sound; tries++) {
        number = metas_read(fd, metas, &sound);
    }
    if (number != 0) {
        return unreadable(path, number, reason);
    }
    if (!sound) {
        return !marked && is_unbegun(fd, st.st_size)
                   ? PL_E_NOT_FOUND
                   : damaged(path, "its first pages are not a store's", reason);
    }
    newer = metas[1].transaction > metas[0].transaction ? &metas[1] : &metas[0];
    pages = (uint64_t)st.st_size / metas[0].tables[0].pad;
    const size_t roots[] = {newer->tables[0].root, newer->tables[1].root};
    if (newer->last_page < pages) {
        return PL_OK;
    }
    number = pl_env_pages_present(fd, metas[0].tables[0].pad, pages, roots, 2, &present);
    if (number != 0) {
        return unreadable(path, number, reason);
    }
    if (!present) {
        snprintf(what, sizeof what, "cut short: %" PRIu64 " pages of %" PRIu64, pages,
                 (uint64_t)newer->last_page + 1);
        return damaged(path, what, reason);
    }
    return PL_OK;
}

enum pl_error pl_env_settle(int fd, const char *dir, struct pl_text *reason)
{
    struct meta_page metas[2];
    bool sound;
    int number = metas_read(fd, metas, &sound);

    if (number == 0 && !sound) {
        return damaged(dir, "the first pages of data.mdb are not a store's", reason);
    }
    /* Written again, since a page that a failed flush left clean would not be flushed by another one. */
    for (size_t i = 0; i < 2 && number == 0; i++) {
        ssize_t n = pwrite(fd, &metas[i], sizeof metas[i], (off_t)(i * metas[0].tables[0].pad));
        number = n == sizeof metas[i] ? 0 : n < 0 ? errno : EIO;
    }
    if (number == 0 && fdatasync(fd) != 0) {
        number = errno;
    }
    if (number != 0) {
        pl_text_set(reason, "%s: data.mdb: cannot write: %s", dir, strerror(number));
    }
    return pl_errno_error(number);
}

/* Reads DIR/format into out; empty if there is none. */
static enum pl_error format_read(const char *path, char out[FORMAT_ROOM], bool *exists,
                                 struct pl_text *reason)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n;

    out[0] = 0;
    *exists = fd >= 0;
    if (fd < 0) {
        int number = errno;
        if (number == ENOENT) {
            return PL_OK;
        }
        pl_text_set(reason, "%s: cannot open: %s", path, strerror(number));
        return pl_errno_error(number);
    }
    n = read(fd, out, FORMAT_ROOM - 1);
    out[n > 0 ? n : 0] = 0;
    out[strcspn(out, "\n")] = 0;
    close(fd);
    return PL_OK;
}

static enum pl_error check_format(const char *path, const char *text, const char *format,
                                  struct pl_text *reason)
{
    /* A format file of zeros or cut short tells only that something was here; meta's own row is compared
     * later. */
    if (strncmp(text, "purelink ", 9) != 0 || strncmp(text, format, strlen(text)) == 0) {
        return PL_OK;
    }
    pl_text_set(reason, "%s: is '%.40s', not '%s'", path, text, format);
    return PL_E_VERSION;
}

enum pl_error pl_env_check(const char *dir, const char *format, struct pl_text *reason)
{
    char path[PATH_ROOM], format_path[PATH_ROOM], text[FORMAT_ROOM];
    struct stat st = {0};
    bool marked;
    enum pl_error error = pl_path_join(path, sizeof path, dir, "data.mdb", reason);
    int fd, number;

    error = error != PL_OK ? error : pl_path_join(format_path, sizeof format_path, dir, "format", reason);
    error = error != PL_OK ? error : format_read(format_path, text, &marked, reason);
    error = error != PL_OK ? error : check_format(format_path, text, format, reason);
    if (error != PL_OK) {
        return error;
    }
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    number = fd < 0 ? errno : 0;
    if (number != 0 && number != ENOENT) {
        pl_text_set(reason, "%s: cannot open: %s", path, strerror(number));
        return pl_errno_error(number);
    }
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)) {
        error = marked ? damaged(path, fd < 0 ? "is missing" : "is empty", reason) : PL_E_NOT_FOUND;
    } else {
        error = S_ISREG(st.st_mode) ? check_pages(fd, path, marked, reason)
                                    : damaged(path, "is not a file", reason);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (error == PL_E_NOT_FOUND) {
        pl_text_set(reason, "%s: nothing is kept here", dir);
    }
    return error;
}

static bool write_durably(int fd, const char *text)
{
    size_t n = strlen(text);

    return ftruncate(fd, 0) == 0 && pwrite(fd, text, n, 0) == (ssize_t)n &&
           pwrite(fd, "\n", 1, (off_t)n) == 1 && fsync(fd) == 0;
}

/* Makes the names in a directory durable. One that may not be opened, or a file system that can not do it,
 * has no better way; a disk that fails is told. 0, or an errno. */
static int sync_dir(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int number = fd >= 0 && fsync(fd) != 0 ? errno : 0;

    if (fd >= 0) {
        close(fd);
    }
    return number == EINVAL || number == ENOTSUP || number == EROFS ? 0 : number;
}

/* The name of the directory itself, which may be new. */
static int sync_parent(const char *dir)
{
    char *copy = strdup(dir);
    int number = copy != NULL ? sync_dir(dirname(copy)) : ENOMEM;

    free(copy);
    return number;
}

static int write_mark(const char *path, const char *format)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    int number = 0;

    if (fd < 0) {
        return errno;
    }
    errno = 0; /* a write that is cut short sets none */
    if (!write_durably(fd, format)) {
        number = errno != 0 ? errno : EIO;
    }
    close(fd);
    return number;
}

enum pl_error pl_env_mark(const char *dir, const char *format, struct pl_text *reason)
{
    char path[PATH_ROOM], text[FORMAT_ROOM];
    bool marked;
    enum pl_error error = pl_path_join(path, sizeof path, dir, "format", reason);
    int number;

    error = error != PL_OK ? error : format_read(path, text, &marked, reason);
    if (error != PL_OK || strcmp(text, format) == 0) {
        return error;
    }
    /* The mark comes last: who finds it, even after a kill, knows that the names before it are durable. */
    number = sync_dir(dir);
    number = number != 0 ? number : sync_parent(dir);
    number = number != 0 ? number : write_mark(path, format);
    number = number != 0 ? number : sync_dir(dir);
    if (number != 0) {
        pl_text_set(reason, "%s: cannot write: %s", path, strerror(number));
    }
    return pl_errno_error(number);
}

enum pl_error pl_env_clear(const char *dir, struct pl_text *reason)
{
    char path[PATH_ROOM];
    enum pl_error error = pl_path_join(path, sizeof path, dir, "data.mdb", reason);

    if (error == PL_OK && truncate(path, 0) != 0 && errno != ENOENT) {
        int number = errno;
        pl_text_set(reason, "%s: cannot begin anew: %s", path, strerror(number));
        error = pl_errno_error(number);
    }
    return error;
}
