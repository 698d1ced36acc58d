/* The shard's life, its step, and the chunk's way to the committer and back: see shard.h. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "link/link.h"
#include "node/shard.h"

enum {
    UNREFUSE_PER_STEP = 256,
    CLOCK_MOVED_MS = 1000,
    MS_US = 1000,
    /* Below such a peak it is not worth a walk through the heap: when none is left, when half are. */
    TRIM_FROM_LINKS = 64,
    TRIM_HALVED_FROM_LINKS = 1024
};

static const uint64_t second_us = 1000000;

static void *take_memory(void *ctx, size_t size)
{
    (void)ctx;
    return malloc(size);
}

static void give_memory(void *ctx, void *p, size_t size)
{
    (void)ctx;
    (void)size;
    free(p);
}

static void random_bytes(void *ctx, void *bytes, size_t size)
{
    const struct pl_io *io = ctx;

    io->random(io->ctx, bytes, size);
}

static enum pl_error open_env(struct pl_shard *shard)
{
    struct pl_env *env = &shard->env;

    pl_env_defaults(env);
    env->settings = shard->config.settings;
    env->memory = (struct pl_memory){
        .get = take_memory, .put = give_memory, .limit_bytes = shard->config.memory_max_bytes};
    env->random = random_bytes;
    env->random_ctx = (void *)(uintptr_t)shard->config.io;
    env->sink = &pl_shard_sink;
    env->sink_ctx = shard;
    env->run_key = shard->config.run_key;
    env->run_key_ctx = shard->config.run_key_ctx;
    return pl_aead_new(&env->aead, pl_aead_best());
}

static enum pl_error open_jobs(struct pl_shard *shard)
{
    for (int i = 0; i < PL_SHARD_JOBS; i++) {
        struct pl_job *job = &shard->jobs[i];
        job->arena_bytes = shard->config.chunk_bytes;
        job->arena = malloc(job->arena_bytes);
        if (!job->arena)
            return PL_E_NO_MEMORY;
        pl_chunk_init(&job->chunk, job->arena, job->arena_bytes);
    }
    shard->filling = &shard->jobs[0];
    return PL_OK;
}

static enum pl_error open_tables(struct pl_shard *shard)
{
    uint32_t seeds[4];

    random_bytes(shard->env.random_ctx, seeds, sizeof seeds);
    if (pl_hash_open(&shard->by_key_id, PL_ACTIVE_LINKS_MAX, seeds[0]) != PL_OK ||
        pl_hash_open(&shard->by_key_id_out, PL_ACTIVE_LINKS_MAX, seeds[1]) != PL_OK ||
        pl_hash_open(&shard->by_number, PL_ACTIVE_LINKS_MAX, seeds[2]) != PL_OK)
        return PL_E_NO_MEMORY;
    shard->check = calloc(1, sizeof *shard->check);
    shard->batch_bytes = malloc(PL_BATCH_ROOM);
    if (!shard->check || !shard->batch_bytes)
        return PL_E_NO_MEMORY;
    return pl_contacts_open(&shard->contacts, seeds[3]);
}

enum pl_error pl_shard_open(struct pl_shard *shard, const struct pl_shard_config *config)
{
    enum pl_error error;

    memset(shard, 0, sizeof *shard);
    shard->config = *config;
    shard->due_end = &shard->due;
    shard->tries_credit_us = second_us;
    shard->generation = atomic_load(&config->committer->generation);
    pthread_mutex_init(&shard->lock, NULL);
    error = open_env(shard);
    if (error == PL_OK)
        error = open_jobs(shard);
    if (error == PL_OK)
        error = open_tables(shard);
    if (error != PL_OK)
        pl_shard_close(shard);
    else
        shard->net = config->net;
    return error;
}

void pl_shard_close(struct pl_shard *shard)
{
    while (shard->all)
        pl_shard_forget(shard, shard->all);
    pl_timers_close(&shard->timers);
    free(shard->check);
    free(shard->unproven);
    free(shard->batch_bytes);
    pl_contacts_close(&shard->contacts);
    pl_hash_close(&shard->by_key_id);
    pl_hash_close(&shard->by_key_id_out);
    pl_hash_close(&shard->by_number);
    for (int i = 0; i < PL_SHARD_JOBS; i++)
        free(shard->jobs[i].arena);
    pl_aead_free(shard->env.aead);
    pl_net_close(shard->net);
    pthread_mutex_destroy(&shard->lock);
}

