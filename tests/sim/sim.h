/* What all parts of the simulator share: the run under way, its virtual clock, its trace and hash, the way
 * out when something is wrong, and the seeded generators.
 *
 * One seed is one run. All that happens is decided by generators made from the seed, one for each concern,
 * so that more faults of one kind do not change where those of another kind fall. */
#ifndef PL_SIM_SIM_H
#define PL_SIM_SIM_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_NEVER UINT64_MAX
#define SIM_S ((uint64_t)1000000)
#define SIM_MS ((uint64_t)1000)
#define SIM_HOUR (3600 * SIM_S)

struct sim_rng {
    uint64_t state[4];
};

/* The generator of one concern of one seed. */
void sim_rng_init(struct sim_rng *rng, uint64_t seed, const char *concern);
uint64_t sim_rng_u64(struct sim_rng *rng);
uint64_t sim_rng_below(struct sim_rng *rng, uint64_t n);              /* 0 to n - 1; n > 0 */
uint64_t sim_rng_between(struct sim_rng *rng, uint64_t a, uint64_t b); /* a to b */
bool sim_rng_chance(struct sim_rng *rng, unsigned permille);
void sim_rng_fill(struct sim_rng *rng, void *out, size_t n);

uint64_t sim_mix64(uint64_t x);

struct sim_run {
    uint64_t seed, now_us, step, until_step, hash;
    bool trace;
    char why[512]; /* why it failed */
    jmp_buf out;
};

extern struct sim_run sim;

void sim_begin(uint64_t seed, bool trace, uint64_t until_step);

/* Ends the run as failed. */
_Noreturn void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line of the trace, with step and time, when tracing. */
void sim_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes part in the hash of the run. */
void sim_hash(const void *bytes, size_t n);
void sim_hash_u64(uint64_t value);

/* malloc that ends the process when there is none. */
void *sim_alloc(size_t n);
void *sim_grow(void *old, size_t n);

#endif
