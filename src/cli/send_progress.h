/* send_progress.h: the line that shows on a terminal how a transfer goes. */
#ifndef PL_CLI_SEND_PROGRESS_H
#define PL_CLI_SEND_PROGRESS_H

#include "purelink.h"

struct pl_progress {
    bool on; /* standard error is a terminal */
    bool shown;
    uint64_t drawn_ms, rate_ms, rate_stored, per_s;
};

void pl_progress_start(struct pl_progress *p, uint64_t now_ms);

/* Draws the line, at most five times a second. */
void pl_progress_draw(struct pl_progress *p, const struct purelink_sender *sender, uint64_t now_ms);

/* Draws it once more and ends it with a newline, so that other lines can follow. */
void pl_progress_end(struct pl_progress *p, const struct purelink_sender *sender);

#endif
