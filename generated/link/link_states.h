/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * State machines. Only these functions write a state; every pair of state and event has one answer.
 *
 * X_init sets the first state. X_step moves on and returns the new state. X_action tells what to do on an
 * event in a
 * state, before stepping. Guards are given as the sum of the X_IF_ values that hold.
 * X_broken names a property that does not hold; facts are given as the sum of the X_FACT_ values that hold.
 */
#ifndef PL_LINK_STATES_H
#define PL_LINK_STATES_H

#include <stdint.h>

/* Called after each step, if not NULL: the machine's name, its place in memory, numbers of state, event, new
 * state.
 * Set it before any machine steps; it is called by the thread that steps. */
extern void (*pl_state_trace)(const char *machine, const void *self, uint8_t from, uint8_t event, uint8_t to);

/* A link as its own side sees it. */
struct pl_link_activity {
    uint8_t state;
};
enum pl_link_activity_state {
    PL_LINK_ACTIVITY_ACTIVE,  /* sends and receives */
    PL_LINK_ACTIVITY_MUTED,
        /* a peer reported a malformed packet: nothing is sent for a while, Mute First Us doubling to Mute
         * Max Us */
    PL_LINK_ACTIVITY_DORMANT, /* unreachable with something unstored: one row with a time and a step */
    PL_LINK_ACTIVITY_RESTING, /* nothing to do: no keys, memory or timer; what there is lies in the store */
};
enum pl_link_activity_event {
    PL_LINK_ACTIVITY_ON_RESTED,
        /* nothing of one's own is unstored: a node waits Link Idle Us in silence, a device need not */
    PL_LINK_ACTIVITY_ON_UNREACHABLE,        /* silent for Link Idle Us with something unstored */
    PL_LINK_ACTIVITY_ON_MALFORMED_REPORTED, /* REFUSED(malformed) came */
    PL_LINK_ACTIVITY_ON_MUTE_OVER,          /* the silence it caused has passed */
    PL_LINK_ACTIVITY_ON_WOKEN,
        /* a record was given, or a packet came: to a dormant link, one of a proven run */
};
enum { PL_LINK_ACTIVITY_STATES = 4, PL_LINK_ACTIVITY_EVENTS = 5 };
void pl_link_activity_init(struct pl_link_activity *m);
enum pl_link_activity_state pl_link_activity_step(struct pl_link_activity *m,
                                                  enum pl_link_activity_event event);
const char *pl_link_activity_state_name(uint8_t state); /* "Active", or "unknown"; static */
const char *pl_link_activity_event_name(uint8_t event);

/* A run of the peer. */
struct pl_receive_run {
    uint8_t state;
};
enum pl_receive_run_state {
    PL_RECEIVE_RUN_UNPROVEN, /* opened; may be a replay of an old packet */
    PL_RECEIVE_RUN_CURRENT,  /* the last one proven: windows and refusals count from it alone */
    PL_RECEIVE_RUN_PROVEN,   /* was current before */
    PL_RECEIVE_RUN_IGNORED,  /* too many packets of it did not open */
    PL_RECEIVE_RUN_GONE,     /* forgotten */
};
enum pl_receive_run_event {
    PL_RECEIVE_RUN_ON_PROVEN,
        /* it answered a challenge, or acknowledged a later packet than the other runs */
    PL_RECEIVE_RUN_ON_ANOTHER_PROVEN,     /* another run of this peer was proven */
    PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED, /* as many openings failed as its suite bears */
    PL_RECEIVE_RUN_ON_EVICTED,            /* its place was needed, or the link rests */
};
enum { PL_RECEIVE_RUN_STATES = 5, PL_RECEIVE_RUN_EVENTS = 4 };
void pl_receive_run_init(struct pl_receive_run *m);
enum pl_receive_run_state pl_receive_run_step(struct pl_receive_run *m, enum pl_receive_run_event event);
const char *pl_receive_run_state_name(uint8_t state); /* "Unproven", or "unknown"; static */
const char *pl_receive_run_event_name(uint8_t event);

