/* pl_link_send: what may go now, as batches of equal sealed datagrams for one path. */
#include <string.h>

#include "link/path.h"
#include "link/send.h"

enum { PACE_UNSENT_PARTS = 8 };

/* Where a packet goes and what may be in it. */
struct plan {
    struct pl_route route;
    bool main;       /* it goes to the main path */
    bool free;       /* and that one may take records */
};

static bool muted(struct pl_link *link, uint64_t now_us)
{
    if (link->activity.state != PL_LINK_ACTIVITY_MUTED) {
        return false;
    }
    if (now_us < link->tx.mute_until_us) {
        return true;
    }
    pl_link_activity_step(&link->activity, PL_LINK_ACTIVITY_ON_MUTE_OVER);
    pl_timer_arm(link, now_us);
    return false;
}

static bool window_open(const struct pl_link *link)
{
    const struct pl_tx *tx = &link->tx;

    return tx->in_flight_bytes + link->env->settings.datagram_bytes <= tx->congestion.window_bytes;
}

/* A learnt address gets answers only until it was validated; a formerly valid one, probes. */
static bool may_send_records(const struct pl_link *link)
{
    return link->paths.main.known && pl_path_is_free(link, &link->paths.main.route);
}

bool pl_tx_may_probe(const struct pl_link *link)
{
    return may_send_records(link) || (link->paths.main.known && link->paths.was_valid);
}

static bool wants_asks(const struct pl_link *link)
{
    return link->tx.ping;
}

/* If the path is free. */
static bool records_ready(const struct pl_link *link, uint64_t now_us)
{
    return window_open(link) && link->tx.pace_us <= now_us &&
           (pl_tx_wants_to_send(link) || wants_asks(link));
}

static bool records_due(const struct pl_link *link, uint64_t now_us)
{
    return may_send_records(link) && records_ready(link, now_us);
}

static bool probe_due(const struct pl_link *link)
{
    return link->tx.probe && pl_tx_may_probe(link);
}

static void put_response(struct pl_outgoing *p, const struct pl_route *route)
{
    struct pl_tx *tx = &p->link->tx;
    struct pl_frame_path_response response = {.value = tx->response_value};

    if (tx->response && pl_route_same_peer(&tx->response_route, route)) {
        p->size += pl_path_response_encode(p->out + p->size, p->room - p->size, &response);
        tx->response = false;
        tx->response_us = p->now_us;
    }
}

static void put_main_challenge(struct pl_outgoing *p)
{
    struct pl_link *link = p->link;
    const struct pl_rx_run *run = link->rx.current;

    link->paths.challenge_main = false;
    if (run != NULL) {
        struct pl_frame_path_challenge challenge = {
            .value = pl_path_challenge(link, run->id, &link->paths.main.route, 0, p->now_us)};
        p->size += pl_path_challenge_encode(p->out + p->size, p->room - p->size, &challenge);
    }
}

static void aim(const struct pl_link *link, struct plan *plan, const struct pl_route *route)
{
    const struct pl_address_state *main = &link->paths.main;

    plan->main = main->known && pl_route_same_peer(route, &main->route);
    plan->free = plan->main && may_send_records(link);
    plan->route = plan->main ? main->route : *route;
}

/* The first packet decides where the batch goes: an answer's route, a response's, the main path. */
static bool begin(struct pl_outgoing *p, struct plan *plan)
{
    struct pl_link *link = p->link;
    const struct pl_address_state *main = &link->paths.main;
    struct pl_route to;

    aim(link, plan, &main->route);
    /* What is due to an address that may not be sent to is given up: there may be another one. */
    for (unsigned i = 0; i < PL_RUNS && p->size == 0 && pl_answer_due(link, p->now_us); i++) {
        p->size = pl_answer_write(link, p->now_us, p->out, p->room, &to);
    }
    if (p->size > 0) {
        aim(link, plan, &to);
    } else if (link->tx.response) {
        aim(link, plan, &link->tx.response_route);
    }
    bool knock = probe_due(link) && !may_send_records(link); /* where it was valid once */
    if (p->size == 0 && (link->paths.challenge_main || knock) && !link->tx.response) {
        put_main_challenge(p);
    }
    put_response(p, &plan->route);
    return p->size > 0 || probe_due(link) || records_due(link, p->now_us);
}

static void fill(struct pl_outgoing *p, const struct plan *plan, bool ready)
{
    p->probe = plan->main && probe_due(p->link);
    if (p->probe || ready) {
        pl_packet_fill(p);
    }
}

/* Gives the entries of a packet their number; the first carries the datagram's size. */
static void number_entries(struct pl_outgoing *p, uint32_t number, size_t datagram)
{
    struct pl_tx *tx = &p->link->tx;

    for (uint64_t i = tx->sent.next - p->entries; i < tx->sent.next; i++) {
        struct pl_sent *sent = pl_sent_at(&tx->sent, i);
        sent->number = number;
        sent->size = i == tx->sent.next - p->entries ? (uint16_t)datagram : 0;
        struct pl_tx_stream *stream = sent->asked ? &tx->streams[sent->slot] : NULL;
        if (stream != NULL && stream->ask_index == 0) {
            stream->ask_index = pl_tx_index(p->run, number);
        }
    }
    if (p->entries > 0) {
        tx->in_flight_bytes += datagram;
        tx->batch_entries += p->entries;
    }
}

