/* wire.c: the kernel calls of src/io, answered by the simulated network. */
#include "guard/wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/udp.h"
#include "sim/net.h"
#include "sim/sim.h"

enum {
    ENDS = 2,
    SEGMENTS_MAX = 64,      /* that a kernel merges */
    MERGED_MAX = 65535,     /* bytes */
    DELAY_US = 100,         /* one way */
    BYTES_PER_S = 500000000 /* of a fast local network */
};

struct end {
    int fd;
    struct sockaddr_in address;
    struct net_packet **arrived; /* since the last receive, from `first` on */
    size_t n, first, room;
};

static struct end ends[ENDS];
static unsigned ends_n;
static struct sim_rng randomness;

void wire_begin(uint64_t seed)
{
    const struct net_settings settings = {.delay_us = DELAY_US, .bytes_per_s = BYTES_PER_S};

    sim_begin(seed, false, UINT64_MAX);
    net_begin(&settings);
    sim_rng_init(&randomness, seed, "randomness");
    ends_n = 0;
}

void wire_arrive(void)
{
    for (struct net_packet *p = net_receive(); p != NULL; p = net_receive()) {
        struct end *end = &ends[p->to];
        if (end->n == end->room) {
            end->room = end->room == 0 ? 256 : 2 * end->room;
            end->arrived = sim_grow(end->arrived, end->room * sizeof(struct net_packet *));
        }
        end->arrived[end->n++] = p;
    }
}

static struct end *end_of(int fd)
{
    return fd == ends[0].fd ? &ends[0] : &ends[1];
}

/* Addresses are made up too: the real one's port differs from run to run. */
static int wire_bind(int fd, const struct sockaddr *address, socklen_t n)
{
    (void)address;
    (void)n;
    if (ends_n == ENDS) {
        errno = EADDRINUSE;
        return -1;
    }
    struct end *end = &ends[ends_n++];
    end->fd = fd;
    end->address = (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)(4500 + ends_n)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    return 0;
}

static int wire_set_option(int fd, int level, int option, const void *value, socklen_t n)
{
    (void)fd;
    (void)level;
    (void)option;
    (void)value;
    (void)n;
    return 0;
}

static size_t segment_of(const struct msghdr *message)
{
    struct msghdr m = *message;

    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c != NULL; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level == IPPROTO_UDP && c->cmsg_type == UDP_SEGMENT) {
            uint16_t segment;
            memcpy(&segment, CMSG_DATA(c), sizeof segment);
            return segment;
        }
    }
    return message->msg_iov->iov_len;
}

static ssize_t wire_send(int fd, const struct msghdr *message, int flags)
{
    const uint8_t *bytes = message->msg_iov->iov_base;
    size_t n = message->msg_iov->iov_len, segment = segment_of(message);
    uint32_t from = (uint32_t)(end_of(fd) - ends);

    (void)flags;
    for (size_t at = 0; at < n; at += segment) {
        net_send(from, 1 - from, bytes + at, n - at < segment ? n - at : segment);
    }
    return (ssize_t)n;
}

static size_t add_control(struct msghdr *message, size_t used, int level, int type, const void *value,
                          size_t n)
{
    struct cmsghdr *head = (struct cmsghdr *)((uint8_t *)message->msg_control + used);

    head->cmsg_level = level;
    head->cmsg_type = type;
    head->cmsg_len = CMSG_LEN(n);
    memcpy(CMSG_DATA(head), value, n);
    return used + CMSG_SPACE(n);
}

static void tell(struct msghdr *message, const struct end *from, int stride)
{
    struct in_pktinfo info = {.ipi_spec_dst.s_addr = htonl(INADDR_LOOPBACK)};
    size_t used = add_control(message, 0, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);

    if (stride > 0) {
        used = add_control(message, used, IPPROTO_UDP, UDP_GRO, &stride, sizeof stride);
    }
    message->msg_controllen = used;
    message->msg_flags = 0;
    memcpy(message->msg_name, &from->address, sizeof from->address);
    message->msg_namelen = sizeof from->address;
}

/* Fills a message with the next datagram and those of its size behind it; a shorter one ends the train. */
static void merge(struct end *end, struct mmsghdr *out)
{
    uint8_t *to = out->msg_hdr.msg_iov->iov_base;
    const struct end *from = &ends[1 - (end - ends)];
    size_t stride = end->arrived[end->first]->n, n = 0, last = stride;
    int segments = 0;

    while (end->first < end->n && last == stride && segments < SEGMENTS_MAX) {
        struct net_packet *p = end->arrived[end->first];
        if (p->n > stride || n + p->n > MERGED_MAX) {
            break;
        }
        memcpy(to + n, p->bytes, p->n);
        n += last = p->n;
        segments++;
        end->first++;
        free(p);
    }
    tell(&out->msg_hdr, from, segments > 1 ? (int)stride : 0);
    out->msg_len = (unsigned)n;
}

static int wire_receive(int fd, struct mmsghdr *messages, unsigned n, int flags, struct timespec *timeout)
{
    struct end *end = end_of(fd);
    unsigned i = 0;

    (void)flags;
    (void)timeout;
    while (i < n && end->first < end->n) {
        merge(end, &messages[i++]);
    }
    if (end->first == end->n) {
        end->first = end->n = 0;
    }
    if (i == 0) {
        errno = EAGAIN;
        return -1;
    }
    return (int)i;
}

static const struct pl_syscalls syscalls = {
    .socket = socket,
    .set_option = wire_set_option,
    .bind = wire_bind,
    .send_message = wire_send,
    .receive_messages = wire_receive,
};

static uint64_t wire_now_us(void *ctx)
{
    (void)ctx;
    return sim.now_us;
}

static void wire_random(void *ctx, void *out, size_t n)
{
    (void)ctx;
    sim_rng_fill(&randomness, out, n);
}

const struct pl_io wire_io = {
    .ctx = (void *)&syscalls,
    .now_us = wire_now_us,
    .random = wire_random,
    .udp_open = pl_udp_open,
    .udp_close = pl_udp_close,
    .udp_local = pl_udp_local,
    .udp_counters = pl_udp_counters,
    .udp_send = pl_udp_send,
    .udp_receive = pl_udp_receive,
};
