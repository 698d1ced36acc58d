/*
 * A resolver: finds whose a packet is when no active link has its key id, off the packet path.
 *
 * It looks up the keys of that id in the store (its own snapshot), takes or makes the link secret, derives
 * the run's key and tries to open a copy of the packet. Only a packet that opens costs anything more: the
 * link's rows are read and go back to the shard with it. An unknown id costs a look-up, a wrong packet one
 * failed opening; neither leaves memory behind. Making secrets for strangers' packets has a budget; those of
 * newly allowed keys are made in the background: some when no question waits, and one in each step even under
 * a flood of questions, so that a flood cannot keep new devices waiting for their secrets for ever.
 *
 * pl_resolver_step does a bounded part of it and never blocks; a thread is a loop around it.
 */
#ifndef PL_NODE_RESOLVER_H
#define PL_NODE_RESOLVER_H

#include <stdatomic.h>
#include <stdint.h>

#include "crypto/aead.h"
#include "node/contact.h"
#include "node/memo.h"
#include "node/ring.h"

enum {
    PL_SECRETS_PER_S = 50, /* secrets made for packets, a second and resolver */
    PL_RESOLVER_SHARDS_MAX = 64
};

/* The two rings between a resolver and one shard; both carry struct pl_contact. */
struct pl_resolver_edge {
    struct pl_ring questions; /* the shard pushes */
    struct pl_ring answers;   /* the resolver pushes */
};

struct pl_resolver {
    void *owner; /* for who runs it */
    struct pl_reader *reader;
    struct pl_memo *memo;
    struct pl_aead *aead;
    struct pl_resolver_edge *edges;
    unsigned edges_n;
    struct pl_contact *unsent[PL_RESOLVER_SHARDS_MAX]; /* answers that found their ring full */
    uint64_t secret_credit_us; /* budget, in time: a secret costs a second over PL_SECRETS_PER_S */
    uint64_t last_us;
    bool background; /* this one makes the secrets of newly allowed keys */
    const atomic_uint *generation;
    unsigned background_generation;
    uint32_t background_link; /* the next to look at; 0: done */
    atomic_ullong secrets_made;
    uint8_t scratch[PL_CONTACT_PACKET_MAX];
};

/*
 * Takes over `reader` (closed by pl_resolver_close) and makes an AEAD. memo, edges and generation are
 * borrowed and outlive it. generation is the count of allow lists put in force: when it changes, a background
 * resolver walks all links. PL_OK or PL_E_NO_MEMORY.
 */
enum pl_error pl_resolver_open(struct pl_resolver *resolver, struct pl_reader *reader, struct pl_memo *memo,
                               struct pl_resolver_edge *edges, unsigned edges_n,
                               const atomic_uint *generation);

void pl_resolver_close(struct pl_resolver *resolver);

/* Does a bounded amount of work. Returns when to call again: `now_us` if more waits, UINT64_MAX if nothing
 * does. */
uint64_t pl_resolver_step(struct pl_resolver *resolver, uint64_t now_us);

/* About to sleep: whether a question or a new allow list waits. */
bool pl_resolver_has_input(const struct pl_resolver *resolver);

/* Fills contact->answer (or denied) for its question: what a step does for each. For tests also. */
void pl_resolver_answer(struct pl_resolver *resolver, struct pl_contact *contact);

#endif
