/* purelink.h: the public interface of purelink: sealed, durable records from devices to a node over UDP.
 *
 * WHAT IT IS
 *
 * A device gives records (byte strings of 0 B to 1 MiB) to named streams. They are written to an outbox on
 * its disk, travel sealed over UDP to a node, are stored there, and are then freed at the device: each
 * exactly once and in order within its stream, whoever is killed in between. A link is two X25519 public keys
 * that know each other; there is no connection to open, to keep alive or to lose.
 *
 * Three kinds of program use this header:
 *
 *   - a sender (part 2): gives records;
 *   - a node (part 3): receives and stores them;
 *   - a reader (part 4): reads a node's store, beside the running node if it likes.
 *
 * COMMON RULES
 *
 * Errors. Every function that can fail returns an enum purelink_error, PURELINK_OK (0) on success. Where a
 * function takes a `struct purelink_reason *`, it may be NULL; otherwise it is filled on failure with one
 * line for people: what failed, where, and what to do. It is not for programs: those look at the number.
 *
 * Ownership. Pointers passed in are borrowed for the call only, if nothing else is said: strings, keys and
 * records may be freed as soon as the function returns. Objects made by an _open function belong to the
 * caller and are given back by the _close function of the same name, which takes NULL too.
 *
 * Threads. The library has no state of its own outside its objects. One object is used by one thread at a
 * time, which may be another one at each call: records put by one may be committed by the next. Different
 * objects may be used by different threads at the same time. Each sentence that allows more says so.
 *
 * Signals. The library installs no handlers, blocks no signals and raises none (no SIGPIPE: it writes to no
 * pipes). System calls that a signal interrupts are taken up again or return at the next chance. Only
 * functions that say so may be called from a handler.
 *
 * Fork. A child of fork must not use or close an object its parent opened: the store beneath cannot be shared
 * that way. It may open its own (of another directory: one outbox or store has one process). exec is fine:
 * all descriptors are close-on-exec.
 *
 * Time. Timeouts are in milliseconds of a clock that runs on while the machine sleeps.
 *
 * Key logs. A sender or node may be told to append the key of each run to a file, so that `purelink decode`
 * can open a capture of its packets. DANGEROUS: whoever has such a line reads and forges the packets of that
 * run, for ever. It is for looking for faults, and off unless a file is named. The file is made with mode
 * 0600; one that others may use is refused (PURELINK_E_PERMISSION). A key that cannot be written stops
 * nothing: it is counted in the status.
 */
#ifndef PURELINK_H
#define PURELINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PURELINK_API __attribute__((visibility("default")))
#else
#define PURELINK_API
#endif

/* ---- Part 1: what all parts share ---- */

enum {
    PURELINK_KEY_SIZE = 32,         /* bytes of a private or public X25519 key (RFC 7748) */
    PURELINK_KEY_TEXT_SIZE = 45,    /* its base64 text (RFC 4648 section 4), the final NUL counted */
    PURELINK_RECORD_MAX = 1048576,  /* bytes of the largest record */
    PURELINK_NAME_MAX = 255,        /* bytes of the longest stream or peer name */
    PURELINK_OUTBOX_MIN = 16777216, /* bytes of the smallest bound on an outbox */
    PURELINK_POSITION_MAX = 512 /* bytes of the longest input position, see purelink_sender_set_position */
};

