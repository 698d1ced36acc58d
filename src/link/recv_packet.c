/* A datagram for an active link: known run or new one, replay window, opened, checked whole, applied
 * (spec section 3, order of checks). */
#include <string.h>

#include "link/memory.h"
#include "link/path.h"
#include "link/recv.h"
#include "link/send.h"
#include "wire/payload.h"

/* RFC 3168 section 5: the codepoints of the two bits. */
enum { ECN_ECT1 = 1, ECN_ECT0 = 2, ECN_CE = 3 };

static bool suite_served(uint8_t suite)
{
    return suite == PL_SUITE_AES_128_GCM || suite == PL_SUITE_CHACHA20_POLY1305;
}

static enum pl_drop check_header(const struct pl_packet *packet)
{
    const struct pl_header *header = &packet->header;

    if (packet->size <= PL_PACKET_OVERHEAD) {
        return packet->size < PL_PACKET_OVERHEAD ? PL_DROP_SHORT : PL_DROP_EMPTY;
    }
    if (header->version != PL_VERSION) {
        return PL_DROP_VERSION;
    }
    if (header->reserved != 0) {
        return PL_DROP_RESERVED;
    }
    if (header->suite == PL_SUITE_COOKIE || header->cookie != 0) {
        return PL_DROP_LATER;
    }
    if (header->own_epoch != 0 || header->peer_epoch != 0) {
        return PL_DROP_EPOCH;
    }
    return suite_served(header->suite) ? PL_DROP_NONE : PL_DROP_SUITE;
}

static uint64_t failures_max(const struct pl_settings *settings, uint8_t suite)
{
    uint64_t most = suite == PL_SUITE_CHACHA20_POLY1305 ? PL_FAILURES_MAX_CHACHA : PL_FAILURES_MAX_GCM;

    return settings->failures_max != 0 && settings->failures_max < most ? settings->failures_max : most;
}

static enum pl_drop check_run(const struct pl_rx_run *run, const struct pl_header *header)
{
    if (run->machine.state == PL_RECEIVE_RUN_IGNORED) {
        return PL_DROP_SEAL;
    }
    if (run->key.suite != header->suite) {
        return PL_DROP_RUN_SUITE;
    }
    switch (pl_window_look(&run->window, header->packet_number)) {
    case PL_WINDOW_OLD:
        return PL_DROP_OLD;
    case PL_WINDOW_REPEAT:
        return PL_DROP_REPLAY;
    default:
        return PL_DROP_NONE;
    }
}

static bool open_packet(struct pl_link *link, struct pl_rx_run *run, struct pl_packet *packet)
{
    struct pl_bytes aad = {packet->bytes, PL_HEADER_SIZE};

    if (pl_aead_open(link->env->aead, &run->key, packet->header.packet_number, aad,
                     packet->bytes + PL_HEADER_SIZE, packet->size - PL_HEADER_SIZE)) {
        return true;
    }
    if (++run->failures > failures_max(&link->env->settings, run->key.suite)) {
        pl_receive_run_step(&run->machine, PL_RECEIVE_RUN_ON_FAILURES_EXHAUSTED);
    }
    return false;
}

/* Finds or derives the run and opens the packet; a new run is kept only if its packet opened. */
static enum pl_drop open_with_run(struct pl_link *link, struct pl_packet *packet, uint64_t now_us,
                                  struct pl_rx_run **out)
{
    struct pl_rx_run fresh, *run = pl_runs_find(&link->rx, packet->header.run);
    enum pl_drop drop = PL_DROP_NONE;

    if (run != NULL) {
        drop = check_run(run, &packet->header);
        if (drop == PL_DROP_NONE && !open_packet(link, run, packet)) {
            drop = PL_DROP_SEAL;
        }
        *out = run;
        return drop;
    }
    if (!pl_runs_derive(link, &packet->header, &fresh)) {
        return PL_DROP_BUDGET;
    }
    drop = open_packet(link, &fresh, packet) ? pl_runs_keep(link, &fresh, now_us, out) : PL_DROP_SEAL;
    if (drop != PL_DROP_NONE) {
        pl_aead_forget(link->env->aead, &fresh.key);
    }
    pl_wipe(&fresh.key, sizeof fresh.key);
    return drop;
}

