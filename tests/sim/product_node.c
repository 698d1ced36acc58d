/* A simulated node: its parts step in an order and at times that the seed chooses; it starts again. */
#include <stdlib.h>
#include <string.h>

#include "sim/judge.h"
#include "sim/product.h"

enum { SHARD, STORE, FIRST_RESOLVER, ACTORS = FIRST_RESOLVER + PRODUCT_RESOLVERS };

static struct product_node *const self = &product.node;

static void fill_allowed(void)
{
    static uint8_t names[PRODUCT_DEVICES][2];

    for (unsigned i = 0; i < product.plan.devices; i++) {
        names[i][0] = 'd';
        names[i][1] = (uint8_t)('0' + i);
        self->allowed[i].name = (struct pl_bytes){names[i], sizeof names[i]};
        memcpy(self->allowed[i].public_key, product.devices[i].public_key,
               sizeof self->allowed[i].public_key);
        self->allowed[i].key_id = pl_key_id(product.devices[i].public_key, self->public_key);
    }
}

static void reload(void *arg)
{
    (void)arg;
    if (self->reloading && !atomic_load(&self->reload.done)) {
        return;
    }
    fill_allowed();
    memset(&self->reload, 0, sizeof self->reload);
    self->reload.entries = self->allowed;
    self->reload.n = product.plan.devices;
    self->reloading = pl_node_reload(self->node, &self->reload);
}

/* Only a disk that fails may keep it from its work, and it has to say why. */
static void excuse(const char *what, enum pl_error error, const struct pl_text *why)
{
    bool excused = self->host->troubled && (error == PL_E_IO || error == PL_E_STORE_FULL) && why->s[0] != 0;

    if (!excused) {
        sim_fail("the node %s: %s: %s", what, pl_error_name(error), why->s);
    }
    sim_note("the node %s: %s: %s", what, pl_error_name(error), why->s);
}

static void open_it(void *arg)
{
    struct pl_address listen = product_address(PRODUCT_NODE_ADDRESS);
    struct pl_text why = {""};
    struct pl_node_config config = {
        .io = &self->host->io,
        .private_key = self->private_key,
        .dir = self->host->dir,
        .listen = &listen,
        .listen_n = 1,
        .idle_us = product.plan.idle_us,
        .map_bytes = (uint64_t)256 << 20,
        .resolvers = PRODUCT_RESOLVERS,
    };
    enum pl_error error = pl_node_open(&config, &self->node, &why);

    if (error != PL_OK) {
        excuse("does not start", error, &why);
        return;
    }
    if (why.s[0] != 0) {
        sim_fail("the node starts and complains: %s", why.s);
    }
    self->reloading = false;
    reload(arg);
}

static void poke_at(unsigned actor, uint64_t at_us)
{
    if (at_us < self->actor_due_us[actor]) {
        self->actor_due_us[actor] = at_us;
    }
}

/* Every part may have something to do for another: each gets its turn, some time soon. */
static void poke_all(void)
{
    for (unsigned i = 0; i < ACTORS; i++) {
        poke_at(i, sim.now_us + sim_rng_below(&product.order, product.plan.actor_delay_us + 1));
    }
}

static void open_judge(void)
{
    struct pl_text why = {""};

    if (pl_reader_of(self->node->store, &self->reader, &why) != PL_OK ||
        pl_tail_open(self->reader, 0, NULL, &self->tail) != PL_OK) {
        sim_fail("the store cannot be read: %s", why.s);
    }
    pl_aead_trace(self->node->shard.env.aead, judge_sealed, NULL);
}

static void died(void)
{
    self->node = NULL;
    self->tail = NULL;
    self->reader = NULL;
    host_crash(self->host);
}

static void down(void)
{
    self->host->up = false;
    self->host->socket = NULL;
    self->host->restart_us = sim.now_us + SIM_S;
}

