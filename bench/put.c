/* put.c: what it costs to give a record to a device's outbox: one at a time, in batches, singly committed.
 *
 *     put [DIR]      outboxes are made below DIR and removed; default: a directory of TMPDIR or /tmp
 *
 * 61 B records through the public interface. 'durable' counts the flushes of the disk below DIR. SIZE=small
 * makes a short run of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "purelink.h"

enum { RECORD_BYTES = 61, BATCH = 4096, COMMIT_RECORDS = 16384 };

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

static double wall_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

enum way { BATCHED, SINGLE, DURABLE, WAYS };
static const char *const names[WAYS] = {"batched", "single", "durable"};
static const char *const texts[WAYS] = {"4,096 a call, a commit each 16,384",
                                        "one a call, a commit each 16,384", "one a call, a commit each"};
static const size_t counts[WAYS] = {8000000, 4000000, 2000};

static double per_second(const char *scratch, enum way way, size_t count)
{
    char outbox[4096], command[4200];

    snprintf(outbox, sizeof outbox, "%s/outbox-%d", scratch, (int)way);
    struct purelink_sender *sender = open_sender(outbox);
    double before_s = wall_s();
    if (way == BATCHED) {
        put_batches(sender, count);
    } else {
        put_singly(sender, count, way == SINGLE ? COMMIT_RECORDS : 1);
    }
    double took_s = wall_s() - before_s;
    purelink_sender_close(sender);
    snprintf(command, sizeof command, "rm -rf '%s'", outbox);
    if (system(command) != 0) {
        fail("cannot remove the outbox");
    }
    return (double)count / took_s;
}

int main(int argc, char **argv)
{
    const char *size = getenv("SIZE"), *tmp = getenv("TMPDIR");
    bool small = size != NULL && strcmp(size, "small") == 0;
    double results[WAYS];
    char scratch[4000];

    snprintf(scratch, sizeof scratch, "%s/put-XXXXXX", argc > 1 ? argv[1] : tmp != NULL ? tmp : "/tmp");
    if (argc > 2 || mkdtemp(scratch) == NULL) {
        fail(argc > 2 ? "usage: put [DIR]" : "cannot make a directory");
    }
    printf("%d B records a second into a durable outbox below %s\n", RECORD_BYTES, scratch);
    for (int way = 0; way < WAYS; way++) {
        results[way] = per_second(scratch, (enum way)way, small ? counts[way] / 10 : counts[way]);
        printf("%-40s%12.0f\n", texts[way], results[way]);
    }
    rmdir(scratch);
    printf("RESULT {\"bench\": \"put\"");
    for (int way = 0; way < WAYS; way++) {
        printf(", \"%s_per_s\": %.0f", names[way], results[way]);
    }
    printf("}\n");
    return EXIT_SUCCESS;
}
