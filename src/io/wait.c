/*
 * The one place that blocks: poll over the sockets, an eventfd that others write to wake us, and for long
 * timeouts a timer on the clock that counts sleep, so that what came due while the machine was suspended is
 * due at once.
 */
#include "io/wait.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "io/udp.h"

/*
 * Poll's own timeout stops in suspend: longer ones are the timer's. Also how long burst buffers stay after a
 * burst.
 */
static const uint64_t LONG_US = 1000000;

/*
 * While packets come in bulk, every train of them would wake us, which costs sender and receiver more than
 * several packets do. So many since the last wait are bulk: the sockets are then left alone for a moment.
 */
enum { BULK_DATAGRAMS = 64, BULK_PAUSE_US = 200 };

struct pl_wake {
    int event_fd;
    int timer_fd; /* -1: this kernel or sandbox has none; poll's timeout serves */
};

enum pl_error pl_wake_open(void *ctx, struct pl_wake **out, struct pl_text *why)
{
    struct pl_wake *wake = malloc(sizeof *wake);
    (void)ctx;
    *out = NULL;
    if (!wake) {
        pl_text_set(why, "wake handle: out of memory");
        return PL_E_NO_MEMORY;
    }
    wake->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (wake->event_fd < 0) {
        pl_text_set(why, "wake handle: %s", strerror(errno));
        free(wake);
        return PL_E_IO;
    }
    wake->timer_fd = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    *out = wake;
    return PL_OK;
}

void pl_wake_close(void *ctx, struct pl_wake *wake)
{
    (void)ctx;
    if (!wake)
        return;
    close(wake->event_fd);
    if (wake->timer_fd >= 0)
        close(wake->timer_fd);
    free(wake);
}

void pl_wake_up(void *ctx, struct pl_wake *wake)
{
    uint64_t one = 1;
    int saved = errno; /* may be called in a signal handler */
    (void)ctx;
    /* The only failure is a counter at its end, and then it is awake already. */
    ssize_t n = write(wake->event_fd, &one, sizeof one);
    (void)n;
    errno = saved;
}

/* True if the descriptor counted anything since it was last read. */
static bool drain(int fd)
{
    uint64_t count;
    return read(fd, &count, sizeof count) == sizeof count;
}

static struct timespec duration(uint64_t us)
{
    return (struct timespec){.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000};
}

/* True if the timer will end the wait, so that poll needs no timeout. */
static bool arm(const struct pl_wake *wake, uint64_t timeout_us)
{
    if (!wake || wake->timer_fd < 0 || timeout_us < LONG_US || timeout_us == PL_IO_FOREVER)
        return false;
    struct itimerspec when = {.it_value = duration(timeout_us)};
    return timerfd_settime(wake->timer_fd, 0, &when, NULL) == 0;
}

static void set_timer_off(const struct pl_wake *wake)
{
    struct itimerspec never = {0};
    timerfd_settime(wake->timer_fd, 0, &never, NULL);
}

struct poll_set {
    struct pollfd fds[PL_IO_SOCKETS_MAX + 2];
    nfds_t n;
    size_t sockets; /* the first ones; after them the event, then the timer */
};

static void add(struct poll_set *set, int fd, short events)
{
    set->fds[set->n++] = (struct pollfd){.fd = fd, .events = events};
}

static void fill(struct poll_set *set, struct pl_udp *const *sockets, size_t n, const struct pl_wake *wake)
{
    set->n = 0;
    set->sockets = n;
    for (size_t i = 0; i < n; i++)
        add(set, sockets[i]->fd, sockets[i]->wants_send ? POLLIN | POLLOUT : POLLIN);
    if (wake)
        add(set, wake->event_fd, POLLIN);
    if (wake && wake->timer_fd >= 0)
        add(set, wake->timer_fd, POLLIN);
}

/*
 * An error at a socket is what ICMP said about an earlier datagram: taken off, or poll would return for ever.
 */
