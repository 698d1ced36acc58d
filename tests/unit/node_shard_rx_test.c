/* What a shard drops and why, and how packets find a link when several share a key id. */
#include "node_world.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void send_raw(struct nw *w, const uint8_t *bytes, size_t n)
{
    struct nw_queue *queue = &w->to_node;
    if (!queue->items)
        queue->items = malloc(NW_DATAGRAMS * sizeof *queue->items);
    struct nw_datagram *d = &queue->items[queue->n++];
    d->from = w->listen;
    d->from.ip[3] = 250;
    d->n = n;
    memcpy(d->bytes, bytes, n);
    nw_run(w, w->now_us);
}

static const struct {
    const char *what;
    size_t n;
    uint8_t first, second;
    enum pl_drop drop;
} heads[] = {
    {"empty", 0, 0x14, 0, PL_DROP_SHORT},
    {"a byte below the shortest", 33, 0x14, 0, PL_DROP_SHORT},
    {"version 0", 40, 0x04, 0, PL_DROP_VERSION},
    {"version 2", 40, 0x24, 0, PL_DROP_VERSION},
    {"a cookie packet", 40, 0x10, 0, PL_DROP_COOKIE},
    {"suite 3", 40, 0x1c, 0, PL_DROP_SUITE},
    {"cookie bit", 40, 0x16, 0, PL_DROP_COOKIE},
    {"reserved bit", 40, 0x15, 0, PL_DROP_RESERVED},
    {"own epoch", 40, 0x14, 0x10, PL_DROP_EPOCH},
    {"peer epoch", 40, 0x14, 0x01, PL_DROP_EPOCH},
    {"unknown key id", 40, 0x14, 0, PL_DROP_KEY_ID},
    {"unknown key id, other suite", 40, 0x18, 0, PL_DROP_KEY_ID},
};

Test(node_shard_rx, strangers_are_counted_by_reason_and_leave_nothing)
{
    struct nw *w = nw_new(NULL);
    uint8_t bytes[64] = {0};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        uint64_t before = w->node->shard.env.drops[heads[i].drop];
        bytes[0] = heads[i].first;
        bytes[1] = heads[i].second;
        send_raw(w, bytes, heads[i].n);
        cr_assert_eq(w->node->shard.env.drops[heads[i].drop], before + 1, "%s", heads[i].what);
    }
    cr_assert_eq(w->node->shard.by_number.n, 0);
    cr_assert_eq(w->node->shard.contacts.by_key_id.n, 0);
    cr_assert_eq(w->node->shard.contacts.packets_n, 0);
    cr_assert_eq(w->node->shard.env.memory.used_bytes, 0);
    cr_assert_eq(w->from_node.n, 0, "nobody unknown is answered");
    nw_free(w);
}

Test(node_shard_rx, a_known_key_id_alone_opens_nothing)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    uint8_t bytes[64] = {0x14, 0};
    uint32_t id = pl_key_id(d->public_key, w->node_public);
    nw_allow(w, 1);
    for (int i = 0; i < 4; i++)
        bytes[2 + i] = (uint8_t)(id >> (24 - 8 * i));
    send_raw(w, bytes, 60);
    cr_assert_eq(w->node->shard.env.drops[PL_DROP_SEAL], 1);
    cr_assert_eq(w->node->shard.by_number.n, 0);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    send_raw(w, bytes, 60);
    cr_assert_eq(w->node->shard.env.drops[PL_DROP_SEAL], 2, "also on the active link");
    cr_assert_eq(w->node->shard.by_number.n, 1);
    nw_free(w);
}

