/* Sending: trains that arrive whole over loopback, and each errno met at each place. */
#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <string.h>

#include "io/udp.h"
#include "unit/io_help.h"

static struct io_help_received received;
static uint8_t bytes[64 * 1452];

Test(io_udp_send, every_segment_of_a_train_arrives)
{
    static const char *const hosts[][2] = {
        {"127.0.0.1:0", "127.0.0.1"}, {"[::1]:0", "[::1]"}, {":0", "127.0.0.1"}};
    const struct pl_io *io = &pl_io_linux;
    io_help_pattern(bytes, sizeof bytes);
    for (size_t h = 0; h < 3; h++) {
        if (hosts[h][0][0] == '[' && !io_help_has_ipv6())
            continue;
        struct pl_udp *to = io_help_open(io, hosts[h][0], 1452);
        struct pl_udp *from = io_help_open(io, hosts[h][0], 1452);
        struct pl_path path = io_help_path_to(io, to, hosts[h][1]);
        for (size_t size = 900; size <= 1452; size += 138) {
            for (size_t count = 40; count <= 64; count += 8) {
                struct pl_train batch = {&path, bytes, count * size - 5, size, 0};
                struct pl_send_outcome sent = io->udp_send(io->ctx, from, &batch);
                cr_assert_eq(sent.result, PL_SEND_SENT);
                cr_assert_eq(sent.segments, count);
                cr_assert_eq(io_help_receive(io, to, count, &received), count, "%zu x %zu", count, size);
                cr_assert_eq(received.n, batch.n);
                cr_assert_eq(memcmp(received.bytes, bytes, batch.n), 0);
            }
        }
        cr_assert_eq(io->udp_counters(io->ctx, to)->receive_truncated, 0);
        io->udp_close(io->ctx, to);
        io->udp_close(io->ctx, from);
    }
}

Test(io_udp_send, a_large_datagram_stays_one)
{
    const struct pl_io *io = &pl_io_linux;
    struct pl_udp *to = io_help_open(io, "127.0.0.1:0", 2048);
    struct pl_udp *from = io_help_open(io, "127.0.0.1:0", 2048);
    struct pl_path path = io_help_path_to(io, to, "127.0.0.1");
    io_help_pattern(bytes, sizeof bytes);
    io->udp_send(io->ctx, from, &(struct pl_train){&path, bytes, 2048, 2048, 0});
    io->udp_send(io->ctx, from, &(struct pl_train){&path, bytes, 1, 1200, 0});
    cr_assert_eq(io_help_receive(io, to, 2, &received), 2);
    cr_assert_eq(received.sizes[0], 2048);
    cr_assert_eq(received.sizes[1], 1);
    io->udp_close(io->ctx, to);
    io->udp_close(io->ctx, from);
}

/* ---- Injected errors ---- */

enum { CALLS = 200 };

static struct {
    int errors[8]; /* of the first calls; 0: goes through */
    size_t calls;
    size_t sizes[CALLS];
    bool segmented[CALLS], ecn[CALLS], pinned[CALLS];
    bool refuse_source, refuse_ecn, refuse_segments; /* EINVAL whenever it is there */
} script;

static bool has(const struct msghdr *message, int level, int type)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR((struct msghdr *)message, c))
        if (c->cmsg_level == level && c->cmsg_type == type)
            return true;
    return false;
}

static ssize_t scripted_send(int fd, const struct msghdr *message, int flags)
{
    size_t i = script.calls++;
    cr_assert(i < CALLS, "it loops");
    script.sizes[i] = message->msg_iov->iov_len;
    script.segmented[i] = has(message, IPPROTO_UDP, UDP_SEGMENT);
    script.ecn[i] = has(message, IPPROTO_IP, IP_TOS) || has(message, IPPROTO_IPV6, IPV6_TCLASS);
    script.pinned[i] = has(message, IPPROTO_IP, IP_PKTINFO) || has(message, IPPROTO_IPV6, IPV6_PKTINFO);
    errno = i < 8 ? script.errors[i] : 0;
    if ((script.refuse_source && script.pinned[i]) || (script.refuse_ecn && script.ecn[i]) ||
        (script.refuse_segments && script.segmented[i]))
        errno = EINVAL;
    return errno ? -1 : sendmsg(fd, message, flags);
}

