/* The driver of receiving links, as link.h asks for one: makes a link when a datagram names it and gives it
 * its rows, collects deliveries into chunks, commits them, says so. */
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"

static struct node *const node = &engine.node;

void node_rows_copy(struct node_rows *to, const struct node_rows *from)
{
    free(to->rows);
    to->n = from->n;
    to->rows = sim_alloc(from->n * sizeof from->rows[0]);
    if (from->n > 0) {
        memcpy(to->rows, from->rows, from->n * sizeof from->rows[0]);
    }
    for (size_t i = 0; i < to->n; i++) {
        to->rows[i].row.name.p = to->rows[i].name;
    }
}

static struct node_entry *add_entry(struct pl_link *link, const struct pl_frame_stream *begins)
{
    struct node_chunk *chunk = &node->filling;
    struct node_link *owner = pl_link_user(link);

    if (chunk->n == chunk->room) {
        chunk->room = chunk->room == 0 ? 16 : 2 * chunk->room;
        chunk->entries = sim_grow(chunk->entries, chunk->room * sizeof chunk->entries[0]);
    }
    struct node_entry *entry = &chunk->entries[chunk->n++];
    memset(entry, 0, sizeof *entry);
    entry->link = (unsigned)(owner - node->links);
    if (begins != NULL) {
        entry->begins = true;
        entry->birth = begins->birth;
        entry->life_first = begins->first_number;
        entry->name_n = begins->name.n;
        memcpy(entry->name, begins->name.p, begins->name.n);
    }
    return entry;
}

static void deliver(void *ctx, struct pl_link *link, const struct pl_delivery *delivery)
{
    struct node_entry *entry = add_entry(link, delivery->begins);

    (void)ctx;
    entry->stream = delivery->stream;
    entry->life = delivery->life;
    entry->first_number = delivery->first_number;
    entry->first_offset = delivery->first_offset;
    entry->count = delivery->count;
    entry->n = delivery->bytes.n;
    entry->bytes = memcpy(sim_alloc(entry->n), delivery->bytes.p, entry->n);
    sim_note("node: link %u stream %u life %08x: records %llu to %llu%s", entry->link, entry->stream,
             entry->life, (unsigned long long)entry->first_number,
             (unsigned long long)(entry->first_number + entry->count - 1), entry->begins ? ", begins" : "");
}

static void gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *taken)
{
    struct node_entry *entry = add_entry(link, taken->begins);

    (void)ctx;
    if (engine.plan.ordered_gap_free && !engine_lies(entry->link)) {
        sim_fail("a GAP up to %llu, though nobody lost anything", (unsigned long long)taken->upto);
    }
    entry->is_gap = true;
    entry->stream = taken->stream;
    entry->life = taken->life;
    entry->first_number = taken->lost_from;
    entry->upto = taken->upto;
    entry->gap_offset = taken->offset;
    sim_note("node: link %u stream %u: GAP %llu to %llu", entry->link, entry->stream,
             (unsigned long long)taken->lost_from, (unsigned long long)taken->upto);
}

static void event(void *ctx, struct pl_link *link, const struct pl_event *e)
{
    struct node_link *owner = pl_link_user(link);

    (void)ctx;
    sim_note("node: event %d stream %u life %08x number %llu code %llu", e->type, e->stream, e->life,
             (unsigned long long)e->number, (unsigned long long)e->code);
    bool forks = engine.plan.weights[ACT_SNAPSHOT_DEVICE] > 0 || !engine.plan.ordered_gap_free;
    bool forked = e->code == PL_REFUSAL_FORKED && forks;
    if (e->type == PL_EVENT_REFUSING && !forked && !engine_lies((unsigned)(owner - node->links))) {
        sim_fail("the node refuses a stream with code %llu", (unsigned long long)e->code);
    }
}

const struct pl_sink node_sink = {.deliver = deliver, .gap = gap, .event = event};

static void begin_env(void)
{
    pl_env_defaults(&node->env);
    engine_settings(&node->env);
    node->env.sink = &node_sink;
    node->env.room_bytes = engine.plan.chunk_bytes;
    pool_attach(&node->pool, &node->env.memory,
                engine.calm ? SIZE_MAX : engine.plan.node_limit_bytes, "node pool");
}

void node_begin(void)
{
    memset(node, 0, sizeof *node);
    node->commit_end_us = SIM_NEVER;
    begin_env();
}

static void drop_links(void)
{
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (node->links[i].link != NULL) {
            pl_link_free(node->links[i].link);
            node->links[i].link = NULL;
        }
    }
    if (node->env.memory.used_bytes != 0 || node->env.held_bytes != 0 || node->env.unproven_held_bytes != 0) {
        sim_fail("links at their end kept %zu B, %zu held", node->env.memory.used_bytes,
                 node->env.held_bytes);
    }
}

void node_end(void)
{
    drop_links();
    chunk_drop(&node->filling);
    chunk_drop(&node->committing);
    free(node->filling.entries);
    free(node->committing.entries);
    free(node->logged);
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        free(node->links[i].rows.rows);
        free(node->links[i].snapshot.rows);
    }
    memset(node, 0, sizeof *node);
}

/* A commit under way may have reached the disk or not. */
void node_kill(void)
{
    drop_links();
    if (node->commit_end_us != SIM_NEVER && sim_rng_chance(&engine.faults, 500)) {
        sim_note("node: its last commit was durable");
        commit_apply(&node->committing);
    }
    chunk_drop(&node->filling);
    chunk_drop(&node->committing);
    node->commit_end_us = SIM_NEVER;
    begin_env();
}

