/* threads.c: what the kernel says that each thread has run. */
#include "threads.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what)
{
    fprintf(stderr, "threads: %s\n", what);
    exit(EXIT_FAILURE);
}

static int by_id(const void *a, const void *b)
{
    return ((const struct thread_cpu *)a)->id - ((const struct thread_cpu *)b)->id;
}

/* The first field of schedstat: time on a processor, ns. */
static double ran_ns(int id)
{
    char path[64];
    double ns = 0;

    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", id);
    FILE *f = fopen(path, "r");
    if (f == NULL || fscanf(f, "%lf", &ns) != 1) {
        fail("the kernel tells no time of a thread (schedstat)");
    }
    fclose(f);
    return ns;
}

void threads_read(struct threads_cpu *out)
{
    DIR *tasks = opendir("/proc/self/task");

    if (tasks == NULL) {
        fail("/proc is not there");
    }
    out->n = 0;
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL && out->n < THREADS_MAX;) {
        int id = atoi(entry->d_name);
        if (id > 0) {
            out->threads[out->n++] = (struct thread_cpu){id, ran_ns(id)};
        }
    }
    closedir(tasks);
    qsort(out->threads, out->n, sizeof out->threads[0], by_id);
}

void threads_less(struct threads_cpu *now, const struct threads_cpu *before)
{
    for (size_t i = 0; i < now->n; i++) {
        for (size_t j = 0; j < before->n; j++) {
            if (now->threads[i].id == before->threads[j].id) {
                now->threads[i].ns -= before->threads[j].ns;
            }
        }
    }
}

double threads_sum(const struct threads_cpu *t)
{
    double ns = 0;

    for (size_t i = 0; i < t->n; i++) {
        ns += t->threads[i].ns;
    }
    return ns;
}

double threads_first(const struct threads_cpu *t)
{
    return t->n > 1 ? t->threads[1].ns : 0;
}

double threads_last(const struct threads_cpu *t)
{
    return t->n > 1 ? t->threads[t->n - 1].ns : 0;
}
