/* Hosts: who runs, and how one dies. */
#include <stdio.h>
#include <string.h>

#include "sim/product.h"

struct host hosts[PRODUCT_HOSTS];
static struct host *running;

bool host_run(struct host *host, void (*work)(void *arg), void *arg)
{
    running = host;
    if (setjmp(host->killed) != 0) {
        return false;
    }
    work(arg);
    running = NULL;
    return true;
}

struct host *host_running(void)
{
    return running;
}

void host_call(void)
{
    struct host *host = running;

    if (host != NULL && host->kill_in > 0 && --host->kill_in == 0) {
        running = NULL;
        sim_note("* killed: %s %u", host->index == 0 ? "node" : "device", host->index);
        longjmp(host->killed, 1);
    }
}

static void tempt(struct host *host)
{
    if (!product.calm && product.plan.kill_calls > 1 && sim_rng_chance(&product.faults, 100)) {
        host->kill_in = sim_rng_between(&product.faults, 1, 4 * product.plan.kill_calls);
    }
}

void host_crash(struct host *host)
{
    char dir[PRODUCT_PATH + 16];

    disk_release_locks();
    snprintf(dir, sizeof dir, "%s/h%u.%u", product.root, host->index, ++host->generation);
    if (sim_rng_chance(&product.disk, product.plan.power_cuts)) {
        sim_note("* a power cut");
        cache_cut(host, dir);
    } else {
        disk_copy(host->dir, dir);
        cache_moved(host->dir, dir);
    }
    snprintf(host->dir, sizeof host->dir, "%.*s", (int)sizeof host->dir - 1, dir);
    host->up = false;
    host->socket = NULL;
    host->kill_in = 0;
    host->restart_us = sim.now_us + sim_rng_below(&product.faults, 2 * SIM_S);
}

void host_start(struct host *host)
{
    host->up = true;
    host->troubled = sim.now_us < host->disk_until_us && !product.calm;
    cache_forget(host);
    tempt(host);
}

void host_fail_disk(struct host *host)
{
    static const unsigned permilles[] = {20, 200, 1000};

    host->disk_fault = (enum disk_fault)sim_rng_below(&product.disk, DISK_FAULTS);
    host->disk_permille = permilles[sim_rng_below(&product.disk, 3)];
    host->disk_until_us = sim.now_us + sim_rng_between(&product.disk, SIM_MS, 10 * SIM_S);
    sim_note("* the disk of host %u fails (%d) for a while", host->index, host->disk_fault);
}
