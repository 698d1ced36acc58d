/* A network of datagrams: lossy, in bursts too, slow, reordering, duplicating, corrupting; and an attacker
 * who kept what he saw and sends it again, from where he likes.
 *
 * Addresses are numbers. Those from SIM_VICTIMS on belong to hosts that took part in nothing: what is sent
 * to them is booked, since at most three times what came from there may go there. */
#ifndef PL_SIM_NET_H
#define PL_SIM_NET_H

#include "sim/sim.h"

enum { SIM_VICTIMS = 0x40000000, SIM_VICTIMS_N = 8 };

struct net_settings {
    unsigned loss, duplicate, corrupt, reorder, mark; /* permille; mark: ECN CE */
    uint64_t delay_us, jitter_us, reorder_us;
    unsigned burst;                                   /* permille of packets that begin a burst of loss */
    uint64_t burst_us;
    uint64_t bytes_per_s;                             /* 0: as many as one likes */
};

struct net_packet {
    uint64_t due_us, order;
    uint32_t from, to;
    uint8_t ecn;
    size_t n;
    uint8_t bytes[];
};

/* Empties the network; faults are drawn from the seed. */
void net_begin(const struct net_settings *settings);

/* From now on nothing bad happens. */
void net_calm(void);

/* What becomes of each datagram on its way is decided by `fate` instead of the seed, until net_calm or
 * net_begin: it may set due_us and ecn and change the bytes; false: the datagram is lost. */
typedef bool net_fate(struct net_packet *packet);
void net_decide(net_fate *fate);

/* A datagram from an attacker: it arrives after delay_us, whatever the network is like. If its source is a
 * victim's address, it is booked as having come from there. */
void net_inject(uint32_t from, uint32_t to, const uint8_t *bytes, size_t n, uint64_t delay_us);

/* Nothing passes for so long. */
void net_black_out(uint64_t us);

void net_send(uint32_t from, uint32_t to, const uint8_t *bytes, size_t n);

/* When the next datagram arrives, SIM_NEVER: none is under way. */
uint64_t net_due_us(void);

/* Takes the next one that is due; free() it. NULL: none. */
struct net_packet *net_receive(void);

/* Packets that were ever sent, n of them from a random one on, go again to where they went, from their
 * source or from another: 0 keeps it. */
void net_replay(unsigned n, uint32_t from);

/* Shows a datagram and what is in it, when tracing (engine_io.c: keys are needed). */
void net_trace(const char *arrow, uint32_t from, uint32_t to, const uint8_t *bytes, size_t n);

/* One of the first thousands of datagrams sent, in order; NULL: there is none of that index. */
const struct net_packet *net_archived(size_t index);

/* Datagrams that were sent. */
uint64_t net_sent(void);

#endif
