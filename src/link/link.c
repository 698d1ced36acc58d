/* A link's life in memory: made, looked at, at rest, given back. */
#include "link/link.h"

#include <string.h>

#include "link/memory.h"
#include "link/path.h"
#include "link/recv.h"
#include "link/send.h"

#define HELD_MAX_BYTES ((size_t)1 << 26)
#define LINE_MAX_BYTES ((size_t)4 << 20)

void pl_env_defaults(struct pl_env *env)
{
    memset(env, 0, sizeof *env);
    env->settings = (struct pl_settings){
        .record_max_bytes = PL_RECORD_MAX,
        .idle_us = PL_LINK_IDLE_US,
        .run_packets = PL_RUN_PACKETS,
        .datagram_bytes = PL_DATAGRAM_SIZE,
        .line_max_bytes = LINE_MAX_BYTES,
        .window_max_kib = PL_WINDOW_MAX_KIB,
        .held_max_bytes = HELD_MAX_BYTES,
        .unproven_pool_bytes = PL_UNPROVEN_POOL,
        .allow_new_streams = true,
    };
    env->memory.limit_bytes = SIZE_MAX;
    env->room_bytes = SIZE_MAX;
    env->tries_left = UINT32_MAX;
}

struct pl_link *pl_link_new(struct pl_env *env, const struct pl_link_config *config, uint64_t now_us)
{
    struct pl_link *link = pl_memory_get(&env->memory, sizeof *link);

    if (link == NULL) {
        return NULL;
    }
    link->env = env;
    link->config = *config;
    link->opened_us = link->active_us = now_us;
    link->rx.new_runs_tokens = PL_NEW_RUNS_BURST;
    link->rx.new_runs_us = now_us;
    link->rx.answer_us = PL_NEVER;
    link->rx.next_stream = 1;
    link->tx.timer_us = link->tx.rack_deadline_us = PL_NEVER;
    link->tx.last_sent_us = now_us;
    pl_link_activity_init(&link->activity);
    pl_link_activity_step(&link->activity, PL_LINK_ACTIVITY_ON_WOKEN);
    pl_congestion_init(&link->tx.congestion, env->settings.datagram_bytes);
    pl_path_init(link);
    pl_tx_run_open(link, 0);
    return link;
}

void pl_link_free(struct pl_link *link)
{
    struct pl_memory *memory = &link->env->memory;

    if (pl_link_settled(link)) {
        pl_link_activity_step(&link->activity, PL_LINK_ACTIVITY_ON_RESTED);
    }
    pl_runs_free_all(link);
    pl_rx_streams_free(link);
    pl_tx_runs_end(link);
    pl_tx_streams_free(link);
    pl_sent_free(link);
    pl_wipe(&link->config.secret, sizeof link->config.secret);
    pl_memory_put(memory, link, sizeof *link);
}

