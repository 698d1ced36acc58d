/* build/sim: the deterministic simulator's command line.
 *
 *   sim --seeds N | A-B      runs the seeds 1 to N, or A to B, each twice: both must give one hash
 *   sim --seed N [--trace] [--until STEP]
 *   --engine                 the engine alone over models of outbox and store
 *   --twice                  0: each seed once
 *
 * Prints a command for each seed that failed and, last, "N passed, N failed". Exit status 1: some failed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"

struct options {
    uint64_t first, last, until;
    bool trace, engine, once;
};

static bool run_one(uint64_t seed, const struct options *options, uint64_t *hash)
{
    sim_begin(seed, options->trace, options->until);
    if (setjmp(sim.out) != 0) {
        return false;
    }
    engine_run();
    *hash = sim.hash;
    return true;
}

static bool run_seed(uint64_t seed, const struct options *options)
{
    uint64_t hash = 0, again = 0;
    bool passed = run_one(seed, options, &hash);

    if (passed && !options->once) {
        passed = run_one(seed, options, &again);
        if (passed && hash != again) {
            snprintf(sim.why, sizeof sim.why, "run twice, it gave two hashes: %016llx and %016llx",
                     (unsigned long long)hash, (unsigned long long)again);
            passed = false;
        }
    }
    if (!passed) {
        printf("seed %llu, step %llu, %.6f s: %s\n    build/sim%s --seed %llu --trace\n", (unsigned long long)seed,
               (unsigned long long)sim.step, (double)sim.now_us / (double)SIM_S, sim.why,
               options->engine ? " --engine" : "", (unsigned long long)seed);
        fflush(stdout);
    }
    return passed;
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
    return *end == 0 && options->first <= options->last;
}

static bool read_options(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--engine") == 0) {
            options->engine = true;
        } else if (strcmp(argv[i], "--trace") == 0) {
            options->trace = options->once = true;
        } else if (strcmp(argv[i], "--once") == 0) {
            options->once = true;
        } else if (strcmp(argv[i], "--seed") == 0) {
            options->first = options->last = strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--until") == 0) {
            options->until = strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--seeds") == 0 && read_seeds(value, options)) {
            i++;
        } else {
            fprintf(stderr, "sim: %s: see the head of tests/sim/main.c\n", argv[i]);
            return false;
        }
    }
    return options->last > 0;
}

int main(int argc, char **argv)
{
    struct options options = {.until = UINT64_MAX};
    uint64_t passed = 0, failed = 0;

    if (!read_options(argc, argv, &options)) {
        return 64;
    }
    engine.batch_bytes = sim_alloc(PL_BATCH_ROOM);
    if (pl_aead_new(&engine.aead, &pl_aead_openssl) != PL_OK) {
        return 1;
    }
    for (uint64_t seed = options.first; seed <= options.last; seed++) {
        if (run_seed(seed, &options)) {
            passed++;
        } else {
            failed++;
        }
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
    return failed == 0 ? 0 : 1;
}
