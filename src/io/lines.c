/*
 * Records out of a file or pipe: the buffer, the two framings, the limits. Which file comes next:
 * lines_follow.c.
 */
#include "io/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/file.h"
#include "io/lines_inner.h"

enum { PORTION_BYTES = 65536, LENGTH_BYTES = 4 };

/* What a look for the next record found. */
enum found { FOUND, NEED_MORE, TOO_LONG };

/* ---- Errors ---- */

static enum pl_error fail(struct pl_lines *lines, enum pl_error error, const char *reason)
{
    const char *what = lines->options.framed ? "record" : "line";
    unsigned long long number = lines->records + 1;
    unsigned long long at = lines->offset;
    lines->failed = error;
    if (lines->first_offset == 0)
        pl_text_set(&lines->failure, "%.100s: %s %llu (at byte %llu): %s", lines->path, what, number, at,
                    reason);
    else
        pl_text_set(&lines->failure, "%.100s: %s %llu after byte %llu (at byte %llu): %s", lines->path, what,
                    number, (unsigned long long)lines->first_offset, at, reason);
    return error;
}

static enum pl_error fail_too_long(struct pl_lines *lines)
{
    struct pl_text reason;
    pl_text_set(&reason, "longer than %zu bytes", lines->options.record_max_bytes);
    return fail(lines, PL_E_TOO_LARGE, reason.s);
}

static enum pl_error told(const struct pl_lines *lines, struct pl_text *why)
{
    pl_text_set(why, "%s", lines->failure.s);
    return lines->failed;
}

/* ---- Records in the buffer ---- */

static void give(struct pl_lines *lines, struct pl_bytes *record, size_t head, size_t n, size_t tail)
{
    record->p = lines->buffer + lines->begin + head;
    record->n = n;
    lines->begin += head + n + tail;
    lines->offset += head + n + tail;
    lines->looked = 0;
    lines->records++;
}

static enum found find_line(struct pl_lines *lines, struct pl_bytes *record)
{
    const uint8_t *p = lines->buffer + lines->begin;
    size_t n = lines->end - lines->begin;
    const uint8_t *newline = n > lines->looked ? memchr(p + lines->looked, '\n', n - lines->looked) : NULL;
    size_t length = newline ? (size_t)(newline - p) : n;
    if (length > lines->options.record_max_bytes)
        return TOO_LONG;
    lines->looked = length;
    if (!newline)
        return NEED_MORE;
    give(lines, record, 0, length, 1);
    return FOUND;
}

static enum found find_framed(struct pl_lines *lines, struct pl_bytes *record)
{
    const uint8_t *p = lines->buffer + lines->begin;
    size_t n = lines->end - lines->begin;
    if (n < LENGTH_BYTES)
        return NEED_MORE;
    uint32_t length = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    if (length > lines->options.record_max_bytes)
        return TOO_LONG;
    if (n - LENGTH_BYTES < length)
        return NEED_MORE;
    give(lines, record, LENGTH_BYTES, length, 0);
    return FOUND;
}

/* ---- Bytes into the buffer ---- */

/*
 * Makes room behind end: by moving what is left to the front, then by a larger buffer, up to one record and a
 * portion.
 */
static bool make_room(struct pl_lines *lines)
{
    size_t left = lines->end - lines->begin;
    size_t most = lines->options.record_max_bytes + LENGTH_BYTES + PORTION_BYTES;
    if (lines->begin > 0) {
        memmove(lines->buffer, lines->buffer + lines->begin, left);
        lines->begin = 0;
        lines->end = left;
    }
    if (lines->room - left >= PORTION_BYTES / 2 || lines->room == most)
        return true;
    size_t wanted = lines->room ? 2 * lines->room : PORTION_BYTES;
    if (wanted > most)
        wanted = most;
    uint8_t *bigger = realloc(lines->buffer, wanted);
    if (!bigger)
        return false;
    lines->buffer = bigger;
    lines->room = wanted;
    return true;
}

