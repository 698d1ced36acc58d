/* links.c: what a record costs when many links are active at once, each from an address of its own.
 *
 * Two processes: the devices, each with a socket on its own 127.x address and a link, and the node with one
 * socket; the product's engine, crypto and I/O between, no store: what came is committed at once. Every
 * record is checked. CPU is user + system time of both, first contact of every link included. bench/versus
 * runs it in turn with a rival.
 */
#include <getopt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/udp.h"
#include "lib/endpoint.h"
#include "lib/many.h"
#include "lib/process.h"
#include "node/hash.h"

enum {
    LIFE = 1,
    LINKS_MAX = 50000,
    RECEIVES_A_TURN = 4,
    REST_US = 50000, /* longest sleep: the other process may have ended */
    EVENTS = 256,
    ADDRESSES_A_BLOCK = 250
};

static const char help[] =
    "usage: links [--links N] [--records BYTES|FILE] [--count N] [--datagram BYTES] [--turns]\n"
    "What a record costs when N links are active at once, each from its own 127.x address: CPU of both.\n"
    "  --links    1 to 50000 (default 1000); each needs a file descriptor\n"
    "  --records  the size of all records, or a file of sizes, a line each, taken in turn (default 61)\n"
    "  --count    records of all links, a multiple of --links (default 1000000)\n"
    "  --datagram UDP payload of a packet, 1200 to 9000 (default 1200)\n"
    "  --turns    a record of each link at a time, the next when it is stored; otherwise a backlog on each\n"
    "AEAD=openssl in the environment leaves ipsec-mb out. The last line is RESULT {json}.\n";

struct setup {
    const char *records;
    uint64_t links, count;
    size_t datagram_bytes;
    bool turns;
};

struct usage {
    double cpu_ns;
    uint64_t datagrams, calls;
};

/* What both processes see. */
struct shared {
    _Atomic bool over; /* all is stored: the devices need no more answers */
    struct usage node;
};

struct group {
    const struct setup *setup;
    struct many all;
    struct many_end *ends;
};

static void fail(const char *what)
{
    fprintf(stderr, "links: %s\n", what);
    exit(EXIT_FAILURE);
}

static struct group *group_new(const struct setup *setup)
{
    struct group *group = calloc(1, sizeof *group);

    if (group == NULL || (group->ends = calloc(setup->links, sizeof *group->ends)) == NULL) {
        fail("out of memory");
    }
    group->setup = setup;
    many_open(&group->all, setup->datagram_bytes);
    for (uint64_t i = 0; i < setup->links; i++) {
        group->ends[i].place.next = 1;
        pattern_parse(&group->ends[i].place.pattern, setup->records);
    }
    return group;
}

static void group_free(struct group *group, bool own_sockets)
{
    for (uint64_t i = 0; i < group->setup->links; i++) {
        pl_link_free(group->ends[i].link);
        pattern_free(&group->ends[i].place.pattern);
        if (own_sockets) {
            endpoint_io->udp_close(endpoint_io->ctx, group->ends[i].udp);
        }
    }
    many_close(&group->all);
    free(group->ends);
    free(group);
}

static struct usage used(const struct group *group, double before_ns)
{
    return (struct usage){process_cpu_ns() - before_ns, group->all.sent_datagrams, group->all.send_calls};
}

/* ---- the node ---- */

static bool receive_all(struct pl_hash *by_key_id, struct pl_udp *udp, uint64_t now_us)
{
    struct pl_datagram datagrams[PL_IO_RECEIVE_MAX];
    struct pl_hash_find find;
    size_t n = endpoint_io->udp_receive(endpoint_io->ctx, udp, datagrams, PL_IO_RECEIVE_MAX);

    for (size_t i = 0; i < n; i++) {
        struct pl_packet packet;
        if (many_packet(&packet, &datagrams[i])) {
            struct many_end *end = pl_hash_first(by_key_id, packet.header.key_id, &find);
            if (end != NULL) {
                many_take(end, &packet, now_us);
            }
        }
    }
    return n > 0;
}

