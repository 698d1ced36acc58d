/*
 * Receiving: as many messages as the kernel has at once, and the trains it merged (GRO) taken apart in place.
 *
 * A train is many datagrams of one flow in one buffer, all but the last of the size the kernel tells beside
 * it (the stride). A buffer holds the longest train there can be; should one be cut all the same, its whole
 * datagrams count and the cut one does not. Bytes longer than any datagram we take, without a stride, are no
 * datagram: some drivers merge and do not say so.
 */
#include <errno.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/mman.h>

#include "io/udp.h"

enum { TRIES = 8 /* calls to the kernel in one receive that brought nothing to give out */ };

/* The first so many messages as the kernel wants to find them. */
static void lay_out(struct pl_udp_inbox *inbox, unsigned messages)
{
    for (unsigned i = 0; i < messages; i++) {
        inbox->vectors[i].iov_base = inbox->buffers + (size_t)i * PL_UDP_BUFFER_SIZE;
        inbox->vectors[i].iov_len = PL_UDP_BUFFER_SIZE;
        inbox->messages[i].msg_hdr = (struct msghdr){
            .msg_name = &inbox->names[i],
            .msg_namelen = sizeof inbox->names[i],
            .msg_iov = &inbox->vectors[i],
            .msg_iovlen = 1,
            .msg_control = inbox->control[i],
            .msg_controllen = PL_UDP_CONTROL_SIZE,
        };
    }
}

enum pl_error pl_udp_inbox_open(struct pl_udp_inbox *inbox)
{
    size_t bytes = (size_t)PL_UDP_BUFFERS * PL_UDP_BUFFER_SIZE;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return PL_E_NO_MEMORY;
    inbox->buffers = p;
    lay_out(inbox, PL_UDP_BUFFERS);
    return PL_OK;
}

void pl_udp_inbox_close(struct pl_udp_inbox *inbox)
{
    if (inbox->buffers)
        munmap(inbox->buffers, (size_t)PL_UDP_BUFFERS * PL_UDP_BUFFER_SIZE);
    inbox->buffers = NULL;
}

bool pl_udp_holds(const struct pl_udp *udp)
{
    return udp->inbox.next < udp->inbox.n;
}

void pl_udp_release(struct pl_udp *udp)
{
    size_t kept = (size_t)PL_UDP_BUFFERS_AT_REST * PL_UDP_BUFFER_SIZE;
    if (!udp->inbox.grown || pl_udp_holds(udp))
        return;
    madvise(udp->inbox.buffers + kept, (size_t)PL_UDP_BUFFERS * PL_UDP_BUFFER_SIZE - kept, MADV_DONTNEED);
    udp->inbox.grown = false;
}

/* False if there is no sense in asking the kernel again now. */
static bool count_failure(struct pl_udp *udp, int error)
{
    if (error == EINTR)
        return true;
    if (error == EAGAIN)
        return false;
    udp->counters.last_errno = error;
    switch (error) {
    case EMSGSIZE:
    case ECONNREFUSED:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case EHOSTDOWN:
    case ENOPROTOOPT:
    case EPROTO: return udp->counters.receive_hints++, true;
    default: return udp->counters.receive_errors++, false;
    }
}

/* Asks the kernel once. False if nothing is there. */
static bool fill(struct pl_udp *udp, bool *ask_again)
{
    struct pl_udp_inbox *inbox = &udp->inbox;
    lay_out(inbox, inbox->n); /* the others are as they were laid out */
    udp->counters.received_calls++;
    int n = udp->sys->receive_messages(udp->fd, inbox->messages, PL_UDP_BUFFERS, MSG_DONTWAIT, NULL);
    inbox->n = n > 0 ? (unsigned)n : 0;
    inbox->next = 0;
    inbox->opened = false;
    if (inbox->n > PL_UDP_BUFFERS_AT_REST)
        inbox->grown = true;
    *ask_again = n < 0 && count_failure(udp, errno);
    return n > 0;
}

static void read_overflow(struct pl_udp *udp, const struct cmsghdr *head)
{
    uint32_t total; /* since the socket was made, modulo 2^32 */
    memcpy(&total, CMSG_DATA(head), sizeof total);
    udp->counters.receive_overflow += (uint32_t)(total - udp->overflow_seen);
    udp->overflow_seen = total;
}

static void read_ip(struct pl_udp *udp, const struct cmsghdr *head)
{
    struct pl_udp_inbox *inbox = &udp->inbox;
    if (head->cmsg_type == IP_PKTINFO) {
        struct in_pktinfo info;
        memcpy(&info, CMSG_DATA(head), sizeof info);
        inbox->path.local = pl_address_from_v4(info.ipi_spec_dst, udp->local.port);
    } else if (head->cmsg_type == IP_TOS) {
        inbox->ecn = *(const uint8_t *)CMSG_DATA(head) & 3;
    }
}