/* What the engine has in memory of a settled link is what is durable. */
static void compare_rows(const struct node_link *nl)
{
    struct pl_stream_row row;
    uint64_t committed = 0;

    for (unsigned i = 0; pl_link_row(nl->link, i, &row, &committed); i++) {
        const struct pl_stream_row *durable = NULL;
        for (size_t r = 0; r < nl->rows.n; r++) {
            durable = nl->rows.rows[r].row.stream == row.stream ? &nl->rows.rows[r].row : durable;
        }
        if (row.lives_n > 0 && row.lives[row.lives_n - 1].last < row.lives[row.lives_n - 1].first) {
            continue; /* of its newest life only the part of a record came */
        }
        if (durable == NULL && row.heard == 0) {
            continue; /* a STREAM alone makes no row */
        }
        if (durable == NULL || durable->birth != row.birth || durable->heard != row.heard ||
            durable->life != row.life || durable->offset != row.offset || durable->lives_n != row.lives_n ||
            memcmp(durable->lives, row.lives, row.lives_n * sizeof row.lives[0]) != 0) {
            sim_fail("the row of stream %u in memory is not the one of the log", row.stream);
        }
    }
}

void node_sweep(unsigned index)
{
    struct node_link *nl = &node->links[index];

    if (nl->link != NULL && pl_link_settled(nl->link)) {
        compare_rows(nl);
        pl_link_free(nl->link);
        nl->link = NULL;
    }
}

static bool activate(struct node_link *nl)
{
    struct pl_link_config config = engine.node_side[nl - node->links];

    config.user = nl;
    nl->link = pl_link_new(&node->env, &config, sim.now_us);
    for (size_t i = 0; nl->link != NULL && i < nl->rows.n; i++) {
        if (pl_link_load_row(nl->link, &nl->rows.rows[i].row) != PL_OK) {
            pl_link_free(nl->link);
            nl->link = NULL;
        }
    }
    return nl->link != NULL;
}

static struct node_link *named(const struct net_packet *packet)
{
    struct pl_header header;
    size_t used = 0;

    if (pl_header_decode(packet->bytes, packet->n, &header, &used) != PL_OK) {
        return NULL;
    }
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (engine.node_side[i].key_id_in == header.key_id) {
            return &node->links[i];
        }
    }
    return NULL;
}

/* A link that was made for a datagram that did not open is given up at once: a stranger costs no memory. */
void node_receive(struct net_packet *packet)
{
    struct node_link *nl = named(packet);
    bool fresh = false;

    if (nl == NULL) {
        sim_note("node: dropped %zu B from %u: key id", packet->n, packet->from);
        return;
    }
    if (nl->link == NULL) {
        fresh = activate(nl);
    }
    if (nl->link == NULL) {
        sim_note("node: no memory for a link");
        return;
    }
    enum pl_drop drop = engine_receive(nl->link, packet);
    sim_note("node: got %zu B from %u%s%s", packet->n, packet->from,
             drop == PL_DROP_NONE ? "" : ", dropped: ", drop == PL_DROP_NONE ? "" : pl_drop_name(drop));
    if (fresh && drop != PL_DROP_NONE) {
        pl_link_free(nl->link);
        nl->link = NULL;
    }
}

void node_work(void)
{
    if (node->commit_end_us <= sim.now_us) {
        commit_end();
    }
    commit_start();
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        struct pl_link *link = node->links[i].link;
        if (link == NULL) {
            continue;
        }
        engine_pump(link, ENGINE_NODE_ADDRESS);
        if (pl_link_deadline(link) <= sim.now_us) {
            sim_fail("node: link %u sends nothing and its deadline is not later", i);
        }
        if (pl_link_rests_at(link) <= sim.now_us) {
            node_sweep(i);
        }
    }
    commit_start();
}

uint64_t node_due_us(void)
{
    uint64_t due = node->commit_end_us;

    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        struct pl_link *link = node->links[i].link;
        uint64_t at = link == NULL ? SIM_NEVER : pl_link_deadline(link);
        uint64_t rest = link == NULL ? SIM_NEVER : pl_link_rests_at(link);
        due = at < due ? at : due;
        due = rest < due ? rest : due;
    }
    return due;
}

void node_snapshot(void)
{
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        node_rows_copy(&node->links[i].snapshot, &node->links[i].rows);
    }
    node->snapshot_logged_n = node->logged_n;
    node->has_snapshot = true;
}

void node_restore(void)
{
    if (!node->has_snapshot) {
        return;
    }
    node_kill();
    while (node->logged_n > node->snapshot_logged_n) {
        judge_rolled_back(node->logged[--node->logged_n]);
    }
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        node_rows_copy(&node->links[i].rows, &node->links[i].snapshot);
    }
}

static void unrefuse(void)
{
    for (unsigned i = 0; i < ENGINE_DEVICES; i++) {
        if (node->links[i].link != NULL) {
            pl_link_unrefuse(node->links[i].link, sim.now_us);
        }
    }
}

void node_store_full(bool full)
{
    node->env.store_full = full;
    if (!full) {
        unrefuse();
    }
}

void node_pause(bool paused)
{
    node->env.paused = paused;
    if (!paused) {
        unrefuse();
    }
}