/* An address of the peer. */
struct pl_link_path {
    uint8_t state;
};
enum pl_link_path_state {
    PL_LINK_PATH_UNVALIDATED,
        /* gets answers only, Credit Factor times what came from it, within Credit Time Us */
    PL_LINK_PATH_VALIDATED,   /* may be sent to */
};
enum pl_link_path_event {
    PL_LINK_PATH_ON_ANSWERED,
        /* the response that fits came from it: of the challenge itself nothing is remembered */
    PL_LINK_PATH_ON_CONFIGURED, /* the user named this address */
    PL_LINK_PATH_ON_MOVED,
        /* the peer's packets come from elsewhere now, and the old address does not answer */
};
enum { PL_LINK_PATH_STATES = 2, PL_LINK_PATH_EVENTS = 3 };
void pl_link_path_init(struct pl_link_path *m);
enum pl_link_path_state pl_link_path_step(struct pl_link_path *m, enum pl_link_path_event event);
const char *pl_link_path_state_name(uint8_t state); /* "Unvalidated", or "unknown"; static */
const char *pl_link_path_event_name(uint8_t event);

/* A stream at its sender. */
struct pl_sending_stream {
    uint8_t state;
};
enum pl_sending_stream_state {
    PL_SENDING_STREAM_OPEN,    /* records flow as windows allow */
    PL_SENDING_STREAM_BLOCKED, /* refused for now: only probes without bytes */
    PL_SENDING_STREAM_STOPPED, /* refused for good: the operator is told, ASK once in Refused Ask Us */
    PL_SENDING_STREAM_FORKED,  /* the receiver holds another continuation: waits for its new birth */
    PL_SENDING_STREAM_SETTLED, /* nothing of it is unstored */
};
enum pl_sending_stream_event {
    PL_SENDING_STREAM_ON_STORED,           /* the last record given is stored */
    PL_SENDING_STREAM_ON_REFUSED_FOR_NOW,  /* REFUSED with STORE_FULL, PAUSED, LIMIT or an unknown code */
    PL_SENDING_STREAM_ON_REFUSED_FOR_GOOD, /* REFUSED with UNWANTED, TOO_LARGE or FRAMING */
    PL_SENDING_STREAM_ON_FORKED,           /* REFUSED with FORKED for a life of which a record is held */
    PL_SENDING_STREAM_ON_REBORN,           /* what was left has been given again under a new birth */
    PL_SENDING_STREAM_ON_DROPPED,          /* the operator dropped what was refused */
    PL_SENDING_STREAM_ON_RESUMED,
        /* a record was given to a settled stream, or a STORED of the current run with a window and no
         * refusal came */
};
enum { PL_SENDING_STREAM_STATES = 5, PL_SENDING_STREAM_EVENTS = 7 };
enum pl_sending_stream_fact {
    PL_SENDING_STREAM_FACT_KEPT = 1, /* a record of it is in the outbox */
};
/* Name of the first property that does not hold in a state, given the sum of the facts that hold; NULL if
 * all do. */
const char *pl_sending_stream_broken(enum pl_sending_stream_state state, unsigned facts);
void pl_sending_stream_init(struct pl_sending_stream *m);
enum pl_sending_stream_state pl_sending_stream_step(struct pl_sending_stream *m,
                                                    enum pl_sending_stream_event event);
const char *pl_sending_stream_state_name(uint8_t state); /* "Open", or "unknown"; static */
const char *pl_sending_stream_event_name(uint8_t event);

/* A life of a stream at its sender, in the current own run. */
struct pl_sending_life {
    uint8_t state;
};
enum pl_sending_life_state {
    PL_SENDING_LIFE_HELD,      /* durable in the outbox, its STREAM not sent in this run */
    PL_SENDING_LIFE_ANNOUNCED,
        /* its STREAM was sent in this run and goes along until a STORED above 0 came to it */
    PL_SENDING_LIFE_BOUND,     /* the receiver has told this run that something of it is stored */
    PL_SENDING_LIFE_SETTLED,   /* nothing of it is held any more */
};
enum pl_sending_life_event {
    PL_SENDING_LIFE_ON_ANNOUNCED,         /* its STREAM was sent */
    PL_SENDING_LIFE_ON_STORED_ABOVE_ZERO, /* STORED above 0 for it came to this run */
    PL_SENDING_LIFE_ON_ALL_STORED,        /* its last record was stored or dropped */
    PL_SENDING_LIFE_ON_NEW_RUN,           /* a new own run was drawn */
    PL_SENDING_LIFE_ON_UNBOUND,           /* UNBOUND for it came */
    PL_SENDING_LIFE_ON_FORKED,            /* its records were given again under a new birth */
};
enum { PL_SENDING_LIFE_STATES = 4, PL_SENDING_LIFE_EVENTS = 6 };
enum pl_sending_life_fact {
    PL_SENDING_LIFE_FACT_KEPT = 1, /* a record of it is in the outbox */
    PL_SENDING_LIFE_FACT_SAFE = 2,
        /* each of its records has been durable at the receiver, or is held under a new birth */
    PL_SENDING_LIFE_FACT_KNOWN = 4, /* something of it has been in the receiver's store */
};
/* Name of the first property that does not hold in a state, given the sum of the facts that hold; NULL if
 * all do. */
