/* Look-up, secret, first opening: see resolver.h. */
#include "node/resolver.h"

#include <string.h>

#include "crypto/wipe.h"

enum {
    QUESTIONS_PER_STEP = 32,
    BACKGROUND_LINKS_PER_STEP = 32,
    BACKGROUND_SECRETS_PER_STEP = 4, /* 0.2 ms: what a question may have to wait */
    BACKGROUND_SECRETS_WHEN_BUSY = 1,
    RETRY_US = 1000                  /* when the shard has no room for an answer */
};

static const uint64_t second_us = 1000000;

enum pl_error pl_resolver_open(struct pl_resolver *resolver, struct pl_reader *reader, struct pl_memo *memo,
                               struct pl_resolver_edge *edges, unsigned edges_n,
                               const atomic_uint *generation)
{
    memset(resolver, 0, sizeof *resolver);
    resolver->reader = reader;
    resolver->memo = memo;
    resolver->edges = edges;
    resolver->edges_n = edges_n;
    resolver->generation = generation;
    resolver->secret_credit_us = second_us;
    return pl_aead_new(&resolver->aead, pl_aead_best());
}

void pl_resolver_close(struct pl_resolver *resolver)
{
    pl_aead_free(resolver->aead);
    pl_reader_close(resolver->reader);
    resolver->aead = NULL;
    resolver->reader = NULL;
}

/* Opens a copy: several keys may have to be tried, and the shard's engine opens the packet itself. */
static bool opens(struct pl_resolver *resolver, const struct pl_sealed *packet,
                  const struct pl_header *header, size_t header_size, const struct pl_link_info *info,
                  const struct pl_secret *secret)
{
    struct pl_key key;
    struct pl_bytes aad = {packet->bytes, header_size};
    uint8_t direction = pl_secret_direction(info->public_key, resolver->memo->own_public);
    bool opened;

    pl_secret_run_key(secret, header->suite, direction, packet->bytes[1], header->run, &key);
    opened = pl_aead_open_to(resolver->aead, &key, header->packet_number, aad, packet->bytes + header_size,
                             packet->size - header_size, resolver->scratch);
    pl_aead_forget(resolver->aead, &key);
    pl_wipe(&key, sizeof key);
    return opened;
}

/* The secret of a link, within the budget for making one. */
static enum pl_drop secret_for(struct pl_resolver *resolver, const struct pl_link_info *info,
                               struct pl_secret *secret)
{
    const uint64_t cost_us = second_us / PL_SECRETS_PER_S;

    if (pl_memo_get(resolver->memo, info->link, info->public_key, secret))
        return PL_DROP_NONE;
    if (resolver->secret_credit_us < cost_us)
        return PL_DROP_BUDGET;
    resolver->secret_credit_us -= cost_us;
    atomic_fetch_add_explicit(&resolver->secrets_made, 1, memory_order_relaxed);
    if (pl_memo_make(resolver->memo, info->link, info->public_key, secret) != PL_OK)
        return PL_DROP_SEAL;
    return PL_DROP_NONE;
}

/* Tries every candidate, also after one opened: a packet that opens twice is nobody's. */
static void try_all(struct pl_resolver *resolver, struct pl_contact *contact, const struct pl_header *header,
                    size_t header_size, const struct pl_link_info *candidates, size_t n)
{
    struct pl_answer *answer = &contact->answer;
    unsigned opened = 0;

    answer->drop = PL_DROP_SEAL;
    for (size_t i = 0; i < n; i++) {
        struct pl_secret secret;
        enum pl_drop drop = secret_for(resolver, &candidates[i], &secret);
        if (drop == PL_DROP_BUDGET && opened == 0)
            answer->drop = drop;
        if (drop == PL_DROP_NONE &&
            opens(resolver, contact->packet, header, header_size, &candidates[i], &secret)) {
            answer->info = candidates[i];
            answer->secret = secret;
            answer->drop = PL_DROP_NONE;
            opened++;
        }
        pl_wipe(&secret, sizeof secret);
    }
    if (opened > 1) {
        pl_wipe(&answer->secret, sizeof answer->secret);
        answer->drop = PL_DROP_SEAL;
        answer->ambiguous = true;
    }
}

