/* The sending half of a link, as its other files see it. */
#ifndef PL_LINK_SEND_H
#define PL_LINK_SEND_H

#include "link/recv.h"

/* send_run.c: our runs */
bool pl_tx_run_open(struct pl_link *link, unsigned at);
struct pl_own_run *pl_tx_run_by_tag(struct pl_link *link, uint32_t tag);
void pl_tx_run_renew(struct pl_link *link, uint64_t now_us);
void pl_tx_runs_tick(struct pl_link *link, uint64_t now_us);
bool pl_tx_run_seal(struct pl_link *link, struct pl_own_run *own, uint8_t *packet, size_t payload_n,
                    uint32_t *number);
bool pl_tx_run_lies(const struct pl_own_run *own, const struct pl_range32 *ranges, unsigned n);
void pl_tx_runs_end(struct pl_link *link);
uint64_t pl_tx_index(const struct pl_own_run *own, uint32_t number);

/* send_line.c: the ring of bytes of one stream */
size_t pl_line_room(const struct pl_line *line, size_t most);
size_t pl_line_put(struct pl_line *line, struct pl_memory *memory, struct pl_bytes bytes, size_t most);
void pl_line_copy(const struct pl_line *line, uint64_t position, uint8_t *out, size_t n);
void pl_line_free_to(struct pl_line *line, struct pl_memory *memory, uint64_t position);
void pl_line_reset(struct pl_line *line, struct pl_memory *memory, uint64_t position);
/* Record `number` begins at the line's end. */
void pl_line_mark(struct pl_line *line, struct pl_memory *memory, uint64_t number);
/* Where record `number` begins or will begin, `first` being the one at the line's beginning. 0: the records
 * before it are not all there. */
uint64_t pl_line_find(const struct pl_line *line, uint64_t first, uint64_t number);

/* send_stream.c: what is given, sent, stored */
bool pl_tx_has_bytes(const struct pl_tx_stream *stream);
bool pl_tx_may_send(const struct pl_tx_stream *stream);
bool pl_tx_unstored(const struct pl_tx_stream *stream);
size_t pl_tx_unstored_bytes(const struct pl_link *link);
struct pl_tx_life *pl_tx_life_at(struct pl_tx_stream *stream, uint64_t position, uint64_t *end);
struct pl_tx_life *pl_tx_life_of(struct pl_tx_stream *stream, uint32_t tag);
struct pl_tx_stream *pl_tx_by_life(struct pl_link *link, uint32_t tag);
void pl_tx_queue(struct pl_link *link, struct pl_tx_stream *stream, uint64_t from, uint64_t to);
void pl_tx_unqueue(struct pl_tx_stream *stream, uint64_t from, uint64_t to);
void pl_tx_lives_new_run(struct pl_link *link);
void pl_tx_streams_free(struct pl_link *link);

/* send_answered.c: STORED, UNBOUND, REFUSED from the peer */
void pl_tx_stored(struct pl_arrival *arrival, const struct pl_frame_stored *frame);
void pl_tx_unbound(struct pl_link *link, uint32_t life);
void pl_tx_refused(struct pl_arrival *arrival, const struct pl_frame_refused *frame);
/* What STORED and REFUSED of one packet mean together. */
void pl_tx_answers_end(struct pl_arrival *arrival);

/* send_sent.c: the ring of what is in flight */
struct pl_sent *pl_sent_at(struct pl_sent_ring *ring, uint64_t index);
bool pl_sent_reserve(struct pl_link *link, uint32_t entries);
struct pl_sent *pl_sent_add(struct pl_link *link);
void pl_sent_trim(struct pl_link *link, uint64_t now_us);
void pl_sent_settle_stored(struct pl_link *link, const struct pl_tx_stream *stream);
/* Takes an entry out of flight without a loss: its bytes go again. */
void pl_sent_again(struct pl_link *link, struct pl_sent *sent);
void pl_sent_forget_slot(struct pl_link *link, uint32_t slot);
void pl_sent_free(struct pl_link *link);
uint64_t pl_sent_time(const struct pl_sent *sent, uint64_t now_us);

/* send_ack.c: ACK from the peer */
void pl_tx_acked(struct pl_arrival *arrival, const struct pl_frame_ack *ack);
void pl_tx_peer_run_changed(struct pl_link *link);

/* send_loss.c: RACK */
void pl_loss_detect(struct pl_link *link, uint64_t now_us);
void pl_loss_spurious(struct pl_link *link, uint64_t index);

/* send_timer.c: the one back-off timer */
uint64_t pl_tx_pto_us(const struct pl_link *link);
/* Records wait for an address where only probes may go, and no timer brings the first of them. */
bool pl_timer_starts(const struct pl_link *link);
void pl_timer_arm(struct pl_link *link, uint64_t now_us);
void pl_timer_progress(struct pl_link *link, uint64_t now_us);
void pl_timer_stored(struct pl_link *link, uint64_t now_us);
void pl_timer_tick(struct pl_link *link, uint64_t now_us);

/* send_packet.c: one packet's payload */
struct pl_outgoing {
    struct pl_link *link;
    uint64_t now_us;
    struct pl_own_run *run;
    uint8_t *out;        /* payload */
    size_t room, size;
    bool ack_eliciting, has_answer, probe;
    unsigned entries;    /* of the sent ring that belong to it */
};
/* Fills the payload with what may go to the main path. Returns its bytes. */
size_t pl_packet_fill(struct pl_outgoing *packet);
/* send_batch.c: whether a probe may go to the main path. */
bool pl_tx_may_probe(const struct pl_link *link);
bool pl_tx_wants_to_send(const struct pl_link *link);

#endif
