/* send_progress.c: given, stored, rate and left on one line of standard error, drawn over itself. */
#include "cli/send_progress.h"

#include <stdio.h>
#include <unistd.h>

enum { DRAW_MS = 200, RATE_MS = 1000 };

void pl_progress_start(struct pl_progress *p, uint64_t now_ms)
{
    *p = (struct pl_progress){.on = isatty(STDERR_FILENO) == 1, .rate_ms = now_ms};
}

static void draw(struct pl_progress *p, const struct purelink_sender_status *s)
{
    fprintf(stderr, "\rgiven %llu, stored %llu, %llu/s, left %llu%s\033[K",
            (unsigned long long)s->given_records, (unsigned long long)s->stored_records,
            (unsigned long long)p->per_s, (unsigned long long)s->held_records,
            s->unreachable ? ", node does not answer" : "");
    fflush(stderr);
    p->shown = true;
}

void pl_progress_draw(struct pl_progress *p, const struct purelink_sender *sender, uint64_t now_ms)
{
    if (!p->on || (p->shown && now_ms - p->drawn_ms < DRAW_MS))
        return;
    struct purelink_sender_status s;
    purelink_sender_status(sender, &s);
    if (now_ms - p->rate_ms >= RATE_MS) {
        p->per_s = (s.stored_records - p->rate_stored) * 1000 / (now_ms - p->rate_ms);
        p->rate_ms = now_ms;
        p->rate_stored = s.stored_records;
    }
    p->drawn_ms = now_ms;
    draw(p, &s);
}

void pl_progress_end(struct pl_progress *p, const struct purelink_sender *sender)
{
    if (!p->on || !p->shown)
        return;
    struct purelink_sender_status s;
    purelink_sender_status(sender, &s);
    draw(p, &s);
    fputc('\n', stderr);
    p->shown = false;
}
