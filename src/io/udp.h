/*
 * One UDP socket of the kernel, behind the udp_ functions of pl_io_linux: what udp.c (opening), udp_send.c,
 * udp_receive.c and wait.c share. Included by these and their tests only.
 */
#ifndef PL_IO_UDP_H
#define PL_IO_UDP_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "io/io.h"
#include "io/sockaddr.h"
#include "io/syscalls.h"

enum {
    PL_UDP_PAYLOAD_MAX = 65507,      /* 65,535 less the IPv4 and UDP headers (RFC 768, RFC 791) */
    PL_UDP_BUFFER_SIZE = 65536,      /* holds the longest merged train */
    PL_UDP_BUFFERS = 32,             /* in one recvmmsg */
    PL_UDP_BUFFERS_AT_REST = 4,      /* that keep their memory while nothing comes */
    PL_UDP_CONTROL_SIZE = 256,       /* both packet infos, TOS, traffic class, stride and overflow need 160 */
    PL_UDP_SEGMENTS_MAX = 64,        /* in a train before Linux 6.9; later kernels take 128 */
    PL_UDP_GSO_PAUSE_BATCHES = 1024, /* sent singly after the first refusal; doubles with each further one */
    PL_UDP_GSO_PAUSE_LIMIT = 1 << 20,
};

/* Messages taken from the kernel and not yet given out, and where in them the next datagram begins. */
struct pl_udp_inbox {
    uint8_t *buffers; /* PL_UDP_BUFFERS of PL_UDP_BUFFER_SIZE: mapped, so that untouched ones cost nothing */
    struct mmsghdr messages[PL_UDP_BUFFERS];
    struct iovec vectors[PL_UDP_BUFFERS];
    union pl_sockaddr names[PL_UDP_BUFFERS];
    _Alignas(struct cmsghdr) uint8_t control[PL_UDP_BUFFERS][PL_UDP_CONTROL_SIZE];
    unsigned n, next; /* messages held, the one being taken apart */
    size_t offset;    /* in that one */
    bool opened;      /* its control data was read: path, ecn and stride are its own */
    size_t stride;    /* bytes of a datagram in it */
    struct pl_path path;
    uint8_t ecn;
    bool grown; /* more than the buffers at rest were used since the last release */
};

struct pl_udp {
    const struct pl_syscalls *sys;
    int fd;
    int family; /* AF_INET or AF_INET6, of the socket */
    struct pl_address local;
    size_t datagram_max_bytes;
    struct pl_udp_counters counters;
    uint32_t gso_pause_batches; /* how many more go singly */
    uint32_t gso_next_pause;
    bool ecn_refused; /* the kernel takes no TOS with a message */
    bool wants_send;  /* said PL_SEND_AGAIN */
    uint32_t overflow_seen;
    uint64_t waited_datagrams; /* received before the last wait */
    struct pl_udp_inbox inbox;
};

/* The functions of struct pl_io, ctx being a struct pl_syscalls. */
enum pl_error pl_udp_open(void *ctx, const struct pl_udp_options *options, struct pl_udp **out,
                          struct pl_text *why);
void pl_udp_close(void *ctx, struct pl_udp *udp);
struct pl_address pl_udp_local(void *ctx, const struct pl_udp *udp);
const struct pl_udp_counters *pl_udp_counters(void *ctx, const struct pl_udp *udp);
struct pl_send_outcome pl_udp_send(void *ctx, struct pl_udp *udp, const struct pl_train *batch);
size_t pl_udp_receive(void *ctx, struct pl_udp *udp, struct pl_datagram *out, size_t max);

/* True while messages taken from the kernel are not given out. */
bool pl_udp_holds(const struct pl_udp *udp);

/* Gives the memory of all but the buffers at rest back, if nothing is held. */
void pl_udp_release(struct pl_udp *udp);

/* PL_OK, or PL_E_NO_MEMORY. */
enum pl_error pl_udp_inbox_open(struct pl_udp_inbox *inbox);
void pl_udp_inbox_close(struct pl_udp_inbox *inbox);

#endif
