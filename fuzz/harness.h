/* What every fuzz target has: one function that is given one input.
 *
 * harness.c calls it for AFL++, in one process many times, or for each file named on the command line. */
#ifndef FUZZ_HARNESS_H
#define FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

/* p lends n bytes and not one more is readable behind them. What is wrong ends the process by fuzz_fail. */
void fuzz_one(const uint8_t *p, size_t n);

/* Called once, before the first input. A target without one does nothing here. */
void fuzz_begin(void);

/* Says what is wrong, on standard error, and aborts. */
__attribute__((format(printf, 1, 2), noreturn)) void fuzz_fail(const char *format, ...);

/* A file of these bytes, readable by its owner only; the path is good until the next call. */
const char *fuzz_file(const uint8_t *p, size_t n);

#endif
