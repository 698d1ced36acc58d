/* The status file: its members in one table, from which it is written and read: see status.h. */
#include "node/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, BLOCK_BYTES = 4096, PADDED_MIN = 2 * BLOCK_BYTES };

struct member {
    const char *name;
    size_t offset;
    size_t text_room; /* 0: a number */
};

#define NUMBER(field)                                                                                        \
    {                                                                                                        \
#field, offsetof(struct pl_node_status, field), 0                                                    \
    }
#define TEXT(field)                                                                                          \
    {                                                                                                        \
#field, offsetof(struct pl_node_status, field), sizeof(((struct pl_node_status *)0)->field)          \
    }

static const struct member members[] = {
    NUMBER(pid),
    NUMBER(started_ms),
    NUMBER(updated_ms),
    TEXT(public_key),
    TEXT(listen),
    NUMBER(links_active),
    NUMBER(links_unproven),
    NUMBER(first_contacts),
    NUMBER(links_made),
    NUMBER(links_swept),
    NUMBER(links_evicted),
    NUMBER(links_denied),
    NUMBER(memory_bytes),
    NUMBER(datagrams_received),
    NUMBER(datagrams_sent),
    NUMBER(send_failures),
    NUMBER(receive_buffer_bytes),
    NUMBER(packets_in),
    NUMBER(packets_out),
    NUMBER(bytes_in),
    NUMBER(bytes_out),
    NUMBER(records_delivered),
    NUMBER(repeats),
    NUMBER(pieces_left),
    NUMBER(pieces_held),
    NUMBER(answers),
    NUMBER(probes),
    NUMBER(lost_packets),
    NUMBER(runs_proven),
    NUMBER(forks),
    NUMBER(gaps),
    NUMBER(refusals),
    NUMBER(malformed),
    NUMBER(secrets_made),
    NUMBER(ambiguous_packets),
    NUMBER(damaged_links),
    NUMBER(keep_ms),
    NUMBER(keep_bytes),
    NUMBER(commits),
    NUMBER(commit_failures),
    NUMBER(last_commit_ms),
    NUMBER(store_full),
    NUMBER(storing_failed),
    TEXT(last_error),
    NUMBER(last_error_ms),
    TEXT(last_event),
    NUMBER(last_event_ms),
    TEXT(senders_error),
    NUMBER(senders_error_ms),
};
enum { MEMBERS = sizeof members / sizeof members[0], NAME_ROOM = 64 };

static const char drops_prefix[] = "drops_";

/* "drops_key_id" of the registry's "KEY_ID". */
static const char *drop_member(unsigned drop, char name[NAME_ROOM])
{
    snprintf(name, NAME_ROOM, "%s%s", drops_prefix, pl_drop_name(drop));
    for (char *c = name; *c; c++) {
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
        else if (*c == ' ' || *c == '-')
            *c = '_';
    }
    return name;
}

void pl_status_members(const struct pl_node_status *status, pl_status_each *each, void *ctx)
{
    char name[NAME_ROOM];

    for (unsigned i = 0; i < MEMBERS; i++) {
        const char *at = (const char *)status + members[i].offset;
        uint64_t number = 0;
        if (members[i].text_room == 0)
            memcpy(&number, at, sizeof number);
        each(ctx, members[i].name, number, members[i].text_room ? at : NULL);
    }
    for (unsigned i = 1; i < PL_DROP_COUNT; i++)
        each(ctx, drop_member(i, name), status->drops[i], NULL);
}

struct printer {
    FILE *to;
    bool any;
};

static void print_member(void *ctx, const char *name, uint64_t number, const char *text)
{
    struct printer *printer = ctx;

    fprintf(printer->to, "%s\n\"%s\": ", printer->any ? "," : "{", name);
    printer->any = true;
    if (text)
        pl_json_string(printer->to, (struct pl_bytes){(const uint8_t *)text, strlen(text)});
    else
        fprintf(printer->to, "%llu", (unsigned long long)number);
}

size_t pl_status_print(const struct pl_node_status *status, char *out, size_t room)
{
    struct printer printer = {.to = fmemopen(out, room, "w")};
    long n;

    if (!printer.to)
        return 0;
    pl_status_members(status, print_member, &printer);
    fputs("\n}\n", printer.to);
    n = ftell(printer.to);
    fclose(printer.to);
    return n < 0 ? 0 : (size_t)n;
}

