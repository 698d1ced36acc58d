/* events.c: what the engine says of the streams sent, noted while it speaks and dealt with after.
 *
 * The engine must not be called from its own sink, so each event becomes a note on its stream: a few bits and
 * numbers, the newest of a kind replacing the older one. Nothing grows, whatever a peer sends. */
#include <string.h>

#include "device/parts.h"

enum {
    FORK_RETRY_US = 10 * 1000000, /* after the outbox could not do it */
    TRIM_BYTES = 1024 * 1024,     /* freed and not trimmed: trimmed without waiting for a commit */
    TRIM_ROWS = 1024
};

static void deliver(void *ctx, struct pl_link *link, const struct pl_delivery *delivery)
{
    (void)ctx, (void)link, (void)delivery; /* a device refuses streams of the node: nothing comes */
}

static void gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *taken)
{
    (void)ctx, (void)link, (void)taken;
}

static struct pl_feed *feed_of_slot(struct pl_device *d, uint32_t slot)
{
    for (size_t i = 0; i < PL_STREAMS_MAX; i++)
        if (d->feeds[i].used && d->feeds[i].in_link && d->feeds[i].slot == slot)
            return &d->feeds[i];
    return NULL;
}

static void note_refused(struct pl_feed *feed, const struct pl_event *event)
{
    feed->refused_code = event->code;
    feed->detail_size = (uint8_t)(event->detail.n < PL_DETAIL_MAX ? event->detail.n : PL_DETAIL_MAX);
    if (feed->detail_size > 0)
        memcpy(feed->detail, event->detail.p, feed->detail_size);
}

static void note(struct pl_feed *feed, const struct pl_event *event)
{
    switch (event->type) {
    case PL_EVENT_STORED:
        feed->notes |= PL_NOTE_STORED;
        feed->stored = event->number;
        break;
    case PL_EVENT_BEHIND:
        feed->notes |= PL_NOTE_BEHIND;
        feed->behind = event->number;
        break;
    case PL_EVENT_BEYOND:
        feed->notes |= PL_NOTE_BEYOND;
        feed->beyond = event->number;
        feed->beyond_life = event->life;
        break;
    case PL_EVENT_FORKED:
        feed->notes |= PL_NOTE_FORKED;
        feed->forked = event->number;
        feed->forked_life = event->life;
        feed->fork_at_us = 0;
        break;
    case PL_EVENT_REFUSED: note_refused(feed, event); break;
    case PL_EVENT_RESUMED: feed->refused_code = 0; break;
    default: break;
    }
}

static void event(void *ctx, struct pl_link *link, const struct pl_event *e)
{
    struct pl_device *d = ctx;
    struct pl_text why;
    (void)link;
    if (e->type == PL_EVENT_UNREACHABLE) {
        d->unreachable = true;
        pl_text_set(&why, "the node does not answer");
        pl_device_report(d, PL_E_TIMEOUT, &why);
    } else if (e->type == PL_EVENT_MUTED) {
        pl_text_set(&why, "the node calls our packets malformed: nothing is sent for a while");
        pl_device_report(d, PL_E_REFUSED, &why);
    } else if (e->type <= PL_EVENT_RESUMED) {
        struct pl_feed *feed = feed_of_slot(d, e->stream);
        if (feed)
            note(feed, e);
    }
}

const struct pl_sink pl_device_sink = {.deliver = deliver, .gap = gap, .event = event};

static void fail_if(struct pl_device *d, enum pl_error e, const struct pl_text *why)
{
    if (e == PL_OK || e == PL_E_AGAIN)
        return;
    pl_device_report(d, e, why);
    d->failed = d->failed || e == PL_E_IO || e == PL_E_STORE || e == PL_E_BUSY;
}

/* All up to `number` is stored. The outbox frees it in memory; on the disk with the next commit or trim. */
static void free_stored(struct pl_device *d, struct pl_feed *feed, uint64_t number)
{
    if (number >= feed->next)
        number = feed->next - 1;
    if (number < feed->first_held)
        return;
    (void)pl_outbox_stored(d->outbox, PL_DEVICE_LINK, feed->stream, number);
    d->counts.stored_records += number + 1 - feed->first_held;
    feed->first_held = number + 1;
    pl_device_refresh(d, feed);
}