static int serve(struct group *group, struct pl_udp *udp, struct shared *shared)
{
    struct pl_hash by_key_id;
    struct pl_hash_find find;

    if (pl_hash_open(&by_key_id, group->setup->links, 1) != PL_OK) {
        fail("out of memory");
    }
    for (uint32_t i = 0; i < group->setup->links; i++) {
        uint32_t key_id = many_link(&group->all, &group->ends[i], i, NULL);
        group->ends[i].udp = udp;
        if (pl_hash_first(&by_key_id, key_id, &find) != NULL) {
            fail("two devices share a key id: take fewer --links");
        }
        if (pl_hash_add(&by_key_id, key_id, &group->ends[i]) != PL_OK) {
            fail("out of memory");
        }
    }
    double before_ns = process_cpu_ns();
    while (!atomic_load(&shared->over)) {
        uint64_t now_us = endpoint_io->now_us(endpoint_io->ctx);
        bool moved = false;
        for (int i = 0; i < RECEIVES_A_TURN && receive_all(&by_key_id, udp, now_us); i++) {
            moved = true;
        }
        many_turn(&group->all, NULL, NULL, now_us);
        if (!moved) {
            endpoint_io->wait(endpoint_io->ctx, &udp, 1, NULL, many_rest_us(&group->all, now_us, REST_US));
        }
    }
    shared->node = used(group, before_ns);
    pl_hash_close(&by_key_id);
    return group->all.delivered_records == group->setup->count ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- the devices ---- */

static void own_address(char text[PL_ADDRESS_TEXT_SIZE], uint32_t device)
{
    enum { BLOCKS = 200 };

    snprintf(text, PL_ADDRESS_TEXT_SIZE, "127.%u.%u.%u:1", 1 + device / (ADDRESSES_A_BLOCK * BLOCKS),
             device / ADDRESSES_A_BLOCK % BLOCKS, 1 + device % ADDRESSES_A_BLOCK);
}

static void open_device(struct group *group, uint32_t device, const struct pl_address *node, int epoll)
{
    struct many_end *end = &group->ends[device];
    struct pl_place from = {.number = 1, .life = LIFE, .life_first = 1};
    struct pl_bytes name = {(const uint8_t *)"bench", strlen("bench")};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = end};
    char address[PL_ADDRESS_TEXT_SIZE];

    own_address(address, device);
    many_link(&group->all, end, device, node);
    end->udp = endpoint_socket(address, 0, group->setup->datagram_bytes);
    if (pl_link_stream_add(end->link, 1, name, &from, &end->slot) != PL_OK) {
        fail("no stream");
    }
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, end->udp->fd, &event) != 0) {
        fail("epoll_ctl");
    }
}

static void offer(struct many_end *end, void *ctx)
{
    const struct setup *setup = ctx;
    uint64_t count = setup->count / setup->links;

    count = setup->turns && end->stored + 1 < count ? end->stored + 1 : count;
    for (;;) {
        struct pl_bytes rest = pattern_rest(&end->place, count);
        size_t taken = rest.n > 0 ? pl_link_offer(end->link, end->slot, LIFE, 1, 0, rest) : 0;
        pattern_taken(&end->place, taken);
        if (taken > 0 && end->place.at == 0) {
            pl_link_mark(end->link, end->slot, end->place.next); /* as the product's driver does */
        }
        if (rest.n == 0 || taken < rest.n) {
            return;
        }
    }
}

static void receive_own(struct many_end *end, uint64_t now_us)
{
    struct pl_datagram datagrams[PL_IO_RECEIVE_MAX];
    size_t n;

    while ((n = endpoint_io->udp_receive(endpoint_io->ctx, end->udp, datagrams, PL_IO_RECEIVE_MAX)) > 0) {
        for (size_t i = 0; i < n; i++) {
            struct pl_packet packet;
            if (many_packet(&packet, &datagrams[i])) {
                many_take(end, &packet, now_us);
            }
        }
    }
}

static void must_run(pid_t node)
{
    int status = 0;

    if (waitpid(node, &status, WNOHANG) == node) {
        fail("the node ended early");
    }
}

