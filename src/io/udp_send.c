/*
 * Sending a train of datagrams, and the rule for every errno.
 *
 * A message may carry three things that a kernel, a driver or a route may refuse: the segment size
 * (segmentation offload), the ECN bits, the source address. A refusal does not say which. So the message is
 * tried again with one thing less, in that order, until it goes; what was left out when it went is to blame.
 * Nothing is lost by this, and nothing is tried twice the same way.
 */
#include <assert.h>
#include <errno.h>
#include <netinet/udp.h>
#include <string.h>

#include "io/udp.h"

/* How the next message is tried. */
struct attempt {
    bool segmented; /* several segments at once, cut by the kernel */
    bool ecn;
    bool pinned;
    bool repeated;         /* once more after an error that was about an earlier datagram */
    bool segments_refused; /* in this batch, with EINVAL: whose fault is not known yet */
};

struct control {
    _Alignas(struct cmsghdr) uint8_t bytes[PL_UDP_CONTROL_SIZE];
    size_t n;
};

static void add(struct control *control, int level, int type, const void *value, size_t n)
{
    struct cmsghdr *head = (struct cmsghdr *)(control->bytes + control->n);
    head->cmsg_level = level;
    head->cmsg_type = type;
    head->cmsg_len = CMSG_LEN(n);
    memcpy(CMSG_DATA(head), value, n);
    control->n += CMSG_SPACE(n);
}

static void add_source(struct control *control, const struct pl_path *path)
{
    if (path->peer.family == PL_ADDRESS_IPV4) {
        struct in_pktinfo info = {.ipi_spec_dst = pl_address_to_v4(&path->local)};
        add(control, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);
    } else {
        struct in6_pktinfo info = {0};
        info.ipi6_addr = pl_address_to_v6(&path->local);
        info.ipi6_ifindex = path->local.scope;
        add(control, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info);
    }
}

static void fill_control(struct control *control, const struct pl_train *batch, const struct attempt *attempt)
{
    bool v4 = batch->path->peer.family == PL_ADDRESS_IPV4;
    memset(control, 0, sizeof *control);
    if (attempt->segmented) {
        uint16_t size = (uint16_t)batch->segment_size;
        add(control, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof size);
    }
    if (attempt->ecn) {
        int ecn = batch->ecn;
        add(control, v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_TOS : IPV6_TCLASS, &ecn, sizeof ecn);
    }
    if (attempt->pinned)
        add_source(control, batch->path);
}

