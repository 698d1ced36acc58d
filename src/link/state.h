/* What one active link holds. Internal to src/link: drivers see link.h only.
 *
 * Named by direction: rx is what the peer sends, tx what we send. Each struct is written by the
 * files of its direction; the seams between them are the prototypes in recv.h, send.h and path.h. */
#ifndef PL_LINK_STATE_H
#define PL_LINK_STATE_H

#include "crypto/run.h"
#include "link/congestion.h"
#include "link/link.h"
#include "link/link_states.h"
#include "link/ranges.h"
#include "link/window.h"

enum { PL_UNPROVEN_RUNS = 4, PL_RUNS = PL_PROVEN_RUNS + PL_UNPROVEN_RUNS };
enum { PL_REFUSALS_DUE = 8, PL_SKIPPED = 4, PL_OWN_RUNS = 2 };
enum { PL_WAITING_ROOM = PL_LIVES_WAITING + 1 };

/* ---- receiving ---- */

/* A run of the peer, known since a packet of it opened. */
struct pl_rx_run {
    uint64_t id;
    struct pl_key key;
    struct pl_receive_run machine;
    struct pl_window window;
    uint64_t largest_us;     /* when the highest number came */
    uint64_t newest_us;      /* when the last packet came */
    uint64_t packets;        /* opened */
    uint64_t failures;       /* that did not open */
    struct pl_route route;   /* of its last packet */
    size_t credit_bytes;     /* what may still go to that route while it is not validated */
    uint64_t credit_us;      /* when the datagram that gave the credit came */
    uint64_t ect0, ect1, ce; /* ECN marks of its packets, RFC 9000 section 19.3.2 */
    bool news;               /* an ACK is due */
    bool wants_proof;        /* something was left or held for want of proof */
};

/* A life bound by a STREAM that the row does not have yet. */
struct pl_rx_waiting {
    uint32_t tag, before;
    uint64_t first;
    struct pl_receiving_life machine;
};

/* An out-of-order piece, held until the bytes before it came. */
struct pl_piece {
    struct pl_piece *next;
    uint32_t life;
    uint32_t size;
    uint64_t offset;
    bool unproven;
    uint8_t bytes[];
};

/* A life of the row, with what of it is durable. */
struct pl_rx_life {
    struct pl_lifespan span;
    uint32_t before;
    uint64_t stored;         /* highest number of it that is durable, 0 none */
    uint64_t start;          /* position of its offset 0 (modulo 2^64), see position */
    struct pl_receiving_life machine;
};

struct pl_rx_stream {
    uint32_t number;
    uint64_t birth;
    struct pl_bytes name;    /* memory of the pool */
    struct pl_receiving_stream machine;

    uint64_t heard;          /* the row, with what is in memory */
    uint32_t life;
    uint64_t offset;
    unsigned lives_n, lives_room;
    struct pl_rx_life *lives;
    unsigned waiting_n;
    struct pl_rx_waiting *waiting; /* PL_WAITING_ROOM of them, or NULL */

    uint64_t stored;         /* what is durable */
    uint32_t stored_life;

    uint8_t *part;           /* bytes of record heard + 1 that came, of `life` */
    size_t part_n, part_room;
    size_t part_need;        /* its whole framed size once known, else 0 */
    struct pl_piece *held;   /* sorted by life and offset */
    struct pl_piece *held_last;

    uint64_t window_kib;     /* announced from the last stored record on */
    uint64_t grown_position; /* stored when the window last grew */
    uint64_t position;        /* bytes delivered, counted over lives */
    uint64_t stored_position; /* of these, durable */
    uint32_t asked_life;     /* the answer holds STORED for it too; 0 none */
    uint32_t refused_life;
    uint64_t refused_number;
    uint8_t refused_code;    /* enum pl_refusal; 0: not refusing */
    bool answer;             /* STORED is due */
    bool refused_soft;       /* it was told store full or paused: a STORED ends that */
    struct pl_route by;      /* whence its last piece or ASK came: the answer goes there */
    bool by_proven;          /* that was a packet of a proven run */
};

/* A REFUSED or UNBOUND that an answer is to carry. */
struct pl_due {
    uint8_t code;            /* enum pl_refusal; 0: UNBOUND */
    uint32_t life;
    uint64_t number;
    uint32_t stream;         /* with after_commit: the stream whose memory it rests on */
    bool after_commit;       /* leaves only once heard is durable */
    struct pl_route to;
};

struct pl_rx {
    unsigned runs_n;
    struct pl_rx_run *runs[PL_RUNS];
    struct pl_rx_run *current;   /* the last one proven, or NULL */
    bool had_current;            /* some run was proven in this activation */
    uint64_t best_acked;         /* send index of our latest packet that some run acknowledged */
    uint32_t new_runs_tokens;    /* token bucket of new runs, RFC 2697 in spirit */
    uint64_t new_runs_us;

    unsigned streams_n, streams_room;
    struct pl_rx_stream *streams;
    uint32_t next_stream;        /* local number of the next new one */
    size_t held_bytes;
    bool stalled;                /* held pieces are next and found no room */

    unsigned due_n;
    struct pl_due due[PL_REFUSALS_DUE];
    bool answer_now;
    unsigned unanswered;         /* ack-eliciting packets since the last answer */
    uint64_t answer_us;          /* deadline of the delayed answer, PL_NEVER */
    uint64_t malformed_us;       /* when REFUSED(malformed) last left */
};

/* ---- sending ---- */

struct pl_tx_life {
    uint32_t tag, before;
    uint64_t first;
    uint64_t start;              /* position of its offset 0 (modulo 2^64) */
    struct pl_sending_life machine;
};

/* Record `number` begins at `position`. */
struct pl_mark {
    uint64_t position, number;
};

