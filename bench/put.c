/* put.c: what it costs to give a record to a device's outbox: in batches, one at a time, by eight threads,
 * with a commit each.
 *
 * 61 B records through the public interface; 'durable' counts the flushes of the disk below the directory.
 * The best of several rounds counts. A sender is one thread's at a time, so the eight take turns at it with a
 * lock, from the first record of a transaction to its commit.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/process.h"
#include "purelink.h"

enum {
    RECORD_BYTES = 61,
    BATCH = 4096,
    COMMIT_RECORDS = 16384,
    THREADS = 8,
    THREAD_BATCH = 1024,
    ROUNDS = 3
};

static void fail(const char *what)
{
    fprintf(stderr, "put: %s\n", what);
    exit(EXIT_FAILURE);
}

static void must(enum purelink_error error, const struct purelink_reason *reason)
{
    if (error != PURELINK_OK) {
        fail(reason != NULL && reason->text[0] != 0 ? reason->text : purelink_strerror(error));
    }
}

static struct purelink_sender *open_sender(const char *outbox)
{
    uint8_t own[PURELINK_KEY_SIZE], other[PURELINK_KEY_SIZE], node[PURELINK_KEY_SIZE];
    struct purelink_reason reason;
    struct purelink_sender *sender = NULL;

    must(purelink_key_generate(own), NULL);
    must(purelink_key_generate(other), NULL);
    must(purelink_key_public(other, node), NULL);
    struct purelink_sender_config config = {
        .size = sizeof config,
        .private_key = own,
        .node_key = node,
        .node = "127.0.0.1:9",
        .outbox = outbox,
        .outbox_max_bytes = (uint64_t)16 << 30,
    };
    must(purelink_sender_open(&sender, &config, &reason), &reason);
    return sender;
}

/* Puts one at a time, a commit each `commit` records. */
static void put_singly(struct purelink_sender *sender, size_t count, size_t commit)
{
    uint8_t record[RECORD_BYTES] = {0};
    struct purelink_reason reason;

    for (size_t i = 1; i <= count; i++) {
        memcpy(record, &i, sizeof i);
        must(purelink_sender_put(sender, "bench", record, sizeof record), NULL);
        if (i % commit == 0 || i == count) {
            must(purelink_sender_commit(sender, &reason), &reason);
        }
    }
}

static void put_batches(struct purelink_sender *sender, size_t count)
{
    static uint8_t bytes[BATCH][RECORD_BYTES];
    static struct purelink_record records[BATCH];
    struct purelink_reason reason;

    for (size_t i = 0; i < BATCH; i++) {
        records[i] = (struct purelink_record){bytes[i], RECORD_BYTES};
    }
    for (size_t done = 0; done < count;) {
        size_t n = count - done < BATCH ? count - done : BATCH;
        must(purelink_sender_put_many(sender, "bench", records, n, NULL), NULL);
        done += n;
        if (done % COMMIT_RECORDS == 0 || done == count) {
            must(purelink_sender_commit(sender, &reason), &reason);
        }
    }
}

struct shared {
    pthread_mutex_t lock;
    struct purelink_sender *sender;
    size_t left;
};

/* A transaction's worth, under the lock. Returns whether more is to be put. */
static bool put_turn(struct shared *shared, const struct purelink_record *records)
{
    struct purelink_reason reason;
    bool more;

    pthread_mutex_lock(&shared->lock);
    for (size_t put = 0; put < COMMIT_RECORDS && shared->left > 0; put += THREAD_BATCH) {
        size_t n = shared->left < THREAD_BATCH ? shared->left : THREAD_BATCH;
        must(purelink_sender_put_many(shared->sender, "bench", records, n, NULL), NULL);
        shared->left -= n;
    }
    must(purelink_sender_commit(shared->sender, &reason), &reason);
    more = shared->left > 0;
    pthread_mutex_unlock(&shared->lock);
    return more;
}

