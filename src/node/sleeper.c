/* The flag and the wake handle of one thread: see sleeper.h. */
#include "node/sleeper.h"

#include "io/io.h"

enum pl_error pl_sleeper_open(struct pl_sleeper *sleeper, const struct pl_io *io, struct pl_text *why)
{
    sleeper->io = io;
    sleeper->wake = NULL;
    atomic_init(&sleeper->sleeping, false);
    return io->wake_open(io->ctx, &sleeper->wake, why);
}

void pl_sleeper_close(struct pl_sleeper *sleeper)
{
    if (sleeper->wake)
        sleeper->io->wake_close(sleeper->io->ctx, sleeper->wake);
    sleeper->wake = NULL;
}

void pl_sleeper_about_to(struct pl_sleeper *sleeper)
{
    atomic_store(&sleeper->sleeping, true);
}

void pl_sleeper_awake(struct pl_sleeper *sleeper)
{
    atomic_store(&sleeper->sleeping, false);
}

void pl_sleeper_notify(struct pl_sleeper *sleeper)
{
    if (atomic_load(&sleeper->sleeping) && atomic_exchange(&sleeper->sleeping, false))
        sleeper->io->wake(sleeper->io->ctx, sleeper->wake);
}
