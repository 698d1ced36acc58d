/* Records into the chunk: the reserve for row heads, records as large as they may be, and what is told. */
#include "node_world.h"

#include <criterion/criterion.h>
#include <string.h>

static void small_records(struct pl_node_config *config)
{
    config->record_max_bytes = 8; /* "d 1" fits, "device 100" does not */
}

Test(node_shard_sink, tells_what_it_refuses)
{
    struct nw *w = nw_new(small_records);
    struct nw_device *d = nw_device(w, "device");
    struct pl_node_status status;
    nw_allow(w, 1);
    nw_activate(d);
    nw_give(d, 10);
    nw_run(w, w->now_us + 5000000);
    cr_assert_eq(d->refused_code, PL_REFUSAL_TOO_LARGE);
    cr_assert_eq(nw_stored(w, d), 9);
    pl_node_status(w->node, &status);
    cr_assert(strstr(status.last_event, "device"), "%s", status.last_event);
    cr_assert(strstr(status.last_event, "record 10"), "%s", status.last_event);
    nw_free(w);
}
