/* The receiving half of a link, as its other files see it. */
#ifndef PL_LINK_RECV_H
#define PL_LINK_RECV_H

#include "link/state.h"

/* One packet on its way through the engine. */
struct pl_arrival {
    struct pl_link *link;
    struct pl_rx_run *run;
    const struct pl_packet *packet;
    uint64_t now_us;
    struct pl_own_run *to;   /* our run the last TO named, or NULL */
    bool left;               /* some piece was left: not to be acknowledged */
    uint64_t acked_index;    /* highest send index this packet acknowledges, 0 none */
};

/* recv_runs.c: the peer's runs */
struct pl_rx_run *pl_runs_find(struct pl_rx *rx, uint64_t id);
/* The run a header names, for a try to open its packet. False: no tries are left. */
bool pl_runs_derive(const struct pl_link *link, const struct pl_header *header, struct pl_rx_run *fresh);
/* Keeps a run of which a packet opened. PL_DROP_LIMIT: too many new runs. PL_DROP_QUEUE: no memory. */
enum pl_drop pl_runs_keep(struct pl_link *link, const struct pl_rx_run *fresh, uint64_t now_us,
                          struct pl_rx_run **out);
void pl_runs_prove(struct pl_link *link, struct pl_rx_run *run);
bool pl_runs_is_proven(const struct pl_rx_run *run);
unsigned pl_runs_proven_n(const struct pl_rx *rx);
void pl_runs_free_all(struct pl_link *link);

/* recv_apply.c: the frames of a payload that was checked whole */
struct pl_payload;
void pl_apply(struct pl_arrival *arrival, const struct pl_payload *payload);

/* recv_row.c: receiving streams and their lives */
struct pl_rx_stream *pl_rx_by_number(struct pl_rx *rx, uint32_t number);
struct pl_rx_stream *pl_rx_by_birth(struct pl_rx *rx, uint64_t birth);
struct pl_rx_stream *pl_rx_stream_new(struct pl_link *link, uint64_t birth, struct pl_bytes name);
struct pl_rx_life *pl_rx_life_of(struct pl_rx_stream *stream, uint32_t tag);
struct pl_rx_waiting *pl_rx_waiting_of(struct pl_rx_stream *stream, uint32_t tag);
struct pl_rx_stream *pl_rx_by_life(struct pl_rx *rx, uint32_t tag);
bool pl_rx_follow(struct pl_link *link, struct pl_rx_stream *stream, struct pl_rx_waiting *waiting);
struct pl_rx_life *pl_rx_life_add(struct pl_link *link, struct pl_rx_stream *stream, uint32_t tag,
                                  uint64_t first, uint32_t before);
void pl_rx_streams_free(struct pl_link *link);

/* recv_bind.c: STREAM, ASK, GAP */
void pl_rx_bind(struct pl_arrival *arrival, const struct pl_frame_stream *frame);
/* The stream's STORED is due, to where the packet came from. */
void pl_rx_asked(struct pl_arrival *arrival, struct pl_rx_stream *stream);
void pl_rx_ask(struct pl_arrival *arrival, uint32_t life);
/* Pieces of it are left: the store is full or paused. Until pl_link_unrefuse. */
void pl_rx_refuse_for_now(struct pl_rx_stream *stream);
void pl_rx_gap(struct pl_arrival *arrival, const struct pl_frame_gap *frame);

/* recv_piece.c: RECORDS */
void pl_rx_piece(struct pl_arrival *arrival, const struct pl_frame_records *frame);
void pl_rx_drain(struct pl_arrival *arrival, struct pl_rx_stream *stream);
void pl_rx_resume(struct pl_link *link, uint64_t now_us);
/* recv_take.c: bytes in order. False: left for want of room, nothing after the last whole record
 * that was delivered counts. */
bool pl_rx_take(struct pl_link *link, struct pl_rx_stream *stream, struct pl_bytes bytes);

/* recv_held.c: pieces and parts of records that wait */
bool pl_held_add(struct pl_link *link, struct pl_rx_stream *stream, uint32_t life, uint64_t offset,
                 struct pl_bytes bytes, bool unproven);
void pl_held_drop(struct pl_link *link, struct pl_rx_stream *stream, uint32_t life);
void pl_held_drop_first(struct pl_link *link, struct pl_rx_stream *stream, uint32_t life);
void pl_held_drop_all(struct pl_link *link, struct pl_rx_stream *stream);
void pl_part_drop(struct pl_link *link, struct pl_rx_stream *stream);
bool pl_part_reserve(struct pl_link *link, struct pl_rx_stream *stream, size_t bytes);

/* recv_due.c: REFUSED and UNBOUND on their way into an answer */
/* False: one for that life is on its way already, or there is no room: ASK brings it back. */
bool pl_due_add(struct pl_arrival *arrival, uint8_t code, uint32_t life, uint64_t number,
                const struct pl_rx_stream *after_commit);

/* recv_answer.c: answer packets */
bool pl_answer_due(const struct pl_link *link, uint64_t now_us);
uint64_t pl_answer_deadline(const struct pl_link *link);
/* Writes one answer into out; returns its bytes, 0 if nothing is due. *to: where it goes. */
size_t pl_answer_write(struct pl_link *link, uint64_t now_us, uint8_t *out, size_t room,
                       struct pl_route *to);

#endif
