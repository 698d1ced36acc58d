/* names.c: which of the node's addresses is used, and when its name is looked up again. */
#include "device/parts.h"

enum {
    SILENT_TIMEOUTS = 3,      /* before the next address is tried */
    RETRY_FIRST_US = 1000000, /* after a look-up that failed, doubling */
    RETRY_MAX_US = 60 * 1000000
};

static void try_later(struct pl_device *d, uint64_t now_us)
{
    uint64_t pause_us = d->look_up_pause_us ? 2 * d->look_up_pause_us : RETRY_FIRST_US;
    d->look_up_pause_us = pause_us < RETRY_MAX_US ? pause_us : RETRY_MAX_US;
    d->look_up_at_us = now_us + d->look_up_pause_us;
}

static void look_up_failed(struct pl_device *d, enum pl_error e, const struct pl_text *why, uint64_t now_us)
{
    pl_device_report(d, e, why);
    try_later(d, now_us);
}

/* The next address a socket can be had for. With none, the look-up starts over after a while. */
static void use_next(struct pl_device *d, uint64_t now_us)
{
    for (size_t tries = 0; tries < d->addresses_n; tries++) {
        d->address = (d->address + 1) % d->addresses_n;
        if (pl_device_use_address(d, &d->addresses[d->address]) == PL_OK) {
            d->look_up_pause_us = 0;
            return;
        }
    }
    d->addresses_n = 0;
    try_later(d, now_us);
}

static void take(struct pl_device *d, uint64_t now_us)
{
    struct pl_text why = {""};
    struct pl_address found[PL_ADDRESS_RESOLVE_MAX];
    size_t n = 0;
    enum pl_error e = pl_name_lookup_take(d->resolver, found, &n, &why);
    if (e == PL_E_AGAIN && d->looking_up)
        return;
    d->looking_up = false;
    if (e != PL_OK || n == 0) {
        look_up_failed(d, e, &why, now_us);
        return;
    }
    size_t next = 0;
    while (next < n && d->addresses_n > 0 && pl_address_equal(&found[next], &d->addresses[d->address]))
        next++;
    for (size_t i = 0; i < n; i++)
        d->addresses[i] = found[i];
    d->addresses_n = n;
    d->address = (next + n - 1) % n;
    use_next(d, now_us);
}

static void start(struct pl_device *d, uint64_t now_us)
{
    d->look_up_at_us = PL_NEVER;
    d->looking_up = pl_name_lookup_start(d->resolver);
    if (d->looking_up) {
        take(d, now_us);
        return;
    }
    struct pl_text why;
    pl_text_set(&why, "no thread to look the node's name up");
    look_up_failed(d, PL_E_NO_MEMORY, &why, now_us);
}

void pl_device_look_up(struct pl_device *d, uint64_t now_us)
{
    if (d->looking_up)
        take(d, now_us);
    else if (d->addresses_n == 0 && pl_device_holds(d) && now_us >= d->look_up_at_us)
        start(d, now_us);
}

/* After each three silent timeouts: the next address, and once all were tried, the name again. */
void pl_device_after_silence(struct pl_device *d, uint64_t now_us)
{
    unsigned silent = d->link ? pl_link_silent_timeouts(d->link) : 0;
    if (silent < d->silent_seen)
        d->silent_seen = 0;
    if (silent < d->silent_seen + SILENT_TIMEOUTS)
        return;
    d->silent_seen = silent;
    bool last = d->address + 1 >= d->addresses_n;
    if (d->addresses_n > 1 && !last)
        use_next(d, now_us);
    if (last && pl_name_lookup_is_name(d->resolver) && !d->looking_up)
        start(d, now_us);
}
