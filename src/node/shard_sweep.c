/* How a link leaves memory: its rows into a commit first, and gone only when that is durable. */
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "link/link.h"
#include "node/shard.h"

enum {
    LEAVE_WITHIN_US = 1000000, /* sweeps wait so long for a commit that carries records too */
    EVICTION_TRIES = 16
};

void pl_shard_unlist(struct pl_shard *shard, struct pl_active *active)
{
    if (active->leaving != PL_LEAVES_NEXT)
        return;
    if (active->leave_after)
        active->leave_after->leave_before = active->leave_before;
    if (active->leave_before)
        active->leave_before->leave_after = active->leave_after;
    else
        shard->leave = active->leave_after;
    active->leave_before = active->leave_after = NULL;
    shard->leave_n--;
    active->leaving = PL_STAYS;
}

void pl_shard_stay(struct pl_shard *shard, struct pl_active *active)
{
    if (active->denied)
        return;
    pl_shard_unlist(shard, active);
    active->leaving = PL_STAYS;
}

void pl_shard_leave(struct pl_shard *shard, struct pl_active *active, uint64_t now_us)
{
    if (active->leaving != PL_STAYS)
        return;
    active->leaving = PL_LEAVES_NEXT;
    active->leave_before = NULL;
    active->leave_after = shard->leave;
    if (shard->leave)
        shard->leave->leave_before = active;
    else
        shard->leave_by_us = now_us + LEAVE_WITHIN_US;
    shard->leave = active;
    shard->leave_n++;
}

/* One of the links without a proven run, at random, so that nobody can choose whom to displace. */
bool pl_shard_evict_one(struct pl_shard *shard, uint64_t now_us)
{
    for (int i = 0; i < EVICTION_TRIES && shard->unproven_n > 0; i++) {
        uint32_t random;
        shard->env.random(shard->env.random_ctx, &random, sizeof random);
        struct pl_active *active = shard->unproven[random % shard->unproven_n];
        if (active->leaving != PL_STAYS || !pl_link_settled(active->link))
            continue;
        pl_shard_leave(shard, active, now_us);
        shard->leave_by_us = now_us;
        shard->figures.links_evicted++;
        return true;
    }
    return false;
}

static void fill_sweep(const struct pl_active *active, struct pl_sweep *sweep)
{
    struct pl_route route;
    bool validated = false;

    *sweep = (struct pl_sweep){.link = active->number};
    if (!pl_link_route(active->link, &route, &validated) || !validated)
        return;
    sweep->address_size = sizeof(struct pl_address);
    memcpy(sweep->address, route.bytes, sizeof(struct pl_address));
}

void pl_shard_fill_sweeps(struct pl_shard *shard, struct pl_job *job)
{
    job->sweeps_n = 0;
    while (shard->leave && job->sweeps_n < PL_JOB_SWEEPS_MAX) {
        struct pl_active *active = shard->leave;
        shard->leave = active->leave_after;
        if (shard->leave)
            shard->leave->leave_before = NULL;
        shard->leave_n--;
        active->leave_before = active->leave_after = NULL;
        active->leaving = PL_LEAVES_NOW;
        fill_sweep(active, &job->sweeps[job->sweeps_n++]);
    }
}

void pl_shard_end_sweeps(struct pl_shard *shard, struct pl_job *job)
{
    for (size_t i = 0; i < job->sweeps_n; i++) {
        struct pl_active *active = pl_shard_find(shard, job->sweeps[i].link);
        if (!active || active->leaving != PL_LEAVES_NOW)
            continue; /* a packet came meanwhile: it stays */
        shard->figures.links_swept += !active->denied;
        shard->figures.links_denied += active->denied;
        pl_shard_forget(shard, active);
    }
    job->sweeps_n = 0;
}

/* After a new allow list: asks a resolver about all active links, some at a time. */
void pl_shard_check_allowed(struct pl_shard *shard)
{
    unsigned generation = atomic_load(&shard->config.committer->generation);
    struct pl_contact *check = shard->check;

    if (generation != shard->generation) {
        shard->generation = generation;
        shard->check_next = shard->all;
    }
    if (!shard->check_next || shard->check_out)
        return;
    check->check_n = 0;
    check->generation = generation;
    while (shard->check_next && check->check_n < PL_CONTACT_LINKS_MAX) {
        check->check[check->check_n++] = shard->check_next->number;
        shard->check_next = shard->check_next->after;
    }
    /* The resolver's ring has room for all contacts and this one. */
    shard->check_out = pl_ring_push(&shard->config.resolver_edges[0]->questions, check);
}

void pl_shard_take_checked(struct pl_shard *shard, struct pl_contact *contact, uint64_t now_us)
{
    shard->check_out = false;
    for (unsigned i = 0; i < contact->check_n; i++) {
        struct pl_active *active = pl_shard_find(shard, contact->check[i]);
        if (!active)
            continue;
        active->shared = contact->shares[i];
        active->generation = contact->generation;
        if (!contact->denied[i])
            continue;
        active->denied = true;
        if (pl_link_settled(active->link))
            pl_shard_leave(shard, active, now_us);
        else
            pl_shard_due(shard, active);
    }
}
