/* guard.c: the workload whose cost is watched: records of one size from a backlog to 'stored' over the
 * simulated network, always the same packets at the same virtual times.
 *
 * `guard RECORD_BYTES COUNT` prints one JSON object: what was counted, and the compiler. Instructions are
 * counted by whoever runs it (tests/guard/run): all that the sender does is below guard_sender_turn, all that
 * the receiver does below guard_receiver_turn. A turn stands for what a thread does before it looks at its
 * socket again; between two turns TURN_US pass. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/wire.h"
#include "lib/endpoint.h"
#include "link/link_varint.h"
#include "sim/net.h"
#include "sim/sim.h"

enum { SEED = 1, LIFE = 1, BLOCK_RECORDS = 64, TURN_US = 100, PORT_OF_RECEIVER = 4502, TURNS_MAX = 1000000 };

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

struct backlog {
    uint8_t *bytes; /* BLOCK_RECORDS framed records */
    size_t framed_bytes, part;
    uint64_t given, count;
    uint32_t slot;
};

struct arrival {
    size_t framed_bytes;
    uint64_t next;
};

static struct endpoint ends[2];
static struct backlog backlog;

static void backlog_begin(size_t record_bytes, uint64_t count)
{
    size_t head = pl_varint_size(record_bytes);

    backlog = (struct backlog){.framed_bytes = head + record_bytes, .count = count};
    backlog.bytes = sim_alloc(BLOCK_RECORDS * backlog.framed_bytes);
    memset(backlog.bytes, 0x5a, BLOCK_RECORDS * backlog.framed_bytes);
    for (size_t i = 0; i < BLOCK_RECORDS; i++) {
        pl_varint_encode(backlog.bytes + i * backlog.framed_bytes, record_bytes);
    }
}

static void offer(void)
{
    struct backlog *b = &backlog;
    size_t all = BLOCK_RECORDS * b->framed_bytes;

    while (b->given < b->count) {
        struct pl_bytes rest = {b->bytes + b->part, all - b->part};
        b->part += pl_link_offer(ends[0].link, b->slot, LIFE, 1, 0, rest);
        if (b->part < all) {
            return;
        }
        b->part = 0;
        b->given += BLOCK_RECORDS;
        pl_link_mark(ends[0].link, b->slot, b->given + 1);
    }
}

/* Not inlined and not static: counting is switched on and off by their names. */
void guard_sender_turn(void);
void guard_receiver_turn(void);

__attribute__((noinline)) void guard_sender_turn(void)
{
    offer();
    endpoint_turn(&ends[0]);
}

__attribute__((noinline)) void guard_receiver_turn(void)
{
    endpoint_turn(&ends[1]);
}

static void check(void *ctx, const struct pl_delivery *delivery)
{
    struct arrival *a = ctx;

    if (delivery->first_number != a->next || delivery->bytes.n != delivery->count * a->framed_bytes) {
        sim_fail("records out of order at %llu", (unsigned long long)a->next);
    }
    a->next += delivery->count;
}

/* On to the next arrival or deadline, and never less than a turn. */
static void pass_time(void)
{
    uint64_t next_us = net_due_us();

    for (int i = 0; i < 2; i++) {
        uint64_t deadline_us = pl_link_deadline(ends[i].link);
        next_us = deadline_us < next_us ? deadline_us : next_us;
    }
    if (next_us == SIM_NEVER) {
        sim_fail("nothing is under way and nothing is due");
    }
    sim.now_us += TURN_US;
    sim.now_us = next_us > sim.now_us ? next_us : sim.now_us;
}

static void begin(size_t record_bytes, uint64_t count)
{
    struct pl_place from = {.number = 1, .life = LIFE, .life_first = 1};
    struct pl_bytes name = {(const uint8_t *)"guard", strlen("guard")};
    struct pl_address peer = {.family = PL_ADDRESS_IPV4, .port = PORT_OF_RECEIVER, .ip = {127, 0, 0, 1}};

    wire_begin(SEED);
    endpoint_io = &wire_io;
    endpoint_open(&ends[0]);
    endpoint_open(&ends[1]);
    endpoint_link(&ends[0], true, &peer);
    endpoint_link(&ends[1], false, NULL);
    backlog_begin(record_bytes, count);
    if (pl_link_stream_add(ends[0].link, 1, name, &from, &backlog.slot) != PL_OK) {
        sim_fail("no stream");
    }
}

static void run(size_t record_bytes, uint64_t count)
{
    static struct arrival arrival;

    begin(record_bytes, count);
    arrival = (struct arrival){.framed_bytes = backlog.framed_bytes, .next = 1};
    ends[1].check = check;
    ends[1].check_ctx = &arrival;
    for (unsigned turn = 0; ends[0].stored < count; turn++) {
        if (turn == TURNS_MAX) {
            sim_fail("stored %llu of %llu records after %u turns", (unsigned long long)ends[0].stored,
                     (unsigned long long)count, turn);
        }
        if (turn > 0) {
            pass_time();
        }
        wire_arrive();
        guard_sender_turn();
        guard_receiver_turn();
    }
}

static void report(size_t record_bytes, uint64_t count)
{
    printf("{\"compiler\": \"%s\", \"aead\": \"%s\", \"record_bytes\": %zu, "
           "\"records\": %llu, \"packets\": %llu, \"sends\": %llu, \"answers\": %llu, "
           "\"hash\": \"%016llx\"}\n",
           COMPILER, endpoint_aead()->name, record_bytes, (unsigned long long)count,
           (unsigned long long)ends[0].sent_datagrams, (unsigned long long)ends[0].send_calls,
           (unsigned long long)ends[1].sent_datagrams, (unsigned long long)sim.hash);
}

int main(int argc, char **argv)
{
    unsigned long long bytes = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    unsigned long long count = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

    if (bytes == 0 || bytes > PL_RECORD_MAX || count == 0 || count % BLOCK_RECORDS != 0) {
        fprintf(stderr, "usage: guard RECORD_BYTES COUNT; bytes 1 to 1048576, a multiple of %d records\n",
                BLOCK_RECORDS);
        return EXIT_FAILURE;
    }
    if (setjmp(sim.out) != 0) {
        fprintf(stderr, "guard: %s\n", sim.why);
        return EXIT_FAILURE;
    }
    run((size_t)bytes, count);
    report((size_t)bytes, count);
    return EXIT_SUCCESS;
}
