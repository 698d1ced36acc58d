/* The driver of a sending link, as link.h asks for one: feeds it from the outbox, notes its events and deals
 * with them outside of the sink. */
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"
#include "sim/engine.h"

enum { OFFER_BYTES = 1 << 16, VARINT_MAX = 8, MARK_RECORDS = 10 };

static void deliver(void *ctx, struct pl_link *link, const struct pl_delivery *delivery)
{
    (void)ctx, (void)link, (void)delivery;
    sim_fail("a device got records");
}

static void gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *taken)
{
    (void)ctx, (void)link, (void)taken;
    sim_fail("a device got a GAP");
}

static struct feed *feed_of(struct device *device, uint32_t slot)
{
    for (unsigned i = 0; i < ENGINE_STREAMS; i++) {
        if (device->feeds[i].in_link && device->feeds[i].slot == slot) {
            return &device->feeds[i];
        }
    }
    sim_fail("an event names slot %u, which is not in use", slot);
}

static void note_stream(struct device *device, const struct pl_event *event)
{
    struct feed *feed = feed_of(device, event->stream);

    feed->notes |= 1u << event->type;
    switch (event->type) {
    case PL_EVENT_STORED:
        feed->stored = event->number;
        break;
    case PL_EVENT_BEHIND:
        feed->behind = event->number;
        break;
    case PL_EVENT_BEYOND:
        feed->beyond = event->number;
        feed->beyond_life = event->life;
        break;
    case PL_EVENT_FORKED:
        feed->forked = event->number;
        feed->forked_life = event->life;
        break;
    default:
        break;
    }
}

static void event(void *ctx, struct pl_link *link, const struct pl_event *e)
{
    struct device *device = ctx;

    (void)link;
    sim_note("device %u: event %d stream %u life %08x number %llu code %llu", device->index, e->type,
             e->stream, e->life, (unsigned long long)e->number, (unsigned long long)e->code);
    sim_hash_u64((uint64_t)e->type << 32 | e->life);
    if (e->type == PL_EVENT_MUTED && !engine_lies(device->index)) {
        sim_fail("a packet was called malformed");
    }
    if (e->type == PL_EVENT_REFUSED && e->code != PL_REFUSAL_STORE_FULL && e->code != PL_REFUSAL_PAUSED &&
        !engine_lies(device->index)) {
        sim_fail("refused with code %llu", (unsigned long long)e->code);
    }
    if (e->type <= PL_EVENT_RESUMED) {
        note_stream(device, e);
    }
}

static const struct pl_sink sink = {.deliver = deliver, .gap = gap, .event = event};

void device_begin(struct device *device, unsigned index, unsigned link)
{
    char concern[] = "device pool 0";

    memset(device, 0, sizeof *device);
    concern[sizeof concern - 2] = (char)('0' + index);
    device->used = true;
    device->index = link;
    device->address = ENGINE_DEVICE_ADDRESSES * (index + 1);
    pl_env_defaults(&device->env);
    engine_settings(&device->env);
    device->env.sink = &sink;
    device->env.sink_ctx = device;
    device->env.settings.allow_new_streams = false;
    pool_attach(&device->pool, &device->env.memory, engine.plan.device_limit_bytes, concern);
}

static void drop_link(struct device *device)
{
    if (device->link != NULL) {
        pl_link_free(device->link);
        device->link = NULL;
    }
    memset(device->feeds, 0, sizeof device->feeds);
    if (device->env.memory.used_bytes != 0 || device->env.held_bytes != 0) {
        sim_fail("a link at its end kept %zu B", device->env.memory.used_bytes);
    }
}

void device_end(struct device *device)
{
    drop_link(device);
    outbox_free(&device->disk);
    outbox_free(&device->snapshot);
}

void device_give_one(struct device *device, unsigned stream, size_t n)
{
    struct out_birth *birth = outbox_newest(&device->disk, stream, &engine.content);
    uint64_t id = judge_given(device->disk.last_id[stream], n);

    if (engine_lies(device->index)) {
        judge_except(id);
    }
    device->disk.last_id[stream] = id;
    outbox_put(birth, id, !device->life_open[stream], &engine.content);
    device->life_open[stream] = true;
}

