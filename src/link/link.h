/* The link engine: everything between an opened UDP datagram and a record in order, and back.
 *
 * What it is for. A link is two peers that allow each other. The engine holds the state of one
 * active link: the peer's runs and their replay windows, the streams it receives and the lives they
 * are made of, the streams it sends and what of them is in flight, the path, the clock of its one
 * back-off timer. It turns datagrams into deliveries (runs of whole records, in order, each once)
 * and turns durable records into datagrams.
 *
 * How the parts work together. The driver (a node's shard, a device's loop, the simulator) owns the
 * sockets, the clock, the store and the random source; it passes time, bytes and facts in and takes
 * datagrams, deadlines and deliveries out:
 *
 *     datagram   --> pl_link_receive --> sink.deliver (to a commit chunk), sink.event
 *                    (pl_link_send too delivers: what had waited for room in the chunk)
 *     commit end --> pl_link_committed (what is durable now may be called stored)
 *     records    --> pl_link_offer (only once they are durable in the outbox)
 *     time       --> pl_link_send (call until it returns 0) --> sealed datagrams for one path
 *     pl_link_deadline: when to call pl_link_send again; PL_NEVER at rest
 *
 * What it must never do: read a clock, a socket, a file or a random source; allocate but from the
 * caller's pool; say STORED before pl_link_committed; forget a record before STORED; seal two
 * packets with one nonce; call a sink back after pl_link_free. The sink must not call into the link
 * it was called for, except pl_link_user.
 *
 * One link is used by one thread at a time. Times are microseconds of one monotonic clock of the
 * caller (`now_us`), which must not go back.
 */
#ifndef PL_LINK_LINK_H
#define PL_LINK_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crypto/aead.h"
#include "crypto/secret.h"
#include "link/link_frames.h"
#include "link/link_limits.h"
#include "link/link_types.h"

#define PL_NEVER UINT64_MAX

struct pl_link;

/* Where a datagram came from and where its answer goes: opaque to the engine. The first half names
 * the peer's address (compared and bound into challenges), the second the local one it came to. */
enum { PL_SECRET_SIZE = 1 << 5 }; /* of the HMAC-SHA-256 key behind challenges, RFC 2104 */
enum { PL_ROUTE_HALF = 1 << 5, PL_ROUTE_SIZE = 2 * PL_ROUTE_HALF };
struct pl_route {
    uint8_t bytes[PL_ROUTE_SIZE];
};

/* The caller's pool. get returns `size` bytes aligned for any type, or NULL; put takes them back
 * with the same size. The engine keeps used_bytes and never asks beyond limit_bytes. */
struct pl_memory {
    void *(*get)(void *ctx, size_t size);
    void (*put)(void *ctx, void *p, size_t size);
    void *ctx;
    size_t used_bytes;
    size_t limit_bytes;
};

/* A run of whole records of one life, in order, each exactly once. `bytes` are framed
 * {size (i), record}... and lie in the engine's or the datagram's memory: valid during the call. */
struct pl_delivery {
    uint32_t stream;         /* local number of the receiving stream on this link */
    uint32_t life;
    uint64_t first_number;   /* of the first record in bytes */
    uint64_t first_offset;   /* of its size byte, in the life */
    uint32_t count;          /* records in bytes, >= 1 */
    struct pl_bytes bytes;
    const struct pl_frame_stream *begins; /* not NULL when this is the first record of its life */
};

/* A GAP that was taken: numbers heard + 1 to upto will never come. To be made durable as one row. */
struct pl_gap_taken {
    uint32_t stream;
    uint32_t life;
    uint64_t lost_from, upto; /* lost numbers, inclusive */
    uint64_t offset;          /* where record upto + 1 begins in that life */
    const struct pl_frame_stream *begins;
};

