/* serve.c: runs a node until a signal ends it. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "purelink.h"

enum { END_SECONDS = 5, SIGNAL_STATUS = 128, DAY_MS = 86400000, KEEP_DAYS_MAX = 36500 };
enum { KEYLOG_LOOK_MS = 1000 }; /* how late it is told that keys could not be written */

struct arguments {
    const char *key, *senders, *store, *keylog;
    struct pl_texts listen;
    uint64_t link_idle_ms, keep_days, keep_bytes;
};

/* What signal handlers touch. */
static struct purelink_node *_Atomic running;
static atomic_int ending;
static atomic_bool hung_up;

static void on_end(int signal_number)
{
    if (atomic_exchange(&ending, signal_number) != 0)
        _exit(SIGNAL_STATUS + signal_number);
    struct purelink_node *node = atomic_load(&running);
    alarm(END_SECONDS);
    if (node)
        purelink_node_stop(node);
}

/* All that was called stored is on the disk: leaving now loses nothing. */
static void on_alarm(int signal_number)
{
    static const char text[] =
        "purelink serve: the disk or the network did not answer in time: ended anyway\n";

    (void)signal_number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(PL_EXIT_FAILED);
}

static void on_hangup(int signal_number)
{
    struct purelink_node *node = atomic_load(&running);

    (void)signal_number;
    atomic_store(&hung_up, true);
    if (node)
        purelink_node_wake(node);
}

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

static void handle_signals(struct purelink_node *node)
{
    atomic_store(&running, node);
    handle(SIGTERM, on_end);
    handle(SIGINT, on_end);
    handle(SIGALRM, on_alarm);
    handle(SIGHUP, on_hangup);
    handle(SIGPIPE, SIG_IGN);
}

static int status_of(enum purelink_error e)
{
    switch (e) {
    case PURELINK_E_USAGE:
    case PURELINK_E_KEY:
    case PURELINK_E_NAME:
    case PURELINK_E_ADDRESS:
    case PURELINK_E_EXISTS: return PL_EXIT_USAGE;
    default: return PL_EXIT_FAILED;
    }
}

static int fail(enum purelink_error e, const struct purelink_reason *reason)
{
    pl_complain("serve", "%s", reason->text);
    return status_of(e);
}

static void say_ready(const struct purelink_node *node, const uint8_t *key)
{
    char address[80], text[PURELINK_KEY_TEXT_SIZE] = "";
    uint8_t public_key[PURELINK_KEY_SIZE];

    fprintf(stderr, "purelink serve: ready, listening on");
    for (size_t i = 0; purelink_node_address(node, i, address, sizeof address) == PURELINK_OK; i++)
        fprintf(stderr, " %s", address);
    if (purelink_key_public(key, public_key) == PURELINK_OK)
        purelink_key_to_text(public_key, text);
    fprintf(stderr, ", public key %s\n", text);
}

static void reload(struct purelink_node *node, const char *senders)
{
    struct purelink_reason reason;
    enum purelink_error e = purelink_node_load_senders(node, senders, &reason);

    if (e == PURELINK_OK)
        fprintf(stderr, "purelink serve: %s: in force\n", senders);
    else if (e != PURELINK_E_CLOSED)
        pl_complain("serve", "%s; the list before it stays in force", reason.text);
}

/* Says how many keys the log lacks; false: none. */
static bool tell_keys_lost(struct purelink_node *node, const char *more)
{
    struct purelink_node_status status;

    purelink_node_status(node, &status);
    if (status.keylog_lost > 0)
        pl_complain("serve", "%llu keys are missing from the key log: %s%s",
                    (unsigned long long)status.keylog_lost, status.keylog_error, more);
    return status.keylog_lost > 0;
}

/* Runs until a signal or the store ends it. */
static int run(struct purelink_node *node, const struct arguments *a)
{
    struct purelink_reason reason;
    bool told = false;

    for (;;) {
        enum purelink_error e = purelink_node_wait(node, a->keylog ? KEYLOG_LOOK_MS : -1, &reason);
        told = told || (a->keylog && tell_keys_lost(node, "; further losses are told at the end"));
        if (e == PURELINK_E_CLOSED)
            return PL_EXIT_OK;
        if (e != PURELINK_E_AGAIN && e != PURELINK_E_TIMEOUT) {
            pl_complain("serve", "storing has failed, nothing more is received: %s", reason.text);
            return PL_EXIT_FAILED;
        }
        if (atomic_exchange(&hung_up, false))
            reload(node, a->senders);
    }
}

