/* active.c: when the link is made, renewed and given up. */
#include "device/parts.h"

enum {
    CLOCK_JUMP_MS = 1000,      /* of the wall clock against the monotonic one: maybe resumed from an image */
    ACTIVATE_PAUSE_US = 100000 /* after memory ran out */
};

void pl_device_activate(struct pl_device *d, uint64_t now_us)
{
    if (d->link || d->addresses_n == 0 || now_us < d->hold_until_us || !pl_device_holds(d))
        return;
    d->link_config.configured = &d->node_route;
    d->link = pl_link_new(&d->env, &d->link_config, now_us);
    if (d->link) {
        pl_allowance_take(&d->allowance, now_us);
        d->counts.activations++;
        d->silent_seen = 0;
        return;
    }
    struct pl_text why;
    pl_text_set(&why, "no memory for the link");
    pl_device_report(d, PL_E_NO_MEMORY, &why);
    d->hold_until_us = now_us + ACTIVATE_PAUSE_US;
}

void pl_device_give_up_link(struct pl_device *d)
{
    if (d->link)
        pl_link_free(d->link);
    d->link = NULL;
    d->batch.size = 0;
    d->blocked = false;
    for (size_t i = 0; i < PL_STREAMS_MAX; i++)
        d->feeds[i].in_link = d->feeds[i].gap_waits = false;
}

/* All is stored: the link goes, and with it its keys, memory and timers. A device that polls keeps it. */
void pl_device_rest(struct pl_device *d, uint64_t now_us)
{
    if (!d->link || d->batch.size > 0 || d->env.settings.poll_us > 0 || pl_device_holds(d))
        return;
    if (pl_link_settled(d->link) && pl_allowance_has(&d->allowance, now_us))
        pl_device_give_up_link(d);
}

/* A machine resumed from an image would use numbers and lives a second time: both are drawn anew. A clock
 * that was set looks the same and costs no more than that. */
void pl_device_watch_clock(struct pl_device *d, uint64_t now_us)
{
    int64_t offset_ms = (int64_t)d->io->wall_ms(d->io->ctx) - (int64_t)(now_us / 1000);
    int64_t moved_ms = offset_ms - d->clock_offset_ms;
    bool jumped = d->clock_known && (moved_ms > CLOCK_JUMP_MS || moved_ms < -CLOCK_JUMP_MS);
    d->clock_offset_ms = offset_ms;
    d->clock_known = true;
    if (jumped) {
        d->counts.resumes++;
        d->new_life_due = true;
        if (d->link)
            pl_link_renew(d->link, now_us);
    }
    if (d->new_life_due && !d->in_transaction) {
        pl_outbox_new_life(d->outbox);
        d->new_life_due = false;
    }
}
