/* send_batch.c: gathers records into one growing buffer and commits it whole. */
#include "cli/send_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct pl_gathered *g, size_t n)
{
    if (g->room_bytes - g->size >= n)
        return true;
    size_t room_bytes = 2 * (g->size + n);
    uint8_t *bytes = realloc(g->bytes, room_bytes);
    if (!bytes)
        return false;
    g->bytes = bytes;
    g->room_bytes = room_bytes;
    return true;
}

static bool append(struct pl_gathered *g, struct pl_bytes record)
{
    uint32_t size = (uint32_t)record.n; /* at most PURELINK_RECORD_MAX */
    if (!make_room(g, sizeof size + record.n))
        return false;
    memcpy(g->bytes + g->size, &size, sizeof size);
    if (record.n > 0)
        memcpy(g->bytes + g->size + sizeof size, record.p, record.n);
    g->size += sizeof size + record.n;
    g->records++;
    return true;
}

static enum purelink_error gather_records(struct pl_gathered *g, struct pl_input *input, size_t max,
                                          struct pl_text *why)
{
    for (size_t n = 0; n < max && g->size < PL_GATHER_BYTES && g->records < PL_GATHER_RECORDS; n++) {
        struct pl_bytes record;
        enum purelink_error e = pl_input_next(input, &record, why);
        if (e == PURELINK_OK && !append(g, record)) {
            pl_text_set(why, "no memory for a batch of records");
            e = PURELINK_E_NO_MEMORY;
        }
        if (e != PURELINK_OK)
            return e;
    }
    return PURELINK_OK;
}

enum purelink_error pl_gather(struct pl_gathered *g, struct pl_input *input, size_t max, struct pl_text *why)
{
    enum purelink_error e = gather_records(g, input, max, why);
    g->has_place =
        input->options.keep_place && g->records > 0 && pl_input_place(input, &g->place) == PURELINK_OK;
    return e;
}

static enum purelink_error put_all(const struct pl_gathered *g, const char *stream,
                                   struct purelink_sender *sender)
{
    enum purelink_error e = PURELINK_OK;
    for (size_t at = 0; at < g->size && e == PURELINK_OK;) {
        uint32_t size;
        memcpy(&size, g->bytes + at, sizeof size);
        e = purelink_sender_put(sender, stream, g->bytes + at + sizeof size, size);
        at += sizeof size + size;
    }
    return e;
}

enum purelink_error pl_gathered_commit(struct pl_gathered *g, const struct pl_input *input,
                                       struct purelink_sender *sender, struct purelink_reason *reason)
{
    if (g->records == 0)
        return PURELINK_OK;
    enum purelink_error e = put_all(g, input->options.stream, sender);
    if (e == PURELINK_OK && g->has_place)
        e = purelink_sender_set_position(sender, input->source, g->place.bytes, sizeof g->place.bytes);
    if (e != PURELINK_OK) {
        purelink_sender_abort(sender);
        snprintf(reason->text, sizeof reason->text, "stream %s: %s", input->options.stream,
                 purelink_strerror(e));
        return e;
    }
    e = purelink_sender_commit(sender, reason);
    if (e == PURELINK_OK)
        g->size = g->records = 0;
    return e;
}

void pl_gathered_free(struct pl_gathered *g)
{
    free(g->bytes);
    *g = (struct pl_gathered){0};
}
