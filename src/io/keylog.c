/* Key logs: lines made, appended and read; buffers that held a secret are wiped. */
#include "io/keylog.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"

static const char device_label[] = "PURELINK_DEVICE_RUN", node_label[] = "PURELINK_NODE_RUN";

struct pl_keylog {
    int fd;
    char *path;
    bool torn;            /* the last line was written in part */
    pthread_mutex_t lock; /* of the next two */
    uint64_t lost;
    struct pl_text why;
};

static enum pl_error check_file(const char *path, int fd, struct pl_text *why)
{
    struct stat status;

    if (fstat(fd, &status) < 0)
        return pl_file_error(path, errno, why);
    if (!S_ISREG(status.st_mode)) {
        pl_text_set(why, "%s: not a regular file: keys are not written there", path);
        return PL_E_IO;
    }
    if (status.st_mode & (S_IRWXG | S_IRWXO)) {
        pl_text_set(why, "%s: others than its owner may use it (mode %04o); run: chmod 600 %s", path,
                    (unsigned)status.st_mode & 07777, path);
        return PL_E_PERMISSION;
    }
    return PL_OK;
}

enum pl_error pl_keylog_open(const char *path, struct pl_keylog **out, struct pl_text *why)
{
    /* O_NONBLOCK: a FIFO that nobody reads is refused, not waited for. */
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    *out = NULL;
    if (fd < 0)
        return pl_file_error(path, errno, why);
    enum pl_error e = check_file(path, fd, why);
    struct pl_keylog *log = e == PL_OK ? calloc(1, sizeof *log) : NULL;
    if (log)
        log->path = strdup(path);
    if (!log || !log->path) {
        free(log);
        close(fd);
        return e != PL_OK ? e : pl_file_error(path, ENOMEM, why);
    }
    log->fd = fd;
    pthread_mutex_init(&log->lock, NULL);
    *out = log;
    return PL_OK;
}

void pl_keylog_close(struct pl_keylog *log)
{
    if (!log)
        return;
    close(log->fd);
    pthread_mutex_destroy(&log->lock);
    free(log->path);
    free(log);
}

size_t pl_keylog_format(const struct pl_keylog_entry *entry, char line[PL_KEYLOG_LINE_MAX])
{
    static const char digits[] = "0123456789abcdef";
    size_t n = (size_t)snprintf(line, PL_KEYLOG_LINE_MAX, "%s %08x %016llx %u %02x ",
                                entry->from_node ? node_label : device_label, (unsigned)entry->key_id,
                                (unsigned long long)entry->run, entry->suite, entry->epochs);

    for (size_t i = 0; i < entry->secret_n && i < PL_KEYLOG_SECRET_MAX; i++) {
        line[n++] = digits[entry->secret[i] >> 4];
        line[n++] = digits[entry->secret[i] & 0xf];
    }
    line[n] = 0;
    return n;
}

static void count_lost(struct pl_keylog *log, int error)
{
    pthread_mutex_lock(&log->lock);
    log->lost++;
    (void)pl_file_error(log->path, error, &log->why);
    pthread_mutex_unlock(&log->lock);
}

void pl_keylog_put(struct pl_keylog *log, const struct pl_keylog_entry *entry)
{
    char text[PL_KEYLOG_LINE_MAX + 2];
    size_t n = 0;
    ssize_t written;

    /* What comes after half a line must not be taken for its rest. */
    if (log->torn)
        text[n++] = '\n';
    n += pl_keylog_format(entry, text + n);
    text[n++] = '\n';
    do
        written = write(log->fd, text, n);
    while (written < 0 && errno == EINTR);
    if (written < 0 || (size_t)written < n)
        count_lost(log, written < 0 ? errno : ENOSPC);
    if (written > 0)
        log->torn = (size_t)written < n;
    explicit_bzero(text, sizeof text);
}

uint64_t pl_keylog_lost(struct pl_keylog *log, struct pl_text *why)
{
    pthread_mutex_lock(&log->lock);
    uint64_t lost = log->lost;
    if (why && lost > 0)
        *why = log->why;
    pthread_mutex_unlock(&log->lock);
    return lost;
}

/* The next field: up to a space or the end. */
struct fields {
    const char *p;
    size_t n;
};

static struct pl_bytes next_field(struct fields *f)
{
    const char *space = memchr(f->p, ' ', f->n);
    size_t n = space ? (size_t)(space - f->p) : f->n;
    struct pl_bytes field = {(const uint8_t *)f->p, n};
    size_t used = n + (space != NULL);

    f->p += used;
    f->n -= used;
    return field;
}

static int digit_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A number of exactly `digits` hexadecimal digits, at most 16. */
static bool take_hex(struct fields *f, size_t digits, uint64_t *out)
{
    struct pl_bytes field = next_field(f);

    *out = 0;
    for (size_t i = 0; i < field.n && field.n == digits; i++) {
        int value = digit_value(field.p[i]);
        if (value < 0)
            return false;
        *out = *out << 4 | (uint64_t)value;
    }
    return field.n == digits;
}

static bool take_secret(struct fields *f, struct pl_keylog_entry *out)
{
    struct pl_bytes field = next_field(f);

    if (field.n == 0 || field.n % 2 != 0 || field.n / 2 > PL_KEYLOG_SECRET_MAX)
        return false;
    for (size_t i = 0; i < field.n; i += 2) {
        int high = digit_value(field.p[i]), low = digit_value(field.p[i + 1]);
        if (high < 0 || low < 0)
            return false;
        out->secret[out->secret_n++] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static bool is_text(struct pl_bytes field, const char *text)
{
    return field.n == strlen(text) && memcmp(field.p, text, field.n) == 0;
}

static enum pl_error wrong(enum pl_error error, const char *phrase, const char **why)
{
    if (why)
        *why = phrase;
    return error;
}

enum pl_error pl_keylog_parse(const char *line, size_t n, struct pl_keylog_entry *out, const char **why)
{
    struct fields f = {line, n};
    uint64_t key_id, run, suite, epochs;

    memset(out, 0, sizeof *out);
    if (n == 0 || line[0] == '#')
        return wrong(PL_E_EMPTY, "nothing in it", why);
    struct pl_bytes label = next_field(&f);
    out->from_node = is_text(label, node_label);
    if (!out->from_node && !is_text(label, device_label))
        return wrong(PL_E_UNKNOWN_TYPE, "not a line of a purelink key log", why);
    if (!take_hex(&f, 8, &key_id))
        return wrong(PL_E_RANGE, "the key id is not 8 hexadecimal digits", why);
    if (!take_hex(&f, 16, &run))
        return wrong(PL_E_RANGE, "the run is not 16 hexadecimal digits", why);
    if (!take_hex(&f, 1, &suite) || suite > 9)
        return wrong(PL_E_RANGE, "the suite is not one digit", why);
    if (!take_hex(&f, 2, &epochs))
        return wrong(PL_E_RANGE, "the epochs are not 2 hexadecimal digits", why);
    if (!take_secret(&f, out))
        return wrong(PL_E_RANGE, "key and iv are not an even number of hexadecimal digits, at most 128", why);
    if (f.n > 0)
        return wrong(PL_E_TRAILING, "something follows the key", why);
    out->key_id = (uint32_t)key_id;
    out->run = run;
    out->suite = (uint8_t)suite;
    out->epochs = (uint8_t)epochs;
    return PL_OK;
}