/* The numbers are stable: one is never reused for another meaning. */
enum purelink_error {
    PURELINK_OK = 0,
    PURELINK_E_IO = 64,            /* the system refused a file or socket operation */
    PURELINK_E_NO_MEMORY = 65,     /* memory ran out; nothing was changed */
    PURELINK_E_KEY = 66,           /* not a usable key: bad text, own key, low order, not canonical */
    PURELINK_E_AUTH = 67,          /* something did not authenticate */
    PURELINK_E_STORE = 68,         /* the store or outbox failed; open it again */
    PURELINK_E_STORE_FULL = 69,    /* no room in the store or outbox; nothing was changed */
    PURELINK_E_STORE_DAMAGED = 70, /* the store or outbox is damaged beyond what can be set aside */
    PURELINK_E_BUSY = 71,          /* another process has it open */
    PURELINK_E_NOT_FOUND = 72,     /* no such file, stream, peer or position */
    PURELINK_E_EXISTS = 73,        /* it exists already and is not replaced */
    PURELINK_E_USAGE = 74,         /* an argument is missing or contradicts another */
    PURELINK_E_TOO_LARGE = 75,     /* larger than a limit above */
    PURELINK_E_NAME = 76,          /* empty, too long, not UTF-8, or with control characters */
    PURELINK_E_ADDRESS = 77,       /* not an address, or a name that does not resolve */
    PURELINK_E_REFUSED = 78,       /* the node refused; the status tells the code */
    PURELINK_E_TIMEOUT = 79,       /* the time was up first */
    PURELINK_E_AGAIN = 80,         /* not now; call again */
    PURELINK_E_VERSION = 81,       /* made by another version */
    PURELINK_E_PERMISSION = 82,    /* not allowed, or allowed to too many */
    PURELINK_E_CLOSED = 83,        /* stopped or closed */
    PURELINK_E_INTERNAL = 84       /* a fault of the library itself: please report it */
};

/* One line for people about a failure; always ends with a NUL. */
struct purelink_reason {
    char text[240];
};

/* What an error number means, in one line. Never NULL; any number is allowed. The text lives for ever. */
PURELINK_API const char *purelink_strerror(int error);

/* "MAJOR.MINOR.PATCH" of the library in use. The text lives for ever. */
PURELINK_API const char *purelink_version(void);

/* Milliseconds of the clock that timeouts are measured with: never goes back, runs on while the machine
 * sleeps. */
PURELINK_API uint64_t purelink_now_ms(void);

/* Draws a private key from the system's random source. PURELINK_E_IO if there is none. Wipe it after use. */
PURELINK_API enum purelink_error purelink_key_generate(uint8_t private_key[PURELINK_KEY_SIZE]);

/* The public key of a private key (RFC 7748 section 6.1). PURELINK_E_KEY if there is none. */
PURELINK_API enum purelink_error purelink_key_public(const uint8_t private_key[PURELINK_KEY_SIZE],
                                                     uint8_t public_key[PURELINK_KEY_SIZE]);

/* Writes the base64 text of a key, as WireGuard's tools print it, and a NUL. */
PURELINK_API void purelink_key_to_text(const uint8_t key[PURELINK_KEY_SIZE],
                                       char text[PURELINK_KEY_TEXT_SIZE]);

/* Reads a key from its text: a NUL-terminated string of exactly 44 characters. PURELINK_E_KEY if it is not
 * the canonical base64 text of 32 bytes; `key` is then all zero. */
PURELINK_API enum purelink_error purelink_key_from_text(const char *text, uint8_t key[PURELINK_KEY_SIZE],
                                                        struct purelink_reason *reason);

/* Reads a private key file: one line of base64, readable by its owner alone. PURELINK_E_NOT_FOUND,
 * PURELINK_E_PERMISSION (the reason names the chmod that mends it), PURELINK_E_IO, PURELINK_E_KEY;
 * `private_key` is then all zero. Wipe it after use. */
PURELINK_API enum purelink_error purelink_key_read(const char *file, uint8_t private_key[PURELINK_KEY_SIZE],
                                                   struct purelink_reason *reason);

/* Writes a private key file with mode 0600. A file that exists is not touched: PURELINK_E_EXISTS.
 * PURELINK_E_IO, PURELINK_E_PERMISSION. On success the file and its directory entry are on the disk. */
PURELINK_API enum purelink_error purelink_key_write(const char *file,
                                                    const uint8_t private_key[PURELINK_KEY_SIZE],
                                                    struct purelink_reason *reason);

/* Overwrites memory with zeros in a way that no compiler leaves out. */
PURELINK_API void purelink_wipe(void *bytes, size_t size);

/* The name of a refusal code ("too large"), or "unknown". The text lives for ever. */
PURELINK_API const char *purelink_refusal_name(uint64_t code);

