/* From a datagram to an active link, or to a resolver and back: the receiving side of a shard. */
#include <string.h>

#include "node/shard.h"

enum {
    TRY_US = 1000000 / PL_TRIES_PER_S, /* of credit for an attempt to open a packet of an unknown run */
    ROUNDS = 8,               /* receives of up to PL_NET_RECEIVE_MAX in one step */
    UNPROVEN_OVERSHOOT = 1024 /* links above the limit while those chosen to go wait for a commit */
};

static void count_drop(struct pl_shard *shard, enum pl_drop drop)
{
    shard->env.drops[drop]++;
}

static enum pl_drop drop_of(enum pl_error error)
{
    switch (error) {
    case PL_OK: return PL_DROP_NONE;
    case PL_E_VERSION: return PL_DROP_VERSION;
    case PL_E_NOT_ZERO: return PL_DROP_RESERVED;
    default: return PL_DROP_SHORT;
    }
}

/* What can be said of a packet before its key id is looked at: length, version, suite, epochs. */
static enum pl_drop check_head(struct pl_packet *packet)
{
    size_t used;
    enum pl_drop drop = PL_DROP_SHORT;

    if (packet->size >= PL_PACKET_OVERHEAD)
        drop = drop_of(pl_header_decode(packet->bytes, packet->size, &packet->header, &used));
    if (drop != PL_DROP_NONE)
        return drop;
    if (packet->header.suite == PL_SUITE_COOKIE)
        return PL_DROP_COOKIE;
    if (packet->header.suite != PL_SUITE_AES_128_GCM && packet->header.suite != PL_SUITE_CHACHA20_POLY1305)
        return PL_DROP_SUITE;
    if (packet->header.cookie)
        return PL_DROP_COOKIE;
    if (packet->header.own_epoch || packet->header.peer_epoch)
        return PL_DROP_EPOCH;
    return PL_DROP_NONE;
}

/* An attempt costs a derived key and a failed opening; a budget keeps them from eating the resolvers. */
static bool may_try(struct pl_shard *shard)
{
    if (shard->tries_credit_us < TRY_US)
        return false;
    shard->tries_credit_us -= TRY_US;
    return true;
}

void pl_shard_ask(struct pl_shard *shard, struct pl_contact *contact)
{
    struct pl_resolver_edge *edge = shard->config.resolver_edges[contact->key_id % shard->config.resolvers_n];

    contact->stale = false;
    contact->generation = shard->generation;
    pl_contact_clear_answer(contact);
    if (!pl_ring_push(&edge->questions, contact)) {
        count_drop(shard, PL_DROP_QUEUE);
        pl_contacts_remove(&shard->contacts, contact);
    }
}

/* Asks about the next waiting packet; without one the contact is over. */
static void ask_next(struct pl_shard *shard, struct pl_contact *contact)
{
    pl_contact_drop_packet(&shard->contacts, contact->packet);
    contact->packet = NULL;
    while ((contact->packet = pl_contact_take(contact)) != NULL && !may_try(shard)) {
        count_drop(shard, PL_DROP_BUDGET);
        pl_contact_drop_packet(&shard->contacts, contact->packet);
        contact->packet = NULL;
    }
    if (contact->packet)
        pl_shard_ask(shard, contact);
    else
        pl_contacts_remove(&shard->contacts, contact);
}

static void meet_stranger(struct pl_shard *shard, const struct pl_packet *packet)
{
    uint32_t key_id = packet->header.key_id;
    struct pl_contact *contact = pl_contacts_find(&shard->contacts, key_id);
    bool is_new = !contact;

    if (is_new)
        contact = pl_contacts_add(&shard->contacts, key_id);
    if (!contact || !pl_contact_keep(&shard->contacts, contact, packet)) {
        count_drop(shard, PL_DROP_QUEUE);
        if (contact && is_new)
            pl_contacts_remove(&shard->contacts, contact);
        return;
    }
    if (is_new)
        ask_next(shard, contact);
}

/* The records are safe, each copy's under a birth of its own; whose key is in use twice is for the operator.
 */
static void report_fork(struct pl_shard *shard, const struct pl_active *active)
{
    pl_shard_report(shard, "%.*s: a stream was forked: its outbox was restored, or a copy of it is in use",
                    active->name_size, (const char *)active->name);
}

/* The engine derives a key for each run it does not know: of the budget of the resolvers' attempts. */
static enum pl_drop receive_within_budget(struct pl_shard *shard, struct pl_link *link,
                                          struct pl_packet *packet, uint64_t now_us)
{
    uint32_t tries = (uint32_t)(shard->tries_credit_us / TRY_US);

    shard->env.tries_left = tries;
    enum pl_drop drop = pl_link_receive(link, packet, now_us);
    shard->tries_credit_us -= (uint64_t)(tries - shard->env.tries_left) * TRY_US;
    return drop;
}

/* Gives a packet to an active link. */
static enum pl_drop give(struct pl_shard *shard, struct pl_active *active, struct pl_packet *packet,
                         uint64_t now_us)
{
    uint64_t forks = shard->env.counters.forks;
    enum pl_drop drop;

    if (active->denied) {
        count_drop(shard, PL_DROP_KEY_ID);
        return PL_DROP_KEY_ID;
    }
    pl_shard_renew(shard, active, now_us);
    pl_shard_room(shard, active);
    drop = receive_within_budget(shard, active->link, packet, now_us);
    pl_shard_wait(shard, active);
    if (drop == PL_DROP_NONE)
        pl_shard_stay(shard, active);
    if (shard->env.counters.forks > forks)
        report_fork(shard, active);
    pl_shard_due(shard, active);
    return drop;
}

