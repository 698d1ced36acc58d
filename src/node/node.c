/* Makes a node of its parts, and steps them all in one thread: see node.h. */
#include "node/node.h"
#include "io/io.h"
#include "link/link.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK_SPARE_BYTES = 512 * 1024, /* of a commit beside its largest record */
    JOB_RING = PL_SHARD_JOBS,
    ANSWER_RING = 64, /* bounds the rows in memory that nobody has yet */
    ROUNDS_MAX = 64
};

static const size_t memory_default_bytes = (size_t)1 << 30;
static const uint64_t second_us = 1000000;

static enum pl_error open_store(struct pl_node *node, const struct pl_node_config *config,
                                struct pl_text *why)
{
    struct pl_store_options options = {
        .map_bytes = config->map_bytes,
        .retain_ms = config->keep_ms,
        .retain_bytes = config->keep_bytes,
        .wall_ms = config->io->wall_ms(config->io->ctx),
    };

    config->io->random(config->io->ctx, &options.owner, sizeof options.owner);
    config->io->random(config->io->ctx, options.store_id, sizeof options.store_id);
    options.owner |= 1;
    node->started_ms = options.wall_ms;
    node->keep_ms = config->keep_ms;
    node->keep_bytes = config->keep_bytes;
    return pl_store_open(config->dir, &options, &node->store, why);
}

static enum pl_error open_edges(struct pl_node *node, struct pl_text *why)
{
    enum pl_error error = pl_sleeper_open(&node->shard_sleeper, node->io, why);

    if (error == PL_OK)
        error = pl_sleeper_open(&node->store_sleeper, node->io, why);
    if (error == PL_OK)
        error = pl_ring_open(&node->commit_edge.jobs, JOB_RING, &node->store_sleeper);
    if (error == PL_OK)
        error = pl_ring_open(&node->commit_edge.done, JOB_RING, &node->shard_sleeper);
    for (unsigned i = 0; i < node->resolvers_n && error == PL_OK; i++) {
        node->resolver_edge_list[i] = &node->resolver_edges[i];
        error = pl_sleeper_open(&node->resolver_sleepers[i], node->io, why);
        if (error == PL_OK)
            error = pl_ring_open(&node->resolver_edges[i].questions, PL_CONTACTS_MAX + 1,
                                 &node->resolver_sleepers[i]);
        if (error == PL_OK)
            error = pl_ring_open(&node->resolver_edges[i].answers, ANSWER_RING, &node->shard_sleeper);
    }
    return error;
}

static enum pl_error open_resolvers(struct pl_node *node, struct pl_text *why)
{
    for (unsigned i = 0; i < node->resolvers_n; i++) {
        struct pl_reader *reader;
        enum pl_error error = pl_reader_of(node->store, &reader, why);
        if (error != PL_OK)
            return error;
        error = pl_resolver_open(&node->resolvers[i], reader, &node->memo, &node->resolver_edges[i], 1,
                                 &node->committer.generation);
        node->resolvers_open = i + 1;
        if (error != PL_OK)
            return error;
    }
    node->resolvers[0].background = true;
    node->resolvers[0].background_link = 1;
    return PL_OK;
}

static enum pl_error open_shard(struct pl_node *node, const struct pl_node_config *config,
                                struct pl_text *why)
{
    struct pl_env defaults;
    struct pl_shard_config shard = {
        .io = node->io,
        .sleeper = &node->shard_sleeper,
        .commit_edge = &node->commit_edge,
        .committer = &node->committer,
        .resolver_edges = node->resolver_edge_list,
        .resolvers_n = node->resolvers_n,
        .own_public = node->memo.own_public,
        .memory_max_bytes = config->memory_max_bytes ? config->memory_max_bytes : memory_default_bytes,
        .observer = &node->store_sleeper,
        .run_key = config->run_key,
        .run_key_ctx = config->run_key_ctx,
    };
    enum pl_error error;

    pl_env_defaults(&defaults);
    shard.settings = defaults.settings;
    shard.settings.dormant_hourly = true;
    if (config->idle_us)
        shard.settings.idle_us = config->idle_us;
    if (config->record_max_bytes)
        shard.settings.record_max_bytes = config->record_max_bytes;
    shard.chunk_bytes = (shard.settings.record_max_bytes + CHUNK_SPARE_BYTES) / PL_SHARE * (PL_SHARE + 1);
    error = pl_net_open(&shard.net, node->io, config->listen, config->listen_n, shard.settings.datagram_bytes,
                        why);
    if (error != PL_OK)
        return error;
    error = pl_shard_open(&node->shard, &shard);
    node->shard_open = error == PL_OK;
    if (error != PL_OK)
        pl_net_close(shard.net);
    return error;
}

static unsigned choose_resolvers(unsigned asked)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (asked == 0)
        asked = processors > 0 ? (unsigned)processors : 1;
    return asked < PL_NODE_RESOLVERS_MAX ? asked : PL_NODE_RESOLVERS_MAX;
}

static uint32_t known_links(struct pl_node *node)
{
    struct pl_reader *reader;
    struct pl_list_info list = {0};

    if (pl_reader_of(node->store, &reader, NULL) != PL_OK)
        return 1;
    if (pl_reader_list(reader, &list) != PL_OK || list.entries > UINT32_MAX)
        list.entries = 1;
    pl_reader_close(reader);
    return (uint32_t)list.entries;
}

static enum pl_error open_parts(struct pl_node *node, const struct pl_node_config *config,
                                struct pl_text *why)
{
    struct pl_text memo_why = {""};
    enum pl_error error = open_store(node, config, why);