/* ---- Part 2: senders ---- */

/* ORDER OF CALLS
 *
 *     purelink_sender_open                 once; the outbox is made if it is not there
 *     purelink_sender_put, _put_many       any number of times: records of any streams
 *     purelink_sender_set_position         at will: where the records came from
 *     purelink_sender_commit               what was put since the last commit is now durable, all or nothing
 *     purelink_sender_run                  sends, receives, waits
 *     ...                                  and so on
 *     purelink_sender_close
 *
 * A record is sent only once the commit that holds it returned: what was not committed is not kept. Put many
 * records before a commit: a commit costs two writes to the disk with a flush each, however many records it
 * holds. A good batch is what has gathered since the last commit, up to about 1 MiB.
 *
 * Nothing happens on the network outside purelink_sender_run (and open and close, which send nothing either).
 * It may be called for a moment (timeout 0: do what is due, do not wait), in a loop between commits, or for
 * as long as it takes. While records wait, it should be called at least every 10 ms, or they travel slowly;
 * when all are stored there is nothing to do, no timer and no packet.
 *
 * A program that is killed at any point loses only what it had not committed. The next one to open the outbox
 * goes on where it ended, and gives nothing twice.
 *
 * A copy of an outbox must not be used beside the original. If one is (a restored backup, a cloned image),
 * the node notices; records are then given a new birth of their stream rather than lost or mixed up.
 *
 * MEMORY AND DISK
 *
 * A sender keeps a few hundred kilobytes in memory while records travel, less when all are stored. What is
 * put stays in memory until it is committed, at most `outbox_max_bytes`; some memory, about as much as the
 * largest commit took, is kept for the next. The outbox holds what is not stored yet, plus some free pages;
 * its size is bounded by `outbox_max_bytes`. When it is full, purelink_sender_put or purelink_sender_commit
 * says PURELINK_E_STORE_FULL: run the sender until records are stored, and put again what was dropped.
 */

struct purelink_sender;

struct purelink_sender_config {
    size_t size;                /* sizeof (struct purelink_sender_config): lets later versions add fields */
    const uint8_t *private_key; /* 32 B of this device; copied, the copy is wiped on close */
    const uint8_t *node_key;    /* 32 B: the node's public key; copied */
    const char *node;   /* "192.0.2.1:7000", "[2001:db8::1]:7000", "[fe80::1%eth0]:7000", "name:7000" */
    const char *outbox; /* directory, made with mode 0700 at need */
    uint64_t outbox_max_bytes; /* 0: 1 GiB */
    uint64_t poll_ms;          /* 0: never; else a packet whenever nothing was received for so long */
    const char *keylog;        /* NULL: none; else a file for keys, see "Key logs" at the top */
    const char *suite; /* "aes-128-gcm", also for NULL; "chacha20-poly1305" for processors without AES: the
                          node answers in it too */
};

/* Opens the outbox and gets ready to send. The node need not be reachable, and a name need not resolve yet.
 *
 * On success *out is the caller's. On failure *out is NULL and the reason tells: PURELINK_E_USAGE (a field is
 * missing, or there is no such suite), PURELINK_E_KEY (node_key is the device's own or not a key),
 * PURELINK_E_ADDRESS (`node` is not an address), PURELINK_E_BUSY (another process has the outbox: the reason
 * names it), PURELINK_E_PERMISSION, PURELINK_E_STORE_DAMAGED, PURELINK_E_STORE, PURELINK_E_VERSION,
 * PURELINK_E_IO, PURELINK_E_NO_MEMORY. */
PURELINK_API enum purelink_error purelink_sender_open(struct purelink_sender **out,
                                                      const struct purelink_sender_config *config,
                                                      struct purelink_reason *reason);

/* Gives all back. What was put and not committed is dropped; what was committed stays in the outbox. */
PURELINK_API void purelink_sender_close(struct purelink_sender *sender);

