/* The engine-level world itself: how it begins, what is due next, one step of it, how all faults end. */
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"

struct engine engine;

bool engine_lies(unsigned link)
{
    return (engine.plan.lying >> link & 1) != 0;
}

/* ---- the loop */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t engine_due_us(void)
{
    uint64_t next = earlier(net_due_us(), node_due_us());

    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (engine.devices[i].used) {
            next = earlier(next, device_due_us(&engine.devices[i]));
        }
    }
    return next;
}

static void arrive(struct net_packet *packet)
{
    net_trace(">>", packet->from, packet->to, packet->bytes, packet->n);
    if (packet->to == ENGINE_NODE_ADDRESS) {
        node_receive(packet);
        node_work();
    }
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        struct device *device = &engine.devices[i];
        if (device->used && device->address == packet->to) {
            device_receive(device, packet);
            device_work(device);
        }
    }
    free(packet);
}

void engine_work(void)
{
    node_work();
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (engine.devices[i].used) {
            device_work(&engine.devices[i]);
        }
    }
}

void engine_step(void)
{
    struct net_packet *packet;

    while ((packet = net_receive()) != NULL) {
        arrive(packet);
    }
    if (node_due_us() <= sim.now_us) {
        node_work();
    }
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (engine.devices[i].used && device_due_us(&engine.devices[i]) <= sim.now_us) {
            device_work(&engine.devices[i]);
        }
    }
}

/* ---- beginning and end */

static void make_keys(void)
{
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        struct pl_link_config *device = &engine.device_side[i], *node = &engine.node_side[i];
        memset(device, 0, sizeof *device);
        sim_rng_fill(&engine.content, &device->secret, sizeof device->secret);
        device->key_id_in = 0x10000000 + i;
        device->key_id_out = 0x20000000 + i;
        device->direction_out = i % 2;
        device->suite = engine.plan.suite;
        *node = *device;
        node->key_id_in = device->key_id_out;
        node->key_id_out = device->key_id_in;
        node->direction_out = !device->direction_out;
        node->suite = PL_SUITE_AES_128_GCM;
    }
}

void engine_begin(const struct engine_plan *plan)
{
    static struct pl_route configured;
    struct pl_aead *aead = engine.aead;
    uint8_t *batch_bytes = engine.batch_bytes;

    memset(&engine, 0, sizeof engine);
    engine.aead = aead;
    engine.batch_bytes = batch_bytes;
    judge_begin();
    engine.plan = *plan;
    net_begin(&engine.plan.net);
    sim_rng_init(&engine.wire, sim.seed, "wire");
    sim_rng_init(&engine.content, sim.seed, "content");
    sim_rng_init(&engine.faults, sim.seed, "faults");
    make_keys();
    configured = engine_route(ENGINE_NODE_ADDRESS, 0);
    for (unsigned i = 0; i < engine.plan.devices; i++) {
        device_begin(&engine.devices[i], i, i);
    }
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        engine.device_side[i].configured = &configured;
    }
    node_begin();
}

void engine_heal(void)
{
    sim_note("* all is well from now on");
    engine.calm = true;
    net_calm();
    engine.plan.commit_max_us = engine.plan.commit_min_us;
    node_store_full(false);
    node_pause(false);
    engine.node.env.memory.limit_bytes = SIZE_MAX;
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        engine.devices[i].env.memory.limit_bytes = SIZE_MAX;
        engine.devices[i].env.settings.run_packets =
            PL_RUN_PACKETS; /* tiny runs meet the limit of new ones */
    }
    engine_work();
}

void engine_end(void)
{
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        device_end(&engine.devices[i]);
    }
    node_end();
}