/* Junk that names runs nobody has, aimed at an active link, costs a key each: of the strangers' budget. */
Test(node_shard_rx, unknown_runs_of_an_active_link_are_of_the_budget)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    uint8_t bytes[64] = {0x14, 0};
    uint32_t id = pl_key_id(d->public_key, w->node_public);
    struct pl_shard *shard = &w->node->shard;
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    nw_run(w, w->now_us); /* no credit is left to be earned */
    for (int i = 0; i < 4; i++)
        bytes[2 + i] = (uint8_t)(id >> (24 - 8 * i));
    shard->tries_credit_us = 3 * 1000000 / PL_TRIES_PER_S;
    for (unsigned i = 0; i < 10; i++) {
        bytes[6] = (uint8_t)i;
        send_raw(w, bytes, 60);
    }
    cr_assert_eq(shard->env.drops[PL_DROP_SEAL], 3);
    cr_assert_eq(shard->env.drops[PL_DROP_BUDGET], 7);
    cr_assert_eq(shard->tries_credit_us, 0);
    uint64_t now_us = w->now_us;
    nw_give(d, 1);
    nw_run(w, now_us);
    cr_assert_eq(shard->env.counters.records_delivered, 2, "a known run needs no try");
    nw_rest(d);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d), "credit comes back with time");
    nw_free(w);
}

Test(node_shard_rx, our_own_packets_are_not_taken)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *d = nw_device(w, "d");
    uint8_t bytes[64] = {0x14, 0};
    uint32_t id = pl_key_id(w->node_public, d->public_key);
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 1);
    cr_assert(nw_run_until_stored(w, d));
    for (int i = 0; i < 4; i++)
        bytes[2 + i] = (uint8_t)(id >> (24 - 8 * i));
    send_raw(w, bytes, 60);
    cr_assert_eq(w->node->shard.env.drops[PL_DROP_OWN_KEY_ID], 1);
    nw_free(w);
}

Test(node_shard_rx, links_with_one_key_id_do_not_mix)
{
    struct nw *w = nw_new(NULL);
    for (unsigned i = 0; i < 4; i++) {
        char name[2] = {(char)('a' + i), 0};
        nw_device(w, name)->key_id = 0x01020304;
    }
    nw_allow(w, 4);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 4; i++) {
            nw_activate(&w->devices[i]);
            nw_give(&w->devices[i], 10 + (unsigned)i);
        }
        for (size_t i = 0; i < 4; i++)
            cr_assert(nw_run_until_stored(w, &w->devices[i]));
        cr_assert_eq(w->node->shard.by_number.n, 4);
        for (size_t i = 0; i < 4; i++)
            nw_rest(&w->devices[i]);
        nw_run(w, w->now_us + (round == 1 ? 1000000 : 100000000));
    }
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(nw_stored(w, &w->devices[i]), 3 * (10 + (int)i));
    nw_free(w);
}

Test(node_shard_rx, a_flood_of_unknown_ids_is_bounded)
{
    struct nw *w = nw_new(NULL);
    uint8_t bytes[64] = {0x14, 0};
    w->to_node.items = malloc(NW_DATAGRAMS * sizeof *w->to_node.items);
    for (unsigned i = 0; i < 3000; i++) {
        struct nw_datagram *d = &w->to_node.items[w->to_node.n++];
        d->from = w->listen;
        d->n = 60;
        bytes[2] = (uint8_t)(i >> 8);
        bytes[3] = (uint8_t)i;
        memcpy(d->bytes, bytes, 60);
    }
    /* The shard alone: nobody answers its questions yet. */
    for (int i = 0; i < 20; i++)
        (void)pl_shard_step(&w->node->shard, w->now_us);
    cr_assert_eq(w->node->shard.contacts.by_key_id.n, PL_CONTACTS_MAX);
    cr_assert_eq(w->node->shard.env.drops[PL_DROP_QUEUE], 3000 - PL_CONTACTS_MAX);
    nw_run(w, w->now_us + 1000000);
    cr_assert_eq(w->node->shard.contacts.by_key_id.n, 0);
    cr_assert_eq(w->node->shard.env.drops[PL_DROP_KEY_ID], PL_CONTACTS_MAX);
    nw_free(w);
}
