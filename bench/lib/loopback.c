/* loopback.c: the kernel's side of the floor: sendmsg with UDP_SEGMENT, recvmmsg with UDP_GRO. */
#include "loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECEIVE_BUFFER_BYTES = 8 << 20, WAIT_MS = 1000 };

static void die(const char *what)
{
    fprintf(stderr, "loopback: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

/* Asks for a large receive buffer, past the system's limit where that is allowed, and notes what was granted.
 */
static void size_receive_buffer(struct loopback *l)
{
    int wanted = RECEIVE_BUFFER_BYTES, got = 0;
    socklen_t got_n = sizeof got;

    if (setsockopt(l->receiver, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof wanted) != 0) {
        (void)setsockopt(l->receiver, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
    }
    if (getsockopt(l->receiver, SOL_SOCKET, SO_RCVBUF, &got, &got_n) != 0) {
        die("SO_RCVBUF");
    }
    l->receive_buffer_bytes = (size_t)got;
}

void loopback_open(struct loopback *l)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t address_n = sizeof address;
    int on = 1;

    l->sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    l->receiver = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    l->buffers = malloc((size_t)LOOPBACK_MESSAGES * LOOPBACK_MESSAGE_BYTES);
    if (l->sender < 0 || l->receiver < 0 || l->buffers == NULL) {
        die("socket");
    }
    if (bind(l->receiver, (struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(l->receiver, (struct sockaddr *)&address, &address_n) != 0 ||
        connect(l->sender, (struct sockaddr *)&address, sizeof address) != 0) {
        die("127.0.0.1");
    }
    if (setsockopt(l->receiver, SOL_UDP, UDP_GRO, &on, sizeof on) != 0) {
        die("UDP_GRO (Linux 5.0 has it)");
    }
    size_receive_buffer(l);
}

void loopback_close(struct loopback *l)
{
    close(l->sender);
    close(l->receiver);
    free(l->buffers);
}

void loopback_send(struct loopback *l, const uint8_t *bytes, size_t n, size_t segment_bytes)
{
    struct iovec piece = {(void *)bytes, n};
    union {
        char space[CMSG_SPACE(sizeof(uint16_t))];
        struct cmsghdr align;
    } control = {{0}};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    uint16_t segment = (uint16_t)segment_bytes;

    if (n > segment_bytes) {
        control.align.cmsg_level = SOL_UDP;
        control.align.cmsg_type = UDP_SEGMENT;
        control.align.cmsg_len = CMSG_LEN(sizeof segment);
        memcpy(CMSG_DATA(&control.align), &segment, sizeof segment);
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
    }
    if (sendmsg(l->sender, &message, 0) != (ssize_t)n) {
        die("sendmsg with UDP_SEGMENT (Linux 4.18 has it)");
    }
}

/* The segment size the kernel tells with a coalesced message; the whole of it without. */
static size_t segment_of(struct msghdr *message, size_t n)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
            int segment;

            memcpy(&segment, CMSG_DATA(c), sizeof segment);
            return (size_t)segment;
        }
    }
    return n;
}

/* recvmmsg on a non-blocking socket, waited for once. */
static int receive_or_wait(int fd, struct mmsghdr *messages)
{
    int count = recvmmsg(fd, messages, LOOPBACK_MESSAGES, 0, NULL);

    if (count < 0 && errno == EAGAIN) {
        struct pollfd readable = {.fd = fd, .events = POLLIN};

        (void)poll(&readable, 1, WAIT_MS);
        count = recvmmsg(fd, messages, LOOPBACK_MESSAGES, 0, NULL);
    }
    if (count < 0 && errno != EAGAIN) {
        die("recvmmsg");
    }
    return count > 0 ? count : 0;
}

size_t loopback_receive(struct loopback *l, struct loopback_message out[LOOPBACK_MESSAGES])
{
    struct mmsghdr messages[LOOPBACK_MESSAGES];
    struct iovec pieces[LOOPBACK_MESSAGES];
    char control[LOOPBACK_MESSAGES][CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
    size_t count;

    for (size_t i = 0; i < LOOPBACK_MESSAGES; i++) {
        pieces[i] = (struct iovec){l->buffers + i * LOOPBACK_MESSAGE_BYTES, LOOPBACK_MESSAGE_BYTES};
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &pieces[i],
                                              .msg_iovlen = 1,
                                              .msg_control = control[i],
                                              .msg_controllen = sizeof control[i]};
    }
    count = (size_t)receive_or_wait(l->receiver, messages);
    for (size_t i = 0; i < count; i++) {
        out[i].bytes = pieces[i].iov_base;
        out[i].n = messages[i].msg_len;
        out[i].segment_bytes = segment_of(&messages[i].msg_hdr, messages[i].msg_len);
    }
    return count;
}
