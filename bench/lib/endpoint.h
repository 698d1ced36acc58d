/* endpoint.h: one end of a link over a real socket: engine, I/O table and nothing else.
 *
 * What a shard or a device is without a store: datagrams in, batches out, a commit that ends as it begins.
 */
#ifndef PL_BENCH_LIB_ENDPOINT_H
#define PL_BENCH_LIB_ENDPOINT_H

#include "io/io.h"
#include "link/link.h"

enum { ENDPOINT_RECEIVE_BUFFER_BYTES = 8 << 20 };

struct endpoint {
    size_t datagram_bytes; /* of a packet; 0: PL_DATAGRAM_SIZE. Set before endpoint_open */
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

/* What endpoint_open and endpoint_link are made of, for those who make many ends (lib/many.h). `sink` may be
 * NULL. All end the program with a reason if they cannot. */
void endpoint_env_open(struct pl_env *env, const struct pl_sink *sink, void *sink_ctx, size_t datagram_bytes);
struct pl_udp *endpoint_socket(const char *address_and_port, size_t receive_buffer_bytes,
                               size_t datagram_bytes);
void endpoint_route(struct pl_route *route, const struct pl_path *path);

/* Keys and secret of one end of the link between the fixed keys of a device and the node; `first`: the
 * device's end. */
void endpoint_config(struct pl_link_config *config, uint32_t device, bool first);

/* Opens a socket on 127.0.0.1 with a free port. Ends the program with a reason if it cannot. */
void endpoint_open(struct endpoint *e);

/* Makes the link between two fixed keys; `first` tells the ends apart. `peer` NULL: learnt from packets. */
void endpoint_link(struct endpoint *e, bool first, const struct pl_address *peer);

struct pl_address endpoint_address(const struct endpoint *e);

/* Sends what is due. Returns whether anything was. */
bool endpoint_send(struct endpoint *e);

/* Takes what came, commits it at once, sends what is due. Returns whether anything moved. */
bool endpoint_turn(struct endpoint *e);

/* Sleeps until a datagram comes or the engine has something to do. */
void endpoint_wait(struct endpoint *e);

void endpoint_close(struct endpoint *e);

#endif
