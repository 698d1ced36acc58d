/* RTT, CUBIC, HyStart++ and pacing against values worked out from the RFCs. */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "link/congestion.h"
#include "link/link_limits.h"

enum { MSS = 1200, S = 1000000 };

Test(link_congestion, rtt_is_smoothed_as_rfc_9002_says)
{
    static const struct {
        uint64_t sample, delay, min, smoothed, var;
    } rows[] = {
        {100000, 0, 100000, 100000, 50000},
        {120000, 0, 100000, 102500, 42500},
        {120000, 10000, 100000, 103437, 33750}, /* the delay is taken off: above min by more than it */
        {105000, 10000, 100000, 103632, 25703}, /* not taken off */
        {80000, 25000, 80000, 100678, 25185},
        {0, 0, 1, 88093, 44058},
    };
    struct pl_rtt rtt = {0};

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pl_rtt_sample(&rtt, rows[i].sample, rows[i].delay);
        cr_assert_eq(rtt.latest_us, rows[i].sample);
        cr_assert_eq(rtt.min_us, rows[i].min, "row %u", i);
        cr_assert(llabs((long long)(rtt.smoothed_us - rows[i].smoothed)) <= 2, "row %u: %llu", i,
                  (unsigned long long)rtt.smoothed_us);
        cr_assert(llabs((long long)(rtt.var_us - rows[i].var)) <= 3, "row %u: %llu", i,
                  (unsigned long long)rtt.var_us);
    }
}

Test(link_congestion, slow_start_doubles_a_window_an_rtt_and_only_when_it_was_the_limit)
{
    struct pl_congestion c;

    pl_congestion_init(&c, MSS);
    cr_assert_eq(c.window_bytes, PL_FIRST_CWND);
    pl_rtt_sample(&c.rtt, 50000, 0);
    for (unsigned i = 0; i < 13; i++) {
        pl_congestion_acked(&c, MSS, true, i, 13, S + 50000);
    }
    cr_assert_eq(c.window_bytes, PL_FIRST_CWND + 13 * MSS);
    pl_congestion_acked(&c, 5000, false, 14, 30, S + 60000);
    cr_assert_eq(c.window_bytes, PL_FIRST_CWND + 13 * MSS);
}

static double cube(double x)
{
    return x * x * x;
}

static double cube_root(double x)
{
    double low = 0, high = x + 1;

    for (unsigned i = 0; i < 100; i++) {
        double mid = (low + high) / 2;
        *(cube(mid) < x ? &low : &high) = mid;
    }
    return low;
}

/* RFC 9438: W(t) = C (t - K)^3 + w_max, K = cbrt((w_max - cwnd) / C), beta 0.7, C 0.4, in segments. */
Test(link_congestion, the_window_follows_cubic)
{
    static const double starts[] = {100, 400, 1200};

    for (unsigned s = 0; s < 3; s++) {
        struct pl_congestion c;
        double w_max = starts[s];
        double k = cube_root(w_max * 0.3 / 0.4);
        uint64_t rtt_us = 40000, now_us = 7 * S, begin_us = 0;
        pl_congestion_init(&c, MSS);
        pl_rtt_sample(&c.rtt, rtt_us, 0);
        c.window_bytes = (uint64_t)(w_max * MSS);
        pl_congestion_event(&c);
        cr_assert_eq(c.window_bytes, (uint64_t)(w_max * MSS) * 7 / 10);
        cr_assert_eq(c.threshold_bytes, c.window_bytes);
        for (unsigned round = 0; now_us < begin_us + (uint64_t)((k + 3) * S) || round == 0; round++) {
            now_us += rtt_us;
            begin_us = round == 0 ? now_us : begin_us;
            for (uint64_t acked = 0, flight = c.window_bytes; acked < flight; acked += MSS) {
                pl_congestion_acked(&c, MSS, true, 0, 1, now_us);
            }
            double t = (double)(now_us - begin_us + rtt_us) / S;
            double cubic = 0.4 * cube(t - k) + w_max;
            double window = (double)c.window_bytes / MSS;
            cubic = cubic > PL_REPLAY_PROVEN / 4 * 3 ? PL_REPLAY_PROVEN / 4 * 3 : cubic;
            /* the Reno-friendly region may lie above it; the window lags by a round at most */
            double reno = w_max * 0.7 + 9.0 / 17 * ((double)(now_us - begin_us) / (double)rtt_us + 1);
            double most = (cubic > reno ? cubic : reno) * 1.02 + 2, least = cubic * 0.94 - 2;
            cr_assert(window <= most && window >= least, "w_max %.0f at %.2f s: %.1f, cubic %.1f, reno %.1f",
                      w_max, t, window, cubic, reno);
        }
        cr_assert_gt(c.window_bytes, (uint64_t)(w_max * MSS));
    }
}

