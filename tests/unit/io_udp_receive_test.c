/* Receiving: paths, ECN, sizes, and trains that come cut, unmarked or too long. */
#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/udp.h"
#include "unit/io_help.h"

static struct io_help_received received;
static uint8_t bytes[65507];

/* An answer to each local address of one socket for both families leaves from that address. */
Test(io_udp_receive, answers_leave_from_where_it_came)
{
    static const char *const hosts[] = {"127.0.0.1", "127.0.0.2", "127.3.2.1", "[::1]"};
    const struct pl_io *io = &pl_io_linux;
    struct pl_udp *node = io_help_open(io, ":0", 1200);
    size_t count = io_help_has_ipv6() ? 4 : 3;
    for (size_t i = 0; i < count; i++) {
        struct pl_udp *device = io_help_open(io, i < 3 ? "127.0.0.1:0" : "[::1]:0", 1200);
        struct pl_path path = io_help_path_to(io, node, hosts[i]);
        io->udp_send(io->ctx, device, &(struct pl_train){&path, (const uint8_t *)"question", 8, 1200, 2});
        cr_assert_eq(io_help_receive(io, node, 1, &received), 1);
        struct pl_path back = received.paths[0];
        struct pl_address device_local = io->udp_local(io->ctx, device);
        cr_assert(pl_address_equal(&back.local, &path.peer), "%s", hosts[i]);
        cr_assert(pl_address_equal(&back.peer, &device_local));
        cr_assert_eq(received.ecn[0], 2);
        struct pl_send_outcome sent =
            io->udp_send(io->ctx, node, &(struct pl_train){&back, (const uint8_t *)"answers.", 8, 4, 1});
        cr_assert(sent.result == PL_SEND_SENT && !sent.unpinned);
        cr_assert_eq(io_help_receive(io, device, 2, &received), 2);
        cr_assert(pl_address_equal(&received.paths[0].peer, &path.peer), "%s: answered from elsewhere",
                  hosts[i]);
        cr_assert_eq(received.ecn[1], 1);
        io->udp_close(io->ctx, device);
    }
    io->udp_close(io->ctx, node);
}

Test(io_udp_receive, each_small_size_comes_as_it_is)
{
    const struct pl_io *io = &pl_io_linux;
    struct pl_udp *to = io_help_open(io, "127.0.0.1:0", 64);
    struct pl_udp *from = io_help_open(io, "127.0.0.1:0", 64);
    struct pl_path path = io_help_path_to(io, to, "127.0.0.1");
    union pl_sockaddr name;
    socklen_t n = pl_sockaddr_from_address(&path.peer, AF_INET, &name);
    io_help_pattern(bytes, sizeof bytes);
    for (size_t size = 0; size <= 64; size++)
        cr_assert_eq(sendto(from->fd, bytes, size, 0, &name.any, n), (ssize_t)size);
    cr_assert_eq(io_help_receive(io, to, 65, &received), 65);
    for (size_t size = 0; size <= 64; size++)
        cr_assert_eq(received.sizes[size], size);
    sendto(from->fd, bytes, 65, 0, &name.any, n);
    sendto(from->fd, bytes, 65507, 0, &name.any, n);
    sendto(from->fd, bytes, 3, 0, &name.any, n);
    cr_assert_eq(io_help_receive(io, to, 1, &received), 1);
    cr_assert_eq(received.sizes[0], 3);
    cr_assert_eq(io->udp_counters(io->ctx, to)->receive_long, 2);
    io->udp_close(io->ctx, to);
    io->udp_close(io->ctx, from);
}

