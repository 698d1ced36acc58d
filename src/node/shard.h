/*
 * A shard: one thread's worth of a node. Its sockets, the links that are active on them, their timers, and
 * the commit chunk that is being filled.
 *
 * A datagram goes: header and key id looked at, active link or first contact (contact.h, resolver.h), opened
 * and applied by the engine, its records appended to the chunk. The chunk goes to the committer as soon as
 * that is free and anything waits; when it comes back everything in it is durable, each link in it is told,
 * and one answer packet for each goes out. The shard never touches the store or a file (a key log,
 * which is for looking at captures, is written by whom run_key belongs to, in this thread).
 *
 * A link at rest is swept: its rows are checkpointed by a commit first, and only when that is durable its
 * memory is given back; a packet that comes meanwhile keeps the link. So whoever finds the key id not active
 * finds rows in the store that are not older than anything this shard ever said. Links that must go for other
 * reasons (no memory, too many without a proven run, no longer allowed) leave by the same way.
 *
 * pl_shard_step does all work that is due, in bounded portions, and never blocks. Nothing here is shared with
 * another shard: several can run beside each other.
 */
#ifndef PL_NODE_SHARD_H
#define PL_NODE_SHARD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "link/link.h"
#include "node/commit.h"
#include "node/contact.h"
#include "node/hash.h"
#include "node/net.h"
#include "node/resolver.h"
#include "node/timers.h"

enum {
    PL_SHARD_JOBS = 2,             /* one is filled while the other is committed */
    PL_SHARE = 8,                  /* a link may take so many times of a chunk what it leaves to others */
    PL_UNPROVEN_LINKS_MAX = 65536, /* links without a proven run */
    PL_ACTIVE_LINKS_MAX = 16777216
};

/* Where an active link is on its way out. */
enum pl_leaving {
    PL_STAYS,
    PL_LEAVES_NEXT, /* waits for the next commit */
    PL_LEAVES_NOW   /* its rows are in the commit that runs */
};

/* An active link. The timer comes first. */
struct pl_active {
    struct pl_timer timer;
    struct pl_link *link;
    struct pl_active *before, *after;             /* all active links */
    struct pl_active *due_next;                   /* those to be looked at before this step ends */
    struct pl_active *leave_before, *leave_after; /* those in PL_LEAVES_NEXT */
    uint64_t quiet_until_us;                      /* nothing is sent before: no route */
    uint32_t number, key_id, key_id_out;
    uint32_t unproven_at; /* index in the shard's unproven links, from 1; 0: proven */
    unsigned generation;  /* of the allow list when `shared` was last looked up */
    unsigned renewals;    /* of the shard's, when the link drew its run */
    unsigned chunk;       /* of the shard's, that taken_bytes is of */
    size_t taken_bytes;   /* delivered into that chunk */
    struct pl_active *wait_before, *wait_after; /* those that wait for room in the next chunk */
    uint8_t leaving;      /* enum pl_leaving */
    bool due, shared, denied, waits;
    uint8_t name_size;
    uint8_t name[];
};

/* What status tells of a shard. */
struct pl_shard_figures {
    size_t active, unproven, contacts;
    size_t memory_bytes; /* the engine's */
    uint64_t links_made, links_swept, links_evicted, links_denied;
    uint64_t resolver_ambiguous, resolver_damaged;
    uint64_t drops[PL_DROP_COUNT];
    struct pl_counters counters;
    struct pl_net_figures net;
    bool store_full;
    struct pl_text last_event; /* the last thing an operator should know; empty: none */
    uint64_t last_event_ms;
};

struct pl_shard_config {
    const struct pl_io *io;
    struct pl_net *net;         /* taken over */
    struct pl_sleeper *sleeper; /* of the shard's thread */
    struct pl_commit_edge *commit_edge;
    struct pl_committer *committer;           /* its flags are read */
    struct pl_resolver_edge **resolver_edges; /* one for each resolver; array borrowed */
    unsigned resolvers_n;
    const uint8_t *own_public; /* 32 B */
    struct pl_settings settings;
    size_t memory_max_bytes;     /* of the engine */
    size_t chunk_bytes;          /* of a commit: room for record_max_bytes and 256 KiB in a link's share */
    struct pl_sleeper *observer; /* notified when figures were published; may be NULL */
    void (*run_key)(void *ctx, const struct pl_run_key *key); /* as in pl_env */
    void *run_key_ctx;
};

struct pl_shard {
    struct pl_shard_config config;
    struct pl_env env;
    struct pl_net *net;

    struct pl_hash by_key_id, by_key_id_out, by_number;
    struct pl_active *all;
    struct pl_active *due, **due_end;
    struct pl_active *leave; /* first of those in PL_LEAVES_NEXT */
    size_t leave_n;
    uint64_t leave_by_us; /* when they go even if nothing else is to be committed */
    struct pl_active **unproven;
    size_t unproven_n, unproven_room;
    struct pl_timers timers;
    struct pl_contacts contacts;

