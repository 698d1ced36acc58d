/* The page cache of a simulated host: what was written and what of it a disk holds.
 *
 * The host's own files are the cache: each reads at once what was written. Beside each stands what is on the
 * disk, in memory. A flush makes the two equal; between flushes the kernel may write back what it likes. A
 * power cut leaves what is on the disk, and of pages not flushed all, nothing, or some sectors. A name is in
 * its directory for certain only after that was flushed. A flush that fails leaves pages clean that are not
 * on the disk: they read as written until the kernel forgets them. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/product.h"

enum { PAGE = 4096, SECTOR = 512, NAMES_MAX = 16, NAME_ROOM = 32 };

struct cached {
    struct cached *next;
    unsigned host;
    ino_t inode;
    uint8_t *cache, *disk; /* pages of either, as many as `pages` */
    bool *dirty;
    size_t pages;
    size_t cache_bytes, disk_bytes; /* sizes of the file */
    bool lied;                      /* a flush failed: clean pages may not be on the disk */
};

/* What is durable of a host's directory. */
struct durable {
    bool in_parent;
    size_t n;
    char names[NAMES_MAX][NAME_ROOM];
};

static struct cached *files;
static struct durable durable[PRODUCT_HOSTS];
static struct sim_rng rng;

void cache_begin(void)
{
    while (files != NULL) {
        struct cached *file = files;
        files = file->next;
        free(file->cache);
        free(file->disk);
        free(file->dirty);
        free(file);
    }
    memset(durable, 0, sizeof durable);
    sim_rng_init(&rng, sim.seed, "cache");
}

/* ---- files */

static struct cached *find(ino_t inode)
{
    struct cached *file = files;

    while (file != NULL && file->inode != inode) {
        file = file->next;
    }
    return file;
}

static struct cached *file_of(const struct host *host, int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return NULL;
    }
    struct cached *file = find(st.st_ino);
    if (file == NULL) {
        file = sim_alloc(sizeof *file);
        memset(file, 0, sizeof *file);
        file->host = host->index;
        file->inode = st.st_ino;
        file->next = files;
        files = file;
    }
    file->cache_bytes = (size_t)st.st_size;
    return file;
}

static void have_pages(struct cached *file, size_t pages)
{
    size_t more = 2 * file->pages > pages ? 2 * file->pages : pages;

    if (pages <= file->pages) {
        return;
    }
    file->cache = sim_grow(file->cache, more * PAGE);
    file->disk = sim_grow(file->disk, more * PAGE);
    file->dirty = sim_grow(file->dirty, more * sizeof file->dirty[0]);
    memset(file->cache + file->pages * PAGE, 0, (more - file->pages) * PAGE);
    memset(file->disk + file->pages * PAGE, 0, (more - file->pages) * PAGE);
    memset(file->dirty + file->pages, 0, (more - file->pages) * sizeof file->dirty[0]);
    file->pages = more;
}

static size_t pages_of(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE;
}

static void write_back(struct cached *file, size_t page)
{
    memcpy(file->disk + page * PAGE, file->cache + page * PAGE, PAGE);
    file->dirty[page] = false;
}

/* A page that was under way: all of it came to the disk, nothing, or some sectors. */
static void tear(struct cached *file, size_t page)
{
    uint64_t sectors = sim_rng_u64(&rng);

    switch (sim_rng_below(&rng, 3)) {
    case 0: break;
    case 1: write_back(file, page); break;
    default:
        for (size_t i = 0; i < PAGE / SECTOR; i++) {
            size_t at = page * PAGE + i * SECTOR;
            if ((sectors >> i & 1) != 0) {
                memcpy(file->disk + at, file->cache + at, SECTOR);
            }
        }
    }
    file->dirty[page] = false;
}

void cache_write(const struct host *host, int fd, const void *bytes, size_t n, size_t at)
{
    struct cached *file = file_of(host, fd);

    if (file == NULL || n == 0) {
        return;
    }
    have_pages(file, pages_of(at + n));
    for (size_t page = at / PAGE; page < pages_of(at + n); page++) {
        /* What is overwritten may have been written back before. */
        if (file->dirty[page] && sim_rng_chance(&rng, 100)) {
            write_back(file, page);
        }
        file->dirty[page] = true;
    }
    memcpy(file->cache + at, bytes, n);
}

