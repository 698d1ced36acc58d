/* A simulated device: gives records, steps, starts again. */
#include <stdlib.h>
#include <string.h>

#include "device/parts.h"
#include "sim/judge.h"
#include "sim/product.h"

static const char *node_text(void)
{
    static char text[PL_ADDRESS_TEXT_SIZE];
    struct pl_address address = product_address(PRODUCT_NODE_ADDRESS);

    return pl_address_print(&address, text, sizeof text);
}

static void open_it(void *arg)
{
    struct product_device *device = arg;
    struct pl_text why = {""};
    struct pl_device_config config = {
        .private_key = device->private_key,
        .node_key = product.node.public_key,
        .node = node_text(),
        .outbox_dir = device->host->dir,
        .outbox_max_bytes = (uint64_t)64 << 20,
        .poll_us = product.plan.poll_us,
        .suite = product.plan.suite,
        .io = &device->host->io,
    };
    enum pl_error error = pl_device_open(&device->device, &config, &why);

    if (error != PL_OK) {
        sim_fail("device %u does not start: %s: %s", device->host->index, pl_error_name(error), why.s);
    }
    pl_aead_trace(pl_device_aead(device->device), judge_sealed, NULL);
}

static void died(struct product_device *device)
{
    device->device = NULL;
    host_crash(device->host);
    device->due_us = device->host->restart_us;
}

void product_device_open(struct product_device *device)
{
    device->host->up = true;
    host_tempt(device->host);
    if (!host_run(device->host, open_it, device)) {
        died(device);
        return;
    }
    sim_note("device %u is up", device->host->index);
    product_settle_pending(device);
    product_check_device(device);
    device->due_us = sim.now_us;
}

static void step(void *arg)
{
    struct product_device *device = arg;

    device->due_us = pl_device_step(device->device, sim.now_us);
}

void product_device_step(struct product_device *device)
{
    if (!device->host->up) {
        product_device_open(device);
        return;
    }
    if (device->host->poke_us <= sim.now_us) {
        device->host->poke_us = SIM_NEVER;
    }
    if (!host_run(device->host, step, device)) {
        died(device);
        return;
    }
    product_check_device(device);
    if (device->host->poke_us < device->due_us) {
        device->due_us = device->host->poke_us;
    }
}

/* One stream's share of a transaction. */
static void put_some(struct product_device *device, unsigned stream, unsigned n)
{
    struct pl_bytes records[PRODUCT_BATCH];
    uint8_t name[] = {'s', (uint8_t)('a' + stream)};
    const struct product_plan *plan = &product.plan;
    struct pl_text why = {""};
    size_t taken = 0;

    for (unsigned i = 0; i < n; i++) {
        bool large = sim_rng_chance(&product.content, 20);
        size_t size = sim_rng_between(&product.content, plan->record_min,
                                      large ? plan->record_large : plan->record_max);
        uint64_t id = judge_given(0, size);
        uint8_t *body = sim_alloc(size);
        judge_body(id, body);
        records[i] = (struct pl_bytes){body, size};
        product_given(device, stream, id);
    }
    enum pl_error error =
        pl_device_put(device->device, (struct pl_bytes){name, sizeof name}, records, n, &taken, &why);
    if (error != PL_OK || taken != n) {
        sim_fail("device %u takes no record: %s: %s", device->host->index, pl_error_name(error), why.s);
    }
    for (unsigned i = 0; i < n; i++) {
        free((void *)(uintptr_t)records[i].p);
    }
}

static void give(void *arg)
{
    struct product_device *device = arg;
    unsigned streams = (unsigned)sim_rng_between(&product.content, 1, product.plan.streams > 1 ? 2 : 1);
    unsigned first = (unsigned)sim_rng_below(&product.content, product.plan.streams);
    struct pl_text why = {""};

    for (unsigned i = 0; i < streams; i++) {
        put_some(device, (first + i) % product.plan.streams,
                 (unsigned)sim_rng_between(&product.content, 1, product.plan.batch_max));
    }
    enum pl_error error = pl_device_commit(device->device, &why);
    if (error != PL_OK) {
        sim_fail("device %u commits nothing: %s: %s", device->host->index, pl_error_name(error), why.s);
    }
}

void product_device_give(struct product_device *device)
{
    if (!device->host->up) {
        return;
    }
    if (!host_run(device->host, give, device)) {
        died(device);
        return;
    }
    product_committed(device);
    product_device_step(device);
}

static void close_it(void *arg)
{
    struct product_device *device = arg;

    pl_device_close(device->device);
    device->device = NULL;
}

/* Ends it in good order; it starts again soon, in the same directory. */
void product_device_close(struct product_device *device)
{
    if (!device->host->up) {
        return;
    }
    if (!host_run(device->host, close_it, device)) {
        died(device);
        return;
    }
    device->host->up = false;
    device->host->socket = NULL;
    device->due_us = sim.now_us + SIM_S;
}
