/* process.h: what the benchmarks know of their process: time it took, the core it runs on. */
#ifndef PL_BENCH_LIB_PROCESS_H
#define PL_BENCH_LIB_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* User and system time of all threads of this process so far, ns. */
double process_cpu_ns(void);

/* A clock that never goes back, ns. */
double process_wall_ns(void);

/* Keeps this process on core `which` (0 or 1) of those it may use, if there are two: a scheduler's moves are
 * not what is measured. */
void process_pin(int which);

/* Lets it run again where it might before the first process_pin. */
void process_unpin(void);

/* Whether SIZE=small is in the environment: a short run is wanted. */
bool process_is_small(void);

/* A number from `least` to `most`, or the end of the program with a reason that names the option. */
uint64_t process_number(const char *option, const char *text, uint64_t least, uint64_t most);

#endif