void cache_truncate(const struct host *host, int fd, size_t n)
{
    struct stat st;
    struct cached *file = fstat(fd, &st) == 0 ? find(st.st_ino) : NULL;

    (void)host;
    if (file == NULL) {
        return;
    }
    for (size_t page = n / PAGE; page < file->pages; page++) {
        size_t from = page * PAGE < n ? n - page * PAGE : 0;
        memset(file->cache + page * PAGE + from, 0, PAGE - from);
        file->dirty[page] = true;
    }
}

static void flush(struct cached *file, size_t from, size_t to, bool fails)
{
    for (size_t page = from; page < to && page < file->pages; page++) {
        if (file->dirty[page] && fails) {
            tear(file, page);
        } else if (file->dirty[page]) {
            write_back(file, page);
        }
    }
    if (fails) {
        file->lied = true;
    } else {
        file->disk_bytes = file->cache_bytes;
    }
}

void cache_flush_range(const struct host *host, int fd, size_t n, size_t at, bool fails)
{
    struct cached *file = file_of(host, fd);

    if (file != NULL) {
        flush(file, at / PAGE, pages_of(at + n), fails);
    }
}

/* ---- directories */

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Names in a directory in order, or -1. */
static int list(const char *dir, struct dirent ***names)
{
    return scandir(dir, names, visible, alphasort);
}

static void free_list(struct dirent **names, int n)
{
    for (int i = 0; i < n; i++) {
        free(names[i]);
    }
    free(n >= 0 ? names : NULL);
}

