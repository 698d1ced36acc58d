/* many.c: many ends of links in one process. */
#include "many.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES_A_TURN = 2 };

static void fail(const char *what)
{
    fprintf(stderr, "links: %s\n", what);
    exit(EXIT_FAILURE);
}

static void deliver(void *ctx, struct pl_link *link, const struct pl_delivery *delivery)
{
    struct many *all = ctx;
    struct many_end *end = pl_link_user(link);

    if (delivery->first_number != end->place.next ||
        !pattern_check(&end->place, delivery->bytes, delivery->count)) {
        fail("a record came changed, or out of order");
    }
    end->last = *delivery;
    end->delivered = true;
    all->delivered_records += delivery->count;
}

static void gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *taken)
{
    (void)ctx;
    (void)link;
    (void)taken;
    fail("a GAP came although nothing was dropped");
}

static void event(void *ctx, struct pl_link *link, const struct pl_event *what)
{
    struct many *all = ctx;
    struct many_end *end = pl_link_user(link);

    if (what->type == PL_EVENT_STORED) {
        all->stored_records += what->number - end->stored;
        end->stored = what->number;
    }
}

static const struct pl_sink sink = {deliver, gap, event};

void many_open(struct many *all, size_t datagram_bytes)
{
    endpoint_env_open(&all->env, &sink, all, datagram_bytes);
    all->due_end = &all->due;
}

void many_close(struct many *all)
{
    pl_timers_close(&all->timers);
    pl_aead_free(all->env.aead);
}

uint32_t many_link(struct many *all, struct many_end *end, uint32_t device, const struct pl_address *peer)
{
    struct pl_link_config config;
    struct pl_path path = {{0}, {0}};
    struct pl_route route;

    endpoint_config(&config, device, peer != NULL);
    config.user = end;
    if (peer != NULL) {
        path.peer = *peer;
        endpoint_route(&route, &path);
        config.configured = &route;
    }
    end->all = all;
    end->link = pl_link_new(&all->env, &config, endpoint_io->now_us(endpoint_io->ctx));
    if (end->link == NULL) {
        fail("out of memory");
    }
    return config.key_id_in;
}

bool many_packet(struct pl_packet *packet, const struct pl_datagram *datagram)
{
    size_t used = 0;

    packet->bytes = datagram->p;
    packet->size = datagram->n;
    packet->ecn = datagram->ecn;
    endpoint_route(&packet->route, &datagram->path);
    return pl_header_decode(packet->bytes, packet->size, &packet->header, &used) == PL_OK;
}

void many_take(struct many_end *end, struct pl_packet *packet, uint64_t now_us)
{
    pl_link_receive(end->link, packet, now_us);
    many_due(end);
}

void many_due(struct many_end *end)
{
    struct many *all = end->all;

    if (!end->is_due) {
        end->is_due = true;
        end->due_next = NULL;
        *all->due_end = end;
        all->due_end = &end->due_next;
    }
}

static void commit(struct many_end *end, uint64_t now_us)
{
    const struct pl_delivery *last = &end->last;

    if (end->delivered) {
        pl_link_committed(end->link, last->stream, last->life, last->first_number + last->count - 1,
                          last->first_offset + last->bytes.n, now_us);
        end->delivered = false;
    }
}

static void send_batches(struct many_end *end, uint64_t now_us)
{
    struct many *all = end->all;
    struct pl_batch batch = {.bytes = all->batch_bytes, .room_bytes = sizeof all->batch_bytes};

    for (int i = 0; i < BATCHES_A_TURN && pl_link_send(end->link, now_us, &batch) > 0; i++) {
        struct pl_path path;
        memcpy(&path.peer, batch.route.bytes, sizeof path.peer);
        memcpy(&path.local, batch.route.bytes + PL_ROUTE_HALF, sizeof path.local);
        struct pl_train train = {
            .path = &path, .bytes = batch.bytes, .n = batch.size, .segment_size = batch.segment};
        struct pl_send_outcome outcome = endpoint_io->udp_send(endpoint_io->ctx, end->udp, &train);
        all->sent_datagrams += outcome.segments;
        all->send_calls++;
    }
}

static void rearm(struct many_end *end, uint64_t now_us)
{
    struct many *all = end->all;
    uint64_t at_us = pl_link_deadline(end->link);

    if (at_us <= now_us) {
        many_due(end);
    } else if (at_us == PL_NEVER) {
        pl_timers_unset(&all->timers, &end->timer);
    } else if (pl_timers_set(&all->timers, &end->timer, at_us) != PL_OK) {
        fail("out of memory");
    }
}

void many_turn(struct many *all, void (*offer)(struct many_end *end, void *ctx), void *ctx, uint64_t now_us)
{
    struct pl_timer *timer;

    while ((timer = pl_timers_pop(&all->timers, now_us)) != NULL) {
        many_due((struct many_end *)timer);
    }
    struct many_end *end = all->due;
    all->due = NULL;
    all->due_end = &all->due;
    while (end != NULL) {
        struct many_end *next = end->due_next;
        end->is_due = false;
        if (offer != NULL) {
            offer(end, ctx);
        }
        commit(end, now_us);
        send_batches(end, now_us);
        rearm(end, now_us);
        end = next;
    }
}

uint64_t many_rest_us(const struct many *all, uint64_t now_us, uint64_t most_us)
{
    uint64_t next_us = pl_timers_next_us(&all->timers);
    uint64_t rest_us = next_us > now_us ? next_us - now_us : 0;

    if (all->due != NULL) {
        return 0;
    }
    return rest_us < most_us ? rest_us : most_us;
}
