/* One durable transaction after another: see commit.h. */
#include "node/commit.h"

#include <string.h>

#include "io/io.h"

enum { BACKOFF_FIRST_US = 50000, BACKOFF_MAX_US = 2000000, IMPORT_PER_STEP = 1024 };

/* Retention looks at the log when the store came to rest, and by the clock; a commit trims by itself, but not
 * past the checkpoint. */
enum { RETAIN_SOON_US = 1000000, RETAIN_IDLE_US = 60000000 };

void pl_committer_open(struct pl_committer *committer, const struct pl_io *io, struct pl_store *store,
                       struct pl_commit_edge *edges, unsigned edges_n)
{
    memset(committer, 0, sizeof *committer);
    committer->io = io;
    committer->store = store;
    committer->edges = edges;
    committer->edges_n = edges_n;
    pthread_mutex_init(&committer->lock, NULL);
}

void pl_committer_close(struct pl_committer *committer)
{
    pthread_mutex_destroy(&committer->lock);
}

static void notify_shards(struct pl_committer *committer)
{
    for (unsigned i = 0; i < committer->edges_n; i++)
        if (committer->edges[i].done.reader)
            pl_sleeper_notify(committer->edges[i].done.reader);
}

static void note_commit(struct pl_committer *committer, enum pl_error error, const struct pl_text *why)
{
    uint64_t wall_ms = committer->io->wall_ms(committer->io->ctx);

    pthread_mutex_lock(&committer->lock);
    if (error == PL_OK) {
        committer->figures.commits++;
        committer->figures.last_commit_ms = wall_ms;
    } else {
        committer->figures.failures++;
        committer->figures.last_error = *why;
        committer->figures.last_error_ms = wall_ms;
    }
    pthread_mutex_unlock(&committer->lock);
}

/* Takes what each shard handed over. A shard has one job at the store at a time. */
static void take_jobs(struct pl_committer *committer)
{
    committer->taken_n = 0;
    for (unsigned i = 0; i < committer->edges_n; i++) {
        committer->taken[i] = pl_ring_pop(&committer->edges[i].jobs);
        committer->taken_n += committer->taken[i] != NULL;
    }
}

/* A transaction for each shard's job; stops at the first that fails, which then stays taken. */
static enum pl_error commit_taken(struct pl_committer *committer, struct pl_text *why)
{
    for (unsigned shard = 0; shard < committer->edges_n; shard++) {
        struct pl_job *job = committer->taken[shard];
        if (!job)
            continue;
        struct pl_chunk *chunk = &job->chunk;
        struct pl_commit all = {
            .chunks = &chunk,
            .chunks_n = chunk->used_bytes > 0,
            .sweeps = job->sweeps,
            .sweeps_n = job->sweeps_n,
            .wall_ms = committer->io->wall_ms(committer->io->ctx),
        };
        enum pl_error error = pl_store_commit(committer->store, &all, why);
        if (error != PL_OK)
            return error;
        committer->taken[shard] = NULL;
        committer->taken_n--;
        note_commit(committer, PL_OK, NULL);
        /* The ring has room for every job of the shard. */
        (void)pl_ring_push(&committer->edges[shard].done, job);
    }
    return PL_OK;
}

static bool is_passing(enum pl_error error)
{
    return error == PL_E_STORE_FULL || error == PL_E_NO_MEMORY;
}

static void hold_back(struct pl_committer *committer, enum pl_error error, const struct pl_text *why,
                      uint64_t now_us)
{
    note_commit(committer, error, why);
    if (!is_passing(error)) {
        atomic_store(&committer->failed, true);
        notify_shards(committer);
        return;
    }
    committer->backoff_us = committer->backoff_us ? committer->backoff_us * 2 : BACKOFF_FIRST_US;
    if (committer->backoff_us > BACKOFF_MAX_US)
        committer->backoff_us = BACKOFF_MAX_US;
    committer->retry_at_us = now_us + committer->backoff_us;
    if (!atomic_exchange(&committer->full, true))
        notify_shards(committer);
}

