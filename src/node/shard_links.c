/* The active links of a shard: made from a resolver's answer, found by key id and number, forgotten. */
#include <stdlib.h>
#include <string.h>

#include "node/shard.h"

static bool index_link(struct pl_shard *shard, struct pl_active *active)
{
    if (pl_hash_add(&shard->by_key_id, active->key_id, active) != PL_OK)
        return false;
    if (pl_hash_add(&shard->by_number, active->number, active) == PL_OK) {
        if (pl_hash_add(&shard->by_key_id_out, active->key_id_out, active) == PL_OK)
            return true;
        pl_hash_remove(&shard->by_number, active->number, active);
    }
    pl_hash_remove(&shard->by_key_id, active->key_id, active);
    return false;
}

static void chain(struct pl_shard *shard, struct pl_active *active)
{
    active->after = shard->all;
    if (shard->all)
        shard->all->before = active;
    shard->all = active;
}

static void unchain(struct pl_shard *shard, struct pl_active *active)
{
    if (shard->check_next == active)
        shard->check_next = active->after;
    if (shard->unrefuse_next == active)
        shard->unrefuse_next = active->after;
    if (active->after)
        active->after->before = active->before;
    if (active->before)
        active->before->after = active->after;
    else
        shard->all = active->after;
}

static bool add_unproven(struct pl_shard *shard, struct pl_active *active)
{
    enum { ROOM_MIN = 64 };

    if (shard->unproven_n == shard->unproven_room) {
        size_t room = shard->unproven_room ? shard->unproven_room * 2 : ROOM_MIN;
        struct pl_active **grown = realloc(shard->unproven, room * sizeof *grown);
        if (!grown)
            return false;
        shard->unproven = grown;
        shard->unproven_room = room;
    }
    shard->unproven[shard->unproven_n++] = active;
    active->unproven_at = (uint32_t)shard->unproven_n;
    return true;
}

void pl_shard_proven(struct pl_shard *shard, struct pl_active *active)
{
    if (active->unproven_at == 0)
        return;
    struct pl_active *last = shard->unproven[--shard->unproven_n];
    shard->unproven[active->unproven_at - 1] = last;
    last->unproven_at = active->unproven_at;
    active->unproven_at = 0;
    if (shard->unproven_n == 0) {
        free(shard->unproven);
        shard->unproven = NULL;
        shard->unproven_room = 0;
    }
}

static enum pl_error load_row(struct pl_link *link, const struct pl_row *from)
{
    struct pl_stream_row row = {
        .stream = from->stream,
        .birth = from->birth,
        .name = {from->name, from->name_size},
        .heard = from->heard,
        .life = pl_row_life(from),
        .offset = from->offset,
        .lives_n = from->lives_n,
    };

    for (unsigned i = 0; i < from->lives_n; i++) {
        const struct pl_life_span *life = &from->lives[i];
        row.lives[i] = (struct pl_lifespan){life->tag, life->first, life->last, life->end_offset};
    }
    return pl_link_load_row(link, &row);
}

/* A device is answered in the suite it speaks: it may have no instructions for the other one. */
static uint8_t suite_of(const struct pl_contact *contact)
{
    struct pl_header header = {0};
    size_t used;

    (void)pl_header_decode(contact->packet->bytes, contact->packet->size, &header, &used); /* it opened */
    return header.suite;
}

static struct pl_link *make_link(struct pl_shard *shard, struct pl_active *active,
                                 const struct pl_contact *contact, uint64_t now_us)
{
    const struct pl_answer *answer = &contact->answer;
    struct pl_route last_valid = {{0}};
    struct pl_link_config config = {
        .secret = answer->secret,
        .key_id_in = active->key_id,
        .key_id_out = active->key_id_out,
        .direction_out = pl_secret_direction(shard->config.own_public, answer->info.public_key),
        .suite = suite_of(contact),
        .follows_suite = true,
        .user = active,
    };
    struct pl_link *link;

    if (answer->info.address_size == sizeof(struct pl_address)) {
        memcpy(last_valid.bytes, answer->info.address, sizeof(struct pl_address));
        config.last_valid = &last_valid;
    }
    link = pl_link_new(&shard->env, &config, now_us);
    pl_wipe(&config.secret, sizeof config.secret);
    for (size_t i = 0; link && i < answer->rows.n; i++) {
        if (load_row(link, &answer->rows.p[i]) != PL_OK) {
            pl_link_free(link);
            return NULL;
        }
    }
    return link;
}

struct pl_active *pl_shard_activate(struct pl_shard *shard, struct pl_contact *contact, uint64_t now_us)
{
    const struct pl_answer *answer = &contact->answer;
    struct pl_active *active = calloc(1, sizeof *active + answer->info.name_size);

    if (!active)
        return NULL;
    active->number = answer->info.link;
    active->key_id = contact->key_id;
    active->key_id_out = pl_key_id(shard->config.own_public, answer->info.public_key);
    active->shared = answer->shared;
    active->generation = contact->generation;
    active->renewals = shard->renewals;
    active->name_size = answer->info.name_size;
    memcpy(active->name, answer->info.name, answer->info.name_size);
    active->link = make_link(shard, active, contact, now_us);
    if (active->link && add_unproven(shard, active)) {
        if (index_link(shard, active)) {
            chain(shard, active);
            shard->figures.links_made++;
            return active;
        }
        pl_shard_proven(shard, active);
    }
    if (active->link)
        pl_link_free(active->link);
    free(active);
    return NULL;
}

struct pl_active *pl_shard_find(const struct pl_shard *shard, uint32_t number)
{
    struct pl_hash_find find;

    return pl_hash_first(&shard->by_number, number, &find);
}

/* Takes it out of the list of links due; rare, so the list is walked. */
static void undue(struct pl_shard *shard, struct pl_active *active)
{
    if (!active->due)
        return;
    for (struct pl_active **at = &shard->due; *at; at = &(*at)->due_next) {
        if (*at != active)
            continue;
        *at = active->due_next;
        if (!*at)
            shard->due_end = at;
        return;
    }
}

void pl_shard_forget(struct pl_shard *shard, struct pl_active *active)
{
    struct pl_contact *contact = pl_contacts_find(&shard->contacts, active->key_id);

    /* Its question may have been answered from rows older than those this link just wrote. */
    if (contact)
        contact->stale = true;
    pl_shard_unlist(shard, active);
    pl_shard_unwait(shard, active);
    undue(shard, active);
    pl_timers_unset(&shard->timers, &active->timer);
    pl_shard_proven(shard, active);
    unchain(shard, active);
    pl_hash_remove(&shard->by_key_id, active->key_id, active);
    pl_hash_remove(&shard->by_key_id_out, active->key_id_out, active);
    pl_hash_remove(&shard->by_number, active->number, active);
    pl_link_free(active->link);
    free(active);
}
