/* The whole-product simulation: the code of node and device as it is, over an I/O table of our own and real
 * LMDB files, in one thread of one process.
 *
 * A host (the node, each device) runs until it is killed: a countdown of its I/O calls, those of the table
 * and those LMDB makes, ends in a longjmp out of whatever it was doing. Its directory is copied as it is at
 * that moment, or as a power cut leaves it, everything in memory is abandoned, and the host starts again from
 * the copy. A seed runs in a process of its own, so what was abandoned lasts as long as the seed. */
#ifndef PL_SIM_PRODUCT_H
#define PL_SIM_PRODUCT_H

#include "device/device.h"
#include "io/io.h"
#include "node/node.h"
#include "sim/net.h"
#include "sim/sim.h"
#include "store/inspect.h"

enum {
    PRODUCT_DEVICES = 5,
    PRODUCT_STREAMS = 4,
    PRODUCT_RESOLVERS = 2,
    PRODUCT_HOSTS = 1 + PRODUCT_DEVICES,
    PRODUCT_BATCH = 64, /* records of one transaction */
    PRODUCT_PATH = 256,
    PRODUCT_NODE_ADDRESS = 1,
    PRODUCT_DEVICE_ADDRESSES = 1000
};

/* ---- what a seed decides (product_plan.c) */

enum product_action {
    PRODUCT_GIVE,
    PRODUCT_KILL_NODE,
    PRODUCT_KILL_DEVICE,
    PRODUCT_REBIND,
    PRODUCT_REPLAY,
    PRODUCT_BLACK_OUT,
    PRODUCT_RESUME_DEVICE, /* the wall clock jumps, as after a resume from an image */
    PRODUCT_CLOSE_DEVICE,  /* ended in good order and opened again */
    PRODUCT_CLOSE_NODE,
    PRODUCT_RELOAD,        /* the allow list is given in again */
    PRODUCT_BAD_DISK,      /* a host's disk fails for a while */
    PRODUCT_ACTIONS
};

struct product_plan {
    struct net_settings net;
    unsigned devices, streams, actions, weights[PRODUCT_ACTIONS];
    unsigned batch_max;
    size_t record_min, record_max, record_large;
    uint64_t active_us, idle_us, poll_us;
    uint64_t actor_delay_us;    /* how long the parts of a node wait for their turn at most */
    unsigned send_fault;        /* permille of sends that do not go as hoped */
    unsigned nights;            /* permille of actions that hours pass after */
    unsigned kill_calls;        /* a kill strikes within so many I/O calls */
    unsigned power_cuts;        /* permille of kills that are power cuts */
    uint8_t suite;
};

void product_plan(struct product_plan *plan);
const char *product_action_name(enum product_action action);

/* ---- hosts (product_host.c) */

struct sim_socket;

/* What a disk does wrong, and the calls that it can be wrong at. */
enum disk_fault {
    DISK_READS_FAIL,
    DISK_WRITES_FAIL,
    DISK_FLUSHES_FAIL,
    DISK_FULL,
    DISK_WRITES_SHORT,
    DISK_FAULTS
};

enum disk_call { DISK_READ = 1, DISK_WRITE = 2, DISK_CREATE = 4, DISK_FLUSH = 8 };

struct host {
    unsigned index;             /* 0: the node */
    bool up;
    uint64_t restart_us;        /* when it comes up again, while down */
    uint32_t address;           /* as the network sees it: NAT may change it */
    int64_t wall_jump_ms;
    char dir[PRODUCT_PATH];
    unsigned generation;        /* of the directory */
    uint64_t kill_in;           /* I/O calls until it dies; 0: it does not */
    enum disk_fault disk_fault; /* until disk_until_us, at so many of 1,000 calls */
    unsigned disk_permille;
    uint64_t disk_until_us;
    bool troubled;              /* its disk failed since it started */
    uint64_t poke_us;           /* a socket takes datagrams again */
    struct pl_io io;
    struct sim_socket *socket;  /* the one bound last */
    jmp_buf killed;
};

extern struct host hosts[PRODUCT_HOSTS];

/* Runs work(arg) as that host. False: it was killed. */
bool host_run(struct host *host, void (*work)(void *arg), void *arg);

/* Who runs now; NULL: none. */
struct host *host_running(void);

/* A call that can be the host's last. */
void host_call(void);

