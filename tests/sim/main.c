/* build/sim: the deterministic simulator's command line.
 *
 *   sim --seeds N | A-B [--jobs N]    runs the seeds 1 to N, or A to B, each twice: both must give one hash;
 *                                     the whole product, the engine, and the facts
 *   sim --seed N [--trace] [--until STEP]
 *   sim --facts                       named checks that count packets
 *   --engine                          the engine alone, over models of outbox and store
 *   --product                         node and devices whole (what --seed means without --engine)
 *   --once                            each seed once
 *
 * Prints a command for each seed that failed and, last, "N passed, N failed". Exit status 1: some failed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/engine.h"
#include "sim/facts.h"
#include "sim/product.h"

enum { JOBS_MAX = 16 };

struct options {
    uint64_t first, last, until;
    bool trace, engine, product, once, facts;
    unsigned jobs;
};

/* What a process that ran a seed tells of it. */
struct verdict {
    bool passed;
    uint64_t hash, step, now_us;
    char why[sizeof sim.why];
};

static struct verdict run_here(uint64_t seed, const struct options *options)
{
    struct verdict verdict = {.passed = false};

    sim_begin(seed, options->trace, options->until);
    if (setjmp(sim.out) == 0) {
        if (options->engine) {
            engine_run();
        } else {
            product_run();
        }
        verdict.passed = true;
    }
    if (!options->engine) {
        disk_end(product.root);
    }
    verdict.hash = sim.hash;
    verdict.step = sim.step;
    verdict.now_us = sim.now_us;
    memcpy(verdict.why, sim.why, sizeof verdict.why);
    return verdict;
}

/* In a process of its own: what hosts that were killed leave behind goes with it. */
static struct verdict run_apart(uint64_t seed, const struct options *options)
{
    struct verdict verdict = {.why = "its process died"};
    int ends[2];

    fflush(stdout);
    if (pipe(ends) != 0) {
        return verdict;
    }
    pid_t pid = fork();
    if (pid == 0) {
        verdict = run_here(seed, options);
        fflush(stdout);
        _exit(write(ends[1], &verdict, sizeof verdict) == sizeof verdict ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &verdict, sizeof verdict) != sizeof verdict) {
        snprintf(verdict.why, sizeof verdict.why, "its process died");
    }
    close(ends[0]);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    return verdict;
}

static struct verdict run_one(uint64_t seed, const struct options *options)
{
    return options->engine ? run_here(seed, options) : run_apart(seed, options);
}

static bool run_seed(uint64_t seed, const struct options *options)
{
    struct verdict verdict = run_one(seed, options);

    if (verdict.passed && !options->once) {
        struct verdict again = run_one(seed, options);
        if (!again.passed || again.hash != verdict.hash) {
            verdict = again;
            verdict.passed = false;
            snprintf(verdict.why, sizeof verdict.why, "run twice, it went two ways");
        }
    }
    if (!verdict.passed) {
        printf("seed %llu, step %llu, %.6f s: %s\n    build/sim%s --seed %llu --trace\n",
               (unsigned long long)seed, (unsigned long long)verdict.step,
               (double)verdict.now_us / (double)SIM_S, verdict.why, options->engine ? " --engine" : "",
               (unsigned long long)seed);
        fflush(stdout);
    }
    return verdict.passed;
}

/* Every jobs-th seed from the first one on; how many failed. */
static uint64_t run_share(const struct options *options, unsigned share)
{
    uint64_t failed = 0;

    for (uint64_t seed = options->first + share; seed <= options->last; seed += options->jobs) {
        failed += !run_seed(seed, options);
    }
    return failed;
}

static uint64_t run_shares(const struct options *options)
{
    uint64_t failed = 0, share_failed = 0;
    int ends[2];

    if (options->jobs == 1 || pipe(ends) != 0) {
        return run_share(options, 0);
    }
    fflush(stdout);
    for (unsigned i = 0; i < options->jobs; i++) {
        if (fork() == 0) {
            share_failed = run_share(options, i);
            _exit(write(ends[1], &share_failed, sizeof share_failed) == sizeof share_failed ? 0 : 1);
        }
    }
    close(ends[1]);
    for (unsigned i = 0; i < options->jobs; i++) {
        if (read(ends[0], &share_failed, sizeof share_failed) != sizeof share_failed) {
            share_failed = 1; /* its process died */
        }
        failed += share_failed;
    }
    while (wait(NULL) > 0) {
    }
    return failed;
}

static bool read_seeds(const char *text, struct options *options)
{
    char *end = NULL;

    options->first = 1;
    options->last = strtoull(text, &end, 10);
    if (*end == '-') {
        options->first = options->last;
        options->last = strtoull(end + 1, &end, 10);
    }
    return *end == 0 && options->first > 0 && options->first <= options->last;
}

static bool read_value(const char *name, const char *value, struct options *options)
{
    if (strcmp(name, "--seed") == 0) {
        options->first = options->last = strtoull(value, NULL, 10);
        options->jobs = 1;
        options->product = true;
        return options->first > 0;
    }
    if (strcmp(name, "--until") == 0) {
        options->until = strtoull(value, NULL, 10);
        return options->until > 0;
    }
    if (strcmp(name, "--jobs") == 0) {
        options->jobs = (unsigned)strtoul(value, NULL, 10);
        return options->jobs > 0 && options->jobs <= JOBS_MAX;
    }
    return strcmp(name, "--seeds") == 0 && read_seeds(value, options);
}

static bool read_options(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--engine") == 0) {
            options->engine = true;
        } else if (strcmp(argv[i], "--product") == 0) {
            options->product = true;
        } else if (strcmp(argv[i], "--trace") == 0) {
            options->trace = options->once = true;
        } else if (strcmp(argv[i], "--once") == 0) {
            options->once = true;
        } else if (strcmp(argv[i], "--facts") == 0) {
            options->facts = true;
        } else if (i + 1 < argc && read_value(argv[i], argv[i + 1], options)) {
            i++;
        } else {
            fprintf(stderr, "sim: %s: see the head of tests/sim/main.c\n", argv[i]);
            return false;
        }
    }
    return options->last > 0 || options->facts;
}

static void run_seeds(struct options *options, bool on_engine, uint64_t *passed, uint64_t *failed)
{
    options->engine = on_engine;
    uint64_t n = run_shares(options);
    *failed += n;
    *passed += options->last - options->first + 1 - n;
}

static void run_options(struct options *options, uint64_t *passed, uint64_t *failed)
{
    bool all = !options->engine && !options->product && !options->facts;

    if (options->facts || all) {
        *failed = facts_run(options->trace, passed);
    }
    if (options->engine) {
        run_seeds(options, true, passed, failed);
    } else if (options->product) {
        run_seeds(options, false, passed, failed);
    } else if (all) {
        run_seeds(options, true, passed, failed);
        run_seeds(options, false, passed, failed);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.until = UINT64_MAX, .jobs = 2};
    uint64_t failed = 0, passed = 0;

    if (!read_options(argc, argv, &options)) {
        return 64;
    }
    engine.batch_bytes = sim_alloc(PL_BATCH_ROOM);
    if (pl_aead_new(&engine.aead, &pl_aead_openssl) != PL_OK) {
        return 1;
    }
    run_options(&options, &passed, &failed);
    printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
    return failed == 0 ? 0 : 1;
}
