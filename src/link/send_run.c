/* Our runs on this link: drawn when the sending state is made, skipping numbers now and then, rolled
 * over long before their limit (spec sections 1 and 4, "TO and runs"). */
#include <string.h>

#include "link/send.h"

enum { TAG_SHIFT = 1 << 5 }; /* a run's first PL_RUN_TAG_SIZE bytes are its tag */

uint64_t pl_tx_index(const struct pl_own_run *own, uint32_t number)
{
    return own->ordinal << TAG_SHIFT | number;
}

static void draw(struct pl_env *env, void *out, size_t n)
{
    env->random(env->random_ctx, out, n);
}

static uint32_t skip_distance(struct pl_env *env)
{
    uint32_t r = 0;

    draw(env, &r, sizeof r);
    return PL_SKIP_MIN + r % (PL_SKIP_MAX - PL_SKIP_MIN);
}

/* Fewer packets where one may be large. */
static uint32_t limit_of(const struct pl_settings *settings)
{
    uint32_t most = settings->datagram_bytes > PL_LARGE_PACKET ? PL_RUN_PACKETS_LARGE : PL_RUN_PACKETS;

    return settings->run_packets < most ? settings->run_packets : most;
}

static bool tag_taken(const struct pl_link *link, unsigned at, uint64_t id)
{
    const struct pl_own_run *other = &link->tx.runs[!at];

    return id == 0 || (other->live && other->run.id >> TAG_SHIFT == id >> TAG_SHIFT);
}

bool pl_tx_run_open(struct pl_link *link, unsigned at)
{
    struct pl_env *env = link->env;
    struct pl_own_run *own = &link->tx.runs[at];
    uint64_t id = 0;
    uint32_t first = 0;

    memset(own, 0, sizeof *own);
    do {
        draw(env, &id, sizeof id);
    } while (tag_taken(link, at, id));
    draw(env, &first, sizeof first);
    own->ordinal = ++link->tx.ordinals;
    own->live = true;
    pl_run_begin(&own->run, &link->config.secret, link->config.suite, link->config.direction_out, id,
                 first % PL_FIRST_NUMBER_BELOW, limit_of(&env->settings));
    own->next_skip = own->run.next + skip_distance(env);
    env->counters.runs_made++;
    if (env->run_key != NULL) {
        env->run_key(env->run_key_ctx, &(struct pl_run_key){.own = true,
                                                            .epochs = own->run.epochs,
                                                            .key_id = link->config.key_id_out,
                                                            .run = id,
                                                            .key = &own->run.key});
    }
    return true;
}

struct pl_own_run *pl_tx_run_by_tag(struct pl_link *link, uint32_t tag)
{
    for (unsigned i = 0; i < PL_OWN_RUNS; i++) {
        struct pl_own_run *own = &link->tx.runs[i];
        if (own->live && (uint32_t)(own->run.id >> TAG_SHIFT) == tag) {
            return own;
        }
    }
    return NULL;
}

/* One number in some hundreds is never sent: whoever acknowledges it acknowledges what it has not
 * received (RFC 9000 section 21.4). */
static void skip(struct pl_link *link, struct pl_own_run *own)
{
    if (own->run.next == own->next_skip) {
        own->skipped[own->skipped_n++ % PL_SKIPPED] = own->run.next;
        pl_run_skip(&own->run);
        own->next_skip = own->run.next + skip_distance(link->env);
    }
}

bool pl_tx_run_seal(struct pl_link *link, struct pl_own_run *own, uint8_t *packet, size_t payload_n,
                    uint32_t *number)
{
    skip(link, own);
    return pl_run_seal(&own->run, link->env->aead, link->config.key_id_out, packet, payload_n, number);
}

bool pl_tx_run_lies(const struct pl_own_run *own, const struct pl_range32 *ranges, unsigned n)
{
    unsigned known = own->skipped_n < PL_SKIPPED ? own->skipped_n : PL_SKIPPED;

    for (unsigned i = 0; i < n; i++) {
        if (ranges[i].high >= own->run.next || ranges[i].low < own->run.first) {
            return true;
        }
        for (unsigned s = 0; s < known; s++) {
            if (own->skipped[s] >= ranges[i].low && own->skipped[s] <= ranges[i].high) {
                return true;
            }
        }
    }
    return false;
}

static void end(struct pl_link *link, struct pl_own_run *own)
{
    pl_run_end(&own->run, link->env->aead);
    own->live = false;
}

static bool is_in_flight(struct pl_link *link, const struct pl_own_run *own)
{
    struct pl_sent_ring *ring = &link->tx.sent;

    for (uint64_t i = ring->first; i < ring->next; i++) {
        const struct pl_sent *sent = pl_sent_at(ring, i);
        if (&link->tx.runs[sent->run] == own && sent->piece.state == PL_SENT_PIECE_IN_FLIGHT) {
            return true;
        }
    }
    return false;
}

/* Entries of a run that ends belong to none: its place is another run's soon. What was in flight has
 * to go again. */
static void disown(struct pl_link *link, const struct pl_own_run *own)
{
    struct pl_sent_ring *ring = &link->tx.sent;

    for (uint64_t i = ring->first; i < ring->next; i++) {
        struct pl_sent *sent = pl_sent_at(ring, i);
        if (sent->run == own - link->tx.runs) {
            pl_sent_again(link, sent);
            sent->run = PL_OWN_RUNS;
        }
    }
}

static void take_over(struct pl_link *link, struct pl_own_run *old, uint64_t now_us)
{
    link->tx.active = !link->tx.active;
    old->acked_us = now_us;
    pl_tx_lives_new_run(link);
}

/* The peer does not answer: it may have been made to ignore this run for good. One other is tried; answers
 * to the old one still count. */
void pl_tx_run_renew(struct pl_link *link, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;
    struct pl_own_run *active = &tx->runs[tx->active];

    if (!tx->runs[!tx->active].live) {
        pl_tx_run_open(link, !tx->active);
        take_over(link, active, now_us);
    }
}

/* At half its numbers a run's successor is opened with a PING; it takes over once it was
 * acknowledged and three PTO passed; the old one is kept as long again, and while a packet of it is
 * in flight. A run without a number left cannot wait for any of that. */
void pl_tx_runs_tick(struct pl_link *link, uint64_t now_us)
{
    struct pl_tx *tx = &link->tx;
    struct pl_own_run *active = &tx->runs[tx->active];
    struct pl_own_run *other = &tx->runs[!tx->active];
    uint64_t kept_us = PL_RUN_KEPT_PTOS * pl_tx_pto_us(link);
    bool successor = other->live && other->ordinal > active->ordinal;
    bool exhausted = pl_run_exhausted(&active->run);
    bool aged = now_us - other->acked_us >= kept_us;

    if (active->run.key.suite != link->config.suite && !other->live) {
        pl_tx_run_renew(link, now_us); /* the peer speaks another suite now */
    } else if (successor && ((other->acked && aged) || exhausted)) {
        take_over(link, active, now_us);
    } else if (other->live && !successor && ((aged && !is_in_flight(link, other)) || exhausted)) {
        disown(link, other);
        end(link, other);
    } else if (!other->live && active->run.next - active->run.first >= active->run.limit / 2) {
        pl_tx_run_open(link, !tx->active);
        tx->ping = true;
    }
}

void pl_tx_runs_end(struct pl_link *link)
{
    for (unsigned i = 0; i < PL_OWN_RUNS; i++) {
        if (link->tx.runs[i].live) {
            end(link, &link->tx.runs[i]);
        }
    }
}