Test(io_udp_receive, work_in_one_call_is_bounded_and_nothing_is_left)
{
    const struct pl_io *io = &pl_io_linux;
    static struct pl_datagram some[1000];
    struct pl_udp *to = io_help_open(io, "127.0.0.1:0", 1200);
    struct pl_udp *from = io_help_open(io, "127.0.0.1:0", 1200);
    struct pl_path path = io_help_path_to(io, to, "127.0.0.1");
    for (int i = 0; i < 20; i++)
        io->udp_send(io->ctx, from, &(struct pl_train){&path, bytes, 640, 10, 0});
    size_t total = 0, most = 0, n;
    while ((n = io->udp_receive(io->ctx, to, some, 1000)) > 0) {
        total += n;
        most = n > most ? n : most;
    }
    cr_assert_eq(total, 1280);
    cr_assert_leq(most, PL_IO_RECEIVE_MAX);
    io->udp_send(io->ctx, from, &(struct pl_train){&path, bytes, 640, 10, 0});
    cr_assert_eq(io->udp_receive(io->ctx, to, some, 1), 1);
    cr_assert(io->wait(io->ctx, &to, 1, NULL, PL_IO_FOREVER) & PL_READY_RECEIVE,
              "what is held needs no kernel");
    cr_assert_eq(io->udp_receive(io->ctx, to, some, 1000), 63);
    io->udp_close(io->ctx, to);
    io->udp_close(io->ctx, from);
}

/* ---- What the kernel might say ---- */

static struct {
    int errors[16];
    size_t calls, n;
    unsigned length;
    int stride, flags;
    uint32_t overflow;
    bool dead_control; /* cut: nothing in it */
} script;

static void add(struct msghdr *message, size_t *used, int level, int type, const void *value, size_t n)
{
    struct cmsghdr *head = (struct cmsghdr *)((uint8_t *)message->msg_control + *used);
    head->cmsg_level = level;
    head->cmsg_type = type;
    head->cmsg_len = CMSG_LEN(n);
    memcpy(CMSG_DATA(head), value, n);
    *used += CMSG_SPACE(n);
}

static int scripted_receive(int fd, struct mmsghdr *messages, unsigned n, int flags, struct timespec *timeout)
{
    size_t used = 0;
    (void)fd;
    (void)flags;
    (void)timeout;
    cr_assert(n > 0);
    if (script.calls++ < script.n) {
        errno = script.errors[script.calls - 1];
        return -1;
    }
    if (script.length == 0) {
        errno = EAGAIN;
        return -1;
    }
    struct msghdr *message = &messages[0].msg_hdr;
    io_help_pattern(message->msg_iov->iov_base, script.length);
    memset(message->msg_control, 0, message->msg_controllen);
    if (script.stride)
        add(message, &used, IPPROTO_UDP, UDP_GRO, &script.stride, sizeof script.stride);
    if (script.overflow)
        add(message, &used, SOL_SOCKET, SO_RXQ_OVFL, &script.overflow, sizeof script.overflow);
    message->msg_controllen = used;
    message->msg_flags = script.flags;
    messages[0].msg_len = script.length;
    script.length = 0;
    return 1;
}

struct bench {
    struct pl_syscalls sys;
    struct pl_udp *udp;
};

static void set_up(struct bench *bench)
{
    struct pl_io io = pl_io_linux;
    memset(&script, 0, sizeof script);
    bench->sys = pl_syscalls_libc;
    bench->sys.receive_messages = scripted_receive;
    io.ctx = &bench->sys;
    bench->udp = io_help_open(&io, "127.0.0.1:0", 1452);
}

static const struct {
    unsigned length;
    int stride, flags;
    size_t count, last;
    uint64_t truncated, control, too_long;
} trains[] = {
    {1452, 0, 0, 1, 1452, 0, 0, 0},
    {4356, 0, 0, 0, 0, 0, 0, 1}, /* merged without a stride */
    {4356, 1452, 0, 3, 1452, 0, 0, 0},
    {4000, 1452, 0, 3, 1096, 0, 0, 0},
    {65536, 1400, MSG_TRUNC, 46, 1400, 1, 0, 0}, /* the train was cut: its last datagram is not one */
    {1400, 1400, MSG_TRUNC, 1, 1400, 1, 0, 0},
    {1000, 1400, MSG_TRUNC, 0, 0, 1, 0, 0},
    {65536, 0, MSG_TRUNC, 0, 0, 1, 0, 0},
    {800, 0, MSG_CTRUNC, 1, 800, 0, 1, 0},
    {9000, 0, MSG_CTRUNC, 0, 0, 0, 1, 1},
    {6000, 3000, 0, 0, 0, 0, 0, 2},
    {100, 1, 0, 100, 1, 0, 0, 0},
    {100, -5, 0, 1, 100, 0, 0, 0},
    {100, 70000, 0, 1, 100, 0, 0, 0},
};

