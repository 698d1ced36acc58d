/*
 * Reading the senders file: portions of it through the scanner, each sender to the caller, and in the end the
 * search for names and keys given twice.
 */
#include "io/senders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "io/senders_scan.h"

enum { PORTION_BYTES = 65536, FIRST_ROOM = 64 };

/* What is kept of a sender. */
struct seen {
    uint8_t key[PL_SENDERS_KEY_SIZE];
    uint64_t line;
    size_t name_at; /* in names: its length in one byte, then its bytes */
};

struct reading {
    struct pl_senders_scan scan; /* first: take() finds the rest from it */
    const char *path;
    pl_sender_each each;
    void *ctx;
    struct seen *seen;
    size_t count, room;
    uint8_t *names;
    size_t names_bytes, names_room;
};

static uint8_t base64_value(uint8_t c)
{
    if (c >= 'A' && c <= 'Z')
        return (uint8_t)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (uint8_t)(c - 'a' + 26);
    if (c >= '0' && c <= '9')
        return (uint8_t)(c - '0' + 52);
    return c == '+' ? 62 : c == '/' ? 63 : 0;
}

/* The grammar has checked the text: all that is left is to put the bits together. */
static void decode_key(const uint8_t text[PL_SENDERS_KEY_TEXT], uint8_t key[PL_SENDERS_KEY_SIZE])
{
    uint32_t bits = 0;
    size_t n = 0;
    for (size_t i = 0; i < PL_SENDERS_KEY_TEXT; i++) {
        bits = bits << 6 | base64_value(text[i]);
        if (i % 4 != 3)
            continue;
        for (int shift = 16; shift >= 0 && n < PL_SENDERS_KEY_SIZE; shift -= 8)
            key[n++] = (uint8_t)(bits >> shift);
        bits = 0;
    }
}

/* Makes room for one more of n items of `size` bytes, `more` of them. Returns false without memory. */
static bool grow(void **items, size_t *room, size_t used, size_t more, size_t size)
{
    size_t wanted = *room ? *room : FIRST_ROOM;
    while (wanted - used < more || wanted < used)
        wanted *= 2;
    if (wanted == *room)
        return true;
    void *bigger = reallocarray(*items, wanted, size);
    if (!bigger)
        return false;
    *items = bigger;
    *room = wanted;
    return true;
}

static bool remember(struct reading *reading, const struct pl_sender *sender)
{
    void *seen = reading->seen;
    void *names = reading->names;
    bool ok = grow(&seen, &reading->room, reading->count, 1, sizeof *reading->seen) &&
              grow(&names, &reading->names_room, reading->names_bytes, sender->name.n + 1, 1);
    reading->seen = seen;
    reading->names = names;
    if (!ok)
        return false;
    struct seen *one = &reading->seen[reading->count++];
    memcpy(one->key, sender->key, sizeof one->key);
    one->line = sender->line;
    one->name_at = reading->names_bytes;
    reading->names[reading->names_bytes++] = (uint8_t)sender->name.n;
    memcpy(reading->names + reading->names_bytes, sender->name.p, sender->name.n);
    reading->names_bytes += sender->name.n;
    return true;
}

static enum pl_error take(struct pl_senders_scan *scan)
{
    struct reading *reading = (struct reading *)scan;
    struct pl_sender sender = {.name = {scan->name, scan->name_bytes}, .line = scan->line};
    decode_key(scan->key, sender.key);
    if (!remember(reading, &sender)) {
        scan->reason = "out of memory";
        return PL_E_NO_MEMORY;
    }
    return reading->each(reading->ctx, &sender);
}

static int by_line(const struct seen *a, const struct seen *b)
{
    return a->line < b->line ? -1 : a->line > b->line;
}

static int compare_keys(const void *a, const void *b, void *names)
{
    const struct seen *x = a;
    const struct seen *y = b;
    int order = memcmp(x->key, y->key, sizeof x->key);
    (void)names;
    return order ? order : by_line(x, y);
}

static bool same_name(const struct seen *a, const struct seen *b, const uint8_t *names)
{
    return memcmp(names + a->name_at, names + b->name_at, (size_t)names[a->name_at] + 1) == 0;
}

/* By length, then bytes: any total order brings equal names together. */
static int compare_names(const void *a, const void *b, void *names)
{
    const uint8_t *x = (const uint8_t *)names + ((const struct seen *)a)->name_at;
    const uint8_t *y = (const uint8_t *)names + ((const struct seen *)b)->name_at;
    int order = x[0] != y[0] ? x[0] - y[0] : memcmp(x + 1, y + 1, x[0]);
    return order ? order : by_line(a, b);
}

/*
 * The first line in the file that repeats an earlier one, or 0; *before is that one. Reorders what is seen.
 */