static int hex_value(const char *p, const char *end)
{
    int value = 0;

    for (int i = 0; i < 4; i++, p++) {
        if (p >= end)
            return -1;
        int digit = *p >= '0' && *p <= '9' ? *p - '0' : *p >= 'a' && *p <= 'f' ? *p - 'a' + 10 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Undoes pl_json_string for what it writes: escapes of control characters, quotes and backslashes. */
static void unquote(const char *p, const char *end, char *out, size_t room)
{
    size_t n = 0;

    while (p < end && *p != '"' && n + 1 < room) {
        char c = *p++;
        if (c == '\\' && p < end) {
            c = *p++;
            if (c == 'u') {
                int value = hex_value(p, end);
                c = value > 0 && value < 0x80 ? (char)value : '?';
                p += value < 0 ? 0 : 4;
            } else if (c == 'n' || c == 't' || c == 'r') {
                c = c == 'n' ? '\n' : c == 't' ? '\t' : '\r';
            }
        }
        out[n++] = c;
    }
    out[n] = '\0';
}

static void take_number(uint64_t *to, const char *value, const char *end)
{
    *to = 0;
    for (; value < end && *value >= '0' && *value <= '9'; value++)
        *to = *to * 10 + (uint64_t)(*value - '0');
}

static void take_member(struct pl_node_status *out, const char *name, size_t name_n, const char *value,
                        const char *end)
{
    char wanted[NAME_ROOM];

    for (unsigned i = 0; i < MEMBERS; i++) {
        char *at = (char *)out + members[i].offset;
        if (strlen(members[i].name) != name_n || memcmp(members[i].name, name, name_n) != 0)
            continue;
        if (members[i].text_room && value < end && *value == '"')
            unquote(value + 1, end, at, members[i].text_room);
        else if (members[i].text_room == 0)
            take_number((uint64_t *)(void *)at, value, end);
        return;
    }
    for (unsigned i = 1; i < PL_DROP_COUNT; i++)
        if (strlen(drop_member(i, wanted)) == name_n && memcmp(wanted, name, name_n) == 0)
            take_number(&out->drops[i], value, end);
}

/* One line: "name": value */
static bool take_line(struct pl_node_status *out, const char *line, const char *end)
{
    const char *name_end;

    if (line == end || *line == '{' || *line == '}' || *line == ' ')
        return true;
    name_end = *line == '"' ? memchr(line + 1, '"', (size_t)(end - line) - 1) : NULL;
    if (!name_end || end - name_end < 3 || name_end[1] != ':' || name_end[2] != ' ')
        return false;
    take_member(out, line + 1, (size_t)(name_end - line) - 1, name_end + 3, end);
    return true;
}

enum pl_error pl_status_parse(const char *text, size_t n, struct pl_node_status *out)
{
    const char *at = text, *end = text + n;

    memset(out, 0, sizeof *out);
    if (n == 0 || text[0] != '{')
        return PL_E_STORE_DAMAGED;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *line_end = newline ? newline : end;
        if (!take_line(out, at, line_end))
            return PL_E_STORE_DAMAGED;
        at = newline ? newline + 1 : end;
    }
    return out->pid ? PL_OK : PL_E_STORE_DAMAGED;
}

/* Blanks up to whole blocks of the disk: a file that keeps its size keeps its blocks. */
static size_t pad(char text[PL_STATUS_BYTES_MAX], size_t n)
{
    size_t padded = n < PADDED_MIN ? PADDED_MIN : (n + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;

    if (padded == n)
        return n;
    memset(text + n, ' ', padded - n);
    text[padded - 1] = '\n';
    return padded;
}

static enum pl_error write_whole(const char *path, const char *text, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool written;

    if (fd < 0)
        return errno == ENOSPC ? PL_E_STORE_FULL : PL_E_IO;
    written = pwrite(fd, text, n, 0) == (ssize_t)n && ftruncate(fd, (off_t)n) == 0;
    close(fd);
    return written ? PL_OK : PL_E_STORE_FULL;
}

/* The two files change names, so that both keep their blocks; the first time there is only one, and where
 * names cannot be exchanged the new one takes the place of the old. */
static enum pl_error take_place(const char *beside, const char *path, const char *text, size_t n)
{
    if (renameat2(AT_FDCWD, beside, AT_FDCWD, path, RENAME_EXCHANGE) == 0)
        return PL_OK;
    if (rename(beside, path) != 0)
        return PL_E_IO;
    return write_whole(beside, text, n);
}

enum pl_error pl_status_write(const char *dir, const struct pl_node_status *status, struct pl_text *why)
{
    char text[PL_STATUS_BYTES_MAX], path[PATH_ROOM], beside[PATH_ROOM];
    size_t n = pad(text, pl_status_print(status, text, sizeof text));
    enum pl_error error;

    if (snprintf(path, sizeof path, "%s/status.json", dir) >= (int)sizeof path ||
        snprintf(beside, sizeof beside, "%s/status.json.new", dir) >= (int)sizeof beside)
        return PL_E_IO;
    error = write_whole(beside, text, n);
    if (error == PL_OK)
        error = take_place(beside, path, text, n);
    if (error != PL_OK)
        pl_text_set(why, "%s: not written: %s", path, strerror(errno));
    return error;
}

enum pl_error pl_status_read(const char *dir, struct pl_node_status *out, struct pl_text *why)
{
    char text[PL_STATUS_BYTES_MAX], path[PATH_ROOM];
    enum pl_error error = PL_OK;
    ssize_t n;
    int fd;

    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "%s/status.json", dir);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        pl_text_set(why, "%s: %s", path, strerror(errno));
        return errno == ENOENT ? PL_E_NOT_FOUND : errno == EACCES ? PL_E_PERMISSION : PL_E_IO;
    }
    n = read(fd, text, sizeof text);
    close(fd);
    if (n < 0)
        error = PL_E_IO;
    else
        error = pl_status_parse(text, (size_t)n, out);
    if (error != PL_OK)
        pl_text_set(why, "%s: not a status file", path);
    return error;
}
