/* The model of a node's store: chunks of deliveries that become durable one after the other, and the rows
 * they make, as a replay of the log would. */
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"
#include "wire/walk.h"

static struct node *const node = &engine.node;

void chunk_drop(struct node_chunk *chunk)
{
    for (size_t i = 0; i < chunk->n; i++) {
        free(chunk->entries[i].bytes);
    }
    chunk->n = 0;
}

void commit_start(void)
{
    struct node_chunk empty = node->committing;

    if (node->commit_end_us != SIM_NEVER || node->filling.n == 0) {
        return;
    }
    node->committing = node->filling;
    node->filling = empty;
    node->env.room_bytes = engine.plan.chunk_bytes;
    node->commit_end_us =
        sim.now_us + sim_rng_between(&engine.faults, engine.plan.commit_min_us, engine.plan.commit_max_us);
}

static struct node_row *row_of(const struct node_entry *entry)
{
    struct node_rows *rows = &node->links[entry->link].rows;

    for (size_t i = 0; i < rows->n; i++) {
        if (rows->rows[i].row.stream == entry->stream) {
            return &rows->rows[i];
        }
    }
    if (!entry->begins) {
        sim_fail("the first entry of stream %u does not say what it is", entry->stream);
    }
    struct node_rows grown = {.n = rows->n};
    node_rows_copy(&grown, rows);
    free(rows->rows);
    grown.rows = sim_grow(grown.rows, (grown.n + 1) * sizeof grown.rows[0]);
    *rows = grown;
    struct node_row *row = &rows->rows[rows->n++];
    memset(row, 0, sizeof *row);
    row->row.stream = entry->stream;
    row->row.birth = entry->birth;
    row->row.name.n = entry->name_n;
    memcpy(row->name, entry->name, entry->name_n);
    for (size_t i = 0; i < rows->n; i++) {
        rows->rows[i].row.name.p = rows->rows[i].name;
    }
    return row;
}

static struct pl_lifespan *life_of(struct pl_stream_row *row, const struct node_entry *entry)
{
    for (unsigned i = 0; i < row->lives_n; i++) {
        if (row->lives[i].tag == entry->life) {
            return &row->lives[i];
        }
    }
    if (!entry->begins) {
        sim_fail("a life begins in the log without its STREAM");
    }
    if (row->lives_n == PL_LIVES_REMEMBERED) {
        memmove(row->lives, row->lives + 1, --row->lives_n * sizeof row->lives[0]);
    }
    struct pl_lifespan *life = &row->lives[row->lives_n++];
    *life = (struct pl_lifespan){.tag = entry->life, .first = entry->life_first};
    return life;
}

static void log_id(uint64_t id)
{
    if (node->logged_n == node->logged_room) {
        node->logged_room = node->logged_room == 0 ? 256 : 2 * node->logged_room;
        node->logged = sim_grow(node->logged, node->logged_room * sizeof node->logged[0]);
    }
    node->logged[node->logged_n++] = id;
}

static void log_records(const struct node_entry *entry, uint64_t birth)
{
    struct pl_bytes left = {entry->bytes, entry->n};

    for (uint64_t i = 0; i < entry->count; i++) {
        struct pl_walk walk = pl_walk(left, 1, SIZE_MAX / 2);
        uint64_t size = 0;
        size_t head = 0;
        if (walk.count != 1 || pl_varint_decode(left.p, left.n, &size, &head) != PL_OK) {
            sim_fail("a delivery of %llu records has only %llu", (unsigned long long)entry->count,
                     (unsigned long long)i);
        }
        struct pl_bytes record = {left.p + head, (size_t)size};
        if (!engine_lies(entry->link)) {
            log_id(judge_durable(birth, entry->life, entry->first_number + i, record));
        }
        left.p += walk.whole_bytes;
        left.n -= walk.whole_bytes;
    }
    if (left.n != 0) {
        sim_fail("a delivery has %zu B after its records", left.n);
    }
}

static void apply(const struct node_entry *entry)
{
    struct pl_stream_row *row = &row_of(entry)->row;
    struct pl_lifespan *life = life_of(row, entry);
    bool follows = entry->first_number == row->heard + 1 &&
                   (entry->is_gap || entry->first_offset == (row->life == entry->life ? row->offset : 0));

    if (!follows) {
        sim_fail("stream %u: record %llu at %llu of life %08x follows %llu at %llu of %08x", entry->stream,
                 (unsigned long long)entry->first_number, (unsigned long long)entry->first_offset,
                 entry->life, (unsigned long long)row->heard, (unsigned long long)row->offset, row->life);
    }
    if (entry->is_gap) {
        row->heard = life->last = entry->upto;
        row->offset = life->end = entry->gap_offset;
    } else {
        log_records(entry, row->birth);
        row->heard = life->last = row->heard + entry->count;
        row->offset = life->end = entry->first_offset + entry->n;
    }
    row->life = entry->life;
}

void commit_apply(const struct node_chunk *chunk)
{
    for (size_t i = 0; i < chunk->n; i++) {
        apply(&chunk->entries[i]);
    }
}

void commit_end(void)
{
    sim_note("node: committed");
    commit_apply(&node->committing);
    for (size_t i = 0; i < node->committing.n; i++) {
        const struct node_entry *entry = &node->committing.entries[i];
        struct pl_link *link = node->links[entry->link].link;
        if (link == NULL) {
            sim_fail("a link was swept with a delivery not committed");
        }
        if (entry->is_gap) {
            pl_link_committed(link, entry->stream, entry->life, entry->upto, entry->gap_offset, sim.now_us);
        } else {
            pl_link_committed(link, entry->stream, entry->life, entry->first_number + entry->count - 1,
                              entry->first_offset + entry->n, sim.now_us);
        }
    }
    chunk_drop(&node->committing);
    node->commit_end_us = SIM_NEVER;
}
