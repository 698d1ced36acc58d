/* A world in memory for tests of the second implementation: chance from a seed, a clock that jumps, two links
 * and a network between them that loses, repeats, reorders and spoils. Nothing of src/ is in it. */
#ifndef XT_WORLD_H
#define XT_WORLD_H

#include "engine/inner.h"

enum { XT_STREAMS = 64, XT_FLYING_MAX = 4096, XT_REASONS_MAX = 24 };

/* ---- chance.c ---- */

struct xt_chance {
    uint64_t state;
};

uint64_t xt_draw(struct xt_chance *chance);

/* Below n, which is not 0. */
uint64_t xt_below(struct xt_chance *chance, uint64_t n);
bool xt_happens(struct xt_chance *chance, unsigned percent);
void xt_fill(struct xt_chance *chance, void *out, size_t n);

/* The number in the environment variable XC_SEED, or the default. */
uint64_t xt_seed(uint64_t otherwise);

/* Bytes of hexadecimal digits, blanks between them or not; returns how many, at most room. */
size_t xt_hex(const char *text, uint8_t *out, size_t room);

/* What the process holds of the heap, as its allocator or AddressSanitizer tells. */
size_t xt_heap_bytes(void);

/* ---- world.c ---- */

/* How many datagrams were taken for each reason, "" for none. */
struct xt_reasons {
    struct xt_reason {
        const char *name;
        uint64_t count;
    } reason[XT_REASONS_MAX];
    size_t n;
};

void xt_count(struct xt_reasons *reasons, const char *name);
uint64_t xt_counted(const struct xt_reasons *reasons, const char *name);

/* Of the datagrams sent, in percent; delays in microseconds. */
struct xt_net {
    unsigned lost, repeated, spoilt, late;
    uint64_t delay_us, late_us;
};

struct xt_world;

/* One end: 0 gives records at the beginning, 1 takes them; both do either. */
struct xt_side {
    struct xt_world *world;
    unsigned index;
    struct xc_link_config config;
    struct xc_link *link;
    struct xc_address address;
    uint64_t given[XT_STREAMS], delivered[XT_STREAMS]; /* records, by stream */
    uint64_t taken, births, lost; /* records, those with number 1, numbers told as lost */
    struct xt_reasons reasons;
};

struct xt_flying {
    uint64_t due_us;
    unsigned to;
    struct xc_address from;
    size_t n;
    uint8_t bytes[XC_DATAGRAM_BYTES + 300];
};

struct xt_world {
    struct xt_chance chance;
    uint64_t now_us, sent, record_max;
    struct xt_net net;
    struct xt_side side[2];
    struct xt_flying *flying; /* in no order */
    size_t flying_n;
    unsigned no_commit; /* in percent: a packet is taken and its records not yet stored */
    bool by_number;     /* records are told by their numbers, of which some may be lost */
    void *context;
    void (*seen)(struct xt_world *world, unsigned from, const uint8_t *p, size_t n); /* may be NULL */
};

/* Two links over a network without faults; suite[i] is side i's. */
struct xt_world *xt_world_new(uint64_t seed, uint8_t suite0, uint8_t suite1);
void xt_world_free(struct xt_world *world);

/* Gives the side's next record of a stream, of at most world->record_max bytes. */
void xt_give(struct xt_world *world, unsigned side, unsigned stream);

/* A datagram that reaches the side after the delay, whatever the network does otherwise. */
void xt_inject(struct xt_world *world, unsigned to, const struct xc_address *from, const uint8_t *p, size_t n,
               uint64_t delay_us);

/* The side's link is made anew from its configuration; what it held and heard is gone, also for the judge. */
void xt_forget(struct xt_world *world, unsigned side);

/* Goes on to what is next: a datagram arrives or a timer is due. False: nothing ever is. */
bool xt_step(struct xt_world *world);

/* Steps until neither side holds a record, at most so many. Returns whether they came to rest. */
bool xt_run(struct xt_world *world, uint64_t steps_max);

/* The address number n, never that of a side. */
struct xc_address xt_address(unsigned n);

/* ---- insider.c: who has the keys and speaks as side 0 to side 1's link, frame by frame ---- */

struct xt_insider {
    struct xc_pair pair;
    uint8_t suite;
    uint64_t run;
    struct xc_key key;
    uint32_t number;
};

/* A pair of side 0, or, if `other`, of side 1. */
void xt_pair(struct xc_pair *pair, bool other);
void xt_insider_begin(struct xt_insider *insider, bool other, uint8_t suite, uint64_t run);

/* Seals a payload of at most XC_PAYLOAD_BYTES as the next packet; returns the datagram's size. */
size_t xt_insider_seal(struct xt_insider *insider, const uint8_t *payload, size_t n, uint8_t *out);

/* Opens a datagram that was sealed for the insider; returns the payload's bytes, 0 if it does not open. */
size_t xt_insider_open(const struct xt_insider *insider, const uint8_t *datagram, size_t n, uint8_t *out);

/* A frame of any type with values of the kind that breaks readers; lives and numbers are often `known`. */
void xt_any_frame(struct xt_chance *chance, struct xc_payload *payload, const uint64_t *known,
                  size_t known_n);

/* Changes, cuts or doubles parts of n bytes in place; returns how many there are then, at most room. */
size_t xt_mutate(struct xt_chance *chance, uint8_t *p, size_t n, size_t room);

#endif
