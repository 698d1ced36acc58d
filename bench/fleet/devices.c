/* Devices: waking, giving a record, hearing the node, going back to rest. */
#include "fleet.h"

#include "engine/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const uint8_t stream_name[] = "fleet";
enum { STREAM_NAME_BYTES = sizeof stream_name - 1, RECORD_BYTES_MAX = 1000 };

static void draw(void *context, void *out, size_t n)
{
    (void)context;
    if (getrandom(out, n, 0) != (ssize_t)n)
        fleet_fail(FLEET_FAILED, "getrandom", strerror(errno));
}

static void no_record(void *context, uint64_t birth, const uint8_t *name, size_t name_n, uint64_t number,
                      const uint8_t *bytes, size_t n)
{
    (void)context, (void)birth, (void)name, (void)name_n, (void)number, (void)bytes, (void)n;
}

static void no_lost(void *context, uint64_t birth, uint64_t from, uint64_t upto)
{
    (void)context, (void)birth, (void)from, (void)upto;
}

/* Untouched parts of these arrays cost no memory: calloc leaves them to the kernel. */
void fleet_open(struct fleet *fleet, const struct fleet_options *options)
{
    memset(fleet, 0, sizeof *fleet);
    fleet->options = options;
    fleet->flight = xc_zeroed(options->devices * sizeof(struct fleet_flight *));
    if (options->command != FLEET_ONCE) {
        fleet->rest = xc_zeroed(options->devices * sizeof *fleet->rest);
        fleet->pair = xc_zeroed(options->devices * sizeof *fleet->pair);
    }
    fleet_net_open(&fleet->net, options);
    fleet_report_start(&fleet->report, fleet_now_us());
}

static void pair_of(struct fleet *fleet, uint32_t device, struct xc_pair *pair)
{
    uint8_t key[XC_KEY_BYTES];

    if (fleet->rest != NULL && fleet->rest[device].life != 0) {
        *pair = fleet->pair[device];
        return;
    }
    fleet_key(fleet->options->seed, device, key);
    if (!xc_pair_make(pair, key, fleet->options->node_key))
        fleet_fail(FLEET_USAGE, "not a key of a node", "--node-key");
    if (fleet->pair != NULL)
        fleet->pair[device] = *pair;
}

static struct fleet_flight *wake(struct fleet *fleet, uint32_t device)
{
    struct fleet_flight *flight = xc_zeroed(sizeof *flight);
    struct xc_link_config config = {.suite = fleet->options->suite, .peer = fleet->net.node};

    config.outside = (struct xc_outside){fleet, draw, no_record, no_lost, NULL};
    pair_of(fleet, device, &config.pair);
    flight->device = device;
    flight->link = xc_link_new(&config);
    flight->due_us = UINT64_MAX;
    if (fleet->rest != NULL && fleet->rest[device].life != 0)
        xc_link_resume(flight->link, stream_name, STREAM_NAME_BYTES, &fleet->rest[device]);
    fleet_timers_add(&fleet->timers, flight);
    fleet->flight[device] = flight;
    return flight;
}

static void sleep_again(struct fleet *fleet, struct fleet_flight *flight)
{
    if (fleet->rest != NULL)
        xc_link_rest(flight->link, stream_name, STREAM_NAME_BYTES, &fleet->rest[flight->device]);
    fleet_timers_remove(&fleet->timers, flight);
    fleet->flight[flight->device] = NULL;
    xc_link_free(flight->link);
    free(flight->made_us);
    free(flight);
}

static size_t send_all(struct fleet *fleet, struct fleet_flight *flight, uint64_t now_us)
{
    uint8_t datagram[2048];
    struct xc_address to;
    size_t n, sent = 0;

    for (; (n = xc_link_send(flight->link, now_us, datagram, &to)) > 0; sent++)
        if (!fleet_net_send(&fleet->net, flight->device, datagram, n))
            fleet->report.counts.unsent++;
    return sent;
}

