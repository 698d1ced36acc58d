/* The peer's runs: known, proven, current (spec section 6, "Runs").
 *
 * Every packet ever sent opens again, for ever, so a run that opened is not yet a live one. Three
 * proven runs are kept with a wide replay window, a few unproven ones with a narrow one; a new
 * unproven run takes the place of a random unproven one, never of a proven one. */
#include "link/recv.h"

#include <assert.h>
#include <string.h>

#include "link/memory.h"
#include "link/path.h"
#include "link/send.h"

/* RFC 2697 in spirit: a bucket of PL_NEW_RUNS_BURST, filled at PL_NEW_RUNS_PER_S. */
enum { US_PER_S = 1000000, RUN_TOKEN_US = US_PER_S / PL_NEW_RUNS_PER_S };

bool pl_runs_is_proven(const struct pl_rx_run *run)
{
    return run->machine.state == PL_RECEIVE_RUN_CURRENT || run->machine.state == PL_RECEIVE_RUN_PROVEN;
}

unsigned pl_runs_proven_n(const struct pl_rx *rx)
{
    unsigned n = 0;

    for (unsigned i = 0; i < rx->runs_n; i++) {
        n += pl_runs_is_proven(rx->runs[i]);
    }
    return n;
}

struct pl_rx_run *pl_runs_find(struct pl_rx *rx, uint64_t id)
{
    for (unsigned i = 0; i < rx->runs_n; i++) {
        if (rx->runs[i]->id == id) {
            return rx->runs[i];
        }
    }
    return NULL;
}

/* New runs of one peer are rationed: each may displace another. Asked only once a packet of the run
 * opened, or anyone who has seen the key id could use up the peer's ration. */
static bool take_token(struct pl_rx *rx, uint64_t now_us)
{
    uint64_t earned = (now_us - rx->new_runs_us) / RUN_TOKEN_US;

    if (earned > 0) {
        uint64_t tokens = rx->new_runs_tokens + earned;
        rx->new_runs_tokens = tokens > PL_NEW_RUNS_BURST ? PL_NEW_RUNS_BURST : (uint32_t)tokens;
        rx->new_runs_us += earned * RUN_TOKEN_US;
    }
    if (rx->new_runs_tokens == 0) {
        return false;
    }
    rx->new_runs_tokens--;
    return true;
}

bool pl_runs_derive(const struct pl_link *link, const struct pl_header *header, struct pl_rx_run *fresh)
{
    struct pl_env *env = link->env;

    if (env->tries_left == 0) {
        return false;
    }
    env->tries_left -= env->tries_left != UINT32_MAX;
    memset(fresh, 0, sizeof *fresh);
    fresh->id = header->run;
    pl_receive_run_init(&fresh->machine);
    pl_window_init(&fresh->window);
    pl_secret_run_key(&link->config.secret, header->suite, !link->config.direction_out, 0, header->run,
                      &fresh->key);
    return true;
}

static void forget(struct pl_link *link, unsigned at)
{
    struct pl_rx *rx = &link->rx;
    struct pl_rx_run *run = rx->runs[at];

    assert(at < rx->runs_n && run != NULL);
    pl_receive_run_step(&run->machine, PL_RECEIVE_RUN_ON_EVICTED);
    if (rx->current == run) {
        rx->current = NULL;
    }
    pl_window_free(&run->window, &link->env->memory);
    pl_aead_forget(link->env->aead, &run->key);
    pl_wipe(&run->key, sizeof run->key);
    pl_memory_put(&link->env->memory, run, sizeof *run);
    rx->runs[at] = rx->runs[--rx->runs_n];
}

/* A random unproven run makes room: whoever floods with old runs displaces only such. */
static void evict_unproven(struct pl_link *link)
{
    unsigned at[PL_RUNS], n = 0;
    uint32_t draw = 0;

    for (unsigned i = 0; i < link->rx.runs_n; i++) {
        if (!pl_runs_is_proven(link->rx.runs[i])) {
            at[n++] = i;
        }
    }
    if (n >= PL_UNPROVEN_RUNS) {
        link->env->random(link->env->random_ctx, &draw, sizeof draw);
        forget(link, at[draw % n]);
    }
}

enum pl_drop pl_runs_keep(struct pl_link *link, const struct pl_rx_run *fresh, uint64_t now_us,
                          struct pl_rx_run **out)
{
    struct pl_rx *rx = &link->rx;

    if (!take_token(rx, now_us)) {
        return PL_DROP_LIMIT;
    }
    evict_unproven(link);
    *out = pl_memory_get(&link->env->memory, sizeof **out);
    if (*out == NULL) {
        return PL_DROP_QUEUE;
    }
    **out = *fresh;
    rx->runs[rx->runs_n++] = *out;
    if (link->env->run_key != NULL) {
        struct pl_run_key told = {.key_id = link->config.key_id_in, .run = fresh->id, .key = &fresh->key};
        link->env->run_key(link->env->run_key_ctx, &told);
    }
    return PL_DROP_NONE;
}

/* The proven run heard of least recently makes room for a newly proven one. */
static void evict_proven(struct pl_link *link, const struct pl_rx_run *keep)
{
    struct pl_rx *rx = &link->rx;
    unsigned oldest = PL_RUNS;

    if (pl_runs_proven_n(rx) < PL_PROVEN_RUNS) {
        return;
    }
    for (unsigned i = 0; i < rx->runs_n; i++) {
        if (rx->runs[i] != keep && pl_runs_is_proven(rx->runs[i]) &&
            (oldest == PL_RUNS || rx->runs[i]->newest_us < rx->runs[oldest]->newest_us)) {
            oldest = i;
        }
    }
    forget(link, oldest);
}

void pl_runs_prove(struct pl_link *link, struct pl_rx_run *run)
{
    struct pl_rx *rx = &link->rx;
    struct pl_event event = {.type = PL_EVENT_PEER_RUN};

    if (rx->current == run || !pl_window_widen(&run->window, &link->env->memory)) {
        return;
    }
    if (!pl_runs_is_proven(run)) {
        evict_proven(link, run);
        link->env->counters.runs_proven++;
    }
    for (unsigned i = 0; i < rx->runs_n; i++) {
        if (rx->runs[i] != run && rx->runs[i]->machine.state == PL_RECEIVE_RUN_CURRENT) {
            pl_receive_run_step(&rx->runs[i]->machine, PL_RECEIVE_RUN_ON_ANOTHER_PROVEN);
        }
    }
    pl_receive_run_step(&run->machine, PL_RECEIVE_RUN_ON_PROVEN);
    rx->current = run;
    run->wants_proof = false;
    if (link->config.follows_suite) {
        link->config.suite = run->key.suite;
    }
    pl_path_proven(link, run);
    if (rx->had_current) {
        pl_tx_peer_run_changed(link);
    }
    rx->had_current = true;
    link->env->sink->event(link->env->sink_ctx, link, &event);
}

void pl_runs_free_all(struct pl_link *link)
{
    while (link->rx.runs_n > 0) {
        forget(link, link->rx.runs_n - 1);
    }
}
