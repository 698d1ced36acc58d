/* Gathers a node's figures from its parts, and keeps the status file up to date. */
#include "io/io.h"
#include "link/link.h"
#include "node/node.h"

#include <string.h>
#include <unistd.h>

#include "crypto/base64.h"

static void from_shard(struct pl_node_status *out, const struct pl_shard_figures *from)
{
    const struct pl_counters *c = &from->counters;

    out->links_active = from->active;
    out->links_unproven = from->unproven;
    out->first_contacts = from->contacts;
    out->links_made = from->links_made;
    out->links_swept = from->links_swept;
    out->links_evicted = from->links_evicted;
    out->links_denied = from->links_denied;
    out->memory_bytes = from->memory_bytes;
    out->ambiguous_packets = from->resolver_ambiguous;
    out->damaged_links = from->resolver_damaged;
    out->packets_in = c->packets_in;
    out->packets_out = c->packets_out;
    out->bytes_in = c->bytes_in;
    out->bytes_out = c->bytes_out;
    out->records_delivered = c->records_delivered;
    out->repeats = c->repeats;
    out->pieces_left = c->pieces_left;
    out->pieces_held = c->pieces_held;
    out->answers = c->answers;
    out->probes = c->probes;
    out->lost_packets = c->lost_packets;
    out->runs_proven = c->runs_proven;
    out->forks = c->forks;
    out->gaps = c->gaps;
    out->refusals = c->refusals;
    out->malformed = c->malformed;
    memcpy(out->drops, from->drops, sizeof out->drops);
    memcpy(out->last_event, from->last_event.s, sizeof out->last_event);
    out->last_event_ms = from->last_event_ms;
}

static void from_net(struct pl_node_status *out, const struct pl_net_figures *from)
{
    out->datagrams_received = from->received;
    out->datagrams_sent = from->sent;
    out->send_failures = from->send_failures;
    out->receive_buffer_bytes = from->receive_buffer_bytes;
    out->drops[PL_DROP_TRUNCATED] += from->truncated;
    out->drops[PL_DROP_OVERFLOW] += from->overflow;
    out->drops[PL_DROP_LONG] += from->too_long;
}

static void from_committer(struct pl_node_status *out, struct pl_committer *committer)
{
    struct pl_commit_figures figures;

    pl_committer_figures(committer, &figures);
    out->commits = figures.commits;
    out->commit_failures = figures.failures;
    out->last_commit_ms = figures.last_commit_ms;
    memcpy(out->last_error, figures.last_error.s, sizeof out->last_error);
    out->last_error_ms = figures.last_error_ms;
    out->store_full = atomic_load(&committer->full);
    out->storing_failed = atomic_load(&committer->failed);
}

static void print_listen(struct pl_node *node, char *out, size_t room)
{
    struct pl_address address;
    size_t n = 0;

    for (size_t i = 0; pl_node_local(node, i, &address) && n + PL_ADDRESS_TEXT_SIZE < room; i++) {
        char text[PL_ADDRESS_TEXT_SIZE];
        n += (size_t)snprintf(out + n, room - n, "%s%s", n ? " " : "",
                              pl_address_print(&address, text, sizeof text));
    }
}

void pl_node_status(struct pl_node *node, struct pl_node_status *out)
{
    struct pl_shard_figures shard;

    memset(out, 0, sizeof *out);
    out->pid = (uint64_t)getpid();
    out->started_ms = node->started_ms;
    out->keep_ms = node->keep_ms;
    out->keep_bytes = node->keep_bytes;
    pl_key_to_text(node->memo.own_public, out->public_key);
    print_listen(node, out->listen, sizeof out->listen);
    pl_shard_figures(&node->shard, &shard);
    from_shard(out, &shard);
    from_net(out, &shard.net);
    from_committer(out, &node->committer);
    for (unsigned i = 0; i < node->resolvers_n; i++)
        out->secrets_made += atomic_load(&node->resolvers[i].secrets_made);
    pthread_mutex_lock(&node->lock);
    memcpy(out->senders_error, node->senders_error.s, sizeof out->senders_error);
    out->senders_error_ms = node->senders_error_ms;
    pthread_mutex_unlock(&node->lock);
}

void pl_node_write_status(struct pl_node *node, uint64_t now_us)
{
    struct pl_node_status status;

    node->status_due = false;
    pl_node_status(node, &status);
    if (memcmp(&status, &node->last_status, sizeof status) == 0)
        return;
    node->last_status = status;
    node->status_written_us = now_us;
    status.updated_ms = node->io->wall_ms(node->io->ctx);
    /* A status that can not be written must not stop the node: records come first. */
    (void)pl_status_write(node->dir, &status, NULL);
}

void pl_node_senders_failed(struct pl_node *node, const struct pl_text *why)
{
    pthread_mutex_lock(&node->lock);
    if (!why)
        node->senders_error_ms = 0;
    else if (node->senders_error_ms == 0)
        node->senders_error_ms = node->io->wall_ms(node->io->ctx);
    pl_text_set(&node->senders_error, "%s", why ? why->s : "");
    pthread_mutex_unlock(&node->lock);
    atomic_store(&node->shard.was_published, true);
    pl_sleeper_notify(&node->store_sleeper);
}
