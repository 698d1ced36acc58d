/* transport.c: what a record costs from a backlog on one side to 'stored' on the other, without a store.
 *
 * Two processes, a socket each on the loopback, the product's engine, crypto and I/O between; every record
 * is checked byte for byte. CPU is user + system time of both processes. The floor is measured by
 * build/bench/floor in the same minute: that of a 1,200 B packet x (record + its size field) / what of a
 * packet carries records. SIZE=small makes a short run of it.
 *
 * `transport RECORD_BYTES COUNT` measures one size alone and prints only its RESULT: what bench/versus runs
 * in turn with a rival.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/endpoint.h"
#include "link/link_varint.h"

enum { SIZES = 3, BLOCK_RECORDS = 64, LIFE = 1, FILL = 0x5a };
static const size_t record_sizes[SIZES] = {61, 1013, 16013};
static const uint64_t record_counts[SIZES] = {8000000, 600000, 40000};
static const uint64_t small_counts[SIZES] = {400000, 40000, 3000};

/* Framed records with their number in the first eight bytes. */
struct block {
    size_t record_bytes, framed_bytes, head_bytes;
    uint8_t *bytes;
};

struct usage {
    double cpu_ns;
    uint64_t datagrams, calls;
};

static void fail(const char *what)
{
    fprintf(stderr, "transport: %s\n", what);
    exit(EXIT_FAILURE);
}

static struct block block_new(size_t record_bytes)
{
    struct block b = {.record_bytes = record_bytes, .head_bytes = pl_varint_size(record_bytes)};

    b.framed_bytes = b.head_bytes + record_bytes;
    b.bytes = malloc(BLOCK_RECORDS * b.framed_bytes);
    if (b.bytes == NULL) {
        fail("out of memory");
    }
    memset(b.bytes, FILL, BLOCK_RECORDS * b.framed_bytes);
    for (size_t i = 0; i < BLOCK_RECORDS; i++) {
        pl_varint_encode(b.bytes + i * b.framed_bytes, record_bytes);
    }
    return b;
}

static void block_number(struct block *b, uint64_t first)
{
    for (uint64_t i = 0; i < BLOCK_RECORDS; i++) {
        uint64_t number = first + i;
        memcpy(b->bytes + i * b->framed_bytes + b->head_bytes, &number, sizeof number);
    }
}

struct checker {
    struct block expected; /* its first record serves as the pattern */
    uint64_t next;
};

static void check(void *ctx, const struct pl_delivery *delivery)
{
    struct checker *c = ctx;
    size_t framed = c->expected.framed_bytes;

    if (delivery->first_number != c->next || delivery->bytes.n != delivery->count * framed) {
        fail("records out of order");
    }
    for (uint32_t i = 0; i < delivery->count; i++) {
        memcpy(c->expected.bytes + c->expected.head_bytes, &c->next, sizeof c->next);
        if (memcmp(delivery->bytes.p + i * framed, c->expected.bytes, framed) != 0) {
            fail("a record came changed");
        }
        c->next++;
    }
}

static double cpu_ns(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return 1e9 * (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e3 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double wall_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* A core for each process, if there are two: a scheduler's moves are not what is measured. */
static void pin(int which)
{
    cpu_set_t allowed, one;
    int seen = 0;

    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) {
        return;
    }
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && seen++ == which) {
            CPU_SET(cpu, &one);
        }
    }
    sched_setaffinity(0, sizeof one, &one);
}

