/* timing.c: CPU time, and the best of several rounds. */
#include "timing.h"

#include <time.h>

enum { ROUNDS = 20, ROUND_NS = 4 * 1000 * 1000 };

uint64_t bench_cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

/* CPU time of `calls` calls. */
static uint64_t time_calls(void (*work)(void *ctx), void *ctx, uint64_t calls)
{
    uint64_t start_ns = bench_cpu_ns();

    for (uint64_t i = 0; i < calls; i++) {
        work(ctx);
    }
    return bench_cpu_ns() - start_ns;
}

double bench_best_ns(void (*work)(void *ctx), void *ctx)
{
    uint64_t calls = 1, best_ns = UINT64_MAX;

    while (time_calls(work, ctx, calls) < ROUND_NS) {
        calls *= 2;
    }
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t round_ns = time_calls(work, ctx, calls);

        best_ns = round_ns < best_ns ? round_ns : best_ns;
    }
    return (double)best_ns / (double)calls;
}
