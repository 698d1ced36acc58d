/*
 * floor.c: the least a sealed packet of 1,200 B can cost: what is left of a transport without its protocol.
 *
 * One thread does, for a chunk of packets at a time: copy the payload in, seal, send over loopback in trains
 * of a given length (GSO), receive (GRO), open, copy the payload out. Each step is timed by itself in CPU
 * time; then what came out is compared with what went in. The sum is the floor that the transport benchmark
 * is measured against. On loopback the kernel's receive path mostly runs inside the sender's call, so 'send'
 * carries part of it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/run.h"
#include "lib/loopback.h"
#include "lib/process.h"
#include "lib/timing.h"
#include "link/link_limits.h"

enum {
    CHUNK_PACKETS_MAX = 540,    /* a multiple of every train length below */
    KERNEL_PACKET_BYTES = 4096, /* what one datagram takes of a receive buffer, amply */
    ROUNDS = 12,
    ROUNDS_SMALL = 3,
    ROUND_PACKETS = 20 * CHUNK_PACKETS_MAX
};

enum step { COPY_IN, SEAL, SEND, RECEIVE, OPEN, COPY_OUT, STEPS };

static const char *const step_names[STEPS] = {"copy_in", "seal", "send", "receive", "open", "copy_out"};
static const size_t train_lengths[] = {1, 4, 10, 20, PL_BATCH_PACKETS};

enum { TRAINS = sizeof train_lengths / sizeof train_lengths[0] };

/* CPU time of each step, per packet. */
struct costs {
    double ns[STEPS];
};

struct floor {
    struct loopback net;
    struct pl_aead *aead;
    struct pl_run run;
    uint32_t next_number; /* of the next packet to be opened */
    size_t taken;         /* packets of the chunk that were received */
    uint64_t step_ns[STEPS], clock_ns;
    uint8_t source[CHUNK_PACKETS_MAX][PL_PAYLOAD_SIZE], sink[CHUNK_PACKETS_MAX][PL_PAYLOAD_SIZE];
    uint8_t packets[CHUNK_PACKETS_MAX][PL_DATAGRAM_SIZE];
};

/* The best AEAD of this build, or OpenSSL's if AEAD=openssl is in the environment. */
static const struct pl_aead_ops *chosen(void)
{
    const char *name = getenv("AEAD");

    return name != NULL && strcmp(name, "openssl") == 0 ? &pl_aead_openssl : pl_aead_best();
}

static void fail(const char *what)
{
    fprintf(stderr, "floor: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Charges the time since the last charge to `step`. */
static void charge(struct floor *f, enum step step)
{
    uint64_t now_ns = bench_cpu_ns();

    f->step_ns[step] += now_ns - f->clock_ns;
    f->clock_ns = now_ns;
}

static void copy_in(struct floor *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(f->packets[i] + PL_HEADER_SIZE, f->source[i], PL_PAYLOAD_SIZE);
    }
    charge(f, COPY_IN);
}

static void seal(struct floor *f, size_t count)
{
    uint32_t number;

    for (size_t i = 0; i < count; i++) {
        if (!pl_run_seal(&f->run, f->aead, 1, f->packets[i], PL_PAYLOAD_SIZE, &number)) {
            fail("a packet was not sealed");
        }
    }
    charge(f, SEAL);
}

static void send_trains(struct floor *f, size_t count, size_t train)
{
    for (size_t i = 0; i < count; i += train) {
        loopback_send(&f->net, f->packets[i], train * PL_DATAGRAM_SIZE, PL_DATAGRAM_SIZE);
    }
    charge(f, SEND);
}

/* Opens all packets of the messages where they lie. */
static void open_messages(struct floor *f, const struct loopback_message *messages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t at = 0; at < messages[i].n; at += PL_DATAGRAM_SIZE) {
            uint8_t *packet = messages[i].bytes + at;

            if (messages[i].segment_bytes != PL_DATAGRAM_SIZE || messages[i].n - at < PL_DATAGRAM_SIZE ||
                !pl_aead_open(f->aead, &f->run.key, f->next_number++,
                              (struct pl_bytes){packet, PL_HEADER_SIZE}, packet + PL_HEADER_SIZE,
                              PL_DATAGRAM_SIZE - PL_HEADER_SIZE)) {
                fail("a packet did not open");
            }
        }
    }
    charge(f, OPEN);
}

static void copy_out(struct floor *f, const struct loopback_message *messages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t at = 0; at < messages[i].n; at += PL_DATAGRAM_SIZE) {
            memcpy(f->sink[f->taken++], messages[i].bytes + at + PL_HEADER_SIZE, PL_PAYLOAD_SIZE);
        }
    }
    charge(f, COPY_OUT);
}

