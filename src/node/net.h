/*
 * The sockets of one shard: datagrams in with their routes, trains of equal segments out along them.
 *
 * The engine knows a route as 64 opaque bytes; here they are a peer's address and the local one it came to,
 * which names the socket an answer leaves by. A train the kernel has no room for is kept, and nothing else is
 * sent before it, so that the order of packets stays.
 */
#ifndef PL_NODE_NET_H
#define PL_NODE_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/address.h"
#include "io/text.h"
#include "link/link.h"

struct pl_io;
struct pl_net;
struct pl_sleeper;

enum {
    PL_NET_SOCKETS_MAX = 16,
    PL_NET_RECEIVE_MAX = 64 /* datagrams of one pl_net_receive */
};

/*
 * Opens a socket at each of `n` addresses (1 to PL_NET_SOCKETS_MAX). io is borrowed. datagram_max_bytes:
 * longer ones are dropped. PL_OK, or the error of the address that failed with the reason, address included,
 * in `why`; then nothing stays open. Also PL_E_LIMIT (n), PL_E_NO_MEMORY.
 */
enum pl_error pl_net_open(struct pl_net **out, const struct pl_io *io, const struct pl_address *listen,
                          size_t n, size_t datagram_max_bytes, struct pl_text *why);

/* NULL is allowed. */
void pl_net_close(struct pl_net *net);

/* The address of socket i with the port the kernel chose; false past the end. */
bool pl_net_local(const struct pl_net *net, size_t i, struct pl_address *out);

/*
 * Takes up to PL_NET_RECEIVE_MAX datagrams: fills bytes, size, route and ecn of each packet, not the header.
 * Returns their number, 0 when none is there now. They are valid until the next call.
 */
size_t pl_net_receive(struct pl_net *net, struct pl_packet out[PL_NET_RECEIVE_MAX]);

/* What became of a train. */
enum pl_net_sent {
    PL_NET_SENT,       /* sent, lost as if on the way, or kept to be sent first of all */
    PL_NET_UNREACHABLE /* none of it was sent: no route there */
};

/* Sends a batch of the engine. Only while pl_net_ready. */
enum pl_net_sent pl_net_send(struct pl_net *net, const struct pl_batch *batch, uint64_t now_us);

/* Sends what was kept, if anything. False: the kernel has no room yet, or asked for a pause: send nothing
 * now. */
bool pl_net_ready(struct pl_net *net, uint64_t now_us);

/* When pl_net_ready may be true again without the kernel saying so; UINT64_MAX if it says so. */
uint64_t pl_net_resume_us(const struct pl_net *net);

/* Blocks until a datagram or room for one is there, the sleeper is notified, or timeout_us are over. */
void pl_net_wait(struct pl_net *net, const struct pl_sleeper *sleeper, uint64_t timeout_us);

/* Sums over all sockets since they were opened. */
struct pl_net_figures {
    uint64_t received, sent, truncated, overflow, too_long, send_failures, gso_refused;
    uint64_t receive_buffer_bytes; /* the smallest */
};
void pl_net_figures(const struct pl_net *net, struct pl_net_figures *out);

/* The route of a peer's address alone: the kernel chooses the local one. */
void pl_net_route(const struct pl_address *peer, struct pl_route *out);

#endif