/* The receiving process: until all came, and then until the sender closes the pipe. */
static void receiver(struct endpoint *e, size_t record_bytes, uint64_t count, int report)
{
    struct checker c = {.expected = block_new(record_bytes), .next = 1};
    struct usage usage = {.cpu_ns = 0};

    e->check = check;
    e->check_ctx = &c;
    endpoint_link(e, false, NULL);
    double before_ns = cpu_ns();
    while (c.next <= count || pl_link_deadline(e->link) != PL_NEVER) {
        if (!endpoint_turn(e)) {
            endpoint_wait(e);
        }
    }
    usage.cpu_ns = cpu_ns() - before_ns;
    usage.datagrams = e->sent_datagrams;
    usage.calls = e->send_calls;
    if (write(report, &usage, sizeof usage) != sizeof usage) {
        fail("cannot report");
    }
    exit(EXIT_SUCCESS);
}

/* Offers the backlog as far as the line takes it. */
static void offer(struct endpoint *e, uint32_t slot, struct block *b, uint64_t *given, size_t *part,
                  uint64_t count)
{
    size_t all = BLOCK_RECORDS * b->framed_bytes;

    while (*given < count) {
        if (*part == 0) {
            block_number(b, *given + 1);
        }
        struct pl_bytes rest = {b->bytes + *part, all - *part};
        size_t taken = pl_link_offer(e->link, slot, LIFE, 1, 0, rest);
        *part += taken;
        if (*part < all) {
            return;
        }
        *part = 0;
        *given += BLOCK_RECORDS;
    }
}

static struct usage sender(struct endpoint *e, const struct pl_address *peer, size_t record_bytes,
                           uint64_t count)
{
    struct block b = block_new(record_bytes);
    struct pl_place from = {.number = 1, .life = LIFE, .life_first = 1};
    uint32_t slot = 0;
    uint64_t given = 0;
    size_t part = 0;

    endpoint_link(e, true, peer);
    struct pl_bytes name = {(const uint8_t *)"bench", strlen("bench")};
    if (pl_link_stream_add(e->link, 1, name, &from, &slot) != PL_OK) {
        fail("no stream");
    }
    double before_ns = cpu_ns();
    while (e->stored < count) {
        offer(e, slot, &b, &given, &part, count);
        if (!endpoint_turn(e)) {
            endpoint_wait(e);
        }
    }
    free(b.bytes);
    return (struct usage){cpu_ns() - before_ns, e->sent_datagrams, e->send_calls};
}

struct result {
    double sender_ns, receiver_ns, records_per_s, records_per_packet, acks_per_packet, segments_per_send;
};

static struct result run(size_t record_bytes, uint64_t count)
{
    struct endpoint *ends = calloc(2, sizeof *ends);
    struct usage theirs;
    int report[2];

    if (ends == NULL || pipe(report) != 0) {
        fail("out of memory");
    }
    endpoint_open(&ends[0]);
    endpoint_open(&ends[1]);
    struct pl_address peer = endpoint_address(&ends[1]);
    double before_ns = wall_ns();
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        pin(1);
        receiver(&ends[1], record_bytes, count, report[1]);
    }
    cpu_set_t before;
    sched_getaffinity(0, sizeof before, &before);
    pin(0);
    struct usage ours = sender(&ends[0], &peer, record_bytes, count);
    sched_setaffinity(0, sizeof before, &before);
    double took_ns = wall_ns() - before_ns;
    if (read(report[0], &theirs, sizeof theirs) != sizeof theirs) {
        fail("the receiver ended early");
    }
    waitpid(pid, NULL, 0);
    endpoint_close(&ends[0]);
    endpoint_close(&ends[1]);
    free(ends);
    close(report[0]);
    close(report[1]);
    return (struct result){
        .sender_ns = ours.cpu_ns / (double)count,
        .receiver_ns = theirs.cpu_ns / (double)count,
        .records_per_s = 1e9 * (double)count / took_ns,
        .records_per_packet = (double)count / (double)ours.datagrams,
        .acks_per_packet = (double)theirs.datagrams / (double)ours.datagrams,
        .segments_per_send = (double)ours.datagrams / (double)ours.calls,
    };
}

