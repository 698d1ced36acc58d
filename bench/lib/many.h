/* many.h: many ends of links in one process, as a node's shard has them: a timer each, a list of those that
 * have something to do, one environment and one buffer for batches.
 */
#ifndef PL_BENCH_LIB_MANY_H
#define PL_BENCH_LIB_MANY_H

#include "endpoint.h"
#include "node/timers.h"
#include "pattern.h"

struct many_end {
    struct pl_timer timer; /* first: a timer that is due leads to its end */
    struct many *all;
    struct pl_link *link;
    struct pl_udp *udp; /* borrowed, of its own or of all */
    struct many_end *due_next;
    struct pattern_place place; /* what is sent, or expected */
    struct pl_delivery last;
    uint64_t stored; /* highest number the peer called stored */
    uint32_t slot;
    bool is_due, delivered;
};

struct many {
    struct pl_env env;
    struct pl_timers timers;
    struct many_end *due, **due_end;
    uint64_t delivered_records, stored_records;
    uint64_t sent_datagrams, send_calls;
    uint8_t batch_bytes[PL_BATCH_ROOM];
};

/* Prepares; all end the program with a reason if they cannot. */
void many_open(struct many *all, size_t datagram_bytes);

/* Gives back what many_open took; the links are the caller's and must be gone. */
void many_close(struct many *all);

/* Makes one end of the link of device number `device`. peer NULL: the node's end. Returns the key id of
 * packets to it. */
uint32_t many_link(struct many *all, struct many_end *end, uint32_t device, const struct pl_address *peer);

/* Decodes the header and sets the route; false: not a packet. */
bool many_packet(struct pl_packet *packet, const struct pl_datagram *datagram);

/* Gives an end a packet for it; the end is then due. */
void many_take(struct many_end *end, struct pl_packet *packet, uint64_t now_us);

void many_due(struct many_end *end);

/* Serves each end that is due or whose timer is once: `offer` (may be NULL) gives it records, what came is
 * committed, what may go is sent. */
void many_turn(struct many *all, void (*offer)(struct many_end *end, void *ctx), void *ctx, uint64_t now_us);

/* Microseconds until the next timer, 0 if an end is due, at most `most_us`. */
uint64_t many_rest_us(const struct many *all, uint64_t now_us, uint64_t most_us);

#endif