enum pl_event_type {
    PL_EVENT_STORED,      /* sending: everything of the stream up to `number` is stored at the peer */
    PL_EVENT_BEHIND,      /* sending: the peer holds only up to `number`, below what was freed: send
                             the rest again (pl_link_stream_place) or tell it is lost (pl_link_gap) */
    PL_EVENT_BEYOND,      /* sending: the peer holds up to `number`, above what was offered: go on
                             after it with pl_link_stream_place, at most at the end of `life` */
    PL_EVENT_FORKED,      /* sending: numbers above `number` of `life` must be given a new birth */
    PL_EVENT_REFUSED,     /* sending: refused with `code`; `number` as the spec says; detail */
    PL_EVENT_RESUMED,     /* sending: a refusal ended */
    PL_EVENT_REFUSING,    /* receiving: we refuse the stream, or a forked life, with `code` at `number` */
    PL_EVENT_LOST,        /* receiving: a GAP was taken, `number` is upto */
    PL_EVENT_MUTED,       /* the peer called a packet of ours malformed: silent for a while */
    PL_EVENT_UNREACHABLE, /* the back-off reached the link's idle time with records unstored */
    PL_EVENT_PATH,        /* the path moved or was validated: pl_link_route tells it */
    PL_EVENT_PEER_RUN     /* the peer's current run changed */
};

struct pl_event {
    enum pl_event_type type;
    uint32_t stream;   /* slot of the sending stream, or local number of the receiving one */
    uint32_t life;
    uint64_t number;
    uint64_t code;     /* enum pl_refusal */
    struct pl_bytes detail;
};

struct pl_sink {
    void (*deliver)(void *ctx, struct pl_link *link, const struct pl_delivery *delivery);
    void (*gap)(void *ctx, struct pl_link *link, const struct pl_gap_taken *gap);
    void (*event)(void *ctx, struct pl_link *link, const struct pl_event *event);
};

/* Settings of a driver; pl_env_defaults fills them from the spec's limits. */
struct pl_settings {
    size_t record_max_bytes;      /* larger records are refused (too large) */
    uint64_t idle_us;             /* a link at rest for so long may be swept */
    uint64_t poll_us;             /* device: PING when nothing was received for so long; 0 never */
    uint32_t run_packets;         /* packets a run may seal */
    uint64_t failures_max;        /* openings that fail before a run is ignored; 0: what its suite bears */
    size_t datagram_bytes;        /* UDP payload, at least PL_DATAGRAM_SIZE */
    size_t line_max_bytes;        /* bytes of one sending stream kept in memory: room for the largest record
                                     with its size field, or that record never leaves */
    uint64_t window_max_kib;      /* largest window announced for a receiving stream */
    size_t held_max_bytes;        /* out-of-order bytes of all links */
    size_t unproven_pool_bytes;   /* of these, for runs not yet proven */
    bool dormant_hourly;          /* node: the back-off of an unreachable link goes on to an hour */
    bool allow_new_streams;       /* false: a STREAM without a row is refused (unwanted) */
};

/* The key that packets of a run are sealed with, in one direction: for a key log, never for sealing. */
struct pl_run_key {
    bool own;        /* our packets; else the peer's */
    uint8_t epochs;  /* the header's second byte */
    uint32_t key_id; /* as in the header of its packets */
    uint64_t run;
    const struct pl_key *key; /* valid during the call */
};

/* What all links of one driver thread share. Owned by the caller; outlives its links. */
struct pl_env {
    struct pl_memory memory;
    struct pl_aead *aead;
    void (*random)(void *ctx, void *bytes, size_t size); /* wire-visible randomness */
    void *random_ctx;
    const struct pl_sink *sink;
    void *sink_ctx;
    /* NULL, or told each key: our own when its run begins, the peer's when its run is kept, so never for
     * packets that did not open. Must not call into the engine. */
    void (*run_key)(void *ctx, const struct pl_run_key *key);
    void *run_key_ctx;
    struct pl_settings settings;

    size_t room_bytes;         /* what sink.deliver can take now; the driver sets, the engine lowers */
    bool store_full;           /* the driver sets it: pieces are refused (store full) */
    bool paused;               /* likewise: refused (paused) */
    uint32_t tries_left;       /* runs that may be derived for packets of unknown ones; the driver sets, the
                                  engine lowers; UINT32_MAX: any number */

    /* kept by the engine */
    size_t held_bytes, unproven_held_bytes;
    uint8_t challenge_secret[2][PL_SECRET_SIZE];
    uint64_t challenge_since_us;
    uint64_t drops[PL_DROP_COUNT];
    struct pl_counters {
        uint64_t packets_in, packets_out, bytes_in, bytes_out;
        uint64_t records_delivered, repeats, pieces_left, pieces_held;
        uint64_t acks_in, acks_out, lost_packets, spurious_losses, probes, answers;
        uint64_t runs_made, runs_proven, forks, gaps, refusals, malformed, ack_lies;
    } counters;
};

