/* process.c: CPU time, wall clock, cores and options of a benchmark's process. */
#include "process.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { DECIMAL = 10 };

static cpu_set_t allowed;
static bool allowed_known;

double process_cpu_ns(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return 1e9 * (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e3 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

double process_wall_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

void process_pin(int which)
{
    cpu_set_t one;
    int seen = 0;

    if (!allowed_known) {
        allowed_known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    }
    if (!allowed_known || CPU_COUNT(&allowed) < 2) {
        return;
    }
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && seen++ == which) {
            CPU_SET(cpu, &one);
        }
    }
    sched_setaffinity(0, sizeof one, &one);
}

void process_unpin(void)
{
    if (allowed_known) {
        sched_setaffinity(0, sizeof allowed, &allowed);
    }
}

bool process_is_small(void)
{
    const char *size = getenv("SIZE");

    return size != NULL && strcmp(size, "small") == 0;
}

uint64_t process_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
    char *end = NULL;

    errno = 0;
    unsigned long long n = strtoull(text, &end, DECIMAL);
    if (text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0 || n < least || n > most) {
        fprintf(stderr, "%s: \"%s\" is not a number from %" PRIu64 " to %" PRIu64 "\n", option, text, least,
                most);
        exit(EXIT_FAILURE);
    }
    return n;
}
