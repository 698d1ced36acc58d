/* What an attacker who holds the keys of one link may send: datagrams sealed as either side of it.
 *
 * Small numbers in a forged payload stand for what the two sides have drawn: life 1 is the newest life of the
 * outbox, run tag 0 the reader's newest run, and so on. So an input need not guess 32 random bits to be
 * heard. */
#ifndef FUZZ_FORGE_H
#define FUZZ_FORGE_H

#include "sim/net.h"

enum { LIAR = 1 }; /* the link, and its device */

enum side { SIDE_DEVICE, SIDE_NODE };

/* Forgets what was learnt. */
void forge_begin(void);

/* Sees a datagram of the link pass. */
void forge_learn(const struct net_packet *packet);

/* Which side of the liar's link sends the datagram; false: it is another link's. */
bool forge_side(const struct net_packet *packet, enum side *side);

/* Seals a changed datagram of the liar's link as its sender would. */
void forge_reseal(struct net_packet *packet);

/* Sends a payload of at most 255 bytes as `side`. run 0: its newest run; else one made up. number: relative
 * to the last one of that run. from: 0, or another source. */
void forge_send(enum side side, unsigned run, int number, const uint8_t *payload, size_t n, uint32_t from);

#endif
