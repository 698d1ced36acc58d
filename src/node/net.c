/* Sockets and routes of one shard: see net.h. */
#include "node/net.h"

#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "link/link.h"
#include "node/sleeper.h"

enum {
    RECEIVE_BUFFER_BYTES = 4 << 20,
    PAUSE_US = 1000 /* after the kernel lost a train for want of memory or a firewall's say */
};

struct pl_net {
    const struct pl_io *io;
    struct pl_udp *sockets[PL_NET_SOCKETS_MAX];
    struct pl_address local[PL_NET_SOCKETS_MAX];
    size_t n;
    size_t turn; /* the socket to receive from next: none starves the others */
    uint64_t pause_until_us;
    struct pl_udp *kept_by; /* not NULL: a train is kept */
    struct pl_path kept_path;
    size_t kept_n, kept_segment;
    uint8_t *kept; /* PL_BATCH_ROOM bytes, allocated with the first train kept */
};

enum pl_error pl_net_open(struct pl_net **out, const struct pl_io *io, const struct pl_address *listen,
                          size_t n, size_t datagram_max_bytes, struct pl_text *why)
{
    struct pl_net *net = calloc(1, sizeof *net);

    *out = NULL;
    if (!net || n == 0 || n > PL_NET_SOCKETS_MAX) {
        pl_text_set(why, net ? "%zu addresses to listen on; 1 to %d are possible" : "out of memory", n,
                    PL_NET_SOCKETS_MAX);
        free(net);
        return net ? PL_E_LIMIT : PL_E_NO_MEMORY;
    }
    net->io = io;
    for (size_t i = 0; i < n; i++) {
        struct pl_udp_options options = {
            .local = listen[i],
            .receive_buffer_bytes = RECEIVE_BUFFER_BYTES,
            .datagram_max_bytes = datagram_max_bytes,
        };
        enum pl_error error = io->udp_open(io->ctx, &options, &net->sockets[i], why);
        if (error != PL_OK) {
            pl_net_close(net);
            return error;
        }
        net->n++;
        net->local[i] = io->udp_local(io->ctx, net->sockets[i]);
    }
    *out = net;
    return PL_OK;
}

void pl_net_close(struct pl_net *net)
{
    if (!net)
        return;
    for (size_t i = 0; i < net->n; i++)
        net->io->udp_close(net->io->ctx, net->sockets[i]);
    free(net->kept);
    free(net);
}

bool pl_net_local(const struct pl_net *net, size_t i, struct pl_address *out)
{
    if (i >= net->n)
        return false;
    *out = net->local[i];
    return true;
}

_Static_assert(sizeof(struct pl_address) <= PL_ROUTE_HALF, "an address fits half a route");

static void route_of(const struct pl_path *path, struct pl_route *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, &path->peer, sizeof path->peer);
    memcpy(out->bytes + PL_ROUTE_HALF, &path->local, sizeof path->local);
}

static void path_of(const struct pl_route *route, struct pl_path *out)
{
    memcpy(&out->peer, route->bytes, sizeof out->peer);
    memcpy(&out->local, route->bytes + PL_ROUTE_HALF, sizeof out->local);
}

void pl_net_route(const struct pl_address *peer, struct pl_route *out)
{
    struct pl_path path = {.peer = *peer};

    route_of(&path, out);
}

/*
 * The local half names address and port a datagram came to; the port tells the socket, and the address where
 * several share a port. Ranks how well a socket fits: 0 not at all.
 */
static int fit(const struct pl_address *bound, const struct pl_path *path)
{
    bool any = pl_address_is_any(bound);

    if (bound->family != path->peer.family && !(any && bound->family == PL_ADDRESS_IPV6))
        return 0;
    if (path->local.family == PL_ADDRESS_NONE || path->local.port != bound->port)
        return 1;
    if (any)
        return 2;
    return memcmp(bound->ip, path->local.ip, sizeof bound->ip) == 0 ? 3 : 1;
}

static struct pl_udp *socket_for(const struct pl_net *net, const struct pl_path *path)
{
    int best = 0;
    struct pl_udp *chosen = NULL;

    for (size_t i = 0; i < net->n; i++) {
        int rank = fit(&net->local[i], path);
        if (rank > best) {
            best = rank;
            chosen = net->sockets[i];
        }
    }
    return chosen;
}

