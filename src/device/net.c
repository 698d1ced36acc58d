/* net.c: the sockets of a device: datagrams into the engine, batches out of it, and what to do when the
 * kernel does not take them. */
#include <string.h>

#include "device/parts.h"

enum {
    LOST_PAUSE_US = 5000,          /* the kernel dropped a batch: do not pour on */
    UNREACHABLE_FIRST_US = 100000, /* no route: try again after it, doubling */
    UNREACHABLE_MAX_US = 10 * 1000000,
    RECEIVE_BUFFER = 512 * 1024,
    BATCHES_MAX = 64, /* sent in one step, so that receiving gets its turn */
    RECEIVES_MAX = 8  /* full receives in one step, so that sending gets its turn */
};

_Static_assert(sizeof(struct pl_address) <= PL_ROUTE_HALF, "an address fits half a route");

static void route_from_path(struct pl_route *route, const struct pl_path *path)
{
    memset(route, 0, sizeof *route);
    memcpy(route->bytes, &path->peer, sizeof path->peer);
    memcpy(route->bytes + PL_ROUTE_HALF, &path->local, sizeof path->local);
}

static void path_from_route(struct pl_path *path, const struct pl_route *route)
{
    memcpy(&path->peer, route->bytes, sizeof path->peer);
    memcpy(&path->local, route->bytes + PL_ROUTE_HALF, sizeof path->local);
}

static size_t socket_of(const struct pl_address *address)
{
    return address->family == PL_ADDRESS_IPV4 ? 0 : 1;
}

static enum pl_error open_socket(struct pl_device *d, size_t i, struct pl_text *why)
{
    struct pl_udp_options options = {
        .local.family = i == 0 ? PL_ADDRESS_IPV4 : PL_ADDRESS_IPV6,
        .receive_buffer_bytes = RECEIVE_BUFFER,
        .datagram_max_bytes = d->env.settings.datagram_bytes,
        .v6_only = i == 1,
    };
    return d->io->udp_open(d->io->ctx, &options, &d->sockets[i], why);
}

enum pl_error pl_device_use_address(struct pl_device *d, const struct pl_address *address)
{
    size_t i = socket_of(address);
    struct pl_text why = {""};
    enum pl_error e = d->sockets[i] ? PL_OK : open_socket(d, i, &why);
    if (e != PL_OK) {
        d->sockets[i] = NULL;
        pl_device_report(d, e, &why);
        return e;
    }
    d->counts.node = *address;
    struct pl_path path = {.peer = *address};
    route_from_path(&d->node_route, &path);
    if (d->link)
        pl_link_configure(d->link, &d->node_route);
    return PL_OK;
}

void pl_device_close_sockets(struct pl_device *d)
{
    for (size_t i = 0; i < 2; i++)
        if (d->sockets[i])
            d->io->udp_close(d->io->ctx, d->sockets[i]);
}

/* What the caller of pl_link_receive has to look at first. */
static enum pl_drop check_header(const struct pl_device *d, const struct pl_datagram *datagram,
                                 struct pl_header *header)
{
    size_t used;
    if (datagram->n < PL_PACKET_OVERHEAD)
        return PL_DROP_SHORT;
    enum pl_error e = pl_header_decode(datagram->p, datagram->n, header, &used);
    if (e != PL_OK)
        return e == PL_E_NOT_ZERO ? PL_DROP_RESERVED : PL_DROP_VERSION;
    if (header->version != PL_VERSION)
        return PL_DROP_VERSION;
    if (header->suite != PL_SUITE_COOKIE && header->key_id == d->link_config.key_id_out)
        return PL_DROP_OWN_KEY_ID;
    return header->key_id == d->link_config.key_id_in ? PL_DROP_NONE : PL_DROP_KEY_ID;
}