static void run_devices(struct group *group, int epoll, pid_t node)
{
    struct epoll_event events[EVENTS];

    for (uint64_t i = 0; i < group->setup->links; i++) {
        many_due(&group->ends[i]);
    }
    while (group->all.stored_records < group->setup->count) {
        uint64_t now_us = endpoint_io->now_us(endpoint_io->ctx);
        many_turn(&group->all, offer, (void *)group->setup, now_us);
        uint64_t rest_us = many_rest_us(&group->all, now_us, REST_US);
        struct timespec rest = {0, (long)rest_us * 1000};
        int n = epoll_pwait2(epoll, events, EVENTS, &rest, NULL);
        now_us = endpoint_io->now_us(endpoint_io->ctx);
        if (n == 0) {
            must_run(node);
        }
        for (int i = 0; i < n; i++) {
            receive_own(events[i].data.ptr, now_us);
        }
    }
}

/* ---- both ---- */

static void report(const struct setup *setup, const struct usage *devices, const struct usage *node,
                   double took_ns)
{
    double records = (double)setup->count;

    printf("RESULT {\"bench\": \"links\", \"aead\": \"%s\", \"links\": %llu, \"cpu_ns\": %.1f, "
           "\"devices_ns\": %.1f, \"node_ns\": %.1f, \"records_per_s\": %.0f, \"records_per_packet\": %.3f, "
           "\"acks_per_packet\": %.4f, \"segments_per_send\": %.2f}\n",
           endpoint_aead()->name, (unsigned long long)setup->links,
           (devices->cpu_ns + node->cpu_ns) / records,
           devices->cpu_ns / records, node->cpu_ns / records, 1e9 * records / took_ns,
           records / (double)devices->datagrams, (double)node->datagrams / (double)devices->datagrams,
           (double)devices->datagrams / (double)devices->calls);
}

static void run(const struct setup *setup)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct pl_udp *udp = endpoint_socket("127.0.0.1:1", ENDPOINT_RECEIVE_BUFFER_BYTES, setup->datagram_bytes);
    struct pl_address node = endpoint_io->udp_local(endpoint_io->ctx, udp);
    int epoll = epoll_create1(EPOLL_CLOEXEC), status = 0;

    if (shared == MAP_FAILED || epoll < 0) {
        fail("out of memory");
    }
    pid_t pid = fork();
    struct group *group = group_new(setup);
    if (pid == 0) {
        process_pin(1);
        status = serve(group, udp, shared);
        group_free(group, false);
        endpoint_io->udp_close(endpoint_io->ctx, udp);
        exit(status);
    }
    process_pin(0);
    for (uint32_t i = 0; i < setup->links; i++) {
        open_device(group, i, &node, epoll);
    }
    double before_ns = process_wall_ns(), cpu_before_ns = process_cpu_ns();
    run_devices(group, epoll, pid);
    double took_ns = process_wall_ns() - before_ns;
    struct usage devices = used(group, cpu_before_ns);
    atomic_store(&shared->over, true);
    waitpid(pid, &status, 0);
    if (status != 0) {
        fail("the node did not get what the devices sent");
    }
    report(setup, &devices, &shared->node, took_ns);
    group_free(group, true);
    endpoint_io->udp_close(endpoint_io->ctx, udp);
    close(epoll);
}

static struct setup parse(int argc, char **argv)
{
    static const struct option options[] = {
        {"links", required_argument, NULL, 'l'},    {"records", required_argument, NULL, 'r'},
        {"count", required_argument, NULL, 'c'},    {"datagram", required_argument, NULL, 'd'},
        {"turns", no_argument, NULL, 't'},          {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    struct setup setup = {"61", 1000, 1000000, PL_DATAGRAM_SIZE, false};

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'l':
            setup.links = process_number("links: --links", optarg, 1, LINKS_MAX);
            break;
        case 'r':
            setup.records = optarg;
            break;
        case 'c':
            setup.count = process_number("links: --count", optarg, 1, UINT64_MAX);
            break;
        case 'd':
            setup.datagram_bytes = process_number("links: --datagram", optarg, PL_DATAGRAM_SIZE, 9000);
            break;
        case 't':
            setup.turns = true;
            break;
        case 'h':
            fputs(help, stdout);
            exit(EXIT_SUCCESS);
        default:
            fputs(help, stderr);
            exit(EXIT_FAILURE);
        }
    }
    if (optind < argc || setup.count % setup.links != 0) {
        fail(optind < argc ? "only options are taken; --help lists them"
                           : "--count: not a multiple of --links");
    }
    return setup;
}

int main(int argc, char **argv)
{
    struct setup setup = parse(argc, argv);

    run(&setup);
    return EXIT_SUCCESS;
}
