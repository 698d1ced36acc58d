/* What a node says of itself, in memory and in its file. */
#include "node_world.h"

#include <criterion/criterion.h>
#include <string.h>

Test(node_node_status, the_file_follows_within_a_second_and_then_rests)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    static struct pl_node_status status;
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 9);
    cr_assert(nw_run_until_stored(w, d));
    nw_run(w, w->now_us + 3000000);
    cr_assert_eq(pl_status_read(w->dir, &status, NULL), PL_OK);
    cr_assert_eq(status.links_active, 1);
    cr_assert_eq(status.records_delivered, 9);
    cr_assert_geq(status.commits, 1);
    cr_assert_str_eq(status.listen, "192.0.2.1:7000");
    cr_assert_eq(strlen(status.public_key), 44);
    uint64_t updated_ms = status.updated_ms;
    nw_run(w, w->now_us + 20000000);
    cr_assert_eq(pl_status_read(w->dir, &status, NULL), PL_OK);
    cr_assert_eq(status.updated_ms, updated_ms, "nothing changed, nothing written");
    nw_free(w);
}

Test(node_node_status, says_since_when_a_senders_file_is_not_taken)
{
    struct nw *w = nw_new(NULL);
    static struct pl_node_status status;
    struct pl_text why;
    pl_text_set(&why, "senders:3: no key");
    pl_node_senders_failed(w->node, &why);
    pl_node_status(w->node, &status);
    uint64_t since_ms = status.senders_error_ms;
    cr_assert_neq(since_ms, 0);
    cr_assert_str_eq(status.senders_error, "senders:3: no key");
    w->now_us += 5000000;
    pl_node_senders_failed(w->node, &why);
    nw_run(w, w->now_us);
    cr_assert_eq(pl_status_read(w->dir, &status, NULL), PL_OK);
    cr_assert_eq(status.senders_error_ms, since_ms, "since the first failure");
    pl_node_senders_failed(w->node, NULL);
    pl_node_status(w->node, &status);
    cr_assert_eq(status.senders_error_ms, 0);
    nw_free(w);
}
