/* The run under way: clock, trace, hash, failure, generators. */
#include "sim/sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sim_run sim;

uint64_t sim_mix64(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

void sim_rng_init(struct sim_rng *rng, uint64_t seed, const char *concern)
{
    uint64_t x = sim_mix64(seed);

    for (; *concern != 0; concern++) {
        x = sim_mix64(x ^ (uint8_t)*concern);
    }
    for (unsigned i = 0; i < 4; i++) {
        x = sim_mix64(x);
        rng->state[i] = x;
    }
}

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

/* xoshiro256**, Blackman and Vigna 2018 */
uint64_t sim_rng_u64(struct sim_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t sim_rng_below(struct sim_rng *rng, uint64_t n)
{
    return sim_rng_u64(rng) % n;
}

uint64_t sim_rng_between(struct sim_rng *rng, uint64_t a, uint64_t b)
{
    return a + sim_rng_below(rng, b - a + 1);
}

bool sim_rng_chance(struct sim_rng *rng, unsigned permille)
{
    return sim_rng_below(rng, 1000) < permille;
}

void sim_rng_fill(struct sim_rng *rng, void *out, size_t n)
{
    uint8_t *p = out;

    while (n > 0) {
        uint64_t word = sim_rng_u64(rng);
        size_t part = n < sizeof word ? n : sizeof word;
        memcpy(p, &word, part);
        p += part;
        n -= part;
    }
}

void sim_begin(uint64_t seed, bool trace, uint64_t until_step)
{
    sim.seed = seed;
    sim.trace = trace;
    sim.until_step = until_step;
    sim.step = 0;
    sim.now_us = SIM_S;
    sim.hash = UINT64_C(0xcbf29ce484222325);
    sim.why[0] = 0;
}

void sim_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(sim.why, sizeof sim.why, format, args);
    va_end(args);
    sim_note("FAILED: %s", sim.why);
    longjmp(sim.out, 1);
}

void sim_note(const char *format, ...)
{
    va_list args;

    if (!sim.trace) {
        return;
    }
    printf("%6llu %12.6f  ", (unsigned long long)sim.step, (double)sim.now_us / (double)SIM_S);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

void sim_hash_u64(uint64_t value)
{
    sim.hash = sim_mix64(sim.hash ^ value);
}

void sim_hash(const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    uint64_t word;

    for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
        memcpy(&word, p, sizeof word);
        sim_hash_u64(word);
    }
    for (; n > 0; n--) {
        sim_hash_u64(*p++);
    }
}

void *sim_alloc(size_t n)
{
    return sim_grow(NULL, n);
}

void *sim_grow(void *old, size_t n)
{
    void *p = realloc(old, n == 0 ? 1 : n);

    if (p == NULL) {
        fputs("sim: no memory\n", stderr);
        exit(1);
    }
    return p;
}
