/*
 * loopback.h: two UDP sockets on 127.0.0.1, trains of equal datagrams from one to the other with GSO and GRO.
 *
 * The least that the kernel has to be asked for; no error is handled but by saying what failed and ending the
 * benchmark.
 */
#ifndef PL_BENCH_LIB_LOOPBACK_H
#define PL_BENCH_LIB_LOOPBACK_H

#include <stddef.h>
#include <stdint.h>

enum { LOOPBACK_MESSAGES = 32, LOOPBACK_MESSAGE_BYTES = 65536 };

/* What one receive brought: each message is a train of `segment_bytes` datagrams, the last may be shorter. */
struct loopback_message {
    uint8_t *bytes; /* valid until the next receive, may be written to */
    size_t n, segment_bytes;
};

struct loopback {
    int sender, receiver;
    size_t receive_buffer_bytes; /* what the kernel granted */
    uint8_t *buffers;            /* LOOPBACK_MESSAGES x LOOPBACK_MESSAGE_BYTES */
};

/* Opens and connects the sockets; ends the program with a reason if it cannot. */
void loopback_open(struct loopback *l);

void loopback_close(struct loopback *l);

/* Sends `n` bytes as datagrams of `segment_bytes`, in one call. */
void loopback_send(struct loopback *l, const uint8_t *bytes, size_t n, size_t segment_bytes);

/* Receives what is there, waiting at most a second for the first; returns the number of messages (0: none
 * came). */
size_t loopback_receive(struct loopback *l, struct loopback_message out[LOOPBACK_MESSAGES]);

#endif