/* Puts one record of `size` bytes (0 is allowed) at the end of the stream called `stream` (1 to 255 B of
 * UTF-8 without control characters); the stream is made with its first record. `data` may be NULL if size is
 * 0.
 *
 * PURELINK_E_TOO_LARGE (above PURELINK_RECORD_MAX), PURELINK_E_NAME, PURELINK_E_STORE_FULL,
 * PURELINK_E_REFUSED (more streams than a link may have), PURELINK_E_STORE, PURELINK_E_NO_MEMORY: the record
 * was not taken. After PURELINK_E_STORE_FULL, PURELINK_E_STORE and PURELINK_E_NO_MEMORY all that was put
 * since the last commit is dropped as well. A put that succeeds is no promise of room: the commit tells. */
PURELINK_API enum purelink_error purelink_sender_put(struct purelink_sender *sender, const char *stream,
                                                     const void *data, size_t size);

/* A record for purelink_sender_put_many; borrowed for the call. */
struct purelink_record {
    const void *data;
    size_t size;
};

/* Puts `count` records in one go, in order. *taken (which may be NULL) is how many were put: all on success,
 * those before the one that failed otherwise. Errors as purelink_sender_put. */
PURELINK_API enum purelink_error purelink_sender_put_many(struct purelink_sender *sender, const char *stream,
                                                          const struct purelink_record *records, size_t count,
                                                          size_t *taken);

/* Keeps `size` bytes (at most PURELINK_POSITION_MAX) under `source`, a name of the caller's as for streams,
 * in the same transaction as the records put since the last commit: a place in a file, a cursor of a queue.
 * Whoever reads it back after a crash knows exactly which records were taken. PURELINK_E_TOO_LARGE,
 * PURELINK_E_NAME, PURELINK_E_STORE_FULL, PURELINK_E_STORE. */
PURELINK_API enum purelink_error purelink_sender_set_position(struct purelink_sender *sender,
                                                              const char *source, const void *bytes,
                                                              size_t size);

/* Reads what was kept under `source` by the last commit: *size is `room` on the way in, the size found on the
 * way out. PURELINK_E_NOT_FOUND, PURELINK_E_TOO_LARGE (more than `room`; *size tells), PURELINK_E_STORE. */
PURELINK_API enum purelink_error purelink_sender_position(struct purelink_sender *sender, const char *source,
                                                          void *bytes, size_t *size);

/* Makes all that was put since the last commit durable, in one transaction; blocks for the disk. With nothing
 * put it does nothing. On failure nothing of it is kept: PURELINK_E_STORE_FULL, PURELINK_E_STORE,
 * PURELINK_E_BUSY (another process took the outbox over). Only after PURELINK_E_IO (the disk failed) it is
 * not known: opened again, the outbox holds all of it or nothing, and the position kept with it says which.
 * After PURELINK_E_STORE and PURELINK_E_IO close the sender and open it again. */
PURELINK_API enum purelink_error purelink_sender_commit(struct purelink_sender *sender,
                                                        struct purelink_reason *reason);

/* Drops what was put since the last commit. */
PURELINK_API void purelink_sender_abort(struct purelink_sender *sender);

/* Gives up the records of a stream up to number `upto`, of its oldest birth that holds one: after a refusal
 * that will not end. The node is told that they are lost; what comes after them is sent. Durable on return.
 * PURELINK_E_NOT_FOUND (no such stream or number), PURELINK_E_USAGE (records were put and not committed),
 * PURELINK_E_STORE_FULL, PURELINK_E_STORE. */
PURELINK_API enum purelink_error purelink_sender_drop(struct purelink_sender *sender, const char *stream,
                                                      uint64_t upto, struct purelink_reason *reason);

/* Sends and receives until everything committed is stored at the node (PURELINK_OK), or for at most
 * `timeout_ms` (PURELINK_E_TIMEOUT; 0: does what is due and returns; negative: for ever), or until
 * purelink_sender_stop (PURELINK_E_CLOSED).
 *
 * PURELINK_E_REFUSED: all that is left was refused for good (unwanted, too large, framing): the status names
 * the code; it stays in the outbox. PURELINK_E_STORE, PURELINK_E_IO, PURELINK_E_NO_MEMORY: something here
 * failed that waiting will not mend. An unreachable node is no error: it is tried for ever, less and less
 * often, down to once a minute. What was put and not committed is left alone and not waited for. */