/* Zeroes *env and fills settings from the spec's limits. */
void pl_env_defaults(struct pl_env *env);

struct pl_link_config {
    struct pl_secret secret;    /* copied */
    uint32_t key_id_in;         /* of packets to us */
    uint32_t key_id_out;        /* of our packets */
    uint8_t direction_out;      /* pl_secret_direction(own, peer) */
    uint8_t suite;              /* of our runs: PL_SUITE_* */
    bool follows_suite;         /* the peer's current run tells the suite of our later runs */
    const struct pl_route *configured; /* NULL, or an address that may always be sent to */
    const struct pl_route *last_valid; /* NULL, or the last validated one: a packet a back-off step */
    void *user;                 /* the driver's, see pl_link_user */
};

/* Activates a link: a fresh run is drawn. NULL when the pool is exhausted. */
struct pl_link *pl_link_new(struct pl_env *env, const struct pl_link_config *config, uint64_t now_us);

/* Wipes keys and gives all memory back. Nothing is called back. */
void pl_link_free(struct pl_link *link);

void *pl_link_user(const struct pl_link *link);

/* ---- receiving ---------------------------------------------------------------------------- */

/* One of the lives a receiving stream remembers. */
struct pl_lifespan {
    uint32_t tag;
    uint64_t first, last, end; /* numbers; end: offset in the life after its last record */
};

/* The row of a receiving stream as the store has it (spec section 5). */
struct pl_stream_row {
    uint32_t stream;        /* local number on this link */
    uint64_t birth;
    struct pl_bytes name;   /* copied */
    uint64_t heard;
    uint32_t life;          /* of `heard`, 0 before the first record */
    uint64_t offset;        /* where heard + 1 would begin in that life */
    unsigned lives_n;       /* <= PL_LIVES_REMEMBERED, oldest first */
    struct pl_lifespan lives[PL_LIVES_REMEMBERED];
};

/* Gives a link just made a row of the store; all rows of the link must be given before its first
 * packet. PL_E_NO_MEMORY when the pool is exhausted; PL_E_STORE_DAMAGED when the row contradicts itself. */
enum pl_error pl_link_load_row(struct pl_link *link, const struct pl_stream_row *row);

/* One datagram for this link: version and key id are checked by the caller. */
struct pl_packet {
    uint8_t *bytes;          /* opened in place */
    size_t size;
    struct pl_header header; /* decoded by the caller */
    struct pl_route route;
    uint8_t ecn;             /* codepoint 0..3 of the IP header */
};

/* Takes a datagram: opens, checks, applies; deliveries and events go to the sink. Returns
 * PL_DROP_NONE or why it was dropped (also counted in env->drops). */
enum pl_drop pl_link_receive(struct pl_link *link, struct pl_packet *packet, uint64_t now_us);

/* What a commit made durable: record `number` of `life`, whose end is `offset` in the life, of
 * the stream, and all before it. An answer is then due. */
void pl_link_committed(struct pl_link *link, uint32_t stream, uint32_t life, uint64_t number,
                       uint64_t offset, uint64_t now_us);

/* Whether pieces in hand that are next found no room (env->room_bytes). */
bool pl_link_is_stalled(const struct pl_link *link);

/* Takes such pieces as far as env->room_bytes goes. */
void pl_link_resume(struct pl_link *link, uint64_t now_us);

/* Ends a refusal for want of space or a pause: the peer is told by a STORED. */
void pl_link_unrefuse(struct pl_link *link, uint64_t now_us);

/* Visits the receiving streams as they are in memory. Returns false when index is past the end.
 * row->name borrows from the link. `committed` is the number called stored. */
bool pl_link_row(const struct pl_link *link, unsigned index, struct pl_stream_row *row,
                 uint64_t *committed);

/* ---- sending ------------------------------------------------------------------------------- */

/* Where a record begins: its number, the life it was given in, its offset there. */
struct pl_place {
    uint64_t number;
    uint32_t life;
    uint64_t life_first;   /* first number of the life */
    uint32_t life_before;  /* 0 at birth */
    uint64_t offset;
};

