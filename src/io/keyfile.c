/* Private key files: who may read them is checked before what is in them, and no buffer outlives its use. */
#include "io/keyfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"

/* One more than allowed, to see that it is too long. */
struct content {
    char text[PL_KEYFILE_LINE_MAX + 1];
    size_t n;
};

static enum pl_error read_content(const char *path, int fd, struct content *content, struct pl_text *why)
{
    content->n = 0;
    while (content->n < sizeof content->text) {
        ssize_t got = pl_file_read(fd, content->text + content->n, sizeof content->text - content->n);
        if (got < 0)
            return pl_file_error(path, errno, why);
        if (got == 0)
            return PL_OK;
        content->n += (size_t)got;
    }
    pl_text_set(why, "%s: too long for a key file (at most %d bytes)", path, PL_KEYFILE_LINE_MAX);
    return PL_E_KEY;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static enum pl_error decode_content(const char *path, const struct content *content, pl_keyfile_decode decode,
                                    uint8_t *key, struct pl_text *why)
{
    const char *line = content->text;
    size_t n = content->n;
    const char *reason = "not a key";
    while (n > 0 && is_blank(line[n - 1]))
        n--;
    while (n > 0 && is_blank(line[0]))
        line++, n--;
    if (n == 0)
        reason = "empty: no key in it";
    else if (memchr(line, '\n', n))
        reason = "more than one line";
    else if (decode(line, n, key, &reason) == PL_OK)
        return PL_OK;
    memset(key, 0, PL_KEYFILE_KEY_SIZE);
    pl_text_set(why, "%s: %s", path, reason);
    return PL_E_KEY;
}

static enum pl_error check_file(const char *path, const struct stat *status, struct pl_text *why)
{
    if (!S_ISREG(status->st_mode)) {
        pl_text_set(why, "%s: not a regular file", path);
        return PL_E_KEY;
    }
    if (status->st_mode & (S_IRWXG | S_IRWXO)) {
        pl_text_set(why, "%s: others than its owner may use it (mode %04o); run: chmod 600 %s", path,
                    status->st_mode & 07777, path);
        return PL_E_PERMISSION;
    }
    return PL_OK;
}

enum pl_error pl_keyfile_read(const char *path, pl_keyfile_decode decode, uint8_t key[PL_KEYFILE_KEY_SIZE],
                              struct pl_text *why)
{
    bool standard_input = strcmp(path, "-") == 0;
    const char *shown = standard_input ? "standard input" : path;
    struct content content = {.n = 0};
    struct stat status;
    int fd = STDIN_FILENO;
    memset(key, 0, PL_KEYFILE_KEY_SIZE);
    enum pl_error error = standard_input ? PL_OK : pl_file_open(path, &fd, &status, why);
    if (error)
        return error;
    if (!standard_input)
        error = check_file(path, &status, why);
    if (!error)
        error = read_content(shown, fd, &content, why);
    if (!error)
        error = decode_content(shown, &content, decode, key, why);
    explicit_bzero(&content, sizeof content);
    if (!standard_input)
        close(fd);
    return error;
}

/* Line and newline, durable. Returns 0 or the errno. */
static int write_line(int fd, struct pl_bytes line)
{
    struct pl_bytes parts[2] = {line, {(const uint8_t *)"\n", 1}};
    for (int i = 0; i < 2; i++) {
        while (parts[i].n > 0) {
            ssize_t n = write(fd, parts[i].p, parts[i].n);
            if (n < 0 && errno != EINTR)
                return errno;
            if (n > 0) {
                parts[i].p += n;
                parts[i].n -= (size_t)n;
            }
        }
    }
    return fsync(fd) < 0 ? errno : 0;
}

/* Fills the open file and closes it; one that could not be filled is removed. */
static enum pl_error fill_file(const char *path, int fd, struct pl_bytes line, struct pl_text *why)
{
    int error = write_line(fd, line);
    if (close(fd) < 0 && error == 0)
        error = errno;
    if (error == 0)
        return PL_OK;
    unlink(path);
    return pl_file_error(path, error, why);
}

static enum pl_error write_new(const char *path, struct pl_bytes line, struct pl_text *why)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return pl_file_error(path, errno, why);
    return fill_file(path, fd, line, why);
}

static enum pl_error write_over(const char *path, struct pl_bytes line, struct pl_text *why)
{
    char *other = NULL;
    if (asprintf(&other, "%s.XXXXXX", path) < 0)
        return pl_file_error(path, ENOMEM, why);
    int fd = mkostemp(other, O_CLOEXEC); /* made with mode 0600 */
    enum pl_error error = fd < 0 ? pl_file_error(path, errno, why) : fill_file(other, fd, line, why);
    if (!error && rename(other, path) < 0) {
        error = pl_file_error(path, errno, why);
        unlink(other);
    }
    free(other);
    return error;
}

enum pl_error pl_keyfile_write(const char *path, struct pl_bytes line, bool exclusive, struct pl_text *why)
{
    enum pl_error error = exclusive ? write_new(path, line, why) : write_over(path, line, why);
    return error ? error : pl_file_sync_folder(path, why);
}
