/* The I/O table of a simulated host: the virtual clock, the seed's randomness, datagrams over the simulated
 * network, and the ways in which a send can fail. */
#include <stdlib.h>
#include <string.h>

#include "sim/product.h"

enum { QUEUE_MAX = 4096, DATAGRAM_MAX = 65536, HELD = 256, PORT_BIT = 0x8000, WALL_START_MS = 1700000000 };

struct sim_socket {
    struct host *host;
    struct pl_udp_counters counters;
    struct pl_address local;
    struct net_packet *queue[QUEUE_MAX];
    size_t queue_n, given;       /* the first `given` of the queue lie with the caller */
};

/* Wire numbers: the high half is the end of an IPv4 address, the low one a port. */
struct pl_address product_address(uint32_t number)
{
    struct pl_address address = {.family = PL_ADDRESS_IPV4};

    address.port = (uint16_t)((number & 0xffff) ^ PORT_BIT);
    address.ip[0] = 10;
    address.ip[1] = 1;
    address.ip[2] = (uint8_t)(number >> 24);
    address.ip[3] = (uint8_t)(number >> 16);
    return address;
}

uint32_t product_number(const struct pl_address *address)
{
    return (uint32_t)address->ip[2] << 24 | (uint32_t)address->ip[3] << 16 |
           (uint32_t)(address->port ^ PORT_BIT);
}

static uint64_t now_us(void *ctx)
{
    (void)ctx;
    return sim.now_us;
}

static uint64_t wall_ms(void *ctx)
{
    struct host *host = ctx;

    return (uint64_t)WALL_START_MS * 1000 + sim.now_us / SIM_MS + (uint64_t)host->wall_jump_ms;
}

static void fill_random(void *ctx, void *out, size_t n)
{
    (void)ctx;
    host_call();
    sim_rng_fill(&product.wire, out, n);
}

static enum pl_error udp_open(void *ctx, const struct pl_udp_options *options, struct pl_udp **out,
                              struct pl_text *why)
{
    struct host *host = ctx;
    struct sim_socket *socket = sim_alloc(sizeof *socket);

    (void)why;
    host_call();
    memset(socket, 0, sizeof *socket);
    socket->host = host;
    socket->local = options->local;
    if (socket->local.port == 0) {
        socket->local = product_address(PRODUCT_DEVICE_ADDRESSES);
    }
    host->socket = socket;
    *out = (struct pl_udp *)socket;
    return PL_OK;
}

static void drop_given(struct sim_socket *socket)
{
    for (size_t i = 0; i < socket->given; i++) {
        free(socket->queue[i]);
    }
    socket->queue_n -= socket->given;
    memmove(socket->queue, socket->queue + socket->given, socket->queue_n * sizeof socket->queue[0]);
    socket->given = 0;
}

static void udp_close(void *ctx, struct pl_udp *udp)
{
    struct sim_socket *socket = (struct sim_socket *)udp;
    struct host *host = ctx;

    if (socket == NULL) {
        return;
    }
    host_call();
    socket->given = socket->queue_n;
    drop_given(socket);
    if (host->socket == socket) {
        host->socket = NULL;
    }
    free(socket);
}

static struct pl_address udp_local(void *ctx, const struct pl_udp *udp)
{
    (void)ctx;
    return ((const struct sim_socket *)udp)->local;
}

static const struct pl_udp_counters *udp_counters(void *ctx, const struct pl_udp *udp)
{
    (void)ctx;
    return &((const struct sim_socket *)udp)->counters;
}

/* How many segments the kernel takes, and what it says of the rest. */
static size_t choose_outcome(struct host *host, size_t segments, struct pl_send_outcome *out)
{
    static const enum pl_send_result faults[] = {PL_SEND_AGAIN, PL_SEND_LOST, PL_SEND_UNREACHABLE};

    *out = (struct pl_send_outcome){.result = PL_SEND_SENT, .segments = segments};
    if (product.calm || !sim_rng_chance(&product.faults, product.plan.send_fault)) {
        return segments;
    }
    out->result = faults[sim_rng_below(&product.faults, 3)];
    out->segments = sim_rng_below(&product.faults, segments);
    sim_note("host %u: a send ends with result %d after %zu of %zu", host->index, out->result, out->segments,
             segments);
    if (out->result == PL_SEND_AGAIN) {
        host->poke_us = sim.now_us + sim_rng_between(&product.faults, 1, 5 * SIM_MS);
    }
    return out->segments;
}

static struct pl_send_outcome udp_send(void *ctx, struct pl_udp *udp, const struct pl_train *train)
{
    struct host *host = ctx;
    struct pl_send_outcome outcome;
    size_t segment = train->segment_size < train->n ? train->segment_size : train->n;
    size_t segments = (train->n + segment - 1) / segment;

    (void)udp;
    host_call();
    segments = choose_outcome(host, segments, &outcome);
    for (size_t i = 0; i < segments; i++) {
        size_t at = i * segment;
        size_t n = train->n - at < segment ? train->n - at : segment;
        net_trace("->", host->address, product_number(&train->path->peer), train->bytes + at, n);
        net_send(host->address, product_number(&train->path->peer), train->bytes + at, n);
    }
    return outcome;
}

static size_t udp_receive(void *ctx, struct pl_udp *udp, struct pl_datagram *out, size_t max)
{
    struct sim_socket *socket = (struct sim_socket *)udp;

    (void)ctx;
    host_call();
    drop_given(socket);
    max = max < HELD ? max : HELD;
    for (; socket->given < socket->queue_n && socket->given < max; socket->given++) {
        struct net_packet *packet = socket->queue[socket->given];
        out[socket->given] = (struct pl_datagram){
            .p = packet->bytes,
            .n = packet->n,
            .path = {.peer = product_address(packet->from), .local = socket->local},
            .ecn = packet->ecn,
        };
    }
    return socket->given;
}

void product_deliver(struct host *host, const struct net_packet *packet)
{
    struct sim_socket *socket = host->socket;

    if (!host->up || socket == NULL || socket->queue_n == QUEUE_MAX) {
        return;
    }
    struct net_packet *copy = sim_alloc(sizeof *copy + packet->n);
    memcpy(copy, packet, sizeof *copy + packet->n);
    socket->queue[socket->queue_n++] = copy;
}

bool product_waits(const struct host *host)
{
    return host->socket != NULL && host->socket->queue_n > host->socket->given;
}

static enum pl_error wake_open(void *ctx, struct pl_wake **out, struct pl_text *why)
{
    (void)ctx, (void)why;
    host_call();
    *out = sim_alloc(1);
    return PL_OK;
}

static void wake_close(void *ctx, struct pl_wake *wake)
{
    (void)ctx;
    free(wake);
}

static void wake(void *ctx, struct pl_wake *handle)
{
    (void)ctx, (void)handle;
}

static unsigned wait_for(void *ctx, struct pl_udp *const *sockets, size_t n, struct pl_wake *handle,
                         uint64_t timeout_us)
{
    (void)ctx, (void)sockets, (void)n, (void)handle, (void)timeout_us;
    sim_fail("a step called wait");
}

const struct pl_io product_io = {
    .now_us = now_us,
    .wall_ms = wall_ms,
    .random = fill_random,
    .udp_open = udp_open,
    .udp_close = udp_close,
    .udp_local = udp_local,
    .udp_counters = udp_counters,
    .udp_send = udp_send,
    .udp_receive = udp_receive,
    .wake_open = wake_open,
    .wake_close = wake_close,
    .wake = wake,
    .wait = wait_for,
};
