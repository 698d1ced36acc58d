/* send.c: `purelink send`: its options, the keys it reads, and the signals that end it. */
#include <signal.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/send_loop.h"

enum { RATE_MAX = 10000000, TIMEOUT_MAX_S = 31536000, OUTBOX_MIN_MB = 16 };

struct arguments {
    const char *key, *node, *node_key, *outbox, *stream, *resume, *follow, *suite, *keylog;
    bool framed;
    uint64_t rate, timeout_s, outbox_max_mb;
    struct pl_texts files;
};

static const uint64_t no_timeout = UINT64_MAX;
static volatile sig_atomic_t signals;
static struct purelink_sender *volatile signalled;

static void on_signal(int number)
{
    (void)number;
    signals = signals + 1;
    if (signalled)
        purelink_sender_stop(signalled);
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static enum pl_parsed parse(struct arguments *a, int argc, char **argv)
{
    const struct pl_option table[] = {
        {"key", "FILE", "private key of this device", PL_OPTION_TEXT, true, &a->key, 0, 0},
        {"node", "ADDRESS:PORT", "where the node listens; a name is looked up", PL_OPTION_TEXT, true,
         &a->node, 0, 0},
        {"node-key", "PUBLIC", "public key of the node", PL_OPTION_TEXT, true, &a->node_key, 0, 0},
        {"outbox", "DIR", "where records are kept until they are stored; made at need", PL_OPTION_TEXT, true,
         &a->outbox, 0, 0},
        {"stream", "NAME", "the stream the records belong to", PL_OPTION_TEXT, true, &a->stream, 0, 0},
        {"framed", NULL, "a length of 4 bytes, big endian, before each record", PL_OPTION_FLAG, false,
         &a->framed, 0, 0},
        {"rate", "N", "take at most N records a second", PL_OPTION_NUMBER, false, &a->rate, 1, RATE_MAX},
        {"timeout", "SECONDS", "give up (exit 75) so long after the last record was taken", PL_OPTION_NUMBER,
         false, &a->timeout_s, 0, TIMEOUT_MAX_S},
        {"resume", "FILE", "keep the place in FILE and go on there next time", PL_OPTION_TEXT, false,
         &a->resume, 0, 0},
        {"follow", "FILE", "as --resume, and wait for more", PL_OPTION_TEXT, false, &a->follow, 0, 0},
        {"outbox-max", "MB", "largest size of the outbox in megabytes, 1024 if not given", PL_OPTION_NUMBER,
         false, &a->outbox_max_mb, OUTBOX_MIN_MB, 1024 * 1024},
        {"suite", "NAME", "aes-128-gcm, or chacha20-poly1305 for processors without AES", PL_OPTION_TEXT,
         false, &a->suite, 0, 0},
        {"keylog", "FILE", PL_KEYLOG_HELP, PL_OPTION_TEXT, false, &a->keylog, 0, 0},
    };
    const struct pl_options options = {
        .command = "send",
        .synopsis = "--key FILE --node ADDRESS:PORT --node-key PUBLIC --outbox DIR --stream NAME [OPTION]... "
                    "[FILE... | --resume FILE | --follow FILE]",
        .about = "Sends each line of the files, or of standard input, as a record to a node, through\n"
                 "an outbox on this disk.\n\n"
                 "Exit status: 0 all is stored at the node; 75 all is kept in the outbox but not\n"
                 "stored in time; 65 the node refused; 64 wrong usage; 74 a file or the system failed.",
        .table = table,
        .n = sizeof table / sizeof table[0],
        .operands_max = SIZE_MAX,
    };
    return pl_options_parse(&options, argc, argv, &a->files);
}

static bool check_combination(const struct arguments *a)
{
    const char *wrong = NULL;
    if (a->resume && a->follow)
        wrong = "--resume and --follow exclude each other: give one";
    else if ((a->resume || a->follow) && a->files.n > 0)
        wrong = "--resume and --follow read one file: no other FILE may be given";
    else if (a->follow && a->timeout_s != no_timeout)
        wrong = "--follow does not end by itself: --timeout has no meaning with it";
    else if ((a->resume && strcmp(a->resume, "-") == 0) || (a->follow && strcmp(a->follow, "-") == 0))
        wrong = "standard input has no place to keep: --resume and --follow need a file";
    if (wrong)
        pl_complain("send", "%s", wrong);
    return !wrong;
}

static bool is_usage(enum purelink_error e)
{
    return e == PURELINK_E_KEY || e == PURELINK_E_ADDRESS || e == PURELINK_E_USAGE || e == PURELINK_E_NAME ||
           e == PURELINK_E_NOT_FOUND || e == PURELINK_E_PERMISSION;
}

static int status_of(enum purelink_error e)
{
    return e == PURELINK_OK ? PL_EXIT_OK : is_usage(e) ? PL_EXIT_USAGE : PL_EXIT_FAILED;
}

static enum purelink_error open_sender(const struct arguments *a, struct purelink_sender **sender)
{
    uint8_t own[PURELINK_KEY_SIZE], node[PURELINK_KEY_SIZE];
    struct purelink_reason reason = {""};
    const char *where = "";
    enum purelink_error e = purelink_key_from_text(a->node_key, node, &reason);
    if (e != PURELINK_OK)
        where = "--node-key: ";
    else
        e = purelink_key_read(a->key, own, &reason);
    if (e == PURELINK_OK) {
        struct purelink_sender_config config = {.size = sizeof config,
                                                .private_key = own,
                                                .node_key = node,
                                                .node = a->node,
                                                .outbox = a->outbox,
                                                .outbox_max_bytes = a->outbox_max_mb * 1024 * 1024,
                                                .keylog = a->keylog,
                                                .suite = a->suite};
        e = purelink_sender_open(sender, &config, &reason);
        where = e == PURELINK_E_ADDRESS ? "--node: " : "";
    }
    purelink_wipe(own, sizeof own);
    if (e != PURELINK_OK)
        pl_complain("send", "%s%s", where, reason.text);
    else if (a->keylog)
        pl_complain("send", PL_KEYLOG_WARNING, a->keylog);
    return e;
}

static void choose_input(const struct arguments *a, struct pl_input_options *options)
{
    static const char *const standard_input[] = {"-"};
    bool given = a->files.n > 0;
    *options = (struct pl_input_options){.files = given ? a->files.items : standard_input,
                                         .files_n = given ? a->files.n : 1,
                                         .framed = a->framed,
                                         .stream = a->stream,
                                         .keep_place = a->resume || a->follow,
                                         .follow = a->follow != NULL};
    if (options->keep_place)
        options->files = a->resume ? &a->resume : &a->follow;
}

static int send_all(const struct arguments *a, struct purelink_sender *sender, struct pl_input *input)
{
    struct pl_send_loop loop = {.sender = sender,
                                .input = input,
                                .rate = a->rate,
                                .signals = &signals,
                                .has_timeout = a->timeout_s != no_timeout,
                                .outbox = a->outbox,
                                .keylog = a->keylog != NULL,
                                .timeout_ms = a->timeout_s == no_timeout ? 0 : a->timeout_s * 1000};
    return pl_send_loop(&loop);
}

static int run(const struct arguments *a)
{
    struct purelink_sender *sender = NULL;
    struct pl_input input = {0};
    struct pl_input_options options;
    choose_input(a, &options);
    enum purelink_error e = pl_input_check(&options);
    if (e == PURELINK_OK)
        e = open_sender(a, &sender);
    if (e != PURELINK_OK)
        return status_of(e);
    signalled = sender;
    watch_signals();
    e = pl_input_open(&input, &options, sender);
    int status = e == PURELINK_OK ? send_all(a, sender, &input) : status_of(e);
    pl_input_close(&input);
    signalled = NULL;
    purelink_sender_close(sender);
    return status;
}

int pl_command_send(int argc, char **argv)
{
    struct arguments a = {.timeout_s = no_timeout};
    enum pl_parsed parsed = parse(&a, argc, argv);
    int status = parsed == PL_PARSED_HELP ? PL_EXIT_OK : PL_EXIT_USAGE;
    if (parsed == PL_PARSED_OK && check_combination(&a))
        status = run(&a);
    pl_texts_free(&a.files);
    return status;
}
