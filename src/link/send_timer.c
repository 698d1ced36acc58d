/* The one back-off timer of a link: PTO while something is in flight, else ASK while anything is
 * unstored; doubled and jittered (spec section 7, "One back-off timer"; RFC 9002 section 6.2). */
#include "link/path.h"
#include "link/send.h"

enum { STEPS_MAX = 1 << 5, JITTER_PARTS = 3, SILENT_BEFORE_UNREACHABLE = 2 };
/* After so many timeouts without an answer, 15 s at first contact, a new run is drawn. */
enum { SILENT_BEFORE_RENEWAL = 4 };

uint64_t pl_tx_pto_us(const struct pl_link *link)
{
    const struct pl_rtt *rtt = &link->tx.congestion.rtt;

    if (rtt->smoothed_us == 0) {
        return PL_TIMER_FIRST_US;
    }
    return rtt->smoothed_us + 4 * rtt->var_us + PL_ACK_DELAY_MAX_US;
}

static uint64_t ask_us(const struct pl_tx *tx)
{
    uint64_t wait = tx->stored_wait_us + 4 * tx->stored_wait_var_us;

    if (tx->stored_wait_us == 0) {
        return PL_TIMER_FIRST_US;
    }
    return wait < PL_ASK_FLOOR_US ? PL_ASK_FLOOR_US : wait;
}

/* One draw serves until the timer fires: it is armed anew with each train, and only when it fires is to be
 * spread over a fleet. */
static uint64_t jittered(struct pl_link *link, uint64_t wait_us)
{
    struct pl_tx *tx = &link->tx;

    if (!tx->jitter_drawn) {
        link->env->random(link->env->random_ctx, &tx->jitter, sizeof tx->jitter);
        tx->jitter_drawn = true;
    }
    return wait_us + tx->jitter % (wait_us / JITTER_PARTS + 1);
}

/* Something that time alone can bring on: unstored and not stopped for good. */
static bool hopes(const struct pl_link *link)
{
    for (unsigned i = 0; i < link->tx.streams_room; i++) {
        const struct pl_tx_stream *stream = &link->tx.streams[i];
        if (pl_tx_unstored(stream) && stream->machine.state != PL_SENDING_STREAM_STOPPED) {
            return true;
        }
    }
    return false;
}

bool pl_timer_starts(const struct pl_link *link)
{
    const struct pl_paths *paths = &link->paths;

    return link->tx.timer_us == PL_NEVER && paths->was_valid && pl_tx_may_probe(link) &&
           !pl_path_is_free(link, &paths->main.route) && hopes(link);
}

/* Given while the stream was refused: no packet leaves that would start the timer. */
static bool only_asking_helps(const struct pl_link *link)
{
    return link->tx.in_flight_bytes == 0 && hopes(link) && !pl_tx_wants_to_send(link) &&
           pl_tx_may_probe(link);
}

void pl_timer_arm(struct pl_link *link, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;

    if (!hopes(link)) {
        tx->timer_us = PL_NEVER;
        return;
    }
    bool waits = tx->in_flight_bytes == 0;
    uint64_t wait = waits ? ask_us(tx) : pl_tx_pto_us(link);
    unsigned step = waits ? tx->ask_step : tx->timer_step;
    bool dormant = link->env->settings.dormant_hourly && link->activity.state == PL_LINK_ACTIVITY_DORMANT;
    uint64_t most = dormant ? PL_DORMANT_TIMER_MAX_US : PL_TIMER_MAX_US;
    for (unsigned i = 0; i < step && wait < most; i++) {
        wait *= 2;
    }
    tx->timer_us = now_us + jittered(link, wait > most ? most : wait);
}

void pl_timer_stored(struct pl_link *link, uint64_t now_us)
{
    link->tx.ask_step = 0;
    pl_timer_progress(link, now_us);
}

/* Something was acknowledged. That the peer answers says nothing about storing: asking does not become
 * more frequent by it. */
void pl_timer_progress(struct pl_link *link, uint64_t now_us)
{
    link->tx.timer_step = 0;
    link->tx.silent_timeouts = 0;
    if (link->activity.state == PL_LINK_ACTIVITY_DORMANT) {
        pl_link_activity_step(&link->activity, PL_LINK_ACTIVITY_ON_WOKEN);
    }
    pl_timer_arm(link, now_us);
}

static void unreachable(struct pl_link *link)
{
    struct pl_event event = {.type = PL_EVENT_UNREACHABLE};

    if (link->activity.state == PL_LINK_ACTIVITY_ACTIVE) {
        pl_link_activity_step(&link->activity, PL_LINK_ACTIVITY_ON_UNREACHABLE);
        link->env->sink->event(link->env->sink_ctx, link, &event);
    }
}

/* An ASK once an hour keeps a stopped stream's way back open. */
static void ask_stopped(struct pl_link *link, uint64_t now_us)
{
    for (unsigned i = 0; i < link->tx.streams_room; i++) {
        struct pl_tx_stream *stream = &link->tx.streams[i];
        bool stopped = stream->used && stream->machine.state == PL_SENDING_STREAM_STOPPED;
        if (stopped && stream->refused_ask_us <= now_us) {
            stream->refused_ask_us = now_us + PL_REFUSED_ASK_US;
            stream->ask = true;
            link->tx.ping = true;
        }
    }
}

static void poll(struct pl_link *link, uint64_t now_us)
{
    uint64_t poll_us = link->env->settings.poll_us;

    if (poll_us != 0 && now_us - link->active_us >= poll_us) {
        link->tx.ping = true;
    }
}

void pl_timer_tick(struct pl_link *link, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;

    ask_stopped(link, now_us);
    poll(link, now_us);
    if (pl_timer_starts(link)) {
        tx->probe = true;
        pl_timer_arm(link, now_us);
    } else if (tx->timer_us == PL_NEVER && only_asking_helps(link)) {
        pl_timer_arm(link, now_us);
    }
    if (tx->timer_us > now_us) {
        return;
    }
    if (!hopes(link)) {
        tx->timer_us = PL_NEVER;
        return;
    }
    tx->probe = true;
    tx->jitter_drawn = false;
    for (unsigned i = 0; i < tx->streams_room; i++) {
        tx->streams[i].sample_us = 0; /* what a timeout held up says nothing about storing */
    }
    bool silent = tx->silent_timeouts++ > SILENT_BEFORE_UNREACHABLE;
    if (tx->silent_timeouts == SILENT_BEFORE_RENEWAL) {
        pl_tx_run_renew(link, now_us);
    }
    if (tx->in_flight_bytes == 0) {
        tx->ask_step += tx->ask_step < STEPS_MAX;
    } else {
        tx->timer_step += tx->timer_step < STEPS_MAX;
    }
    pl_timer_arm(link, now_us);
    if (silent && tx->timer_us - now_us >= link->env->settings.idle_us) {
        unreachable(link);
    }
}