static struct pl_job *spare_of(struct pl_shard *shard, const struct pl_job *job)
{
    return job == &shard->jobs[0] ? &shard->jobs[1] : &shard->jobs[0];
}

/* Sweeps alone wait a little for company: a commit costs the disk two flushes. */
static bool sweeps_are_due(const struct pl_shard *shard, uint64_t now_us)
{
    return shard->leave && (shard->leave_n >= PL_JOB_SWEEPS_MAX || now_us >= shard->leave_by_us);
}

/* Gives the chunk to the committer if that is free and anything waits. True: another one begins. */
static bool hand_over(struct pl_shard *shard, uint64_t now_us)
{
    struct pl_job *job = shard->filling;

    if (shard->committing || shard->broken)
        return false;
    if (job->chunk.used_bytes == 0 && !sweeps_are_due(shard, now_us))
        return false;
    pl_shard_fill_sweeps(shard, job);
    shard->committing = job;
    shard->filling = spare_of(shard, job);
    shard->chunks++;
    /* The ring has room for all jobs there are. */
    (void)pl_ring_push(&shard->config.commit_edge->jobs, job);
    return true;
}

/* Tells each link what became durable: one answer for each then goes out. */
static void tell_committed(struct pl_shard *shard, const struct pl_job *job, uint64_t now_us)
{
    struct pl_row_iter iter;
    struct pl_log_row row;

    pl_chunk_rows(&job->chunk, &iter);
    while (pl_chunk_next(&iter, &row)) {
        struct pl_active *active = pl_shard_find(shard, row.link);
        uint64_t number = row.gap ? row.first_number : row.first_number + row.count - 1;
        if (!active)
            continue;
        pl_link_committed(active->link, row.stream, row.life, number, row.first_offset + row.bytes.n, now_us);
        pl_shard_due(shard, active);
    }
}

/* After a great many links left, or the last of some, what the allocator kept of them goes back to the
 * system. `before`: how many there were before those that just left. */
static void trim_heap(struct pl_shard *shard, size_t before)
{
    size_t links = shard->by_number.n;

    if (before > shard->links_peak)
        shard->links_peak = before;
    if (shard->links_peak < TRIM_FROM_LINKS || links > shard->links_peak / 2)
        return;
    if (links > 0 && shard->links_peak < TRIM_HALVED_FROM_LINKS)
        return;
    malloc_trim(0);
    shard->links_peak = links;
}

/* Sweeps end before the next job takes its own: a link may be in both. The next job goes out before answers
 * are made: the disk is the slowest. */
static bool take_done(struct pl_shard *shard, uint64_t now_us)
{
    struct pl_job *job = pl_ring_pop(&shard->config.commit_edge->done);

    if (!job)
        return false;
    size_t links = shard->by_number.n;
    pl_shard_end_sweeps(shard, job);
    trim_heap(shard, links);
    shard->committing = NULL;
    bool begins = hand_over(shard, now_us);
    tell_committed(shard, job, now_us);
    pl_chunk_reset(&job->chunk);
    if (begins)
        pl_shard_serve_waiting(shard, now_us);
    return true;
}

/* The store took up or gave up its refusal: peers are told when it ends, some links in each step. */
static void follow_store(struct pl_shard *shard, uint64_t now_us)
{
    bool full = atomic_load(&shard->config.committer->full);

    if (atomic_load(&shard->config.committer->failed))
        shard->broken = true;
    shard->env.store_full = full || shard->broken;
    if (shard->store_was_full && !full)
        shard->unrefuse_next = shard->all;
    shard->store_was_full = full;
    for (int i = 0; i < UNREFUSE_PER_STEP && shard->unrefuse_next; i++) {
        struct pl_active *active = shard->unrefuse_next;
        shard->unrefuse_next = active->after;
        pl_link_unrefuse(active->link, now_us);
        pl_shard_due(shard, active);
    }
}

static void earn_credit(struct pl_shard *shard, uint64_t now_us)
{
    uint64_t passed_us = now_us - shard->last_us;

    shard->last_us = now_us;
    if (passed_us > second_us)
        passed_us = second_us;
    shard->tries_credit_us += passed_us;
    if (shard->tries_credit_us > second_us)
        shard->tries_credit_us = second_us;
}