enum { PL_MARKS = 1 << 6 };      /* of a line: as far apart as its room over their number */

/* A ring of framed bytes by stream position: [begin, end). */
struct pl_line {
    uint8_t *bytes;
    size_t room;                 /* a power of two, 0: no memory */
    uint64_t begin, end;
    struct pl_mark *marks;       /* PL_MARKS of them, NULL: none; those before `begin` are past */
    unsigned mark_first, marks_n; /* a ring */
};

struct pl_tx_stream {
    bool used;
    uint64_t birth;
    struct pl_bytes name;
    struct pl_sending_stream machine;
    unsigned lives_n;
    struct pl_tx_life lives[PL_LIVES_IN_FLIGHT];
    struct pl_line line;         /* begins at the first byte not stored */
    uint64_t number;             /* of the record at line.begin */
    uint64_t confirmed;          /* highest number ever freed */
    uint64_t next;               /* position of the next new byte */
    uint64_t limit;              /* end of the window */
    struct pl_ranges *resend;    /* NULL: nothing to send again */
    uint64_t sample_position, sample_us; /* timing of one STORED; sample_us 0: none under way */
    uint64_t ask_index;          /* send index of the last ASK since the last higher STORED, 0 none */
    uint64_t refused_ask_us;     /* next ASK of a stopped stream */
    uint8_t refused_code;        /* enum pl_refusal, 0 none */
    bool ask;                    /* an ASK is to go with the next packet */
    bool bare_probe;             /* the next probe brings none of its bytes */
    bool resuming;               /* this packet holds a STORED that ends the refusal */
    bool answered;               /* this packet holds STORED for the stream, */
    uint64_t answered_number;    /* the highest of them */
    bool gap;                    /* GAP goes along until STORED reaches gap_upto */
    struct pl_tx_life gap_life;
    uint64_t gap_upto, gap_offset;
};

/* One piece in flight, or an ack-eliciting packet without one. */
struct pl_sent {
    uint64_t position;
    uint32_t number;
    uint32_t at;                 /* low bits of the time it left, microseconds */
    uint16_t bytes;              /* of the piece */
    uint16_t size;               /* of the datagram on its first entry, else 0 */
    uint8_t slot;
    uint8_t run;                 /* which of our runs; PL_OWN_RUNS: one that ended */
    struct pl_sent_piece piece;
    bool asked;                  /* the packet carried an ASK for `slot` */
};

struct pl_sent_ring {
    struct pl_sent *entries;
    uint32_t room;               /* a power of two or 0 */
    uint64_t first, next;        /* indices, never reused */
};

struct pl_own_run {
    struct pl_run run;
    uint64_t ordinal;            /* counts our runs: high half of the send index */
    bool live;
    bool acked;                  /* some packet of it was acknowledged */
    uint64_t acked_us;
    uint32_t skipped[PL_SKIPPED];
    unsigned skipped_n;
    uint32_t next_skip;
};

struct pl_tx {
    struct pl_own_run runs[PL_OWN_RUNS];
    unsigned active;             /* index of the run new packets leave in */
    uint64_t ordinals;

    unsigned streams_room;
    struct pl_tx_stream *streams;
    unsigned turn;               /* round robin */

    struct pl_sent_ring sent;
    size_t in_flight_bytes;
    struct pl_congestion congestion;
    uint64_t rack_index;         /* ring index after the latest delivered packet, RFC 8985 section 5.2 */
    uint64_t rack_rtt_us;
    uint64_t rack_deadline_us;
    unsigned reorder_steps;      /* quarter min_rtt units of the reordering window */
    bool reordering_seen;
    uint64_t recovery_index;     /* losses below it belong to the episode under way */
    unsigned episode_losses;     /* of it not proven spurious */

    uint64_t timer_us;           /* the back-off timer, PL_NEVER */
    uint32_t jitter;             /* of its next firing, if jitter_drawn */
    bool jitter_drawn;
    unsigned timer_step;         /* doublings of it while something is in flight, */
    unsigned ask_step;           /* and while nothing is, since STORED last rose */
    unsigned silent_timeouts;
    uint64_t stored_wait_us, stored_wait_var_us; /* from sending to STORED, smoothed; 0: no sample */
    size_t since_ping_bytes;
    bool ping;                   /* a PING is to go: a poll, or the opening of a run's successor */
    bool probe;                  /* the timer fired: the next packet is a probe */
    bool response;               /* a PATH_RESPONSE is to go */
    uint64_t response_value;
    struct pl_route response_route;
    uint64_t response_us;        /* when response_value last left for response_route, 0 never */
    uint64_t pace_us;            /* earliest time of the next batch */
    uint64_t last_sent_us;
    uint64_t mute_until_us;
    unsigned mute_step;
    unsigned batch_entries;      /* entries of the last batch, for pl_link_unsent */
};

/* ---- the path ---- */

/* An address of the peer. */
struct pl_address_state {
    struct pl_route route;
    struct pl_link_path machine;
    bool known;
    bool configured;
};

struct pl_paths {
    struct pl_address_state main;      /* where our records and unasked packets go */
    struct pl_address_state candidate; /* whence the newest packets of a proven run come */
    uint64_t move_us;                  /* when the candidate takes over unless the main one answers */
    bool challenge_main;               /* the main one is to be challenged again */
    bool was_valid;                    /* main was validated in an earlier activation: a probe may go there */
};

struct pl_link {
    struct pl_env *env;
    struct pl_link_config config;
    struct pl_link_activity activity;
    struct pl_paths paths;
    struct pl_rx rx;
    struct pl_tx tx;
    uint64_t opened_us; /* when a packet last opened */
    uint64_t active_us; /* when one last opened or left */
};

#endif
