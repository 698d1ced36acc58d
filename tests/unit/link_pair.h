/* Two ends of a link, a virtual clock and a network between them that a test can bend: every datagram is a
 * thing to drop, delay, repeat, damage or readdress. Outboxes in memory with lives and births give records;
 * what arrives is compared with what was given.
 *
 * Invariant checked at each step: when pl_link_send has nothing more to send, its deadline lies ahead. */
#ifndef PL_TESTS_LINK_PAIR_H
#define PL_TESTS_LINK_PAIR_H

#include "link_side.h"

enum { A, B, PAIR_STREAMS = 80, PAIR_QUEUE = 1 << 14, PAIR_ARCHIVE = 1 << 15 };

struct datagram {
    unsigned to;             /* A or B */
    struct pl_route from;
    struct pl_route target;  /* the address it was sent to */
    uint64_t due_us;
    uint8_t ecn;
    size_t n;
    uint8_t bytes[1500];
};

struct out_record {
    uint32_t life, before;
    uint64_t life_first, offset, id;
    size_t n;
};

/* What one stream of one side has given and not yet freed. */
struct outbox {
    bool used, added;
    char name[32];
    uint64_t birth;
    uint32_t slot;
    uint32_t life, before;   /* of the next record, and the one before it */
    uint64_t life_first, next_offset;
    bool new_life;           /* the next record begins one */
    struct out_record *records;
    unsigned n, room;        /* numbers 1 to n were given */
    unsigned stored;         /* numbers up to it were freed */
    unsigned offered;        /* numbers up to it were offered whole */
    size_t offered_part;     /* bytes of the next one that were */
};

struct pair {
    struct side side[2];
    struct outbox out[2][PAIR_STREAMS];
    uint64_t now_us, delay_us;
    uint64_t commit_delay_us; /* from a delivery to its commit */
    uint64_t commit_us[2];    /* when the next one is due, PL_NEVER */
    bool no_commit[2];
    uint32_t tags;            /* lives drawn so far */
    struct datagram **queue;
    unsigned queue_n;
    struct datagram **archive; /* all that was ever sent */
    unsigned archive_n;
    unsigned sent[2];         /* datagrams by side */
    /* Looks at each datagram as it is sent, may change it; false: it is lost. NULL: all pass. */
    bool (*filter)(struct pair *pair, struct datagram *datagram);
    void *filter_ctx;
    unsigned drops[PL_DROP_COUNT];
};

struct pair *pair_new(uint64_t seed);
void pair_end(struct pair *pair);

/* A stream of side `s`; returns its index in out[s]. */
unsigned pair_stream(struct pair *pair, unsigned s, const char *name, uint64_t birth);

/* Gives one record of n bytes, durable in the outbox; its bytes are made from `id`. */
void pair_give_as(struct pair *pair, unsigned s, unsigned stream, size_t n, uint64_t id);
/* The same with an id of its own. */
void pair_give(struct pair *pair, unsigned s, unsigned stream, size_t n);

/* Offers what the outboxes hold and sends what may go; datagrams queue up. */
void pair_send(struct pair *pair, unsigned s);
/* Hands over the datagram at an index of the queue, now; one to an address where nobody is any more is
 * lost. */
enum pl_drop pair_deliver(struct pair *pair, unsigned at);
/* As if the datagram came (again), from an address. */
enum pl_drop pair_inject(struct pair *pair, const struct datagram *datagram, const struct pl_route *from);
void pair_lose(struct pair *pair, unsigned at);

/* One step to the next thing due; false: nothing is due any more, or only after until_us. */
bool pair_step(struct pair *pair, uint64_t until_us);
void pair_run(struct pair *pair, uint64_t us);
/* Until all is stored and nothing is due, at most 200 s. True if so. */
bool pair_settle(struct pair *pair);
bool pair_all_stored(const struct pair *pair);

/* The side rests: its link goes, rows and outboxes stay. It is active again at once. */
void pair_sweep(struct pair *pair, unsigned s);
/* The side's process died: what was not committed is gone, the outboxes' next records begin a life. */
void pair_restart(struct pair *pair, unsigned s);

/* All records freed by side `s` are durable at the other side, once, in order, whole. */
void pair_check(struct pair *pair, unsigned s);

/* Opens a datagram. The frames borrow from a buffer that the next call overwrites. */
const struct pl_payload *pair_peek(struct pair *pair, const struct datagram *datagram);
/* The frame of a type in it, or NULL. */
const struct pl_frame *pair_frame(struct pair *pair, const struct datagram *datagram, uint8_t type);

#endif
