/* wire.h: the simulator's network behind the kernel calls of src/io, so that sockets, trains and their
 * merging run as they are while nothing of a real kernel, clock or random source takes part.
 *
 * A train is cut into datagrams where the kernel would cut it; datagrams that are there together are merged
 * where it would merge them. Two sockets at most, the first opened being end 0. */
#ifndef PL_GUARD_WIRE_H
#define PL_GUARD_WIRE_H

#include "io/io.h"

/* The table for endpoint_io: virtual clock, seeded randomness, sockets on the simulated network. */
extern const struct pl_io wire_io;

/* Begins a network without faults, everything drawn from the seed. */
void wire_begin(uint64_t seed);

/* Hands what has arrived by now to the sockets. */
void wire_arrive(void);

#endif