PURELINK_API enum purelink_error purelink_sender_run(struct purelink_sender *sender, int64_t timeout_ms);

/* Makes the purelink_sender_run that is going on, or else the next one, return PURELINK_E_CLOSED at once. May
 * be called from any thread and from a signal handler, as long as the sender is not closed meanwhile. */
PURELINK_API void purelink_sender_stop(struct purelink_sender *sender);

struct purelink_sender_status {
    uint64_t given_records;  /* committed since open */
    uint64_t stored_records; /* said to be stored since open, those of earlier runs included */
    uint64_t held_records;   /* committed and not known to be stored */
    uint64_t held_bytes;     /* their size, 1 to 3 B a record more */
    uint64_t damaged_rows;   /* rows of the outbox set aside because they were damaged */
    uint64_t lost_records;   /* told to the node as lost: no longer held here, never stored there */
    uint64_t packets_sent, packets_received, packets_lost;
    uint64_t rtt_us;       /* smoothed round-trip time, 0 before the first */
    uint64_t forks;        /* times a stream had to begin a new birth */
    uint64_t refused_code; /* of the last refusal still in force, 0: none */
    char refused_stream[PURELINK_NAME_MAX + 1];
    char refused_detail[129];
    bool unreachable;      /* nothing was heard from the node for longer than the link's idle time */
    char node_address[64]; /* the address in use, empty before a name was resolved */
    enum purelink_error last_error;
    char last_reason[240]; /* the last thing that went wrong here, empty: nothing */
    uint64_t keylog_lost;   /* keys that could not be written to the key log */
    char keylog_error[240]; /* why the last one could not; empty: none was lost */
};

/* Fills *status; what the strings say is a copy. Cheap. */
PURELINK_API void purelink_sender_status(const struct purelink_sender *sender,
                                         struct purelink_sender_status *status);

/* ---- Part 3: nodes ---- */

/* ORDER OF CALLS
 *
 *     purelink_node_open          takes the store (one process at a time) and the sockets
 *     purelink_node_load_senders  who may send; again whenever the list changed
 *     purelink_node_start         from here on records are received and stored, by threads of the library
 *     purelink_node_wait          until a signal handler or another thread says stop, or storing has failed
 *     purelink_node_close         stores and answers what is in memory, ends the threads
 *
 * Nobody is allowed by default. The list is kept in the store: a node opened again serves the list it had
 * until another is loaded. Whoever is taken off the list is no longer heard, and keeps records and numbers,
 * so that being put back on it continues where it ended.
 *
 * A record is answered as stored only after the transaction that holds it is on the disk, together with the
 * knowledge that it is; whoever is killed in between, it is stored once.
 *
 * Whatever keep_ms and keep_bytes delete, read or not, is known as stored for ever: sent again, it is not
 * stored again. What was stored last is kept in any case.
 *
 * A full disk does not end a node: it refuses records until there is room, and says so in the status. A disk
 * that fails does: purelink_node_wait then returns, and the process should end.
 *
 * MEMORY
 *
 * About 6 MB, and up to 4 KiB for each link that was active in the last `link_idle_ms`. Links at rest cost
 * nothing but their rows on the disk.
 */

struct purelink_node;

struct purelink_node_config {
    size_t size;                /* sizeof (struct purelink_node_config): lets later versions add fields */
    const uint8_t *private_key; /* 32 B of this node; copied, the copy is wiped on close */
    const char *store;          /* directory, made with mode 0700 at need */
    const char *const
        *listen;           /* "192.0.2.1:7000", "[::1]:7000", "[fe80::1%eth0]:7000", ":7000", port 0: any */
    size_t listen_count;   /* 1 to 16 */
    uint64_t link_idle_ms; /* memory of a link is given back after so long without a packet; 0: 30,000 */
    uint64_t store_max_bytes; /* the most the store may grow to; 0: as large as the disk, up to 1 TiB */
    uint64_t keep_ms;         /* records stored longer ago, by the wall clock, are deleted; 0: none is */
    uint64_t keep_bytes;      /* the oldest are deleted when all take more, at least 1 MiB; 0: none is */
    const char *keylog;       /* NULL: none; else a file for keys, see "Key logs" at the top */
};