static void commit(struct pl_committer *committer, uint64_t now_us)
{
    struct pl_text why = {""};
    enum pl_error error = commit_taken(committer, &why);

    if (error != PL_OK) {
        hold_back(committer, error, &why, now_us);
        return;
    }
    committer->backoff_us = 0;
    committer->retry_at_us = 0;
    if (committer->retain_at_us > now_us + RETAIN_SOON_US)
        committer->retain_at_us = now_us + RETAIN_SOON_US;
    if (atomic_exchange(&committer->full, false))
        notify_shards(committer);
}

static void end_import(struct pl_committer *committer, enum pl_error error)
{
    struct pl_reload *reload = committer->loading;

    reload->error = error;
    committer->loading = NULL;
    committer->importing = false;
    if (error == PL_OK) {
        atomic_fetch_add(&committer->generation, 1);
        notify_shards(committer);
    }
    atomic_store(&reload->done, true);
}

/* A slice of the allow list: begin, up to IMPORT_PER_STEP entries, or the flip of the generation. */
static void import_slice(struct pl_committer *committer)
{
    struct pl_reload *reload = committer->loading;
    size_t left = reload->n - committer->imported_n;
    size_t n = left < IMPORT_PER_STEP ? left : IMPORT_PER_STEP;
    enum pl_error error;

    if (!committer->importing) {
        error = pl_store_import_begin(committer->store, &committer->import,
                                      committer->io->wall_ms(committer->io->ctx), &reload->why);
        committer->importing = error == PL_OK;
        committer->imported_n = 0;
    } else if (n > 0) {
        error = pl_store_import_step(committer->store, &committer->import,
                                     reload->entries + committer->imported_n, n, &reload->why);
        committer->imported_n += n;
    } else {
        struct pl_bytes mark = {reload->mark, reload->mark_n};
        error = pl_store_import_end(committer->store, &committer->import, mark, &reload->why);
        end_import(committer, error);
        return;
    }
    if (error != PL_OK)
        end_import(committer, error);
}

/* Deletes a little of what retention asks for. Returns when to call again. Without room or memory for it, the
 * next time may find them. */
static uint64_t retain(struct pl_committer *committer, uint64_t now_us)
{
    struct pl_text why = {""};
    size_t deleted;
    enum pl_error error;

    if (!pl_store_retains(committer->store))
        return UINT64_MAX;
    if (now_us < committer->retain_at_us)
        return committer->retain_at_us;
    error = pl_store_retain(committer->store, committer->io->wall_ms(committer->io->ctx), &deleted, &why);
    if (error != PL_OK && !is_passing(error)) {
        hold_back(committer, error, &why, now_us);
        return UINT64_MAX;
    }
    committer->retain_at_us = deleted > 0 ? now_us : now_us + RETAIN_IDLE_US;
    return committer->retain_at_us;
}

uint64_t pl_committer_step(struct pl_committer *committer, uint64_t now_us)
{
    if (!committer->loading)
        committer->loading = atomic_exchange(&committer->reload, NULL);
    if (atomic_load(&committer->failed)) {
        if (committer->loading)
            end_import(committer, PL_E_IO);
        return UINT64_MAX;
    }
    if (committer->taken_n == 0)
        take_jobs(committer);
    if (committer->taken_n > 0 && now_us >= committer->retry_at_us)
        commit(committer, now_us);
    if (committer->loading)
        import_slice(committer);
    if (committer->loading)
        return now_us;
    uint64_t retain_us = retain(committer, now_us);
    return committer->taken_n > 0 && committer->retry_at_us < retain_us ? committer->retry_at_us : retain_us;
}

bool pl_committer_reload(struct pl_committer *committer, struct pl_reload *reload)
{
    struct pl_reload *none = NULL;

    atomic_init(&reload->done, false);
    return atomic_compare_exchange_strong(&committer->reload, &none, reload);
}

void pl_committer_figures(struct pl_committer *committer, struct pl_commit_figures *out)
{
    pthread_mutex_lock(&committer->lock);
    *out = committer->figures;
    pthread_mutex_unlock(&committer->lock);
}