struct bench {
    struct pl_io io;
    struct pl_syscalls sys;
    struct pl_udp *to, *from;
    struct pl_path path;
};

static void set_up(struct bench *bench, bool pinned)
{
    memset(&script, 0, sizeof script);
    bench->io = pl_io_linux;
    bench->sys = pl_syscalls_libc;
    bench->sys.send_message = scripted_send;
    bench->io.ctx = &bench->sys;
    bench->to = io_help_open(&bench->io, "127.0.0.1:0", 1200);
    bench->from = io_help_open(&bench->io, "127.0.0.1:0", 1200);
    bench->path = io_help_path_to(&bench->io, bench->to, "127.0.0.1");
    if (pinned)
        bench->path.local = pl_udp_local(&bench->sys, bench->from);
    io_help_pattern(bytes, sizeof bytes);
}

static struct pl_send_outcome send_train(struct bench *bench, size_t segments, uint8_t ecn)
{
    struct pl_train batch = {&bench->path, bytes, segments * 1000, 1000, ecn};
    script.calls = 0;
    return pl_udp_send(&bench->sys, bench->from, &batch);
}

static void tear_down(struct bench *bench)
{
    pl_udp_close(&bench->sys, bench->to);
    pl_udp_close(&bench->sys, bench->from);
}

/* First errno of a single datagram: what is told, what is counted, how many calls it took. */
static const struct {
    int error;
    enum pl_send_result result;
    size_t calls;
    size_t counter;
} singles[] = {
#define COUNTER(name) offsetof(struct pl_udp_counters, name)
    {EAGAIN, PL_SEND_AGAIN, 1, COUNTER(send_again)},
    {ENOBUFS, PL_SEND_LOST, 1, COUNTER(send_no_memory)},
    {ENOMEM, PL_SEND_LOST, 1, COUNTER(send_no_memory)},
    {EPERM, PL_SEND_LOST, 1, COUNTER(send_forbidden)},
    {EACCES, PL_SEND_LOST, 1, COUNTER(send_forbidden)},
    {EIO, PL_SEND_LOST, 1, COUNTER(send_other)},
    {EPIPE, PL_SEND_LOST, 1, COUNTER(send_other)},
    {EMSGSIZE, PL_SEND_TOO_BIG, 1, COUNTER(send_too_big)},
    {ENETUNREACH, PL_SEND_UNREACHABLE, 1, COUNTER(send_unreachable)},
    {EHOSTUNREACH, PL_SEND_UNREACHABLE, 1, COUNTER(send_unreachable)},
    {EADDRNOTAVAIL, PL_SEND_UNREACHABLE, 1, COUNTER(send_unreachable)},
    {ENETDOWN, PL_SEND_UNREACHABLE, 1, COUNTER(send_unreachable)},
    {EINVAL, PL_SEND_UNREACHABLE, 1, COUNTER(send_unreachable)},
};

Test(io_udp_send, tells_what_each_errno_means)
{
    struct bench bench;
    set_up(&bench, false);
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) {
        const struct pl_udp_counters *counters = pl_udp_counters(&bench.sys, bench.from);
        const uint64_t *counter = (const uint64_t *)((const char *)counters + singles[i].counter);
        uint64_t before = *counter;
        script.errors[0] = singles[i].error;
        struct pl_send_outcome sent = send_train(&bench, 1, 0);
        cr_assert_eq(sent.result, singles[i].result, "errno %d", singles[i].error);
        cr_assert_eq(sent.segments, 0);
        cr_assert_eq(script.calls, singles[i].calls);
        cr_assert_eq(*counter, before + 1);
        cr_assert_eq(counters->last_errno, singles[i].error);
        script.errors[0] = 0;
        cr_assert_eq(send_train(&bench, 1, 0).result, PL_SEND_SENT, "the socket lives on after %d",
                     singles[i].error);
    }
    tear_down(&bench);
}

