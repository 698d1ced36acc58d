/* Sending: the kernel has no room, no route, and who is served in which order. */
#include "node_world.h"

#include <criterion/criterion.h>

Test(node_shard_tx, an_answer_the_kernel_has_no_room_for_is_kept)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    w->refuse_sends = true;
    nw_run(w, w->now_us + 500000);
    cr_assert_eq(d->received, 0);
    cr_assert_eq(nw_stored(w, d), 1);
    w->refuse_sends = false;
    nw_run(w, w->now_us);
    cr_assert_eq(d->received, 1, "it was kept, not lost");
    cr_assert_eq(d->stored, 1);
    nw_free(w);
}

Test(node_shard_tx, without_a_route_it_waits_instead_of_spinning)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    w->unreachable = true;
    nw_run(w, w->now_us + 5000000); /* nw_run fails if it never comes to rest */
    cr_assert_eq(d->stored, 0);
    w->unreachable = false;
    cr_assert(nw_run_until_stored(w, d));
    nw_free(w);
}

Test(node_shard_tx, one_answer_for_each_link_and_commit)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *a = nw_device(w, "a"), *b = nw_device(w, "b");
    nw_allow(w, 2);
    nw_activate(a);
    nw_activate(b);
    nw_give(a, 3);
    nw_give(b, 3);
    cr_assert(nw_run_until_stored(w, a));
    cr_assert(nw_run_until_stored(w, b));
    cr_assert_eq(a->received, 1);
    cr_assert_eq(b->received, 1);
    nw_free(w);
}

Test(node_shard_tx, a_moved_wall_clock_draws_fresh_runs)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    struct pl_shard *shard = &w->node->shard;
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    uint64_t made = shard->env.counters.runs_made;
    w->now_us += 500000;
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    cr_assert_eq(shard->env.counters.runs_made, made, "time that passes is no reason");
    for (int i = 0; i < 2; i++) {
        w->wall_moved_ms += i == 0 ? 5000 : -9000;
        nw_give(d, 1);
        cr_assert(nw_run_until_stored(w, d));
        cr_assert_eq(shard->env.counters.runs_made, ++made);
    }
    cr_assert_eq(nw_stored(w, d), 4);
    nw_free(w);
}
