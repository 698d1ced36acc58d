/*
 * A node: a shard, a committer and resolvers, tied together by rings, over one store.
 *
 * Its parts are step functions. As a process each has a thread that is a loop around its step
 * (node_threads.c); in a simulation one thread steps them all (pl_node_step_all). Nothing else differs:
 * clock, randomness and sockets come from the I/O table that was given.
 *
 * Order of calls: pl_node_open, pl_node_reload (the allow list; any time again), then either pl_node_start
 * ... pl_node_stop, or pl_node_step_all again and again; pl_node_close.
 */
#ifndef PL_NODE_NODE_H
#define PL_NODE_NODE_H

#include <stdatomic.h>

#include "node/commit.h"
#include "node/memo.h"
#include "node/resolver.h"
#include "node/shard.h"
#include "node/status.h"

enum {
    PL_NODE_RESOLVERS_MAX = 64,
    /* A record with its size field (4 B) must fit into the widest window, or it would never arrive. */
    PL_NODE_RECORD_MAX_BYTES = PL_WINDOW_MAX_KIB * 1024 - 4
};

struct pl_node_config {
    const struct pl_io *io;
    const uint8_t *private_key;      /* 32 B, copied */
    const char *dir;                 /* of the store; copied */
    const struct pl_address *listen; /* borrowed for the call */
    size_t listen_n;
    uint64_t idle_us;        /* 0: the spec's LINK_IDLE_US */
    uint64_t map_bytes;      /* of the store; 0: its default */
    uint64_t keep_ms;        /* records older than this are deleted; 0: none is */
    uint64_t keep_bytes;     /* the oldest are deleted when the log has more; 0: none is */
    size_t memory_max_bytes; /* of active links; 0: 1 GiB */
    size_t record_max_bytes; /* at most PL_NODE_RECORD_MAX_BYTES; 0: the spec's RECORD_MAX */
    unsigned resolvers;      /* 0: one for each processor */
    void (*run_key)(void *ctx, const struct pl_run_key *key); /* as in pl_env, by the shard; NULL: not told */
    void *run_key_ctx;
};

struct pl_node {
    const struct pl_io *io;
    char *dir;
    struct pl_store *store;
    struct pl_memo memo;
    struct pl_sleeper shard_sleeper, store_sleeper, resolver_sleepers[PL_NODE_RESOLVERS_MAX];
    struct pl_commit_edge commit_edge;
    struct pl_resolver_edge resolver_edges[PL_NODE_RESOLVERS_MAX];
    struct pl_resolver_edge *resolver_edge_list[PL_NODE_RESOLVERS_MAX];
    struct pl_committer committer;
    struct pl_resolver resolvers[PL_NODE_RESOLVERS_MAX];
    unsigned resolvers_n;
    struct pl_shard shard;
    bool shard_open, committer_open;
    unsigned resolvers_open;

    pthread_t shard_thread, store_thread, resolver_threads[PL_NODE_RESOLVERS_MAX];
    unsigned threads_n; /* started: shard, store, then resolvers */
    atomic_bool stop_shard, stop_store, stop_resolvers;

    uint64_t started_ms, keep_ms, keep_bytes;
    uint64_t status_written_us; /* this and the next three: the store's thread alone */
    bool status_due;
    unsigned generation_told; /* allow list the resolvers were woken for */
    struct pl_node_status last_status;
    pthread_mutex_t lock; /* of senders_error */
    struct pl_text senders_error;
    uint64_t senders_error_ms;
};

/*
 * Opens store, memo and sockets; nothing is received yet. *out is the caller's until pl_node_close. Errors of
 * pl_store_open, pl_net_open and pl_memo_open with their reason, PL_E_LIMIT (record_max_bytes; nothing was
 * touched then), PL_E_NO_MEMORY. With PL_OK `why` holds what the store had to set aside, or is empty.
 */
enum pl_error pl_node_open(const struct pl_node_config *config, struct pl_node **out, struct pl_text *why);

/* Threads must have been stopped. NULL is allowed. */
void pl_node_close(struct pl_node *node);

/*
 * Gives an allow list in; reload->done says when it is in force or failed. False while another is on its way.
 * *reload and its entries are borrowed until then.
 */
bool pl_node_reload(struct pl_node *node, struct pl_reload *reload);

/* For status: the senders file was not taken and why; NULL: it was. Any thread. */
void pl_node_senders_failed(struct pl_node *node, const struct pl_text *why);

/* One pass over all parts, and again while they have something for each other. Returns when to call again at
 * the latest (UINT64_MAX: at a datagram). Never while threads run. */
uint64_t pl_node_step_all(struct pl_node *node, uint64_t now_us);

/* For a node that is stepped: from now on nothing is received; drained when all in memory is durable and
 * answered. */
void pl_node_drain(struct pl_node *node);
bool pl_node_is_drained(const struct pl_node *node);

/* Starts the threads. PL_E_NO_MEMORY: none runs. */
enum pl_error pl_node_start(struct pl_node *node, struct pl_text *why);

/* Stops receiving, commits and answers what is in memory, ends the threads: at most 4 s. */
void pl_node_stop(struct pl_node *node);

/* Whether storing has failed for good; *why then tells. Any thread. */
bool pl_node_has_failed(struct pl_node *node, struct pl_text *why);

/* Address i it listens on; false past the end. */
bool pl_node_local(const struct pl_node *node, size_t i, struct pl_address *out);

/* Figures as of at most a second ago. Any thread. */
void pl_node_status(struct pl_node *node, struct pl_node_status *out);

/* ---- for the node's own files --------------------------------------------------------------------- */

/* The store's step: commits, allow lists, and the status file. */
uint64_t pl_node_step_store(struct pl_node *node, uint64_t now_us);

/* Writes the status file now if anything in it changed. */
void pl_node_write_status(struct pl_node *node, uint64_t now_us);

#endif
