/* Where packets may go (spec section 8, "Path"; RFC 9000 section 8.1 for the 3 x rule). */
#ifndef PL_LINK_PATH_H
#define PL_LINK_PATH_H

#include "link/recv.h"

bool pl_route_same_peer(const struct pl_route *a, const struct pl_route *b);

/* Whether as much as one likes may go there. */
bool pl_path_is_free(const struct pl_link *link, const struct pl_route *route);

void pl_path_init(struct pl_link *link);
void pl_path_seen(struct pl_arrival *arrival, bool newest);

/* The value of a PATH_CHALLENGE to `route` for `run`; secret 0 is the present one, 1 the one before. */
uint64_t pl_path_challenge(struct pl_link *link, uint64_t run, const struct pl_route *route,
                           unsigned secret, uint64_t now_us);
void pl_path_response(struct pl_arrival *arrival, uint64_t value);

/* A run that speaks from the main address was proven: the address is asked too, if we have records. */
void pl_path_proven(struct pl_link *link, const struct pl_rx_run *run);

/* Lets the candidate take over when its time came. */
void pl_path_tick(struct pl_link *link, uint64_t now_us);

#endif
