/* drain.c: a device's durable outbox drained into a node's store, both whole, over the loopback.
 *
 * The backlog is put before the clock starts; then it is sent until the node has said of all of it that it is
 * stored. Two processes, a core each if there are two; CPU is what each thread ran. Afterwards the store is
 * read and every record compared. bench/versus-drain runs it in turn with a rival.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/threads.h"
#include "purelink.h"

enum { BATCH = 1024, ADDRESS_ROOM = 80, RECORD_MAX = 1 << 20, FILL = 0x5a, START_RECORDS = 50000 };

static const char help[] =
    "usage: drain [--records BYTES] [--count N] [--dir DIR] [--spread]\n"
    "A durable outbox of N records drained into a node's store over the loopback.\n"
    "  --records  bytes of a record, 8 to 1048576 (default 61)\n"
    "  --count    1 and more (default 1000000)\n"
    "  --dir      where outbox and store are made and removed (default: TMPDIR or /tmp)\n"
    "  --spread   leave the processes to all cores: the node has two busy threads\n"
    "The last line is RESULT {json}: rate_after_start leaves the first 50,000 records out.\n";

struct setup {
    size_t record_bytes;
    uint64_t count;
    const char *dir;
    bool spread;
};

static struct purelink_node *node;

static void fail(const char *what)
{
    fprintf(stderr, "drain: %s\n", what);
    exit(EXIT_FAILURE);
}

static void must(enum purelink_error error, const struct purelink_reason *reason)
{
    if (error != PURELINK_OK) {
        fail(reason != NULL && reason->text[0] != 0 ? reason->text : purelink_strerror(error));
    }
}

static void stop(int signal)
{
    (void)signal;
    purelink_node_stop(node);
}

/* The node's process: tells its address, serves until told to end, tells the CPU time of its threads. */
static void serve(const char *store, const uint8_t key[PURELINK_KEY_SIZE],
                  const uint8_t device[PURELINK_KEY_SIZE], int report)
{
    const char *listen[] = {"127.0.0.1:0"};
    struct purelink_reason reason;
    struct purelink_node_config config = {
        .size = sizeof config, .private_key = key, .store = store, .listen = listen, .listen_count = 1};
    struct purelink_peer peer = {"device", device};
    struct threads_cpu before, used;
    char address[ADDRESS_ROOM] = "";

    must(purelink_node_open(&node, &config, &reason), &reason);
    must(purelink_node_set_senders(node, &peer, 1, &reason), &reason);
    signal(SIGTERM, stop);
    must(purelink_node_start(node, &reason), &reason);
    must(purelink_node_address(node, 0, address, sizeof address), NULL);
    threads_read(&before);
    if (write(report, address, sizeof address) != sizeof address) {
        fail("cannot report");
    }
    while (purelink_node_wait(node, -1, &reason) == PURELINK_E_AGAIN) {
    }
    threads_read(&used);
    threads_less(&used, &before);
    if (write(report, &used, sizeof used) != sizeof used) {
        fail("cannot report");
    }
    purelink_node_close(node);
    exit(EXIT_SUCCESS);
}

/* Record `number`: the number, then a filling. */
static void make_record(uint8_t *bytes, size_t n, uint64_t number)
{
    memset(bytes, FILL, n);
    memcpy(bytes, &number, sizeof number);
}

static void fill(struct purelink_sender *sender, size_t record_bytes, uint64_t count)
{
    uint8_t *bytes = malloc(BATCH * record_bytes);
    static struct purelink_record records[BATCH];
    struct purelink_reason reason;

    if (bytes == NULL) {
        fail("out of memory");
    }
    for (uint64_t done = 0; done < count;) {
        size_t n = count - done < BATCH ? (size_t)(count - done) : BATCH;
        for (size_t i = 0; i < n; i++) {
            records[i] = (struct purelink_record){bytes + i * record_bytes, record_bytes};
            make_record(bytes + i * record_bytes, record_bytes, done + i + 1);
        }
        must(purelink_sender_put_many(sender, "bench", records, n, NULL), NULL);
        must(purelink_sender_commit(sender, &reason), &reason);
        done += n;
    }
    free(bytes);
}

/* Reads the store: each record must be there, once, in order and unchanged. */
static void check_store(const char *store, size_t record_bytes, uint64_t count)
{
    struct purelink_reader_config config = {.size = sizeof config, .store = store};
    struct purelink_reader *reader = NULL;
    struct purelink_reason reason;
    struct purelink_entry entry;
    uint8_t *expected = malloc(record_bytes);
    uint64_t read = 0;

    if (expected == NULL) {
        fail("out of memory");
    }
    must(purelink_reader_open(&reader, &config, &reason), &reason);
    while (purelink_reader_next(reader, &entry, &reason) == PURELINK_OK) {
        make_record(expected, record_bytes, ++read);
        if (entry.kind != PURELINK_RECORD || entry.data_size != record_bytes ||
            memcmp(entry.data, expected, record_bytes) != 0) {
            fail("the store does not hold what was put");
        }
    }
    if (read != count) {
        fail("the store does not hold all that was put");
    }
    purelink_reader_close(reader);
    free(expected);
}

static struct purelink_sender *open_sender(const char *outbox, const char *address, const uint8_t *key,
                                           const uint8_t *node_key)
{
    struct purelink_sender *sender = NULL;
    struct purelink_reason reason;
    struct purelink_sender_config config = {
        .size = sizeof config,
        .private_key = key,
        .node_key = node_key,
        .node = address,
        .outbox = outbox,
        .outbox_max_bytes = (uint64_t)16 << 30,
    };

    must(purelink_sender_open(&sender, &config, &reason), &reason);
    return sender;
}

