/* device.c: opening and closing, one step, the blocking loop around it, and the status. */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/x25519.h"
#include "device/parts.h"

enum {
    BLOCKED_LOOK_US = 1000000, /* the socket took nothing: look again even if the kernel does not say so */
    ROUNDS_MAX = 16            /* of feeding and sending in one step */
};
static const uint64_t outbox_default_bytes = UINT64_C(1) << 30;

void pl_device_report(struct pl_device *d, enum pl_error error, const struct pl_text *why)
{
    d->counts.last_error = error;
    if (why)
        d->counts.last_reason = *why;
    else
        pl_text_set(&d->counts.last_reason, "%s", pl_error_name(error));
}

static void *get(void *ctx, size_t size)
{
    (void)ctx;
    return malloc(size);
}

static void put(void *ctx, void *p, size_t size)
{
    (void)ctx, (void)size;
    free(p);
}

static void fill_random(void *ctx, void *bytes, size_t n)
{
    struct pl_device *d = ctx;
    d->io->random(d->io->ctx, bytes, n);
}

static void wake(void *ctx)
{
    struct pl_device *d = ctx;
    d->io->wake(d->io->ctx, d->wake);
}

static enum pl_error derive_link(struct pl_device *d, const struct pl_device_config *c, struct pl_text *why)
{
    uint8_t own[PL_X25519_SIZE];
    enum pl_error e = PL_E_KEY;
    pl_text_set(why, "private key: it has no public key");
    if (!pl_x25519_public(own, c->private_key))
        return e;
    e = pl_secret_derive(&d->link_config.secret, c->private_key, own, c->node_key);
    if (e != PL_OK)
        pl_text_set(why, "%s",
                    memcmp(own, c->node_key, sizeof own) == 0
                        ? "node key: it is the key of this device itself"
                        : "node key: not a usable X25519 public key");
    d->link_config.key_id_in = pl_key_id(c->node_key, own);
    d->link_config.key_id_out = pl_key_id(own, c->node_key);
    d->link_config.direction_out = pl_secret_direction(own, c->node_key);
    d->link_config.suite = c->suite ? c->suite : PL_SUITE_AES_128_GCM;
    return e;
}

static enum pl_error open_engine(struct pl_device *d, const struct pl_device_config *c)
{
    pl_env_defaults(&d->env);
    d->env.memory = (struct pl_memory){.get = get, .put = put, .limit_bytes = PL_DEVICE_MEMORY};
    d->env.random = fill_random;
    d->env.random_ctx = d;
    d->env.sink = &pl_device_sink;
    d->env.sink_ctx = d;
    d->env.run_key = c->run_key;
    d->env.run_key_ctx = c->run_key_ctx;
    d->env.settings.poll_us = c->poll_us;
    d->env.settings.allow_new_streams = false;
    enum pl_error e = pl_aead_new(&d->aead, pl_aead_best());
    d->env.aead = d->aead;
    return e;
}

static enum pl_error open_outbox(struct pl_device *d, const struct pl_device_config *c, struct pl_text *why)
{
    struct pl_outbox_options options = {
        .map_bytes = c->outbox_max_bytes ? c->outbox_max_bytes : outbox_default_bytes,
        .wall_ms = d->io->wall_ms(d->io->ctx),
        .random = fill_random,
        .random_ctx = d,
    };
    while (options.owner == 0)
        fill_random(d, &options.owner, sizeof options.owner);
    enum pl_error e = pl_outbox_open(c->outbox_dir, &options, &d->outbox, why);
    if (e == PL_OK)
        e = pl_outbox_load(d->outbox, PL_DEVICE_LINK, why);
    d->changed = true;
    return e;
}

static enum pl_error open_parts(struct pl_device *d, const struct pl_device_config *c, struct pl_text *why)
{
    enum pl_error e = derive_link(d, c, why);
    if (e == PL_OK)
        e = pl_name_lookup_open(&d->resolver, c->node, c->resolve ? c->resolve : pl_address_resolve, wake, d,
                                why);
    if (e == PL_OK)
        e = d->io->wake_open(d->io->ctx, &d->wake, why);
    if (e == PL_OK)
        e = open_engine(d, c);
    if (e == PL_OK)
        e = open_outbox(d, c, why);
    return e;
}

enum pl_error pl_device_open(struct pl_device **out, const struct pl_device_config *config,
                             struct pl_text *why)
{
    *out = NULL;
    struct pl_device *d = calloc(1, sizeof *d);
    if (!d) {
        pl_text_set(why, "no memory for the device");
        return PL_E_NO_MEMORY;
    }
    d->io = config->io;
    pl_allowance_init(&d->allowance, d->io->now_us(d->io->ctx));
    enum pl_error e = open_parts(d, config, why);
    if (e != PL_OK) {
        pl_device_close(d);
        return e;
    }
    pl_device_sync(d);
    *out = d;
    return PL_OK;
}

void pl_device_close(struct pl_device *device)
{
    if (!device)
        return;
    pl_device_abort(device);
    pl_device_give_up_link(device);
    pl_name_lookup_close(device->resolver);
    pl_device_close_sockets(device);
    if (device->wake)
        device->io->wake_close(device->io->ctx, device->wake);
    pl_outbox_close(device->outbox);
    pl_aead_free(device->aead);
    pl_wipe(device, sizeof *device);
    free(device);
}

struct pl_aead *pl_device_aead(struct pl_device *device)
{
    return device->aead;
}