/* A key id that several links may have: each gets a copy, since one that can not open a packet spoils it. */
static void try_shared(struct pl_shard *shard, const struct pl_packet *packet, uint64_t now_us)
{
    uint8_t copy[PL_CONTACT_PACKET_MAX];
    struct pl_active *links[PL_KEYS_PER_ID];
    struct pl_hash_find find;
    unsigned n = 0;

    if (packet->size > sizeof copy) {
        count_drop(shard, PL_DROP_LONG);
        return;
    }
    for (struct pl_active *a = pl_hash_first(&shard->by_key_id, packet->header.key_id, &find);
         a && n < PL_KEYS_PER_ID; a = pl_hash_next(&shard->by_key_id, &find))
        links[n++] = a;
    for (unsigned i = 0; i < n; i++) {
        struct pl_packet again = *packet;
        memcpy(copy, packet->bytes, packet->size);
        again.bytes = copy;
        enum pl_drop drop = give(shard, links[i], &again, now_us);
        if (drop != PL_DROP_SEAL && drop != PL_DROP_KEY_ID && drop != PL_DROP_BUDGET)
            return;
    }
    meet_stranger(shard, packet);
}

static bool is_shared(const struct pl_shard *shard, const struct pl_active *active)
{
    return active->shared || active->generation != shard->generation;
}

static void take_packet(struct pl_shard *shard, struct pl_packet *packet, uint64_t now_us)
{
    struct pl_hash_find find;
    struct pl_active *active;
    enum pl_drop drop = check_head(packet);

    if (drop != PL_DROP_NONE) {
        count_drop(shard, drop);
        return;
    }
    active = pl_hash_first(&shard->by_key_id, packet->header.key_id, &find);
    if (active && !is_shared(shard, active))
        (void)give(shard, active, packet, now_us);
    else if (active)
        try_shared(shard, packet, now_us);
    else if (pl_hash_first(&shard->by_key_id_out, packet->header.key_id, &find))
        count_drop(shard, PL_DROP_OWN_KEY_ID);
    else
        meet_stranger(shard, packet);
}

bool pl_shard_receive(struct pl_shard *shard, uint64_t now_us)
{
    struct pl_packet packets[PL_NET_RECEIVE_MAX];

    for (int round = 0; round < ROUNDS; round++) {
        size_t n = pl_net_receive(shard->net, packets);
        for (size_t i = 0; i < n; i++)
            take_packet(shard, &packets[i], now_us);
        if (n == 0)
            return false;
        shard->changed = true;
    }
    return true;
}

static void give_sealed(struct pl_shard *shard, struct pl_sealed *sealed, uint64_t now_us)
{
    struct pl_packet packet = {
        .bytes = sealed->bytes, .size = sealed->size, .route = sealed->route, .ecn = sealed->ecn};

    take_packet(shard, &packet, now_us);
    pl_contact_drop_packet(&shard->contacts, sealed);
}

/* The packet opened: its link becomes active (or is already, by another packet) and gets all that waited. The
 * contact goes first, so that what does not open on the link can become one again. */
static void accept(struct pl_shard *shard, struct pl_contact *contact, uint64_t now_us)
{
    struct pl_sealed *packets[PL_CONTACT_WAITING_MAX + 1];
    unsigned n = 0;

    packets[n++] = contact->packet;
    contact->packet = NULL;
    while (contact->waiting)
        packets[n++] = pl_contact_take(contact);
    pl_contacts_remove(&shard->contacts, contact);
    shard->tries_credit_us += TRY_US; /* the resolver's attempt paid for this run */
    for (unsigned i = 0; i < n; i++)
        give_sealed(shard, packets[i], now_us);
}

/* Makes room for one more link, or says why not. */
static bool room_for_link(struct pl_shard *shard, uint64_t now_us)
{
    if (shard->unproven_n < PL_UNPROVEN_LINKS_MAX)
        return true;
    (void)pl_shard_evict_one(shard, now_us);
    return shard->unproven_n < PL_UNPROVEN_LINKS_MAX + UNPROVEN_OVERSHOOT;
}

static void take_answer(struct pl_shard *shard, struct pl_contact *contact, uint64_t now_us)
{
    const struct pl_answer *answer = &contact->answer;

    shard->figures.resolver_ambiguous += answer->ambiguous;
    if (answer->ambiguous)
        pl_shard_report(shard, "a packet opened under two keys of key id %08x: dropped", contact->key_id);
    if (answer->damaged) {
        shard->figures.resolver_damaged++;
        pl_shard_report(shard, "%.*s: its rows in the store are damaged: not served", answer->info.name_size,
                        (const char *)answer->info.name);
    }
    if (answer->drop != PL_DROP_NONE) {
        count_drop(shard, answer->drop);
        ask_next(shard, contact);
        return;
    }
    /* The rows, or the list it was allowed by, may have changed while it was looked up. */
    if (contact->stale || contact->generation != shard->generation) {
        pl_shard_ask(shard, contact);
        return;
    }
    if (!pl_shard_find(shard, answer->info.link) &&
        (!room_for_link(shard, now_us) || !pl_shard_activate(shard, contact, now_us))) {
        count_drop(shard, PL_DROP_LIMIT);
        (void)pl_shard_evict_one(shard, now_us);
        pl_contacts_remove(&shard->contacts, contact);
        return;
    }
    accept(shard, contact, now_us);
}

bool pl_shard_take_answers(struct pl_shard *shard, uint64_t now_us)
{
    bool any = false;

    for (unsigned i = 0; i < shard->config.resolvers_n; i++) {
        struct pl_contact *contact;
        while ((contact = pl_ring_pop(&shard->config.resolver_edges[i]->answers)) != NULL) {
            any = true;
            if (contact == shard->check)
                pl_shard_take_checked(shard, contact, now_us);
            else
                take_answer(shard, contact, now_us);
        }
    }
    return any;
}
