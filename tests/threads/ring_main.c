/*
 * Two threads and a ring each way, with sleepers: every pointer arrives once and in order, and nobody sleeps
 * for ever. A plain program, to be run under ThreadSanitizer.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/io.h"
#include "node/ring.h"

enum { COUNT = 200000, ROOM = 64 };

static struct pl_ring there, back;
static struct pl_sleeper here_sleeper, there_sleeper;
static int values[COUNT];

static void *take(struct pl_ring *ring, struct pl_sleeper *sleeper)
{
    for (;;) {
        void *p = pl_ring_pop(ring);
        if (p)
            return p;
        pl_sleeper_about_to(sleeper);
        if (pl_ring_is_empty(ring))
            (void)pl_io_linux.wait(pl_io_linux.ctx, NULL, 0, sleeper->wake, PL_IO_FOREVER);
        pl_sleeper_awake(sleeper);
    }
}

/* Adds one to what comes and gives it back. */
static void *echo(void *arg)
{
    (void)arg;
    for (int i = 0; i < COUNT; i++) {
        int *p = take(&there, &there_sleeper);
        *p += 1;
        while (!pl_ring_push(&back, p))
            ;
    }
    return NULL;
}

static void check(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "ring: %s\n", what);
    exit(1);
}

int main(void)
{
    pthread_t thread;
    int given = 0;

    check(pl_sleeper_open(&here_sleeper, &pl_io_linux, NULL) == PL_OK, "no wake handle");
    check(pl_sleeper_open(&there_sleeper, &pl_io_linux, NULL) == PL_OK, "no wake handle");
    check(pl_ring_open(&there, ROOM, &there_sleeper) == PL_OK, "no memory");
    check(pl_ring_open(&back, ROOM, &here_sleeper) == PL_OK, "no memory");
    check(pthread_create(&thread, NULL, echo, NULL) == 0, "no thread");
    for (int taken = 0; taken < COUNT; taken++) {
        while (given < COUNT && given < taken + ROOM && pl_ring_push(&there, &values[given])) {
            given++;
            /* In bursts of different sizes, so that both sides come to sleep. */
            if (given % 7 == 0)
                break;
        }
        int *p = take(&back, &here_sleeper);
        check(p == &values[taken] && *p == 1, "a value came twice, late or unchanged");
    }
    pthread_join(thread, NULL);
    check(pl_ring_is_empty(&there) && pl_ring_is_empty(&back), "something is left");
    pl_ring_close(&there);
    pl_ring_close(&back);
    pl_sleeper_close(&here_sleeper);
    pl_sleeper_close(&there_sleeper);
    printf("ring: %d values\n", COUNT);
    return 0;
}
