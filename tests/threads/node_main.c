/*
 * A node with all its threads, four senders in threads of their own, and lists reloaded meanwhile: every
 * record is stored once and in order. A plain program, to be run under ThreadSanitizer.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "purelink.h"

enum { SENDERS = 4, RECORDS = 3000, BATCHES = 10, RELOADS = 20, TIMEOUT_MS = 60000 };

static char dir[] = "/tmp/node_main_XXXXXX";
static char address[80];
static uint8_t node_public[PURELINK_KEY_SIZE];

struct sender {
    pthread_t thread;
    int index;
    uint8_t key[PURELINK_KEY_SIZE], public_key[PURELINK_KEY_SIZE];
    char name[16];
};
static struct sender senders[SENDERS];

static void check(bool good, const char *what, const char *why)
{
    if (good)
        return;
    fprintf(stderr, "node: %s: %s\n", what, why);
    exit(1);
}

static void *send_all(void *arg)
{
    struct sender *s = arg;
    char outbox[64];
    struct purelink_reason reason = {""};
    struct purelink_sender *sender;
    snprintf(outbox, sizeof outbox, "%s/outbox%d", dir, s->index);
    struct purelink_sender_config config = {.size = sizeof config,
                                            .private_key = s->key,
                                            .node_key = node_public,
                                            .node = address,
                                            .outbox = outbox};
    check(purelink_sender_open(&sender, &config, &reason) == PURELINK_OK, "open", reason.text);
    for (int batch = 0; batch < BATCHES; batch++) {
        for (int i = 0; i < RECORDS / BATCHES; i++) {
            char text[32];
            int n = snprintf(text, sizeof text, "%d", batch * (RECORDS / BATCHES) + i);
            check(purelink_sender_put(sender, "s", text, (size_t)n) == PURELINK_OK, "put", s->name);
        }
        check(purelink_sender_commit(sender, &reason) == PURELINK_OK, "commit", reason.text);
        check(purelink_sender_run(sender, TIMEOUT_MS) == PURELINK_OK, "not stored in time", s->name);
    }
    purelink_sender_close(sender);
    return NULL;
}

static void set_senders(struct purelink_node *node)
{
    struct purelink_peer peers[SENDERS];
    struct purelink_reason reason = {""};
    for (int i = 0; i < SENDERS; i++)
        peers[i] = (struct purelink_peer){senders[i].name, senders[i].public_key};
    check(purelink_node_set_senders(node, peers, SENDERS, &reason) == PURELINK_OK, "list", reason.text);
}

static struct purelink_node *start(const char *store)
{
    static const char *const listen[] = {"127.0.0.1:0"};
    uint8_t key[PURELINK_KEY_SIZE];
    struct purelink_reason reason = {""};
    struct purelink_node *node;
    struct purelink_node_config config = {.size = sizeof config,
                                          .private_key = key,
                                          .store = store,
                                          .listen = listen,
                                          .listen_count = 1,
                                          .link_idle_ms = 50,
                                          .store_max_bytes = 64 << 20};
    check(purelink_key_generate(key) == PURELINK_OK && purelink_key_public(key, node_public) == PURELINK_OK,
          "no key", "");
    check(purelink_node_open(&node, &config, &reason) == PURELINK_OK, "open", reason.text);
    check(purelink_node_address(node, 0, address, sizeof address) == PURELINK_OK, "no address", "");
    set_senders(node);
    check(purelink_node_start(node, &reason) == PURELINK_OK, "start", reason.text);
    return node;
}

static void check_stored(const char *store)
{
    int next[SENDERS] = {0};
    struct purelink_reader *reader;
    struct purelink_entry e;
    struct purelink_reason reason = {""};
    struct purelink_reader_config config = {.size = sizeof config, .store = store};
    check(purelink_reader_open(&reader, &config, &reason) == PURELINK_OK, "reader", reason.text);
    while (purelink_reader_next(reader, &e, &reason) == PURELINK_OK) {
        int i = e.source[0] - 'a';
        char text[32];
        int n = snprintf(text, sizeof text, "%d", next[i]++);
        check(e.data_size == (size_t)n && memcmp(e.data, text, (size_t)n) == 0, "wrong record",
              senders[i].name);
    }
    for (int i = 0; i < SENDERS; i++)
        check(next[i] == RECORDS, "records are missing", senders[i].name);
    purelink_reader_close(reader);
}

int main(void)
{
    char store[64], command[64];
    check(mkdtemp(dir) != NULL, "no folder", dir);
    snprintf(store, sizeof store, "%s/store", dir);
    for (int i = 0; i < SENDERS; i++) {
        senders[i].index = i;
        snprintf(senders[i].name, sizeof senders[i].name, "%c", 'a' + i);
        purelink_key_generate(senders[i].key);
        purelink_key_public(senders[i].key, senders[i].public_key);
    }
    struct purelink_node *node = start(store);
    for (int i = 0; i < SENDERS; i++)
        check(pthread_create(&senders[i].thread, NULL, send_all, &senders[i]) == 0, "no thread", "");
    for (int i = 0; i < RELOADS; i++) {
        struct purelink_node_status status;
        set_senders(node);
        purelink_node_status(node, &status);
        check(purelink_node_wait(node, 20, NULL) == PURELINK_E_TIMEOUT, "ended", status.last_error);
    }
    for (int i = 0; i < SENDERS; i++)
        pthread_join(senders[i].thread, NULL);
    purelink_node_close(node);
    check_stored(store);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    check(system(command) == 0, "not removed", dir);
    printf("node: %d records\n", SENDERS * RECORDS);
    return 0;
}