static void answer_packet(struct pl_resolver *resolver, struct pl_contact *contact)
{
    struct pl_answer *answer = &contact->answer;
    struct pl_link_info candidates[PL_KEYS_PER_ID];
    struct pl_header header;
    size_t header_size, n = 0;

    answer->drop = PL_DROP_KEY_ID;
    if (pl_header_decode(contact->packet->bytes, contact->packet->size, &header, &header_size) != PL_OK)
        answer->drop = PL_DROP_SHORT;
    else if (pl_store_find(resolver->reader, contact->key_id, candidates, &n) == PL_OK && n > 0) {
        answer->shared = n > 1;
        try_all(resolver, contact, &header, header_size, candidates, n);
    }
    if (answer->drop != PL_DROP_NONE)
        return;
    if (pl_store_rows(resolver->reader, answer->info.link, &answer->rows) != PL_OK) {
        answer->damaged = true;
        answer->drop = PL_DROP_BUDGET;
    }
}

static void answer_check(struct pl_resolver *resolver, struct pl_contact *contact)
{
    for (unsigned i = 0; i < contact->check_n; i++) {
        struct pl_link_info info, candidates[PL_KEYS_PER_ID];
        size_t n = 0;
        enum pl_error error = pl_store_link(resolver->reader, contact->check[i], &info);
        bool found = error == PL_OK && pl_store_find(resolver->reader, info.key_id, candidates, &n) == PL_OK;
        contact->shares[i] = !found || n > 1;
        /* A look-up that failed denies nobody: the next list asks again. */
        contact->denied[i] = error == PL_E_NOT_FOUND || (error == PL_OK && !info.allowed);
    }
}

void pl_resolver_answer(struct pl_resolver *resolver, struct pl_contact *contact)
{
    if (contact->packet)
        answer_packet(resolver, contact);
    else
        answer_check(resolver, contact);
}

/* Makes at most `most` secrets of links that have none yet. Returns false when all were looked at. */
static bool work_in_background(struct pl_resolver *resolver, unsigned most)
{
    unsigned made = 0, generation = atomic_load(resolver->generation);

    if (!resolver->background || !resolver->memo->secrets)
        return false;
    if (generation != resolver->background_generation) {
        resolver->background_generation = generation;
        resolver->background_link = 1;
    }
    for (int i = 0; i < BACKGROUND_LINKS_PER_STEP && resolver->background_link != 0; i++) {
        struct pl_link_info info;
        struct pl_secret secret;
        if (made == most)
            return true;
        if (pl_store_link(resolver->reader, resolver->background_link, &info) != PL_OK) {
            resolver->background_link = 0;
            break;
        }
        resolver->background_link++;
        if (!info.allowed || pl_memo_get(resolver->memo, info.link, info.public_key, &secret))
            continue;
        made++;
        (void)pl_memo_make(resolver->memo, info.link, info.public_key, &secret);
        pl_wipe(&secret, sizeof secret);
    }
    return resolver->background_link != 0;
}

static void earn_credit(struct pl_resolver *resolver, uint64_t now_us)
{
    uint64_t passed_us = now_us - resolver->last_us;

    resolver->last_us = now_us;
    if (passed_us > second_us)
        passed_us = second_us;
    resolver->secret_credit_us += passed_us;
    if (resolver->secret_credit_us > second_us)
        resolver->secret_credit_us = second_us;
}

/* Serves one shard. Returns how many questions were answered; *stuck if an answer found no room. */
static unsigned serve(struct pl_resolver *resolver, unsigned shard, bool *stuck)
{
    struct pl_resolver_edge *edge = &resolver->edges[shard];
    unsigned done = 0;

    while (done < QUESTIONS_PER_STEP) {
        struct pl_contact *contact = resolver->unsent[shard];
        if (!contact) {
            contact = pl_ring_pop(&edge->questions);
            if (!contact)
                break;
            pl_resolver_answer(resolver, contact);
            done++;
        }
        resolver->unsent[shard] = contact;
        if (!pl_ring_push(&edge->answers, contact)) {
            *stuck = true;
            break;
        }
        resolver->unsent[shard] = NULL;
    }
    return done;
}

uint64_t pl_resolver_step(struct pl_resolver *resolver, uint64_t now_us)
{
    unsigned done = 0;
    bool stuck = false;

    earn_credit(resolver, now_us);
    for (unsigned i = 0; i < resolver->edges_n; i++)
        done += serve(resolver, i, &stuck);
    bool busy = done > 0 || stuck;
    bool more =
        work_in_background(resolver, busy ? BACKGROUND_SECRETS_WHEN_BUSY : BACKGROUND_SECRETS_PER_STEP);
    if (done > 0 || more)
        return now_us;
    return stuck ? now_us + RETRY_US : UINT64_MAX;
}

bool pl_resolver_has_input(const struct pl_resolver *resolver)
{
    for (unsigned i = 0; i < resolver->edges_n; i++)
        if (!pl_ring_is_empty(&resolver->edges[i].questions))
            return true;
    return resolver->background && resolver->memo->secrets &&
           atomic_load(resolver->generation) != resolver->background_generation;
}