Test(io_udp_receive, takes_trains_apart_whatever_they_claim)
{
    for (size_t i = 0; i < sizeof trains / sizeof *trains; i++) {
        struct bench bench;
        struct pl_datagram some[PL_IO_RECEIVE_MAX];
        set_up(&bench);
        script.length = trains[i].length;
        script.stride = trains[i].stride;
        script.flags = trains[i].flags;
        size_t n = pl_udp_receive(&bench.sys, bench.udp, some, PL_IO_RECEIVE_MAX);
        const struct pl_udp_counters *counters = pl_udp_counters(&bench.sys, bench.udp);
        cr_assert_eq(n, trains[i].count, "train %zu: %zu", i, n);
        cr_assert(n == 0 || some[n - 1].n == trains[i].last);
        cr_assert_eq(counters->receive_truncated, trains[i].truncated);
        cr_assert_eq(counters->receive_control, trains[i].control);
        cr_assert_eq(counters->receive_long, trains[i].too_long);
        cr_assert_eq(counters->received_datagrams, n);
        cr_assert_eq(pl_udp_receive(&bench.sys, bench.udp, some, PL_IO_RECEIVE_MAX), 0);
        pl_udp_close(&bench.sys, bench.udp);
    }
}

/* All trains at once, as one recvmmsg brings them: number i in message i. */
static int receive_all(int fd, struct mmsghdr *messages, unsigned n, int flags, struct timespec *timeout)
{
    unsigned count = sizeof trains / sizeof *trains;
    (void)fd;
    (void)flags;
    (void)timeout;
    cr_assert_leq(count, n);
    if (script.calls++ > 0) {
        errno = EAGAIN;
        return -1;
    }
    for (unsigned i = 0; i < count; i++) {
        struct msghdr *message = &messages[i].msg_hdr;
        size_t used = 0;
        memset(message->msg_iov->iov_base, (int)i, trains[i].length);
        memset(message->msg_control, 0, message->msg_controllen);
        if (trains[i].stride)
            add(message, &used, IPPROTO_UDP, UDP_GRO, &trains[i].stride, sizeof trains[i].stride);
        message->msg_controllen = used;
        message->msg_flags = trains[i].flags;
        messages[i].msg_len = trains[i].length;
    }
    return (int)count;
}

/* What is wrong with one message changes nothing about its neighbours: no stride or flag of one is another's,
 * and no datagram has bytes of two. */
Test(io_udp_receive, neighbours_in_one_call_do_not_touch)
{
    struct bench bench;
    struct pl_datagram some[PL_IO_RECEIVE_MAX];
    size_t seen[sizeof trains / sizeof *trains] = {0}, last[sizeof trains / sizeof *trains] = {0}, n;
    uint64_t truncated = 0, control = 0, too_long = 0;
    set_up(&bench);
    bench.sys.receive_messages = receive_all;
    while ((n = pl_udp_receive(&bench.sys, bench.udp, some, 7)) > 0) {
        for (size_t k = 0; k < n; k++) {
            uint8_t i = some[k].p[0];
            for (size_t at = 0; at < some[k].n; at++)
                cr_assert_eq(some[k].p[at], i);
            seen[i]++;
            last[i] = some[k].n;
        }
    }
    for (size_t i = 0; i < sizeof trains / sizeof *trains; i++) {
        cr_assert(seen[i] == trains[i].count && last[i] == trains[i].last, "message %zu", i);
        truncated += trains[i].truncated;
        control += trains[i].control;
        too_long += trains[i].too_long;
    }
    const struct pl_udp_counters *counters = pl_udp_counters(&bench.sys, bench.udp);
    cr_assert(counters->receive_truncated == truncated && counters->receive_control == control);
    cr_assert_eq(counters->receive_long, too_long);
    pl_udp_close(&bench.sys, bench.udp);
}

