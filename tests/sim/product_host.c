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

void host_call(void)
{
    struct host *host = running;

    if (host != NULL && host->kill_in > 0 && --host->kill_in == 0) {
        running = NULL;
        sim_note("* killed: %s %u", host->index == 0 ? "node" : "device", host->index);
        longjmp(host->killed, 1);
    }
}

void host_tempt(struct host *host)
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
    disk_copy(host->dir, dir);
    snprintf(host->dir, sizeof host->dir, "%.*s", (int)sizeof host->dir - 1, dir);
    host->up = false;
    host->socket = NULL;
    host->kill_in = 0;
    host->restart_us = sim.now_us + sim_rng_below(&product.faults, 2 * SIM_S);
}