static void note_ecn(struct pl_rx_run *run, uint8_t ecn)
{
    run->ect0 += ecn == ECN_ECT0;
    run->ect1 += ecn == ECN_ECT1;
    run->ce += ecn == ECN_CE;
}

/* Three times the bytes of what came may go back there within a second. Answers go to where the highest
 * number came from: an older packet from elsewhere gives nothing. */
static void give_credit(struct pl_rx_run *run, const struct pl_packet *packet, bool newest, uint64_t now_us)
{
    bool same = pl_route_same_peer(&run->route, &packet->route);
    bool kept = now_us - run->credit_us <= PL_CREDIT_TIME_US && same;

    if (!newest && !same) {
        return;
    }
    run->credit_bytes = (kept ? run->credit_bytes : 0) + PL_CREDIT_FACTOR * packet->size;
    run->credit_us = now_us;
}

/* Books the packet with its run. Returns whether it left a new gap; *newest: it has the highest number. */
static bool note_packet(struct pl_rx_run *run, const struct pl_packet *packet, uint64_t now_us, bool *newest)
{
    uint32_t number = packet->header.packet_number;
    bool gap = false;

    *newest = !run->window.any || number > run->window.largest;
    gap = pl_window_mark(&run->window, number);
    run->packets++;
    run->newest_us = now_us;
    give_credit(run, packet, *newest, now_us);
    note_ecn(run, packet->ecn);
    if (*newest) {
        run->largest_us = now_us;
        run->route = packet->route;
    }
    return gap;
}

static void malformed(struct pl_arrival *arrival)
{
    struct pl_link *link = arrival->link;

    link->env->counters.malformed++;
    if (link->rx.malformed_us == 0 || arrival->now_us - link->rx.malformed_us >= PL_MALFORMED_INTERVAL_US) {
        link->rx.malformed_us = arrival->now_us;
        pl_due_add(arrival, PL_REFUSAL_MALFORMED, 0, 0, NULL);
        link->rx.answer_now = true;
    }
}

static void ask_for_answer(struct pl_arrival *arrival, bool gap)
{
    struct pl_rx *rx = &arrival->link->rx;

    arrival->run->news = true;
    rx->unanswered++;
    rx->answer_now |= gap || rx->unanswered >= PL_ANSWER_PACKETS;
    if (rx->answer_us == PL_NEVER) {
        rx->answer_us = arrival->now_us + PL_ANSWER_DELAY_US;
    }
}

enum pl_drop pl_link_receive(struct pl_link *link, struct pl_packet *packet, uint64_t now_us)
{
    struct pl_arrival arrival = {.link = link, .packet = packet, .now_us = now_us};
    struct pl_payload payload;
    bool newest = false;
    size_t fault = 0;

    enum pl_drop drop = check_header(packet);
    if (drop == PL_DROP_NONE) {
        drop = open_with_run(link, packet, now_us, &arrival.run);
    }
    if (drop != PL_DROP_NONE) {
        link->env->drops[drop]++;
        return drop;
    }
    bool gap = note_packet(arrival.run, packet, now_us, &newest);
    link->opened_us = link->active_us = now_us;
    link->env->counters.packets_in++;
    link->env->counters.bytes_in += packet->size;
    pl_path_seen(&arrival, newest);
    struct pl_bytes bytes = {packet->bytes + PL_HEADER_SIZE, packet->size - PL_PACKET_OVERHEAD};
    if (pl_payload_parse(bytes, &payload, &fault) != PL_OK) {
        malformed(&arrival);
        link->env->drops[PL_DROP_MALFORMED]++;
        return PL_DROP_MALFORMED;
    }
    pl_apply(&arrival, &payload);
    if (!arrival.left) {
        pl_window_keep(&arrival.run->window, packet->header.packet_number);
    }
    if (payload.ack_eliciting) {
        ask_for_answer(&arrival, gap);
    }
    return PL_DROP_NONE;
}
