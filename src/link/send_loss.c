/* Loss by time (RACK, RFC 8985), with an adaptive reordering window and spurious losses undone. */
#include "link/send.h"

/* RFC 8985 section 5.2 (DupThresh) and 7.1; the grain keeps tiny RTTs from making false losses. */
enum { DUP_THRESH = 3, REORDER_STEPS_MAX = 16, GRAIN_US = 1000 };

static uint64_t reorder_window_us(const struct pl_tx *tx, uint64_t index)
{
    uint64_t window = tx->congestion.rtt.min_us / 4 * (tx->reorder_steps + 1);

    if (!tx->reordering_seen && tx->rack_index - index > DUP_THRESH) {
        return 0;
    }
    window = window > tx->congestion.rtt.smoothed_us ? tx->congestion.rtt.smoothed_us : window;
    return window < GRAIN_US ? GRAIN_US : window;
}

static void lose(struct pl_link *link, struct pl_sent *sent, uint64_t index)
{
    struct pl_tx *tx = &link->tx;

    tx->in_flight_bytes -= sent->size;
    pl_sent_piece_step(&sent->piece, PL_SENT_PIECE_ON_LOST);
    link->env->counters.lost_packets += sent->size > 0;
    if (sent->bytes > 0) {
        pl_tx_queue(link, &tx->streams[sent->slot], sent->position, sent->position + sent->bytes);
        tx->streams[sent->slot].sample_us = 0;
    }
    if (index >= tx->recovery_index) {
        tx->recovery_index = tx->sent.next;
        tx->episode_losses = 0;
        pl_congestion_event(&tx->congestion);
    }
    tx->episode_losses++;
}

void pl_loss_detect(struct pl_link *link, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;

    tx->rack_deadline_us = PL_NEVER;
    for (uint64_t i = tx->sent.first; i < tx->sent.next && i + 1 < tx->rack_index; i++) {
        struct pl_sent *sent = pl_sent_at(&tx->sent, i);
        if (sent->piece.state != PL_SENT_PIECE_IN_FLIGHT) {
            continue;
        }
        uint64_t lost_us = pl_sent_time(sent, now_us) + tx->rack_rtt_us + reorder_window_us(tx, i);
        if (lost_us <= now_us) {
            lose(link, sent, i);
        } else if (lost_us < tx->rack_deadline_us) {
            tx->rack_deadline_us = lost_us;
        }
    }
}

void pl_loss_spurious(struct pl_link *link, uint64_t index)
{
    struct pl_tx *tx = &link->tx;

    link->env->counters.spurious_losses++;
    tx->reordering_seen = true;
    if (tx->reorder_steps < REORDER_STEPS_MAX) {
        tx->reorder_steps++;
    }
    if (index < tx->recovery_index && tx->episode_losses > 0 && --tx->episode_losses == 0) {
        pl_congestion_undo(&tx->congestion);
    }
}
