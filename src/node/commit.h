/*
 * The committer: the only writer of the store. It turns full chunks into one durable transaction after
 * another.
 *
 * The pipeline is two deep: while one job of a shard is being committed the shard fills the next, and hands
 * it over as soon as this one came back. There is no timer: a commit begins when the last one ended and
 * anything waits, so a lone record is stored at once and under load a commit carries whatever came meanwhile.
 *
 * A commit that fails for want of space or memory is tried again as it is, with back-off, and nothing
 * overtakes it; `full` is up meanwhile, so that shards refuse what comes. Any other failure ends storing for
 * good (`failed`): after a failed fdatasync nobody knows what the kernel still holds, so nothing more may be
 * called stored.
 *
 * Allow lists come in between commits, a bounded slice at a time; so does retention, if the store has one.
 */
#ifndef PL_NODE_COMMIT_H
#define PL_NODE_COMMIT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "node/ring.h"
#include "store/chunk.h"
#include "store/store.h"

enum { PL_JOB_SWEEPS_MAX = 256, PL_COMMIT_SHARDS_MAX = 64 };

/* What one commit does for one shard. Owned by the side that has it. */
struct pl_job {
    struct pl_chunk chunk;
    uint8_t *arena;
    size_t arena_bytes;
    struct pl_sweep sweeps[PL_JOB_SWEEPS_MAX];
    size_t sweeps_n;
};

/* The two rings between the committer and one shard; both carry struct pl_job, each job comes back once. */
struct pl_commit_edge {
    struct pl_ring jobs; /* the shard pushes */
    struct pl_ring done; /* the committer pushes: its job is durable */
};

/* An allow list on its way in. Borrowed by the committer from pl_committer_reload until `done`. */
struct pl_reload {
    const struct pl_allowed *entries;
    size_t n;
    uint8_t mark[128];
    size_t mark_n;
    enum pl_error error; /* read error and why after done */
    struct pl_text why;
    atomic_bool done;
};

struct pl_commit_figures {
    uint64_t commits, failures;
    uint64_t last_commit_ms; /* wall clock; 0: none */
    struct pl_text last_error;
    uint64_t last_error_ms;
};

struct pl_committer {
    const struct pl_io *io;
    struct pl_store *store;
    struct pl_commit_edge *edges;
    unsigned edges_n;
    struct pl_job *taken[PL_COMMIT_SHARDS_MAX]; /* by shard: not durable yet */
    unsigned taken_n;
    uint64_t retry_at_us, backoff_us;
    uint64_t retain_at_us; /* when retention is looked at next */
    struct pl_import import;
    size_t imported_n;
    bool importing;
    _Atomic(struct pl_reload *) reload; /* given by another thread */
    struct pl_reload *loading;
    atomic_uint generation; /* allow lists put in force since the start */
    atomic_bool full, failed;
    pthread_mutex_t lock; /* of figures */
    struct pl_commit_figures figures;
};

/* store and edges are borrowed and outlive it. The sleepers that read `done` are notified when `full`
 * changes. */
void pl_committer_open(struct pl_committer *committer, const struct pl_io *io, struct pl_store *store,
                       struct pl_commit_edge *edges, unsigned edges_n);

void pl_committer_close(struct pl_committer *committer);

/* Does one commit and a slice of what else waits; blocks on the disk only. Returns when to call again:
 * `now_us` if more waits, UINT64_MAX if nothing does. */
uint64_t pl_committer_step(struct pl_committer *committer, uint64_t now_us);

/* Any thread: gives an allow list in. False while another is on its way. The committer's sleeper must be
 * notified after it. */
bool pl_committer_reload(struct pl_committer *committer, struct pl_reload *reload);

/* Any thread: a copy of the figures. */
void pl_committer_figures(struct pl_committer *committer, struct pl_commit_figures *out);

#endif