    if (error == PL_OK)
        error = pl_memo_open(&node->memo, node->dir, config->private_key, known_links(node), &memo_why);
    if (error != PL_OK) {
        if (memo_why.s[0])
            *why = memo_why;
        return error;
    }
    error = open_edges(node, why);
    if (error != PL_OK)
        return error;
    pl_committer_open(&node->committer, node->io, node->store, &node->commit_edge, 1);
    node->committer_open = true;
    error = open_resolvers(node, why);
    return error == PL_OK ? open_shard(node, config, why) : error;
}

enum pl_error pl_node_open(const struct pl_node_config *config, struct pl_node **out, struct pl_text *why)
{
    struct pl_text reason = {""};
    enum pl_error error = PL_E_NO_MEMORY;

    *out = NULL;
    if (config->record_max_bytes > PL_NODE_RECORD_MAX_BYTES) {
        pl_text_set(why, "record_max_bytes is %zu; at most %d are possible", config->record_max_bytes,
                    PL_NODE_RECORD_MAX_BYTES);
        return PL_E_LIMIT;
    }
    struct pl_node *node = calloc(1, sizeof *node);
    if (node) {
        pthread_mutex_init(&node->lock, NULL);
        node->io = config->io;
        node->dir = strdup(config->dir);
        node->resolvers_n = choose_resolvers(config->resolvers);
        if (node->dir)
            error = open_parts(node, config, &reason);
    }
    if (error != PL_OK) {
        pl_node_close(node);
        pl_text_set(why, "%s", reason.s[0] ? reason.s : pl_error_name(error));
        return error;
    }
    pl_text_set(why, "%s", reason.s);
    *out = node;
    return PL_OK;
}

void pl_node_close(struct pl_node *node)
{
    if (!node)
        return;
    if (node->shard_open) {
        node->status_written_us = 0;
        pl_shard_close(&node->shard);
    }
    for (unsigned i = 0; i < node->resolvers_open; i++)
        pl_resolver_close(&node->resolvers[i]);
    if (node->committer_open)
        pl_committer_close(&node->committer);
    pl_ring_close(&node->commit_edge.jobs);
    pl_ring_close(&node->commit_edge.done);
    for (unsigned i = 0; i < node->resolvers_n; i++) {
        pl_ring_close(&node->resolver_edges[i].questions);
        pl_ring_close(&node->resolver_edges[i].answers);
        pl_sleeper_close(&node->resolver_sleepers[i]);
    }
    pl_sleeper_close(&node->shard_sleeper);
    pl_sleeper_close(&node->store_sleeper);
    pl_memo_close(&node->memo);
    pl_store_close(node->store);
    pthread_mutex_destroy(&node->lock);
    free(node->dir);
    free(node);
}

bool pl_node_reload(struct pl_node *node, struct pl_reload *reload)
{
    if (!pl_committer_reload(&node->committer, reload))
        return false;
    pl_sleeper_notify(&node->store_sleeper);
    return true;
}

static bool parts_have_input(struct pl_node *node)
{
    bool any = !pl_ring_is_empty(&node->commit_edge.done) || !pl_ring_is_empty(&node->commit_edge.jobs);

    for (unsigned i = 0; i < node->resolvers_n; i++)
        any = any || !pl_ring_is_empty(&node->resolver_edges[i].questions) ||
              !pl_ring_is_empty(&node->resolver_edges[i].answers);
    return any;
}

static uint64_t earlier(uint64_t a_us, uint64_t b_us)
{
    return a_us < b_us ? a_us : b_us;
}

uint64_t pl_node_step_all(struct pl_node *node, uint64_t now_us)
{
    uint64_t next_us = now_us;

    for (int round = 0; round < ROUNDS_MAX; round++) {
        next_us = pl_shard_step(&node->shard, now_us);
        for (unsigned i = 0; i < node->resolvers_n; i++)
            next_us = earlier(next_us, pl_resolver_step(&node->resolvers[i], now_us));
        next_us = earlier(next_us, pl_node_step_store(node, now_us));
        if (next_us > now_us && !parts_have_input(node))
            return next_us;
    }
    return now_us;
}

void pl_node_drain(struct pl_node *node)
{
    pl_shard_stop(&node->shard);
}

bool pl_node_is_drained(const struct pl_node *node)
{
    return pl_shard_is_drained(&node->shard);
}

bool pl_node_has_failed(struct pl_node *node, struct pl_text *why)
{
    struct pl_commit_figures figures;
    struct pl_shard_figures shard;

    if (!atomic_load(&node->committer.failed) && !atomic_load(&node->shard.failed))
        return false;
    pl_committer_figures(&node->committer, &figures);
    pl_shard_figures(&node->shard, &shard);
    pl_text_set(why, "%s", figures.last_error.s[0] ? figures.last_error.s : shard.last_event.s);
    return true;
}

bool pl_node_local(const struct pl_node *node, size_t i, struct pl_address *out)
{
    return pl_net_local(node->shard.net, i, out);
}

uint64_t pl_node_step_store(struct pl_node *node, uint64_t now_us)
{
    uint64_t next_us = pl_committer_step(&node->committer, now_us);
    unsigned generation = atomic_load(&node->committer.generation);

    if (generation != node->generation_told) {
        node->generation_told = generation;
        pl_sleeper_notify(&node->resolver_sleepers[0]);
    }
    if (atomic_exchange(&node->shard.was_published, false))
        node->status_due = true;
    if (!node->status_due)
        return next_us;
    if (node->status_written_us != 0 && now_us < node->status_written_us + second_us)
        return earlier(next_us, node->status_written_us + second_us);
    pl_node_write_status(node, now_us);
    return next_us;
}
