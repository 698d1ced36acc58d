/* A node's threads: each a loop around the step of one part, asleep while there is nothing to do. */
#include "io/io.h"
#include "link/link.h"
#include "node/node.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    RESOLVER_NICE = 10,
    DRAIN_US = 3500000 /* what a stop leaves for the disk and the last answers */
};

static uint64_t now(const struct pl_node *node)
{
    return node->io->now_us(node->io->ctx);
}

static uint64_t timeout_until(uint64_t at_us, uint64_t now_us)
{
    if (at_us == UINT64_MAX)
        return PL_IO_FOREVER;
    return at_us > now_us ? at_us - now_us : 0;
}

static void sleep_until(struct pl_node *node, struct pl_sleeper *sleeper, uint64_t at_us)
{
    (void)node->io->wait(node->io->ctx, NULL, 0, sleeper->wake, timeout_until(at_us, now(node)));
}

static void *run_shard(void *arg)
{
    struct pl_node *node = arg;
    uint64_t give_up_us = UINT64_MAX;

    for (;;) {
        uint64_t next_us = pl_shard_step(&node->shard, now(node));
        if (atomic_load(&node->stop_shard)) {
            if (give_up_us == UINT64_MAX) {
                give_up_us = now(node) + DRAIN_US;
                pl_shard_stop(&node->shard);
                continue;
            }
            if (pl_shard_is_drained(&node->shard) || now(node) >= give_up_us)
                return NULL;
            next_us = next_us < give_up_us ? next_us : give_up_us;
        }
        pl_sleeper_about_to(&node->shard_sleeper);
        if (!pl_shard_has_input(&node->shard) &&
            (give_up_us != UINT64_MAX || !atomic_load(&node->stop_shard)))
            pl_net_wait(node->shard.net, &node->shard_sleeper, timeout_until(next_us, now(node)));
        pl_sleeper_awake(&node->shard_sleeper);
    }
}

static bool store_has_input(struct pl_node *node)
{
    return !pl_ring_is_empty(&node->commit_edge.jobs) || atomic_load(&node->committer.reload) ||
           atomic_load(&node->shard.was_published) || atomic_load(&node->stop_store);
}

static void *run_store(void *arg)
{
    struct pl_node *node = arg;

    while (!atomic_load(&node->stop_store)) {
        uint64_t next_us = pl_node_step_store(node, now(node));
        pl_sleeper_about_to(&node->store_sleeper);
        if (!store_has_input(node))
            sleep_until(node, &node->store_sleeper, next_us);
        pl_sleeper_awake(&node->store_sleeper);
    }
    return NULL;
}

static void *run_resolver(void *arg)
{
    struct pl_resolver *resolver = arg;
    struct pl_sleeper *sleeper = resolver->edges->questions.reader;
    struct pl_node *node = resolver->owner;

    /* Packets come before first contacts where there are few processors; refused, it is no harm. */
    (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), RESOLVER_NICE);
    while (!atomic_load(&node->stop_resolvers)) {
        uint64_t next_us = pl_resolver_step(resolver, now(node));
        pl_sleeper_about_to(sleeper);
        if (!pl_resolver_has_input(resolver) && !atomic_load(&node->stop_resolvers))
            sleep_until(node, sleeper, next_us);
        pl_sleeper_awake(sleeper);
    }
    return NULL;
}

/* Signals are the main thread's: none of ours takes one. */
static enum pl_error start_all(struct pl_node *node)
{
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&node->store_thread, NULL, run_store, node);
    node->threads_n += !failed;
    for (unsigned i = 0; !failed && i < node->resolvers_n; i++) {
        node->resolvers[i].owner = node;
        failed = pthread_create(&node->resolver_threads[i], NULL, run_resolver, &node->resolvers[i]);
        node->threads_n += !failed;
    }
    if (!failed) {
        failed = pthread_create(&node->shard_thread, NULL, run_shard, node);
        node->threads_n += !failed;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? PL_E_NO_MEMORY : PL_OK;
}

enum pl_error pl_node_start(struct pl_node *node, struct pl_text *why)
{
    /* Whoever is told that the node is ready finds its status too. */
    pl_node_write_status(node, node->io->now_us(node->io->ctx));
    enum pl_error error = start_all(node);

    if (error != PL_OK) {
        pl_text_set(why, "no more threads can be started: raise the limit on processes");
        pl_node_stop(node);
    }
    return error;
}

void pl_node_stop(struct pl_node *node)
{
    unsigned resolvers = node->threads_n > 0 ? node->threads_n - 1 : 0;

    if (node->threads_n == node->resolvers_n + 2) {
        atomic_store(&node->stop_shard, true);
        pl_sleeper_notify(&node->shard_sleeper);
        pthread_join(node->shard_thread, NULL);
        resolvers--;
    }
    atomic_store(&node->stop_resolvers, true);
    for (unsigned i = 0; i < resolvers; i++) {
        pl_sleeper_notify(&node->resolver_sleepers[i]);
        pthread_join(node->resolver_threads[i], NULL);
    }
    if (node->threads_n > 0) {
        atomic_store(&node->stop_store, true);
        pl_sleeper_notify(&node->store_sleeper);
        pthread_join(node->store_thread, NULL);
    }
    node->threads_n = 0;
}
