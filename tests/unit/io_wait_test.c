/* Waiting: what ends it, and that it tells which. No test asserts how long it took. */
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "io/udp.h"
#include "unit/io_help.h"

static const struct pl_io *const io = &pl_io_linux;

static void *wake_from_thread(void *wake)
{
    io->wake(io->ctx, wake);
    return NULL;
}

Test(io_wait, ends_by_wake_from_a_thread)
{
    struct pl_wake *wake;
    pthread_t thread;
    cr_assert_eq(io->wake_open(io->ctx, &wake, NULL), PL_OK);
    pthread_create(&thread, NULL, wake_from_thread, wake);
    cr_assert_eq(io->wait(io->ctx, NULL, 0, wake, PL_IO_FOREVER), PL_READY_WOKEN);
    pthread_join(thread, NULL);
    for (int i = 0; i < 1000; i++)
        io->wake(io->ctx, wake);
    cr_assert_eq(io->wait(io->ctx, NULL, 0, wake, 0), PL_READY_WOKEN);
    cr_assert_eq(io->wait(io->ctx, NULL, 0, wake, 0), 0, "many wakes are one");
    io->wake_close(io->ctx, wake);
    io->wake_close(io->ctx, NULL);
}

Test(io_wait, ends_by_time)
{
    struct pl_wake *wake;
    cr_assert_eq(io->wake_open(io->ctx, &wake, NULL), PL_OK);
    cr_assert_eq(io->wait(io->ctx, NULL, 0, wake, 1500), 0);
    cr_assert_eq(io->wait(io->ctx, NULL, 0, NULL, 1500), 0);
    cr_assert_eq(io->wait(io->ctx, NULL, 0, wake, 1000001), 0, "by the timer that counts sleep");
    io->wake_close(io->ctx, wake);
}

Test(io_wait, ends_by_datagram_at_any_socket)
{
    struct pl_udp *sockets[PL_IO_SOCKETS_MAX];
    struct pl_wake *wake;
    struct pl_datagram one;
    cr_assert_eq(io->wake_open(io->ctx, &wake, NULL), PL_OK);
    for (size_t i = 0; i < PL_IO_SOCKETS_MAX; i++)
        sockets[i] = io_help_open(io, "127.0.0.1:0", 1200);
    for (size_t i = 0; i < PL_IO_SOCKETS_MAX; i++) {
        struct pl_path path = io_help_path_to(io, sockets[i], "127.0.0.1");
        io->udp_send(io->ctx, sockets[0], &(struct pl_train){&path, (const uint8_t *)"x", 1, 1, 0});
        cr_assert_eq(io->wait(io->ctx, sockets, PL_IO_SOCKETS_MAX, wake, PL_IO_FOREVER), PL_READY_RECEIVE);
        cr_assert_eq(io->udp_receive(io->ctx, sockets[i], &one, 1), 1);
    }
    cr_assert_eq(io->wait(io->ctx, sockets, PL_IO_SOCKETS_MAX, wake, 0), 0);
    for (size_t i = 0; i < PL_IO_SOCKETS_MAX; i++)
        io->udp_close(io->ctx, sockets[i]);
    io->wake_close(io->ctx, wake);
}

static ssize_t full(int fd, const struct msghdr *message, int flags)
{
    (void)fd;
    (void)message;
    (void)flags;
    errno = EAGAIN;
    return -1;
}

Test(io_wait, says_when_a_full_socket_takes_again)
{
    struct pl_io own = pl_io_linux;
    struct pl_syscalls sys = pl_syscalls_libc;
    sys.send_message = full;
    own.ctx = &sys;
    struct pl_udp *udp = io_help_open(&own, "127.0.0.1:0", 1200);
    struct pl_path path = io_help_path_to(&own, udp, "127.0.0.1");
    cr_assert_eq(own.wait(&sys, &udp, 1, NULL, 0), 0, "not before it was full");
    cr_assert_eq(own.udp_send(&sys, udp, &(struct pl_train){&path, (const uint8_t *)"x", 1, 1, 0}).result,
                 PL_SEND_AGAIN);
    cr_assert_eq(own.wait(&sys, &udp, 1, NULL, PL_IO_FOREVER), PL_READY_SEND);
    cr_assert_eq(own.wait(&sys, &udp, 1, NULL, 0), 0, "told once");
    own.udp_close(&sys, udp);
}

static void on_alarm(int signal)
{
    (void)signal;
}