const char *pl_sending_life_broken(enum pl_sending_life_state state, unsigned facts);
void pl_sending_life_init(struct pl_sending_life *m);
enum pl_sending_life_state pl_sending_life_step(struct pl_sending_life *m, enum pl_sending_life_event event);
const char *pl_sending_life_state_name(uint8_t state); /* "Held", or "unknown"; static */
const char *pl_sending_life_event_name(uint8_t event);

/* A piece in a packet sent; what is sent again is a new piece. */
struct pl_sent_piece {
    uint8_t state;
};
enum pl_sent_piece_state {
    PL_SENT_PIECE_IN_FLIGHT, /* sent, nothing heard */
    PL_SENT_PIECE_LOST,      /* declared lost by RACK-TLP or persistent silence: its bytes go again when there is room */
    PL_SENT_PIECE_RECEIVED,  /* acknowledged: in the receiver's memory */
    PL_SENT_PIECE_REQUEUED,  /* its receiver forgot it: its bytes go again, and that is no loss */
    PL_SENT_PIECE_STORED,    /* durable at the receiver */
};
enum pl_sent_piece_event {
    PL_SENT_PIECE_ON_ACKNOWLEDGED,       /* an ACK of the run it went to names its packet */
    PL_SENT_PIECE_ON_LOST,               /* loss detection gave it up */
    PL_SENT_PIECE_ON_RECEIVER_RESTARTED, /* the receiver's current run changed and does not acknowledge it */
    PL_SENT_PIECE_ON_STORED,             /* STORED reaches its end */
};
enum { PL_SENT_PIECE_STATES = 5, PL_SENT_PIECE_EVENTS = 4 };
enum pl_sent_piece_fact {
    PL_SENT_PIECE_FACT_COMMITTED = 1, /* the receiver has it on disk */
    PL_SENT_PIECE_FACT_IN_MEMORY = 2, /* the receiver has it in memory */
    PL_SENT_PIECE_FACT_RESTARTED = 4, /* the receiver has restarted since it came */
};
/* Name of the first property that does not hold in a state, given the sum of the facts that hold; NULL if
 * all do. */
const char *pl_sent_piece_broken(enum pl_sent_piece_state state, unsigned facts);
void pl_sent_piece_init(struct pl_sent_piece *m);
enum pl_sent_piece_state pl_sent_piece_step(struct pl_sent_piece *m, enum pl_sent_piece_event event);
const char *pl_sent_piece_state_name(uint8_t state); /* "In Flight", or "unknown"; static */
const char *pl_sent_piece_event_name(uint8_t event);

/* A stream at its receiver. */
struct pl_receiving_stream {
    uint8_t state;
};
enum pl_receiving_stream_state {
    PL_RECEIVING_STREAM_NAMED,    /* known by its STREAM; nothing of it is held, and no row was made for it */
    PL_RECEIVING_STREAM_TAKING,   /* pieces are taken */
    PL_RECEIVING_STREAM_REFUSING, /* refused: nothing of it is held */
};
enum pl_receiving_stream_event {
    PL_RECEIVING_STREAM_ON_TAKEN,   /* a piece of it was taken */
    PL_RECEIVING_STREAM_ON_REFUSED, /* it was refused */
    PL_RECEIVING_STREAM_ON_CLEARED, /* the reason for the refusal is gone */
    PL_RECEIVING_STREAM_ON_GAP,     /* a GAP of it was taken */
};
enum { PL_RECEIVING_STREAM_STATES = 3, PL_RECEIVING_STREAM_EVENTS = 4 };
enum pl_receiving_stream_fact {
    PL_RECEIVING_STREAM_FACT_ROW = 1, /* there is a row for it, or will be at the next commit */
};
/* Name of the first property that does not hold in a state, given the sum of the facts that hold; NULL if
 * all do. */
