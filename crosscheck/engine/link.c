/* One link: opening and applying packets, and putting together those that go out. */
#include "inner.h"

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t draw(struct xc_link *link)
{
    uint64_t number;

    link->config.outside.random(link->config.outside.context, &number, sizeof number);
    return number;
}

static void draw_skip(struct xc_link *link)
{
    struct xc_own_run *own = &link->own;

    own->skip_at = own->next + XC_SKIP_MIN + (uint32_t)(draw(link) % (XC_SKIP_MAX - XC_SKIP_MIN));
}

struct xc_link *xc_link_new(const struct xc_link_config *config)
{
    struct xc_link *link = xc_zeroed(sizeof *link);

    link->config = *config;
    if (link->config.record_max_bytes == 0)
        link->config.record_max_bytes = XC_RECORD_MAX;
    link->own.id = draw(link);
    link->own.first = link->own.next = (uint32_t)(draw(link) % XC_FIRST_NUMBER_BELOW);
    xc_key_make(&link->own.key, &config->pair, true, config->suite, link->own.id);
    draw_skip(link);
    link->tx.due_us = UINT64_MAX;
    return link;
}

void xc_link_free(struct xc_link *link)
{
    if (link == NULL)
        return;
    xc_tx_free(&link->tx);
    xc_rx_free(&link->rx);
    free(link);
}

static void trace(struct xc_link *link, bool sent, const struct xc_tree *tree)
{
    static const size_t room = 4096;
    char line[4096];

    if (link->config.outside.trace == NULL)
        return;
    for (size_t place = 0; place < tree->n; place = tree->values[place].next) {
        xc_print(tree, place, line, room);
        link->config.outside.trace(link->config.outside.context, sent, line);
    }
}

/* ---- receiving ---- */

static void apply_path(struct xc_taking *t, size_t place, const struct xc_address *from)
{
    struct xc_link *link = t->link;
    uint64_t value = xc_get(t->tree, place, "value");

    if (t->tree->values[place].number == XC_PATH_CHALLENGE) {
        link->response = value;
        link->response_due = true;
        link->response_to = *from;
    } else if (t->run->challenge != 0 && value == t->run->challenge &&
               memcmp(from, &t->run->from, sizeof *from) == 0) {
        t->run->validated = true;
        xc_run_prove(link, t->run);
    }
}

static void apply(struct xc_taking *t, size_t place, const struct xc_address *from)
{
    uint64_t type = t->tree->values[place].number;
    bool answer = type == XC_ACK || type == XC_ACK_ECN || (type >= XC_STORED && type <= XC_REFUSED);

    if (answer && !t->to_us)
        return;
    switch (type) {
    case XC_TO: t->to_us = xc_get(t->tree, place, "run_tag") == t->link->own.id >> 32; break;
    case XC_ACK:
    case XC_ACK_ECN: xc_tx_ack(t, place); break;
    case XC_STREAM: xc_rx_bind(t, place); break;
    case XC_RECORDS:
    case XC_RECORDS_LENGTH: xc_rx_piece(t, place); break;
    case XC_GAP: xc_rx_gap(t, place); break;
    case XC_ASK: xc_rx_ask(t, place); break;
    case XC_STORED: xc_tx_stored(t, place); break;
    case XC_UNBOUND: xc_tx_unbound(t, place); break;
    case XC_REFUSED: xc_tx_refused(t, place); break;
    case XC_PATH_CHALLENGE:
    case XC_PATH_RESPONSE: apply_path(t, place, from); break;
    default: break;
    }
}

static bool asks_for_ack(uint64_t type)
{
    return type == XC_PING || (type >= XC_STREAM && type <= XC_ASK) || type == XC_EPOCH ||
           type >= XC_EXTENSION;
}

static void apply_all(struct xc_link *link, struct xc_peer_run *run, uint64_t now_us, uint32_t number,
                      const struct xc_tree *tree, const struct xc_address *from)
{
    struct xc_taking t = {link, run, tree, now_us, false, false};
    bool wants = false;

    for (size_t place = 0; place < tree->n; place = tree->values[place].next) {
        wants = wants || asks_for_ack(tree->values[place].number);
        apply(&t, place, from);
    }
    if (t.left)
        run->needs_proof = !run->proven;
    else
        xc_run_keep(run, number);
    run->wants = run->wants || wants;
}

static void tell_malformed(struct xc_link *link, uint64_t now_us)
{
    struct xc_rx *rx = &link->rx;

    if (rx->malformed_us != 0 && now_us - rx->malformed_us < XC_MALFORMED_INTERVAL_US)
        return;
    rx->malformed_us = now_us + 1;
    rx->malformed = true;
}