struct drained {
    double seconds, rate_after_start;
};

/* Sends until all is stored. The start is sent in slices of a millisecond, to see when it is over. */
static struct drained drain(struct purelink_sender *sender, uint64_t count)
{
    struct purelink_sender_status status = {.stored_records = 0};
    enum purelink_error error = PURELINK_E_TIMEOUT;
    double begin_ns = process_wall_ns(), start_ns = begin_ns;
    uint64_t start_records = 0;

    while (error == PURELINK_E_TIMEOUT && count > START_RECORDS && start_records < START_RECORDS) {
        error = purelink_sender_run(sender, 1);
        purelink_sender_status(sender, &status);
        start_records = status.stored_records;
        start_ns = process_wall_ns();
    }
    must(purelink_sender_run(sender, -1), NULL);
    double end_ns = process_wall_ns();
    double after_s = 1e-9 * (end_ns - start_ns);
    double left = count > start_records ? (double)(count - start_records) : 0;
    return (struct drained){1e-9 * (end_ns - begin_ns), after_s > 0 ? left / after_s : 0};
}

static void report(const struct setup *setup, const struct drained *drained, double device_ns,
                   const struct threads_cpu *threads)
{
    double records = (double)setup->count;

    printf("RESULT {\"bench\": \"drain\", \"records_per_s\": %.0f, \"rate_after_start\": %.0f, "
           "\"cpu_ns\": %.1f, \"device_ns\": %.1f, \"network_ns\": %.1f, \"store_ns\": %.1f, "
           "\"other_ns\": %.1f}\n",
           records / drained->seconds, drained->rate_after_start,
           (device_ns + threads_sum(threads)) / records, device_ns / records,
           threads_last(threads) / records, threads_first(threads) / records,
           (threads_sum(threads) - threads_last(threads) - threads_first(threads)) / records);
}

static void remove_all(const char *scratch)
{
    char command[4096];

    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    if (system(command) != 0) {
        fail("cannot remove outbox and store");
    }
}

static void pin(const struct setup *setup, int which)
{
    if (!setup->spread) {
        process_pin(which);
    }
}

static void run(const struct setup *setup, const char *scratch)
{
    uint8_t keys[2][PURELINK_KEY_SIZE], public_keys[2][PURELINK_KEY_SIZE];
    char outbox[4096], store[4096], address[ADDRESS_ROOM];
    struct threads_cpu threads;
    int pipes[2];

    snprintf(outbox, sizeof outbox, "%s/outbox", scratch);
    snprintf(store, sizeof store, "%s/store", scratch);
    for (int i = 0; i < 2; i++) {
        must(purelink_key_generate(keys[i]), NULL);
        must(purelink_key_public(keys[i], public_keys[i]), NULL);
    }
    pid_t pid = pipe(pipes) == 0 ? fork() : -1;
    if (pid == 0) {
        pin(setup, 1);
        close(pipes[0]);
        serve(store, keys[0], public_keys[1], pipes[1]);
    }
    close(pipes[1]);
    if (pid < 0 || read(pipes[0], address, sizeof address) != sizeof address) {
        fail("the node did not start");
    }
    struct purelink_sender *sender = open_sender(outbox, address, keys[1], public_keys[0]);
    fill(sender, setup->record_bytes, setup->count);
    pin(setup, 0);
    double cpu_before_ns = process_cpu_ns();
    struct drained drained = drain(sender, setup->count);
    double device_ns = process_cpu_ns() - cpu_before_ns;
    kill(pid, SIGTERM);
    if (read(pipes[0], &threads, sizeof threads) != sizeof threads) {
        fail("the node ended early");
    }
    waitpid(pid, NULL, 0);
    purelink_sender_close(sender);
    check_store(store, setup->record_bytes, setup->count);
    report(setup, &drained, device_ns, &threads);
}

static struct setup parse(int argc, char **argv)
{
    static const struct option options[] = {{"records", required_argument, NULL, 'r'},
                                            {"count", required_argument, NULL, 'c'},
                                            {"dir", required_argument, NULL, 'd'},
                                            {"spread", no_argument, NULL, 's'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *tmp = getenv("TMPDIR");
    struct setup setup = {61, 1000000, tmp != NULL ? tmp : "/tmp", false};

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'r':
            setup.record_bytes = process_number("drain: --records", optarg, sizeof(uint64_t), RECORD_MAX);
            break;
        case 'c':
            setup.count = process_number("drain: --count", optarg, 1, UINT64_MAX);
            break;
        case 'd':
            setup.dir = optarg;
            break;
        case 's':
            setup.spread = true;
            break;
        case 'h':
            fputs(help, stdout);
            exit(EXIT_SUCCESS);
        default:
            fputs(help, stderr);
            exit(EXIT_FAILURE);
        }
    }
    if (optind < argc) {
        fail("only options are taken; --help lists them");
    }
    return setup;
}

int main(int argc, char **argv)
{
    struct setup setup = parse(argc, argv);
    char scratch[4000];

    snprintf(scratch, sizeof scratch, "%s/drain-XXXXXX", setup.dir);
    if (mkdtemp(scratch) == NULL) {
        fprintf(stderr, "drain: %s: ", setup.dir);
        perror("cannot make a directory");
        return EXIT_FAILURE;
    }
    run(&setup, scratch);
    remove_all(scratch);
    return EXIT_SUCCESS;
}