static bool pipe_is_ready(int fd, int timeout_ms)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    return poll(&one, 1, timeout_ms) > 0;
}

/* Reads once. PL_OK with bytes, PL_E_CLOSED at the end, PL_E_AGAIN if a pipe has nothing, or the failure. */
static enum pl_error read_more(struct pl_lines *lines)
{
    if (!lines->regular && !pipe_is_ready(lines->fd, 0))
        return PL_E_AGAIN;
    if (!make_room(lines))
        return fail(lines, PL_E_NO_MEMORY, "out of memory");
    ssize_t n = pl_file_read(lines->fd, lines->buffer + lines->end, lines->room - lines->end);
    if (n < 0 && errno == EAGAIN)
        return PL_E_AGAIN;
    if (n < 0)
        return fail(lines, PL_E_IO, strerror(errno));
    if (n == 0)
        return PL_E_CLOSED;
    if (lines->quiet > 0 && !pl_lines_still_same(lines))
        return PL_OK;
    lines->quiet = 0;
    lines->end += (size_t)n;
    return PL_OK;
}

/* ---- The end of the input ---- */

/*
 * What is left of a file that will not grow: PL_OK with the last line, PL_E_CLOSED if nothing counts, or an
 * error.
 */
static enum pl_error give_rest(struct pl_lines *lines, struct pl_bytes *record)
{
    size_t left = lines->end - lines->begin;
    if (left == 0)
        return PL_E_CLOSED;
    if (lines->options.framed)
        return fail(lines, PL_E_TRUNCATED, "the input ends inside it");
    if (!lines->options.last_partial)
        return PL_E_CLOSED;
    give(lines, record, 0, left, 0);
    return PL_OK;
}

/* At the end of the file: *more if reading goes on elsewhere, else what pl_lines_next is to return. */
static enum pl_error at_end(struct pl_lines *lines, struct pl_bytes *record, bool *more)
{
    *more = false;
    if (lines->options.follow) {
        enum pl_lines_end end = pl_lines_look(lines);
        *more = end == PL_LINES_AGAIN_FROM_START;
        if (end != PL_LINES_FINAL)
            return PL_E_AGAIN;
    }
    enum pl_error error = give_rest(lines, record);
    if (error != PL_E_CLOSED || !lines->moved)
        return error;
    *more = pl_lines_next_file(lines);
    return lines->options.follow ? PL_E_AGAIN : PL_E_CLOSED;
}

enum pl_error pl_lines_next(struct pl_lines *lines, struct pl_bytes *record, struct pl_text *why)
{
    while (!lines->failed) {
        enum found found = lines->options.framed ? find_framed(lines, record) : find_line(lines, record);
        if (found == FOUND)
            return PL_OK;
        if (found == TOO_LONG) {
            fail_too_long(lines);
            break;
        }
        enum pl_error error = read_more(lines);
        bool more = error == PL_OK;
        if (error == PL_E_CLOSED)
            error = at_end(lines, record, &more);
        if (!more && !lines->failed)
            return error;
    }
    return told(lines, why);
}

/* ---- Opening and places ---- */

void pl_lines_take_file(struct pl_lines *lines, int fd, const struct stat *status, uint64_t offset)
{
    if (lines->fd > STDIN_FILENO)
        close(lines->fd);
    lines->fd = fd;
    lines->regular = S_ISREG(status->st_mode);
    lines->device = status->st_dev;
    lines->inode = status->st_ino;
    lines->begin = lines->end = lines->looked = 0;
    lines->offset = lines->first_offset = offset;
    lines->records = 0;
    lines->quiet = 0;
    if (lines->regular)
        lseek(fd, (off_t)offset, SEEK_SET);
}

static enum pl_error refuse_use(const char *path, const char *reason, struct pl_text *why)
{
    pl_text_set(why, "%.160s: %s", path, reason);
    return PL_E_USAGE;
}

