/* One seed of the whole-product simulation: beginning, script, loop, judgement at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/x25519.h"
#include "sim/engine.h"
#include "sim/product.h"

enum { HEAL_S = 180, STEPS_MAX = 600000, ACTIONS_MAX = 64 };

struct product product;

struct scripted {
    uint64_t at_us;
    enum product_action action;
};

static struct scripted script[ACTIONS_MAX];
static unsigned script_n, script_at;

/* ---- the script */

static enum product_action draw_action(void)
{
    unsigned total = 0;

    for (unsigned i = 0; i < PRODUCT_ACTIONS; i++) {
        total += product.plan.weights[i];
    }
    unsigned draw = (unsigned)sim_rng_below(&product.script, total + 500);
    for (unsigned i = 0; i < PRODUCT_ACTIONS; i++) {
        if (draw < product.plan.weights[i]) {
            return (enum product_action)i;
        }
        draw -= product.plan.weights[i];
    }
    return PRODUCT_GIVE;
}

static void write_script(void)
{
    struct sim_rng *rng = &product.script;
    uint64_t at_us = sim.now_us;

    script_at = 0;
    for (script_n = 0; script_n < product.plan.actions; script_n++) {
        script[script_n] = (struct scripted){at_us, script_n == 0 ? PRODUCT_GIVE : draw_action()};
        at_us += sim_rng_below(rng, 2 * product.plan.active_us / product.plan.actions);
        at_us +=
            sim_rng_chance(rng, product.plan.nights) ? sim_rng_between(rng, 60 * SIM_S, 5 * SIM_HOUR) : 0;
    }
}

static struct product_device *any_device(void)
{
    return &product.devices[sim_rng_below(&product.script, product.plan.devices)];
}

static void kill_soon(struct host *host)
{
    if (host->up && host->kill_in == 0) {
        host->kill_in = sim_rng_between(&product.faults, 1, product.plan.kill_calls);
    }
}

static void replay(void)
{
    uint32_t from = 0;

    if (sim_rng_chance(&product.script, 500)) {
        from = SIM_VICTIMS + (uint32_t)sim_rng_below(&product.script, SIM_VICTIMS_N);
    }
    net_replay((unsigned)sim_rng_between(&product.script, 1, 60), from);
}

static void act(enum product_action action)
{
    struct product_device *device = any_device();

    sim_note("* %s", product_action_name(action));
    switch (action) {
    case PRODUCT_KILL_NODE: kill_soon(product.node.host); break;
    case PRODUCT_KILL_DEVICE: kill_soon(device->host); break;
    case PRODUCT_REBIND: device->host->address++; break;
    case PRODUCT_REPLAY: replay(); break;
    case PRODUCT_BLACK_OUT: net_black_out(sim_rng_between(&product.script, SIM_MS, 20 * SIM_S)); break;
    case PRODUCT_RESUME_DEVICE: device->host->wall_jump_ms += 5000; break;
    case PRODUCT_CLOSE_DEVICE: product_device_close(device); break;
    case PRODUCT_CLOSE_NODE: product_node_close(); break;
    case PRODUCT_RELOAD: product_node_reload(); break;
    case PRODUCT_BAD_DISK:
        host_fail_disk(&hosts[sim_rng_below(&product.disk, 1 + product.plan.devices)]);
        break;
    default: product_device_give(device); break;
    }
}

/* ---- the loop */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t next_us(void)
{
    uint64_t next = earlier(net_due_us(), product_node_due_us());

    for (unsigned i = 0; i < product.plan.devices; i++) {
        next = earlier(next, product.devices[i].due_us);
    }
    return script_at < script_n ? earlier(next, script[script_at].at_us) : next;
}

static void arrive(struct net_packet *packet)
{
    net_trace(">>", packet->from, packet->to, packet->bytes, packet->n);
    if (packet->to == product.node.host->address) {
        product_deliver(product.node.host, packet);
        product_node_poke();
    }
    for (unsigned i = 0; i < product.plan.devices; i++) {
        struct product_device *device = &product.devices[i];
        if (device->host->up && packet->to == device->host->address) {
            product_deliver(device->host, packet);
            product_device_step(device);
        }
    }
    free(packet);
}

static void step(void)
{
    struct net_packet *packet;

    if (script_at < script_n && script[script_at].at_us <= sim.now_us) {
        act(script[script_at++].action);
    }
    while ((packet = net_receive()) != NULL) {
        arrive(packet);
    }
    if (product_node_due_us() <= sim.now_us) {
        product_node_step();
    }
    for (unsigned i = 0; i < product.plan.devices; i++) {
        if (product.devices[i].due_us <= sim.now_us) {
            product_device_step(&product.devices[i]);
        }
    }
}

