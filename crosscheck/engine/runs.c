/* Runs of the peer: the replay window, what is acknowledged, and proof that a run is live. */
#include "inner.h"

#include <string.h>

struct xc_peer_run *xc_run_find(struct xc_link *link, uint64_t id)
{
    for (size_t i = 0; i < link->runs; i++)
        if (link->run[i].id == id)
            return &link->run[i];
    return NULL;
}

struct xc_peer_run *xc_run_current(struct xc_link *link)
{
    struct xc_peer_run *current = NULL;

    for (size_t i = 0; i < link->runs; i++) {
        struct xc_peer_run *run = &link->run[i];
        if (run->proven && (current == NULL || run->proven_order > current->proven_order))
            current = run;
    }
    return current;
}

static void forget(struct xc_link *link, size_t index)
{
    link->runs--;
    memmove(&link->run[index], &link->run[index + 1], (link->runs - index) * sizeof link->run[0]);
}

static size_t count(const struct xc_link *link, bool proven)
{
    size_t n = 0;

    for (size_t i = 0; i < link->runs; i++)
        n += link->run[i].proven == proven;
    return n;
}

/* The place of the unproven run to go: any of them. */
static size_t random_unproven(struct xc_link *link)
{
    uint8_t r;
    size_t nth, index = 0;

    link->config.outside.random(link->config.outside.context, &r, 1);
    nth = r % count(link, false);
    while (link->run[index].proven || nth-- > 0)
        index++;
    return index;
}

/* New runs of a peer are rationed: a burst at once, then some a second. */
static bool take_token(struct xc_link *link, uint64_t now_us)
{
    uint64_t each_us = 1000000 / XC_NEW_RUNS_PER_S;
    uint64_t earned = (now_us - link->run_tokens_us) / each_us;

    link->run_tokens_us += earned * each_us;
    link->run_tokens = link->run_tokens > earned ? link->run_tokens - earned : 0;
    if (link->run_tokens == XC_NEW_RUNS_BURST)
        return false;
    link->run_tokens++;
    return true;
}

/* NULL: too many new runs. */
struct xc_peer_run *xc_run_add(struct xc_link *link, uint64_t now_us, uint64_t id, const struct xc_key *key)
{
    if (!take_token(link, now_us))
        return NULL;
    if (count(link, false) == XC_UNPROVEN_RUNS)
        forget(link, random_unproven(link));
    struct xc_peer_run *run = &link->run[link->runs++];
    memset(run, 0, sizeof *run);
    run->id = id;
    run->key = *key;
    return run;
}

static bool bit(const uint64_t *bits, uint32_t number)
{
    return bits[number % XC_REPLAY_WINDOW / 64] >> (number % 64) & 1;
}

static void set_bit(uint64_t *bits, uint32_t number, bool value)
{
    uint64_t mask = UINT64_C(1) << (number % 64);
    uint64_t *word = &bits[number % XC_REPLAY_WINDOW / 64];

    *word = value ? *word | mask : *word & ~mask;
}

/* Why a number is not taken; NULL: it is new. */
const char *xc_run_look(const struct xc_peer_run *run, uint32_t number)
{
    if (run->packets == 0 || number > run->largest)
        return NULL;
    if (run->largest - number >= XC_REPLAY_WINDOW)
        return "OLD";
    return bit(run->seen, number) ? "REPLAY" : NULL;
}

void xc_run_mark(struct xc_peer_run *run, uint32_t number, uint64_t now_us)
{
    uint32_t ahead = run->packets == 0 ? XC_REPLAY_WINDOW : number > run->largest ? number - run->largest : 0;

    for (uint32_t i = 0; i < ahead && i < XC_REPLAY_WINDOW; i++) {
        set_bit(run->seen, number - i, false);
        set_bit(run->kept, number - i, false);
    }
    set_bit(run->seen, number, true);
    if (ahead > 0) {
        run->largest = number;
        run->arrived_us = now_us;
    }
    run->packets++;
}

void xc_run_keep(struct xc_peer_run *run, uint32_t number)
{
    set_bit(run->kept, number, true);
    run->news = true;
}

/* The last run proven is the current one. */
void xc_run_prove(struct xc_link *link, struct xc_peer_run *run)
{
    if (run == xc_run_current(link))
        return;
    run->proven = true;
    run->proven_order = ++link->proofs;
    run->needs_proof = false;
}

/* Of the proven runs the oldest proven go when there are too many. Nobody may hold a pointer to a run. */
void xc_run_trim(struct xc_link *link)
{
    while (count(link, true) > XC_PROVEN_RUNS) {
        size_t oldest = link->runs;
        for (size_t i = 0; i < link->runs; i++)
            if (link->run[i].proven &&
                (oldest == link->runs || link->run[i].proven_order < link->run[oldest].proven_order))
                oldest = i;
        forget(link, oldest);
    }
}

/* The highest number from `from` down to `lowest` whose bit is `value`; lowest - 1 if there is none. */
static int64_t down_to(const struct xc_peer_run *run, int64_t from, int64_t lowest, bool value)
{
    while (from >= lowest && bit(run->kept, (uint32_t)from) != value)
        from--;
    return from;
}

/* Ranges as in RFC 9000 section 19.3.1. ACK_ECN has counts of 0: no packet came marked. True: put, or nothing
 * to put. */
bool xc_put_ack(struct xc_payload *payload, const struct xc_peer_run *run, uint64_t now_us,
                enum xc_frame_type type)
{
    struct xc_maker ack;
    int64_t lowest = run->largest >= XC_REPLAY_WINDOW ? (int64_t)run->largest - XC_REPLAY_WINDOW + 1 : 0;
    int64_t high = down_to(run, run->largest, lowest, true), below = 0;

    if (high < lowest)
        return true;
    xc_make_frame(&ack, type);
    for (unsigned ranges = 0; ranges < XC_ACK_RANGES_MAX && high >= lowest; ranges++) {
        int64_t end = down_to(run, high, lowest, false);
        if (ranges == 0) {
            xc_set(&ack, "largest", (uint64_t)high);
            xc_set(&ack, "delay", high == run->largest ? now_us - run->arrived_us : 0);
            xc_set(&ack, "first_range", (uint64_t)(high - end - 1));
        } else {
            xc_add_range(&ack, (uint64_t)(below - high - 2), (uint64_t)(high - end - 1));
        }
        below = end + 1;
        high = down_to(run, end, lowest, true);
    }
    return xc_put(payload, &ack);
}