static bool is_durable(const struct durable *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++) {
        if (strcmp(d->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* All names that are there now are durable. */
static void names_flushed(const struct host *host)
{
    struct durable *d = &durable[host->index];
    struct dirent **names;
    int n = list(host->dir, &names);

    for (int i = 0; i < n && d->n < NAMES_MAX; i++) {
        if (!is_durable(d, names[i]->d_name)) {
            snprintf(d->names[d->n++], NAME_ROOM, "%.*s", NAME_ROOM - 1, names[i]->d_name);
        }
    }
    free_list(names, n);
}

static bool is_dir(const char *path, const struct stat *st)
{
    struct stat other;

    return stat(path, &other) == 0 && other.st_ino == st->st_ino;
}

void cache_flush(const struct host *host, int fd, bool fails)
{
    struct stat st;
    struct cached *file = file_of(host, fd);

    if (file != NULL) {
        flush(file, 0, file->pages, fails);
    } else if (!fails && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        durable[host->index].in_parent = durable[host->index].in_parent || is_dir(product.root, &st);
        if (is_dir(host->dir, &st)) {
            names_flushed(host);
        }
    }
}

/* ---- what is left */

static void write_file(const char *path, const uint8_t *bytes, size_t n, ino_t *inode)
{
    struct stat st;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || fstat(fd, &st) != 0) {
        sim_fail("%s cannot be written", path);
    }
    *inode = st.st_ino;
    close(fd);
}

/* The file as a power cut leaves it; what is on the disk is in the cache then. */
static void cut_file(struct cached *file, const char *to)
{
    uint64_t kept = sim_rng_below(&rng, 4); /* 0: nothing of what was not flushed, 1: all of it */
    size_t bytes = file->disk_bytes;

    have_pages(file, pages_of(file->cache_bytes > bytes ? file->cache_bytes : bytes));
    for (size_t page = 0; page < file->pages; page++) {
        if (file->dirty[page] && kept == 1) {
            write_back(file, page);
        } else if (file->dirty[page] && kept > 1) {
            tear(file, page);
        }
        file->dirty[page] = false;
    }
    if (kept == 1 || (kept > 1 && sim_rng_chance(&rng, 500))) {
        bytes = file->cache_bytes;
    }
    memset(file->disk + bytes, 0, file->pages * PAGE - bytes);
    memcpy(file->cache, file->disk, file->pages * PAGE);
    file->disk_bytes = bytes;
    file->lied = false;
    write_file(to, file->disk, bytes, &file->inode);
}

/* A file that is written through a map alone, or by nobody: any size up to its own. */
static void cut_untracked(off_t size, const char *to)
{
    size_t n = sim_rng_chance(&rng, 500) ? (size_t)size : 0;
    uint8_t *zeros = sim_alloc(n + 1);
    ino_t inode;

    memset(zeros, 0, n + 1);
    write_file(to, zeros, n, &inode);
    free(zeros);
}

static void forget(ino_t inode)
{
    struct cached *file = find(inode);

    if (file != NULL) {
        file->inode = 0;
    }
}

static void cut_name(const struct host *host, const char *name, const char *to)
{
    char source[2 * PRODUCT_PATH], target[2 * PRODUCT_PATH];
    struct stat st;

    snprintf(source, sizeof source, "%s/%s", host->dir, name);
    snprintf(target, sizeof target, "%s/%s", to, name);
    if (stat(source, &st) != 0) {
        return;
    }
    if (!is_durable(&durable[host->index], name) && sim_rng_chance(&rng, 500)) {
        sim_note("* %s of host %u is gone", name, host->index);
        forget(st.st_ino);
        return;
    }
    struct cached *file = find(st.st_ino);
    if (file != NULL) {
        file->cache_bytes = (size_t)st.st_size;
        cut_file(file, target);
    } else {
        cut_untracked(st.st_size, target);
    }
}

void cache_cut(const struct host *host, const char *to)
{
    struct durable *d = &durable[host->index];
    struct dirent **names;
    int n = list(host->dir, &names);
    bool gone = !d->in_parent && sim_rng_chance(&rng, 500);

    for (int i = 0; i < n && !gone; i++) {
        if (i == 0) {
            mkdir(to, 0700);
        }
        cut_name(host, names[i]->d_name, to);
    }
    free_list(names, n);
    d->n = 0;
    if (gone) {
        sim_note("* the directory of host %u is gone", host->index);
        return;
    }
    d->in_parent = n > 0;
    struct host after = *host;
    snprintf(after.dir, sizeof after.dir, "%.*s", (int)sizeof after.dir - 1, to);
    names_flushed(&after);
}

void cache_moved(const char *from, const char *to)
{
    char source[2 * PRODUCT_PATH], target[2 * PRODUCT_PATH];
    struct dirent **names;
    struct stat before, after;
    int n = list(from, &names);

    for (int i = 0; i < n; i++) {
        snprintf(source, sizeof source, "%s/%s", from, names[i]->d_name);
        snprintf(target, sizeof target, "%s/%s", to, names[i]->d_name);
        struct cached *file = stat(source, &before) == 0 ? find(before.st_ino) : NULL;
        if (file != NULL && stat(target, &after) == 0) {
            file->inode = after.st_ino;
        }
    }
    free_list(names, n);
}

bool cache_sees(const struct host *host)
{
    char path[2 * PRODUCT_PATH];
    struct stat st;

    snprintf(path, sizeof path, "%s/data.mdb", host->dir);
    return stat(path, &st) == 0 && find(st.st_ino) != NULL;
}

/* The kernel forgets some of the clean pages, and reads again what is on the disk. */
static void forget_pages(struct cached *file, const char *path)
{
    int fd = open(path, O_WRONLY);

    for (size_t page = 0; fd >= 0 && page < file->pages; page++) {
        uint8_t *cache = file->cache + page * PAGE, *disk = file->disk + page * PAGE;
        size_t at = page * PAGE;
        size_t n = at < file->cache_bytes ? file->cache_bytes - at : 0;
        if (!file->dirty[page] && memcmp(cache, disk, PAGE) != 0 && sim_rng_chance(&rng, 500)) {
            memcpy(cache, disk, PAGE);
            if (pwrite(fd, disk, n < PAGE ? n : PAGE, (off_t)at) < 0) {
                sim_fail("%s cannot be written", path);
            }
        }
    }
    close(fd);
}

void cache_forget(const struct host *host)
{
    char path[2 * PRODUCT_PATH];
    struct dirent **names;
    struct stat st;
    int n = list(host->dir, &names);

    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", host->dir, names[i]->d_name);
        struct cached *file = stat(path, &st) == 0 ? find(st.st_ino) : NULL;
        if (file != NULL && file->lied) {
            file->cache_bytes = (size_t)st.st_size;
            forget_pages(file, path);
        }
    }
    free_list(names, n);
}
