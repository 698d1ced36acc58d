/*
 * Which file the lines come from while it is truncated, rotated, or was rotated while nobody read.
 *
 * After a rotated file comes the one that was written next: of those under the name, or the name with a
 * number or date behind it ("log.1", "log-20240131"), the one whose last change is the first after the
 * finished file's. So several rotations in one pause lose nothing, as long as the files are there and not
 * compressed.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "io/lines_inner.h"

/* The folder of a path, open, and the last part of the path. */
struct folder {
    DIR *dir;
    char *copy;
    const char *name;
};

static bool open_folder(struct folder *folder, const char *path)
{
    char *slash = strrchr(path, '/');
    folder->copy = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
    folder->name = slash ? slash + 1 : path;
    folder->dir = folder->copy ? opendir(folder->copy) : NULL;
    return folder->dir != NULL;
}

static void close_folder(struct folder *folder)
{
    if (folder->dir)
        closedir(folder->dir);
    free(folder->copy);
}

static bool is_same_file(const struct stat *status, uint64_t device, uint64_t inode)
{
    return S_ISREG(status->st_mode) && status->st_dev == device && status->st_ino == inode;
}

/* The name with "." or "-" behind it, and then digits and more of these. */
static bool is_rotated_name(const char *candidate, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(candidate, name, n) != 0)
        return false;
    const char *rest = candidate + n;
    return (*rest == '.' || *rest == '-') && isdigit((unsigned char)rest[1]) &&
           rest[strspn(rest, "0123456789.-_T")] == 0;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* Opens a file of the folder if it is a regular one. */
static int open_in(const struct folder *folder, const char *name, struct stat *status)
{
    int fd = openat(dirfd(folder->dir), name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && (fstat(fd, status) < 0 || !S_ISREG(status->st_mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* The file of that device and inode under any name in the folder, open; -1 if it is not there. */
static int find_file(const struct folder *folder, const struct pl_file_place *place, struct stat *status)
{
    struct dirent *entry;
    rewinddir(folder->dir);
    while ((entry = readdir(folder->dir))) {
        if (fstatat(dirfd(folder->dir), entry->d_name, status, 0) < 0 ||
            !is_same_file(status, place->device, place->inode))
            continue;
        int fd = open_in(folder, entry->d_name, status);
        if (fd >= 0 && is_same_file(status, place->device, place->inode) && pl_place_matches(place, fd))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/*
 * Copies the name of the oldest file of the family that was last written after the finished one and not after
 * the one under the name; false if that one is itself the next.
 */
static bool find_next(const struct folder *folder, const struct stat *finished, char name[NAME_MAX + 1])
{
    struct stat named, status, best = {0};
    struct dirent *entry;
    bool any = false;
    bool has_named = fstatat(dirfd(folder->dir), folder->name, &named, 0) == 0;
    rewinddir(folder->dir);
    while ((entry = readdir(folder->dir))) {
        if (!is_rotated_name(entry->d_name, folder->name) ||
            fstatat(dirfd(folder->dir), entry->d_name, &status, 0) < 0 || !S_ISREG(status.st_mode))
            continue;
        bool in_order = is_before(&finished->st_mtim, &status.st_mtim) &&
                        !(has_named && is_before(&named.st_mtim, &status.st_mtim));
        if (!in_order || (any && !is_before(&status.st_mtim, &best.st_mtim)))
            continue;
        best = status;
        any = true;
        snprintf(name, NAME_MAX + 1, "%s", entry->d_name);
    }
    return any;
}

/* ---- At the end of a file ---- */

static uint64_t read_to(const struct pl_lines *lines)
{
    return lines->offset + (lines->end - lines->begin);
}

static void start_again(struct pl_lines *lines)
{
    lseek(lines->fd, 0, SEEK_SET);
    lines->begin = lines->end = lines->looked = 0;
    lines->offset = lines->first_offset = 0;
    lines->records = 0;
    lines->quiet = 0;
}

bool pl_lines_still_same(struct pl_lines *lines)
{
    if (pl_place_fingerprint(lines->fd, read_to(lines)) == lines->end_mark)
        return true;
    start_again(lines);
    return false;
}

enum pl_lines_end pl_lines_look(struct pl_lines *lines)
{
    struct stat now, named;
    if (fstat(lines->fd, &now) == 0 && (uint64_t)now.st_size < read_to(lines)) {
        start_again(lines);
        return PL_LINES_AGAIN_FROM_START;
    }
    if (lines->quiet == 0)
        lines->end_mark = pl_place_fingerprint(lines->fd, read_to(lines));
    if (lines->quiet < PL_LINES_ROTATE_POLLS)
        lines->quiet++;
    if (stat(lines->path, &named) == 0)
        lines->moved = !is_same_file(&named, lines->device, lines->inode);
    return lines->moved && lines->quiet >= PL_LINES_ROTATE_POLLS ? PL_LINES_FINAL : PL_LINES_NOTHING;
}

/* Opens what comes after the finished file; -1 if nothing does yet. */
static int open_next(const struct pl_lines *lines, struct stat *status, bool *moved)
{
    struct folder folder;
    struct stat finished;
    char name[NAME_MAX + 1];
    int fd = -1;
    *moved = false;
    if (open_folder(&folder, lines->path) && fstat(lines->fd, &finished) == 0) {
        *moved = find_next(&folder, &finished, name);
        fd = open_in(&folder, *moved ? name : folder.name, status);
    }
    close_folder(&folder);
    return fd;
}

bool pl_lines_next_file(struct pl_lines *lines)
{
    struct stat status;
    bool moved;
    int fd = open_next(lines, &status, &moved);
    if (fd < 0)
        return false;
    if (is_same_file(&status, lines->device, lines->inode)) {
        close(fd);
        return false;
    }
    pl_lines_take_file(lines, fd, &status, 0);
    lines->moved = moved;
    return true;
}

/* ---- After a pause ---- */

static enum pl_error resume_moved(struct pl_lines *lines, const struct pl_file_place *place,
                                  enum pl_lines_start *start)
{
    struct folder folder;
    struct stat status;
    int fd = -1;
    if (open_folder(&folder, lines->path))
        fd = find_file(&folder, place, &status);
    close_folder(&folder);
    if (fd < 0) {
        *start = PL_LINES_REPLACED;
        return lines->fd < 0 ? PL_E_NOT_FOUND : PL_OK;
    }
    pl_lines_take_file(lines, fd, &status, place->offset);
    lines->moved = true;
    *start = PL_LINES_ROTATED;
    return PL_OK;
}

enum pl_error pl_lines_resume(struct pl_lines *lines, const struct pl_file_place *place,
                              enum pl_lines_start *start)
{
    if (lines->fd < 0 || lines->device != place->device || lines->inode != place->inode)
        return resume_moved(lines, place, start);
    if (!pl_place_matches(place, lines->fd)) {
        *start = PL_LINES_TRUNCATED;
        return PL_OK;
    }
    lines->offset = lines->first_offset = place->offset;
    lseek(lines->fd, (off_t)place->offset, SEEK_SET);
    *start = PL_LINES_RESUMED;
    return PL_OK;
}
