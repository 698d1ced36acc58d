/* lookup_main.c: name look-ups on their thread, taken, repeated and closed under them, for ThreadSanitizer.
 * A plain main: Criterion does not start under it. */
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "device/resolve.h"

enum { ROUNDS = 300 };

static atomic_uint wakes;

static void wake(void *ctx)
{
    (void)ctx;
    atomic_fetch_add(&wakes, 1);
}

static enum pl_error look_up(const char *text, struct pl_address out[PL_ADDRESS_RESOLVE_MAX], size_t *n,
                             struct pl_text *why)
{
    (void)text, (void)why;
    out[0] = (struct pl_address){.family = PL_ADDRESS_IPV4, .port = 7, .ip = {10, 0, 0, 1}};
    *n = 1;
    return PL_OK;
}

/* Starts a look-up, takes its result in every second round, and closes. */
static int round_trip(unsigned round)
{
    struct pl_name_lookup *lookup;
    struct pl_address found[PL_ADDRESS_RESOLVE_MAX];
    size_t n = 0;
    enum pl_error e = PL_E_AGAIN;
    if (pl_name_lookup_open(&lookup, "host:7", look_up, wake, NULL, NULL) != PL_OK ||
        !pl_name_lookup_start(lookup))
        return 1;
    while (round % 2 == 0 && e == PL_E_AGAIN)
        e = pl_name_lookup_take(lookup, found, &n, NULL);
    pl_name_lookup_close(lookup);
    return round % 2 == 0 && (e != PL_OK || n != 1 || found[0].port != 7);
}

int main(void)
{
    unsigned failed = 0;
    for (unsigned i = 0; i < ROUNDS; i++)
        failed += (unsigned)round_trip(i);
    while (atomic_load(&wakes) < ROUNDS / 2)
        usleep(1000);
    printf("%u passed, %u failed\n", ROUNDS - failed, failed);
    return failed != 0;
}
