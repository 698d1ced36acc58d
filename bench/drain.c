/* drain.c: a device's durable outbox drained into a node's store, both whole, over the loopback.
 *
 *     drain [DIR]     outbox and store are made below DIR and removed; default: a directory of TMPDIR or /tmp
 *
 * The backlog is put before the clock starts; then it is sent until the node has said of all of it that it is
 * stored. Two processes; CPU is user + system time of each, all threads. SIZE=small makes a short run of it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "purelink.h"

enum { CASES = 5, BATCH = 1024, ADDRESS_ROOM = 80 };
static const struct {
    size_t record_bytes, count;
    bool long_only;
} cases[CASES] = {{61, 100000, false}, {61, 1000000, false}, {61, 10000000, true}, {1013, 200000, false},
                  {16013, 20000, false}};

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

static double wall_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_s(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void stop(int signal)
{
    (void)signal;
    purelink_node_stop(node);
}

/* The node's process: tells its address, serves until told to end, tells its CPU time. */
static void serve(const char *store, const uint8_t key[PURELINK_KEY_SIZE],
                  const uint8_t device[PURELINK_KEY_SIZE], int report)
{
    const char *listen[] = {"127.0.0.1:0"};
    struct purelink_reason reason;
    struct purelink_node_config config = {
        .size = sizeof config, .private_key = key, .store = store, .listen = listen, .listen_count = 1};
    struct purelink_peer peer = {"device", device};
    char address[ADDRESS_ROOM] = "";

    must(purelink_node_open(&node, &config, &reason), &reason);
    must(purelink_node_set_senders(node, &peer, 1, &reason), &reason);
    signal(SIGTERM, stop);
    must(purelink_node_start(node, &reason), &reason);
    must(purelink_node_address(node, 0, address, sizeof address), NULL);
    double before_s = cpu_s();
    if (write(report, address, sizeof address) != sizeof address) {
        fail("cannot report");
    }
    while (purelink_node_wait(node, -1, &reason) == PURELINK_E_AGAIN) {
    }
    double used_s = cpu_s() - before_s;
    if (write(report, &used_s, sizeof used_s) != sizeof used_s) {
        fail("cannot report");
    }
    purelink_node_close(node);
    exit(EXIT_SUCCESS);
}

static void fill(struct purelink_sender *sender, size_t record_bytes, size_t count)
{
    uint8_t *bytes = calloc(1, record_bytes);
    static struct purelink_record records[BATCH];
    struct purelink_reason reason;

    if (bytes == NULL) {
        fail("out of memory");
    }
    for (size_t i = 0; i < BATCH; i++) {
        records[i] = (struct purelink_record){bytes, record_bytes};
    }
    for (size_t done = 0; done < count;) {
        size_t n = count - done < BATCH ? count - done : BATCH;
        must(purelink_sender_put_many(sender, "bench", records, n, NULL), NULL);
        must(purelink_sender_commit(sender, &reason), &reason);
        done += n;
    }
    free(bytes);
}

struct result {
    double records_per_s, device_ns, node_ns;
};

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

static struct result run(const char *scratch, size_t record_bytes, size_t count)
{
    uint8_t keys[2][PURELINK_KEY_SIZE], public_keys[2][PURELINK_KEY_SIZE];
    char outbox[4096], store[4096], command[8300], address[ADDRESS_ROOM];
    double node_s = 0;
    int report[2];

    snprintf(outbox, sizeof outbox, "%s/outbox", scratch);
    snprintf(store, sizeof store, "%s/store", scratch);
    for (int i = 0; i < 2; i++) {
        must(purelink_key_generate(keys[i]), NULL);
        must(purelink_key_public(keys[i], public_keys[i]), NULL);
    }
    fflush(stdout);
    pid_t pid = pipe(report) == 0 ? fork() : -1;
    if (pid == 0) {
        serve(store, keys[0], public_keys[1], report[1]);
    }
    if (pid < 0 || read(report[0], address, sizeof address) != sizeof address) {
        fail("the node did not start");
    }
    struct purelink_sender *sender = open_sender(outbox, address, keys[1], public_keys[0]);
    fill(sender, record_bytes, count);
    double before_s = wall_s(), cpu_before_s = cpu_s();
    must(purelink_sender_run(sender, -1), NULL);
    double took_s = wall_s() - before_s, device_s = cpu_s() - cpu_before_s;
    kill(pid, SIGTERM);
    if (read(report[0], &node_s, sizeof node_s) != sizeof node_s) {
        fail("the node ended early");
    }
    waitpid(pid, NULL, 0);
    purelink_sender_close(sender);
    close(report[0]);
    close(report[1]);
    snprintf(command, sizeof command, "rm -rf '%s' '%s'", outbox, store);
    if (system(command) != 0) {
        fail("cannot remove outbox and store");
    }
    double records = (double)count;
    return (struct result){records / took_s, 1e9 * device_s / records, 1e9 * node_s / records};
}

int main(int argc, char **argv)
{
    const char *size = getenv("SIZE"), *tmp = getenv("TMPDIR");
    bool small = size != NULL && strcmp(size, "small") == 0;
    char scratch[4000];

    snprintf(scratch, sizeof scratch, "%s/drain-XXXXXX", argc > 1 ? argv[1] : tmp != NULL ? tmp : "/tmp");
    if (argc > 2 || mkdtemp(scratch) == NULL) {
        fail(argc > 2 ? "usage: drain [DIR]" : "cannot make a directory");
    }
    printf("a durable outbox drained into a store, below %s; CPU ns a record\n", scratch);
    printf("%8s%12s%14s%10s%10s\n", "record", "backlog", "records/s", "device", "node");
    char json[1024] = "";
    for (int i = 0; i < CASES; i++) {
        if (small && cases[i].long_only) {
            continue;
        }
        struct result r = run(scratch, cases[i].record_bytes, cases[i].count);
        printf("%8zu%12zu%14.0f%10.0f%10.0f\n", cases[i].record_bytes, cases[i].count, r.records_per_s,
               r.device_ns, r.node_ns);
        size_t used = strlen(json);
        snprintf(json + used, sizeof json - used, ", \"records_per_s_%zu_%zu\": %.0f", cases[i].record_bytes,
                 cases[i].count, r.records_per_s);
    }
    rmdir(scratch);
    printf("RESULT {\"bench\": \"drain\"%s}\n", json);
    return EXIT_SUCCESS;
}