/* Runs the floor beside this program and reads its figure for the longest train; 0 if it is not there. */
static double floor_ns(const char *self)
{
    char command[4096], line[4096];
    double ns = 0;
    const char *slash = strrchr(self, '/');

    int folder = slash != NULL ? (int)(slash - self) : 1;
    snprintf(command, sizeof command, "%.*s/floor", folder, slash != NULL ? self : ".");
    FILE *f = popen(command, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        const char *at = strncmp(line, "RESULT ", 7) == 0 ? strstr(line, "\"54\"") : NULL;
        at = at != NULL ? strstr(at, "\"floor\": ") : NULL;
        if (at != NULL) {
            ns = strtod(at + strlen("\"floor\": "), NULL);
        }
    }
    if (f != NULL) {
        pclose(f);
    }
    return ns;
}

static double record_floor(double packet_floor_ns, size_t record_bytes)
{
    double framed = (double)(record_bytes + pl_varint_size(record_bytes));

    return packet_floor_ns * framed / (double)PL_PAYLOAD_SIZE;
}

static void print_row(size_t record_bytes, const struct result *r, double floor)
{
    double both = r->sender_ns + r->receiver_ns;

    printf("%8zu%10.1f%10.1f%10.1f%10.1f%8.2f%12.0f%10.2f%10.4f%10.1f\n", record_bytes, r->sender_ns,
           r->receiver_ns, both, floor, both / floor, r->records_per_s, r->records_per_packet,
           r->acks_per_packet, r->segments_per_send);
}

static void measure_all(const char *self, bool small)
{
    struct result results[SIZES];
    double floors[SIZES];
    double packet_floor_ns = floor_ns(self);

    printf("CPU ns a record, user + system, sender and receiver (%s, %d B packets, loopback)\n",
           endpoint_aead()->name, PL_DATAGRAM_SIZE);
    printf("%8s%10s%10s%10s%10s%8s%12s%10s%10s%10s\n", "record", "sender", "receiver", "both", "floor",
           "x floor", "records/s", "rec/pkt", "acks/pkt", "seg/send");
    for (int i = 0; i < SIZES; i++) {
        results[i] = run(record_sizes[i], small ? small_counts[i] : record_counts[i]);
        floors[i] = record_floor(packet_floor_ns, record_sizes[i]);
        print_row(record_sizes[i], &results[i], floors[i]);
    }
    printf("RESULT {\"bench\": \"transport\", \"aead\": \"%s\"", endpoint_aead()->name);
    for (int i = 0; i < SIZES; i++) {
        double both = results[i].sender_ns + results[i].receiver_ns;
        printf(", \"ns_%zu\": %.1f, \"over_floor_%zu\": %.3f, \"records_per_s_%zu\": %.0f", record_sizes[i],
               both, record_sizes[i], both / floors[i], record_sizes[i], results[i].records_per_s);
    }
    printf("}\n");
}

static void measure_one(const char *record_bytes, const char *count)
{
    unsigned long long bytes = strtoull(record_bytes, NULL, 10), records = strtoull(count, NULL, 10);

    if (bytes < sizeof(uint64_t) || bytes > PL_RECORD_MAX || records == 0) {
        fail("RECORD_BYTES is 8 to 1048576, COUNT at least 1");
    }
    struct result r = run((size_t)bytes, records);
    printf("RESULT {\"cpu_ns\": %.1f, \"sender_ns\": %.1f, \"receiver_ns\": %.1f, \"records_per_s\": %.0f}\n",
           r.sender_ns + r.receiver_ns, r.sender_ns, r.receiver_ns, r.records_per_s);
}

int main(int argc, char **argv)
{
    const char *size = getenv("SIZE");

    if (argc == 3) {
        measure_one(argv[1], argv[2]);
    } else if (argc == 1) {
        measure_all(argv[0], size != NULL && strcmp(size, "small") == 0);
    } else {
        fail("usage: transport [RECORD_BYTES COUNT]");
    }
    return EXIT_SUCCESS;
}