void product_node_open(void)
{
    host_start(self->host);
    self->node = NULL;
    if (!host_run(self->host, open_it, NULL)) {
        died();
        return;
    }
    if (self->node == NULL) {
        down();
        return;
    }
    sim_note("the node is up");
    if (!cache_sees(self->host)) {
        sim_fail("the system calls of LMDB do not pass through the simulator");
    }
    open_judge();
    product_check_store_again();
    for (unsigned i = 0; i < ACTORS; i++) {
        self->actor_due_us[i] = sim.now_us;
    }
}

static void step_actor(void *arg)
{
    unsigned actor = *(const unsigned *)arg;
    uint64_t *due = &self->actor_due_us[actor];

    if (actor == SHARD) {
        *due = pl_shard_step(&self->node->shard, sim.now_us);
    } else if (actor == STORE) {
        *due = pl_node_step_store(self->node, sim.now_us);
    } else {
        *due = pl_resolver_step(&self->node->resolvers[actor - FIRST_RESOLVER], sim.now_us);
    }
}

static bool has_input(void)
{
    struct pl_node *node = self->node;
    bool any = product_waits(self->host) || pl_shard_has_input(&node->shard) ||
               !pl_ring_is_empty(&node->commit_edge.jobs) || atomic_load(&node->committer.reload) != NULL ||
               atomic_load(&node->shard.was_published);

    for (unsigned i = 0; i < PRODUCT_RESOLVERS; i++) {
        any = any || pl_resolver_has_input(&node->resolvers[i]);
    }
    return any;
}

/* A node that can not store, or not take its list at the start, ends; whoever runs it starts it again. */
static bool gave_up(void)
{
    struct pl_commit_figures figures;

    if (atomic_load(&self->node->committer.failed)) {
        pl_committer_figures(&self->node->committer, &figures);
        excuse("gave up", PL_E_IO, &figures.last_error);
        return true;
    }
    if (self->reloading && atomic_load(&self->reload.done) && self->reload.error != PL_OK) {
        excuse("took no list", self->reload.error, &self->reload.why);
        return true;
    }
    return false;
}

/* A random one of the parts that are due takes its turn. */
static void step_one(void)
{
    unsigned due[ACTORS], n = 0;

    for (unsigned i = 0; i < ACTORS; i++) {
        if (self->actor_due_us[i] <= sim.now_us) {
            due[n++] = i;
        }
    }
    if (n == 0) {
        return;
    }
    unsigned actor = due[sim_rng_below(&product.order, n)];
    if (!host_run(self->host, step_actor, &actor)) {
        died();
        return;
    }
    if (gave_up()) {
        product_node_close();
        return;
    }
    product_check_store();
    product_check_memory();
    if (has_input()) {
        poke_all();
    }
}

void product_node_step(void)
{
    if (!self->host->up) {
        product_node_open();
        return;
    }
    if (self->host->poke_us <= sim.now_us) {
        self->host->poke_us = SIM_NEVER;
        poke_at(SHARD, sim.now_us);
    }
    step_one();
}

void product_node_poke(void)
{
    if (self->host->up) {
        poke_at(SHARD, sim.now_us + sim_rng_below(&product.order, product.plan.actor_delay_us + 1));
    }
}

uint64_t product_node_due_us(void)
{
    uint64_t due = self->host->poke_us;

    if (!self->host->up) {
        return self->host->restart_us;
    }
    for (unsigned i = 0; i < ACTORS; i++) {
        due = self->actor_due_us[i] < due ? self->actor_due_us[i] : due;
    }
    return due;
}

static void close_it(void *arg)
{
    (void)arg;
    pl_node_close(self->node);
    self->node = NULL;
}

/* Ends it in the order of a stop; it starts again soon, in the same directory. */
void product_node_close(void)
{
    if (!self->host->up) {
        return;
    }
    pl_tail_close(self->tail);
    pl_reader_close(self->reader);
    self->tail = NULL;
    self->reader = NULL;
    if (!host_run(self->host, close_it, NULL)) {
        died();
        return;
    }
    down();
}

void product_node_reload(void)
{
    if (self->host->up && !host_run(self->host, reload, NULL)) {
        died();
        return;
    }
    if (self->host->up) {
        poke_all();
    }
}
