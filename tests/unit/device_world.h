/* device_world.h: a world for tests of a device: virtual time, a network of two queues, and a node of the
 * engine itself on the other side that calls everything stored that it was given.
 *
 * Nothing in it waits: world_run moves time to whatever is due next. */
#ifndef PL_TESTS_DEVICE_WORLD_H
#define PL_TESTS_DEVICE_WORLD_H

#include "device/parts.h"

enum { WORLD_QUEUE = 4096, WORLD_RECORDS = 200000 };

struct world_packet {
    size_t n;
    uint8_t bytes[1500];
};

struct world_queue {
    struct world_packet *items;
    size_t head, tail;
};

struct world {
    struct pl_io io;
    uint64_t now_us;
    int64_t wall_offset_ms;
    uint64_t random_state;
    unsigned sockets_open, wakes;
    enum pl_send_result send_result;  /* of the next sends */
    enum pl_error open_result;        /* of the next sockets */
    struct pl_address last_peer;      /* of the last datagram sent */
    unsigned packets_out, packets_in; /* as the device sees them */
    struct world_queue to_node, to_device;
    bool node_off; /* the node neither hears nor answers */

    struct pl_env env;
    struct pl_aead *aead;
    struct pl_link *node;
    struct pl_link_config node_config;
    uint8_t *stored; /* records as the node stored them: {u32 size, bytes}... */
    size_t stored_bytes;
    uint64_t stored_records, gaps, gap_numbers, commits;
    struct {
        uint32_t stream, life;
        uint64_t number, offset;
    } due[64]; /* deliveries not committed yet */
    unsigned due_n;

    uint8_t device_key[32], node_key[32], node_public[32];
    char dir[64];
    struct pl_device_config config;
    struct pl_device *device;
};

/* A world with a device opened over a fresh outbox and a node that waits for it. Fails the test if it cannot.
 */
struct world *world_new(void);
void world_free(struct world *w);

/* Closes the device as a kill would leave it, and opens it again over the same outbox. */
void world_restart_device(struct world *w);

/* The node forgets its link, as after a sweep; its rows are given back when it is made again (keep_rows) or
 * not. */
void world_restart_node(struct world *w, bool keep_rows);

/* Puts `n` records "PREFIX NUMBER" of a stream and commits them. */
void world_give(struct world *w, const char *stream, const char *prefix, unsigned n);

/* Steps device and node, moving time on, until the device holds nothing or so much time went by. True if all
 * is stored. */
bool world_run(struct world *w, uint64_t for_us);

/* One exchange without moving time. */
void world_exchange(struct world *w);

/* Whether the node stored exactly the records "PREFIX 0" to "PREFIX n - 1" in this order, and nothing else.
 */
bool world_stored_are(const struct world *w, const char *prefix, unsigned n);

#endif