/* Opens store and sockets. Takes as long as it takes to look through the end of the log: well under a second,
 * unless the disk is slow.
 *
 * On success *out is the caller's, and the reason (if given) holds a note about what was damaged and set
 * aside, or is empty. On failure *out is NULL and the reason tells: PURELINK_E_USAGE (a field is missing),
 * PURELINK_E_KEY, PURELINK_E_ADDRESS (not an address, or not one of this machine), PURELINK_E_BUSY (another
 * process has the store, or the port: the reason says which), PURELINK_E_PERMISSION,
 * PURELINK_E_STORE_DAMAGED, PURELINK_E_STORE_FULL, PURELINK_E_VERSION, PURELINK_E_IO, PURELINK_E_NO_MEMORY.
 */
PURELINK_API enum purelink_error purelink_node_open(struct purelink_node **out,
                                                    const struct purelink_node_config *config,
                                                    struct purelink_reason *reason);

/* Ends threads (within 4 s), closes the store. NULL is allowed. */
PURELINK_API void purelink_node_close(struct purelink_node *node);

/* Reads the list of who may send from a file: lines of NAME PUBLIC-KEY, # begins a comment. All or nothing:
 * on an error the list in force stays so, and the status says since when and why. A file that did not change
 * since it was last taken is not read again. Blocks until the list is in force: a second for each million
 * lines or so.
 *
 * PURELINK_E_NOT_FOUND, PURELINK_E_PERMISSION, PURELINK_E_IO; PURELINK_E_USAGE, PURELINK_E_NAME,
 * PURELINK_E_KEY, PURELINK_E_EXISTS: the reason names file and line; PURELINK_E_REFUSED: five keys share a
 * key id (one of them must be made anew); PURELINK_E_STORE_FULL, PURELINK_E_STORE; PURELINK_E_CLOSED:
 * purelink_node_stop was called. */
PURELINK_API enum purelink_error purelink_node_load_senders(struct purelink_node *node, const char *file,
                                                            struct purelink_reason *reason);

/* Looks whether purelink_node_load_senders would take a file, for a node with this private key (32 B), before
 * there is a node or a store. Errors are the same but for those of the store and of key ids. */
PURELINK_API enum purelink_error purelink_senders_check(const char *file, const uint8_t *private_key,
                                                        struct purelink_reason *reason);

/* Someone who may send. Borrowed for the call. */
struct purelink_peer {
    const char *name;          /* 1 to 255 B of UTF-8 without control characters */
    const uint8_t *public_key; /* 32 B */
};

/* As purelink_node_load_senders, from memory. Names and keys must each occur once. */
PURELINK_API enum purelink_error purelink_node_set_senders(struct purelink_node *node,
                                                           const struct purelink_peer *peers, size_t count,
                                                           struct purelink_reason *reason);

/* Starts receiving. PURELINK_E_NO_MEMORY: no more threads; nothing was started. Once a node. */
PURELINK_API enum purelink_error purelink_node_start(struct purelink_node *node,
                                                     struct purelink_reason *reason);

/* Blocks until purelink_node_stop was called (PURELINK_E_CLOSED), purelink_node_wake was (PURELINK_E_AGAIN),
 * the time is up (PURELINK_E_TIMEOUT; negative: never), or storing has failed for good (PURELINK_E_STORE,
 * with the reason). */
PURELINK_API enum purelink_error purelink_node_wait(struct purelink_node *node, int64_t timeout_ms,
                                                    struct purelink_reason *reason);

/* Makes purelink_node_wait return, now or when it is next called. From any thread and from signal handlers.
 */
PURELINK_API void purelink_node_stop(struct purelink_node *node);
PURELINK_API void purelink_node_wake(struct purelink_node *node);