/* Of the records given, the oldest are stored first. */
static void note_stored(struct fleet *fleet, struct fleet_flight *flight, uint64_t now_us)
{
    size_t stored = flight->made_n - (size_t)xc_link_held(flight->link);

    for (size_t i = 0; i < stored; i++)
        fleet_report_stored(&fleet->report, now_us > flight->made_us[i] ? now_us - flight->made_us[i] : 0);
    flight->made_n -= stored;
    if (stored > 0)
        memmove(flight->made_us, flight->made_us + stored, flight->made_n * sizeof *flight->made_us);
    if (stored > 0 && flight->made_n == 0)
        fleet->unstored--;
}

/* What was refused for good is counted and given up with its link. */
static bool note_refused(struct fleet *fleet, struct fleet_flight *flight)
{
    if (flight->made_n == 0 || xc_link_stopped(flight->link) < flight->made_n)
        return false;
    fleet->report.counts.refused += flight->made_n;
    fleet->unstored--;
    sleep_again(fleet, flight);
    return true;
}

static void settle(struct fleet *fleet, struct fleet_flight *flight, uint64_t now_us)
{
    if (note_refused(fleet, flight))
        return;
    if (flight->made_n == 0 && fleet->options->idle_ms == 0) {
        sleep_again(fleet, flight);
        return;
    }
    flight->due_us =
        flight->made_n == 0 ? now_us + fleet->options->idle_ms * 1000 : xc_link_due_us(flight->link);
    fleet_timers_moved(&fleet->timers, flight);
}

void fleet_give(struct fleet *fleet, uint32_t device, uint64_t now_us, uint64_t made_us)
{
    uint8_t record[RECORD_BYTES_MAX];
    struct fleet_flight *flight = fleet->flight[device];

    if (flight == NULL)
        flight = wake(fleet, device);
    if (flight->made_n == 0)
        fleet->unstored++;
    flight->made_us =
        xc_room(flight->made_us, &flight->made_room, flight->made_n + 1, sizeof *flight->made_us);
    flight->made_us[flight->made_n++] = made_us;
    memset(record, '.', sizeof record);
    record[0] = (uint8_t)('0' + device % 10);
    xc_link_give(flight->link, stream_name, STREAM_NAME_BYTES, record, (size_t)fleet->options->record_bytes);
    fleet->report.counts.made++;
    send_all(fleet, flight, now_us);
    settle(fleet, flight, now_us);
}

/* A timer of the engine that sends is a probe: it brings the oldest record once more. */
void fleet_tick(struct fleet *fleet, uint64_t now_us)
{
    while (fleet->timers.n > 0 && fleet->timers.heap[0]->due_us <= now_us) {
        struct fleet_flight *flight = fleet->timers.heap[0];
        if (flight->made_n == 0) {
            sleep_again(fleet, flight);
            continue;
        }
        fleet->report.counts.again += send_all(fleet, flight, now_us);
        settle(fleet, flight, now_us);
    }
}

static void hear(void *context, uint32_t device, const uint8_t *p, size_t n)
{
    struct fleet *fleet = context;
    struct fleet_flight *flight = fleet->flight[device];
    uint64_t now_us = fleet_now_us();

    if (flight == NULL) {
        fleet->report.counts.stray++;
        return;
    }
    xc_link_receive(flight->link, now_us, &fleet->net.node, p, n);
    send_all(fleet, flight, now_us);
    note_stored(fleet, flight, now_us);
    settle(fleet, flight, now_us);
}

void fleet_take(struct fleet *fleet)
{
    fleet_net_take(&fleet->net, fleet, hear);
}

void fleet_close(struct fleet *fleet)
{
    while (fleet->timers.n > 0)
        sleep_again(fleet, fleet->timers.heap[0]);
    free(fleet->timers.heap);
    free(fleet->flight);
    free(fleet->rest);
    free(fleet->pair);
}