/* Returns 0 or the errno. */
static int send_message(struct pl_udp *udp, const struct pl_train *batch, size_t at, size_t n,
                        const struct attempt *attempt)
{
    union pl_sockaddr name;
    struct control control;
    struct iovec vector = {(void *)(batch->bytes + at), n};
    struct msghdr message = {.msg_name = &name, .msg_iov = &vector, .msg_iovlen = 1};
    ssize_t sent;
    message.msg_namelen = pl_sockaddr_from_address(&batch->path->peer, udp->family, &name);
    if (message.msg_namelen == 0)
        return EAFNOSUPPORT;
    fill_control(&control, batch, attempt);
    message.msg_control = control.n ? control.bytes : NULL;
    message.msg_controllen = control.n;
    do {
        udp->counters.sent_calls++;
        sent = udp->sys->send_message(udp->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

/* Each further refusal is believed for longer; a route may change, so never for ever. */
static void pause_segmentation(struct pl_udp *udp)
{
    udp->gso_pause_batches = udp->gso_next_pause;
    if (udp->gso_next_pause < PL_UDP_GSO_PAUSE_LIMIT)
        udp->gso_next_pause *= 2;
}

static bool is_about_source(int error)
{
    return error == EINVAL || error == EADDRNOTAVAIL || error == ENETUNREACH || error == EHOSTUNREACH ||
           error == ENODEV || error == ENETDOWN;
}

/* Takes one thing out of the attempt; false if nothing is left that the error could be about. */
static bool weaken(struct pl_udp *udp, struct attempt *attempt, int error)
{
    if (attempt->segmented && (error == EIO || error == EINVAL)) {
        attempt->segmented = false;
        attempt->segments_refused = error == EINVAL;
        udp->counters.gso_refused++;
        if (error == EIO)
            pause_segmentation(udp);
        return true;
    }
    if (attempt->ecn && error == EINVAL)
        return attempt->ecn = false, true;
    if (attempt->pinned && is_about_source(error))
        return attempt->pinned = false, true;
    if (error == ECONNREFUSED && !attempt->repeated)
        return attempt->repeated = true;
    return false;
}

/* Blames what was left out when a message went at last. */
static void went(struct pl_udp *udp, const struct pl_train *batch, struct attempt *attempt, bool source_given)
{
    bool ecn_left_out = batch->ecn && !udp->ecn_refused && !attempt->ecn;
    bool source_left_out = source_given && !attempt->pinned;
    if (attempt->segments_refused && !ecn_left_out && !source_left_out)
        pause_segmentation(udp);
    if (ecn_left_out && !source_left_out)
        udp->ecn_refused = true;
    attempt->segments_refused = false;
    attempt->repeated = false;
}

static enum pl_send_result count_failure(struct pl_udp *udp, int error)
{
    struct pl_udp_counters *counters = &udp->counters;
    counters->last_errno = error;
    switch (error) {
    case EAGAIN: /* EWOULDBLOCK is the same on Linux */
        udp->wants_send = true;
        return counters->send_again++, PL_SEND_AGAIN;
    case ENOBUFS:
    case ENOMEM: return counters->send_no_memory++, PL_SEND_LOST;
    case EPERM:
    case EACCES: return counters->send_forbidden++, PL_SEND_LOST;
    case EMSGSIZE: return counters->send_too_big++, PL_SEND_TOO_BIG;
    case EINVAL:
    case ENODEV:
    case ENETDOWN:
    case EHOSTDOWN:
    case ENETUNREACH:
    case EHOSTUNREACH:
    case EAFNOSUPPORT:
    case EADDRNOTAVAIL: return counters->send_unreachable++, PL_SEND_UNREACHABLE;
    default: return counters->send_other++, PL_SEND_LOST;
    }
}

/* Bytes of the next message, and whether the kernel is to cut it; never where it is a single segment. */
static size_t choose_size(const struct pl_train *batch, size_t at, bool segmentation, struct attempt *attempt)
{
    size_t left = batch->n - at;
    size_t segments = PL_UDP_PAYLOAD_MAX / batch->segment_size;
    if (segments > PL_UDP_SEGMENTS_MAX)
        segments = PL_UDP_SEGMENTS_MAX;
    size_t most = segmentation ? segments * batch->segment_size : batch->segment_size;
    size_t n = left < most ? left : most;
    attempt->segmented = n > batch->segment_size;
    return n;
}

static size_t segments_in(const struct pl_train *batch, size_t n)
{
    return (n + batch->segment_size - 1) / batch->segment_size;
}

static bool may_segment(struct pl_udp *udp, const struct pl_train *batch)
{
    if (batch->n <= batch->segment_size)
        return false;
    if (udp->gso_pause_batches == 0)
        return true;
    udp->gso_pause_batches--;
    return false;
}

struct pl_send_outcome pl_udp_send(void *ctx, struct pl_udp *udp, const struct pl_train *batch)
{
    bool source_given =
        batch->path->local.family == batch->path->peer.family && !pl_address_is_any(&batch->path->local);
    bool segmentation = may_segment(udp, batch);
    struct attempt attempt = {.ecn = batch->ecn && !udp->ecn_refused, .pinned = source_given};
    struct pl_send_outcome sent = {.result = PL_SEND_SENT};
    size_t at = 0;
    (void)ctx;
    assert(batch->segment_size > 0);
    while (at < batch->n) {
        size_t n = choose_size(batch, at, segmentation, &attempt);
        bool segmented = attempt.segmented;
        int error = send_message(udp, batch, at, n, &attempt);
        if (error == 0) {
            went(udp, batch, &attempt, source_given);
            sent.segments += segments_in(batch, n);
            udp->counters.sent_datagrams += segments_in(batch, n);
            udp->counters.sent_bytes += n;
            at += n;
        } else if (!weaken(udp, &attempt, error)) {
            sent.result = count_failure(udp, error);
            break;
        } else if (segmented && !attempt.segmented) {
            segmentation = false;
        }
    }
    sent.unpinned = source_given && !attempt.pinned && sent.segments > 0;
    udp->counters.send_unpinned += sent.unpinned;
    return sent;
}