static void clear_error(struct pl_udp *udp)
{
    int error = 0;
    socklen_t n = sizeof error;
    if (getsockopt(udp->fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && error != 0)
        udp->counters.receive_hints++;
}

static unsigned read_wake(const struct poll_set *set, const struct pl_wake *wake)
{
    return wake && set->fds[set->sockets].revents && drain(wake->event_fd) ? PL_READY_WOKEN : 0;
}

static unsigned read_set(const struct poll_set *set, struct pl_udp *const *sockets,
                         const struct pl_wake *wake)
{
    unsigned ready = 0;
    for (size_t i = 0; i < set->sockets; i++) {
        if (set->fds[i].revents & POLLERR)
            clear_error(sockets[i]);
        if (set->fds[i].revents & POLLIN)
            ready |= PL_READY_RECEIVE;
        if (set->fds[i].revents & POLLOUT) {
            ready |= PL_READY_SEND;
            sockets[i]->wants_send = false;
        }
    }
    return ready | read_wake(set, wake);
}

/* Returns what poll returned; a signal counts as nothing. */
static int poll_once(const struct pl_syscalls *sys, struct poll_set *set, const struct timespec *timeout)
{
    for (nfds_t i = 0; i < set->n; i++)
        set->fds[i].revents = 0;
    return sys->poll(set->fds, set->n, timeout, NULL);
}

static bool any_grown(struct pl_udp *const *sockets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (sockets[i]->inbox.grown)
            return true;
    return false;
}

/*
 * After a burst: a second's wait first, and if it stays quiet the buffers' memory back. Returns poll's
 * result.
 */
static int settle(const struct pl_syscalls *sys, struct poll_set *set, struct pl_udp *const *sockets)
{
    struct timespec second = duration(LONG_US);
    int n = poll_once(sys, set, &second);
    for (size_t i = 0; n == 0 && i < set->sockets; i++)
        pl_udp_release(sockets[i]);
    return n;
}

static void block(const struct pl_syscalls *sys, struct poll_set *set, struct pl_udp *const *sockets,
                  const struct pl_wake *wake, uint64_t timeout_us)
{
    bool timer = arm(wake, timeout_us);
    if (timeout_us > LONG_US && any_grown(sockets, set->sockets)) {
        if (settle(sys, set, sockets) != 0)
            timeout_us = 0;
        else if (timeout_us != PL_IO_FOREVER)
            timeout_us -= LONG_US;
    }
    struct timespec left = duration(timeout_us);
    if (timeout_us != 0 || !timer)
        poll_once(sys, set, timer || timeout_us == PL_IO_FOREVER ? NULL : &left);
    if (timer) {
        set_timer_off(wake);
        drain(wake->timer_fd);
    }
}

/* True if many datagrams came since this was last asked. */
static bool in_bulk(struct pl_udp *const *sockets, size_t n)
{
    uint64_t came = 0;
    for (size_t i = 0; i < n; i++) {
        came += sockets[i]->counters.received_datagrams - sockets[i]->waited_datagrams;
        sockets[i]->waited_datagrams = sockets[i]->counters.received_datagrams;
    }
    return came >= BULK_DATAGRAMS;
}

static bool any_wants_send(struct pl_udp *const *sockets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (sockets[i]->wants_send)
            return true;
    return false;
}

/* Lets packets gather; only the wake handle ends it before its time. */
static unsigned gather(const struct pl_syscalls *sys, const struct pl_wake *wake)
{
    struct poll_set set;
    const struct timespec pause = duration(BULK_PAUSE_US);
    fill(&set, NULL, 0, wake);
    poll_once(sys, &set, &pause);
    return PL_READY_RECEIVE | read_wake(&set, wake);
}

unsigned pl_wait(void *ctx, struct pl_udp *const *sockets, size_t n, struct pl_wake *wake,
                 uint64_t timeout_us)
{
    struct poll_set set;
    unsigned ready = 0;
    assert(n <= PL_IO_SOCKETS_MAX);
    for (size_t i = 0; i < n; i++)
        if (pl_udp_holds(sockets[i]))
            ready = PL_READY_RECEIVE;
    if (in_bulk(sockets, n) && !ready && timeout_us > BULK_PAUSE_US && !any_wants_send(sockets, n))
        return gather(ctx, wake);
    fill(&set, sockets, n, wake);
    block(ctx, &set, sockets, wake, ready ? 0 : timeout_us);
    return ready | read_set(&set, sockets, wake);
}