/* Writes the address of socket `index` with the port in use. PURELINK_E_NOT_FOUND past the last one,
 * PURELINK_E_TOO_LARGE if room is too small (80 B always do). */
PURELINK_API enum purelink_error purelink_node_address(const struct purelink_node *node, size_t index,
                                                       char *text, size_t room);

struct purelink_node_status {
    uint64_t links_active;
    uint64_t packets_received, packets_sent;
    uint64_t records_received; /* since the start, in order, each once */
    uint64_t commits;
    bool store_full;      /* records are refused until there is room */
    char last_error[240]; /* empty: none */
    uint64_t keylog_lost;   /* keys that could not be written to the key log */
    char keylog_error[240]; /* why the last one could not; empty: none was lost */
};

/* Figures as of at most a second ago. From any thread. `purelink status` shows more. */
PURELINK_API void purelink_node_status(struct purelink_node *node, struct purelink_node_status *status);

/* ---- Part 4: readers of a store ---- */

/* A reader gives the records of a store in the order in which they were stored, beside the node that runs on
 * it or without one. It never writes, holds no lock, and keeps nothing in the store from being trimmed or
 * overwritten between two calls, however long they lie apart.
 *
 * Every record has a position: a number that grows, and means the same record for ever. Keep that of the last
 * one dealt with, plus one, to go on there next time.
 *
 *     purelink_reader_open
 *     purelink_reader_next     PURELINK_OK: an entry; PURELINK_E_AGAIN: no more now, ask again later
 *     ...
 *     purelink_reader_close
 */

struct purelink_reader;

struct purelink_reader_config {
    size_t size;        /* sizeof (struct purelink_reader_config): lets later versions add fields */
    const char *store;  /* directory of the node's store */
    uint64_t from;      /* position to begin at; 0: the oldest there is */
    const char *source; /* only records of the sender of this name; NULL: all */
    const char *stream; /* only records of streams of this name; NULL: all */
};

enum purelink_entry_kind {
    PURELINK_RECORD = 0,
    PURELINK_LOST = 1,    /* numbers number to number_to never come: the sender no longer held them */
    PURELINK_DAMAGED = 2, /* positions position to position_to are unreadable */
    PURELINK_TRIMMED = 3  /* positions position to position_to were deleted before they were read */
};

/* Pointers are valid until the next call for that reader. Names are not NUL-terminated. */
struct purelink_entry {
    enum purelink_entry_kind kind;
    uint64_t position, position_to; /* equal but for PURELINK_DAMAGED and PURELINK_TRIMMED */
    uint64_t time_ms;               /* when it was stored, ms since 1970; 0: not known */
    uint64_t number, number_to;     /* in its stream, from 1; equal but for PURELINK_LOST */
    uint64_t birth;                 /* a stream that had to start anew has another; 0: not known */
    const char *source;             /* the sender's name */
    size_t source_size;
    const char *stream;
    size_t stream_size;
    const void *data; /* the record */
    size_t data_size;
};

/* On success *out is the caller's. PURELINK_E_NOT_FOUND: no store there; PURELINK_E_PERMISSION,
 * PURELINK_E_VERSION, PURELINK_E_STORE_DAMAGED, PURELINK_E_IO, PURELINK_E_NO_MEMORY, PURELINK_E_USAGE. */
PURELINK_API enum purelink_error purelink_reader_open(struct purelink_reader **out,
                                                      const struct purelink_reader_config *config,
                                                      struct purelink_reason *reason);

PURELINK_API void purelink_reader_close(struct purelink_reader *reader);

/* The next entry. PURELINK_E_AGAIN: none now. PURELINK_E_STORE, PURELINK_E_STORE_DAMAGED,
 * PURELINK_E_NO_MEMORY. */
PURELINK_API enum purelink_error purelink_reader_next(struct purelink_reader *reader,
                                                      struct purelink_entry *entry,
                                                      struct purelink_reason *reason);

/* Where to begin next time: nothing is then given twice and nothing left out. */
PURELINK_API uint64_t purelink_reader_position(const struct purelink_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