static void receive_all(struct floor *f, size_t count)
{
    struct loopback_message messages[LOOPBACK_MESSAGES];

    for (f->taken = 0; f->taken < count;) {
        size_t got = loopback_receive(&f->net, messages);

        charge(f, RECEIVE);
        if (got == 0) {
            fail("packets were lost on loopback: is net.core.rmem_max very small?");
        }
        open_messages(f, messages, got);
        copy_out(f, messages, got);
    }
}

/* As many packets as the receive buffer holds, whole trains. */
static size_t chunk_packets(const struct floor *f, size_t train)
{
    size_t fit = f->net.receive_buffer_bytes / KERNEL_PACKET_BYTES;
    size_t chunk = fit < CHUNK_PACKETS_MAX ? fit : CHUNK_PACKETS_MAX;

    return chunk < train ? train : chunk - chunk % train;
}

/* One round of trains of one length, its run included. */
static struct costs measure_round(struct floor *f, size_t train, uint64_t run_id)
{
    const struct pl_secret secret = {{1}, {2}};
    size_t chunk = chunk_packets(f, train), done;
    struct costs costs;

    pl_run_begin(&f->run, &secret, PL_SUITE_AES_128_GCM, 0, run_id, 0, PL_RUN_PACKETS);
    f->next_number = 0;
    memset(f->step_ns, 0, sizeof f->step_ns);
    for (done = 0; done < ROUND_PACKETS; done += chunk) {
        memset(f->source, (int)(done / chunk), sizeof f->source);
        f->clock_ns = bench_cpu_ns();
        copy_in(f, chunk);
        seal(f, chunk);
        send_trains(f, chunk, train);
        receive_all(f, chunk);
        if (memcmp(f->source, f->sink, chunk * PL_PAYLOAD_SIZE) != 0) {
            fail("what came out is not what went in");
        }
    }
    pl_run_end(&f->run, f->aead);
    for (int step = 0; step < STEPS; step++) {
        costs.ns[step] = (double)f->step_ns[step] / (double)done;
    }
    return costs;
}

static double sum_ns(const struct costs *costs)
{
    double ns = 0;

    for (int step = 0; step < STEPS; step++) {
        ns += costs->ns[step];
    }
    return ns;
}

/* For each train length the round with the least sum. Lengths take turns, so that a busy spell hits all of
 * them. */
static void measure(struct floor *f, struct costs best[TRAINS])
{
    const uint64_t rounds = process_is_small() ? ROUNDS_SMALL : ROUNDS;

    for (uint64_t round = 0; round < rounds; round++) {
        for (int i = 0; i < TRAINS; i++) {
            struct costs costs = measure_round(f, train_lengths[i], round * TRAINS + (uint64_t)i);

            if (round == 0 || sum_ns(&costs) < sum_ns(&best[i])) {
                best[i] = costs;
            }
        }
    }
}

static void print_table(const struct costs costs[TRAINS])
{
    printf("%d B packets, AES-128-GCM (%s), loopback; ns of CPU time a packet, by packets in a train\n",
           PL_DATAGRAM_SIZE, chosen()->name);
    printf("%6s", "train");
    for (int step = 0; step < STEPS; step++) {
        printf("%10s", step_names[step]);
    }
    printf("%10s\n", "floor");
    for (int i = 0; i < TRAINS; i++) {
        printf("%6zu", train_lengths[i]);
        for (int step = 0; step < STEPS; step++) {
            printf("%10.0f", costs[i].ns[step]);
        }
        printf("%10.0f\n", sum_ns(&costs[i]));
    }
}

static void print_result(const struct costs costs[TRAINS])
{
    printf("RESULT {\"bench\": \"floor\", \"packet_bytes\": %d, \"suite\": %d, \"aead\": \"%s\", \"ns\": {",
           PL_DATAGRAM_SIZE, PL_SUITE_AES_128_GCM, chosen()->name);
    for (int i = 0; i < TRAINS; i++) {
        printf("%s\"%zu\": {", i > 0 ? ", " : "", train_lengths[i]);
        for (int step = 0; step < STEPS; step++) {
            printf("\"%s\": %.1f, ", step_names[step], costs[i].ns[step]);
        }
        printf("\"floor\": %.1f}", sum_ns(&costs[i]));
    }
    printf("}}\n");
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        bool help = strcmp(argv[1], "--help") == 0;
        fputs(help ? "usage: floor\nAEAD=openssl leaves ipsec-mb out, SIZE=small is a short run.\n"
                   : "floor: no arguments are taken; --help tells more\n",
              help ? stdout : stderr);
        return help ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    struct floor *f = calloc(1, sizeof *f);
    struct costs costs[TRAINS];

    if (f == NULL || pl_aead_new(&f->aead, chosen()) != PL_OK) {
        fail("out of memory");
    }
    process_pin(0);
    loopback_open(&f->net);
    measure(f, costs);
    loopback_close(&f->net);
    pl_aead_free(f->aead);
    free(f);
    print_table(costs);
    print_result(costs);
    return EXIT_SUCCESS;
}