/* RFC 9438 section 4.7: a second event below the old maximum leaves room to another flow. */
Test(link_congestion, fast_convergence_and_the_least_window)
{
    struct pl_congestion c;

    pl_congestion_init(&c, MSS);
    c.window_bytes = 100 * MSS;
    pl_congestion_event(&c);
    cr_assert_eq(c.w_max_bytes, 100 * MSS);
    pl_congestion_event(&c);
    cr_assert_eq(c.w_max_bytes, 70 * MSS * 17 / 20);
    for (unsigned i = 0; i < 40; i++) {
        pl_congestion_event(&c);
    }
    cr_assert_eq(c.window_bytes, 2 * MSS);
    pl_congestion_punish(&c, 4 * S);
    cr_assert_eq(c.window_bytes, 2 * MSS);
}

Test(link_congestion, an_event_whose_losses_were_none_is_undone)
{
    struct pl_congestion c;

    pl_congestion_init(&c, MSS);
    c.window_bytes = 80 * MSS;
    pl_congestion_event(&c);
    pl_congestion_undo(&c);
    cr_assert_eq(c.window_bytes, 80 * MSS);
    cr_assert_eq(c.threshold_bytes, UINT64_MAX);
    cr_assert_eq(c.w_max_bytes, 0);
    pl_congestion_undo(&c); /* once only */
    c.window_bytes = 40 * MSS;
    pl_congestion_undo(&c);
    cr_assert_eq(c.window_bytes, 40 * MSS);
}

Test(link_congestion, who_acknowledges_what_was_not_sent_is_slowed_and_held)
{
    struct pl_congestion c;

    pl_congestion_init(&c, MSS);
    pl_rtt_sample(&c.rtt, 30000, 0);
    c.window_bytes = 60 * MSS;
    pl_congestion_punish(&c, S);
    cr_assert_eq(c.window_bytes, 30 * MSS);
    pl_congestion_acked(&c, 30 * MSS, true, 0, 1, S + 299999);
    cr_assert_eq(c.window_bytes, 30 * MSS);
    pl_congestion_acked(&c, 30 * MSS, true, 0, 1, S + 300000);
    pl_congestion_acked(&c, 30 * MSS, true, 0, 1, S + 330000);
    pl_congestion_acked(&c, 30 * MSS, true, 0, 1, S + 360000);
    cr_assert_gt(c.window_bytes, 30 * MSS);
}

/* One round of n samples of one RTT. */
static void hystart_round(struct pl_congestion *c, uint64_t *next, unsigned n, uint64_t rtt_us)
{
    uint64_t end = *next + n;

    for (; *next < end; ++*next) {
        pl_rtt_sample(&c->rtt, rtt_us, 0);
        pl_congestion_acked(c, MSS, true, *next, end, S);
    }
}

/* RFC 9406: a rise of the round's least RTT by an eighth, between 4 and 16 ms, ends slow start. */
Test(link_congestion, hystart_leaves_slow_start_when_the_rtt_rises)
{
    static const struct {
        uint64_t rtt_us, risen_us;
        bool leaves;
    } rows[] = {
        {10000, 13900, false}, {10000, 14000, true},  {80000, 89900, false},
        {80000, 90000, true},  {400000, 415900, false}, {400000, 416000, true},
    };

    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct pl_congestion c;
        uint64_t next = 1;
        pl_congestion_init(&c, MSS);
        for (unsigned i = 0; i < 3; i++) {
            hystart_round(&c, &next, 20, rows[r].rtt_us);
        }
        cr_assert_eq(c.hystart.baseline_us, 0);
        uint64_t before = c.window_bytes;
        hystart_round(&c, &next, 20, rows[r].risen_us);
        cr_assert_eq(c.hystart.baseline_us != 0, rows[r].leaves, "row %u", r);
        cr_assert_eq(c.threshold_bytes, UINT64_MAX, "on trial first");
        if (!rows[r].leaves) {
            continue;
        }
        cr_assert_lt(c.window_bytes - before, 20 * MSS, "conservative slow start grows by a quarter");
        for (unsigned i = 0; i < 6; i++) {
            hystart_round(&c, &next, 20, rows[r].risen_us);
        }
        cr_assert_neq(c.threshold_bytes, UINT64_MAX, "after five rounds for good");
    }
}

