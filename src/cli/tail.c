/* tail.c: prints the records of a store in the order in which they were stored. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/base64.h"
#include "cli/command.h"
#include "cli/options.h"
#include "node/status.h"
#include "purelink.h"

enum { POLL_MS = 100, TIME_ROOM = 40 };

struct arguments {
    const char *store, *source, *stream;
    uint64_t from;
    bool follow, json, framed;
};

static void print_name(const char *key, const char *text, size_t size)
{
    printf("\"%s\":", key);
    pl_json_string(stdout, (struct pl_bytes){(const uint8_t *)text, size});
    fputs(",", stdout);
}

/* RFC 3339, UTC, with milliseconds; null when it is not known. */
static void print_time(uint64_t time_ms)
{
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm utc;
    char text[TIME_ROOM];

    if (time_ms == 0 || !gmtime_r(&seconds, &utc) ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc) == 0)
        fputs("null", stdout);
    else
        printf("\"%s.%03uZ\"", text, (unsigned)(time_ms % 1000));
}

static void print_data(const struct purelink_entry *e)
{
    struct pl_bytes data = {e->data, e->data_size};

    if (pl_is_utf8(data)) {
        fputs(",\"data\":", stdout);
        pl_json_string(stdout, data);
        return;
    }
    fputs(",\"base64\":\"", stdout);
    pl_print_base64(stdout, e->data, e->data_size);
    fputs("\"", stdout);
}

static void print_json(const struct purelink_entry *e)
{
    static const char *const kinds[] = {NULL, "lost", "damaged", "trimmed"};
    bool named = e->kind == PURELINK_RECORD || e->kind == PURELINK_LOST;

    fputs("{", stdout);
    if (e->kind != PURELINK_RECORD)
        printf("\"kind\":\"%s\",", kinds[e->kind]);
    if (named) {
        print_name("name", e->source, e->source_size);
        print_name("stream", e->stream, e->stream_size);
        printf("\"number\":%llu,", (unsigned long long)e->number);
    }
    if (e->kind == PURELINK_LOST)
        printf("\"number_to\":%llu,", (unsigned long long)e->number_to);
    printf("\"position\":%llu,", (unsigned long long)e->position);
    if (!named)
        printf("\"position_to\":%llu,", (unsigned long long)e->position_to);
    fputs("\"time\":", stdout);
    print_time(e->time_ms);
    if (e->kind == PURELINK_RECORD)
        print_data(e);
    fputs("}\n", stdout);
}

static void print_framed(const struct purelink_entry *e)
{
    uint32_t n = (uint32_t)e->data_size;
    uint8_t head[4] = {(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n};

    fwrite(head, 1, sizeof head, stdout);
    fwrite(e->data, 1, e->data_size, stdout);
}

/* What is not a record goes where it cannot be taken for one. */
static void tell(const struct purelink_entry *e)
{
    if (e->kind == PURELINK_LOST)
        pl_complain("tail",
                    "%.*s, stream %.*s: records %llu to %llu are lost: the sender no longer held them",
                    (int)e->source_size, e->source, (int)e->stream_size, e->stream,
                    (unsigned long long)e->number, (unsigned long long)e->number_to);
    else
        pl_complain("tail", "positions %llu to %llu are %s", (unsigned long long)e->position,
                    (unsigned long long)e->position_to,
                    e->kind == PURELINK_DAMAGED ? "damaged and set aside" : "not there any more: trimmed");
}

static void print_entry(const struct arguments *a, const struct purelink_entry *e)
{
    if (a->json) {
        print_json(e);
    } else if (e->kind != PURELINK_RECORD) {
        tell(e);
    } else if (a->framed) {
        print_framed(e);
    } else {
        fwrite(e->data, 1, e->data_size, stdout);
        fputc('\n', stdout);
    }
}

/* Whether output still goes anywhere. A reader that went away is no error: it has had enough. */
static bool output_ends(int *status)
{
    if (!ferror(stdout))
        return false;
    *status = PL_EXIT_OK;
    if (errno != EPIPE) {
        pl_complain("tail", "standard output: %s", strerror(errno));
        *status = PL_EXIT_FAILED;
    }
    return true;
}

/* Waits a moment for more. False: whoever read our output is gone. */
static bool wait_for_more(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};

    return poll(&out, 1, POLL_MS) <= 0 || (out.revents & (POLLERR | POLLNVAL)) == 0;
}

static int print_all(struct purelink_reader *reader, const struct arguments *a)
{
    struct purelink_reason reason;
    struct purelink_entry entry;
    int status = PL_EXIT_OK;

    for (;;) {
        enum purelink_error e = purelink_reader_next(reader, &entry, &reason);
        if (e == PURELINK_OK) {
            print_entry(a, &entry);
            if (output_ends(&status))
                return status;
            continue;
        }
        if (fflush(stdout) != 0 && output_ends(&status))
            return status;
        if (e != PURELINK_E_AGAIN) {
            pl_complain("tail", "%s: %s", a->store, reason.text);
            return PL_EXIT_FAILED;
        }
        if (!a->follow || !wait_for_more())
            return PL_EXIT_OK;
    }
}

static int tail(const struct arguments *a)
{
    struct purelink_reason reason;
    struct purelink_reader *reader;
    struct purelink_reader_config config = {
        .size = sizeof config,
        .store = a->store,
        .from = a->from,
        .source = a->source,
        .stream = a->stream,
    };

    if (a->json && a->framed) {
        pl_complain("tail", "--json and --framed exclude each other: give one");
        return PL_EXIT_USAGE;
    }
    signal(SIGPIPE, SIG_IGN);
    if (purelink_reader_open(&reader, &config, &reason) != PURELINK_OK) {
        pl_complain("tail", "%s", reason.text);
        return PL_EXIT_FAILED;
    }
    int status = print_all(reader, a);
    purelink_reader_close(reader);
    return status;
}

int pl_command_tail(int argc, char **argv)
{
    struct arguments a = {0};
    struct pl_texts operands;
    const struct pl_option table[] = {
        {"store", "DIR", "store of a node, which may be running", PL_OPTION_TEXT, true, &a.store, 0, 0},
        {"source", "NAME", "only records of this sender", PL_OPTION_TEXT, false, &a.source, 0, 0},
        {"stream", "NAME", "only records of streams of this name", PL_OPTION_TEXT, false, &a.stream, 0, 0},
        {"from", "POSITION", "begin there (0, the oldest); --json shows positions", PL_OPTION_NUMBER, false,
         &a.from, 0, UINT64_MAX},
        {"follow", NULL, "wait for more", PL_OPTION_FLAG, false, &a.follow, 0, 0},
        {"json", NULL, "one JSON object a line: name, stream, number, position, time, data", PL_OPTION_FLAG,
         false, &a.json, 0, 0},
        {"framed", NULL, "each record after its size (4 bytes, big endian)", PL_OPTION_FLAG, false, &a.framed,
         0, 0},
    };
    const struct pl_options options = {
        .command = "tail",
        .synopsis = "--store DIR [OPTION]...",
        .about = "Prints the records of a store in the order in which they were stored, each followed by\n"
                 "a newline.",
        .table = table,
        .n = sizeof table / sizeof table[0],
    };
    enum pl_parsed parsed = pl_options_parse(&options, argc, argv, &operands);
    int status = parsed == PL_PARSED_HELP ? PL_EXIT_OK : PL_EXIT_USAGE;

    if (parsed == PL_PARSED_OK)
        status = tail(&a);
    pl_texts_free(&operands);
    return status;
}