Test(io_udp_send, repeats_after_signals_and_old_errors)
{
    struct bench bench;
    set_up(&bench, false);
    script.errors[0] = script.errors[1] = EINTR;
    cr_assert_eq(send_train(&bench, 1, 0).result, PL_SEND_SENT);
    cr_assert_eq(script.calls, 3);
    script.errors[0] = ECONNREFUSED;
    script.errors[1] = 0;
    cr_assert_eq(send_train(&bench, 1, 0).result, PL_SEND_SENT);
    script.errors[1] = ECONNREFUSED;
    cr_assert_eq(send_train(&bench, 1, 0).result, PL_SEND_LOST);
    cr_assert_eq(script.calls, 2);
    tear_down(&bench);
}

Test(io_udp_send, a_refused_train_goes_singly_at_once)
{
    static const int errors[] = {EIO, EINVAL};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        set_up(&bench, true);
        script.errors[0] = errors[i];
        struct pl_send_outcome sent = send_train(&bench, 40, 2);
        cr_assert_eq(sent.result, PL_SEND_SENT);
        cr_assert_eq(sent.segments, 40);
        cr_assert_not(sent.unpinned);
        cr_assert_eq(script.calls, 41);
        cr_assert(script.segmented[0] && !script.segmented[1] && script.pinned[1] && script.ecn[1]);
        cr_assert_eq(io_help_receive(&bench.io, bench.to, 40, &received), 40);
        cr_assert_eq(memcmp(received.bytes, bytes, received.n), 0);
        cr_assert_eq(pl_udp_counters(&bench.sys, bench.from)->gso_refused, 1);
        script.errors[0] = 0;
        send_train(&bench, 40, 0);
        cr_assert(script.calls == 40 && !script.segmented[0], "segmentation stays off");
        bench.from->gso_pause_batches = 0;
        send_train(&bench, 40, 0);
        cr_assert(script.calls == 1 && script.segmented[0], "and is tried again later");
        tear_down(&bench);
    }
}

/* A route may change between two messages of one train: what went stays gone, the rest goes singly. */
Test(io_udp_send, a_train_refused_half_way_goes_on_singly)
{
    static const int errors[] = {EIO, EINVAL};
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        set_up(&bench, true);
        script.errors[1] = errors[i];
        struct pl_send_outcome sent = send_train(&bench, 80, 2);
        cr_assert(sent.result == PL_SEND_SENT && sent.segments == 80 && !sent.unpinned);
        cr_assert_eq(script.calls, 1 + 1 + 16, "a full message, the refused one, its segments");
        cr_assert(script.segmented[0] && script.segmented[1] && !script.segmented[2]);
        cr_assert_eq(io_help_receive(&bench.io, bench.to, 80, &received), 80);
        cr_assert_eq(memcmp(received.bytes, bytes, received.n), 0, "nothing twice, nothing left out");
        cr_assert_eq(pl_udp_counters(&bench.sys, bench.from)->gso_refused, 1);
        script.errors[1] = 0;
        send_train(&bench, 80, 0);
        cr_assert(script.calls == 80 && !script.segmented[0], "segmentation stays off");
        tear_down(&bench);
    }
}

/* Some kernels leave a datagram with a segment size beside it, but no second segment, with a wrong checksum.
 */
Test(io_udp_send, a_single_last_segment_carries_no_segment_size)
{
    struct bench bench;
    set_up(&bench, false);
    struct pl_send_outcome sent = send_train(&bench, 65, 0);
    cr_assert(sent.result == PL_SEND_SENT && sent.segments == 65 && script.calls == 2);
    cr_assert(script.segmented[0] && script.sizes[0] == 64000);
    cr_assert(!script.segmented[1] && script.sizes[1] == 1000);
    cr_assert_eq(io_help_receive(&bench.io, bench.to, 65, &received), 65);
    tear_down(&bench);
}

