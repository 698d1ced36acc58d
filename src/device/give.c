/* give.c: records and input positions into the outbox, in transactions of the caller's making. */
#include <string.h>

#include "device/parts.h"

static enum pl_error begin(struct pl_device *d, struct pl_text *why)
{
    if (d->in_transaction)
        return PL_OK;
    enum pl_error e = pl_outbox_begin(d->outbox, why);
    d->in_transaction = e == PL_OK;
    d->trim_due = e == PL_E_STORE_FULL;
    d->put_records = 0;
    return e;
}

/* The line of a name; the last one is remembered, since most programs have one. */
static enum pl_error find_line(struct pl_device *d, struct pl_bytes name, uint32_t *line, struct pl_text *why)
{
    if (d->put_name_size > 0 && name.n == d->put_name_size && memcmp(name.p, d->put_name, name.n) == 0) {
        *line = d->put_line;
        return PL_OK;
    }
    enum pl_error e = pl_outbox_line(d->outbox, PL_DEVICE_LINK, name, line, why);
    if (e != PL_OK)
        return e;
    memcpy(d->put_name, name.p, name.n); /* pl_outbox_line took it: at most PL_NAME_MAX */
    d->put_name_size = (uint8_t)name.n;
    d->put_line = *line;
    return PL_OK;
}

enum pl_error pl_device_put(struct pl_device *device, struct pl_bytes stream, const struct pl_bytes *records,
                            size_t n, size_t *taken, struct pl_text *why)
{
    uint32_t line = 0;
    size_t put = 0;
    enum pl_error e = find_line(device, stream, &line, why);
    if (e == PL_OK)
        e = begin(device, why);
    if (e == PL_OK) {
        e = pl_outbox_put_many(device->outbox, line, records, n, &put, why);
        device->put_records += put;
        device->trim_due = e == PL_E_STORE_FULL;
    }
    if (e != PL_OK && e != PL_E_TOO_LARGE && e != PL_E_NAME && e != PL_E_LIMIT)
        pl_device_abort(device);
    if (taken)
        *taken = put;
    return e;
}

enum pl_error pl_device_set_input(struct pl_device *device, struct pl_bytes source, struct pl_bytes position,
                                  struct pl_text *why)
{
    enum pl_error e = begin(device, why);
    if (e != PL_OK)
        return e;
    e = pl_outbox_set_input(device->outbox, source, position, why);
    if (e != PL_OK && e != PL_E_TOO_LARGE && e != PL_E_NAME)
        pl_device_abort(device);
    return e;
}

enum pl_error pl_device_input(struct pl_device *device, struct pl_bytes source, uint8_t *out, size_t *n)
{
    uint8_t found[PL_INPUT_MAX];
    size_t size = 0, room_bytes = *n;
    enum pl_error e = pl_outbox_input(device->outbox, source, found, &size);
    if (e != PL_OK)
        return e;
    *n = size;
    if (size > room_bytes)
        return PL_E_TOO_LARGE;
    memcpy(out, found, size);
    return PL_OK;
}

enum pl_error pl_device_commit(struct pl_device *device, struct pl_text *why)
{
    if (!device->in_transaction)
        return PL_OK;
    device->in_transaction = false;
    enum pl_error e = pl_outbox_commit(device->outbox, why);
    if (e == PL_OK) {
        device->counts.given_records += device->put_records;
        device->trimmed_bytes = pl_device_stored_bytes(device); /* what was freed went with it */
        device->changed = true;
        pl_device_sync(device);
    } else {
        pl_device_report(device, e, why);
        device->put_name_size = 0;
        device->trim_due = e == PL_E_STORE_FULL;
        device->failed = device->failed || e == PL_E_IO || e == PL_E_BUSY;
    }
    device->put_records = 0;
    return e;
}

void pl_device_abort(struct pl_device *device)
{
    if (device->in_transaction)
        pl_outbox_abort(device->outbox);
    device->in_transaction = false;
    device->put_records = 0;
    device->put_name_size = 0;
}

static struct pl_feed *feed_of_name(struct pl_device *d, struct pl_bytes name)
{
    struct pl_sending s;
    for (size_t i = 0; i < PL_STREAMS_MAX; i++) {
        struct pl_feed *feed = &d->feeds[i];
        if (feed->used && pl_outbox_stream(d->outbox, PL_DEVICE_LINK, feed->stream, &s) == PL_OK &&
            s.name_size == name.n && memcmp(s.name, name.p, name.n) == 0)
            return feed;
    }
    return NULL;
}

enum pl_error pl_device_drop(struct pl_device *device, struct pl_bytes stream, uint64_t upto,
                             struct pl_text *why)
{
    struct pl_feed *feed = feed_of_name(device, stream);
    if (!feed)
        return PL_E_NOT_FOUND;
    if (device->in_transaction)
        return PL_E_USAGE;
    uint64_t first = feed->first_held;
    enum pl_error e = pl_outbox_drop(device->outbox, PL_DEVICE_LINK, feed->stream, upto, NULL, why);
    if (e != PL_OK)
        return e;
    pl_device_reopen(device, feed);
    pl_device_refresh(device, feed);
    feed->dropped = true;
    device->counts.lost_records += feed->first_held > first ? feed->first_held - first : 0;
    return PL_OK;
}