/* Seals one packet at the batch's end. Returns its size, 0 if the run is at its end or the crypto
 * library failed: its content goes again. */
static size_t seal(struct pl_outgoing *p)
{
    struct pl_tx *tx = &p->link->tx;
    uint32_t number = 0;
    uint8_t *packet = p->out - PL_HEADER_SIZE;

    if (!pl_tx_run_seal(p->link, p->run, packet, p->size, &number)) {
        for (; p->entries > 0; p->entries--) {
            pl_sent_again(p->link, pl_sent_at(&tx->sent, tx->sent.next - p->entries));
        }
        tx->pace_us = p->now_us + pl_tx_pto_us(p->link);
        return 0;
    }
    size_t datagram = p->size + PL_PACKET_OVERHEAD;
    number_entries(p, number, datagram);
    p->link->env->counters.packets_out++;
    p->link->env->counters.bytes_out += datagram;
    return datagram;
}

/* A run at its end is replaced within the batch: the old one given up, its successor opened, taken. */
static void replace_run(struct pl_link *link, uint64_t now_us)
{
    enum { STEPS = 3 };

    for (unsigned i = 0; i < STEPS && pl_run_exhausted(&link->tx.runs[link->tx.active].run); i++) {
        pl_tx_runs_tick(link, now_us);
    }
}

static struct pl_outgoing outgoing(struct pl_link *link, uint64_t now_us, const struct pl_batch *batch)
{
    struct pl_tx *tx = &link->tx;
    struct pl_own_run *active = &tx->runs[tx->active], *other = &tx->runs[!tx->active];
    bool successor = other->live && other->ordinal > active->ordinal && !other->acked;
    bool asks = tx->ping || tx->probe || tx->since_ping_bytes >= tx->congestion.window_bytes / 4;
    size_t datagram = link->env->settings.datagram_bytes;

    /* A run's successor is opened by the PINGs until one was acknowledged. */
    return (struct pl_outgoing){
        .link = link,
        .now_us = now_us,
        .run = successor && asks ? other : active,
        .out = batch->bytes + batch->size + PL_HEADER_SIZE,
        .room = datagram - PL_PACKET_OVERHEAD,
    };
}

static size_t add_packet(struct pl_link *link, uint64_t now_us, struct pl_batch *batch, struct plan *plan)
{
    replace_run(link, now_us);
    struct pl_outgoing p = outgoing(link, now_us, batch);
    bool first = batch->count == 0;

    if (first && !begin(&p, plan)) {
        return 0;
    }
    bool ready = plan->free && records_ready(link, now_us);
    if (!first && !ready) {
        return 0;
    }
    fill(&p, plan, ready);
    return p.size == 0 ? 0 : seal(&p);
}

static void after(struct pl_link *link, uint64_t now_us, const struct pl_batch *batch)
{
    struct pl_tx *tx = &link->tx;

    if (batch->count == 0) {
        return;
    }
    link->active_us = now_us;
    tx->last_sent_us = now_us;
    if (tx->batch_entries > 0) {
        uint64_t from = tx->pace_us > now_us ? tx->pace_us : now_us;
        tx->pace_us = from + pl_congestion_pace_us(&tx->congestion, batch->size);
        pl_timer_arm(link, now_us);
    }
}

static void tick(struct pl_link *link, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;

    pl_path_tick(link, now_us);
    pl_rx_resume(link, now_us);
    pl_tx_runs_tick(link, now_us);
    if (tx->rack_deadline_us <= now_us) {
        pl_loss_detect(link, now_us);
    }
    pl_timer_tick(link, now_us);
    pl_sent_trim(link, now_us);
    if (tx->in_flight_bytes == 0 && now_us - tx->last_sent_us > PL_TIMER_FIRST_US) {
        pl_congestion_rested(&tx->congestion);
    }
}

unsigned pl_link_send(struct pl_link *link, uint64_t now_us, struct pl_batch *batch)
{
    struct plan plan;
    size_t quantum = pl_congestion_quantum(&link->tx.congestion, PL_BATCH_PACKETS);
    size_t datagram = link->env->settings.datagram_bytes;

    batch->count = 0;
    batch->size = batch->segment = 0;
    link->tx.batch_entries = 0;
    if (muted(link, now_us)) {
        return 0;
    }
    tick(link, now_us);
    while (batch->count < PL_BATCH_PACKETS && batch->room_bytes - batch->size >= datagram &&
           (batch->count == 0 || (plan.main && batch->size < quantum))) {
        size_t size = add_packet(link, now_us, batch, &plan);
        if (size == 0) {
            break;
        }
        batch->segment = batch->count == 0 ? size : batch->segment;
        batch->size += size;
        batch->count++;
        if (size < batch->segment || batch->segment < datagram) {
            break;
        }
    }
    batch->route = plan.route;
    after(link, now_us, batch);
    return batch->count;
}

void pl_link_unsent(struct pl_link *link, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;

    for (unsigned n = 0; n < tx->batch_entries; n++) {
        pl_sent_again(link, pl_sent_at(&tx->sent, tx->sent.next - 1 - n));
    }
    tx->batch_entries = 0;
    tx->pace_us = now_us + pl_tx_pto_us(link) / PACE_UNSENT_PARTS;
}
