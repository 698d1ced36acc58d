/*
 * Everything from outside that the node and the device take part in: clocks, randomness, UDP, waiting and
 * waking.
 *
 * It is a table of functions so that the simulator can put its own world in place of the kernel's: no other
 * part of purelink calls a clock, a random source or a socket. `ctx` is the first argument of each and
 * belongs to whoever made the table.
 *
 * How the parts work together: a thread opens its sockets and, if others must be able to wake it, one wake
 * handle. It loops: `wait` (the only call that blocks), `udp_receive` until it returns 0 or the turn is over,
 * work, `udp_send`. Sockets are never shared between threads. Only `wake` may be called from another thread.
 *
 * A UDP send has one of five results, and the errno behind it is only counted. None of them closes a socket.
 * What the network says about itself in ICMP is a hint at most and never changes a result.
 */
#ifndef PL_IO_IO_H
#define PL_IO_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/address.h"
#include "io/text.h"
#include "link/link_types.h"

enum {
    PL_IO_SOCKETS_MAX = 16, /* sockets in one wait */
    PL_IO_RECEIVE_MAX = 256 /* datagrams in one receive, whatever the caller's array could take */
};

#define PL_IO_FOREVER UINT64_MAX

/* A socket and a wake handle: what is in them is known to the table's maker only. */
struct pl_udp;
struct pl_wake;

struct pl_udp_options {
    struct pl_address local;     /* port 0: a free one; [::] takes IPv4 too unless v6_only */
    size_t receive_buffer_bytes; /* kernel buffer asked for, 0: leave it; what was got: pl_udp_counters */
    size_t datagram_max_bytes;   /* longer ones are dropped and counted; 1 to 65,507 */
    bool v6_only;
    bool reuse_port; /* several sockets share the port, each gets a part (SO_REUSEPORT) */
};

/* One train of equal segments to one path. The last segment may be shorter. */
struct pl_train {
    const struct pl_path *path;
    const uint8_t *bytes;
    size_t n;            /* all bytes, 1 or more */
    size_t segment_size; /* bytes of a datagram, 1 to 65,507; n or more for a single one */
    uint8_t ecn;         /* 0 not-ECT, 2 ECT(0), 1 ECT(1) (RFC 3168) */
};

enum pl_send_result {
    PL_SEND_SENT,        /* all segments are the kernel's */
    PL_SEND_AGAIN,       /* the rest was not taken: keep it, `wait` says when to try again */
    PL_SEND_LOST,        /* the rest is gone: as if lost on the way; end this round, back off a little */
    PL_SEND_UNREACHABLE, /* the rest was not sent: hold it and back off, no loss to count */
    PL_SEND_TOO_BIG      /* a segment is larger than the interface takes: not a loss, go down in size */
};

struct pl_send_outcome {
    enum pl_send_result result;
    size_t segments; /* sent, from the front; the result is about the ones after them */
    bool unpinned;   /* path->local is no longer an address of this machine: it went from another one */
};

struct pl_datagram {
    uint8_t *p; /* may be written to; valid until the next receive on that socket, or its close */
    size_t n;   /* 0 to datagram_max_bytes */
    struct pl_path path;
    uint8_t ecn; /* 0 to 3: 3 is congestion experienced (RFC 3168) */
};

/* Since the socket was opened. */
struct pl_udp_counters {
    uint64_t sent_datagrams, sent_bytes, sent_calls;
    uint64_t received_datagrams, received_bytes, received_calls;
    uint64_t send_again;           /* EAGAIN */
    uint64_t send_no_memory;       /* ENOBUFS, ENOMEM: lost */
    uint64_t send_forbidden;       /* EPERM, EACCES (firewall, connection table full): lost */
    uint64_t send_unreachable;     /* no route, interface down, own address gone: held */
    uint64_t send_too_big;         /* EMSGSIZE */
    uint64_t send_other;           /* any other errno: lost */
    uint64_t send_unpinned;        /* went out, but not from the address asked for */
    uint64_t gso_refused;          /* batches the kernel would not segment: sent singly */
    uint64_t receive_truncated;    /* datagrams whose end the kernel cut: dropped */
    uint64_t receive_control;      /* control data cut: local address or ECN unknown */
    uint64_t receive_long;         /* longer than datagram_max_bytes, or merged without a stride: dropped */
    uint64_t receive_overflow;     /* dropped by the kernel because the buffer was full */
    uint64_t receive_hints;        /* ICMP errors told on receive: ignored */
    uint64_t receive_errors;       /* any other errno on receive */
    uint64_t receive_buffer_bytes; /* what the kernel granted (its doubling for overhead taken out) */
    int last_errno;                /* of the last send or receive that failed, 0: none did */
};