void device_give(struct device *device, unsigned stream, unsigned records)
{
    const struct engine_plan *plan = &engine.plan;

    for (; records > 0; records--) {
        size_t most = sim_rng_chance(&engine.content, 20) ? plan->record_large : plan->record_max;
        device_give_one(device, stream, sim_rng_between(&engine.content, plan->record_min, most));
    }
    if (sim_rng_chance(&engine.content, 300)) {
        outbox_trim(&device->disk);
    }
}

void device_kill(struct device *device)
{
    drop_link(device);
    outbox_crash(&device->disk);
    memset(device->life_open, 0, sizeof device->life_open);
}

void device_sweep(struct device *device)
{
    if (device->link != NULL && pl_link_settled(device->link) && !outbox_holds(&device->disk)) {
        drop_link(device);
    }
}

void device_renew(struct device *device)
{
    if (device->link != NULL) {
        pl_link_renew(device->link, sim.now_us);
        memset(device->life_open, 0, sizeof device->life_open);
    }
}

void device_snapshot(struct device *device)
{
    outbox_copy(&device->snapshot, &device->disk);
    outbox_crash(&device->snapshot);
    device->snapshot_ids = judge_count();
    device->has_snapshot = true;
}

/* Whether another device has the outbox's stream too and may still send what is lost here. */
static void bury(const struct device *device)
{
    for (size_t i = 0; i < device->disk.births_n; i++) {
        const struct out_birth *birth = &device->disk.births[i];
        for (size_t r = 0; r < birth->records_n; r++) {
            if (birth->records[r].id > device->snapshot_ids) {
                judge_dead(birth->records[r].id);
            }
        }
    }
}

static void share(const struct outbox *disk)
{
    for (size_t i = 0; i < disk->births_n; i++) {
        for (size_t r = disk->births[i].freed; r < disk->births[i].records_n; r++) {
            judge_shared(disk->births[i].records[r].id);
        }
    }
}

void device_restore(struct device *device)
{
    if (!device->has_snapshot) {
        return;
    }
    device_kill(device);
    bury(device);
    outbox_copy(&device->disk, &device->snapshot);
    share(&device->disk); /* a fork may be repeated by one that does not know of it */
}

void device_clone(struct device *from, struct device *to, unsigned index)
{
    device_begin(to, index, from->index);
    outbox_copy(&to->disk, &from->disk);
    outbox_crash(&to->disk);
    share(&to->disk);
}

/* ---- events, outside of the sink */

static struct out_birth *birth_of(struct device *device, const struct feed *feed)
{
    for (size_t i = 0; i < device->disk.births_n; i++) {
        if (device->disk.births[i].birth == feed->birth) {
            return &device->disk.births[i];
        }
    }
    sim_fail("the birth fed is gone");
}

static void feed_from(struct feed *feed, uint64_t number)
{
    feed->number = number;
    feed->at = 0;
}

static void go_beyond(struct device *device, struct feed *feed, struct out_birth *birth)
{
    uint64_t last = outbox_last_of_life(birth, feed->beyond_life);
    uint64_t number = feed->beyond < last ? feed->beyond : last;

    if (number == 0) {
        return;
    }
    outbox_stored(birth, number);
    struct pl_place place = outbox_place(birth, number + 1);
    pl_link_stream_place(device->link, feed->slot, &place);
    feed_from(feed, number + 1);
}

/* The node went back in time: from there again if it is still held, else the node is told. */
static void go_back(struct device *device, struct feed *feed, struct out_birth *birth)
{
    if (feed->behind >= birth->trimmed) {
        struct pl_place place = outbox_place(birth, feed->behind + 1);
        pl_link_stream_place(device->link, feed->slot, &place);
        feed_from(feed, feed->behind + 1);
        return;
    }
    const struct out_record *last = &birth->records[birth->freed - 1];
    const struct out_life *life = outbox_life(birth, last->life);
    uint64_t end = last->offset + pl_varint_size(judge_size(last->id)) + judge_size(last->id);
    sim_note("device %u: GAP up to %llu", device->index, (unsigned long long)birth->freed);
    pl_link_gap(device->link, feed->slot, life->tag, life->first, life->before, birth->freed, end);
}

static void leave(struct device *device, struct feed *feed)
{
    if (feed->in_link) {
        pl_link_stream_remove(device->link, feed->slot);
    }
    memset(feed, 0, sizeof *feed);
}

