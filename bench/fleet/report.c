/* Counts, percentiles, the line of each 100 ms, and the RESULT. */
#include "fleet.h"

#include <string.h>
#include <sys/resource.h>

static size_t bucket_of(uint64_t took_us)
{
    unsigned bits = took_us < FLEET_STEPS ? 0 : 60 - (unsigned)__builtin_clzll(took_us);
    size_t at = took_us < FLEET_STEPS ? (size_t)took_us
                                      : FLEET_STEPS * bits + (size_t)(took_us >> (bits - 1)) % FLEET_STEPS;

    return at < FLEET_BUCKETS ? at : FLEET_BUCKETS - 1;
}

/* The middle of a bucket. */
static uint64_t time_of(size_t bucket)
{
    size_t bits = bucket / FLEET_STEPS, step = bucket % FLEET_STEPS;

    if (bits == 0)
        return step;
    return ((uint64_t)(FLEET_STEPS + step) << (bits - 1)) + ((UINT64_C(1) << (bits - 1)) / 2);
}

static void count(struct fleet_times *times, uint64_t took_us)
{
    times->bucket[bucket_of(took_us)]++;
    times->n++;
    if (took_us > times->max_us)
        times->max_us = took_us;
}

static uint64_t percentile(const struct fleet_times *times, unsigned percent)
{
    uint64_t upto = (times->n * percent + 99) / 100, seen = 0;

    for (size_t i = 0; i < FLEET_BUCKETS && times->n > 0; i++) {
        seen += times->bucket[i];
        if (seen >= upto)
            return time_of(i) < times->max_us ? time_of(i) : times->max_us;
    }
    return 0;
}

static uint64_t cpu_us(void)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
           (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

void fleet_report_start(struct fleet_report *report, uint64_t now_us)
{
    memset(report, 0, sizeof *report);
    report->start_us = report->line_us = now_us;
    report->start_cpu_us = report->cpu_us = cpu_us();
}

void fleet_report_stored(struct fleet_report *report, uint64_t took_us)
{
    report->counts.stored++;
    count(&report->recent, took_us);
    count(&report->all, took_us);
}

static void print_times(const struct fleet_times *times)
{
    printf("\"p50_us\": %llu, \"p99_us\": %llu, \"max_us\": %llu", (unsigned long long)percentile(times, 50),
           (unsigned long long)percentile(times, 99), (unsigned long long)times->max_us);
}

static void print_counts(const struct fleet_counts *counts)
{
    printf("\"made\": %llu, \"stored\": %llu, \"sent_again\": %llu, ", (unsigned long long)counts->made,
           (unsigned long long)counts->stored, (unsigned long long)counts->again);
}

void fleet_report_line(struct fleet_report *report, uint64_t now_us, uint64_t in_flight)
{
    uint64_t cpu = cpu_us();

    printf("{\"at_ms\": %llu, ", (unsigned long long)(now_us - report->start_us) / 1000);
    print_counts(&report->counts);
    printf("\"unstored_devices\": %llu, ", (unsigned long long)in_flight);
    print_times(&report->recent);
    printf(", \"cpu_ms\": %.1f}\n", (double)(cpu - report->cpu_us) / 1000);
    fflush(stdout);
    report->cpu_us = cpu;
    report->line_us = now_us;
    memset(&report->recent, 0, sizeof report->recent);
}

void fleet_report_result(const struct fleet_report *report, const struct fleet_options *options,
                         uint64_t now_us, uint64_t unstored)
{
    static const char *const command[] = {"keys", "once", "run", "wake"};
    double seconds = (double)(now_us - report->start_us) / 1e6;
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    printf("RESULT {\"bench\": \"fleet\", \"command\": \"%s\", \"devices\": %u, ", command[options->command],
           options->devices);
    print_counts(&report->counts);
    printf("\"unstored_devices\": %llu, \"refused\": %llu, \"unsent\": %llu, \"seconds\": %.3f, ",
           (unsigned long long)unstored, (unsigned long long)report->counts.refused,
           (unsigned long long)report->counts.unsent, seconds);
    print_times(&report->all);
    printf(", \"cpu_s\": %.3f, \"memory_max_bytes\": %llu}\n",
           (double)(cpu_us() - report->start_cpu_us) / 1e6, (unsigned long long)used.ru_maxrss * 1024);
    fflush(stdout);
}
