/* What the parts of the second engine share: the state of a link and their calls of one another. */
#ifndef XC_INNER_H
#define XC_INNER_H

#include "frame.h"
#include "link.h"
#include "ranges.h"

/* ---- runs ---- */

/* A run of the peer. Bit n % XC_REPLAY_WINDOW of `seen` and `kept` is packet n's: opened, and to be
 * acknowledged. */
struct xc_peer_run {
    uint64_t id;
    struct xc_key key;
    uint64_t packets;
    uint32_t largest; /* highest number opened */
    uint64_t seen[XC_REPLAY_WINDOW / 64], kept[XC_REPLAY_WINDOW / 64];
    bool news;           /* something came that no answer has told of */
    bool wants;          /* something of it asks for an answer */
    uint64_t arrived_us; /* the highest number */
    bool proven;
    uint64_t proven_order;
    uint64_t acked_index;   /* newest packet of ours it acknowledged, plus 1 */
    uint64_t challenge;     /* 0: none was drawn */
    struct xc_address from; /* of the highest number */
    uint64_t credit_bytes;  /* that may go there before it is validated */
    bool validated;
    bool needs_proof; /* something of it was left or held for want of proof */
};

/* The one own run. Packet n has the index n: one run makes a single order. */
struct xc_own_run {
    uint64_t id;
    struct xc_key key;
    uint32_t first, next;
    uint32_t skip_at, skipped;
};

/* ---- sending ---- */

struct xc_tx_life {
    uint32_t tag, before;
    uint64_t birth, first;
    uint8_t *bytes; /* framed records of the whole life */
    size_t n, room;
    uint64_t *ends; /* where each record ends */
    size_t count, ends_room;
    size_t stored; /* records stored, and where the last of them ends */
    uint64_t stored_end;
    struct xc_ranges todo; /* bytes to be sent */
    bool sent;             /* anything of it */
    bool bound;            /* STORED above 0 came for it */
};

enum xc_tx_state { XC_OPEN, XC_BLOCKED, XC_STOPPED };

struct xc_tx_stream {
    uint8_t name[255];
    size_t name_n;
    struct xc_tx_life *life; /* oldest first; none is wholly stored */
    size_t n, room;
    struct xc_tx_life last; /* the last one settled, without its bytes; tag 0: none */
    uint64_t window_bytes;
    enum xc_tx_state state;
    uint64_t refused, refused_number; /* code; the record it names, 0: none */
    bool forked;
    uint64_t forked_us;
    uint64_t progress_index; /* send index at the last higher STORED */
    bool ask_acked;          /* an ASK sent after that was acknowledged */
    bool gap_due;
    bool fresh; /* the next record begins a life */
};

struct xc_piece {
    uint32_t life;
    uint64_t offset, n;
};

enum xc_sent_state { XC_IN_FLIGHT, XC_ARRIVED, XC_LOST };

/* A packet sent that asks for an ACK, kept until its pieces are stored. */
struct xc_sent {
    uint32_t number;
    uint64_t sent_us;
    enum xc_sent_state state;
    uint64_t acked_by; /* run of the peer */
    struct xc_piece piece[XC_PIECES_MAX];
    size_t pieces;
    uint32_t asked[XC_FRAMES_MAX];
    size_t asks;
};

struct xc_tx {
    struct xc_tx_stream *stream;
    size_t n, room, turn;
    struct xc_sent *sent;
    size_t sent_n, sent_room;
    size_t in_flight;
    uint64_t last_sent_us, srtt_us, var_us, stored_us;
    unsigned timeouts, asks; /* steps of the back-off */
    unsigned jitter;         /* 0 to 255: how much of a third is added */
    uint64_t due_us;
    bool probe; /* a probe is due */
    uint64_t muted_until_us;
};

/* ---- receiving ---- */

/* A life that is bound: the row's own, or one that waits. `base` is the offset of `bytes`, the beginning of a
 * record. */
struct xc_rx_life {
    uint32_t tag, before;
    uint64_t first;
    uint8_t *bytes;
    uint64_t base;
    size_t room;
    struct xc_ranges came; /* offsets in the life */
};

struct xc_past_life {
    uint32_t tag;
    uint64_t first, last, end;
};

struct xc_rx_stream {
    uint64_t birth;
    uint8_t name[255];
    size_t name_n;
    uint64_t heard, stored;
    struct xc_rx_life now;                         /* tag 0: nothing was heard yet */
    struct xc_past_life past[XC_LIVES_REMEMBERED]; /* newest first */
    size_t past_n;
    struct xc_rx_life waiting[XC_LIVES_WAITING + 1];
    size_t waiting_n;
    uint64_t wanted_bytes; /* of the record coming in, framed; 0: not known */
    uint64_t refused;      /* code: the stream is refused; 0: it is not */
    uint64_t refused_number;
    uint32_t refused_life;
    bool owed;       /* a STORED is */
    uint32_t asked;  /* life ASK or STREAM named */
    uint32_t forked; /* life to be refused as forked, with the number */
    uint64_t forked_number;
};