    struct pl_job jobs[PL_SHARD_JOBS];
    struct pl_job *filling, *committing; /* committing: NULL when the committer is free */
    unsigned chunks;                     /* filled so far */
    struct pl_active *wait_first, *wait_last; /* links whose pieces found no room, longest waiting first */
    size_t wait_n;
    size_t links_peak;                   /* since memory was last given back to the system */
    bool broken;               /* a record found no room in the chunk: nothing may be said any more */
    atomic_bool failed;        /* broken, for other threads */
    atomic_bool was_published; /* set with each publication; the observer takes it back */

    unsigned generation;          /* allow list seen last */
    struct pl_active *check_next; /* walk over all links after a new list */
    struct pl_contact *check;     /* its question; NULL: none is out */
    bool check_out;
    struct pl_active *unrefuse_next; /* walk over all links after the store had room again */
    bool store_was_full;

    uint64_t tries_credit_us, last_us;
    uint64_t wall_offset_ms; /* wall clock less our own when last looked at */
    unsigned renewals;       /* times the machine may have been resumed from an image */
    bool stopping;
    uint8_t *batch_bytes; /* PL_BATCH_ROOM */

    pthread_mutex_t lock; /* of published */
    struct pl_shard_figures figures, published;
    bool changed; /* since they were published */
    uint64_t published_us;
};

/* Everything in config is borrowed but net, and outlives the shard. PL_OK, or PL_E_NO_MEMORY and nothing is
 * left to close but net. */
enum pl_error pl_shard_open(struct pl_shard *shard, const struct pl_shard_config *config);

/* Frees all links; what was not committed is given up (it was never called stored). No thread is in it, and
 * neither committer nor resolvers will push to it any more. */
void pl_shard_close(struct pl_shard *shard);

/* Does what is due. Returns when to call again at the latest; `now_us`: at once. Events before that: a
 * datagram, the sleeper. */
uint64_t pl_shard_step(struct pl_shard *shard, uint64_t now_us);

/* From now on nothing is received; what is in memory is committed and answered. */
void pl_shard_stop(struct pl_shard *shard);

/* Whether a stopped shard has nothing left to do. */
bool pl_shard_is_drained(const struct pl_shard *shard);

/* The shard's thread, about to sleep: whether one of its rings or flags has news. */
bool pl_shard_has_input(struct pl_shard *shard);

/* Any thread: a copy of the figures as of at most a second ago. */
void pl_shard_figures(struct pl_shard *shard, struct pl_shard_figures *out);

/* ---- for the shard's own files ------------------------------------------------------------------ */

/* shard_rx.c */
bool pl_shard_receive(struct pl_shard *shard, uint64_t now_us); /* true: there may be more */
bool pl_shard_take_answers(struct pl_shard *shard, uint64_t now_us);
void pl_shard_ask(struct pl_shard *shard, struct pl_contact *contact); /* contact->packet is set */

/* shard_tx.c */
void pl_shard_due(struct pl_shard *shard, struct pl_active *active);
void pl_shard_renew(struct pl_shard *shard, struct pl_active *active, uint64_t now_us);
void pl_shard_send_due(struct pl_shard *shard, uint64_t now_us);
void pl_shard_fire_timers(struct pl_shard *shard, uint64_t now_us);

/* shard_links.c */
struct pl_active *pl_shard_activate(struct pl_shard *shard, struct pl_contact *contact, uint64_t now_us);
void pl_shard_forget(struct pl_shard *shard, struct pl_active *active);
struct pl_active *pl_shard_find(const struct pl_shard *shard, uint32_t number);
void pl_shard_proven(struct pl_shard *shard, struct pl_active *active);

/* shard_sweep.c */
void pl_shard_leave(struct pl_shard *shard, struct pl_active *active, uint64_t now_us);
void pl_shard_stay(struct pl_shard *shard, struct pl_active *active);
void pl_shard_unlist(struct pl_shard *shard, struct pl_active *active);
bool pl_shard_evict_one(struct pl_shard *shard, uint64_t now_us);
void pl_shard_fill_sweeps(struct pl_shard *shard, struct pl_job *job);
void pl_shard_end_sweeps(struct pl_shard *shard, struct pl_job *job);
void pl_shard_check_allowed(struct pl_shard *shard);
void pl_shard_take_checked(struct pl_shard *shard, struct pl_contact *contact, uint64_t now_us);

/* shard_room.c */
void pl_shard_room(struct pl_shard *shard, struct pl_active *active); /* sets env.room_bytes for it */
void pl_shard_took(struct pl_shard *shard, struct pl_active *active, size_t bytes);
void pl_shard_wait(struct pl_shard *shard, struct pl_active *active); /* if its pieces found no room */
void pl_shard_unwait(struct pl_shard *shard, struct pl_active *active);
void pl_shard_serve_waiting(struct pl_shard *shard, uint64_t now_us); /* a chunk begins */

/* shard_sink.c */
extern const struct pl_sink pl_shard_sink;
void pl_shard_report(struct pl_shard *shard, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