/* A wall clock that moved against our own: somebody set it, or the machine was resumed from an image. */
static void watch_clock(struct pl_shard *shard, uint64_t now_us)
{
    uint64_t offset_ms = shard->config.io->wall_ms(shard->config.io->ctx) - now_us / MS_US;
    uint64_t moved_ms = offset_ms - shard->wall_offset_ms;

    if (moved_ms + CLOCK_MOVED_MS <= 2 * (uint64_t)CLOCK_MOVED_MS)
        return;
    if (shard->wall_offset_ms != 0)
        shard->renewals++;
    shard->wall_offset_ms = offset_ms;
}

static void publish(struct pl_shard *shard, uint64_t now_us)
{
    struct pl_shard_figures *f = &shard->figures;

    f->active = shard->by_number.n;
    f->unproven = shard->unproven_n;
    f->contacts = shard->contacts.by_key_id.n;
    f->memory_bytes = shard->env.memory.used_bytes;
    memcpy(f->drops, shard->env.drops, sizeof f->drops);
    f->counters = shard->env.counters;
    f->store_full = shard->env.store_full;
    pl_net_figures(shard->net, &f->net);
    pthread_mutex_lock(&shard->lock);
    shard->published = *f;
    pthread_mutex_unlock(&shard->lock);
    shard->changed = false;
    shard->published_us = now_us;
    atomic_store(&shard->was_published, true);
    if (shard->config.observer)
        pl_sleeper_notify(shard->config.observer);
}

static uint64_t earlier(uint64_t a_us, uint64_t b_us)
{
    return a_us < b_us ? a_us : b_us;
}

static uint64_t next_us(struct pl_shard *shard, uint64_t now_us)
{
    uint64_t at_us = pl_timers_next_us(&shard->timers);

    if (shard->due && !shard->broken)
        at_us = pl_net_ready(shard->net, now_us) ? now_us : earlier(at_us, pl_net_resume_us(shard->net));
    if (shard->leave && !shard->committing)
        at_us = earlier(at_us, shard->leave_by_us);
    if (shard->changed)
        at_us = earlier(at_us, shard->published_us + second_us);
    if (shard->unrefuse_next)
        at_us = now_us;
    return at_us;
}

uint64_t pl_shard_step(struct pl_shard *shard, uint64_t now_us)
{
    bool more = false, done, answers;

    earn_credit(shard, now_us);
    watch_clock(shard, now_us);
    follow_store(shard, now_us);
    pl_shard_check_allowed(shard);
    done = take_done(shard, now_us);
    answers = pl_shard_take_answers(shard, now_us);
    pl_shard_fire_timers(shard, now_us);
    if (!shard->stopping && !shard->broken)
        more = pl_shard_receive(shard, now_us);
    if (hand_over(shard, now_us))
        pl_shard_serve_waiting(shard, now_us);
    (void)pl_net_ready(shard->net, now_us);
    pl_shard_send_due(shard, now_us);
    if (hand_over(shard, now_us)) /* what had waited for room was delivered with the answers */
        pl_shard_serve_waiting(shard, now_us);
    if (done || answers)
        shard->changed = true;
    if (shard->changed && now_us >= shard->published_us + second_us)
        publish(shard, now_us);
    return more ? now_us : next_us(shard, now_us);
}

void pl_shard_stop(struct pl_shard *shard)
{
    shard->stopping = true;
}

bool pl_shard_is_drained(const struct pl_shard *shard)
{
    return shard->broken || (!shard->committing && shard->filling->chunk.used_bytes == 0 && !shard->due);
}

bool pl_shard_has_input(struct pl_shard *shard)
{
    const struct pl_committer *committer = shard->config.committer;

    for (unsigned i = 0; i < shard->config.resolvers_n; i++)
        if (!pl_ring_is_empty(&shard->config.resolver_edges[i]->answers))
            return true;
    return !pl_ring_is_empty(&shard->config.commit_edge->done) ||
           atomic_load(&committer->generation) != shard->generation ||
           atomic_load(&committer->full) != shard->store_was_full ||
           (atomic_load(&committer->failed) && !shard->broken);
}

void pl_shard_figures(struct pl_shard *shard, struct pl_shard_figures *out)
{
    pthread_mutex_lock(&shard->lock);
    *out = shard->published;
    pthread_mutex_unlock(&shard->lock);
}