void *pl_link_user(const struct pl_link *link)
{
    return link->config.user;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool may_send(const struct pl_link *link)
{
    return link->paths.main.known && pl_path_is_free(link, &link->paths.main.route);
}

/* When records that wait may leave: now, at the pacer's time, or not before an answer came. */
static uint64_t records_deadline(const struct pl_link *link)
{
    const struct pl_tx *tx = &link->tx;
    bool open = tx->in_flight_bytes + link->env->settings.datagram_bytes <= tx->congestion.window_bytes;

    if (!open || !may_send(link) || !(pl_tx_wants_to_send(link) || tx->ping)) {
        return PL_NEVER;
    }
    return tx->pace_us;
}

static uint64_t stopped_deadline(const struct pl_link *link)
{
    uint64_t deadline = PL_NEVER;

    for (unsigned i = 0; i < link->tx.streams_room; i++) {
        const struct pl_tx_stream *stream = &link->tx.streams[i];
        if (stream->used && stream->machine.state == PL_SENDING_STREAM_STOPPED) {
            deadline = earlier(deadline, stream->refused_ask_us);
        }
    }
    return deadline;
}

uint64_t pl_link_deadline(const struct pl_link *link)
{
    const struct pl_tx *tx = &link->tx;
    uint64_t poll_us = link->env->settings.poll_us;

    if (link->activity.state == PL_LINK_ACTIVITY_MUTED) {
        return tx->mute_until_us;
    }
    uint64_t deadline = earlier(pl_answer_deadline(link), records_deadline(link));
    deadline = earlier(deadline, earlier(tx->timer_us, tx->rack_deadline_us));
    deadline = earlier(deadline, earlier(link->paths.move_us, stopped_deadline(link)));
    if (poll_us != 0 && may_send(link) && !tx->ping) { /* else there is nobody to ask, or it is asked for */
        deadline = earlier(deadline, link->active_us + poll_us);
    }
    bool now = tx->response || link->paths.challenge_main || (tx->probe && pl_tx_may_probe(link));
    return now || pl_timer_starts(link) ? 0 : deadline;
}

bool pl_link_is_stalled(const struct pl_link *link)
{
    return link->rx.stalled;
}

void pl_link_resume(struct pl_link *link, uint64_t now_us)
{
    pl_rx_resume(link, now_us);
}

void pl_link_configure(struct pl_link *link, const struct pl_route *route)
{
    struct pl_address_state *main = &link->paths.main;

    memset(main, 0, sizeof *main);
    main->route = *route;
    main->known = main->configured = true;
    pl_link_path_init(&main->machine);
    pl_link_path_step(&main->machine, PL_LINK_PATH_ON_CONFIGURED);
}

void pl_link_renew(struct pl_link *link, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;

    pl_tx_runs_end(link);
    for (uint64_t i = tx->sent.first; i < tx->sent.next; i++) {
        struct pl_sent *sent = pl_sent_at(&tx->sent, i);
        if (sent->piece.state == PL_SENT_PIECE_IN_FLIGHT && sent->bytes > 0) {
            pl_tx_queue(link, &tx->streams[sent->slot], sent->position, sent->position + sent->bytes);
        }
    }
    pl_sent_free(link);
    tx->in_flight_bytes = 0;
    tx->rack_index = tx->sent.next;
    tx->active = 0;
    pl_tx_run_open(link, 0);
    pl_tx_lives_new_run(link);
    pl_timer_arm(link, now_us);
}

bool pl_link_settled(const struct pl_link *link)
{
    for (unsigned i = 0; i < link->rx.streams_n; i++) {
        if (link->rx.streams[i].stored != link->rx.streams[i].heard) {
            return false;
        }
    }
    return pl_tx_unstored_bytes(link) == 0;
}

uint64_t pl_link_rests_at(const struct pl_link *link)
{
    return pl_link_settled(link) ? link->active_us + link->env->settings.idle_us : PL_NEVER;
}

bool pl_link_is_proven(const struct pl_link *link)
{
    return pl_runs_proven_n(&link->rx) > 0;
}

bool pl_link_route(const struct pl_link *link, struct pl_route *route, bool *validated)
{
    const struct pl_address_state *main = &link->paths.main;

    *route = main->route;
    if (validated != NULL) {
        *validated = main->machine.state == PL_LINK_PATH_VALIDATED;
    }
    return main->known;
}

unsigned pl_link_silent_timeouts(const struct pl_link *link)
{
    return link->tx.silent_timeouts;
}

void pl_link_figures(const struct pl_link *link, struct pl_link_figures *out)
{
    const struct pl_tx *tx = &link->tx;

    *out = (struct pl_link_figures){
        .srtt_us = tx->congestion.rtt.smoothed_us,
        .cwnd_bytes = tx->congestion.window_bytes,
        .in_flight_bytes = tx->in_flight_bytes,
        .unstored_bytes = pl_tx_unstored_bytes(link),
        .runs = link->rx.runs_n,
        .receiving = link->rx.streams_n,
        .state = pl_link_activity_state_name(link->activity.state),
    };
    for (unsigned i = 0; i < tx->streams_room; i++) {
        out->sending += tx->streams[i].used;
    }
}
