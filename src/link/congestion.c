/* RTT, CUBIC, HyStart++ and pacing. */
#include "link/congestion.h"

#include <string.h>

#include "link/link_limits.h"

/* RFC 9438 section 4.6 and 5: beta 0.7 and C 0.4, as tenths. */
enum { BETA_TENTHS = 7, C_TENTHS = 4, TENTHS = 10 };
/* RFC 9438 section 4.3: alpha = 3 (1 - beta) / (1 + beta) = 9 / 17. */
enum { ALPHA_NUMERATOR = 9, ALPHA_DENOMINATOR = 17 };
/* RFC 9406 section 4.3. */
enum { RTT_THRESH_MIN_US = 4000, RTT_THRESH_MAX_US = 16000, RTT_DIVISOR = 8, RTT_SAMPLES = 8 };
enum { CSS_DIVISOR = 4, CSS_ROUNDS = 5 };
/* RFC 9002 section 7.2: at least two datagrams. 7.7: pace a little faster than a window an RTT. */
enum { WINDOW_MIN_DATAGRAMS = 2, PACE_NUMERATOR = 5, PACE_DENOMINATOR = 4 };
/* RFC 9438 section 4.1 counts in seconds; this file in milliseconds. */
enum { US_PER_MS = 1000, MS_PER_S = 1000, HOLD_RTTS = TENTHS };
/* What is in flight must fit the peer's replay window, with room for what is reordered. */
enum { WINDOW_MAX_DATAGRAMS = PL_REPLAY_PROVEN / 4 * 3 };

void pl_rtt_sample(struct pl_rtt *rtt, uint64_t sample_us, uint64_t ack_delay_us)
{
    rtt->latest_us = sample_us;
    if (rtt->smoothed_us == 0) {
        rtt->min_us = rtt->smoothed_us = sample_us > 0 ? sample_us : 1;
        rtt->var_us = sample_us / 2;
        return;
    }
    if (sample_us < rtt->min_us) {
        rtt->min_us = sample_us > 0 ? sample_us : 1;
    }
    uint64_t adjusted = sample_us >= rtt->min_us + ack_delay_us ? sample_us - ack_delay_us : sample_us;
    uint64_t off = rtt->smoothed_us > adjusted ? rtt->smoothed_us - adjusted : adjusted - rtt->smoothed_us;
    rtt->var_us = (3 * rtt->var_us + off) / 4;
    rtt->smoothed_us = (7 * rtt->smoothed_us + adjusted) / 8;
    rtt->smoothed_us += rtt->smoothed_us == 0;
}

void pl_congestion_init(struct pl_congestion *c, size_t datagram_bytes)
{
    memset(c, 0, sizeof *c);
    c->datagram_bytes = datagram_bytes;
    c->window_bytes = PL_FIRST_CWND;
    c->threshold_bytes = UINT64_MAX;
    c->hystart.last_min_us = c->hystart.round_min_us = UINT64_MAX;
}

