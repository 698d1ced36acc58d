/* device.h: what makes a device of the engine: one link to one node, one outbox, one blocking loop.
 *
 * What it is for. Records are put into the outbox and committed; the device then brings them to the node and
 * frees them when the node says they are stored. It gives up nothing: as long as the outbox holds a record,
 * the node is tried, less and less often, for ever.
 *
 * How the parts work together. pl_device_step does all that is due and returns when something will be due
 * next; it never blocks. pl_device_run is only a loop of step and io->wait around it. The simulator calls
 * step itself.
 *
 *     step:  clock (a jump means: maybe resumed from an image: fresh run, fresh lives)
 *            receive -> engine -> events noted for each stream -> outbox (stored, gap, fork)
 *            addresses (looked up again after silence)
 *            activate (a link is made when something is held: a fresh run)
 *            feed (outbox -> engine), send
 *            rest (all stored: the link is freed; no timer, no memory, the socket stays)
 *
 * What it must never do: offer the engine a record before the commit that holds it returned; call a clock,
 * random source or socket but through `io`; let anything the network says end the process.
 *
 * One thread at a time uses a device, but for pl_device_stop. A look-up of a name runs on a thread of its
 * own, since it can block for long; with a numeric address no thread is ever started.
 */
#ifndef PL_DEVICE_DEVICE_H
#define PL_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/address.h"
#include "io/text.h"
#include "link/link_types.h"

struct pl_aead;
struct pl_io;
struct pl_run_key;

struct pl_device;

/* As pl_address_resolve of io/address.h. */
typedef enum pl_error pl_device_resolve(const char *text, struct pl_address out[PL_ADDRESS_RESOLVE_MAX],
                                        size_t *n, struct pl_text *why);

struct pl_device_config {
    const uint8_t *private_key; /* 32 B, copied */
    const uint8_t *node_key;    /* 32 B, copied */
    const char *node;           /* "ADDRESS:PORT" or "NAME:PORT", copied */
    const char *outbox_dir;     /* made at need */
    uint64_t outbox_max_bytes;  /* 0: 1 GiB */
    uint64_t poll_us;           /* PING when nothing was received for so long; 0: never */
    uint8_t suite;              /* enum pl_suite; 0: AES-128-GCM */
    const struct pl_io *io;     /* outlives the device */
    pl_device_resolve *resolve; /* NULL: pl_address_resolve; called on another thread */
    void (*run_key)(void *ctx, const struct pl_run_key *key); /* as in pl_env; NULL: nobody is told */
    void *run_key_ctx;
};

/* Opens the outbox and the device over it. On PL_OK *out is the caller's until pl_device_close; else it is
 * NULL and `why` (may be NULL) tells. PL_E_KEY, PL_E_ADDRESS (text that is no address), PL_E_BUSY,
 * PL_E_PERMISSION, PL_E_STORE*, PL_E_VERSION, PL_E_IO, PL_E_NO_MEMORY. */
enum pl_error pl_device_open(struct pl_device **out, const struct pl_device_config *config,
                             struct pl_text *why);

/* Trims and closes the outbox, wipes keys, gives all back. An open transaction is dropped. NULL is allowed.
 */
void pl_device_close(struct pl_device *device);

/* The cache of keyed contexts, for pl_aead_trace; lives as long as the device. */
struct pl_aead *pl_device_aead(struct pl_device *device);

/* ---- giving records: see store/outbox.h for the errors; the first put opens a transaction */

enum pl_error pl_device_put(struct pl_device *device, struct pl_bytes stream, const struct pl_bytes *records,
                            size_t n, size_t *taken, struct pl_text *why);
enum pl_error pl_device_set_input(struct pl_device *device, struct pl_bytes source, struct pl_bytes position,
                                  struct pl_text *why);

/* `out` has room for `*n` bytes; *n is what there is. PL_E_NOT_FOUND, PL_E_TOO_LARGE, PL_E_STORE*. */
enum pl_error pl_device_input(struct pl_device *device, struct pl_bytes source, uint8_t *out, size_t *n);
enum pl_error pl_device_commit(struct pl_device *device, struct pl_text *why);
void pl_device_abort(struct pl_device *device);

/* Gives up records of a stream up to `upto` of its oldest birth; the node is told by a GAP. PL_E_NOT_FOUND,
 * PL_E_RANGE, PL_E_USAGE within a transaction, PL_E_STORE*. */
enum pl_error pl_device_drop(struct pl_device *device, struct pl_bytes stream, uint64_t upto,
                             struct pl_text *why);

/* ---- working */

enum pl_device_state {
    PL_DEVICE_STORED,  /* nothing is held: no timer */
    PL_DEVICE_WAITING, /* something is held */
    PL_DEVICE_REFUSED, /* something is held, and all of it was refused for good */
    PL_DEVICE_FAILED   /* the outbox failed: it must be opened again */
};

/* Does all that is due at now_us of io->now_us. Returns the time of the next thing due, at most UINT64_MAX
 * (never: it is enough to call again when a datagram came, a socket takes datagrams again, or records were
 * committed). */
uint64_t pl_device_step(struct pl_device *device, uint64_t now_us);

enum pl_device_state pl_device_state(const struct pl_device *device);

/* Steps and waits until nothing is held, or all was refused or failed, or until_us (UINT64_MAX: for ever), or
 * a stop. *stopped (may be NULL) tells of the last. */
enum pl_device_state pl_device_run(struct pl_device *device, uint64_t until_us, bool *stopped);

/* Ends the pl_device_run going on or the next. From any thread or signal handler. */
void pl_device_stop(struct pl_device *device);

struct pl_device_status {
    uint64_t given_records, stored_records, held_records, held_bytes, damaged_rows, lost_records;
    uint64_t packets_out, packets_in, lost_packets, srtt_us, forks, activations, resumes;
    uint64_t drops;        /* datagrams received that were not used */
    uint64_t refused_code; /* enum pl_refusal of a stream refused now, 0: none */
    uint8_t refused_name_size;
    uint8_t refused_name[255];
    uint8_t detail_size;
    uint8_t detail[128];
    bool active, unreachable;
    struct pl_address node;   /* in use; family 0: none yet */
    enum pl_error last_error; /* of what went wrong outside of a call; PL_OK: nothing */
    struct pl_text last_reason;
};

void pl_device_status(const struct pl_device *device, struct pl_device_status *out);

#endif