static void settle(struct device *device, unsigned stream)
{
    struct feed *feed = &device->feeds[stream];
    struct out_birth *birth = birth_of(device, feed);

    if (feed->notes & 1u << PL_EVENT_STORED) {
        outbox_stored(birth, feed->stored);
        if (feed->number <= feed->stored) {
            feed_from(feed, feed->stored + 1);
        }
    }
    if (feed->notes & 1u << PL_EVENT_BEYOND) {
        go_beyond(device, feed, birth);
    }
    if (feed->notes & 1u << PL_EVENT_BEHIND) {
        go_back(device, feed, birth);
    }
    bool forked = (feed->notes & 1u << PL_EVENT_FORKED) != 0;
    feed->notes = 0;
    if (forked) {
        outbox_forked(&device->disk, birth, feed->forked_life, feed->forked, &engine.content);
        leave(device, feed);
    }
}

/* ---- feeding */

static bool enter(struct device *device, unsigned stream, struct out_birth *birth)
{
    struct feed *feed = &device->feeds[stream];
    struct pl_place from = outbox_place(birth, birth->freed + 1);
    uint8_t name[] = {'s', (uint8_t)('a' + stream)};

    if (pl_link_stream_add(device->link, birth->birth, (struct pl_bytes){name, sizeof name}, &from,
                           &feed->slot) != PL_OK) {
        return false;
    }
    feed->in_link = true;
    feed->birth = birth->birth;
    feed_from(feed, birth->freed + 1);
    return true;
}

static size_t framed(uint64_t id, uint8_t *out)
{
    size_t head = pl_varint_encode(out, judge_size(id));

    judge_body(id, out + head);
    return head + judge_size(id);
}

/* Offers as much as the line takes, of one life at a time, records cut where it is full. */
static void offer(struct device *device, struct feed *feed, const struct out_birth *birth)
{
    uint8_t *bytes = sim_alloc(VARINT_MAX + engine.plan.record_limit + OFFER_BYTES);

    while (feed->number <= birth->records_n) {
        const struct out_record *record = &birth->records[feed->number - 1];
        const struct out_life *life = outbox_life(birth, record->life);
        size_t n = framed(record->id, bytes);
        size_t taken = pl_link_offer(device->link, feed->slot, life->tag, life->first, life->before,
                                     (struct pl_bytes){bytes + feed->at, n - feed->at});
        feed->at += taken;
        if (feed->at < n) {
            break;
        }
        feed_from(feed, feed->number + 1);
        if (feed->number % MARK_RECORDS == 0) { /* now and then, as the product does */
            pl_link_mark(device->link, feed->slot, feed->number);
        }
    }
    free(bytes);
}

static void feed_stream(struct device *device, unsigned stream)
{
    struct feed *feed = &device->feeds[stream];
    struct out_birth *oldest = outbox_oldest_held(&device->disk, stream);

    if (feed->in_link && oldest != NULL && oldest->birth != feed->birth) {
        leave(device, feed);
    }
    if (oldest != NULL && (feed->in_link || enter(device, stream, oldest))) {
        offer(device, feed, oldest);
    }
}

static void activate(struct device *device)
{
    if (device->link == NULL && outbox_holds(&device->disk)) {
        device->link = pl_link_new(&device->env, &engine.device_side[device->index], sim.now_us);
        device->retry_us = sim.now_us + SIM_S;
    }
}

void device_work(struct device *device)
{
    activate(device);
    if (device->link == NULL) {
        return;
    }
    for (unsigned i = 0; i < engine.plan.streams; i++) {
        if (device->feeds[i].in_link && device->feeds[i].notes != 0) {
            settle(device, i);
        }
        feed_stream(device, i);
    }
    engine_pump(device->link, device->address);
    if (pl_link_deadline(device->link) <= sim.now_us) {
        sim_fail("device %u: nothing is sent and the deadline is not later", device->index);
    }
}

uint64_t device_due_us(const struct device *device)
{
    if (device->link == NULL) {
        return outbox_holds(&device->disk) ? device->retry_us : SIM_NEVER;
    }
    return pl_link_deadline(device->link);
}

void device_receive(struct device *device, struct net_packet *packet)
{
    if (device->link != NULL) {
        enum pl_drop drop = engine_receive(device->link, packet);
        sim_note("device %u: got %zu B from %u%s%s", device->index, packet->n, packet->from,
                 drop == PL_DROP_NONE ? "" : ", dropped: ", drop == PL_DROP_NONE ? "" : pl_drop_name(drop));
    }
}