void product_run_until(uint64_t until_us)
{
    for (;;) {
        uint64_t next = next_us();
        if (next > until_us) {
            break;
        }
        sim.now_us = next > sim.now_us ? next : sim.now_us;
        if (++sim.step > STEPS_MAX) {
            sim_fail("no end after %d steps", STEPS_MAX);
        }
        if (sim.step == sim.until_step) {
            sim_fail("stopped at step %llu as asked", (unsigned long long)sim.step);
        }
        step();
    }
    sim.now_us = until_us > sim.now_us ? until_us : sim.now_us;
}

/* ---- beginning and end */

static void make_host(unsigned index, uint32_t address)
{
    struct host *host = &hosts[index];

    memset(host, 0, sizeof *host);
    host->index = index;
    host->address = address;
    host->io = product_io;
    host->io.ctx = host;
    host->poke_us = SIM_NEVER;
    snprintf(host->dir, sizeof host->dir, "%.*s/h%u.0", PRODUCT_PATH - 16, product.root, index);
}

static void make_key(uint8_t private_key[32], uint8_t public_key[32])
{
    do {
        sim_rng_fill(&product.content, private_key, 32);
    } while (!pl_x25519_public(public_key, private_key));
}

/* So that a trace can show what packets say. */
static void tell_tracer(unsigned index)
{
    const struct product_device *device = &product.devices[index];
    struct pl_link_config *config = &engine.device_side[index];

    if (pl_secret_derive(&config->secret, device->private_key, device->public_key, product.node.public_key) !=
        PL_OK) {
        sim_fail("a key that is none");
    }
    config->key_id_out = pl_key_id(device->public_key, product.node.public_key);
    config->key_id_in = pl_key_id(product.node.public_key, device->public_key);
    config->direction_out = pl_secret_direction(device->public_key, product.node.public_key);
}

void product_begin(const struct product_plan *plan)
{
    memset(&product, 0, sizeof product);
    disk_begin(product.root, sizeof product.root);
    judge_begin();
    script_n = script_at = 0;
    if (plan != NULL) {
        product.plan = *plan;
    } else {
        product_plan(&product.plan);
    }
    net_begin(&product.plan.net);
    sim_rng_init(&product.wire, sim.seed, "wire");
    sim_rng_init(&product.script, sim.seed, "script");
    sim_rng_init(&product.content, sim.seed, "content");
    sim_rng_init(&product.faults, sim.seed, "faults");
    sim_rng_init(&product.order, sim.seed, "order");
    sim_rng_init(&product.disk, sim.seed, "disk");
    cache_begin();
    make_host(0, PRODUCT_NODE_ADDRESS);
    product.node.host = &hosts[0];
    make_key(product.node.private_key, product.node.public_key);
    for (unsigned i = 0; i < product.plan.devices; i++) {
        make_host(i + 1, (i + 1) * PRODUCT_DEVICE_ADDRESSES);
        product.devices[i].host = &hosts[i + 1];
        make_key(product.devices[i].private_key, product.devices[i].public_key);
        tell_tracer(i);
    }
    product_node_open();
    for (unsigned i = 0; i < product.plan.devices; i++) {
        product_device_open(&product.devices[i]);
    }
}

static void heal(void)
{
    sim_note("* all is well from now on");
    product.calm = true;
    product.plan.actor_delay_us = earlier(product.plan.actor_delay_us, SIM_MS);
    net_calm();
    for (unsigned i = 0; i < PRODUCT_HOSTS; i++) {
        hosts[i].kill_in = 0;
    }
}

static void judge_end(void)
{
    char why[200];

    product_run_until(sim.now_us + HEAL_S * SIM_S);
    if (!product_all_stored(why, sizeof why)) {
        sim_fail("%s %d s after all was well", why, HEAL_S);
    }
    uint64_t sent = net_sent();
    product_run_until(sim.now_us + 3 * SIM_HOUR);
    if (net_sent() != sent) {
        sim_fail("at rest %llu packets were sent", (unsigned long long)(net_sent() - sent));
    }
    for (unsigned i = 0; i < product.plan.devices; i++) {
        if (product.devices[i].due_us != SIM_NEVER) {
            sim_fail("device %u is at rest and has a timer", i + 1);
        }
    }
}

/* What a start in good order finds is what was there. */
static void start_once_more(void)
{
    product_node_close();
    product_node_open();
    for (unsigned i = 0; i < product.plan.devices; i++) {
        product_device_close(&product.devices[i]);
        product_device_open(&product.devices[i]);
    }
}

void product_end(void)
{
    product_node_close();
    for (unsigned i = 0; i < product.plan.devices; i++) {
        product_device_close(&product.devices[i]);
    }
    disk_end(product.root);
}

void product_run(void)
{
    product_begin(NULL);
    write_script();
    product_run_until(script[script_n - 1].at_us);
    heal();
    judge_end();
    start_once_more();
}
