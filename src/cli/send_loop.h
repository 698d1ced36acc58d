/* send_loop.h: the loop of `purelink send`: input into the outbox in batches, the network between them. */
#ifndef PL_CLI_SEND_LOOP_H
#define PL_CLI_SEND_LOOP_H

#include <signal.h>

#include "cli/send_batch.h"
#include "cli/send_progress.h"

struct pl_send_loop {
    struct purelink_sender *sender;
    struct pl_input *input;
    uint64_t rate; /* records a second, 0: no limit */
    bool has_timeout;
    uint64_t timeout_ms;                  /* since the last record was taken, for all to be stored */
    const volatile sig_atomic_t *signals; /* SIGINT and SIGTERM received so far */
    const char *outbox;                   /* for messages */
    bool keylog;                          /* there is one: keys it lacks are told */
};

/* Runs until all is read and stored, or the time is up, or a signal came. Returns an exit status (enum
 * pl_exit); what went wrong was told on standard error. */
int pl_send_loop(const struct pl_send_loop *loop);

#endif
