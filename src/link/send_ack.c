/* ACK: what arrived at the peer's network, and what that says about time, rate and runs. */
#include "link/send.h"

/* One ACK being applied. */
struct acked {
    struct pl_arrival *arrival;
    struct pl_range32 ranges[PL_ACK_RANGES_MAX]; /* highest first */
    unsigned n;
    uint64_t delay_us;
    size_t bytes;         /* newly acknowledged */
    bool limited;
    uint64_t newest;      /* ring index + 1 of the newest newly acknowledged entry, 0 none */
};

/* RFC 9000 section 19.3.1. False: the arithmetic leaves the numbers there are. */
static bool read_ranges(struct acked *a, const struct pl_frame_ack *frame)
{
    const uint8_t *p = frame->ranges.p;
    size_t left = frame->ranges.n;

    if (frame->largest > UINT32_MAX || frame->first_range > frame->largest) {
        return false;
    }
    a->ranges[0].high = (uint32_t)frame->largest;
    a->ranges[0].low = (uint32_t)(frame->largest - frame->first_range);
    for (a->n = 1; a->n <= frame->range_count && a->n < PL_ACK_RANGES_MAX; a->n++) {
        struct pl_ack_range range;
        size_t used = 0;
        uint64_t below = a->ranges[a->n - 1].low;
        if (pl_ack_range_decode(p, left, &range, &used) != PL_OK || range.gap > below ||
            below - range.gap < 2 || below - range.gap - 2 < range.length) {
            return false;
        }
        a->ranges[a->n].high = (uint32_t)(below - range.gap - 2);
        a->ranges[a->n].low = (uint32_t)(a->ranges[a->n].high - range.length);
        p += used;
        left -= used;
    }
    return true;
}

static bool covers(const struct acked *a, uint32_t number)
{
    for (unsigned i = 0; i < a->n; i++) {
        if (number >= a->ranges[i].low) {
            return number <= a->ranges[i].high;
        }
    }
    return false;
}

static void acknowledge(struct acked *a, struct pl_sent *sent, uint64_t index)
{
    struct pl_link *link = a->arrival->link;
    struct pl_tx *tx = &link->tx;
    enum pl_sent_piece_state before = sent->piece.state;

    if (before == PL_SENT_PIECE_RECEIVED || before == PL_SENT_PIECE_STORED) {
        return;
    }
    if (before == PL_SENT_PIECE_IN_FLIGHT) {
        tx->in_flight_bytes -= sent->size;
        a->bytes += sent->size;
        tx->reordering_seen |= index + 1 < tx->rack_index;
    } else if (before == PL_SENT_PIECE_LOST) {
        pl_loss_spurious(link, index);
    }
    pl_sent_piece_step(&sent->piece, PL_SENT_PIECE_ON_ACKNOWLEDGED);
    if (sent->bytes > 0) {
        pl_tx_unqueue(&tx->streams[sent->slot], sent->position, sent->position + sent->bytes);
    }
    a->newest = index + 1;
}

static void walk(struct acked *a)
{
    struct pl_link *link = a->arrival->link;
    struct pl_sent_ring *ring = &link->tx.sent;
    uint8_t run = (uint8_t)(a->arrival->to - link->tx.runs);

    for (uint64_t i = ring->first; i < ring->next; i++) {
        struct pl_sent *sent = pl_sent_at(ring, i);
        if (sent->run != run) {
            continue;
        }
        if (sent->number > a->ranges[0].high) {
            break;
        }
        if (covers(a, sent->number)) {
            acknowledge(a, sent, i);
        }
    }
}

static void sample_rtt(struct acked *a)
{
    struct pl_tx *tx = &a->arrival->link->tx;
    uint64_t now_us = a->arrival->now_us;
    struct pl_sent *sent = pl_sent_at(&tx->sent, a->newest - 1);

    if (sent->number == a->ranges[0].high) {
        uint64_t rtt_us = now_us - pl_sent_time(sent, now_us);
        uint64_t delay_us = a->delay_us > PL_ACK_DELAY_MAX_US ? PL_ACK_DELAY_MAX_US : a->delay_us;
        pl_rtt_sample(&tx->congestion.rtt, rtt_us, delay_us);
    }
    if (a->newest > tx->rack_index) {
        tx->rack_index = a->newest;
        tx->rack_rtt_us = now_us - pl_sent_time(sent, now_us);
    }
}

/* A run that acknowledges a packet we sent later than any its other runs acknowledged lives now. */
static void prove(struct acked *a, uint64_t index)
{
    struct pl_rx *rx = &a->arrival->link->rx;

    if (index > rx->best_acked) {
        rx->best_acked = index;
        pl_runs_prove(a->arrival->link, a->arrival->run);
    }
}

void pl_tx_acked(struct pl_arrival *arrival, const struct pl_frame_ack *frame)
{
    struct pl_link *link = arrival->link;
    struct pl_tx *tx = &link->tx;
    struct acked a = {.arrival = arrival, .delay_us = frame->delay};

    if (!read_ranges(&a, frame)) {
        return;
    }
    if (pl_tx_run_lies(arrival->to, a.ranges, a.n)) {
        link->env->counters.ack_lies++;
        pl_congestion_punish(&tx->congestion, arrival->now_us);
        return;
    }
    uint64_t index = pl_tx_index(arrival->to, a.ranges[0].high);
    arrival->acked_index = index > arrival->acked_index ? index : arrival->acked_index;
    if (!arrival->to->acked) {
        arrival->to->acked = true;
        arrival->to->acked_us = arrival->now_us;
    }
    link->env->counters.acks_in++;
    prove(&a, index);
    a.limited = tx->in_flight_bytes + 2 * tx->congestion.datagram_bytes >= tx->congestion.window_bytes / 2;
    walk(&a);
    if (a.newest == 0) {
        return;
    }
    sample_rtt(&a);
    pl_congestion_acked(&tx->congestion, a.bytes, a.limited, a.newest, tx->sent.next, arrival->now_us);
    pl_loss_detect(link, arrival->now_us);
    pl_timer_progress(link, arrival->now_us);
    pl_sent_trim(link, arrival->now_us);
}

/* The peer's process is another: what it does not say it has must go again, but what left after the
 * newest packet it acknowledged is on its way (spec section 7). No congestion event. */
void pl_tx_peer_run_changed(struct pl_link *link)
{
    struct pl_tx *tx = &link->tx;

    for (unsigned i = 0; i < tx->streams_room; i++) {
        struct pl_tx_stream *stream = &tx->streams[i];
        if (stream->used && stream->next > stream->line.begin) {
            pl_tx_queue(link, stream, stream->line.begin, stream->next);
        }
    }
    for (uint64_t i = tx->sent.first; i < tx->sent.next; i++) {
        struct pl_sent *sent = pl_sent_at(&tx->sent, i);
        if (sent->piece.state != PL_SENT_PIECE_IN_FLIGHT) {
            continue;
        }
        bool later = pl_tx_index(&tx->runs[sent->run], sent->number) > link->rx.best_acked;
        if (later && sent->bytes > 0) {
            pl_tx_unqueue(&tx->streams[sent->slot], sent->position, sent->position + sent->bytes);
        } else if (!later) {
            tx->in_flight_bytes -= sent->size;
            pl_sent_piece_step(&sent->piece, PL_SENT_PIECE_ON_RECEIVER_RESTARTED);
        }
    }
}