/* What the header alone tells; NULL: nothing against it. */
static const char *check_header(const struct xc_link *link, const uint8_t *datagram, size_t n,
                                struct xc_tree *tree)
{
    if (n < XC_HEADER_BYTES + XC_TAG_BYTES)
        return "SHORT";
    if (n > XC_DATAGRAM_BYTES)
        return "LONG";
    if (xc_parse_header(datagram, n, tree) != XC_OK)
        return "VERSION";
    uint64_t suite = xc_get(tree, 0, "suite");
    if (suite != XC_SUITE_AES && suite != XC_SUITE_CHACHA)
        return "SUITE";
    if (xc_get(tree, 0, "own_epoch") != 0 || xc_get(tree, 0, "peer_epoch") != 0)
        return "EPOCH";
    if (xc_get(tree, 0, "key_id") != link->config.pair.id_in)
        return "KEY_ID";
    return NULL;
}

/* Opens the packet with its run's key; the run is made at need. NULL: *run is it. */
static const char *open_packet(struct xc_link *link, uint64_t now_us, const struct xc_tree *header,
                               const uint8_t *datagram, size_t n, uint8_t *plain, struct xc_peer_run **run)
{
    uint64_t id = xc_get(header, 0, "run");
    uint8_t suite = (uint8_t)xc_get(header, 0, "suite");
    uint32_t number = (uint32_t)xc_get(header, 0, "packet_number");
    struct xc_key fresh;

    *run = xc_run_find(link, id);
    if (*run == NULL)
        xc_key_make(&fresh, &link->config.pair, false, suite, id);
    else if ((*run)->key.suite != suite)
        return "RUN_SUITE";
    const char *seen = *run != NULL ? xc_run_look(*run, number) : NULL;
    if (seen != NULL)
        return seen;
    if (!xc_open(*run != NULL ? &(*run)->key : &fresh, number, datagram, XC_HEADER_BYTES,
                 datagram + XC_HEADER_BYTES, n - XC_HEADER_BYTES, plain))
        return "SEAL";
    if (*run == NULL)
        *run = xc_run_add(link, now_us, id, &fresh);
    return *run == NULL ? "LIMIT" : NULL;
}

/* The address of the highest number is where answers to the run go; only it earns credit. */
static void note_source(struct xc_peer_run *run, uint32_t number, const struct xc_address *from, size_t n)
{
    bool same = memcmp(&run->from, from, sizeof *from) == 0;

    if (run->packets > 0 && number != run->largest && !same)
        return;
    if (!same) {
        run->validated = false;
        run->challenge = 0;
        run->credit_bytes = 0;
        run->from = *from;
    }
    run->credit_bytes += XC_CREDIT_FACTOR * n;
}

const char *xc_link_receive(struct xc_link *link, uint64_t now_us, const struct xc_address *from,
                            const uint8_t *datagram, size_t n)
{
    struct xc_value header_values[16], *values;
    struct xc_tree header = {header_values, 16, 0}, tree;
    struct xc_peer_run *run;
    uint8_t plain[XC_DATAGRAM_BYTES];
    size_t whole = n;

    const char *drop = check_header(link, datagram, n, &header);
    if (drop != NULL)
        return drop;
    if (xc_get(&header, 0, "cookie") != 0) {
        if (n < XC_HEADER_BYTES + XC_TAG_BYTES + XC_COOKIE_BYTES)
            return "SHORT";
        n -= XC_COOKIE_BYTES;
    }
    drop = open_packet(link, now_us, &header, datagram, n, plain, &run);
    if (drop != NULL)
        return drop;
    uint32_t number = (uint32_t)xc_get(&header, 0, "packet_number");
    xc_run_mark(run, number, now_us);
    note_source(run, number, from, whole);
    values = xc_zeroed(XC_PAYLOAD_VALUES * sizeof *values);
    tree = (struct xc_tree){values, XC_PAYLOAD_VALUES, 0};
    if (xc_parse(plain, n - XC_HEADER_BYTES - XC_TAG_BYTES, &tree) == XC_OK) {
        trace(link, false, &tree);
        apply_all(link, run, now_us, number, &tree, from);
        drop = "";
    } else {
        tell_malformed(link, now_us);
        drop = "MALFORMED";
    }
    free(values);
    xc_run_trim(link);
    xc_tx_arm(link, now_us);
    return drop;
}

