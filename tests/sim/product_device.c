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

/* Only a disk that fails may keep it from its work, and it has to say why. */
static void excuse(struct product_device *device, const char *what, enum pl_error error,
                   const struct pl_text *why)
{
    bool excused = device->host->troubled && (error == PL_E_IO || error == PL_E_STORE_FULL) && why->s[0] != 0;

    if (!excused) {
        sim_fail("device %u %s: %s: %s", device->host->index, what, pl_error_name(error), why->s);
    }
    sim_note("device %u %s: %s: %s", device->host->index, what, pl_error_name(error), why->s);
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
        excuse(device, "does not start", error, &why);
        return;
    }
    pl_aead_trace(pl_device_aead(device->device), judge_sealed, NULL);
}

static void died(struct product_device *device)
{
    device->device = NULL;
    host_crash(device->host);
    device->due_us = device->host->restart_us;
}

/* It starts again soon, in the same directory. */
static void down(struct product_device *device)
{
    device->host->up = false;
    device->host->socket = NULL;
    device->due_us = sim.now_us + SIM_S;
}

void product_device_open(struct product_device *device)
{
    host_start(device->host);
    device->device = NULL;
    if (!host_run(device->host, open_it, device)) {
        died(device);
        return;
    }
    if (device->device == NULL) {
        down(device);
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

/* A device whose disk failed is closed and opened again, by whoever uses it. */
static bool gave_up(struct product_device *device)
{
    if (!device->device->failed || !device->host->troubled) {
        return false;
    }
    excuse(device, "gave up", PL_E_IO, &device->device->counts.last_reason);
    product_device_close(device);
    return true;
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
    if (gave_up(device)) {
        return;
    }
    product_check_device(device);
    if (device->host->poke_us < device->due_us) {
        device->due_us = device->host->poke_us;
    }
}

/* One stream's share of a transaction. */
static bool put_some(struct product_device *device, unsigned stream, unsigned n)
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
        excuse(device, "takes no record", error, &why);
    }
    for (unsigned i = 0; i < n; i++) {
        free((void *)(uintptr_t)records[i].p);
    }
    return error == PL_OK;
}

static void give(void *arg)
{
    struct product_device *device = arg;
    unsigned streams = (unsigned)sim_rng_between(&product.content, 1, product.plan.streams > 1 ? 2 : 1);
    unsigned first = (unsigned)sim_rng_below(&product.content, product.plan.streams);
    struct pl_text why = {""};

    for (unsigned i = 0; i < streams; i++) {
        if (!put_some(device, (first + i) % product.plan.streams,
                      (unsigned)sim_rng_between(&product.content, 1, product.plan.batch_max))) {
            product_take_back(device);
            return;
        }
    }
    enum pl_error error = pl_device_commit(device->device, &why);
    if (error == PL_OK) {
        product_committed(device);
        return;
    }
    excuse(device, "commits nothing", error, &why);
    if (error == PL_E_STORE_FULL) {
        product_take_back(device);
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
    if (!gave_up(device)) {
        product_device_step(device);
    }
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
    down(device);
}
