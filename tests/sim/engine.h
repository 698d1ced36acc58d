/* The engine-level simulation: real links over the simulated network; outbox and store are models in memory
 * that keep exactly what the contract of link.h asks of a driver.
 *
 * A device's outbox and a node's rows can be copied and put back: that is how restored and cloned disks are
 * played. What a device believes and what a node has durable goes to the judge at once. */
#ifndef PL_SIM_ENGINE_H
#define PL_SIM_ENGINE_H

#include "link/link.h"
#include "sim/judge.h"
#include "sim/net.h"

enum { ENGINE_DEVICES = 6, ENGINE_STREAMS = 24, ENGINE_NODE_ADDRESS = 1, ENGINE_DEVICE_ADDRESSES = 100 };

/* ---- memory with an account, and now and then none (engine_pool.c) */

struct pool {
    size_t limit_bytes;
    unsigned failures; /* permille */
    struct sim_rng rng;
};

void pool_attach(struct pool *pool, struct pl_memory *memory, size_t limit_bytes, const char *concern);

/* ---- a device's outbox (engine_outbox.c) */

struct out_record {
    uint64_t id, offset;
    uint32_t life;
};

struct out_life {
    uint32_t tag, before;
    uint64_t first;
};

/* One birth of a stream. Numbers up to freed were stored at the peer; up to trimmed they are gone. */
struct out_birth {
    uint64_t birth;
    unsigned stream;
    struct out_record *records; /* number 1 first */
    size_t records_n, records_room;
    struct out_life *lives;
    size_t lives_n;
    uint64_t end;               /* offset after the last record, in the newest life */
    uint64_t freed, trimmed;
};

struct outbox {
    struct out_birth *births; /* of all streams, in order of age */
    size_t births_n;
    uint64_t last_id[ENGINE_STREAMS];
};

void outbox_free(struct outbox *outbox);
void outbox_copy(struct outbox *to, const struct outbox *from);
void outbox_crash(struct outbox *outbox);
void outbox_trim(struct outbox *outbox);
/* The newest birth of a stream, made if there is none. */
struct out_birth *outbox_newest(struct outbox *outbox, unsigned stream, struct sim_rng *rng);
/* The oldest birth of a stream that holds a record, or NULL. */
struct out_birth *outbox_oldest_held(struct outbox *outbox, unsigned stream);
bool outbox_holds(const struct outbox *outbox);
/* Adds a record to a birth. new_life: it begins one. */
void outbox_put(struct out_birth *birth, uint64_t id, bool new_life, struct sim_rng *rng);
const struct out_life *outbox_life(const struct out_birth *birth, uint32_t tag);
uint64_t outbox_last_of_life(const struct out_birth *birth, uint32_t tag);
/* Numbers up to `number` are stored; the judge is told of each. */
void outbox_stored(struct out_birth *birth, uint64_t number);
/* REFUSED(forked, life, last). Returns whether anything was given again. */
bool outbox_forked(struct outbox *outbox, struct out_birth *birth, uint32_t life, uint64_t last,
                   struct sim_rng *rng);
/* Where record `number` begins; one past the last: the end. */
struct pl_place outbox_place(const struct out_birth *birth, uint64_t number);

/* ---- what a seed decides (engine_plan.c) */

enum engine_action {
    ACT_GIVE,
    ACT_KILL_NODE,
    ACT_KILL_DEVICE,
    ACT_SWEEP_NODE,
    ACT_SWEEP_DEVICE,
    ACT_REBIND,
    ACT_REPLAY,
    ACT_RENEW,
    ACT_BLACK_OUT,
    ACT_STORE_FULL,
    ACT_STORE_ROOM,
    ACT_PAUSE,
    ACT_GO_ON,
    ACT_RESTORE_DEVICE,
    ACT_CLONE_DEVICE,
    ACT_RESTORE_NODE,
    ACT_ROLL_BACK,        /* a snapshot, records on their way, the snapshot put back */
    ACT_SNAPSHOT_DEVICE,
    ACT_SNAPSHOT_NODE,
    ACT_TRIM,
    ACT_COUNT
};

struct engine_plan {
    struct net_settings net;
    unsigned devices, streams, gives, weights[ACT_COUNT];
    unsigned burst_max;         /* records of one give */
    size_t record_min, record_max, record_large; /* large: one in some */
    uint64_t active_us;
    uint64_t commit_min_us, commit_max_us;
    size_t chunk_bytes;
    size_t node_limit_bytes, device_limit_bytes;
    unsigned pool_failures;
    uint32_t run_packets;
    size_t record_limit, datagram_bytes, line_bytes;
    uint64_t window_max_kib;
    unsigned nights;            /* permille of actions that hours pass after */
    bool ordered_gap_free;      /* no node went back in time: a GAP is wrong */
    size_t held_max_bytes, unproven_pool_bytes; /* 0: as the product has it */
    unsigned lying;             /* bits by link: neither side of it is bound to the protocol */
    uint8_t suite;
};

