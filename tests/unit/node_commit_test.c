/* The committer: what a full store does, that it recovers by itself, and lists that fail. */
#include "node_world.h"

#include <criterion/criterion.h>
#include <string.h>

static void small_map(struct pl_node_config *config)
{
    config->map_bytes = 1 << 20;
}

/* Gives records until the store is full. */
static void fill(struct nw *w, struct nw_device *d)
{
    for (int i = 0; i < 1000 && d->refused_code == 0; i++) {
        nw_give(d, 200);
        nw_run(w, w->now_us + 200000);
    }
    cr_assert_eq(d->refused_code, PL_REFUSAL_STORE_FULL);
}

static void make_room(struct nw *w)
{
    size_t deleted = 1;
    for (int i = 0; i < 100 && deleted > 0; i++)
        cr_assert_eq(pl_store_trim(w->node->store, pl_store_end(w->node->store), 64, &deleted, NULL), PL_OK);
}

Test(node_commit, a_full_store_refuses_and_recovers_by_itself)
{
    struct nw *w = nw_new(small_map);
    struct nw_device *d = nw_device(w, "d");
    struct pl_node_status status;
    nw_allow(w, 1);
    nw_activate(d);
    fill(w, d);
    uint64_t stored = d->stored;
    nw_run(w, w->now_us + 30000000);
    cr_assert_eq(d->stored, stored, "nothing is called stored meanwhile");
    pl_node_status(w->node, &status);
    cr_assert_eq(status.store_full, 1);
    cr_assert(strstr(status.last_error, "full"), "%s", status.last_error);
    cr_assert_not(pl_node_has_failed(w->node, NULL));

    make_room(w);
    for (int i = 0; i < 100 && d->stored < d->given; i++) {
        nw_run(w, w->now_us + 2000000);
        make_room(w);
    }
    cr_assert_eq(d->stored, d->given);
    cr_assert_eq(d->resumed, 1);
    pl_node_status(w->node, &status);
    cr_assert_eq(status.store_full, 0);
    nw_free(w);
}

Test(node_commit, what_was_refused_is_stored_once_with_a_larger_store)
{
    struct nw *w = nw_new(small_map);
    struct nw_device *d = nw_device(w, "d");
    nw_allow(w, 1);
    nw_activate(d);
    fill(w, d);
    nw_kill(w);
    w->config.map_bytes = 64 << 20;
    nw_start(w);
    for (int i = 0; i < 100 && d->stored < d->given; i++)
        nw_run(w, w->now_us + 2000000);
    cr_assert_eq(d->stored, d->given);
    cr_assert_eq((uint64_t)nw_stored(w, d), d->given);
    nw_free(w);
}

enum { DAY_MS = 86400000 };

static void one_day(struct pl_node_config *config)
{
    config->keep_ms = DAY_MS;
}

static struct pl_store_status store_status(struct nw *w)
{
    struct pl_store_status status;
    struct pl_reader *reader;
    cr_assert_eq(pl_reader_of(w->node->store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_status(reader, &status, NULL), PL_OK);
    pl_reader_close(reader);
    return status;
}

Test(node_commit, a_node_at_rest_deletes_what_grew_old_and_stores_none_of_it_again)
{
    struct nw *w = nw_new(one_day);
    struct nw_device *d = nw_device(w, "d");
    struct pl_node_status status;
    nw_allow(w, 1);
    nw_activate(d);
    for (int i = 0; i < 10; i++) {
        nw_give(d, 20);
        cr_assert(nw_run_until_stored(w, d));
    }
    nw_run(w, w->now_us + (uint64_t)DAY_MS * 1000 - 120000000);
    cr_assert_eq(store_status(w).first_position, 0, "not a day old");
    nw_run(w, w->now_us + 240000000);
    struct pl_store_status after = store_status(w);
    cr_assert_eq(after.blocks, 1, "the last one stays");
    cr_assert_gt(after.first_position, 0);
    pl_node_status(w->node, &status);
    cr_assert_eq(status.keep_ms, DAY_MS);
    size_t seen = w->seen.n;
    cr_assert_gt(seen, 0);
    for (size_t i = 0; i < seen; i++)
        nw_replay(w, i);
    nw_run(w, w->now_us + 1000000);
    cr_assert_eq(store_status(w).end_position, after.end_position, "old packets bring nothing back");
    nw_give(d, 20);
    cr_assert(nw_run_until_stored(w, d));
    cr_assert_eq(store_status(w).end_position, after.end_position + 20);
    nw_free(w);
}

static enum pl_error reload(struct nw *w, const struct pl_allowed *entries, size_t n, struct pl_text *why)
{
    static struct pl_reload r;
    memset(&r, 0, sizeof r);
    r.entries = entries;
    r.n = n;
    cr_assert(pl_node_reload(w->node, &r));
    for (int i = 0; i < 100 && !atomic_load(&r.done); i++)
        (void)pl_node_step_all(w->node, w->now_us);
    *why = r.why;
    return r.error;
}

Test(node_commit, a_list_is_taken_whole_or_not_at_all)
{
    struct nw *w = nw_new(NULL);
    struct pl_allowed entries[5];
    struct pl_text why;
    for (unsigned i = 0; i < 5; i++) {
        static const uint8_t names[] = "abcde";
        entries[i] = (struct pl_allowed){.name = {names + i, 1}, .key_id = 7};
        w->io.random(w, entries[i].public_key, 32);
    }
    cr_assert_eq(reload(w, entries, 4, &why), PL_OK);
    unsigned generation = atomic_load(&w->node->committer.generation);
    cr_assert_eq(reload(w, entries, 5, &why), PL_E_LIMIT, "a fifth key with one id");
    cr_assert(why.s[0]);
    cr_assert_eq(atomic_load(&w->node->committer.generation), generation);
    cr_assert_eq(reload(w, NULL, 0, &why), PL_OK);
    cr_assert_eq(atomic_load(&w->node->committer.generation), generation + 1);
    nw_free(w);
}

Test(node_commit, takes_one_list_at_a_time)
{
    struct nw *w = nw_new(NULL);
    static struct pl_reload first, second;
    cr_assert(pl_node_reload(w->node, &first));
    cr_assert_not(pl_node_reload(w->node, &second));
    for (int i = 0; i < 10; i++)
        (void)pl_node_step_all(w->node, w->now_us);
    cr_assert(atomic_load(&first.done));
    cr_assert(pl_node_reload(w->node, &second));
    (void)pl_node_step_all(w->node, w->now_us);
    nw_free(w);
}