struct xc_rx {
    struct xc_rx_stream *stream;
    size_t n, room;
    uint32_t unbound[XC_UNBOUND_MAX];
    size_t unbound_n;
    uint32_t contradicted, unwanted, too_many; /* lives to be refused for good, or as a limit */
    bool malformed;
    uint64_t malformed_us; /* when that was last told, plus 1 */
};

struct xc_link {
    struct xc_link_config config;
    size_t said; /* how many of config.say */
    struct xc_own_run own;
    struct xc_peer_run run[XC_PROVEN_RUNS + XC_UNPROVEN_RUNS]; /* oldest first */
    size_t runs;
    uint64_t proofs;
    uint64_t run_tokens, run_tokens_us;
    uint64_t response; /* to a PATH_CHALLENGE */
    bool response_due;
    struct xc_address response_to;
    struct xc_tx tx;
    struct xc_rx rx;
};

/* A packet being applied. */
struct xc_taking {
    struct xc_link *link;
    struct xc_peer_run *run;
    const struct xc_tree *tree;
    uint64_t now_us;
    bool to_us; /* the last TO named our run */
    bool left;  /* a piece was left: no acknowledgement */
};

/* runs.c */
struct xc_peer_run *xc_run_find(struct xc_link *link, uint64_t id);
struct xc_peer_run *xc_run_add(struct xc_link *link, uint64_t now_us, uint64_t id, const struct xc_key *key);
const char *xc_run_look(const struct xc_peer_run *run, uint32_t number);
void xc_run_mark(struct xc_peer_run *run, uint32_t number, uint64_t now_us);
void xc_run_keep(struct xc_peer_run *run, uint32_t number);
void xc_run_prove(struct xc_link *link, struct xc_peer_run *run);
void xc_run_trim(struct xc_link *link);
struct xc_peer_run *xc_run_current(struct xc_link *link);
bool xc_put_ack(struct xc_payload *payload, const struct xc_peer_run *run, uint64_t now_us,
                enum xc_frame_type type);

/* answer.c */
bool xc_answer_due(const struct xc_link *link);
struct xc_peer_run *xc_answer_run(struct xc_link *link);
void xc_put_answer(struct xc_link *link, struct xc_payload *payload, uint64_t now_us);

/* say.c */
bool xc_say(struct xc_link *link, struct xc_rx_stream *stream, struct xc_payload *payload);
bool xc_put_refused(struct xc_payload *payload, uint32_t life, uint64_t number, uint64_t code);

/* tx.c, tx_put.c, tx_heard.c */
void xc_tx_free(struct xc_tx *tx);
struct xc_tx_stream *xc_tx_stream_of(struct xc_link *link, const uint8_t *name, size_t name_n);
struct xc_tx_life *xc_tx_find(struct xc_link *link, uint32_t tag, struct xc_tx_stream **stream);
uint64_t xc_tx_room(const struct xc_tx_stream *stream, size_t index);
bool xc_tx_may_send(const struct xc_link *link, uint64_t now_us);
void xc_put_data(struct xc_link *link, struct xc_payload *payload, struct xc_sent *sent);
void xc_tx_sent(struct xc_link *link, const struct xc_sent *sent);
void xc_tx_arm(struct xc_link *link, uint64_t now_us);
void xc_tx_tick(struct xc_link *link, uint64_t now_us);
void xc_tx_all_again(struct xc_tx_stream *stream);
void xc_tx_again(struct xc_tx_life *life, uint64_t from, uint64_t to);
void xc_tx_requeue(struct xc_link *link, const struct xc_sent *sent, bool again);
void xc_tx_ack(struct xc_taking *t, size_t place);
void xc_tx_stored(struct xc_taking *t, size_t place);
void xc_tx_unbound(struct xc_taking *t, size_t place);
void xc_tx_refused(struct xc_taking *t, size_t place);
void xc_tx_reborn(struct xc_link *link, struct xc_tx_stream *stream, size_t index, uint64_t number);
void xc_tx_settle(struct xc_tx_stream *stream, size_t index, uint64_t number);
bool xc_tx_at_rest(const struct xc_tx_stream *stream);
bool xc_tx_unstored(const struct xc_link *link);

/* rx.c, rx_bind.c */
void xc_rx_free(struct xc_rx *rx);
void xc_rx_life_free(struct xc_rx_life *life);
struct xc_rx_stream *xc_rx_find(struct xc_link *link, uint32_t life);
struct xc_rx_life *xc_rx_waiting(struct xc_rx_stream *stream, uint32_t life);
void xc_rx_follow(struct xc_rx_stream *stream, struct xc_rx_life *next);
void xc_rx_deliver(struct xc_link *link, struct xc_rx_stream *stream);
void xc_rx_piece(struct xc_taking *t, size_t place);
void xc_rx_bind(struct xc_taking *t, size_t place);
void xc_rx_gap(struct xc_taking *t, size_t place);
void xc_rx_ask(struct xc_taking *t, size_t place);
void xc_rx_unbound(struct xc_link *link, uint32_t life);

#endif
