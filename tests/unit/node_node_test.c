/* A whole node: opened twice, with what cannot be opened, drained. */
#include "node_world.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_varint.h"

Test(node_node, a_second_on_one_store_is_refused)
{
    struct nw *w = nw_new(NULL);
    struct pl_node *second;
    struct pl_text why;
    cr_assert_eq(pl_node_open(&w->config, &second, &why), PL_E_BUSY);
    cr_assert_null(second);
    cr_assert(why.s[0]);
    nw_free(w);
}

Test(node_node, what_can_not_be_opened_is_said_and_leaves_nothing)
{
    struct nw *w = nw_new(NULL);
    struct pl_node_config config = w->config;
    struct pl_node *node;
    struct pl_text why;
    nw_kill(w);
    config.listen_n = 0;
    cr_assert_eq(pl_node_open(&config, &node, &why), PL_E_LIMIT);
    cr_assert(why.s[0]);
    config = w->config;
    config.dir = "/nonexistent/a/b";
    cr_assert_neq(pl_node_open(&config, &node, &why), PL_OK);
    cr_assert(strstr(why.s, "/nonexistent"), "%s", why.s);
    nw_start(w);
    nw_free(w);
}

static void take_large_records(struct pl_node_config *config)
{
    config->record_max_bytes = PL_NODE_RECORD_MAX_BYTES;
    config->map_bytes = 256 << 20;
}

Test(node_node, a_bound_on_records_that_no_window_could_hold_is_refused)
{
    struct nw *w = nw_new(NULL);
    struct pl_node_config config = w->config;
    struct pl_node *node;
    struct pl_text why = {""};
    nw_kill(w);
    config.record_max_bytes = PL_NODE_RECORD_MAX_BYTES + 1;
    cr_assert_eq(pl_node_open(&config, &node, &why), PL_E_LIMIT);
    cr_assert_null(node);
    cr_assert(strstr(why.s, "record_max_bytes is 4194301; at most 4194300"), "%s", why.s);
    cr_assert_eq(pl_node_open(&config, &node, NULL), PL_E_LIMIT);
    nw_start(w);
    nw_free(w);
}

Test(node_node, the_largest_record_there_may_be_arrives)
{
    struct nw *w = nw_new(take_large_records);
    struct nw_device *d = nw_device(w, "d");
    size_t n = PL_NODE_RECORD_MAX_BYTES + 4;
    uint8_t *framed = calloc(1, n);
    struct pl_bytes bytes = {framed, n};
    nw_allow(w, 1);
    nw_activate(d);
    cr_assert_eq(pl_varint_encode(framed, PL_NODE_RECORD_MAX_BYTES), 4);
    cr_assert_eq(pl_link_offer(d->link, d->slot, d->life, d->life_first, 0, bytes), n);
    d->given = 1;
    cr_assert(nw_run_until_stored(w, d));
    free(framed);
    nw_free(w);
}

Test(node_node, drains_what_is_in_memory_before_it_ends)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    for (int i = 0; i < 5; i++)
        nw_replay(w, 0);
    nw_stop(w);
    nw_start(w);
    nw_give(d, 3);
    cr_assert(nw_run_until_stored(w, d));
    cr_assert_eq(nw_stored(w, d), 4);
    nw_free(w);
}

Test(node_node, listens_where_it_was_told)
{
    struct nw *w = nw_new(NULL);
    struct pl_address address;
    cr_assert(pl_node_local(w->node, 0, &address));
    cr_assert(pl_address_equal(&address, &w->listen));
    cr_assert_not(pl_node_local(w->node, 1, &address));
    nw_free(w);
}