Test(io_udp_receive, icmp_is_a_hint_and_no_error_ends_it)
{
    static const int hints[] = {ECONNREFUSED, EHOSTUNREACH, EMSGSIZE, ENETUNREACH, EINTR};
    struct pl_datagram one;
    for (size_t i = 0; i < 5; i++) {
        struct bench bench;
        set_up(&bench);
        script.errors[0] = script.errors[1] = hints[i];
        script.n = 2;
        script.length = 7;
        cr_assert_eq(pl_udp_receive(&bench.sys, bench.udp, &one, 1), 1, "errno %d", hints[i]);
        cr_assert_eq(pl_udp_counters(&bench.sys, bench.udp)->receive_hints, hints[i] == EINTR ? 0 : 2);
        pl_udp_close(&bench.sys, bench.udp);
    }
    struct bench bench;
    set_up(&bench);
    for (size_t i = 0; i < 16; i++)
        script.errors[i] = i == 0 ? ENOMEM : EMSGSIZE;
    script.n = 16;
    cr_assert_eq(pl_udp_receive(&bench.sys, bench.udp, &one, 1), 0);
    cr_assert_eq(script.calls, 1, "no second try without memory");
    cr_assert_eq(pl_udp_counters(&bench.sys, bench.udp)->receive_errors, 1);
    cr_assert_eq(pl_udp_receive(&bench.sys, bench.udp, &one, 1), 0);
    cr_assert_lt(script.calls, 16, "hints for ever end the call");
    pl_udp_close(&bench.sys, bench.udp);
}

Test(io_udp_receive, counts_what_the_kernel_dropped)
{
    static const uint32_t totals[] = {5, 5, 4000000000u, 3};
    struct bench bench;
    struct pl_datagram one;
    set_up(&bench);
    for (size_t i = 0; i < 4; i++) {
        script.length = 7;
        script.overflow = totals[i];
        cr_assert_eq(pl_udp_receive(&bench.sys, bench.udp, &one, 1), 1);
    }
    cr_assert_eq(pl_udp_counters(&bench.sys, bench.udp)->receive_overflow, (1ull << 32) + 3);
    pl_udp_close(&bench.sys, bench.udp);
}

static size_t resident_bytes(const uint8_t *p)
{
    static unsigned char pages[PL_UDP_BUFFERS * PL_UDP_BUFFER_SIZE / 4096];
    size_t n = 0;
    cr_assert_eq(mincore((void *)p, (size_t)PL_UDP_BUFFERS * PL_UDP_BUFFER_SIZE, pages), 0);
    for (size_t i = 0; i < sizeof pages; i++)
        n += (pages[i] & 1) * 4096u;
    return n;
}

Test(io_udp_receive, gives_a_bursts_memory_back)
{
    const struct pl_io *io = &pl_io_linux;
    static struct pl_datagram some[PL_IO_RECEIVE_MAX];
    struct pl_udp *to = io_help_open(io, "127.0.0.1:0", 1200);
    struct pl_udp *from = io_help_open(io, "127.0.0.1:0", 1200);
    struct pl_path path = io_help_path_to(io, to, "127.0.0.1");
    for (int i = 0; i < 32; i++)
        io->udp_send(io->ctx, from, &(struct pl_train){&path, bytes, 54000, 1000, 0});
    while (io->udp_receive(io->ctx, to, some, PL_IO_RECEIVE_MAX) > 0)
        continue;
    cr_assert_gt(resident_bytes(to->inbox.buffers), PL_UDP_BUFFERS_AT_REST * PL_UDP_BUFFER_SIZE);
    pl_udp_release(to);
    cr_assert_leq(resident_bytes(to->inbox.buffers), PL_UDP_BUFFERS_AT_REST * PL_UDP_BUFFER_SIZE);
    io->udp_close(io->ctx, to);
    io->udp_close(io->ctx, from);
}
