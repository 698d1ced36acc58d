/* One end of a link under test: its environment with a pool that counts and can fail, seeded randomness,
 * a nonce hook that ends the test when a (key, number) is sealed twice, a log of what was delivered, rows
 * as a store would keep them, and the events. */
#ifndef PL_TESTS_LINK_SIDE_H
#define PL_TESTS_LINK_SIDE_H

#include "link/link.h"
#include "wire/payload.h"

enum { SIDE_DELIVERED = 1 << 15, SIDE_EVENTS = 1 << 10, SIDE_ROWS = 64, SIDE_GAPS = 8 };

struct side_record {
    uint64_t birth, number, print; /* print: of the record's bytes, see side_print */
    uint32_t life;
    size_t n;
    bool durable;
};

struct side_row {
    struct pl_stream_row row;
    uint8_t name[PL_NAME_MAX];
};

struct side {
    struct pl_env env;
    struct pl_link_config config;
    struct pl_link *link;
    struct pl_route here, peer; /* its own address, and the one configured for the peer */
    bool has_peer;

    unsigned blocks;      /* of the pool, not given back */
    unsigned gets;        /* ever asked for */
    unsigned fail_from;   /* gets from this one on fail, 0: none */
    unsigned fail_n;      /* how many of them */
    uint64_t random_state;

    struct side_record *delivered;
    unsigned delivered_n;
    struct pl_gap_taken gaps[SIDE_GAPS]; /* the first of them */
    unsigned gaps_n;
    struct pl_event events[SIDE_EVENTS];
    unsigned events_n;
    uint64_t stored[PL_BIRTHS_MAX]; /* by slot: what the last PL_EVENT_STORED of this activation said */
    struct side_row rows[SIDE_ROWS];
    unsigned rows_n;
    unsigned stale_begins; /* deliveries that began a life without saying so, or the reverse */
};

/* An address: the number is the first byte of its peer's half. */
struct pl_route side_route(uint8_t number);

/* Makes two ends that allow each other; `peer` of the first is the second's address. No links yet. */
void side_pair(struct side *a, struct side *b, uint64_t seed);

/* Activates: a link of the stored rows. */
void side_open(struct side *side, uint64_t now_us);

/* Gives the link back; its pool must then be empty. What was not durable is forgotten. */
void side_close(struct side *side);

/* Closes and frees all. */
void side_end(struct side *side);

/* One transaction: rows as they are in memory, and all that was delivered. True if there was anything. */
bool side_commit(struct side *side, uint64_t now_us);

/* How many events of a type came; *last (may be NULL): the last of them. */
unsigned side_events(const struct side *side, enum pl_event_type type, struct pl_event *last);

unsigned side_durable(const struct side *side);

uint64_t side_print(const uint8_t *bytes, size_t n);

/* Opens a datagram that `from` sealed into `plain` (at least n bytes) and parses it. */
bool side_peek(const struct side *from, const uint8_t *bytes, size_t n, uint8_t *plain,
               struct pl_payload *out);

/* Hands the end a datagram; it is copied. */
enum pl_drop side_receive(struct side *side, const uint8_t *bytes, size_t n, const struct pl_route *from,
                          uint8_t ecn, uint64_t now_us);

#endif