/* A host starts, and may be killed at that. */
void host_start(struct host *host);

/* After a kill: the directory as it is now, or as a power cut leaves it, becomes the host's. */
void host_crash(struct host *host);

/* The host's disk fails for a while, in one way. */
void host_fail_disk(struct host *host);

/* ---- the I/O table (product_io.c) */

extern const struct pl_io product_io;
void product_io_begin(void);
void product_deliver(struct host *host, const struct net_packet *packet);
bool product_waits(const struct host *host);
/* Numbers of the network as addresses, and back. */
struct pl_address product_address(uint32_t number);
uint32_t product_number(const struct pl_address *address);

/* ---- the disk (product_disk.c) */

/* Makes the directory of the run, below the memory file system where there is one. */
void disk_begin(char *root, size_t room);
void disk_end(const char *root);
void disk_copy(const char *from, const char *to);
/* Unlocks what the host that was killed held: the kernel does that for a process. */
void disk_release_locks(void);

/* ---- what of it lasts (product_cache.c) */

void cache_begin(void);
/* Whether LMDB's file in the host's directory was seen being written: else its calls do not pass here. */
bool cache_sees(const struct host *host);
/* n bytes were written. */
void cache_write(const struct host *host, int fd, const void *bytes, size_t n, size_t at);
void cache_truncate(const struct host *host, int fd, size_t n);
/* A file or directory was flushed; a flush that fails leaves part on the disk and all of it clean. */
void cache_flush(const struct host *host, int fd, bool fails);
void cache_flush_range(const struct host *host, int fd, size_t n, size_t at, bool fails);
/* What a power cut leaves of the host's directory, in a new one; that may not come to be. */
void cache_cut(const struct host *host, const char *to);
/* The files were copied; the copies take their place. */
void cache_moved(const char *from, const char *to);
/* Pages that a failed flush left clean are read again from the disk, some of them. */
void cache_forget(const struct host *host);

/* ---- devices and the node */

struct pledge {
    uint64_t *ids;               /* given, number 1 first */
    uint64_t given, room;        /* durable in the outbox */
    uint64_t pending;            /* in a transaction that may or may not have come to pass */
    uint64_t stored;             /* durable at the node */
};

struct product_device {
    struct host *host;
    struct pl_device *device;
    uint64_t due_us;
    uint8_t private_key[32], public_key[32];
    struct pledge pledges[PRODUCT_STREAMS];
};

struct product_node {
    struct host *host;
    struct pl_node *node;
    struct pl_reader *reader;
    struct pl_tail *tail;
    uint64_t actor_due_us[2 + PRODUCT_RESOLVERS]; /* shard, store, resolvers */
    uint8_t private_key[32], public_key[32];
    struct pl_reload reload;
    struct pl_allowed allowed[PRODUCT_DEVICES];
    bool reloading;
};

struct product {
    struct product_plan plan;
    char root[PRODUCT_PATH];
    struct sim_rng wire, script, content, faults, order, disk;
    struct product_device devices[PRODUCT_DEVICES];
    struct product_node node;
    bool calm;
};

extern struct product product;

void product_run(void);

/* The parts of a run: a world with that plan (NULL: the seed's), and time passing in it. */
void product_begin(const struct product_plan *plan);
void product_run_until(uint64_t until_us);
void product_end(void);

/* product_device.c */
void product_device_open(struct product_device *device);
void product_device_step(struct product_device *device);
void product_device_give(struct product_device *device);
void product_device_close(struct product_device *device);

/* product_node.c */
void product_node_open(void);
void product_node_step(void);
void product_node_poke(void);
void product_node_close(void);
void product_node_reload(void);
uint64_t product_node_due_us(void);

/* product_judge.c */
void product_given(struct product_device *device, unsigned stream, uint64_t id);
void product_committed(struct product_device *device);
/* Nothing of the pending transaction came to pass. */
void product_take_back(struct product_device *device);
/* After a start: what the outbox holds says which of the pending transaction came to pass. */
void product_settle_pending(struct product_device *device);
void product_check_device(struct product_device *device);
/* Reads what is new in the node's log. */
void product_check_store(void);
/* Reads all of it again, after a start. */
void product_check_store_again(void);
void product_check_memory(void);
bool product_all_stored(char *why, size_t room);

#endif
