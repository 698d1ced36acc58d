/* How much may be in flight, and how fast it leaves: RTT (RFC 9002 section 5), CUBIC (RFC 9438),
 * HyStart++ (RFC 9406) and pacing. Pure arithmetic on times and bytes. */
#ifndef PL_LINK_CONGESTION_H
#define PL_LINK_CONGESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_rtt {
    uint64_t latest_us, min_us, smoothed_us, var_us; /* smoothed 0: no sample yet */
};

void pl_rtt_sample(struct pl_rtt *rtt, uint64_t sample_us, uint64_t ack_delay_us);

struct pl_hystart {
    uint64_t round_end;      /* send index that ends the round */
    uint64_t last_min_us, round_min_us;
    uint64_t baseline_us;    /* conservative slow start began at this RTT; 0: not in it */
    unsigned samples, css_rounds;
};

struct pl_congestion {
    struct pl_rtt rtt;
    size_t datagram_bytes;
    uint64_t window_bytes, threshold_bytes; /* threshold UINT64_MAX: never left slow start */
    uint64_t w_max_bytes;    /* RFC 9438 section 4.1 */
    uint64_t k_ms;           /* time to get back to w_max */
    uint64_t epoch_us;       /* start of the present epoch, 0: none */
    uint64_t w_est_bytes;    /* what Reno would have */
    uint64_t credit_bytes;   /* acknowledged and not yet turned into window */
    struct pl_hystart hystart;
    struct pl_undo {
        uint64_t window_bytes, threshold_bytes, w_max_bytes;
    } undo;                  /* before the last cut */
    uint64_t hold_until_us;  /* no growth before: the peer acknowledged what was never sent */
};

void pl_congestion_init(struct pl_congestion *c, size_t datagram_bytes);

/* `bytes` were acknowledged. limited: the window was what held the sender back. acked, next: send
 * indices of the newest acknowledged and the next packet. */
void pl_congestion_acked(struct pl_congestion *c, size_t bytes, bool limited, uint64_t acked, uint64_t next,
                         uint64_t now_us);

/* One congestion event (a loss episode or CE): RFC 9438 section 4.6. */
void pl_congestion_event(struct pl_congestion *c);

/* The losses of the last event were spurious: RFC 9438 section 4.9. */
void pl_congestion_undo(struct pl_congestion *c);

/* The peer lied about what it received: half the rate, held for ten RTT. */
void pl_congestion_punish(struct pl_congestion *c, uint64_t now_us);

/* Nothing was in flight for a while: from the first window again (RFC 9002 section 7.8). */
void pl_congestion_rested(struct pl_congestion *c);

/* How long `bytes` take at the pacing rate; 0 before the first RTT sample. */
uint64_t pl_congestion_pace_us(const struct pl_congestion *c, size_t bytes);

/* Bytes a batch may hold: what the rate gives in a millisecond, at least two packets. */
size_t pl_congestion_quantum(const struct pl_congestion *c, size_t packets_max);

#endif
