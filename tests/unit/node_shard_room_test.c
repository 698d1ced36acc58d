/* Sharing the commit chunk, with a disk so slow that it is always full. */
#include "node_world.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"

enum { BUSY = 7, RECORD_BYTES = 1000, TICK_US = 1000, COMMIT_TICKS = 300, TICKS = 5000, LIGHT_TICKS = 37 };

static void take_much(struct pl_node_config *config)
{
    config->map_bytes = 1 << 30;
}

/* As many records as the device's line takes. */
static void fill(struct nw_device *d, size_t record_bytes)
{
    static uint8_t framed[PL_RECORD_MAX + 8];
    size_t n = pl_varint_encode(framed, record_bytes) + record_bytes;
    while (pl_link_room(d->link, d->slot) >= n) {
        struct pl_bytes bytes = {framed, n};
        cr_assert_eq(pl_link_offer(d->link, d->slot, d->life, d->life_first, d->life_before, bytes), n);
        d->given++;
    }
}

static struct nw *world(unsigned devices)
{
    struct nw *w = nw_new(take_much);
    for (unsigned i = 0; i < devices; i++) {
        char name[8];
        snprintf(name, sizeof name, "d%u", i);
        nw_device(w, name);
    }
    w->to_node.drops = w->from_node.drops = w->seen.drops = true;
    nw_allow(w, devices);
    for (unsigned i = 0; i < devices; i++)
        nw_activate(&w->devices[i]);
    return w;
}

/* Links with a backlog get equal parts, and one that has a record now and then is never left out. */
Test(node_shard_room, busy_links_share_and_none_starves_another)
{
    struct nw *w = world(BUSY + 1);
    struct nw_device *light = &w->devices[BUSY];
    uint64_t least = UINT64_MAX, most = 0, gave_at = 0, waited = 0;
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        w->now_us += TICK_US;
        for (unsigned i = 0; i < BUSY; i++)
            fill(&w->devices[i], RECORD_BYTES);
        if (light->stored == light->given && tick % LIGHT_TICKS == 0) {
            nw_give(light, 1);
            gave_at = tick;
        }
        nw_step(w, tick % COMMIT_TICKS == 0);
        waited = tick - gave_at > waited && light->stored < light->given ? tick - gave_at : waited;
    }
    for (unsigned i = 0; i < BUSY; i++) {
        uint64_t stored = w->devices[i].stored;
        least = stored < least ? stored : least;
        most = stored > most ? stored : most;
    }
    cr_assert_geq(4 * least, 3 * most, "%llu of one, %llu of another", (unsigned long long)least,
                  (unsigned long long)most);
    cr_assert_gt(light->stored, TICKS / COMMIT_TICKS / 3);
    cr_assert_leq(waited, 3 * COMMIT_TICKS, "a record waited for %llu ms", (unsigned long long)waited);
    nw_free(w);
}

/* A record that needs most of a chunk has its turn among links that would fill each chunk with small ones. */
Test(node_shard_room, the_largest_record_has_its_turn)
{
    struct nw *w = world(BUSY + 1);
    struct nw_device *large = &w->devices[BUSY];
    for (uint64_t tick = 0; tick < 4 * TICKS && large->stored < 3; tick++) {
        w->now_us += TICK_US;
        fill(large, PL_RECORD_MAX);
        for (unsigned i = 0; i < BUSY; i++)
            fill(&w->devices[i], RECORD_BYTES);
        nw_step(w, tick % COMMIT_TICKS == 0);
    }
    cr_assert_geq(large->stored, 3);
    nw_free(w);
}

static void tick(struct nw *w, bool store)
{
    w->now_us += TICK_US;
    fill(&w->devices[0], RECORD_BYTES);
    nw_step(w, store);
}

/* One with much in hand and one with little wait: the next chunk is not left half empty. */
Test(node_shard_room, what_one_does_not_need_goes_to_the_other)
{
    enum { LITTLE = 300 };
    struct nw *w = world(2);
    struct pl_shard *shard = &w->node->shard;
    struct nw_device *other = &w->devices[1];
    static uint8_t framed[RECORD_BYTES + 2];
    struct pl_bytes little = {framed, pl_varint_encode(framed, RECORD_BYTES) + RECORD_BYTES};
    for (unsigned i = 0; i < TICKS / 2; i++) { /* both windows grow */
        if (i < TICKS / 4)
            fill(other, RECORD_BYTES);
        tick(w, i % 20 == 0);
    }
    cr_assert_eq(other->stored, other->given);
    for (unsigned i = 0; i < 200; i++)
        tick(w, false);
    for (unsigned i = 0; i < LITTLE;) {
        if (pl_link_offer(other->link, other->slot, other->life, other->life_first, 0, little) == little.n)
            i++, other->given++;
        else
            tick(w, false);
    }
    for (unsigned i = 0; i < 200; i++)
        tick(w, false);
    cr_assert_eq(shard->wait_n, 2);
    (void)pl_node_step_store(w->node, w->now_us);
    (void)pl_shard_step(shard, w->now_us);
    cr_assert_leq(shard->wait_n, 1);
    cr_assert_leq(pl_chunk_room(&shard->filling->chunk), shard->config.chunk_bytes / 4);
    nw_free(w);
}

static struct pl_active *active_of(struct nw *w)
{
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    return w->node->shard.all;
}

Test(node_shard_room, the_engine_is_never_offered_the_reserve)
{
    struct nw *w = nw_new(NULL);
    struct pl_active *active = active_of(w);
    struct pl_shard *shard = &w->node->shard;
    struct pl_chunk *chunk = &shard->filling->chunk;
    static uint8_t bytes[50000];
    while (pl_chunk_append(chunk, 1, 1, 1, 1, 0, 1, (struct pl_bytes){bytes, sizeof bytes}, NULL) == PL_OK) {
        pl_shard_room(shard, active);
        cr_assert(shard->env.room_bytes == 0 || shard->env.room_bytes + 128 * 1024 <= pl_chunk_room(chunk));
    }
    cr_assert_eq(shard->env.room_bytes, 0);
    pl_chunk_reset(chunk);
    pl_shard_room(shard, active);
    cr_assert_geq(shard->env.room_bytes, (size_t)PL_RECORD_MAX + 8, "the largest record fits an empty one");
    nw_free(w);
}

Test(node_shard_room, what_a_link_took_counts_until_the_next_chunk)
{
    struct nw *w = nw_new(NULL);
    struct pl_active *active = active_of(w);
    struct pl_shard *shard = &w->node->shard;
    pl_shard_room(shard, active);
    size_t all = shard->env.room_bytes;
    pl_shard_took(shard, active, all);
    pl_shard_room(shard, active);
    cr_assert_lt(shard->env.room_bytes, all);
    pl_shard_took(shard, active, 8 * pl_chunk_room(&shard->filling->chunk));
    pl_shard_room(shard, active);
    cr_assert_eq(shard->env.room_bytes, 0, "it took eight times what it leaves");
    shard->chunks++;
    pl_shard_room(shard, active);
    cr_assert_eq(shard->env.room_bytes, all);
    nw_free(w);
}