static bool is_standard_input(const struct pl_lines *lines)
{
    return strcmp(lines->path, "-") == 0;
}

/* A FIFO's open waits for its writer, as with every reader. */
static enum pl_error open_start(struct pl_lines *lines, struct pl_text *why)
{
    bool standard_input = is_standard_input(lines);
    struct stat status;
    int fd = standard_input ? STDIN_FILENO : open(lines->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &status) < 0) {
        enum pl_error error = pl_file_error(lines->path, errno, why);
        if (fd > STDIN_FILENO)
            close(fd);
        return error;
    }
    off_t at = standard_input && S_ISREG(status.st_mode) ? lseek(fd, 0, SEEK_CUR) : 0;
    pl_lines_take_file(lines, fd, &status, at > 0 ? (uint64_t)at : 0);
    if (S_ISDIR(status.st_mode))
        return refuse_use(lines->path, "a folder, not a file", why);
    if (lines->options.follow && (standard_input || !lines->regular))
        return refuse_use(lines->path, "only a regular file by its name can be followed", why);
    return PL_OK;
}

static enum pl_error open_at(struct pl_lines *lines, const struct pl_lines_position *resume,
                             enum pl_lines_start *start, struct pl_text *why)
{
    struct pl_file_place place;
    *start = PL_LINES_FROM_START;
    if (!resume)
        return open_start(lines, why);
    if (!pl_place_decode(resume, &place))
        return refuse_use(lines->path, "the kept place is damaged or of another version", why);
    enum pl_error error = open_start(lines, why);
    if (!error && (!lines->regular || is_standard_input(lines)))
        return refuse_use(lines->path, "only a regular file by its name can be resumed", why);
    /* A name with no file yet: rotation may have left only the old one. */
    if (error && error != PL_E_NOT_FOUND)
        return error;
    return pl_lines_resume(lines, &place, start);
}

enum pl_error pl_lines_open(const char *path, const struct pl_lines_options *options,
                            const struct pl_lines_position *resume, struct pl_lines **out,
                            enum pl_lines_start *start, struct pl_text *why)
{
    struct pl_lines *lines = calloc(1, sizeof *lines);
    char *copy = strdup(path);
    enum pl_lines_start ignored;
    *out = NULL;
    if (!lines || !copy) {
        free(lines);
        free(copy);
        return pl_file_error(path, ENOMEM, why);
    }
    lines->options = *options;
    lines->path = copy;
    lines->fd = -1;
    enum pl_error error = open_at(lines, resume, start ? start : &ignored, why);
    if (error)
        pl_lines_close(lines);
    else
        *out = lines;
    return error;
}

void pl_lines_close(struct pl_lines *lines)
{
    if (!lines)
        return;
    if (lines->fd > STDIN_FILENO)
        close(lines->fd);
    free(lines->buffer);
    free(lines->path);
    free(lines);
}

enum pl_error pl_lines_position(const struct pl_lines *lines, struct pl_lines_position *out,
                                struct pl_text *why)
{
    if (!lines->regular)
        return refuse_use(lines->path, "a pipe or device has no place to come back to", why);
    struct pl_file_place place = {.device = lines->device, .inode = lines->inode, .offset = lines->offset};
    place.fingerprint = pl_place_fingerprint(lines->fd, lines->offset);
    pl_place_encode(&place, out);
    return PL_OK;
}

bool pl_lines_wait(struct pl_lines *lines, uint32_t timeout_ms)
{
    if (!lines->regular)
        return pipe_is_ready(lines->fd, timeout_ms > INT32_MAX ? INT32_MAX : (int)timeout_ms);
    uint32_t sleep_ms = timeout_ms < PL_LINES_POLL_MS ? timeout_ms : PL_LINES_POLL_MS;
    struct timespec pause = {.tv_sec = sleep_ms / 1000, .tv_nsec = (long)(sleep_ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
    return true;
}

uint64_t pl_lines_offset(const struct pl_lines *lines)
{
    return lines->offset;
}
