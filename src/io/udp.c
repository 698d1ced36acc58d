/* Opening and closing a UDP socket: the options it needs and the reasons why it can not be had. */
#include "io/udp.h"

#include <errno.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static enum pl_error error_of(int error)
{
    switch (error) {
    case EADDRINUSE: return PL_E_BUSY;
    case EACCES:
    case EPERM: return PL_E_PERMISSION;
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
    case ENODEV:
    case EINVAL: return PL_E_ADDRESS;
    case ENOMEM:
    case ENOBUFS: return PL_E_NO_MEMORY;
    default: return PL_E_IO;
    }
}

static const char *advice_of(int error)
{
    switch (error) {
    case EADDRINUSE: return "another process listens there; stop it or choose another port";
    case EACCES:
    case EPERM: return "not allowed; ports below 1024 need CAP_NET_BIND_SERVICE";
    case EADDRNOTAVAIL: return "not an address of this machine";
    case EAFNOSUPPORT: return "this machine has no such address family";
    case ENODEV: return "this machine has no such interface";
    default: return strerror(error);
    }
}

static enum pl_error refuse(const struct pl_address *address, int error, struct pl_text *why)
{
    char text[PL_ADDRESS_TEXT_SIZE];
    pl_address_print(address, text, sizeof text);
    pl_text_set(why, "UDP socket at %s: %s", text, advice_of(error));
    return error_of(error);
}

static int set(const struct pl_udp *udp, int level, int option, int value)
{
    return udp->sys->set_option(udp->fd, level, option, &value, sizeof value);
}

/* UDP_GRO had faults before Linux 5.12: what was merged could not always be cut apart again. wireguard-go too
 * does without it there. */
static bool kernel_merges_well(void)
{
    struct utsname name;
    int major = 0, minor = 0;
    if (uname(&name) < 0 || sscanf(name.release, "%d.%d", &major, &minor) != 2)
        return false;
    return major > 5 || (major == 5 && minor >= 12);
}

/* The kernel doubles what is asked for and reports the double: half of it is for data. */
static void size_receive_buffer(struct pl_udp *udp, size_t bytes)
{
    int granted = 0;
    socklen_t n = sizeof granted;
    int asked = bytes > INT32_MAX / 2 ? INT32_MAX / 2 : (int)bytes;
    if (asked > 0 && set(udp, SOL_SOCKET, SO_RCVBUFFORCE, asked) < 0)
        set(udp, SOL_SOCKET, SO_RCVBUF, asked);
    if (getsockopt(udp->fd, SOL_SOCKET, SO_RCVBUF, &granted, &n) == 0)
        udp->counters.receive_buffer_bytes = (uint64_t)granted / 2;
}

/* Options that a kernel may refuse: each that fails only costs what it gives. */
static void set_wishes(const struct pl_udp *udp)
{
    set(udp, IPPROTO_IP, IP_PKTINFO, 1);
    set(udp, IPPROTO_IP, IP_RECVTOS, 1);
    set(udp, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
    if (udp->family == AF_INET6) {
        set(udp, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
        set(udp, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
        set(udp, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
        set(udp, IPPROTO_IPV6, IPV6_DONTFRAG, 1);
    }
    set(udp, SOL_SOCKET, SO_RXQ_OVFL, 1);
    if (kernel_merges_well())
        set(udp, IPPROTO_UDP, UDP_GRO, 1);
}

static int bind_to(struct pl_udp *udp, const struct pl_address *address)
{
    union pl_sockaddr name;
    socklen_t n = pl_sockaddr_from_address(address, udp->family, &name);
    if (udp->sys->bind(udp->fd, &name.any, n) < 0)
        return errno;
    n = sizeof name;
    if (getsockname(udp->fd, &name.any, &n) < 0)
        return errno;
    udp->local = pl_sockaddr_to_address(&name);
    return 0;
}

/* Returns 0 or the errno that stopped it. */
static int prepare(struct pl_udp *udp, const struct pl_udp_options *options, const struct pl_address *address)
{
    int type = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    udp->family = address->family == PL_ADDRESS_IPV4 ? AF_INET : AF_INET6;
    if (udp->fd >= 0)
        close(udp->fd);
    udp->fd = udp->sys->socket(udp->family, type, IPPROTO_UDP);
    if (udp->fd < 0)
        return errno;
    if (udp->family == AF_INET6 && set(udp, IPPROTO_IPV6, IPV6_V6ONLY, options->v6_only) < 0)
        return errno;
    if (options->reuse_port && set(udp, SOL_SOCKET, SO_REUSEPORT, 1) < 0)
        return errno;
    set_wishes(udp);
    size_receive_buffer(udp, options->receive_buffer_bytes);
    return bind_to(udp, address);
}

static struct pl_address any_of(uint16_t family, uint16_t port)
{
    return (struct pl_address){.family = family, .port = port};
}

static enum pl_error open_at(struct pl_udp *udp, const struct pl_udp_options *options, struct pl_text *why)
{
    struct pl_address address = options->local;
    if (address.family == PL_ADDRESS_NONE)
        address = any_of(PL_ADDRESS_IPV6, address.port);
    int error = prepare(udp, options, &address);
    /* Everywhere, on a machine without IPv6, is everywhere in IPv4. */
    if (error == EAFNOSUPPORT && pl_address_is_any(&address) && !options->v6_only) {
        address = any_of(PL_ADDRESS_IPV4, address.port);
        error = prepare(udp, options, &address);
    }
    return error ? refuse(&address, error, why) : PL_OK;
}

enum pl_error pl_udp_open(void *ctx, const struct pl_udp_options *options, struct pl_udp **out,
                          struct pl_text *why)
{
    struct pl_udp *udp = calloc(1, sizeof *udp);
    *out = NULL;
    if (!udp || pl_udp_inbox_open(&udp->inbox)) {
        free(udp);
        pl_text_set(why, "UDP socket: out of memory");
        return PL_E_NO_MEMORY;
    }
    udp->sys = ctx;
    udp->fd = -1;
    udp->datagram_max_bytes = options->datagram_max_bytes;
    udp->gso_next_pause = PL_UDP_GSO_PAUSE_BATCHES;
    enum pl_error error = open_at(udp, options, why);
    if (error)
        pl_udp_close(ctx, udp);
    else
        *out = udp;
    return error;
}

void pl_udp_close(void *ctx, struct pl_udp *udp)
{
    (void)ctx;
    if (!udp)
        return;
    if (udp->fd >= 0)
        close(udp->fd);
    pl_udp_inbox_close(&udp->inbox);
    free(udp);
}

struct pl_address pl_udp_local(void *ctx, const struct pl_udp *udp)
{
    (void)ctx;
    return udp->local;
}

const struct pl_udp_counters *pl_udp_counters(void *ctx, const struct pl_udp *udp)
{
    (void)ctx;
    return &udp->counters;
}
