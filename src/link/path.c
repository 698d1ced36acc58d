/* Path validation with stateless challenges, and the path's move.
 *
 * A challenge is a MAC over the key id, the run and the address it goes to, under a secret of the
 * last two minutes: nothing is kept for it, so that asking costs a stranger's victim nothing. */
#include "link/path.h"

#include <string.h>

#include "crypto/hash.h"
#include "link/send.h"

bool pl_route_same_peer(const struct pl_route *a, const struct pl_route *b)
{
    return memcmp(a->bytes, b->bytes, PL_ROUTE_HALF) == 0;
}

bool pl_path_is_free(const struct pl_link *link, const struct pl_route *route)
{
    const struct pl_address_state *main = &link->paths.main;
    const struct pl_address_state *candidate = &link->paths.candidate;

    if (main->known && pl_route_same_peer(&main->route, route)) {
        return main->configured || main->machine.state == PL_LINK_PATH_VALIDATED;
    }
    return candidate->known && pl_route_same_peer(&candidate->route, route) &&
           candidate->machine.state == PL_LINK_PATH_VALIDATED;
}

static void rotate_secret(struct pl_env *env, uint64_t now_us)
{
    uint64_t half = PL_CHALLENGE_SECRET_US / 2;
    uint64_t age = now_us - env->challenge_since_us;

    if (env->challenge_since_us != 0 && age < half) {
        return;
    }
    if (env->challenge_since_us == 0 || age >= PL_CHALLENGE_SECRET_US) {
        env->random(env->random_ctx, env->challenge_secret[0], sizeof env->challenge_secret[0]);
    }
    memcpy(env->challenge_secret[1], env->challenge_secret[0], sizeof env->challenge_secret[0]);
    env->random(env->random_ctx, env->challenge_secret[0], sizeof env->challenge_secret[0]);
    env->challenge_since_us = now_us == 0 ? 1 : now_us;
}

uint64_t pl_path_challenge(struct pl_link *link, uint64_t run, const struct pl_route *route,
                           unsigned secret, uint64_t now_us)
{
    rotate_secret(link->env, now_us);
    struct pl_bytes parts[] = {
        {(const uint8_t *)&link->config.key_id_in, sizeof link->config.key_id_in},
        {(const uint8_t *)&run, sizeof run},
        {route->bytes, PL_ROUTE_HALF},
    };
    return pl_mac64(link->env->challenge_secret[secret], parts, sizeof parts / sizeof parts[0]);
}

static void event(struct pl_link *link)
{
    struct pl_event e = {.type = PL_EVENT_PATH};

    link->env->sink->event(link->env->sink_ctx, link, &e);
}

static void learn(struct pl_address_state *address, const struct pl_route *route)
{
    memset(address, 0, sizeof *address);
    address->known = true;
    address->route = *route;
    pl_link_path_init(&address->machine);
}

void pl_path_init(struct pl_link *link)
{
    struct pl_address_state *main = &link->paths.main;

    link->paths.move_us = PL_NEVER;
    if (link->config.configured != NULL) {
        learn(main, link->config.configured);
        main->configured = true;
        pl_link_path_step(&main->machine, PL_LINK_PATH_ON_CONFIGURED);
    } else if (link->config.last_valid != NULL) {
        learn(main, link->config.last_valid);
        link->paths.was_valid = true;
    }
    link->config.configured = NULL;
    link->config.last_valid = NULL;
}

void pl_path_seen(struct pl_arrival *arrival, bool newest)
{
    struct pl_paths *paths = &arrival->link->paths;
    const struct pl_route *route = &arrival->packet->route;

    if (!paths->main.known) {
        learn(&paths->main, route);
    } else if (pl_route_same_peer(&paths->main.route, route)) {
        paths->main.route = *route; /* the local half may be news */
    } else if (newest && !paths->main.configured && pl_runs_is_proven(arrival->run) &&
               !(paths->candidate.known && pl_route_same_peer(&paths->candidate.route, route))) {
        learn(&paths->candidate, route);
        paths->move_us = PL_NEVER;
    }
}

/* A later packet from the candidate makes it one again, so that it takes over when the main one dies. */
static void main_stays(struct pl_paths *paths)
{
    memset(&paths->candidate, 0, sizeof paths->candidate);
    paths->move_us = PL_NEVER;
}

/* The main address answered: it stays. The candidate answered: it takes over in three PTO, unless
 * the main one, challenged at the same time, answers before. */
static void answered(struct pl_link *link, const struct pl_route *route, uint64_t now_us)
{
    struct pl_paths *paths = &link->paths;
    bool first = paths->main.machine.state != PL_LINK_PATH_VALIDATED;

    if (pl_route_same_peer(&paths->main.route, route)) {
        pl_link_path_step(&paths->main.machine, PL_LINK_PATH_ON_ANSWERED);
        main_stays(paths);
        if (first) {
            event(link);
        }
    } else if (first && !paths->main.configured) {
        learn(&paths->main, route);
        pl_link_path_step(&paths->main.machine, PL_LINK_PATH_ON_ANSWERED);
        event(link);
    } else if (paths->candidate.known && pl_route_same_peer(&paths->candidate.route, route)) {
        pl_link_path_step(&paths->candidate.machine, PL_LINK_PATH_ON_ANSWERED);
        paths->challenge_main = true;
        paths->move_us = now_us + PL_RUN_KEPT_PTOS * pl_tx_pto_us(link);
    }
}

static bool fits(struct pl_arrival *arrival, const struct pl_route *route, uint64_t value)
{
    bool right = false;

    for (unsigned secret = 0; secret < 2; secret++) {
        right |= pl_path_challenge(arrival->link, arrival->run->id, route, secret, arrival->now_us) == value;
    }
    return right;
}

void pl_path_response(struct pl_arrival *arrival, uint64_t value)
{
    struct pl_link *link = arrival->link;
    const struct pl_route *route = &arrival->packet->route;

    if (fits(arrival, route, value)) {
        pl_runs_prove(link, arrival->run);
        answered(link, route, arrival->now_us);
    } else if (link->paths.main.known && fits(arrival, &link->paths.main.route, value)) {
        /* Whoever forwards faster than the path brings even the answer of the main address from his own:
         * the main one was reached, so it stays (RFC 9000 section 9.3.3). */
        main_stays(&link->paths);
    }
}

void pl_path_proven(struct pl_link *link, const struct pl_rx_run *run)
{
    struct pl_paths *paths = &link->paths;
    bool here = paths->main.known && pl_route_same_peer(&paths->main.route, &run->route);

    if (here && !pl_path_is_free(link, &paths->main.route) && pl_tx_unstored_bytes(link) > 0) {
        paths->challenge_main = true;
    }
}

void pl_path_tick(struct pl_link *link, uint64_t now_us)
{
    struct pl_paths *paths = &link->paths;

    if (paths->move_us <= now_us) {
        pl_link_path_step(&paths->main.machine, PL_LINK_PATH_ON_MOVED);
        paths->main = paths->candidate;
        memset(&paths->candidate, 0, sizeof paths->candidate);
        paths->move_us = PL_NEVER;
        event(link);
    }
}