/* Adds a sending stream whose next unstored record is at `from`. On success *slot names it until
 * pl_link_stream_remove. PL_E_NO_MEMORY, PL_E_LIMIT (too many), PL_E_NAME. */
enum pl_error pl_link_stream_add(struct pl_link *link, uint64_t birth, struct pl_bytes name,
                                 const struct pl_place *from, uint32_t *slot);

void pl_link_stream_remove(struct pl_link *link, uint32_t slot);

/* Goes on from `place` (after PL_EVENT_BEHIND, BEYOND, or a drop): what the line held is given up. */
void pl_link_stream_place(struct pl_link *link, uint32_t slot, const struct pl_place *place);

/* Bytes pl_link_offer would take now. */
size_t pl_link_room(const struct pl_link *link, uint32_t slot);

/* Offers framed bytes that are durable in the outbox and follow, in the birth, those offered
 * before. A new life starts at the first byte if `life` differs from the last offer's. Returns how
 * many were taken: all, or fewer when the line or the lives in flight are full, or none when enough waits
 * in the line: offer the rest after the next pl_link_send or PL_EVENT_STORED. Bytes are copied. */
size_t pl_link_offer(struct pl_link *link, uint32_t slot, uint32_t life, uint64_t life_first,
                     uint32_t life_before, struct pl_bytes bytes);

/* Says that record `number` begins where the bytes offered so far end. It need not be said: it saves finding
 * the place of a stored number by walking over the size fields of all records before it. */
void pl_link_mark(struct pl_link *link, uint32_t slot, uint64_t number);

/* Tells the peer that numbers up to `upto` (of `life`) are no longer held; `offset` is where
 * upto + 1 begins in that life or the life ends. Goes with each probe until STORED reaches it. */
void pl_link_gap(struct pl_link *link, uint32_t slot, uint32_t life, uint64_t life_first,
                 uint32_t life_before, uint64_t upto, uint64_t offset);

/* A batch of sealed datagrams for one path: `count` of them, each `segment` bytes but the last. */
struct pl_batch {
    uint8_t *bytes;        /* the caller's, room_bytes long, at least PL_BATCH_ROOM */
    size_t room_bytes;
    size_t size;           /* all bytes */
    size_t segment;
    unsigned count;
    struct pl_route route;
};

enum { PL_BATCH_ROOM = 65507 }; /* largest UDP payload over IPv4, RFC 768 and RFC 791 */

/* Builds what may go now. Call until it returns 0. */
unsigned pl_link_send(struct pl_link *link, uint64_t now_us, struct pl_batch *batch);

/* The driver could not send the last batch (no route): nothing of it counts as in flight. */
void pl_link_unsent(struct pl_link *link, uint64_t now_us);

/* The earliest time at which pl_link_send has something to do; PL_NEVER at rest. */
uint64_t pl_link_deadline(const struct pl_link *link);

/* A new address for the peer was configured or resolved. */
void pl_link_configure(struct pl_link *link, const struct pl_route *route);

/* The machine may have been resumed from an image: draws a fresh run. The caller draws new lives. */
void pl_link_renew(struct pl_link *link, uint64_t now_us);

/* ---- rest ------------------------------------------------------------------------------------ */

/* Nothing of ours is unstored, and nothing delivered is uncommitted. */
bool pl_link_settled(const struct pl_link *link);

/* When the link may be swept if nothing happens until then; PL_NEVER while it is not settled. */
uint64_t pl_link_rests_at(const struct pl_link *link);

/* Whether a run of the peer was proven in this activation: links without one are the first to be
 * evicted when memory is short. */
bool pl_link_is_proven(const struct pl_link *link);

/* The path answers go to; false when there is none yet. `validated` may be NULL. */
bool pl_link_route(const struct pl_link *link, struct pl_route *route, bool *validated);

/* Consecutive timeouts without an answer: the driver resolves names again after three. */
unsigned pl_link_silent_timeouts(const struct pl_link *link);

/* Figures for status. */
struct pl_link_figures {
    uint64_t srtt_us, cwnd_bytes, in_flight_bytes, unstored_bytes;
    unsigned runs, receiving, sending;
    const char *state;
};
void pl_link_figures(const struct pl_link *link, struct pl_link_figures *out);

#endif