void xc_link_commit(struct xc_link *link)
{
    for (size_t i = 0; i < link->rx.n; i++)
        link->rx.stream[i].stored = link->rx.stream[i].heard;
}

/* ---- sending ---- */

static void trace_sent(struct xc_link *link, const struct xc_payload *payload)
{
    if (link->config.outside.trace == NULL)
        return;
    struct xc_value *values = xc_zeroed(XC_PAYLOAD_VALUES * sizeof *values);
    struct xc_tree tree = {values, XC_PAYLOAD_VALUES, 0};
    if (xc_parse(payload->bytes, payload->n, &tree) != XC_OK)
        abort();
    trace(link, true, &tree);
    free(values);
}

/* Seals the payload as the run's next packet. A number is skipped now and then: who acknowledges it lies. */
static size_t seal(struct xc_link *link, const struct xc_payload *payload, uint8_t *out, uint32_t *number)
{
    struct xc_own_run *own = &link->own;
    struct xc_maker header;

    if (own->next == own->skip_at) {
        own->skipped = own->next++;
        draw_skip(link);
    }
    *number = own->next++;
    xc_make(&header, "Header");
    xc_set(&header, "version", 1);
    xc_set(&header, "suite", link->config.suite);
    xc_set(&header, "key_id", link->config.pair.id_out);
    xc_set(&header, "run", own->id);
    xc_set(&header, "packet_number", *number);
    xc_encode(&header.tree, 0, out, XC_HEADER_BYTES);
    xc_seal(&own->key, *number, out, XC_HEADER_BYTES, payload->bytes, payload->n, out + XC_HEADER_BYTES);
    trace_sent(link, payload);
    return XC_HEADER_BYTES + payload->n + XC_TAG_BYTES;
}

/* Where an answer goes, and how large a datagram may go there. */
static size_t answer_path(const struct xc_link *link, const struct xc_peer_run *run, struct xc_address *to)
{
    *to = link->config.peer.n > 0 ? link->config.peer : run->from;
    if (link->config.peer.n > 0 || run->validated || run->credit_bytes > XC_DATAGRAM_BYTES)
        return XC_DATAGRAM_BYTES;
    return (size_t)run->credit_bytes;
}

static bool put_response(struct xc_link *link, struct xc_payload *payload)
{
    struct xc_maker frame;

    xc_make_frame(&frame, XC_PATH_RESPONSE);
    xc_set(&frame, "value", link->response);
    return xc_put(payload, &frame);
}

/* A few zeros behind the frames, where the last one does not run to the end of the packet. */
static void put_padding(struct xc_payload *payload)
{
    struct xc_maker frame;
    size_t room = payload->room - payload->n;

    if (room == 0)
        return;
    xc_make_frame(&frame, XC_PADDING);
    xc_set(&frame, "length", room > 8 ? 7 : room - 1);
    xc_put(payload, &frame);
}

size_t xc_link_send(struct xc_link *link, uint64_t now_us, uint8_t *out, struct xc_address *to)
{
    struct xc_payload payload = {.room = XC_PAYLOAD_BYTES};
    struct xc_peer_run *run = xc_answer_run(link);
    bool answers = xc_answer_due(link) && run != NULL, fixed = link->config.peer.n > 0;
    struct xc_sent sent = {.sent_us = now_us};
    size_t size = XC_DATAGRAM_BYTES;

    *to = link->config.peer;
    xc_tx_tick(link, now_us);
    if (answers)
        size = answer_path(link, run, to);
    if (size <= XC_HEADER_BYTES + XC_TAG_BYTES || link->own.next - link->own.first >= XC_RUN_PACKETS - 1)
        return 0;
    payload.room = size - XC_HEADER_BYTES - XC_TAG_BYTES;
    if (answers)
        xc_put_answer(link, &payload, now_us);
    if (link->response_due && (fixed || answers) && put_response(link, &payload))
        link->response_due = false;
    if (fixed && xc_tx_may_send(link, now_us))
        xc_put_data(link, &payload, &sent);
    if (payload.n == 0)
        return 0;
    if (link->config.extras)
        put_padding(&payload);
    size_t n = seal(link, &payload, out, &sent.number);
    if (answers)
        run->credit_bytes -= n < run->credit_bytes ? n : run->credit_bytes;
    xc_tx_sent(link, &sent);
    xc_tx_arm(link, now_us);
    return n;
}

uint64_t xc_link_due_us(const struct xc_link *link)
{
    return link->tx.due_us;
}