static void read_ipv6(struct pl_udp *udp, const struct cmsghdr *head)
{
    struct pl_udp_inbox *inbox = &udp->inbox;
    if (head->cmsg_type == IPV6_PKTINFO) {
        struct in6_pktinfo info;
        memcpy(&info, CMSG_DATA(head), sizeof info);
        /*
         * A group can not be answered from; for IPv4 the other packet info says which address to answer from.
         */
        uint32_t scope = (uint32_t)info.ipi6_ifindex;
        if (!IN6_IS_ADDR_MULTICAST(&info.ipi6_addr) && !IN6_IS_ADDR_V4MAPPED(&info.ipi6_addr))
            inbox->path.local = pl_address_from_v6(&info.ipi6_addr, udp->local.port, scope);
    } else if (head->cmsg_type == IPV6_TCLASS) {
        int class;
        memcpy(&class, CMSG_DATA(head), sizeof class);
        inbox->ecn = class & 3;
    }
}

static void read_control(struct pl_udp *udp, struct msghdr *message)
{
    for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head; head = CMSG_NXTHDR(message, head)) {
        if (head->cmsg_level == IPPROTO_IP)
            read_ip(udp, head);
        else if (head->cmsg_level == IPPROTO_IPV6)
            read_ipv6(udp, head);
        else if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SO_RXQ_OVFL)
            read_overflow(udp, head);
        else if (head->cmsg_level == IPPROTO_UDP && head->cmsg_type == UDP_GRO) {
            int stride;
            memcpy(&stride, CMSG_DATA(head), sizeof stride);
            udp->inbox.stride = stride > 0 ? (size_t)stride : 0;
        }
    }
}

/* Reads what came beside the message, and takes a cut datagram off its end. False if nothing whole is left.
 */
static bool open_message(struct pl_udp *udp, struct mmsghdr *message)
{
    struct pl_udp_inbox *inbox = &udp->inbox;
    inbox->opened = true;
    inbox->offset = 0;
    inbox->stride = 0;
    inbox->ecn = 0;
    inbox->path = (struct pl_path){.peer = pl_sockaddr_to_address(message->msg_hdr.msg_name)};
    read_control(udp, &message->msg_hdr);
    if (message->msg_hdr.msg_flags & MSG_CTRUNC)
        udp->counters.receive_control++;
    if (message->msg_hdr.msg_flags & MSG_TRUNC) {
        udp->counters.receive_truncated++;
        message->msg_len -= inbox->stride ? message->msg_len % inbox->stride : message->msg_len;
        if (message->msg_len == 0)
            return false;
    }
    if (inbox->stride == 0)
        inbox->stride = message->msg_len;
    return true;
}

static void finish_message(struct pl_udp_inbox *inbox)
{
    inbox->next++;
    inbox->opened = false;
}

/* Gives out the next datagram of the message in hand. False if there was none, or one too long. */
static bool next_datagram(struct pl_udp *udp, struct pl_datagram *out)
{
    struct pl_udp_inbox *inbox = &udp->inbox;
    struct mmsghdr *message = &inbox->messages[inbox->next];
    uint8_t *p = inbox->vectors[inbox->next].iov_base;
    if (!inbox->opened && !open_message(udp, message)) {
        finish_message(inbox);
        return false;
    }
    size_t left = message->msg_len - inbox->offset;
    size_t n = left < inbox->stride ? left : inbox->stride;
    *out = (struct pl_datagram){p + inbox->offset, n, inbox->path, inbox->ecn};
    inbox->offset += n;
    if (inbox->offset >= message->msg_len)
        finish_message(inbox);
    if (n <= udp->datagram_max_bytes)
        return true;
    udp->counters.receive_long++;
    return false;
}

static void count_datagram(struct pl_udp *udp, const struct pl_datagram *datagram)
{
    udp->counters.received_datagrams++;
    udp->counters.received_bytes += datagram->n;
}

/* Gives out of what is held, up to max. */
static size_t take(struct pl_udp *udp, struct pl_datagram *out, size_t max)
{
    size_t n = 0;
    while (n < max && pl_udp_holds(udp))
        if (next_datagram(udp, &out[n]))
            count_datagram(udp, &out[n++]);
    return n;
}

size_t pl_udp_receive(void *ctx, struct pl_udp *udp, struct pl_datagram *out, size_t max)
{
    size_t n = 0;
    (void)ctx;
    if (max > PL_IO_RECEIVE_MAX)
        max = PL_IO_RECEIVE_MAX;
    for (int tries = 0; n == 0 && tries < TRIES; tries++) {
        bool ask_again = true;
        if (!pl_udp_holds(udp) && !fill(udp, &ask_again) && !ask_again)
            break;
        n = take(udp, out, max);
    }
    return n;
}
