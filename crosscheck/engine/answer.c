/* Answers: which frames are owed to the peer, in the order the spec gives them. */
#include "inner.h"

bool xc_answer_due(const struct xc_link *link)
{
    for (size_t i = 0; i < link->runs; i++)
        if (link->run[i].wants)
            return true;
    for (size_t i = 0; i < link->rx.n; i++)
        if (link->rx.stream[i].owed)
            return true;
    return link->rx.malformed || link->response_due;
}

/* The run answers stand under: the newest with news, the current one before an unproven one that may be
 * nothing but a replay. */
struct xc_peer_run *xc_answer_run(struct xc_link *link)
{
    struct xc_peer_run *current = xc_run_current(link);

    if (current != NULL && (current->wants || current->news))
        return current;
    for (size_t i = link->runs; i-- > 0;)
        if (link->run[i].wants || link->run[i].news)
            return &link->run[i];
    return link->runs > 0 ? &link->run[link->runs - 1] : NULL;
}

static bool put_to(struct xc_payload *payload, const struct xc_peer_run *run)
{
    struct xc_maker to;

    xc_make_frame(&to, XC_TO);
    xc_set(&to, "run_tag", run->id >> 32);
    return xc_put(payload, &to);
}

bool xc_put_refused(struct xc_payload *payload, uint32_t life, uint64_t number, uint64_t code)
{
    struct xc_maker refused;

    xc_make_frame(&refused, XC_REFUSED);
    xc_set(&refused, "life", life);
    xc_set(&refused, "number", number);
    xc_set(&refused, "code", code);
    return xc_put(payload, &refused);
}

/* Refusals that belong to no stream with rows. */
static void put_refusals(struct xc_rx *rx, struct xc_payload *payload)
{
    if (rx->malformed && xc_put_refused(payload, 0, 0, XC_MALFORMED))
        rx->malformed = false;
    if (rx->contradicted != 0 && xc_put_refused(payload, rx->contradicted, 0, XC_FORKED))
        rx->contradicted = 0;
    if (rx->unwanted != 0 && xc_put_refused(payload, rx->unwanted, 0, XC_UNWANTED))
        rx->unwanted = 0;
    if (rx->too_many != 0 && xc_put_refused(payload, rx->too_many, 0, XC_REFUSED_LIMIT))
        rx->too_many = 0;
}

static uint64_t window_kib(const struct xc_rx_stream *stream)
{
    uint64_t wanted = (stream->wanted_bytes + 1023) / 1024;

    return wanted > XC_OFFER_KIB ? wanted : XC_OFFER_KIB;
}

static bool put_stored(struct xc_payload *payload, uint32_t life, uint64_t number, uint64_t kib)
{
    struct xc_maker stored;

    xc_make_frame(&stored, XC_STORED);
    xc_set(&stored, "life", life);
    xc_set(&stored, "number", number);
    xc_set(&stored, "window", kib);
    return xc_put(payload, &stored);
}

/* STORED for the life of the last stored number, and for the life asked for, if it is another: of a life that
 * is past its last number, of one without a record yet 0. */
static bool put_stream(const struct xc_rx_stream *stream, struct xc_payload *payload)
{
    uint64_t kib = window_kib(stream), asked_number = 0;
    uint32_t life = stream->now.tag;

    if (stream->forked != 0)
        return xc_put_refused(payload, stream->forked, stream->forked_number, XC_FORKED);
    if (life != 0 && stream->stored < stream->now.first)
        life = stream->past_n > 0 ? stream->past[0].tag : 0;
    if (life != 0 && !put_stored(payload, life, stream->stored, kib))
        return false;
    for (size_t i = 0; i < stream->past_n; i++)
        if (stream->past[i].tag == stream->asked)
            asked_number = stream->past[i].last;
    if (stream->asked != 0 && stream->asked != life && !put_stored(payload, stream->asked, asked_number, kib))
        return false;
    return stream->refused == 0 ||
           xc_put_refused(payload, stream->refused_life, stream->refused_number, stream->refused);
}

static void put_streams(struct xc_link *link, struct xc_payload *payload)
{
    for (size_t i = 0; i < link->rx.n; i++) {
        struct xc_rx_stream *stream = &link->rx.stream[i];
        if (!stream->owed || xc_say(link, stream, payload) || !put_stream(stream, payload))
            continue;
        stream->owed = false;
        stream->asked = stream->forked = 0;
    }
    while (link->rx.unbound_n > 0 &&
           xc_put_life(payload, XC_UNBOUND, link->rx.unbound[link->rx.unbound_n - 1]))
        link->rx.unbound_n--;
}

/* A challenge rides along until the run is proven: from its second packet on, or at once when something
 * depends on the proof. */
static void put_challenge(struct xc_link *link, struct xc_payload *payload, struct xc_peer_run *run)
{
    struct xc_maker frame;

    if (run->proven && (run->validated || link->config.peer.n > 0))
        return;
    if (!(run->packets > 1 || run->needs_proof || xc_run_current(link) != NULL || xc_tx_unstored(link)))
        return;
    while (run->challenge == 0)
        link->config.outside.random(link->config.outside.context, &run->challenge, sizeof run->challenge);
    xc_make_frame(&frame, XC_PATH_CHALLENGE);
    xc_set(&frame, "value", run->challenge);
    xc_put(payload, &frame);
}

void xc_put_answer(struct xc_link *link, struct xc_payload *payload, uint64_t now_us)
{
    struct xc_peer_run *newest = xc_answer_run(link);
    enum xc_frame_type ack = link->config.extras ? XC_ACK_ECN : XC_ACK;

    if (put_to(payload, newest))
        xc_put_ack(payload, newest, now_us, ack);
    put_refusals(&link->rx, payload);
    put_streams(link, payload);
    put_challenge(link, payload, newest);
    newest->news = newest->wants = false;
    for (size_t i = link->runs; i-- > 0;) {
        struct xc_peer_run *run = &link->run[i];
        if (run != newest && run->news && run->wants && put_to(payload, run)) {
            xc_put_ack(payload, run, now_us, ack);
            run->news = false;
        }
        run->wants = false;
    }
}