/* Bits of what `wait` returns; 0: the time is over. */
enum {
    PL_READY_RECEIVE = 1, /* a datagram waits at a socket */
    PL_READY_SEND = 2,    /* a socket that said PL_SEND_AGAIN takes datagrams again */
    PL_READY_WOKEN = 4    /* `wake` was called since the last wait; any number of calls count once */
};

struct pl_io {
    void *ctx;

    /*
     * Microseconds of a clock that never goes back and runs on while the machine sleeps (CLOCK_BOOTTIME).
     * Starts near 0.
     */
    uint64_t (*now_us)(void *ctx);

    /* Milliseconds since 1970 UTC: for age and display only, it may jump. */
    uint64_t (*wall_ms)(void *ctx);

    /*
     * Fills n bytes, fit for keys. Blocks only before the kernel's pool is seeded; ends the process if there
     * is no such source.
     */
    void (*random)(void *ctx, void *out, size_t n);

    /*
     * Opens and binds a socket. On PL_OK *out is the caller's until udp_close.
     * PL_E_ADDRESS: not an address of this machine, or a family it has not; PL_E_BUSY: another socket has the
     * port; PL_E_PERMISSION: a port below 1024 without the right; PL_E_NO_MEMORY; PL_E_IO: anything else. why
     * (may be NULL) names it.
     */
    enum pl_error (*udp_open)(void *ctx, const struct pl_udp_options *options, struct pl_udp **out,
                              struct pl_text *why);

    /* Closes and frees; NULL is allowed. Datagrams received from it are invalid from then on. */
    void (*udp_close)(void *ctx, struct pl_udp *udp);

    /* The address bound, with the port the kernel chose. */
    struct pl_address (*udp_local)(void *ctx, const struct pl_udp *udp);

    /* Lives as long as the socket; read by the thread that owns it. */
    const struct pl_udp_counters *(*udp_counters)(void *ctx, const struct pl_udp *udp);

    /*
     * Sends a batch, as few system calls as the kernel allows (segmentation offload; singly, at once, where
     * it refuses). Never blocks. Borrows everything for the call only.
     */
    struct pl_send_outcome (*udp_send)(void *ctx, struct pl_udp *udp, const struct pl_train *batch);

    /*
     * Takes what has arrived: up to max datagrams into out, in the order of arrival for each flow. Returns
     * their count, 0 when nothing is there now. Never blocks, bounded work. Merged trains come apart here.
     */
    size_t (*udp_receive)(void *ctx, struct pl_udp *udp, struct pl_datagram *out, size_t max);

    /* PL_OK, PL_E_NO_MEMORY or PL_E_IO (no more descriptors). */
    enum pl_error (*wake_open)(void *ctx, struct pl_wake **out, struct pl_text *why);
    void (*wake_close)(void *ctx, struct pl_wake *wake);

    /*
     * Makes the wait with this handle return, now or when it is next called. From any thread and from a
     * signal handler.
     */
    void (*wake)(void *ctx, struct pl_wake *wake);

    /*
     * Blocks until a socket has something, a wake, or timeout_us went by (PL_IO_FOREVER: no limit; 0: only
     * looks). n is at most PL_IO_SOCKETS_MAX; wake may be NULL. Time asleep counts. Returns PL_READY_ bits.
     * May return early with 0 (a signal). While datagrams come in bulk it may let them gather for a fraction
     * of a millisecond, and then says PL_READY_RECEIVE without having looked.
     */
    unsigned (*wait)(void *ctx, struct pl_udp *const *sockets, size_t n, struct pl_wake *wake,
                     uint64_t timeout_us);
};

/* The kernel's world. */
extern const struct pl_io pl_io_linux;

#endif