Test(link_congestion, hystart_goes_on_when_the_rise_was_none)
{
    struct pl_congestion c;
    uint64_t next = 1;

    pl_congestion_init(&c, MSS);
    for (unsigned i = 0; i < 3; i++) {
        hystart_round(&c, &next, 20, 20000);
    }
    hystart_round(&c, &next, 20, 30000);
    cr_assert_neq(c.hystart.baseline_us, 0);
    hystart_round(&c, &next, 20, 20000);
    hystart_round(&c, &next, 20, 20000);
    cr_assert_eq(c.hystart.baseline_us, 0);
    cr_assert_eq(c.threshold_bytes, UINT64_MAX);
}

Test(link_congestion, pacing_spreads_a_window_over_less_than_an_rtt)
{
    struct pl_congestion c;

    pl_congestion_init(&c, MSS);
    cr_assert_eq(pl_congestion_pace_us(&c, 100000), 0);
    cr_assert_eq(pl_congestion_quantum(&c, PL_BATCH_PACKETS), PL_BATCH_PACKETS * MSS);
    pl_rtt_sample(&c.rtt, 100000, 0);
    c.window_bytes = 100 * MSS;
    cr_assert_eq(pl_congestion_pace_us(&c, 100 * MSS), 50000); /* slow start: two windows an RTT */
    c.threshold_bytes = c.window_bytes;
    cr_assert_eq(pl_congestion_pace_us(&c, 100 * MSS), 80000); /* then five quarters */
    cr_assert_eq(pl_congestion_pace_us(&c, MSS), 800);
    cr_assert_eq(pl_congestion_quantum(&c, PL_BATCH_PACKETS), PL_FIRST_CWND);
    cr_assert_eq(pl_congestion_quantum(&c, 2), 2 * MSS);
    c.rtt.smoothed_us = 1000;
    cr_assert_eq(pl_congestion_quantum(&c, PL_BATCH_PACKETS), PL_BATCH_PACKETS * MSS);
}

Test(link_congestion, what_is_in_flight_fits_the_peers_replay_window)
{
    struct pl_congestion c;

    pl_congestion_init(&c, MSS);
    pl_rtt_sample(&c.rtt, 10000, 0);
    for (unsigned i = 0; i < 100000; i++) {
        pl_congestion_acked(&c, 54 * MSS, true, 0, 1, S + i);
    }
    cr_assert_eq(c.window_bytes, PL_REPLAY_PROVEN / 4 * 3 * MSS);
    pl_congestion_rested(&c);
    cr_assert_eq(c.window_bytes, PL_FIRST_CWND);
}

/* Nothing overflows: hours after the last event, at the largest window and the longest RTT. */
Test(link_congestion, extremes)
{
    static const uint64_t times_us[] = {1, S, 3600 * (uint64_t)S, 1000000 * (uint64_t)S};

    for (unsigned i = 0; i < sizeof times_us / sizeof times_us[0]; i++) {
        struct pl_congestion c;
        pl_congestion_init(&c, MSS);
        pl_rtt_sample(&c.rtt, UINT32_MAX, 0);
        c.window_bytes = PL_REPLAY_PROVEN / 4 * 3 * MSS;
        pl_congestion_event(&c);
        pl_congestion_acked(&c, MSS, true, 0, 1, S + 1);
        uint64_t before = c.window_bytes;
        pl_congestion_acked(&c, MSS, true, 0, 1, S + 1 + times_us[i]);
        cr_assert(c.window_bytes >= before && c.window_bytes <= PL_REPLAY_PROVEN / 4 * 3 * MSS);
    }
}
