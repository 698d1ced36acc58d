/* status.c: what a store or an outbox holds, and what the node that runs on a store says of itself. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/status_print.h"
#include "node/status.h"
#include "store/inspect.h"

struct arguments {
    const char *store, *outbox;
    bool json, summary;
    uint64_t limit; /* of streams listed */
};

static struct pl_status_printer printer_of(const struct arguments *a)
{
    return (struct pl_status_printer){.json = a->json, .no_list = a->summary, .limit = a->limit};
}

static int fail(const char *dir, enum pl_error error, const struct pl_text *why)
{
    if (why->s[0])
        pl_complain("status", "%s", why->s);
    else
        pl_complain("status", "%s: %s", dir, pl_error_name(error));
    return PL_EXIT_FAILED;
}

/* The node's own word counts only while that node has the store: the lock goes with its process, whatever its
 * number means here, and the time tells it from the node before. */
static bool read_node(const char *dir, const struct pl_store_status *store, struct pl_node_status *node)
{
    return pl_status_read(dir, node, NULL) == PL_OK && node->pid == store->owner_pid &&
           node->started_ms == store->opened_ms && store->owned;
}

static bool count_stream(void *ctx, const struct pl_link_info *link, const struct pl_row *row)
{
    return pl_status_stream(ctx, link, row) && !ferror(stdout);
}

static int print_store(const struct arguments *a, struct pl_reader *reader)
{
    struct pl_text why = {""};
    struct pl_store_status store;
    struct pl_node_status node;
    enum pl_error error = pl_store_status(reader, &store, &why);

    if (error != PL_OK)
        return fail(a->store, error, &why);
    bool running = read_node(a->store, &store, &node);
    struct pl_status_printer printer = printer_of(a);
    pl_status_store(&printer, a->store, &store, running ? &node : NULL);
    if (!a->summary)
        error = pl_store_streams(reader, count_stream, &printer, &why);
    pl_status_end(&printer);
    return error == PL_OK ? PL_EXIT_OK : fail(a->store, error, &why);
}

static int store_status(const struct arguments *a)
{
    struct pl_text why = {""};
    struct pl_reader *reader;
    enum pl_error error = pl_reader_open(a->store, &reader, &why);

    if (error != PL_OK)
        return fail(a->store, error, &why);
    int status = print_store(a, reader);
    pl_reader_close(reader);
    return status;
}

static bool take_birth(void *ctx, const struct pl_outbox_status *stream)
{
    return pl_status_birth(ctx, stream) && !ferror(stdout);
}

static int outbox_status(const struct arguments *a)
{
    struct pl_text why = {""};
    struct pl_outbox_totals totals;
    struct pl_status_printer printer = printer_of(a);
    enum pl_error error = pl_outbox_inspect(a->outbox, &totals, NULL, NULL, &why);

    if (error != PL_OK)
        return fail(a->outbox, error, &why);
    pl_status_outbox(&printer, a->outbox, &totals);
    if (!a->summary)
        error = pl_outbox_inspect(a->outbox, &totals, take_birth, &printer, &why);
    pl_status_end(&printer);
    return error == PL_OK ? PL_EXIT_OK : fail(a->outbox, error, &why);
}

static int show(const struct arguments *a)
{
    if (!a->store == !a->outbox) {
        pl_complain("status", "give one of --store DIR and --outbox DIR");
        return PL_EXIT_USAGE;
    }
    if (a->summary && a->limit != UINT64_MAX) {
        pl_complain("status", "--summary lists no streams: it cannot be given with --limit");
        return PL_EXIT_USAGE;
    }
    int status = a->store ? store_status(a) : outbox_status(a);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (errno == EPIPE)
        return status;
    pl_complain("status", "standard output: %s", strerror(errno));
    return PL_EXIT_FAILED;
}

int pl_command_status(int argc, char **argv)
{
    struct arguments a = {.limit = UINT64_MAX};
    struct pl_texts operands;
    const struct pl_option table[] = {
        {"store", "DIR", "of a node's store", PL_OPTION_TEXT, false, &a.store, 0, 0},
        {"outbox", "DIR", "of a device's outbox", PL_OPTION_TEXT, false, &a.outbox, 0, 0},
        {"json", NULL, "as one JSON object", PL_OPTION_FLAG, false, &a.json, 0, 0},
        {"summary", NULL, "all but the streams", PL_OPTION_FLAG, false, &a.summary, 0, 0},
        {"limit", "COUNT", "list so many streams at most", PL_OPTION_NUMBER, false, &a.limit, 1, UINT32_MAX},
    };
    const struct pl_options options = {
        .command = "status",
        .synopsis = "--store DIR | --outbox DIR [--json] [--summary | --limit COUNT]",
        .about = "Shows what a store or an outbox holds, beside a running node or sender or without one.",
        .table = table,
        .n = sizeof table / sizeof table[0],
    };
    enum pl_parsed parsed = pl_options_parse(&options, argc, argv, &operands);
    int status = parsed == PL_PARSED_HELP ? PL_EXIT_OK : PL_EXIT_USAGE;

    signal(SIGPIPE, SIG_IGN);
    if (parsed == PL_PARSED_OK)
        status = show(&a);
    pl_texts_free(&operands);
    return status;
}