const char *pl_receiving_stream_broken(enum pl_receiving_stream_state state, unsigned facts);
void pl_receiving_stream_init(struct pl_receiving_stream *m);
enum pl_receiving_stream_state pl_receiving_stream_step(struct pl_receiving_stream *m,
                                                        enum pl_receiving_stream_event event);
const char *pl_receiving_stream_state_name(uint8_t state); /* "Named", or "unknown"; static */
const char *pl_receiving_stream_event_name(uint8_t event);

/* A life of a stream at its receiver. */
struct pl_receiving_life {
    uint8_t state;
};
enum pl_receiving_life_state {
    PL_RECEIVING_LIFE_WAITING, /* bound, but numbers before it are missing */
    PL_RECEIVING_LIFE_CURRENT, /* the row's life: its pieces are taken in order or wait */
    PL_RECEIVING_LIFE_PAST,    /* one of the lives remembered: below its end repeats, above it forks */
    PL_RECEIVING_LIFE_FORKED,  /* did not follow the row's life */
};
enum pl_receiving_life_event {
    PL_RECEIVING_LIFE_ON_REACHED,      /* its first number is next and its life before is the row's */
    PL_RECEIVING_LIFE_ON_FOLLOWED,     /* the next life was reached */
    PL_RECEIVING_LIFE_ON_CONTRADICTED, /* its first number is next but its life before is another */
};
enum { PL_RECEIVING_LIFE_STATES = 4, PL_RECEIVING_LIFE_EVENTS = 3 };
enum pl_receiving_life_fact {
    PL_RECEIVING_LIFE_FACT_NAMED = 1, /* the row says that it is the current one */
    PL_RECEIVING_LIFE_FACT_TAKEN = 2, /* something of it was taken, or passed over by a GAP */
};
/* Name of the first property that does not hold in a state, given the sum of the facts that hold; NULL if
 * all do. */
const char *pl_receiving_life_broken(enum pl_receiving_life_state state, unsigned facts);
void pl_receiving_life_init(struct pl_receiving_life *m);
enum pl_receiving_life_state pl_receiving_life_step(struct pl_receiving_life *m,
                                                    enum pl_receiving_life_event event);
const char *pl_receiving_life_state_name(uint8_t state); /* "Waiting", or "unknown"; static */
const char *pl_receiving_life_event_name(uint8_t event);

/* The search for the largest packet the path carries (RFC 8899 section 5.2). */
struct pl_mtu_probe {
    uint8_t state;
};
enum pl_mtu_probe_state {
    PL_MTU_PROBE_BASE,      /* Datagram Size is not confirmed yet */
    PL_MTU_PROBE_SEARCHING, /* a larger probe is on its way */
    PL_MTU_PROBE_COMPLETE,  /* the largest size is found; searched again after a while */
    PL_MTU_PROBE_BROKEN,    /* not even the base size passes */
};
enum pl_mtu_probe_event {
    PL_MTU_PROBE_ON_BASE_CONFIRMED,     /* a packet of Datagram Size was acknowledged */
    PL_MTU_PROBE_ON_PROBE_ACKNOWLEDGED, /* a probe passed; a larger one follows */
    PL_MTU_PROBE_ON_PROBE_LOST,         /* a probe of this size was lost too often */
    PL_MTU_PROBE_ON_BLACK_HOLE,         /* full packets vanish while small ones pass */
    PL_MTU_PROBE_ON_RAISED,             /* it is time to search again */
};
enum { PL_MTU_PROBE_STATES = 4, PL_MTU_PROBE_EVENTS = 5 };
void pl_mtu_probe_init(struct pl_mtu_probe *m);
enum pl_mtu_probe_state pl_mtu_probe_step(struct pl_mtu_probe *m, enum pl_mtu_probe_event event);
const char *pl_mtu_probe_state_name(uint8_t state); /* "Base", or "unknown"; static */
const char *pl_mtu_probe_event_name(uint8_t event);

#endif
