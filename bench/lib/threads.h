/* threads.h: the CPU time of each thread of this process.
 *
 * A node's threads have no names, but an order: the one that stores is made first, that of the network last
 * (src/node/node_threads.c).
 */
#ifndef PL_BENCH_LIB_THREADS_H
#define PL_BENCH_LIB_THREADS_H

#include <stddef.h>

enum { THREADS_MAX = 64 };

struct threads_cpu {
    size_t n;
    struct thread_cpu {
        int id;
        double ns;
    } threads[THREADS_MAX]; /* by id: in the order in which they were made, the main thread first */
};

/* Reads /proc/self/task. Ends the program with a reason if it cannot. */
void threads_read(struct threads_cpu *out);

/* Takes off what they had used before; threads that are not in `before` began at nothing. */
void threads_less(struct threads_cpu *now, const struct threads_cpu *before);

double threads_sum(const struct threads_cpu *t);

/* Of the first thread after the main one, and of the last; 0 if there is none. */
double threads_first(const struct threads_cpu *t);
double threads_last(const struct threads_cpu *t);

#endif
