/*
 * apart.c: the floor with its two ends apart: what floor.c does in one thread, in two processes at once, a
 * core each, as the transport benchmark runs.
 *
 * One thread finds in its own caches what it has just sent, and has its core to itself. Two processes hand
 * every packet from one core to the other, and the cores of many machines share what is behind their caches.
 * That is paid by any transport between two processes, with a protocol or without: they stand on this
 * floor. No acknowledgements: the sender sees in shared memory what was taken, and keeps a window
 * before it.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crypto/run.h"
#include "lib/loopback.h"
#include "lib/process.h"
#include "link/link_limits.h"

enum {
    PACKETS = 40000 * PL_BATCH_PACKETS,
    PACKETS_SMALL = 6000 * PL_BATCH_PACKETS,
    WINDOW_PACKETS = 28 * PL_BATCH_PACKETS, /* about what the product has in flight */
    WINDOW_WAIT_US = 200,
    BACKLOG_BYTES = 4 << 20 /* gone round: more than the caches next to a core hold, as a backlog does */
};

/* Between the processes. */
struct shared {
    _Atomic uint64_t taken; /* packets opened */
    double receiver_ns;
};

struct end {
    struct loopback net;
    struct pl_aead *aead;
    struct pl_run run;
    struct shared *shared;
    uint8_t *backlog; /* BACKLOG_BYTES and a payload's more */
    size_t at;        /* in it */
};

static const struct pl_aead_ops *chosen(void)
{
    const char *name = getenv("AEAD");

    return name != NULL && strcmp(name, "openssl") == 0 ? &pl_aead_openssl : pl_aead_best();
}

static void fail(const char *what)
{
    fprintf(stderr, "apart: %s\n", what);
    exit(EXIT_FAILURE);
}

static void end_open(struct end *e)
{
    const struct pl_secret secret = {{1}, {2}};

    loopback_open(&e->net);
    e->backlog = malloc(BACKLOG_BYTES + PL_PAYLOAD_SIZE);
    e->shared = mmap(NULL, sizeof *e->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (e->backlog == NULL || e->shared == MAP_FAILED || pl_aead_new(&e->aead, chosen()) != PL_OK) {
        fail("out of memory");
    }
    memset(e->backlog, 1, BACKLOG_BYTES + PL_PAYLOAD_SIZE);
    pl_run_begin(&e->run, &secret, PL_SUITE_AES_128_GCM, 0, 1, 0, PL_RUN_PACKETS);
}

static uint8_t *next_payload(struct end *e)
{
    uint8_t *p = e->backlog + e->at;

    e->at = (e->at + PL_PAYLOAD_SIZE) % BACKLOG_BYTES;
    return p;
}

/* Opens all packets of a message and copies what was in them out. */
static void take(struct end *e, const struct loopback_message *message, uint64_t *number)
{
    for (size_t at = 0; at + PL_DATAGRAM_SIZE <= message->n; at += PL_DATAGRAM_SIZE) {
        uint8_t *packet = message->bytes + at;

        if (!pl_aead_open(e->aead, &e->run.key, (uint32_t)(*number)++,
                          (struct pl_bytes){packet, PL_HEADER_SIZE}, packet + PL_HEADER_SIZE,
                          PL_DATAGRAM_SIZE - PL_HEADER_SIZE)) {
            fail("a packet did not open, or one was lost");
        }
        memcpy(next_payload(e), packet + PL_HEADER_SIZE, PL_PAYLOAD_SIZE);
    }
}

static void receiver(struct end *e, uint64_t packets)
{
    struct loopback_message messages[LOOPBACK_MESSAGES];
    uint64_t number = 0;
    double before_ns = process_cpu_ns();

    while (number < packets) {
        size_t got = loopback_receive(&e->net, messages);

        if (got == 0) {
            fail("nothing came for a second: is net.core.rmem_max very small?");
        }
        for (size_t i = 0; i < got; i++) {
            take(e, &messages[i], &number);
        }
        atomic_store(&e->shared->taken, number);
    }
    e->shared->receiver_ns = process_cpu_ns() - before_ns;
    exit(EXIT_SUCCESS);
}

static void wait_for_window(const struct end *e, uint64_t sent)
{
    if (sent - atomic_load(&e->shared->taken) < WINDOW_PACKETS) {
        return;
    }
    while (sent - atomic_load(&e->shared->taken) > WINDOW_PACKETS / 2) {
        usleep(WINDOW_WAIT_US);
    }
}

static double sender(struct end *e, uint64_t packets)
{
    static uint8_t train[PL_BATCH_PACKETS][PL_DATAGRAM_SIZE];
    double before_ns = process_cpu_ns();
    uint32_t number;

    for (uint64_t sent = 0; sent < packets; sent += PL_BATCH_PACKETS) {
        wait_for_window(e, sent);
        for (size_t i = 0; i < PL_BATCH_PACKETS; i++) {
            memcpy(train[i] + PL_HEADER_SIZE, next_payload(e), PL_PAYLOAD_SIZE);
            if (!pl_run_seal(&e->run, e->aead, 1, train[i], PL_PAYLOAD_SIZE, &number)) {
                fail("a packet was not sealed");
            }
        }
        loopback_send(&e->net, train[0], sizeof train, PL_DATAGRAM_SIZE);
    }
    return process_cpu_ns() - before_ns;
}

int main(int argc, char **argv)
{
    uint64_t packets = process_is_small() ? PACKETS_SMALL : PACKETS;
    struct end *e = calloc(1, sizeof *e);

    if (argc > 1) {
        bool help = strcmp(argv[1], "--help") == 0;
        fputs(help ? "usage: apart\nThe floor with its ends in two processes.\n"
                     "AEAD=openssl leaves ipsec-mb out, SIZE=small is a short run.\n"
                   : "apart: no arguments are taken; --help tells more\n",
              help ? stdout : stderr);
        return help ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (e == NULL) {
        fail("out of memory");
    }
    end_open(e);
    pid_t pid = fork();
    if (pid == 0) {
        process_pin(1);
        receiver(e, packets);
    }
    process_pin(0);
    double sender_ns = sender(e, packets) / (double)packets;
    int status = 0;
    if (waitpid(pid, &status, 0) != pid || status != 0) {
        fail("the receiver failed");
    }
    double receiver_ns = e->shared->receiver_ns / (double)packets;
    printf("%d B packets, AES-128-GCM (%s), loopback, two processes; ns of CPU time a packet\n",
           PL_DATAGRAM_SIZE, chosen()->name);
    printf("sender %.0f, receiver %.0f, both %.0f\n", sender_ns, receiver_ns, sender_ns + receiver_ns);
    printf("RESULT {\"bench\": \"apart\", \"aead\": \"%s\", \"sender_ns\": %.1f, \"receiver_ns\": %.1f, "
           "\"floor\": %.1f}\n", chosen()->name, sender_ns, receiver_ns, sender_ns + receiver_ns);
    return EXIT_SUCCESS;
}