static int serve_opened(struct purelink_node *node, const struct arguments *a, const uint8_t *key)
{
    struct purelink_reason reason;

    handle_signals(node);
    enum purelink_error e = purelink_node_load_senders(node, a->senders, &reason);
    if (e == PURELINK_E_CLOSED)
        return PL_EXIT_OK;
    if (e == PURELINK_OK)
        e = purelink_node_start(node, &reason);
    if (e != PURELINK_OK)
        return fail(e, &reason);
    if (a->keylog)
        pl_complain("serve", PL_KEYLOG_WARNING, a->keylog);
    say_ready(node, key);
    int status = run(node, a);
    if (a->keylog)
        (void)tell_keys_lost(node, "");
    return status;
}

/* Without a store there yet, a senders file with a mistake must not leave an empty one behind. With one, the
 * file is read only if it changed. */
static enum purelink_error look_first(const struct arguments *a, const uint8_t *key,
                                      struct purelink_reason *reason)
{
    return access(a->store, F_OK) == 0 ? PURELINK_OK : purelink_senders_check(a->senders, key, reason);
}

static int serve(const struct arguments *a)
{
    uint8_t key[PURELINK_KEY_SIZE];
    struct purelink_reason reason = {""};
    struct purelink_node *node = NULL;
    struct purelink_node_config config = {
        .size = sizeof config,
        .private_key = key,
        .store = a->store,
        .listen = a->listen.items,
        .listen_count = a->listen.n,
        .link_idle_ms = a->link_idle_ms,
        .keep_ms = a->keep_days * DAY_MS,
        .keep_bytes = a->keep_bytes,
        .keylog = a->keylog,
    };
    enum purelink_error e = purelink_key_read(a->key, key, &reason);

    if (e != PURELINK_OK)
        return fail(PURELINK_E_KEY, &reason);
    e = look_first(a, key, &reason);
    if (e == PURELINK_OK)
        e = purelink_node_open(&node, &config, &reason);
    int status = e == PURELINK_OK ? PL_EXIT_OK : fail(e, &reason);
    if (e == PURELINK_OK && reason.text[0])
        pl_complain("serve", "%s", reason.text);
    if (e == PURELINK_OK) {
        status = serve_opened(node, a, key);
        /* Signals come to this thread alone: from here on none touches the node. */
        atomic_store(&running, NULL);
        purelink_node_close(node);
    }
    purelink_wipe(key, sizeof key);
    return status;
}

int pl_command_serve(int argc, char **argv)
{
    struct arguments a = {.link_idle_ms = 30000};
    struct pl_texts operands;
    const struct pl_option table[] = {
        {"key", "FILE", "private key of this node (see purelink genkey)", PL_OPTION_TEXT, true, &a.key, 0, 0},
        {"senders", "FILE", "who may send: lines of NAME PUBLIC-KEY; read again on SIGHUP", PL_OPTION_TEXT,
         true, &a.senders, 0, 0},
        {"store", "DIR", "where records are stored; made if it is not there", PL_OPTION_TEXT, true, &a.store,
         0, 0},
        {"listen", "ADDRESS:PORT", "address to receive on; may be given several times", PL_OPTION_LIST, true,
         &a.listen, 0, 0},
        {"link-idle-ms", "N", "give a link's memory back after so long without a packet (30000)",
         PL_OPTION_NUMBER, false, &a.link_idle_ms, 1000, 86400000},
        {"keep-days", "N", "delete records stored more than N days ago, read or not (0, keep all)",
         PL_OPTION_NUMBER, false, &a.keep_days, 0, KEEP_DAYS_MAX},
        {"keep-bytes", "SIZE", "delete the oldest when all take more, such as 500M or 10G (0, keep all)",
         PL_OPTION_SIZE, false, &a.keep_bytes, 0, UINT64_MAX},
        {"keylog", "FILE", PL_KEYLOG_HELP, PL_OPTION_TEXT, false, &a.keylog, 0, 0},
    };
    const struct pl_options options = {
        .command = "serve",
        .synopsis = "--key FILE --senders FILE --store DIR --listen ADDRESS:PORT...",
        .about = "Receives records from the senders listed and stores them. Says on standard error when\n"
                 "it is ready. SIGTERM and SIGINT end it within 5 s, a second one at once.",
        .table = table,
        .n = sizeof table / sizeof table[0],
    };
    enum pl_parsed parsed = pl_options_parse(&options, argc, argv, &operands);
    int status = parsed == PL_PARSED_HELP ? PL_EXIT_OK : PL_EXIT_USAGE;

    if (parsed == PL_PARSED_OK)
        status = serve(&a);
    pl_texts_free(&operands);
    pl_texts_free(&a.listen);
    return status;
}