static void receive_one(struct pl_device *d, struct pl_datagram *datagram, uint64_t now_us)
{
    struct pl_packet packet = {.bytes = datagram->p, .size = datagram->n, .ecn = datagram->ecn};
    enum pl_drop drop = check_header(d, datagram, &packet.header);
    if (drop != PL_DROP_NONE || !d->link) {
        d->env.drops[drop != PL_DROP_NONE ? drop : PL_DROP_STRAY]++;
        return;
    }
    route_from_path(&packet.route, &datagram->path);
    if (pl_link_receive(d->link, &packet, now_us) != PL_DROP_NONE)
        return;
    d->unreachable = false;
    pl_device_settle(d, now_us);
}

size_t pl_device_receive(struct pl_device *d, uint64_t now_us)
{
    size_t total = 0;
    for (size_t i = 0; i < 2; i++) {
        size_t n = PL_IO_RECEIVE_MAX;
        for (unsigned turn = 0; d->sockets[i] && n > 0 && turn < RECEIVES_MAX; turn++) {
            n = d->io->udp_receive(d->io->ctx, d->sockets[i], d->datagrams, PL_IO_RECEIVE_MAX);
            for (size_t k = 0; k < n; k++)
                receive_one(d, &d->datagrams[k], now_us);
            total += n;
        }
    }
    return total;
}

static void hold(struct pl_device *d, uint64_t now_us, uint64_t pause_us)
{
    d->hold_us = pause_us;
    d->hold_until_us = now_us + pause_us;
    d->batch.size = 0;
}

static void hold_unreachable(struct pl_device *d, const struct pl_send_outcome *sent, uint64_t now_us)
{
    struct pl_text why;
    char node[PL_ADDRESS_TEXT_SIZE];
    pl_address_print(&d->counts.node, node, sizeof node);
    bool big = sent->result == PL_SEND_TOO_BIG;
    pl_text_set(&why, "%s: %s", node, big ? "the interface takes no packet of that size" : "no route");
    pl_device_report(d, PL_E_IO, &why);
    if (d->batch_at == 0)
        pl_link_unsent(d->link, now_us);
    uint64_t next_us = d->hold_us < UNREACHABLE_FIRST_US ? UNREACHABLE_FIRST_US : 2 * d->hold_us;
    hold(d, now_us, next_us < UNREACHABLE_MAX_US ? next_us : UNREACHABLE_MAX_US);
}

/* Gives the kernel what is left of the batch. True when all of it is gone. */
static bool flush(struct pl_device *d, uint64_t now_us)
{
    struct pl_path path;
    path_from_route(&path, &d->batch.route);
    struct pl_udp *socket = d->sockets[socket_of(&path.peer)];
    struct pl_send_outcome sent = {.result = PL_SEND_UNREACHABLE};
    if (socket) {
        struct pl_train batch = {.path = &path,
                                 .bytes = d->batch_bytes + d->batch_at,
                                 .n = d->batch.size - d->batch_at,
                                 .segment_size = d->batch.segment};
        sent = d->io->udp_send(d->io->ctx, socket, &batch);
    }
    d->blocked = sent.result == PL_SEND_AGAIN;
    d->batch_at += sent.segments * d->batch.segment;
    if (sent.result == PL_SEND_SENT) {
        d->hold_us = 0;
        d->batch.size = 0;
        return true;
    }
    if (sent.result == PL_SEND_LOST)
        hold(d, now_us, LOST_PAUSE_US);
    else if (sent.result != PL_SEND_AGAIN)
        hold_unreachable(d, &sent, now_us);
    return false;
}

/* Sends what the engine has; false when the kernel or the engine takes no more for now. */
bool pl_device_send(struct pl_device *d, uint64_t now_us)
{
    if (!d->link || now_us < d->hold_until_us)
        return false;
    if (d->batch.size > 0 && !flush(d, now_us))
        return false;
    for (unsigned n = 0; n < BATCHES_MAX; n++) {
        d->batch = (struct pl_batch){.bytes = d->batch_bytes, .room_bytes = sizeof d->batch_bytes};
        d->batch_at = 0;
        if (pl_link_send(d->link, now_us, &d->batch) == 0) {
            d->batch.size = 0;
            return false;
        }
        if (!flush(d, now_us))
            return false;
    }
    return true;
}
