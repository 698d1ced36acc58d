/* What the engine hands to a shard: records and gaps into the commit chunk, events to the operator. */
#include <stdarg.h>
#include <stdio.h>

#include "io/io.h"
#include "link/link.h"
#include "node/shard.h"

void pl_shard_report(struct pl_shard *shard, const char *format, ...)
{
    char line[sizeof shard->figures.last_event.s];
    va_list ap;

    va_start(ap, format);
    vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    pl_text_set(&shard->figures.last_event, "%s", line);
    shard->figures.last_event_ms = shard->config.io->wall_ms(shard->config.io->ctx);
}

/* The engine never delivers beyond room_bytes and the reserve covers the heads: this can only be our own
 * fault. It must not become a loss, so nothing is committed or answered after it. */
static void check_room(struct pl_shard *shard, enum pl_error error)
{
    if (error == PL_OK)
        return;
    shard->broken = true;
    shard->changed = true;
    atomic_store(&shard->failed, true);
    pl_shard_report(shard, "internal fault: a record found no room in its commit; storing has stopped");
}

static const struct pl_stream_part *stream_part(const struct pl_frame_stream *from, struct pl_stream_part *to)
{
    if (!from)
        return NULL;
    *to = (struct pl_stream_part){from->first_number, from->life_before, from->birth, from->name};
    return to;
}

static void deliver(void *ctx, struct pl_link *link, const struct pl_delivery *d)
{
    struct pl_shard *shard = ctx;
    struct pl_active *active = pl_link_user(link);
    struct pl_stream_part part;

    pl_shard_took(shard, active, d->bytes.n);
    check_room(shard,
               pl_chunk_append(&shard->filling->chunk, active->number, d->stream, d->life, d->first_number,
                               d->first_offset, d->count, d->bytes, stream_part(d->begins, &part)));
}

static void gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *g)
{
    struct pl_shard *shard = ctx;
    const struct pl_active *active = pl_link_user(link);
    struct pl_stream_part part;

    check_room(shard, pl_chunk_gap(&shard->filling->chunk, active->number, g->stream, g->life, g->upto,
                                   g->offset, g->lost_from, stream_part(g->begins, &part)));
    pl_shard_report(shard, "%.*s: stream %u: records %llu to %llu are lost: the sender no longer holds them",
                    active->name_size, (const char *)active->name, g->stream,
                    (unsigned long long)g->lost_from, (unsigned long long)g->upto);
}

static void event(void *ctx, struct pl_link *link, const struct pl_event *e)
{
    struct pl_shard *shard = ctx;
    struct pl_active *active = pl_link_user(link);

    if (e->type == PL_EVENT_PEER_RUN)
        pl_shard_proven(shard, active);
    else if (e->type == PL_EVENT_REFUSING)
        pl_shard_report(shard, "%.*s: stream %u refused: %s at record %llu", active->name_size,
                        (const char *)active->name, e->stream, pl_refusal_name(e->code),
                        (unsigned long long)e->number);
    else if (e->type == PL_EVENT_MUTED)
        pl_shard_report(shard, "%.*s: calls our packets malformed: silent for a while", active->name_size,
                        (const char *)active->name);
}

const struct pl_sink pl_shard_sink = {.deliver = deliver, .gap = gap, .event = event};
