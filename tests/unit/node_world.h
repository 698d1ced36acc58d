/*
 * A node in a world of its own: its I/O table is a network, a clock and a random source kept here, its store
 * a fresh folder, and its peers are link engines without an outbox. One thread, one seed, no waiting.
 */
#ifndef TESTS_UNIT_NODE_WORLD_H
#define TESTS_UNIT_NODE_WORLD_H

#include "io/io.h"
#include "link/link.h"

#include "node/node.h"
#include "store/inspect.h"

enum { NW_DEVICES = 8, NW_DATAGRAMS = 4096 };

struct nw_datagram {
    struct pl_address from, to;
    size_t n;
    uint8_t bytes[2048];
};

struct nw_queue {
    struct nw_datagram *items;
    size_t n, taken;
    bool drops; /* what finds it full is lost, as at a socket; else it must not be full */
};

struct nw;

/* A peer: an engine that sends one stream. */
struct nw_device {
    struct nw *world;
    uint8_t private_key[32], public_key[32];
    char name[32];
    struct pl_address address;
    uint32_t key_id; /* of its packets; 0: the right one */
    struct pl_env env;
    struct pl_link *link;
    uint32_t slot, life, life_before;
    uint64_t birth, given, stored, life_first;
    uint64_t refused_code, resumed;
    unsigned sent, received; /* datagrams */
};

struct nw {
    struct pl_io io;
    struct pl_node *node; /* NULL while it is down */
    struct pl_node_config config;
    uint8_t node_key[32], node_public[32];
    char dir[64];
    uint64_t now_us, random_state;
    int64_t wall_moved_ms;
    struct pl_address listen;
    struct nw_queue to_node, from_node, seen; /* seen: everything ever sent to the node */
    bool refuse_sends;                        /* udp_send says AGAIN */
    bool unreachable;
    unsigned wakes;
    struct pl_udp_counters counters;
    struct nw_device devices[NW_DEVICES];
    size_t devices_n;
};

/* A node with an open store in a new folder. configure (may be NULL) changes the configuration first. */
struct nw *nw_new(void (*configure)(struct pl_node_config *config));
void nw_free(struct nw *w);

/* Ends the node as SIGTERM would, or as kill -9 would; nw_start opens it again. */
void nw_stop(struct nw *w);
void nw_kill(struct nw *w);
void nw_start(struct nw *w);

/* Adds a peer with a key of its own; it is allowed with the next nw_allow. */
struct nw_device *nw_device(struct nw *w, const char *name);

/* Imports the first n devices as allow list. */
void nw_allow(struct nw *w, size_t n);

/* Makes a device's engine anew, as after a restart with everything stored up to d->stored. */
void nw_activate(struct nw_device *d);
void nw_rest(struct nw_device *d);

/* Gives n records "NAME NUMBER" of the device's stream "log". */
void nw_give(struct nw_device *d, unsigned n);

/* Runs node and devices, packets delivered at once, until nothing is to be done before `until_us`. */
void nw_run(struct nw *w, uint64_t until_us);

/* One moment as it is when the disk is slow: devices send, the node receives and answers, and the store's
 * thread does its part only if `store`. Past packets are not kept for nw_replay. */
void nw_step(struct nw *w, bool store);

/* Same until the device has all stored, or 60 virtual seconds passed; true: it has. */
bool nw_run_until_stored(struct nw *w, struct nw_device *d);

/* Puts a datagram of the past before the node again. */
void nw_replay(struct nw *w, size_t i);

/* Records of the device in the store, in order and each right: how many; -1 if one is not. */
int nw_stored(struct nw *w, const struct nw_device *d);

#endif