static uint64_t find_repeat(struct reading *reading, bool names, uint64_t *before)
{
    uint64_t line = 0;
    if (reading->count > 1)
        qsort_r(reading->seen, reading->count, sizeof *reading->seen, names ? compare_names : compare_keys,
                reading->names);
    for (size_t i = 1; i < reading->count; i++) {
        const struct seen *a = &reading->seen[i - 1];
        const struct seen *b = &reading->seen[i];
        bool same = names ? same_name(a, b, reading->names) : memcmp(a->key, b->key, sizeof a->key) == 0;
        if (same && (line == 0 || b->line < line)) {
            line = b->line;
            *before = a->line;
        }
    }
    return line;
}

static enum pl_error refuse_repeats(struct reading *reading, struct pl_text *why)
{
    uint64_t name_before = 0, key_before = 0;
    uint64_t name_line = find_repeat(reading, true, &name_before);
    uint64_t key_line = find_repeat(reading, false, &key_before);
    bool name = name_line && (key_line == 0 || name_line <= key_line);
    if (!name_line && !key_line)
        return PL_OK;
    pl_text_set(why, "%s:%llu: the %s was given on line %llu already", reading->path,
                (unsigned long long)(name ? name_line : key_line), name ? "name" : "key",
                (unsigned long long)(name ? name_before : key_before));
    return PL_E_EXISTS;
}

static struct pl_file_mark mark_of(const struct stat *status)
{
    return (struct pl_file_mark){
        .device = status->st_dev,
        .inode = status->st_ino,
        .size_bytes = (uint64_t)status->st_size,
        .modified_ns = (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec,
        .changed_ns = (uint64_t)status->st_ctim.tv_sec * 1000000000 + (uint64_t)status->st_ctim.tv_nsec,
    };
}

static enum pl_error scan_portion(struct reading *reading, const uint8_t *bytes, size_t n,
                                  struct pl_text *why)
{
    enum pl_error error = pl_senders_scan_bytes(&reading->scan, bytes, n, n == 0);
    if (error && reading->scan.reason)
        pl_text_set(why, "%s:%llu: %s", reading->path, (unsigned long long)reading->scan.line,
                    reading->scan.reason);
    return error;
}

static enum pl_error scan_file(struct reading *reading, int fd, struct pl_text *why)
{
    uint8_t *portion = malloc(PORTION_BYTES);
    enum pl_error error = portion ? PL_OK : pl_file_error(reading->path, ENOMEM, why);
    ssize_t n = 1;
    while (!error && n > 0) {
        n = pl_file_read(fd, portion, PORTION_BYTES);
        if (n < 0)
            error = pl_file_error(reading->path, errno, why);
        else
            error = scan_portion(reading, portion, (size_t)n, why);
    }
    free(portion);
    return error;
}

/* A file that is being written would give half a list. */
static enum pl_error check_unchanged(const char *path, int fd, const struct pl_file_mark *before,
                                     struct pl_text *why)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return pl_file_error(path, errno, why);
    struct pl_file_mark after = mark_of(&status);
    if (memcmp(before, &after, sizeof after) == 0)
        return PL_OK;
    pl_text_set(why, "%s: changed while it was read; replace it by renaming, and load it again", path);
    return PL_E_IO;
}

static enum pl_error read_all(struct reading *reading, int fd, const struct pl_file_mark *mark,
                              struct pl_text *why)
{
    if (mark->size_bytes == 0) {
        pl_text_set(why, "%s: empty; to allow nobody write a line with a # comment", reading->path);
        return PL_E_USAGE;
    }
    enum pl_error error = scan_file(reading, fd, why);
    if (!error)
        error = check_unchanged(reading->path, fd, mark, why);
    return error ? error : refuse_repeats(reading, why);
}

enum pl_error pl_senders_read(const char *path, pl_sender_each each, void *ctx, struct pl_file_mark *mark,
                              struct pl_text *why)
{
    struct reading reading = {.path = path, .each = each, .ctx = ctx};
    struct stat status;
    int fd;
    enum pl_error error = pl_file_open_regular(path, &fd, &status, why);
    if (error)
        return error;
    struct pl_file_mark read_mark = mark_of(&status);
    reading.scan.take = take;
    pl_senders_scan_init(&reading.scan);
    error = read_all(&reading, fd, &read_mark, why);
    if (!error && mark)
        *mark = read_mark;
    free(reading.seen);
    free(reading.names);
    close(fd);
    return error;
}

enum pl_error pl_file_mark_read(const char *path, struct pl_file_mark *mark, struct pl_text *why)
{
    struct stat status;
    memset(mark, 0, sizeof *mark);
    if (stat(path, &status) < 0)
        return pl_file_error(path, errno, why);
    *mark = mark_of(&status);
    return PL_OK;
}
