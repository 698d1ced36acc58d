/*
 * A first contact: packets whose key id belongs to no active link, on their way through a resolver.
 *
 * One contact exists for each key id. Its oldest packet is with a resolver; the next ones wait here, a few,
 * in order. All contacts and their packets of a shard are bounded together (pl_contacts), so that a flood of
 * unknown key ids costs a fixed amount of memory and drops strangers only.
 *
 * A contact passes from thread to thread through rings. While a resolver has it, the part named "answer" and
 * the packet are the resolver's; the rest stays the shard's all the time.
 */
#ifndef PL_NODE_CONTACT_H
#define PL_NODE_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "crypto/secret.h"
#include "link/link.h"
#include "node/hash.h"
#include "store/reader.h"
#include "store/row.h"

enum {
    PL_CONTACTS_MAX = 1024,       /* contacts, and packets in all of them, for a shard */
    PL_CONTACT_WAITING_MAX = 16,  /* packets behind the one that is with a resolver */
    PL_CONTACT_PACKET_MAX = 1536, /* bytes of a packet that may wait */
    PL_CONTACT_LINKS_MAX = 64     /* links asked about in one check */
};

/* A packet kept as it came: sealed. */
struct pl_sealed {
    struct pl_sealed *next;
    struct pl_route route;
    uint8_t ecn;
    uint16_t size;
    uint8_t bytes[];
};

struct pl_contact {
    uint32_t key_id;
    unsigned generation; /* of the allow list the shard knew when it asked */
    bool stale;          /* a link of this key id left while the question was out: rows may be old */
    struct pl_sealed *waiting, **waiting_end;
    unsigned waiting_n;

    struct pl_sealed *packet; /* the question */

    struct pl_answer {
        enum pl_drop drop; /* PL_DROP_NONE: it opened, the rest is set */
        bool ambiguous;    /* it opened under two keys */
        bool damaged;      /* a row of the link is damaged: it must not be served */
        bool shared;       /* more than one allowed link has the key id */
        struct pl_link_info info;
        struct pl_secret secret;
        struct pl_rows rows;
    } answer;

    /* Instead of a packet (packet is NULL): are these links still allowed, and has another one the same key
     * id? The answer sets denied and shares. */
    unsigned check_n;
    uint32_t check[PL_CONTACT_LINKS_MAX];
    bool denied[PL_CONTACT_LINKS_MAX], shares[PL_CONTACT_LINKS_MAX];
};

/* All contacts of a shard. */
struct pl_contacts {
    struct pl_hash by_key_id;
    unsigned packets_n;
};

enum pl_error pl_contacts_open(struct pl_contacts *contacts, uint32_t seed);

/* Frees all contacts and the table; no resolver has one any more. A zeroed one is allowed. */
void pl_contacts_close(struct pl_contacts *contacts);

struct pl_contact *pl_contacts_find(const struct pl_contacts *contacts, uint32_t key_id);

/* A new contact with no packet; NULL at the limit or without memory. */
struct pl_contact *pl_contacts_add(struct pl_contacts *contacts, uint32_t key_id);

/* Copies a packet behind the others. False: too long, too many, no memory. */
bool pl_contact_keep(struct pl_contacts *contacts, struct pl_contact *contact,
                     const struct pl_packet *packet);

/* Takes the oldest waiting packet out; NULL if there is none. Free it with pl_contact_drop_packet. */
struct pl_sealed *pl_contact_take(struct pl_contact *contact);

void pl_contact_drop_packet(struct pl_contacts *contacts, struct pl_sealed *packet);

/* Takes the contact out of the table, wipes its secret and frees it with all its packets. */
void pl_contacts_remove(struct pl_contacts *contacts, struct pl_contact *contact);

/* Makes the answer empty for the next question; rows and secret are given back. */
void pl_contact_clear_answer(struct pl_contact *contact);

#endif
