/* Active links: made with the rows the store has, and no memory to make one. */
#include "node_world.h"

#include <criterion/criterion.h>

static void no_memory(struct pl_node_config *config)
{
    config->memory_max_bytes = 64;
}

Test(node_shard_links, without_memory_a_stranger_is_dropped_and_nothing_is_left)
{
    struct nw *w = nw_new(no_memory);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    nw_run(w, w->now_us + 3000000);
    cr_assert_geq(w->node->shard.env.drops[PL_DROP_LIMIT], 1);
    cr_assert_eq(w->node->shard.by_number.n, 0);
    cr_assert_eq(w->node->shard.by_key_id.n, 0);
    cr_assert_eq(w->node->shard.by_key_id_out.n, 0);
    cr_assert_eq(w->node->shard.unproven_n, 0);
    cr_assert_eq(w->node->shard.contacts.by_key_id.n, 0);
    cr_assert_null(w->node->shard.all);
    nw_free(w);
}

Test(node_shard_links, lives_of_the_past_are_known_after_a_sweep)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    /* Each activation gives in a life of its own; more than a row remembers. */
    for (int i = 0; i < 20; i++) {
        nw_activate(d);
        nw_give(d, 2);
        cr_assert(nw_run_until_stored(w, d), "life %d", i);
        nw_rest(d);
        nw_run(w, w->now_us + 40000000);
        cr_assert_eq(w->node->shard.by_number.n, 0);
    }
    for (size_t i = 0; i < w->seen.n; i++)
        nw_replay(w, i);
    nw_run(w, w->now_us + 40000000);
    cr_assert_eq(nw_stored(w, d), 40);
    nw_free(w);
}

Test(node_shard_links, are_found_by_number_until_forgotten)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    struct pl_active *active = w->node->shard.all;
    cr_assert_eq(pl_shard_find(&w->node->shard, active->number), active);
    cr_assert_eq(active->name_size, 1);
    cr_assert_eq(active->name[0], 'd');
    pl_shard_forget(&w->node->shard, active);
    cr_assert_null(w->node->shard.all);
    cr_assert_eq(w->node->shard.env.memory.used_bytes, 0);
    nw_free(w);
}
