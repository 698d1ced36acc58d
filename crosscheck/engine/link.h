/* The second engine: one link, with no clock, socket, file or randomness of its own.
 *
 * Simple rather than fast: one own run for the life of the link, which falls silent at that run's limit, a
 * fixed window of packets, an answer after every batch. Everything received is taken for stored when
 * xc_link_commit is called. Written from spec/ and docs/ alone; it shares no code with the product. */
#ifndef XC_LINK_H
#define XC_LINK_H

#include "crypto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compared as bytes. n = 0: none. */
struct xc_address {
    uint8_t bytes[28];
    size_t n;
};

/* What the engine needs from outside. All functions must be there but `trace`; `context` is their first
 * argument. What they are lent lives until they return. */
struct xc_outside {
    void *context;
    void (*random)(void *context, void *out, size_t n);
    /* A record of the peer's, in order, each once. */
    void (*record)(void *context, uint64_t birth, const uint8_t *name, size_t name_n, uint64_t number,
                   const uint8_t *bytes, size_t n);
    /* The peer holds the numbers `from` to `upto` no more. */
    void (*lost)(void *context, uint64_t birth, uint64_t from, uint64_t upto);
    /* A frame that was sent or received, as one line. */
    void (*trace)(void *context, bool sent, const char *line);
};

struct xc_link_config {
    struct xc_pair pair;
    uint8_t suite;           /* of packets sent */
    bool accepts;            /* false: streams of the peer are refused as unwanted */
    bool extras;             /* also sends what a reader has to bear: ACK_ECN, PADDING, EXTENSION */
    size_t record_max_bytes; /* 0: the default */
    const uint8_t *say;      /* what is said although nothing is wrong, see say.h; lent */
    size_t say_n;
    struct xc_address peer;  /* where packets go; none: where the peer's come from */
    struct xc_outside outside;
};

struct xc_link;

struct xc_link *xc_link_new(const struct xc_link_config *config);
void xc_link_free(struct xc_link *link);

/* Gives a record to the stream of that name, which is made at need; both are copied. */
void xc_link_give(struct xc_link *link, const uint8_t *name, size_t name_n, const uint8_t *record, size_t n);

/* The next record of each stream begins a life, as if the sender had been started anew. */
void xc_link_new_lives(struct xc_link *link);

/* Gives up the records that were refused for good by their number; the peer is told. Returns how many. */
uint64_t xc_link_drop_refused(struct xc_link *link);

/* What a device has to remember of a stream of which nothing is held: its birth and its last life, with that
 * life's first number, records, end in bytes, and the life before it. */
struct xc_rest {
    uint64_t birth, first, count, end;
    uint32_t life, before;
};

/* False: something of the stream is held, or nothing was ever given to it. */
bool xc_link_rest(struct xc_link *link, const uint8_t *name, size_t name_n, struct xc_rest *rest);

/* The stream, new to this link, goes on with the next number in a life of its own. */
void xc_link_resume(struct xc_link *link, const uint8_t *name, size_t name_n, const struct xc_rest *rest);

/* Takes a datagram; what is wrong with it is dropped in silence. The reason, for the curious, is returned:
 * "" if there is none. */
const char *xc_link_receive(struct xc_link *link, uint64_t now_us, const struct xc_address *from,
                            const uint8_t *datagram, size_t n);

/* Everything delivered so far is durable. */
void xc_link_commit(struct xc_link *link);

/* The next datagram that is due, of at most 1,200 bytes, and where it goes. 0: none. */
size_t xc_link_send(struct xc_link *link, uint64_t now_us, uint8_t *out, struct xc_address *to);

/* When xc_link_send has to be called if nothing comes before; UINT64_MAX: never. */
uint64_t xc_link_due_us(const struct xc_link *link);

/* Records given and neither stored nor given up; and those of them whose stream was refused for good. */
uint64_t xc_link_held(const struct xc_link *link);
uint64_t xc_link_stopped(const struct xc_link *link);

#endif
