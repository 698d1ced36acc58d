/* endpoint.h: one end of a link over a real socket: engine, I/O table and nothing else.
 *
 * What a shard or a device is without a store: datagrams in, batches out, a commit that ends as it begins.
 */
#ifndef PL_BENCH_LIB_ENDPOINT_H
#define PL_BENCH_LIB_ENDPOINT_H

#include "io/io.h"
#include "link/link.h"

struct endpoint {
    struct pl_env env;
    struct pl_link *link;
    struct pl_udp *udp;
    uint8_t batch_bytes[PL_BATCH_ROOM];
    struct pl_delivery last; /* of the stream: what the commit that ends at once makes durable */
    bool delivered;
    void (*check)(void *ctx, const struct pl_delivery *delivery); /* NULL: none */
    void *check_ctx;
    uint64_t stored; /* highest number the peer called stored */
    uint64_t received_datagrams, sent_datagrams, send_calls;
};

/* The world of all ends: the kernel's, until somebody puts another in its place. */
extern const struct pl_io *endpoint_io;

/* The best AEAD of this build, or OpenSSL's if AEAD=openssl is in the environment. */
const struct pl_aead_ops *endpoint_aead(void);

/* Opens a socket on 127.0.0.1 with a free port. Ends the program with a reason if it cannot. */
void endpoint_open(struct endpoint *e);

/* Makes the link between two fixed keys; `first` tells the ends apart. `peer` NULL: learnt from packets. */
void endpoint_link(struct endpoint *e, bool first, const struct pl_address *peer);

struct pl_address endpoint_address(const struct endpoint *e);

/* Takes what came, commits it at once, sends what is due. Returns whether anything moved. */
bool endpoint_turn(struct endpoint *e);

/* Sleeps until a datagram comes or the engine has something to do. */
void endpoint_wait(struct endpoint *e);

void endpoint_close(struct endpoint *e);

#endif