static uint64_t cube_root(uint64_t n)
{
    uint64_t low = 0, high = (uint64_t)1 << 21;

    while (low < high) {
        uint64_t mid = low + (high - low + 1) / 2;
        if (mid * mid * mid <= n) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    return low;
}

/* RFC 9438 section 4.2: K = cbrt((w_max - cwnd) / C), in milliseconds. */
static void begin_epoch(struct pl_congestion *c, uint64_t now_us)
{
    uint64_t cube_ms = (uint64_t)MS_PER_S * MS_PER_S * MS_PER_S;

    c->epoch_us = now_us;
    c->w_est_bytes = c->window_bytes;
    if (c->w_max_bytes <= c->window_bytes) {
        c->w_max_bytes = c->window_bytes;
        c->k_ms = 0;
        return;
    }
    uint64_t segments_tenths = (c->w_max_bytes - c->window_bytes) * TENTHS / c->datagram_bytes;
    if (segments_tenths > UINT64_MAX / cube_ms) {
        segments_tenths = UINT64_MAX / cube_ms;
    }
    c->k_ms = cube_root(segments_tenths * cube_ms / C_TENTHS);
}

/* RFC 9438 section 4.2: W(t) = C (t - K)^3 + w_max. */
static uint64_t cubic_at(const struct pl_congestion *c, uint64_t t_ms)
{
    uint64_t cube_ms = (uint64_t)MS_PER_S * MS_PER_S * MS_PER_S;
    bool above = t_ms > c->k_ms;
    uint64_t d = above ? t_ms - c->k_ms : c->k_ms - t_ms;
    uint64_t d_max = (uint64_t)1 << 19; /* keeps the cube and its product in 64 bits */

    d = d > d_max ? d_max : d;
    uint64_t bytes = d * d * d / cube_ms * C_TENTHS * c->datagram_bytes / TENTHS;
    if (d * d * d < (uint64_t)1 << 40) {
        bytes = d * d * d * C_TENTHS / TENTHS * c->datagram_bytes / cube_ms;
    }
    if (above) {
        return c->w_max_bytes + bytes;
    }
    return c->w_max_bytes > bytes ? c->w_max_bytes - bytes : 0;
}

static uint64_t window_min(const struct pl_congestion *c)
{
    return WINDOW_MIN_DATAGRAMS * c->datagram_bytes;
}

static void grow(struct pl_congestion *c, uint64_t bytes)
{
    uint64_t most = WINDOW_MAX_DATAGRAMS * c->datagram_bytes;

    c->window_bytes = c->window_bytes + bytes < most ? c->window_bytes + bytes : most;
}

static void avoid(struct pl_congestion *c, size_t bytes, uint64_t now_us)
{
    if (c->epoch_us == 0) {
        begin_epoch(c, now_us);
    }
    uint64_t t_ms = (now_us - c->epoch_us + c->rtt.smoothed_us) / US_PER_MS;
    uint64_t target = cubic_at(c, t_ms);
    uint64_t most = c->window_bytes + c->window_bytes / 2;
    target = target > most ? most : target;
    c->w_est_bytes += c->datagram_bytes * bytes * ALPHA_NUMERATOR / ALPHA_DENOMINATOR / c->window_bytes;
    if (c->w_est_bytes > target && c->w_est_bytes > c->window_bytes) {
        grow(c, c->w_est_bytes - c->window_bytes);
    } else if (target > c->window_bytes) {
        c->credit_bytes += (target - c->window_bytes) * bytes;
        grow(c, c->credit_bytes / c->window_bytes);
        c->credit_bytes %= c->window_bytes;
    }
}

/* RFC 9406 section 4.2: a round's lowest RTT above the last round's by a margin ends slow start,
 * first on trial (conservative slow start), after five rounds for good. */
static void hystart_round(struct pl_congestion *c, uint64_t acked, uint64_t next)
{
    struct pl_hystart *h = &c->hystart;

    if (acked < h->round_end) {
        return;
    }
    h->round_end = next;
    if (h->baseline_us != 0 && ++h->css_rounds >= CSS_ROUNDS) {
        c->threshold_bytes = c->window_bytes;
    }
    h->last_min_us = h->round_min_us;
    h->round_min_us = UINT64_MAX;
    h->samples = 0;
}

static void hystart_sample(struct pl_congestion *c)
{
    struct pl_hystart *h = &c->hystart;

    h->samples++;
    if (c->rtt.latest_us < h->round_min_us) {
        h->round_min_us = c->rtt.latest_us;
    }
    if (h->samples < RTT_SAMPLES || h->last_min_us == UINT64_MAX) {
        return;
    }
    uint64_t margin = h->last_min_us / RTT_DIVISOR;
    margin = margin < RTT_THRESH_MIN_US ? RTT_THRESH_MIN_US : margin;
    margin = margin > RTT_THRESH_MAX_US ? RTT_THRESH_MAX_US : margin;
    if (h->baseline_us == 0 && h->round_min_us >= h->last_min_us + margin) {
        h->baseline_us = h->round_min_us;
        h->css_rounds = 0;
    } else if (h->baseline_us != 0 && h->round_min_us < h->baseline_us) {
        h->baseline_us = 0;
    }
}

void pl_congestion_acked(struct pl_congestion *c, size_t bytes, bool limited, uint64_t acked, uint64_t next,
                         uint64_t now_us)
{
    bool slow_start = c->window_bytes < c->threshold_bytes;

    if (slow_start) {
        hystart_round(c, acked, next);
        hystart_sample(c);
    }
    if (!limited || now_us < c->hold_until_us) {
        return;
    }
    if (slow_start) {
        grow(c, c->hystart.baseline_us != 0 ? bytes / CSS_DIVISOR : bytes);
    } else {
        avoid(c, bytes, now_us);
    }
}

void pl_congestion_event(struct pl_congestion *c)
{
    c->undo.window_bytes = c->window_bytes;
    c->undo.threshold_bytes = c->threshold_bytes;
    c->undo.w_max_bytes = c->w_max_bytes;
    /* RFC 9438 section 4.7: below the last maximum another flow came: leave it some room. */
    c->w_max_bytes = c->window_bytes < c->w_max_bytes
                         ? c->window_bytes * (TENTHS + BETA_TENTHS) / (2 * TENTHS)
                         : c->window_bytes;
    c->window_bytes = c->window_bytes * BETA_TENTHS / TENTHS;
    if (c->window_bytes < window_min(c)) {
        c->window_bytes = window_min(c);
    }
    c->threshold_bytes = c->window_bytes;
    c->epoch_us = 0;
    c->credit_bytes = 0;
    c->hystart.baseline_us = 0;
}

void pl_congestion_undo(struct pl_congestion *c)
{
    if (c->undo.window_bytes > c->window_bytes) {
        c->window_bytes = c->undo.window_bytes;
        c->threshold_bytes = c->undo.threshold_bytes;
        c->w_max_bytes = c->undo.w_max_bytes;
        c->epoch_us = 0;
    }
    c->undo.window_bytes = 0;
}

void pl_congestion_punish(struct pl_congestion *c, uint64_t now_us)
{
    c->window_bytes = c->window_bytes / 2 < window_min(c) ? window_min(c) : c->window_bytes / 2;
    c->threshold_bytes = c->window_bytes;
    c->hold_until_us = now_us + HOLD_RTTS * c->rtt.smoothed_us;
}

void pl_congestion_rested(struct pl_congestion *c)
{
    if (c->window_bytes > PL_FIRST_CWND) {
        c->window_bytes = PL_FIRST_CWND;
        c->epoch_us = 0;
    }
}

uint64_t pl_congestion_pace_us(const struct pl_congestion *c, size_t bytes)
{
    uint64_t numerator = c->window_bytes < c->threshold_bytes ? 2 * PACE_DENOMINATOR : PACE_NUMERATOR;

    return bytes * c->rtt.smoothed_us * PACE_DENOMINATOR / (c->window_bytes * numerator);
}

size_t pl_congestion_quantum(const struct pl_congestion *c, size_t packets_max)
{
    uint64_t most = packets_max * c->datagram_bytes;
    /* RFC 9002 section 7.7: a burst of the initial window is never too much. Many links at once would send
     * packets in pairs otherwise, each at the price of a train. */
    uint64_t least = PL_FIRST_CWND < most ? PL_FIRST_CWND : most;

    if (c->rtt.smoothed_us == 0) {
        return most;
    }
    uint64_t in_a_ms = 2 * c->window_bytes * US_PER_MS / c->rtt.smoothed_us;
    return in_a_ms > most ? most : in_a_ms < least ? least : in_a_ms;
}
