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

Test(node_shard_sink, the_engine_is_never_offered_the_reserve)
{
    struct nw *w = nw_new(NULL);
    struct pl_shard *shard = &w->node->shard;
    struct pl_chunk *chunk = &shard->filling->chunk;
    static uint8_t bytes[50000];
    while (pl_chunk_append(chunk, 1, 1, 1, 1, 0, 1, (struct pl_bytes){bytes, sizeof bytes}, NULL) == PL_OK) {
        pl_shard_room(shard);
        cr_assert(shard->env.room_bytes == 0 || shard->env.room_bytes + 128 * 1024 <= pl_chunk_room(chunk));
    }
    cr_assert_eq(shard->env.room_bytes, 0);
    pl_chunk_reset(chunk);
    pl_shard_room(shard);
    cr_assert_geq(shard->env.room_bytes, (size_t)PL_RECORD_MAX + 8, "the largest record fits an empty one");
    nw_free(w);
}