void engine_plan(struct engine_plan *plan);
const char *engine_action_name(enum engine_action action);

/* ---- a device (engine_device.c) */

struct feed {
    bool in_link;
    uint32_t slot;
    uint64_t birth;         /* of the stream in the link */
    uint64_t number;        /* of the record to be offered next, */
    size_t at;              /* from this byte of its framing on */
    unsigned notes;         /* bits by enum pl_event_type */
    uint64_t stored, behind, beyond, forked;
    uint32_t beyond_life, forked_life;
};

struct device {
    unsigned index;         /* link of the node that it uses */
    bool used;
    uint32_t address;
    uint64_t retry_us;      /* when to try again to make a link */
    struct pl_env env;
    struct pool pool;
    struct pl_link *link;
    struct outbox disk, snapshot;
    uint64_t snapshot_ids;
    bool has_snapshot;
    bool life_open[ENGINE_STREAMS];
    struct feed feeds[ENGINE_STREAMS];
};

/* ---- a node (engine_node.c, engine_commit.c) */

struct node_row {
    struct pl_stream_row row;
    uint8_t name[PL_NAME_MAX];
};

struct node_rows {
    struct node_row *rows;
    size_t n;
};

/* A delivery or a GAP on its way into the log. */
struct node_entry {
    unsigned link;
    bool is_gap, begins;
    uint32_t stream, life;
    uint64_t first_number, first_offset, count;
    uint64_t upto, gap_offset;
    uint64_t birth, life_first;
    uint8_t name[PL_NAME_MAX];
    size_t name_n, n;
    uint8_t *bytes;
};

struct node_chunk {
    struct node_entry *entries;
    size_t n, room;
};

struct node_link {
    struct pl_link *link;
    struct node_rows rows, snapshot;
};

struct node {
    struct pl_env env;
    struct pool pool;
    struct node_link links[ENGINE_DEVICES];
    struct node_chunk filling, committing;
    uint64_t commit_end_us; /* SIM_NEVER: none under way */
    uint64_t *logged;       /* ids in the order of the log */
    size_t logged_n, logged_room, snapshot_logged_n;
    bool has_snapshot;
};

struct engine {
    struct engine_plan plan;
    struct pl_aead *aead;
    struct sim_rng wire, script, content, faults;
    struct device devices[ENGINE_DEVICES];
    struct node node;
    struct pl_link_config device_side[ENGINE_DEVICES], node_side[ENGINE_DEVICES];
    uint8_t *batch_bytes;
    struct device *rolled;  /* goes back to its snapshot at roll_us */
    uint64_t roll_us;
    unsigned roll_stream;
    bool calm;
};

extern struct engine engine;

/* Runs one seed; ends through sim_fail when something is wrong (engine_run.c). */
void engine_run(void);

/* The world of a plan (engine_loop.c). Its aead and batch_bytes stay as they are and must be there. */
void engine_begin(const struct engine_plan *plan);
void engine_end(void);
/* When something is due next, SIM_NEVER: nothing is. */
uint64_t engine_due_us(void);
/* Does what is due now; engine_work: lets all that are there send and feed. */
void engine_step(void);
void engine_work(void);
/* Whether nothing of what this link's records become is judged. */
bool engine_lies(unsigned link);
/* No more faults from now on. */
void engine_heal(void);

void device_begin(struct device *device, unsigned index, unsigned link);
void device_end(struct device *device);
void device_give(struct device *device, unsigned stream, unsigned records);
/* One record of n bytes. */
void device_give_one(struct device *device, unsigned stream, size_t n);
void device_kill(struct device *device);
void device_sweep(struct device *device);
void device_receive(struct device *device, struct net_packet *packet);
void device_work(struct device *device);
uint64_t device_due_us(const struct device *device);
void device_renew(struct device *device);
void device_snapshot(struct device *device);
void device_restore(struct device *device);
void device_clone(struct device *from, struct device *to, unsigned index);

void node_begin(void);
void node_end(void);
void node_kill(void);
void node_sweep(unsigned link);
void node_receive(struct net_packet *packet);
void node_work(void);
uint64_t node_due_us(void);
void node_snapshot(void);
void node_restore(void);
void node_store_full(bool full);
void node_pause(bool paused);
extern const struct pl_sink node_sink;
void node_rows_copy(struct node_rows *to, const struct node_rows *from);

/* engine_commit.c */
void chunk_drop(struct node_chunk *chunk);
/* Begins the next commit if none is under way and there is something to commit. */
void commit_start(void);
void commit_end(void);
void commit_apply(const struct node_chunk *chunk);

/* Common to both sides (engine_io.c). */
struct pl_route engine_route(uint32_t peer, uint32_t local);
uint32_t engine_route_peer(const struct pl_route *route);
void engine_random(void *ctx, void *bytes, size_t n);
void engine_settings(struct pl_env *env);
enum pl_drop engine_receive(struct pl_link *link, struct net_packet *packet);
/* Sends all that may go now. from: the local address. */
void engine_pump(struct pl_link *link, uint32_t from);

#endif