Test(io_udp_send, an_error_within_a_train_keeps_what_went)
{
    static const struct {
        int error;
        enum pl_send_result result;
    } kinds[] = {{EAGAIN, PL_SEND_AGAIN}, {ENOBUFS, PL_SEND_LOST}, {ENETUNREACH, PL_SEND_UNREACHABLE}};
    for (size_t i = 0; i < 3; i++) {
        struct bench bench;
        set_up(&bench, false);
        bench.from->gso_pause_batches = 1;
        script.errors[3] = kinds[i].error;
        struct pl_send_outcome sent = send_train(&bench, 10, 0);
        cr_assert_eq(sent.result, kinds[i].result);
        cr_assert_eq(sent.segments, 3);
        cr_assert_eq(script.calls, 4, "the round ends there");
        cr_assert_eq(io_help_receive(&bench.io, bench.to, 3, &received), 3);
        tear_down(&bench);
    }
}

/* Each culprit alone is found, whatever else was refused with it; the others stay in use. */
Test(io_udp_send, blames_the_right_thing)
{
    for (unsigned culprit = 0; culprit < 3; culprit++) {
        struct bench bench;
        set_up(&bench, true);
        script.refuse_source = culprit == 0;
        script.refuse_ecn = culprit == 1;
        script.refuse_segments = culprit == 2;
        struct pl_send_outcome sent = send_train(&bench, 20, 2);
        cr_assert_eq(sent.result, PL_SEND_SENT);
        cr_assert_eq(sent.segments, 20);
        cr_assert_eq(sent.unpinned, culprit == 0);
        cr_assert_eq(bench.from->gso_pause_batches > 0, culprit == 2);
        cr_assert_eq(bench.from->ecn_refused, culprit == 1);
        cr_assert_eq(io_help_receive(&bench.io, bench.to, 20, &received), 20);
        if (culprit == 0) {
            bench.path.local = (struct pl_address){0};
            send_train(&bench, 20, 2);
            cr_assert(script.calls == 1 && script.segmented[0] && script.ecn[0]);
        }
        tear_down(&bench);
    }
}

Test(io_udp_send, a_lost_source_address_is_left_out)
{
    static const int errors[] = {EINVAL, EADDRNOTAVAIL, ENETUNREACH, ENODEV};
    for (size_t i = 0; i < 4; i++) {
        struct bench bench;
        set_up(&bench, true);
        script.errors[0] = errors[i];
        struct pl_send_outcome sent = send_train(&bench, 1, 0);
        cr_assert(sent.result == PL_SEND_SENT && sent.unpinned, "errno %d", errors[i]);
        cr_assert(script.calls == 2 && script.pinned[0] && !script.pinned[1]);
        cr_assert_eq(pl_udp_counters(&bench.sys, bench.from)->send_unpinned, 1);
        script.errors[1] = errors[i];
        sent = send_train(&bench, 1, 0);
        cr_assert(sent.result == PL_SEND_UNREACHABLE && !sent.unpinned && script.calls == 2);
        tear_down(&bench);
    }
}

Test(io_udp_send, really_lost_addresses_and_families)
{
    struct bench bench;
    set_up(&bench, false);
    cr_assert_eq(pl_address_parse("192.0.2.77:9", &bench.path.local, NULL), PL_OK);
    struct pl_send_outcome sent = send_train(&bench, 2, 0);
    cr_assert(sent.result == PL_SEND_SENT && sent.unpinned && sent.segments == 2);
    cr_assert_eq(io_help_receive(&bench.io, bench.to, 2, &received), 2);
    bench.path.local = (struct pl_address){0};
    cr_assert_eq(pl_address_parse("[::1]:9", &bench.path.peer, NULL), PL_OK);
    cr_assert_eq(send_train(&bench, 2, 0).result, PL_SEND_UNREACHABLE, "no IPv6 on an IPv4 socket");
    bench.path.peer = (struct pl_address){0};
    cr_assert_eq(send_train(&bench, 2, 0).result, PL_SEND_UNREACHABLE);
    tear_down(&bench);
}

Test(io_udp_send, an_oversized_datagram_is_too_big)
{
    struct bench bench;
    set_up(&bench, false);
    struct pl_train batch = {&bench.path, bytes, 65508, 65508, 0};
    cr_assert_eq(pl_udp_send(&bench.sys, bench.from, &batch).result, PL_SEND_TOO_BIG);
    tear_down(&bench);
}