Test(io_wait, a_signal_ends_it_with_nothing)
{
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval soon = {.it_value = {.tv_usec = 20000}, .it_interval = {.tv_usec = 20000}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    cr_assert_eq(io->wait(io->ctx, NULL, 0, NULL, PL_IO_FOREVER), 0);
}

static struct {
    int calls;
    int64_t seconds[4]; /* -1: no timeout */
} polls;

static int recorded_poll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    (void)fds;
    (void)n;
    (void)mask;
    polls.seconds[polls.calls++ & 3] = timeout ? timeout->tv_sec : -1;
    return 0;
}

/* At rest a process sleeps in one poll; after a burst it gives memory back first, once. */
Test(io_wait, frees_burst_buffers_once_when_quiet)
{
    struct pl_io own = pl_io_linux;
    struct pl_syscalls sys = pl_syscalls_libc;
    own.ctx = &sys;
    struct pl_udp *udp = io_help_open(&own, "127.0.0.1:0", 1200);
    sys.poll = recorded_poll;
    udp->inbox.grown = true;
    own.wait(&sys, &udp, 1, NULL, PL_IO_FOREVER);
    cr_assert(polls.calls == 2 && polls.seconds[0] == 1 && polls.seconds[1] == -1);
    cr_assert_not(udp->inbox.grown);
    own.wait(&sys, &udp, 1, NULL, 30000000);
    cr_assert(polls.calls == 3 && polls.seconds[2] == 30);
    udp->inbox.grown = true;
    own.wait(&sys, &udp, 1, NULL, 500);
    cr_assert(polls.calls == 4 && udp->inbox.grown, "short waits free nothing");
    own.udp_close(&sys, udp);
}

static struct {
    nfds_t fds[8];
    long pause_ns[8];
    int calls;
} gathered;

static int gathering_poll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    int at = gathered.calls++ & 7;
    gathered.fds[at] = n;
    gathered.pause_ns[at] = timeout ? timeout->tv_nsec : -1;
    return pl_syscalls_libc.poll(fds, n, &(struct timespec){0}, mask);
}

/* After many datagrams a wait leaves the sockets out, for a short time and only once. */
Test(io_wait, lets_packets_gather_while_they_come_in_bulk)
{
    enum { BULK = 64, WAKE_FDS = 2, LONG_ENOUGH_US = 100000 };
    static const struct {
        uint64_t came;
        uint64_t timeout_us;
        bool full;
        bool gathers;
    } cases[] = {{BULK, PL_IO_FOREVER, false, true},  {BULK, LONG_ENOUGH_US, false, true},
                 {BULK - 1, PL_IO_FOREVER, false, false}, {BULK, 0, false, false},
                 {BULK, 100, false, false},           {BULK, PL_IO_FOREVER, true, false}};
    struct pl_io own = pl_io_linux;
    struct pl_syscalls sys = pl_syscalls_libc;
    struct pl_wake *wake;
    own.ctx = &sys;
    sys.poll = gathering_poll;
    struct pl_udp *udp = io_help_open(&own, "127.0.0.1:0", 1200);
    cr_assert_eq(own.wake_open(&sys, &wake, NULL), PL_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        udp->counters.received_datagrams += cases[i].came;
        udp->wants_send = cases[i].full;
        gathered.calls = 0;
        unsigned ready = own.wait(&sys, &udp, 1, wake, cases[i].timeout_us);
        cr_assert_eq(gathered.calls, 1, "case %zu", i);
        cr_assert_eq(gathered.fds[0], cases[i].gathers ? WAKE_FDS : WAKE_FDS + 1, "case %zu", i);
        cr_assert_eq(ready & PL_READY_RECEIVE, cases[i].gathers ? PL_READY_RECEIVE : 0, "case %zu", i);
        if (cases[i].gathers)
            cr_assert(gathered.pause_ns[0] > 0 && gathered.pause_ns[0] < 1000000, "case %zu", i);
        udp->wants_send = false;
        gathered.calls = 0;
        own.wait(&sys, &udp, 1, wake, PL_IO_FOREVER);
        cr_assert_eq(gathered.fds[0], WAKE_FDS + 1, "case %zu: nothing came since", i);
    }
    udp->counters.received_datagrams += BULK;
    own.wake(&sys, wake);
    cr_assert_eq(own.wait(&sys, &udp, 1, wake, PL_IO_FOREVER), PL_READY_RECEIVE | PL_READY_WOKEN);
    own.wake_close(&sys, wake);
    own.udp_close(&sys, udp);
}
