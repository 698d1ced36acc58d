/* Leaving memory: packets that come meanwhile, keys taken off the list, too many links. */
#include "node_world.h"

#include <criterion/criterion.h>
#include <string.h>

static void allow_only(struct nw *w, size_t from, size_t n)
{
    struct nw_device kept[NW_DEVICES];
    memcpy(kept, w->devices, sizeof kept);
    memmove(w->devices, w->devices + from, n * sizeof kept[0]);
    nw_allow(w, n);
    memcpy(w->devices, kept, sizeof kept);
}

Test(node_shard_sweep, a_packet_while_the_commit_runs_keeps_the_link)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    struct pl_shard *shard = &w->node->shard;
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    nw_run(w, w->now_us + 29000000);
    /* The shard alone until its sweep is with the committer. */
    for (int i = 0; i < 100 && !shard->committing; i++) {
        uint64_t next_us = pl_shard_step(shard, w->now_us);
        w->now_us = shard->committing ? w->now_us : next_us;
    }
    cr_assert(shard->committing && shard->committing->sweeps_n == 1);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    cr_assert_eq(shard->by_number.n, 1, "it stayed");
    cr_assert_eq(shard->figures.links_swept, 0);
    nw_run(w, w->now_us + 100000000);
    cr_assert_eq(shard->figures.links_swept, 1);
    cr_assert_eq(nw_stored(w, d), 2);
    nw_free(w);
}

Test(node_shard_sweep, the_last_address_is_kept)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    struct pl_reader *reader;
    struct pl_link_info info;
    nw_allow(w, 1);
    nw_activate(d);
    for (int i = 0; i < 5; i++) {
        nw_give(d, 100);
        cr_assert(nw_run_until_stored(w, d));
    }
    struct pl_route route;
    bool validated = false;
    cr_assert(pl_link_route(w->node->shard.all->link, &route, &validated));
    nw_rest(d);
    nw_run(w, w->now_us + 100000000);
    cr_assert_eq(pl_reader_open(w->dir, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_link_by_key(reader, d->public_key, &info), PL_OK);
    cr_assert_eq(info.address_size, validated ? sizeof d->address : 0);
    if (validated)
        cr_assert_arr_eq(info.address, &d->address, sizeof d->address);
    pl_reader_close(reader);
    nw_free(w);
}

/* links_peak counts from the last time that the heap was given back. */
Test(node_shard_sweep, the_heap_is_given_back_when_the_last_of_some_links_left)
{
    static const struct {
        size_t peak_before, peak_after;
    } cases[] = {{0, 1}, {63, 63}, {64, 0}, {5000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct nw *w = nw_new(NULL);
        struct nw_device *d = nw_device(w, "d");
        nw_allow(w, 1);
        nw_activate(d);
        nw_give(d, 1);
        cr_assert(nw_run_until_stored(w, d));
        w->node->shard.links_peak = cases[i].peak_before;
        nw_rest(d);
        nw_run(w, w->now_us + 100000000);
        cr_assert_eq(w->node->shard.by_number.n, 0);
        cr_assert_eq(w->node->shard.links_peak, cases[i].peak_after, "case %zu", i);
        nw_free(w);
    }
}

Test(node_shard_sweep, who_is_taken_off_the_list_is_no_longer_heard)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *a = nw_device(w, "a"), *b = nw_device(w, "b");
    nw_allow(w, 2);
    nw_activate(a);
    nw_activate(b);
    nw_give(a, 5);
    nw_give(b, 5);
    cr_assert(nw_run_until_stored(w, a) && nw_run_until_stored(w, b));
    allow_only(w, 1, 1);
    nw_run(w, w->now_us + 3000000);
    cr_assert_eq(w->node->shard.by_number.n, 1);
    cr_assert_eq(w->node->shard.figures.links_denied, 1);
    nw_give(a, 1);
    nw_give(b, 1);
    cr_assert(nw_run_until_stored(w, b));
    nw_run(w, w->now_us + 20000000);
    cr_assert_eq(nw_stored(w, a), 5);
    cr_assert_eq(nw_stored(w, b), 6);
    nw_allow(w, 2); /* back on it: goes on where it ended */
    cr_assert(nw_run_until_stored(w, a));
    cr_assert_eq(nw_stored(w, a), 6);
    nw_free(w);
}

/* A sweep waits a second for company: what comes meanwhile is of a peer that is not allowed any more. */
Test(node_shard_sweep, who_is_taken_off_the_list_is_not_heard_while_it_leaves)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *a = nw_device(w, "a");
    nw_device(w, "b");
    nw_allow(w, 2);
    nw_activate(a);
    nw_give(a, 5);
    cr_assert(nw_run_until_stored(w, a));
    struct pl_active *active = w->node->shard.all;
    allow_only(w, 1, 1);
    for (int i = 0; i < 100 && !active->denied; i++)
        (void)pl_node_step_all(w->node, w->now_us);
    cr_assert(active->denied && active->leaving == PL_LEAVES_NEXT);
    uint64_t drops = w->node->shard.env.drops[PL_DROP_KEY_ID];
    nw_give(a, 1);
    nw_run(w, w->now_us + 500000);
    cr_assert_gt(w->node->shard.env.drops[PL_DROP_KEY_ID], drops);
    nw_run(w, w->now_us + 3000000);
    cr_assert_eq(w->node->shard.figures.links_denied, 1);
    cr_assert_eq(nw_stored(w, a), 5);
    nw_free(w);
}

Test(node_shard_sweep, evicts_who_has_no_proven_run)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    cr_assert_eq(w->node->shard.unproven_n, 1);
    cr_assert(pl_shard_evict_one(&w->node->shard, w->now_us));
    cr_assert_not(pl_shard_evict_one(&w->node->shard, w->now_us), "it is on its way already");
    nw_run(w, w->now_us + 1000);
    cr_assert_eq(w->node->shard.by_number.n, 0);
    cr_assert_eq(w->node->shard.figures.links_evicted, 1);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    cr_assert_eq(nw_stored(w, d), 2);
    nw_free(w);
}

Test(node_shard_sweep, a_new_list_that_brings_a_second_key_of_an_id_is_noticed)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *a = nw_device(w, "a"), *b = nw_device(w, "b");
    a->key_id = b->key_id = 9;
    nw_allow(w, 1);
    nw_activate(a);
    nw_give(a, 1);
    cr_assert(nw_run_until_stored(w, a));
    cr_assert_not(w->node->shard.all->shared);
    nw_allow(w, 2);
    nw_activate(b);
    nw_give(b, 1);
    cr_assert(nw_run_until_stored(w, b));
    nw_give(a, 1);
    cr_assert(nw_run_until_stored(w, a));
    for (struct pl_active *l = w->node->shard.all; l; l = l->after) {
        cr_assert(l->shared);
        cr_assert_eq(l->generation, w->node->shard.generation);
    }
    nw_free(w);
}
