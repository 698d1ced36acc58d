/* The kernel's world as a struct pl_io: clocks, randomness, and the table itself. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "io/io.h"
#include "io/syscalls.h"
#include "io/udp.h"
#include "io/wait.h"

static uint64_t read_clock(clockid_t clock, uint64_t units_per_s)
{
    struct timespec now;
    if (clock_gettime(clock, &now) < 0) {
        fprintf(stderr, "purelink: the system has no clock %d: %s\n", (int)clock, strerror(errno));
        abort();
    }
    return (uint64_t)now.tv_sec * units_per_s + (uint64_t)now.tv_nsec / (1000000000 / units_per_s);
}

static uint64_t now_us(void *ctx)
{
    (void)ctx;
    return read_clock(CLOCK_BOOTTIME, 1000000);
}

static uint64_t wall_ms(void *ctx)
{
    (void)ctx;
    return read_clock(CLOCK_REALTIME, 1000);
}

/* Without randomness keys and runs could repeat: better no process than that. */
static void fill_random(void *ctx, void *out, size_t n)
{
    uint8_t *p = out;
    (void)ctx;
    while (n > 0) {
        ssize_t got = getrandom(p, n, 0);
        if (got < 0 && errno != EINTR) {
            fprintf(stderr, "purelink: the system gives no random bytes: %s\n", strerror(errno));
            abort();
        }
        if (got > 0) {
            p += got;
            n -= (size_t)got;
        }
    }
}

const struct pl_io pl_io_linux = {
    .ctx = (void *)&pl_syscalls_libc,
    .now_us = now_us,
    .wall_ms = wall_ms,
    .random = fill_random,
    .udp_open = pl_udp_open,
    .udp_close = pl_udp_close,
    .udp_local = pl_udp_local,
    .udp_counters = pl_udp_counters,
    .udp_send = pl_udp_send,
    .udp_receive = pl_udp_receive,
    .wake_open = pl_wake_open,
    .wake_close = pl_wake_close,
    .wake = pl_wake_up,
    .wait = pl_wait,
};
