/* parts.h: the state of a device and what its files offer each other; for src/device alone. */
#ifndef PL_DEVICE_PARTS_H
#define PL_DEVICE_PARTS_H

#include <stdatomic.h>

#include "device/allowance.h"
#include "device/device.h"
#include "device/resolve.h"
#include "io/io.h"
#include "link/link.h"
#include "store/outbox.h"

enum {
    PL_DEVICE_LINK = 0,                  /* number of the one link in the outbox */
    PL_DEVICE_LIVES = 32,                /* lives of a stream that fit the stack */
    PL_DEVICE_MEMORY = 16 * 1024 * 1024, /* the most the engine may take */
    PL_DEVICE_READ = 64 * 1024           /* bytes read from the outbox at a time */
};

/* What the engine said of a stream and was not dealt with yet. */
enum { PL_NOTE_STORED = 1, PL_NOTE_BEHIND = 2, PL_NOTE_BEYOND = 4, PL_NOTE_FORKED = 8 };

/* A line (a name) of the outbox on its way into the engine: the oldest birth of it that holds a record. */
struct pl_feed {
    bool used;      /* the rest counts */
    bool in_link;   /* `slot` is one of the link's */
    bool held;      /* the outbox holds something of it */
    bool gap_waits; /* damaged records come next: told once all before is stored */
    bool newest;    /* records are given to this birth */
    bool dropped;   /* the operator gave records up: to be told as soon as the stream is in the link */
    uint32_t line, stream, slot;
    uint64_t position;   /* next to read from the outbox */
    uint64_t end;        /* of what is committed */
    uint64_t next;       /* number the next record will have */
    uint64_t first_held; /* number: all below is stored, though the outbox may still have it */
    uint64_t gap_upto;   /* told as lost up to this number */
    struct pl_held damage;

    unsigned notes;  /* PL_NOTE_ bits */
    uint64_t stored; /* of PL_NOTE_STORED */
    uint64_t behind;
    uint64_t beyond;
    uint32_t beyond_life;
    uint64_t forked;
    uint32_t forked_life;
    uint64_t fork_at_us; /* when a fork may be tried (again) */

    uint64_t refused_code; /* 0: not refused */
    uint8_t detail_size;
    uint8_t detail[PL_DETAIL_MAX];

    unsigned known_n; /* lives of it met while feeding, for a GAP after they left the outbox */
    struct pl_known_life {
        uint32_t tag, before;
        uint64_t first;
    } known[PL_LIVES_REMEMBERED];
};

struct pl_device {
    const struct pl_io *io;
    struct pl_outbox *outbox;
    struct pl_aead *aead;
    struct pl_link *link; /* NULL at rest */
    struct pl_wake *wake;
    struct pl_udp *sockets[2]; /* IPv4, IPv6; opened at need */
    struct pl_name_lookup *resolver;
    struct pl_env env;
    struct pl_link_config link_config;

    struct pl_address addresses[PL_ADDRESS_RESOLVE_MAX];
    size_t addresses_n, address;
    struct pl_route node_route; /* to the address in use */
    uint64_t look_up_at_us;     /* PL_NEVER: not due */
    uint64_t look_up_pause_us;  /* after the last failure */
    unsigned silent_seen;       /* silent timeouts when the address was last changed */

    uint32_t put_line; /* of put_name, while put_name_size > 0 */
    uint64_t put_records;
    uint64_t offered_bytes; /* to the engine, ever */
    uint64_t trimmed_bytes; /* of these, stored when the outbox was last trimmed */
    struct pl_feed feeds[PL_STREAMS_MAX];

    struct pl_batch batch; /* sealed, not taken by the kernel yet while batch.size > 0 */
    size_t batch_at;
    uint64_t hold_until_us; /* no sending before */
    uint64_t hold_us;       /* the pause after the last failure */

    struct pl_allowance allowance;  /* of activations */
    int64_t clock_offset_ms;        /* wall minus monotonic */
    struct pl_device_status counts; /* the counters of it, last_error and last_reason */
    struct pl_datagram datagrams[PL_IO_RECEIVE_MAX];

    atomic_bool stop;
    bool looking_up;
    bool changed; /* the outbox holds other streams or more than the feeds know */
    bool in_transaction;
    bool new_life_due; /* as soon as no transaction is open */
    bool trim_due;     /* the outbox was full: whatever is freed is trimmed */
    bool blocked;      /* the socket said AGAIN */
    bool clock_known;  /* clock_offset_ms counts */
    bool failed;       /* the outbox must be opened again */
    bool unreachable;
    uint8_t put_name_size;
    uint8_t put_name[PL_NAME_MAX];
    uint8_t buffer[PL_DEVICE_READ];
    uint8_t batch_bytes[PL_BATCH_ROOM];
};

/* Remembers what went wrong for the status. */
void pl_device_report(struct pl_device *d, enum pl_error error, const struct pl_text *why);

/* net.c: sockets. An address in use is one the engine was told of; an error was reported. */
enum pl_error pl_device_use_address(struct pl_device *d, const struct pl_address *address);
size_t pl_device_receive(struct pl_device *d, uint64_t now_us);
bool pl_device_send(struct pl_device *d, uint64_t now_us);
void pl_device_close_sockets(struct pl_device *d);

/* names.c: addresses of the node. */
void pl_device_look_up(struct pl_device *d, uint64_t now_us);
void pl_device_after_silence(struct pl_device *d, uint64_t now_us);

/* events.c: what the engine said. Settling deals with the notes, outside of the sink. */
extern const struct pl_sink pl_device_sink;
void pl_device_settle(struct pl_device *d, uint64_t now_us);
void pl_device_trim(struct pl_device *d);
uint64_t pl_device_stored_bytes(const struct pl_device *d); /* of what was offered, about */

/* feed.c: outbox to engine. sync follows the streams of the outbox, refresh one of them; reopen takes one out
 * of the engine, to be entered again from what is held. */
void pl_device_sync(struct pl_device *d);
void pl_device_refresh(struct pl_device *d, struct pl_feed *feed);
void pl_device_reopen(struct pl_device *d, struct pl_feed *feed);
void pl_device_feed(struct pl_device *d);
bool pl_device_holds(const struct pl_device *d);

/* Where a record begins, for the engine, and its position in the outbox. False if the outbox cannot tell. */
bool pl_device_place(struct pl_device *d, struct pl_feed *feed, uint64_t number, struct pl_place *out,
                     uint64_t *position);

/* A life by its tag, valid until the next call; NULL if neither the outbox nor this process knows it. */
const struct pl_known_life *pl_device_life(struct pl_device *d, struct pl_feed *feed, uint32_t tag);

/* The same, as the outbox has it now. False if it does not know it. */
bool pl_device_find_life(const struct pl_device *d, const struct pl_feed *feed, uint32_t tag,
                         struct pl_sending_life *out);

/* gap.c: what is lost. */
bool pl_device_tell_gap(struct pl_device *d, struct pl_feed *feed, uint64_t upto, uint32_t tag,
                        uint64_t offset);
void pl_device_damage(struct pl_device *d, struct pl_feed *feed);
void pl_device_behind(struct pl_device *d, struct pl_feed *feed, uint64_t number);
void pl_device_tell_dropped(struct pl_device *d, struct pl_feed *feed);

/* active.c: the link's making and end. */
void pl_device_activate(struct pl_device *d, uint64_t now_us);
void pl_device_give_up_link(struct pl_device *d);
void pl_device_rest(struct pl_device *d, uint64_t now_us);
void pl_device_watch_clock(struct pl_device *d, uint64_t now_us);

#endif
