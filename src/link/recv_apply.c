/* The frames of a payload, in their order; nothing here can fail. One row a frame type. */
#include "link/path.h"
#include "link/recv.h"
#include "link/send.h"
#include "wire/payload.h"

enum { RESPONSES_PER_RTT = 4 };

typedef void apply_fn(struct pl_arrival *arrival, const struct pl_frame *frame);

static void apply_ping(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    (void)frame;
    arrival->link->rx.answer_now = true;
}

static void apply_to(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    arrival->to = pl_tx_run_by_tag(arrival->link, frame->u.to.run_tag);
}

static void apply_ack(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    if (arrival->to != NULL) {
        pl_tx_acked(arrival, &frame->u.ack);
    }
}

static void apply_ack_ecn(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    const struct pl_frame_ack_ecn *ecn = &frame->u.ack_ecn;
    struct pl_frame_ack ack = {
        .largest = ecn->largest,
        .delay = ecn->delay,
        .range_count = ecn->range_count,
        .first_range = ecn->first_range,
        .ranges = ecn->ranges,
    };

    if (arrival->to != NULL) {
        pl_tx_acked(arrival, &ack);
    }
}

static void apply_stream(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    pl_rx_bind(arrival, &frame->u.stream);
}

static void apply_records(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    pl_rx_piece(arrival, &frame->u.records);
}

static void apply_records_length(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    pl_rx_piece(arrival, &frame->u.records_length);
}

static void apply_gap(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    pl_rx_gap(arrival, &frame->u.gap);
}

static void apply_ask(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    arrival->link->rx.answer_now = true;
    pl_rx_ask(arrival, frame->u.ask.life);
}

static void apply_stored(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    if (arrival->to != NULL) {
        pl_tx_stored(arrival, &frame->u.stored);
    }
}

static void apply_unbound(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    if (arrival->to != NULL) {
        pl_tx_unbound(arrival->link, frame->u.unbound.life);
    }
}

static void apply_refused(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    if (arrival->to != NULL) {
        pl_tx_refused(arrival, &frame->u.refused);
    }
}

static void apply_challenge(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    struct pl_tx *tx = &arrival->link->tx;
    uint64_t value = frame->u.path_challenge.value;
    const struct pl_route *route = &arrival->packet->route;

    /* Each answer asks until a response came. Some are answered, not all: one that is lost is not asked
     * for again once the peer has no more answers to give. */
    bool same = value == tx->response_value && pl_route_same_peer(route, &tx->response_route);
    uint64_t apart_us = tx->congestion.rtt.smoothed_us / RESPONSES_PER_RTT;
    if (same && tx->response_us != 0 && arrival->now_us - tx->response_us < apart_us) {
        return;
    }
    tx->response = true;
    tx->response_value = value;
    tx->response_route = *route;
    tx->response_us = 0;
}

static void apply_response(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    pl_path_response(arrival, frame->u.path_response.value);
}

static void apply_later(struct pl_arrival *arrival, const struct pl_frame *frame)
{
    (void)frame;
    arrival->link->env->drops[PL_DROP_LATER]++;
}

/* clang-format off */
static apply_fn *const rows[] = {
    [PL_FRAME_PING]           = apply_ping,
    [PL_FRAME_TO]             = apply_to,
    [PL_FRAME_ACK]            = apply_ack,
    [PL_FRAME_ACK_ECN]        = apply_ack_ecn,
    [PL_FRAME_STREAM]         = apply_stream,
    [PL_FRAME_RECORDS]        = apply_records,
    [PL_FRAME_RECORDS_LENGTH] = apply_records_length,
    [PL_FRAME_GAP]            = apply_gap,
    [PL_FRAME_ASK]            = apply_ask,
    [PL_FRAME_STORED]         = apply_stored,
    [PL_FRAME_UNBOUND]        = apply_unbound,
    [PL_FRAME_REFUSED]        = apply_refused,
    [PL_FRAME_PATH_CHALLENGE] = apply_challenge,
    [PL_FRAME_PATH_RESPONSE]  = apply_response,
    [PL_FRAME_EPOCH]          = apply_later,
    [PL_FRAME_EPOCH_OK]       = apply_later,
};
/* clang-format on */

void pl_apply(struct pl_arrival *arrival, const struct pl_payload *payload)
{
    for (unsigned i = 0; i < payload->count; i++) {
        const struct pl_frame *frame = &payload->frames[i];
        /* PADDING and extensions have no row: nothing to do. */
        if (frame->type < sizeof rows / sizeof rows[0] && rows[frame->type] != NULL) {
            rows[frame->type](arrival, frame);
        }
    }
    pl_tx_answers_end(arrival);
}