static void *put_share(void *arg)
{
    static const uint8_t bytes[RECORD_BYTES];
    struct purelink_record records[THREAD_BATCH];

    for (size_t i = 0; i < THREAD_BATCH; i++) {
        records[i] = (struct purelink_record){bytes, RECORD_BYTES};
    }
    while (put_turn(arg, records)) {
    }
    return NULL;
}

static void put_by_threads(struct purelink_sender *sender, size_t count)
{
    struct shared shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .sender = sender, .left = count};
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, put_share, &shared) != 0) {
            fail("no more threads");
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

enum way { BATCHED, SINGLE, EIGHT, DURABLE, WAYS };
static const struct {
    const char *name, *text;
    size_t count;
} ways[WAYS] = {
    [BATCHED] = {"batched", "4,096 a call, a commit each 16,384", 8000000},
    [SINGLE] = {"single", "one a call, a commit each 16,384", 4000000},
    [EIGHT] = {"eight_threads", "eight threads, 1,024 a call, a commit each 16,384", 4000000},
    [DURABLE] = {"durable", "one a call, a commit each", 2000},
};

static void put(struct purelink_sender *sender, enum way way, size_t count)
{
    if (way == BATCHED) {
        put_batches(sender, count);
    } else if (way == EIGHT) {
        put_by_threads(sender, count);
    } else {
        put_singly(sender, count, way == SINGLE ? COMMIT_RECORDS : 1);
    }
}

/* Into a new outbox. Returns records a second. */
static double measure(const char *scratch, enum way way, size_t count)
{
    char outbox[4096], command[4200];

    snprintf(outbox, sizeof outbox, "%s/outbox-%d", scratch, (int)way);
    struct purelink_sender *sender = open_sender(outbox);
    double before_ns = process_wall_ns();
    put(sender, way, count);
    double took_ns = process_wall_ns() - before_ns;
    struct purelink_sender_status status;
    purelink_sender_status(sender, &status);
    if (status.held_records != count) {
        fail("the outbox does not hold what was put");
    }
    purelink_sender_close(sender);
    snprintf(command, sizeof command, "rm -rf '%s'", outbox);
    if (system(command) != 0) {
        fail("cannot remove the outbox");
    }
    return 1e9 * (double)count / took_ns;
}

static void measure_all(const char *scratch)
{
    double best[WAYS] = {0};

    for (int round = 0; round < ROUNDS; round++) {
        for (int way = 0; way < WAYS; way++) {
            size_t count = process_is_small() ? ways[way].count / 4 : ways[way].count;
            double per_s = measure(scratch, (enum way)way, count);
            best[way] = per_s > best[way] ? per_s : best[way];
        }
    }
    printf("%d B records a second into a durable outbox below %s, the best of %d rounds\n", RECORD_BYTES,
           scratch, ROUNDS);
    for (int way = 0; way < WAYS; way++) {
        printf("%-50s%12.0f%s\n", ways[way].text, best[way],
               way != BATCHED     ? ""
               : best[way] >= 1e6 ? "   goal 1,000,000: met"
                                  : "   goal 1,000,000: missed");
    }
    printf("RESULT {\"bench\": \"put\"");
    for (int way = 0; way < WAYS; way++) {
        printf(", \"%s_per_s\": %.0f", ways[way].name, best[way]);
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    const char *tmp = getenv("TMPDIR");
    char scratch[4000];

    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        puts("usage: put [DIR]\n"
             "Outboxes are made below DIR (default: TMPDIR or /tmp) and removed. SIZE=small in the\n"
             "environment is a short run. The last line is RESULT {json}.");
        return EXIT_SUCCESS;
    }
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fail("one directory at most is taken; --help tells more");
    }
    snprintf(scratch, sizeof scratch, "%s/put-XXXXXX", argc > 1 ? argv[1] : tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(scratch) == NULL) {
        fprintf(stderr, "put: %s: ", argc > 1 ? argv[1] : "TMPDIR");
        perror("cannot make a directory");
        return EXIT_FAILURE;
    }
    measure_all(scratch);
    rmdir(scratch);
    return EXIT_SUCCESS;
}
