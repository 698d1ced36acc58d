/* timing.h: the clock of the benchmarks: CPU time of the calling thread, so that a busy machine disturbs
 * less. */
#ifndef PL_BENCH_LIB_TIMING_H
#define PL_BENCH_LIB_TIMING_H

#include <stdint.h>

/* CPU time of this thread so far, kernel time on its behalf included. A call costs some 300 ns. */
uint64_t bench_cpu_ns(void);

/*
 * The least CPU time in ns that one call of `work(ctx)` takes: calls are counted in rounds of at least 20 ms,
 * the fastest of five rounds is taken.
 */
double bench_best_ns(void (*work)(void *ctx), void *ctx);

#endif
