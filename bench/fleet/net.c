/* Few sockets, many source addresses: each datagram says where it leaves from, and where it came to says
 * whose it is (IP_PKTINFO, ip(7)). */
#include "fleet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { BATCH = 64, SOCKET_BUFFER_BYTES = 4 << 20 };

union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(struct in_pktinfo))];
};

static int open_socket(void)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), bytes = SOCKET_BUFFER_BYTES,
        on = 1;
    struct sockaddr_in any = {.sin_family = AF_INET};

    if (fd < 0 || setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on) != 0 ||
        bind(fd, (const struct sockaddr *)&any, sizeof any) != 0)
        fleet_fail(FLEET_FAILED, "a socket", strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    return fd;
}

void fleet_net_open(struct fleet_net *net, const struct fleet_options *options)
{
    struct sockaddr_in node = {.sin_family = AF_INET,
                               .sin_port = htons(options->node_port),
                               .sin_addr.s_addr = htonl(options->node_address)};

    net->options = options;
    for (int i = 0; i < FLEET_SOCKETS; i++)
        net->fd[i] = open_socket();
    memcpy(net->node.bytes, &node, sizeof node);
    net->node.n = sizeof node;
}

bool fleet_net_send(const struct fleet_net *net, uint32_t device, const uint8_t *p, size_t n)
{
    union control control = {0};
    struct in_pktinfo from = {.ipi_spec_dst.s_addr = htonl(net->options->from + device)};
    struct iovec part = {(void *)(uintptr_t)p, n};
    struct msghdr message = {.msg_name = (void *)(uintptr_t)net->node.bytes,
                             .msg_namelen = (socklen_t)net->node.n,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = IPPROTO_IP;
    header->cmsg_type = IP_PKTINFO;
    header->cmsg_len = CMSG_LEN(sizeof from);
    memcpy(CMSG_DATA(header), &from, sizeof from);
    return sendmsg(net->fd[device % FLEET_SOCKETS], &message, 0) == (ssize_t)n;
}

/* The device that a datagram came to; false: none of ours, or not from the node. */
static bool addressee(const struct fleet_net *net, struct msghdr *message, const struct sockaddr_in *from,
                      uint32_t *device)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    struct in_pktinfo to;

    if (header == NULL || header->cmsg_level != IPPROTO_IP || header->cmsg_type != IP_PKTINFO ||
        (message->msg_flags & MSG_TRUNC) != 0 || memcmp(from, net->node.bytes, sizeof *from) != 0)
        return false;
    memcpy(&to, CMSG_DATA(header), sizeof to);
    *device = ntohl(to.ipi_addr.s_addr) - net->options->from;
    return *device < net->options->devices;
}

static bool take_one(const struct fleet_net *net, int fd, void *context,
                     void (*each)(void *context, uint32_t device, const uint8_t *p, size_t n))
{
    uint8_t datagram[2048];
    union control control;
    struct sockaddr_in from = {0};
    struct iovec part = {datagram, sizeof datagram};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    uint32_t device;
    ssize_t n = recvmsg(fd, &message, 0);

    if (n < 0)
        return false;
    if (addressee(net, &message, &from, &device))
        each(context, device, datagram, (size_t)n);
    return true;
}

void fleet_net_take(const struct fleet_net *net, void *context,
                    void (*each)(void *context, uint32_t device, const uint8_t *p, size_t n))
{
    for (int i = 0; i < FLEET_SOCKETS; i++)
        for (int taken = 0; taken < BATCH && take_one(net, net->fd[i], context, each); taken++)
            ;
}

void fleet_net_wait(const struct fleet_net *net, uint64_t now_us, uint64_t until_us)
{
    struct pollfd waited[FLEET_SOCKETS];
    uint64_t wait_us = until_us > now_us ? until_us - now_us : 0;
    struct timespec wait = {(time_t)(wait_us / 1000000), (long)(wait_us % 1000000 * 1000)};

    for (int i = 0; i < FLEET_SOCKETS; i++)
        waited[i] = (struct pollfd){.fd = net->fd[i], .events = POLLIN};
    ppoll(waited, FLEET_SOCKETS, &wait, NULL);
}

uint64_t fleet_now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}
