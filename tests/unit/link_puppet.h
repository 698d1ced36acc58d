/* A peer moved by hand: a test writes its packets frame by frame, chooses run, number and address, and reads
 * the answers frame by frame. What no honest end would send is sent this way. */
#ifndef PL_TESTS_LINK_PUPPET_H
#define PL_TESTS_LINK_PUPPET_H

#include "link_side.h"

enum { PUPPET_ANSWERS = 256 };

struct puppet_answer {
    struct pl_route route;
    uint64_t run;
    uint32_t number;
    size_t n;                 /* of the datagram */
    uint8_t plain[1500];
    struct pl_payload payload;
};

struct puppet {
    struct side self;         /* the puppet's keys; it has no link */
    struct side end;          /* the end under test */
    uint64_t now_us;
    uint64_t run;             /* packets are sealed in this one, */
    uint32_t number;          /* under this number, counted up */
    uint8_t suite, ecn;
    struct pl_route from;
    uint64_t end_run;         /* of the last datagram of the end, */
    uint32_t end_number;      /* and its number */
    uint8_t payload[1500];
    size_t payload_n;
    bool gives;
    struct puppet_answer *answers;
    unsigned answers_n;
};

/* An end that knows the puppet; end.env.settings may be changed before puppet_open. */
struct puppet *puppet_new(uint64_t seed);
void puppet_open(struct puppet *p);
void puppet_end(struct puppet *p);

/* The end under test gives, in a stream "door" of birth 77 at slot 0: n records of `size` B of a life. The
 * first call adds the stream. */
void puppet_give(struct puppet *p, uint32_t life, uint64_t first, uint32_t before, unsigned n, size_t size);
/* An end that sends to the puppet, as a device does to its node, and has given so many of 1,000 B of life
 * 0xa0a0a0a0. */
struct puppet *puppet_sender(uint64_t seed, unsigned records);

/* The next packets are of another run. */
void puppet_new_run(struct puppet *p);

/* Adds a frame to the packet being written; must be valid. */
void puppet_frame(struct puppet *p, const struct pl_frame *frame);
void puppet_raw(struct puppet *p, const void *bytes, size_t n);
void puppet_ping(struct puppet *p);
void puppet_stream(struct puppet *p, uint32_t life, uint64_t first, uint32_t before, uint64_t birth,
                   const char *name);
/* A piece of any bytes. */
void puppet_piece(struct puppet *p, uint32_t life, uint64_t offset, const void *bytes, size_t n);
/* A piece of a life all of whose records have 5 B: 6 B with their size, each of its own bytes. */
void puppet_sixes(struct puppet *p, uint32_t life, uint64_t offset, size_t n);
/* The end takes the puppet's run as proven and current. */
void puppet_prove(struct puppet *p);
void puppet_ask(struct puppet *p, uint32_t life);
void puppet_gap(struct puppet *p, uint32_t life, uint64_t upto, uint64_t offset);
/* TO the end's run of its last answer, and an ACK of numbers low to high of it. */
void puppet_ack(struct puppet *p, uint32_t low, uint32_t high);
void puppet_to(struct puppet *p);
void puppet_stored(struct puppet *p, uint32_t life, uint64_t number, uint64_t window_kib);
void puppet_refused(struct puppet *p, uint32_t life, uint64_t number, uint64_t code);

/* Seals the packet under the next number and hands it over. */
enum pl_drop puppet_send(struct puppet *p);
/* The same under a number of choice. */
enum pl_drop puppet_send_as(struct puppet *p, uint32_t number);

/* Collects what the end sends now; returns how many datagrams. Answers count from 0 again. */
unsigned puppet_collect(struct puppet *p);
/* The i-th frame of a type in what was collected, NULL: there is none. */
const struct pl_frame *puppet_find(const struct puppet *p, uint8_t type, unsigned i);
unsigned puppet_count(const struct puppet *p, uint8_t type);
/* Whether an ACK of what was collected covers the number. */
bool puppet_acked(const struct puppet *p, uint32_t number);
/* The highest number STORED says for a life; UINT64_MAX: it says nothing. */
uint64_t puppet_stored_of(const struct puppet *p, uint32_t life);
/* The code of the REFUSED for a life, 0: there is none; *number may be NULL. */
uint64_t puppet_refused_of(const struct puppet *p, uint32_t life, uint64_t *number);

#endif
