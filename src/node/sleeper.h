/*
 * How a thread sleeps and how others wake it: one wake handle, and a flag that says whether it is worth
 * using.
 *
 * A wake costs a system call, so it is made only when the other side sleeps. The sleeper raises its flag,
 * looks once more at everything it is fed from, and only then waits; who feeds it publishes first and looks
 * at the flag after that. With sequentially consistent accesses one of the two sees the other: no wake is
 * lost.
 */
#ifndef PL_NODE_SLEEPER_H
#define PL_NODE_SLEEPER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "io/text.h"
#include "link/link_types.h"

struct pl_io;
struct pl_wake;

struct pl_sleeper {
    const struct pl_io *io;
    struct pl_wake *wake;
    atomic_bool sleeping;
};

/* Makes the wake handle. PL_OK, or io's error with the reason in `why`; then nothing needs closing. */
enum pl_error pl_sleeper_open(struct pl_sleeper *sleeper, const struct pl_io *io, struct pl_text *why);

/* No other thread may use the sleeper any more. A zeroed sleeper is allowed. */
void pl_sleeper_close(struct pl_sleeper *sleeper);

/* The owner: after this call look at all inputs again, and wait only if they are empty. */
void pl_sleeper_about_to(struct pl_sleeper *sleeper);

/* The owner: it is awake again. */
void pl_sleeper_awake(struct pl_sleeper *sleeper);

/* Any thread: makes the owner look at its inputs soon; free when it is awake. */
void pl_sleeper_notify(struct pl_sleeper *sleeper);

#endif
