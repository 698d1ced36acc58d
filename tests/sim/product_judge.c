/* What a run of the whole product is judged by: what was given, what the node's log holds, what the outboxes
 * believe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/parts.h"
#include "sim/judge.h"
#include "sim/product.h"

void product_given(struct product_device *device, unsigned stream, uint64_t id)
{
    struct pledge *pledge = &device->pledges[stream];
    uint64_t n = pledge->given + pledge->pending;

    if (n == pledge->room) {
        pledge->room = pledge->room == 0 ? 64 : 2 * pledge->room;
        pledge->ids = sim_grow(pledge->ids, pledge->room * sizeof pledge->ids[0]);
    }
    pledge->ids[n] = id;
    pledge->pending++;
}

void product_committed(struct product_device *device)
{
    for (unsigned i = 0; i < PRODUCT_STREAMS; i++) {
        device->pledges[i].given += device->pledges[i].pending;
        device->pledges[i].pending = 0;
    }
}

void product_take_back(struct product_device *device)
{
    for (unsigned i = 0; i < PRODUCT_STREAMS; i++) {
        device->pledges[i].pending = 0;
    }
}

static struct pledge *pledge_of(struct product_device *device, const uint8_t *name, size_t n)
{
    unsigned stream = n == 2 ? (unsigned)(name[1] - 'a') : PRODUCT_STREAMS;

    if (stream >= PRODUCT_STREAMS) {
        sim_fail("a stream that nobody named");
    }
    return &device->pledges[stream];
}

/* A transaction came to pass for all of its streams or for none. */
void product_settle_pending(struct product_device *device)
{
    uint64_t next[PRODUCT_STREAMS] = {0};
    struct pl_sending s;
    int whole = -1;

    for (size_t i = 0; pl_outbox_stream_at(device->device->outbox, i, &s) == PL_OK; i++) {
        next[pledge_of(device, s.name, s.name_size) - device->pledges] = s.next.number - 1;
    }
    for (unsigned i = 0; i < PRODUCT_STREAMS; i++) {
        struct pledge *pledge = &device->pledges[i];
        bool none = next[i] == pledge->given, all = next[i] == pledge->given + pledge->pending;
        if ((!none && !all) || (pledge->pending > 0 && whole >= 0 && whole != all)) {
            sim_fail("device %u stream %u: the outbox has %llu records for %llu given and %llu perhaps",
                     device->host->index, i, (unsigned long long)next[i], (unsigned long long)pledge->given,
                     (unsigned long long)pledge->pending);
        }
        whole = pledge->pending > 0 ? all : whole;
        pledge->given = next[i];
        pledge->pending = 0;
    }
}

void product_check_device(struct product_device *device)
{
    struct pl_sending s;

    for (size_t i = 0; pl_outbox_stream_at(device->device->outbox, i, &s) == PL_OK; i++) {
        const struct pledge *pledge = pledge_of(device, s.name, s.name_size);
        if (s.freed.number > 0 && s.freed.number - 1 > pledge->stored) {
            sim_fail("device %u: records up to %llu of %.2s were freed, the node has %llu",
                     device->host->index, (unsigned long long)s.freed.number - 1, (const char *)s.name,
                     (unsigned long long)pledge->stored);
        }
        if (s.next.number - 1 != pledge->given) {
            sim_fail("device %u: %llu records of %.2s are in the outbox, %llu were given",
                     device->host->index, (unsigned long long)s.next.number - 1, (const char *)s.name,
                     (unsigned long long)pledge->given);
        }
    }
    if (device->device->failed) {
        sim_fail("device %u gave up: %s", device->host->index, device->device->counts.last_reason.s);
    }
}

static void check_entry(const struct pl_tail_entry *entry)
{
    unsigned index = entry->link_name.n == 2 ? (unsigned)(entry->link_name.p[1] - '0') : PRODUCT_DEVICES;

    if (entry->kind != PL_TAIL_RECORD || index >= product.plan.devices) {
        sim_fail("the log has an entry of kind %d from link %.*s", entry->kind, (int)entry->link_name.n,
                 (const char *)entry->link_name.p);
    }
    struct pledge *pledge = pledge_of(&product.devices[index], entry->stream_name.p, entry->stream_name.n);
    if (pledge->stored >= pledge->given || entry->number != pledge->stored + 1) {
        sim_fail("device %u: record %llu is stored after %llu of %llu given", index + 1,
                 (unsigned long long)entry->number, (unsigned long long)pledge->stored,
                 (unsigned long long)pledge->given);
    }
    uint64_t id = pledge->ids[pledge->stored++];
    uint8_t *body = sim_alloc(judge_size(id));
    judge_body(id, body);
    bool equal = entry->record.n == judge_size(id) && memcmp(body, entry->record.p, entry->record.n) == 0;
    free(body);
    if (!equal) {
        sim_fail("device %u: record %llu arrived with other bytes", index + 1,
                 (unsigned long long)entry->number);
    }
    sim_hash_u64(id);
}

void product_check_store(void)
{
    struct product_node *node = &product.node;
    struct pl_tail_entry entry;
    struct pl_text why = {""};
    enum pl_error error;

    while ((error = pl_tail_next(node->tail, &entry, &why)) == PL_OK) {
        check_entry(&entry);
    }
    if (error != PL_E_AGAIN) {
        sim_fail("the log cannot be read: %s: %s", pl_error_name(error), why.s);
    }
}

void product_check_store_again(void)
{
    uint64_t before[PRODUCT_DEVICES][PRODUCT_STREAMS];

    for (unsigned d = 0; d < PRODUCT_DEVICES; d++) {
        for (unsigned s = 0; s < PRODUCT_STREAMS; s++) {
            before[d][s] = product.devices[d].pledges[s].stored;
            product.devices[d].pledges[s].stored = 0;
        }
    }
    product_check_store();
    for (unsigned d = 0; d < PRODUCT_DEVICES; d++) {
        for (unsigned s = 0; s < PRODUCT_STREAMS; s++) {
            if (product.devices[d].pledges[s].stored < before[d][s]) {
                sim_fail("device %u stream %u: %llu records were stored, %llu after the start", d + 1, s,
                         (unsigned long long)before[d][s],
                         (unsigned long long)product.devices[d].pledges[s].stored);
            }
        }
    }
}

void product_check_memory(void)
{
    const struct pl_shard *shard = &product.node.node->shard;
    size_t most = ((size_t)6 << 20) + ((size_t)4 << 10) * shard->by_number.n;

    if (shard->env.memory.used_bytes > most) {
        sim_fail("the node's links take %zu B, %zu are allowed", shard->env.memory.used_bytes, most);
    }
}

bool product_all_stored(char *why, size_t room)
{
    for (unsigned d = 0; d < product.plan.devices; d++) {
        for (unsigned s = 0; s < PRODUCT_STREAMS; s++) {
            const struct pledge *pledge = &product.devices[d].pledges[s];
            if (pledge->stored != pledge->given) {
                snprintf(why, room, "device %u stream %u: %llu of %llu records are stored", d + 1, s,
                         (unsigned long long)pledge->stored, (unsigned long long)pledge->given);
                return false;
            }
        }
    }
    return true;
}