size_t pl_net_receive(struct pl_net *net, struct pl_packet out[PL_NET_RECEIVE_MAX])
{
    struct pl_datagram datagrams[PL_NET_RECEIVE_MAX];

    for (size_t tried = 0; tried < net->n; tried++) {
        size_t socket = net->turn;
        size_t n = net->io->udp_receive(net->io->ctx, net->sockets[socket], datagrams, PL_NET_RECEIVE_MAX);
        net->turn = (net->turn + 1) % net->n;
        for (size_t i = 0; i < n; i++) {
            out[i].bytes = datagrams[i].p;
            out[i].size = datagrams[i].n;
            out[i].ecn = datagrams[i].ecn;
            if (datagrams[i].path.local.port == 0)
                datagrams[i].path.local.port = net->local[socket].port;
            route_of(&datagrams[i].path, &out[i].route);
        }
        if (n > 0)
            return n;
    }
    return 0;
}

/* Keeps what the kernel did not take. Without memory for it, it is as good as lost on the way. */
static void keep(struct pl_net *net, struct pl_udp *socket, const struct pl_path *path, const uint8_t *bytes,
                 size_t n, size_t segment)
{
    if (!net->kept)
        net->kept = malloc(PL_BATCH_ROOM);
    if (!net->kept)
        return;
    memmove(net->kept, bytes, n);
    net->kept_by = socket;
    net->kept_path = *path;
    net->kept_n = n;
    net->kept_segment = segment;
}

static enum pl_net_sent send_train(struct pl_net *net, struct pl_udp *socket, const struct pl_path *path,
                                   const uint8_t *bytes, size_t n, size_t segment, uint64_t now_us)
{
    struct pl_train batch = {.path = path, .bytes = bytes, .n = n, .segment_size = segment};
    struct pl_send_outcome sent = net->io->udp_send(net->io->ctx, socket, &batch);
    size_t done = sent.segments * segment < n ? sent.segments * segment : n;

    switch (sent.result) {
    case PL_SEND_AGAIN:
        if (done < n)
            keep(net, socket, path, bytes + done, n - done, segment);
        break;
    case PL_SEND_LOST: net->pause_until_us = now_us + PAUSE_US; break;
    case PL_SEND_UNREACHABLE: return sent.segments == 0 ? PL_NET_UNREACHABLE : PL_NET_SENT;
    case PL_SEND_SENT:
    case PL_SEND_TOO_BIG: /* the engine's size fits every interface there is; a smaller one loses the packet
                           */
        break;
    }
    return PL_NET_SENT;
}

enum pl_net_sent pl_net_send(struct pl_net *net, const struct pl_batch *batch, uint64_t now_us)
{
    struct pl_path path;
    struct pl_udp *socket;

    path_of(&batch->route, &path);
    socket = socket_for(net, &path);
    if (!socket)
        return PL_NET_UNREACHABLE;
    return send_train(net, socket, &path, batch->bytes, batch->size, batch->segment, now_us);
}

bool pl_net_ready(struct pl_net *net, uint64_t now_us)
{
    if (now_us < net->pause_until_us)
        return false;
    if (net->kept_by) {
        struct pl_udp *socket = net->kept_by;
        net->kept_by = NULL;
        (void)send_train(net, socket, &net->kept_path, net->kept, net->kept_n, net->kept_segment, now_us);
    }
    return !net->kept_by && now_us >= net->pause_until_us;
}

uint64_t pl_net_resume_us(const struct pl_net *net)
{
    return net->kept_by || net->pause_until_us == 0 ? UINT64_MAX : net->pause_until_us;
}

void pl_net_wait(struct pl_net *net, const struct pl_sleeper *sleeper, uint64_t timeout_us)
{
    (void)net->io->wait(net->io->ctx, net->sockets, net->n, sleeper->wake, timeout_us);
}

void pl_net_figures(const struct pl_net *net, struct pl_net_figures *out)
{
    *out = (struct pl_net_figures){.receive_buffer_bytes = UINT64_MAX};
    for (size_t i = 0; i < net->n; i++) {
        const struct pl_udp_counters *c = net->io->udp_counters(net->io->ctx, net->sockets[i]);
        out->received += c->received_datagrams;
        out->sent += c->sent_datagrams;
        out->truncated += c->receive_truncated;
        out->overflow += c->receive_overflow;
        out->too_long += c->receive_long;
        out->send_failures +=
            c->send_no_memory + c->send_forbidden + c->send_unreachable + c->send_too_big + c->send_other;
        out->gso_refused += c->gso_refused;
        if (c->receive_buffer_bytes < out->receive_buffer_bytes)
            out->receive_buffer_bytes = c->receive_buffer_bytes;
    }
}
