/* sender_main.c: one sender, put to, committed, aborted and closed by several threads in turn, for
 * ThreadSanitizer. A plain main: Criterion does not start under it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "purelink.h"

enum { THREADS = 4, TURNS = 1000, PUT_RECORDS = 5, REOPEN_TURNS = 50 };

static struct {
    pthread_mutex_t lock;          /* the caller's: one thread at a time */
    struct purelink_sender *sender;
    struct purelink_sender_config config;
    int turn;
    uint64_t given, committed;     /* records of this opening */
    uint64_t total;                /* committed in all */
    unsigned failed;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool reopen(void)
{
    struct purelink_sender_status status;
    purelink_sender_close(shared.sender);
    shared.given = shared.committed = 0;
    if (purelink_sender_open(&shared.sender, &shared.config, NULL) != PURELINK_OK)
        return false;
    purelink_sender_status(shared.sender, &status);
    return status.held_records == shared.total;
}

static bool commit(void)
{
    struct purelink_sender_status status;
    enum purelink_error e = purelink_sender_commit(shared.sender, NULL);
    shared.total += shared.given - shared.committed;
    shared.committed = shared.given;
    purelink_sender_status(shared.sender, &status);
    return e == PURELINK_OK && status.given_records == shared.committed;
}

static bool put(void)
{
    uint8_t record[3000] = {0};
    enum purelink_error e = PURELINK_OK;
    for (int i = 0; i < PUT_RECORDS && e == PURELINK_OK; i++, shared.given++)
        e = purelink_sender_put(shared.sender, "threads", record, i == 3 ? sizeof record : 61);
    return e == PURELINK_OK && purelink_sender_run(shared.sender, 0) != PURELINK_E_STORE;
}

static bool take_turn(int turn)
{
    if (turn % REOPEN_TURNS == 0 && !reopen())
        return false;
    switch (turn % 7) {
    case 2:
    case 5: return commit();
    case 6:
        purelink_sender_abort(shared.sender);
        shared.given = shared.committed;
        return true;
    default: return put();
    }
}

static void *take_turns(void *arg)
{
    bool more = true;
    (void)arg;
    while (more) {
        pthread_mutex_lock(&shared.lock);
        more = shared.turn < TURNS && shared.failed == 0;
        if (more)
            shared.failed += !take_turn(++shared.turn);
        pthread_mutex_unlock(&shared.lock);
        usleep(1); /* another one's turn */
    }
    return NULL;
}

static bool start(const char *outbox, uint8_t own[PURELINK_KEY_SIZE], uint8_t node[PURELINK_KEY_SIZE])
{
    uint8_t other[PURELINK_KEY_SIZE];
    shared.config = (struct purelink_sender_config){.size = sizeof shared.config,
                                                    .private_key = own,
                                                    .node_key = node,
                                                    .node = "127.0.0.1:9",
                                                    .outbox = outbox};
    return purelink_key_generate(own) == PURELINK_OK && purelink_key_generate(other) == PURELINK_OK &&
           purelink_key_public(other, node) == PURELINK_OK &&
           purelink_sender_open(&shared.sender, &shared.config, NULL) == PURELINK_OK;
}

int main(void)
{
    char outbox[] = "/tmp/purelink-threads-XXXXXX", command[64];
    uint8_t own[PURELINK_KEY_SIZE], node[PURELINK_KEY_SIZE];
    pthread_t threads[THREADS];
    bool started = mkdtemp(outbox) != NULL && start(outbox, own, node);
    int running = 0;
    while (started && running < THREADS &&
           pthread_create(&threads[running], NULL, take_turns, NULL) == 0)
        running++;
    for (int i = 0; i < running; i++)
        pthread_join(threads[i], NULL);
    purelink_sender_close(shared.sender);
    snprintf(command, sizeof command, "rm -rf '%s'", outbox);
    bool removed = system(command) == 0;
    printf("%d turns passed, %u failed\n", shared.turn, shared.failed);
    return running < THREADS || !removed || shared.failed != 0 || shared.total == 0;
}