/* Feeds and sends in turns; true if there is more to send at once. */
static bool work(struct pl_device *d, uint64_t now_us)
{
    for (unsigned i = 0; i < ROUNDS_MAX; i++) {
        pl_device_feed(d);
        if (!pl_device_send(d, now_us))
            return false;
    }
    return true;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t next_due(const struct pl_device *d, uint64_t now_us)
{
    uint64_t at = PL_NEVER;
    bool held = pl_device_holds(d);
    if (d->link && d->blocked)
        at = now_us + BLOCKED_LOOK_US;
    else if (d->link)
        at = pl_link_deadline(d->link);
    else if (held && d->addresses_n > 0)
        at = now_us;
    if (at < d->hold_until_us)
        at = d->hold_until_us;
    if (held && d->addresses_n == 0 && !d->looking_up)
        at = earlier(at, d->look_up_at_us);
    for (size_t i = 0; i < PL_STREAMS_MAX; i++)
        if (d->feeds[i].used && (d->feeds[i].notes & PL_NOTE_FORKED) && !d->in_transaction)
            at = earlier(at, d->feeds[i].fork_at_us);
    return at;
}

uint64_t pl_device_step(struct pl_device *device, uint64_t now_us)
{
    pl_device_watch_clock(device, now_us);
    pl_device_receive(device, now_us);
    pl_device_settle(device, now_us);
    pl_device_trim(device);
    pl_device_look_up(device, now_us);
    pl_device_activate(device, now_us);
    bool more = work(device, now_us);
    pl_device_settle(device, now_us);
    pl_device_after_silence(device, now_us);
    pl_device_rest(device, now_us);
    return more ? now_us : next_due(device, now_us);
}

static bool refused_for_good(const struct pl_feed *feed)
{
    return feed->refused_code == PL_REFUSAL_UNWANTED || feed->refused_code == PL_REFUSAL_TOO_LARGE ||
           feed->refused_code == PL_REFUSAL_FRAMING;
}

enum pl_device_state pl_device_state(const struct pl_device *device)
{
    bool refused = false;
    if (device->failed)
        return PL_DEVICE_FAILED;
    for (size_t i = 0; i < PL_STREAMS_MAX; i++) {
        const struct pl_feed *feed = &device->feeds[i];
        if (feed->used && feed->held && !refused_for_good(feed))
            return PL_DEVICE_WAITING;
        refused = refused || (feed->used && feed->held);
    }
    return refused ? PL_DEVICE_REFUSED : PL_DEVICE_STORED;
}

static void wait_until(struct pl_device *d, uint64_t until_us)
{
    struct pl_udp *sockets[2];
    size_t n = 0;
    for (size_t i = 0; i < 2; i++)
        if (d->sockets[i])
            sockets[n++] = d->sockets[i];
    uint64_t now_us = d->io->now_us(d->io->ctx);
    uint64_t timeout_us = until_us == PL_NEVER ? PL_IO_FOREVER : until_us > now_us ? until_us - now_us : 0;
    d->io->wait(d->io->ctx, sockets, n, d->wake, timeout_us);
}

enum pl_device_state pl_device_run(struct pl_device *device, uint64_t until_us, bool *stopped)
{
    for (;;) {
        bool stop = atomic_exchange(&device->stop, false);
        uint64_t now_us = device->io->now_us(device->io->ctx);
        uint64_t due_us = pl_device_step(device, now_us);
        enum pl_device_state state = pl_device_state(device);
        if (stopped)
            *stopped = stop;
        if (stop || state != PL_DEVICE_WAITING || now_us >= until_us)
            return state;
        if (due_us > now_us)
            wait_until(device, earlier(due_us, until_us));
    }
}

void pl_device_stop(struct pl_device *device)
{
    atomic_store(&device->stop, true);
    device->io->wake(device->io->ctx, device->wake);
}

/* Streams that wait behind an older birth of their name are held as a whole; of the others the feeds know
 * more. */
static void count_held(const struct pl_device *d, struct pl_device_status *out)
{
    struct pl_sending s;
    for (size_t i = 0; pl_outbox_stream_at(d->outbox, i, &s) == PL_OK; i++)
        if (s.blocked) {
            out->held_records += s.next.number - s.freed.number;
            out->held_bytes += s.next.position - s.freed.position;
        }
    for (size_t i = 0; i < PL_STREAMS_MAX; i++) {
        const struct pl_feed *feed = &d->feeds[i];
        if (feed->used && feed->held) {
            out->held_records += feed->next - feed->first_held;
            out->held_bytes += feed->end - feed->position;
        }
    }
}

static void tell_refusal(const struct pl_device *d, const struct pl_feed *feed, struct pl_device_status *out)
{
    struct pl_sending s;
    out->refused_code = feed->refused_code;
    out->detail_size = feed->detail_size;
    memcpy(out->detail, feed->detail, feed->detail_size);
    if (pl_outbox_stream(d->outbox, PL_DEVICE_LINK, feed->stream, &s) != PL_OK)
        return;
    out->refused_name_size = s.name_size;
    memcpy(out->refused_name, s.name, s.name_size);
}

void pl_device_status(const struct pl_device *device, struct pl_device_status *out)
{
    struct pl_link_figures figures = {0};
    *out = device->counts;
    if (device->link)
        pl_link_figures(device->link, &figures);
    out->srtt_us = figures.srtt_us;
    out->packets_out = device->env.counters.packets_out;
    out->packets_in = device->env.counters.packets_in;
    out->lost_packets = device->env.counters.lost_packets;
    out->active = device->link != NULL;
    out->unreachable = device->unreachable;
    for (size_t i = 1; i < PL_DROP_COUNT; i++)
        out->drops += device->env.drops[i];
    count_held(device, out);
    out->held_bytes += figures.unstored_bytes;
    for (size_t i = 0; i < PL_STREAMS_MAX; i++)
        if (device->feeds[i].used && device->feeds[i].refused_code)
            tell_refusal(device, &device->feeds[i], out);
}