/* The peer stored what was not offered in this activation: those numbers are done. */
static void go_beyond(struct pl_device *d, struct pl_feed *feed)
{
    struct pl_place from;
    struct pl_sending_life life;
    if (!pl_device_find_life(d, feed, feed->beyond_life, &life))
        return;
    uint64_t number = feed->beyond < life.last_number ? feed->beyond : life.last_number;
    free_stored(d, feed, number);
    if (pl_device_place(d, feed, number + 1, &from, &feed->position))
        pl_link_stream_place(d->link, feed->slot, &from);
}

static uint64_t fork_again_at(struct pl_device *d, const struct pl_feed *feed, uint64_t wall_ms,
                              uint64_t now_us)
{
    struct pl_sending s;
    uint64_t hour_ms = PL_FORK_INTERVAL_US / 1000;
    if (pl_outbox_stream(d->outbox, PL_DEVICE_LINK, feed->stream, &s) != PL_OK || s.forked_ms > wall_ms ||
        wall_ms - s.forked_ms >= hour_ms)
        return now_us + FORK_RETRY_US;
    return now_us + (s.forked_ms + hour_ms - wall_ms + 1) * 1000;
}

static void fork_waits(struct pl_device *d, struct pl_feed *feed, enum pl_error e,
                       const struct pl_text *cause, uint64_t wall_ms, uint64_t now_us)
{
    struct pl_text why;
    feed->fork_at_us = e == PL_E_AGAIN ? fork_again_at(d, feed, wall_ms, now_us) : now_us + FORK_RETRY_US;
    if (e == PL_E_AGAIN)
        pl_text_set(&why,
                    "stream %u of the outbox: forked twice within an hour: is a copy of it in use? It waits",
                    feed->stream);
    else
        why = *cause;
    pl_device_report(d, e, &why);
    d->failed = d->failed || e == PL_E_IO || e == PL_E_STORE || e == PL_E_BUSY;
}

static void fork_stream(struct pl_device *d, struct pl_feed *feed, uint64_t now_us)
{
    struct pl_text why = {""};
    uint64_t birth, wall_ms = d->io->wall_ms(d->io->ctx);
    uint32_t tag = 0, stream_new = 0;
    d->io->random(d->io->ctx, &birth, sizeof birth);
    while (tag == 0)
        d->io->random(d->io->ctx, &tag, sizeof tag);
    enum pl_error e = pl_outbox_forked(d->outbox, PL_DEVICE_LINK, feed->stream, feed->forked_life,
                                       feed->forked, birth, tag, wall_ms, &stream_new, &why);
    if (e != PL_OK) {
        fork_waits(d, feed, e, &why, wall_ms, now_us);
        return;
    }
    if (stream_new != 0)
        d->counts.forks++;
    pl_device_reopen(d, feed);
    pl_device_refresh(d, feed);
    d->changed = true;
}

static void settle_feed(struct pl_device *d, struct pl_feed *feed, uint64_t now_us)
{
    if (feed->notes & PL_NOTE_STORED)
        free_stored(d, feed, feed->stored);
    if (feed->notes & PL_NOTE_BEYOND)
        go_beyond(d, feed);
    if (feed->notes & PL_NOTE_BEHIND)
        pl_device_behind(d, feed, feed->behind);
    feed->notes &= PL_NOTE_FORKED;
    if (feed->notes && !d->in_transaction && now_us >= feed->fork_at_us)
        fork_stream(d, feed, now_us);
}

void pl_device_settle(struct pl_device *d, uint64_t now_us)
{
    for (size_t i = 0; i < PL_STREAMS_MAX; i++)
        if (d->feeds[i].used && d->feeds[i].notes)
            settle_feed(d, &d->feeds[i], now_us);
    pl_device_sync(d);
}

uint64_t pl_device_stored_bytes(const struct pl_device *d)
{
    struct pl_link_figures figures = {0};
    if (d->link)
        pl_link_figures(d->link, &figures);
    return d->offered_bytes > figures.unstored_bytes ? d->offered_bytes - figures.unstored_bytes : 0;
}

/* Trimming rides the next commit; while much is freed and nothing is given, it does not wait for one. */
void pl_device_trim(struct pl_device *d)
{
    struct pl_text why = {""};
    bool left = false;
    uint64_t stored_bytes = pl_device_stored_bytes(d);
    bool much = stored_bytes > d->trimmed_bytes + TRIM_BYTES;
    if (d->in_transaction || !(much || (d->trim_due && stored_bytes > d->trimmed_bytes)))
        return;
    fail_if(d, pl_outbox_trim(d->outbox, TRIM_ROWS, &left, &why), &why);
    if (left)
        return;
    d->trim_due = false;
    d->trimmed_bytes = stored_bytes;
}
