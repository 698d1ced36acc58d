/* A node as its peers see it: first contact, sweep, replay, several links, and what it does at rest. */
#include "node_world.h"

#include <criterion/criterion.h>

Test(node_shard, a_first_contact_is_two_packets_and_rest_is_silent)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "door");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    cr_assert_eq(d->sent, 1);
    cr_assert_eq(d->received, 1);
    cr_assert_eq(nw_stored(w, d), 1);
    nw_rest(d);
    nw_run(w, w->now_us + 3600000000u);
    cr_assert_eq(d->sent, 1);
    cr_assert_eq(d->received, 1);
    cr_assert_eq(pl_node_step_all(w->node, w->now_us), UINT64_MAX, "no timer is left");
    cr_assert_eq(w->node->shard.by_number.n, 0, "its memory was given back");
    cr_assert_eq(w->node->shard.env.memory.used_bytes, 0);
    nw_free(w);
}

Test(node_shard, many_records_arrive_in_order_once)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *a = nw_device(w, "a"), *b = nw_device(w, "b");
    nw_allow(w, 2);
    nw_activate(a);
    nw_activate(b);
    for (int i = 0; i < 20; i++) {
        nw_give(a, 200);
        nw_give(b, 50);
        cr_assert(nw_run_until_stored(w, a));
        cr_assert(nw_run_until_stored(w, b));
    }
    cr_assert_eq(nw_stored(w, a), 4000);
    cr_assert_eq(nw_stored(w, b), 1000);
    nw_free(w);
}

Test(node_shard, a_record_after_the_sweep_continues_the_stream)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    for (int i = 0; i < 3; i++) {
        nw_activate(d);
        nw_give(d, 5);
        cr_assert(nw_run_until_stored(w, d));
        nw_rest(d);
        nw_run(w, w->now_us + 100000000);
        cr_assert_eq(w->node->shard.by_number.n, 0);
    }
    cr_assert_eq(w->node->shard.figures.links_swept, 3);
    cr_assert_eq(nw_stored(w, d), 15);
    nw_free(w);
}

Test(node_shard, packets_of_the_past_store_nothing_before_and_after_a_sweep)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 100);
    cr_assert(nw_run_until_stored(w, d));
    nw_rest(d);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < w->seen.n; i++)
            nw_replay(w, i);
        nw_run(w, w->now_us + 100000000);
        cr_assert_eq(nw_stored(w, d), 100, "round %d", round);
        cr_assert_eq(w->node->shard.by_number.n, 0);
    }
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    cr_assert_eq(nw_stored(w, d), 101);
    nw_free(w);
}

Test(node_shard, a_killed_node_goes_on_where_its_store_is)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    for (int i = 0; i < 5; i++) {
        nw_give(d, 30);
        cr_assert(nw_run_until_stored(w, d));
        nw_give(d, 30);
        if (i % 2)
            nw_stop(w);
        else
            nw_kill(w);
        nw_start(w);
        cr_assert(nw_run_until_stored(w, d));
    }
    cr_assert_eq(nw_stored(w, d), 300);
    nw_free(w);
}

Test(node_shard, figures_tell_what_happened)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    struct pl_shard_figures figures;
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 7);
    cr_assert(nw_run_until_stored(w, d));
    nw_run(w, w->now_us + 5000000);
    pl_shard_figures(&w->node->shard, &figures);
    cr_assert_eq(figures.active, 1);
    cr_assert_eq(figures.links_made, 1);
    cr_assert_eq(figures.counters.records_delivered, 7);
    nw_free(w);
}
