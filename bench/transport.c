/* transport.c: what a record costs from a backlog on one side to 'stored' on the other, without a store.
 *
 * Two processes, a socket each on the loopback, the product's engine, crypto and I/O between; every record
 * is checked byte for byte. CPU is user + system time of both processes. bench/versus runs it in turn with a
 * rival and with the floor.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/endpoint.h"
#include "lib/pattern.h"
#include "lib/process.h"

enum { LIFE = 1, DATAGRAM_MAX = 9000, FEEDS_A_TURN = 16 /* as the device does */ };

static const char help[] =
    "usage: transport [--records BYTES|FILE] [--count N] [--datagram BYTES]\n"
    "What a record costs from a backlog on one side to 'stored' on the other, CPU of both sides.\n"
    "  --records  the size of all records, or a file of sizes, a line each, taken in turn (default 61)\n"
    "  --count    records (default 1000000)\n"
    "  --datagram UDP payload of a packet, 1200 to 9000 (default 1200)\n"
    "AEAD=openssl in the environment leaves ipsec-mb out. The last line is RESULT {json}.\n";

struct usage {
    double cpu_ns;
    uint64_t datagrams, calls;
};

static void fail(const char *what)
{
    fprintf(stderr, "transport: %s\n", what);
    exit(EXIT_FAILURE);
}

static void check(void *ctx, const struct pl_delivery *delivery)
{
    struct pattern_place *place = ctx;

    if (delivery->first_number != place->next || !pattern_check(place, delivery->bytes, delivery->count)) {
        fail("a record came changed, or out of order");
    }
}

/* The receiving process: until all came, and then until nothing is left to answer. */
static void receiver(struct endpoint *e, struct pattern_place *place, uint64_t count, int report)
{
    struct usage own = {.cpu_ns = 0};

    e->check = check;
    e->check_ctx = place;
    endpoint_link(e, false, NULL);
    double before_ns = process_cpu_ns();
    while (place->next <= count || pl_link_deadline(e->link) != PL_NEVER) {
        if (!endpoint_turn(e)) {
            endpoint_wait(e);
        }
    }
    own.cpu_ns = process_cpu_ns() - before_ns;
    own.datagrams = e->sent_datagrams;
    own.calls = e->send_calls;
    if (write(report, &own, sizeof own) != sizeof own) {
        fail("cannot report");
    }
    exit(EXIT_SUCCESS);
}

/* Offers the backlog as far as the line takes it. */
static void offer(struct endpoint *e, uint32_t slot, struct pattern_place *place, uint64_t count)
{
    for (;;) {
        struct pl_bytes rest = pattern_rest(place, count);
        if (rest.n == 0) {
            return;
        }
        size_t taken = pl_link_offer(e->link, slot, LIFE, 1, 0, rest);
        pattern_taken(place, taken);
        if (taken < rest.n) {
            return;
        }
        if (place->at == 0) {
            pl_link_mark(e->link, slot, place->next);
        }
    }
}

/* Offers and sends in turns. True if anything left. */
static bool feed(struct endpoint *e, uint32_t slot, struct pattern_place *place, uint64_t count)
{
    bool moved = false;

    for (unsigned i = 0; i < FEEDS_A_TURN; i++) {
        offer(e, slot, place, count);
        if (!endpoint_send(e)) {
            break;
        }
        moved = true;
    }
    return moved;
}

static struct usage sender(struct endpoint *e, const struct pl_address *peer, struct pattern_place *place,
                           uint64_t count)
{
    struct pl_place from = {.number = 1, .life = LIFE, .life_first = 1};
    struct pl_bytes name = {(const uint8_t *)"bench", strlen("bench")};
    uint32_t slot = 0;

    endpoint_link(e, true, peer);
    if (pl_link_stream_add(e->link, 1, name, &from, &slot) != PL_OK) {
        fail("no stream");
    }
    double before_ns = process_cpu_ns();
    while (e->stored < count) {
        bool moved = feed(e, slot, place, count);
        if (!endpoint_turn(e) && !moved) {
            endpoint_wait(e);
        }
    }
    return (struct usage){process_cpu_ns() - before_ns, e->sent_datagrams, e->send_calls};
}

static void report(const struct usage *ours, const struct usage *theirs, double took_ns, uint64_t count)
{
    double records = (double)count;

    printf("RESULT {\"bench\": \"transport\", \"aead\": \"%s\", \"cpu_ns\": %.1f, \"sender_ns\": %.1f, "
           "\"receiver_ns\": %.1f, \"records_per_s\": %.0f, \"records_per_packet\": %.3f, "
           "\"acks_per_packet\": %.4f, \"segments_per_send\": %.1f}\n",
           endpoint_aead()->name, (ours->cpu_ns + theirs->cpu_ns) / records, ours->cpu_ns / records,
           theirs->cpu_ns / records, 1e9 * records / took_ns, records / (double)ours->datagrams,
           (double)theirs->datagrams / (double)ours->datagrams,
           (double)ours->datagrams / (double)ours->calls);
}

static void run(const char *records, uint64_t count, size_t datagram_bytes)
{
    struct endpoint *ends = calloc(2, sizeof *ends);
    struct pattern_place place = {.next = 1};
    struct usage theirs;
    int pipes[2];

    if (ends == NULL || pipe(pipes) != 0) {
        fail("out of memory");
    }
    pattern_parse(&place.pattern, records);
    for (int i = 0; i < 2; i++) {
        ends[i].datagram_bytes = datagram_bytes;
        endpoint_open(&ends[i]);
    }
    struct pl_address peer = endpoint_address(&ends[1]);
    pid_t pid = fork();
    if (pid == 0) {
        process_pin(1);
        receiver(&ends[1], &place, count, pipes[1]);
    }
    process_pin(0);
    close(pipes[1]);
    double before_ns = process_wall_ns();
    struct usage ours = sender(&ends[0], &peer, &place, count);
    double took_ns = process_wall_ns() - before_ns;
    if (read(pipes[0], &theirs, sizeof theirs) != sizeof theirs) {
        fail("the receiver ended early");
    }
    waitpid(pid, NULL, 0);
    report(&ours, &theirs, took_ns, count);
    for (int i = 0; i < 2; i++) {
        endpoint_close(&ends[i]);
    }
    pattern_free(&place.pattern);
    free(ends);
    close(pipes[0]);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"records", required_argument, NULL, 'r'},
                                            {"count", required_argument, NULL, 'c'},
                                            {"datagram", required_argument, NULL, 'd'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *records = "61";
    uint64_t count = 1000000;
    size_t datagram_bytes = PL_DATAGRAM_SIZE;

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'r':
            records = optarg;
            break;
        case 'c':
            count = process_number("transport: --count", optarg, 1, UINT64_MAX);
            break;
        case 'd':
            datagram_bytes = process_number("transport: --datagram", optarg, PL_DATAGRAM_SIZE, DATAGRAM_MAX);
            break;
        case 'h':
            fputs(help, stdout);
            return EXIT_SUCCESS;
        default:
            fputs(help, stderr);
            return EXIT_FAILURE;
        }
    }
    if (optind < argc) {
        fail("no arguments are taken but options; --help lists them");
    }
    run(records, count, datagram_bytes);
    return EXIT_SUCCESS;
}
