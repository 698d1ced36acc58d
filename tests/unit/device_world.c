/* device_world.c: the fake io table, the node, and the loop that lets both work. */
#include "device_world.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crypto/x25519.h"
#include "link/link_varint.h"

static const struct pl_address node_address = {.family = PL_ADDRESS_IPV4, .port = 7000, .ip = {127, 0, 0, 1}};
static const struct pl_address own_address = {.family = PL_ADDRESS_IPV4, .port = 40000, .ip = {127, 0, 0, 1}};

static void push(struct world_queue *q, const uint8_t *p, size_t n)
{
    if (q->tail - q->head == WORLD_QUEUE || n > sizeof q->items[0].bytes)
        return;
    struct world_packet *packet = &q->items[q->tail++ % WORLD_QUEUE];
    packet->n = n;
    memcpy(packet->bytes, p, n);
}

static struct world_packet *pop(struct world_queue *q)
{
    return q->head == q->tail ? NULL : &q->items[q->head++ % WORLD_QUEUE];
}

static uint64_t io_now(void *ctx)
{
    return ((struct world *)ctx)->now_us;
}

static uint64_t io_wall(void *ctx)
{
    struct world *w = ctx;
    return (uint64_t)((int64_t)(w->now_us / 1000) + w->wall_offset_ms);
}

static void io_random(void *ctx, void *out, size_t n)
{
    struct world *w = ctx;
    for (size_t i = 0; i < n; i++) {
        w->random_state = w->random_state * 6364136223846793005u + 1442695040888963407u;
        ((uint8_t *)out)[i] = (uint8_t)(w->random_state >> 56);
    }
}

static enum pl_error io_open(void *ctx, const struct pl_udp_options *options, struct pl_udp **out,
                             struct pl_text *why)
{
    struct world *w = ctx;
    (void)options;
    if (w->open_result != PL_OK) {
        pl_text_set(why, "no socket");
        return w->open_result;
    }
    w->sockets_open++;
    *out = (struct pl_udp *)w;
    return PL_OK;
}

static void io_close(void *ctx, struct pl_udp *udp)
{
    if (udp)
        ((struct world *)ctx)->sockets_open--;
}

static struct pl_send_outcome io_send(void *ctx, struct pl_udp *udp, const struct pl_train *batch)
{
    struct world *w = ctx;
    (void)udp;
    w->last_peer = batch->path->peer;
    if (w->send_result != PL_SEND_SENT)
        return (struct pl_send_outcome){.result = w->send_result};
    struct pl_send_outcome sent = {.result = PL_SEND_SENT};
    for (size_t at = 0; at < batch->n; at += batch->segment_size, sent.segments++) {
        size_t left = batch->n - at;
        push(&w->to_node, batch->bytes + at, left < batch->segment_size ? left : batch->segment_size);
        w->packets_out++;
    }
    return sent;
}

static size_t io_receive(void *ctx, struct pl_udp *udp, struct pl_datagram *out, size_t max)
{
    struct world *w = ctx;
    size_t n = 0;
    (void)udp;
    for (struct world_packet *p; n < max && (p = pop(&w->to_device)); n++) {
        out[n] = (struct pl_datagram){.p = p->bytes, .n = p->n, .path = {node_address, own_address}};
        w->packets_in++;
    }
    return n;
}

static enum pl_error io_wake_open(void *ctx, struct pl_wake **out, struct pl_text *why)
{
    (void)why;
    *out = ctx;
    return PL_OK;
}

static void io_wake_close(void *ctx, struct pl_wake *wake)
{
    (void)ctx, (void)wake;
}

static void io_wake(void *ctx, struct pl_wake *wake)
{
    (void)wake;
    ((struct world *)ctx)->wakes++;
}

/* Waiting is where time passes: the node works, then time goes on to the deadline if nothing came. */
static unsigned io_wait(void *ctx, struct pl_udp *const *sockets, size_t n, struct pl_wake *wake,
                        uint64_t timeout_us)
{
    struct world *w = ctx;
    (void)sockets, (void)n, (void)wake;
    world_exchange(w);
    if (w->to_device.head != w->to_device.tail)
        return PL_READY_RECEIVE;
    w->now_us += timeout_us == PL_IO_FOREVER ? 1000000 : timeout_us;
    return 0;
}

static void deliver(void *ctx, struct pl_link *link, const struct pl_delivery *d)
{
    struct world *w = ctx;
    (void)link;
    for (size_t at = 0; at < d->bytes.n;) {
        uint64_t size = 0;
        size_t used = 0;
        cr_assert_eq(pl_varint_decode(d->bytes.p + at, d->bytes.n - at, &size, &used), PL_OK);
        uint32_t size32 = (uint32_t)size;
        w->stored = realloc(w->stored, w->stored_bytes + sizeof size32 + size);
        memcpy(w->stored + w->stored_bytes, &size32, sizeof size32);
        memcpy(w->stored + w->stored_bytes + sizeof size32, d->bytes.p + at + used, size);
        w->stored_bytes += sizeof size32 + size;
        at += used + size;
    }
    w->stored_records += d->count;
    cr_assert_lt(w->due_n, 64);
    w->due[w->due_n].stream = d->stream;
    w->due[w->due_n].life = d->life;
    w->due[w->due_n].number = d->first_number + d->count - 1;
    w->due[w->due_n++].offset = d->first_offset + d->bytes.n;
}

static void gap(void *ctx, struct pl_link *link, const struct pl_gap_taken *g)
{
    struct world *w = ctx;
    (void)link;
    w->gaps++;
    w->gap_numbers += g->upto - g->lost_from + 1;
    w->due[w->due_n].stream = g->stream;
    w->due[w->due_n].life = g->life;
    w->due[w->due_n].number = g->upto;
    w->due[w->due_n++].offset = g->offset;
}

static void event(void *ctx, struct pl_link *link, const struct pl_event *e)
{
    (void)ctx, (void)link, (void)e;
}

static const struct pl_sink node_sink = {.deliver = deliver, .gap = gap, .event = event};

static void *get(void *ctx, size_t size)
{
    (void)ctx;
    return malloc(size);
}

static void put(void *ctx, void *p, size_t size)
{
    (void)ctx, (void)size;
    free(p);
}

static void new_node(struct world *w)
{
    if (!w->node)
        w->node = pl_link_new(&w->env, &w->node_config, w->now_us);
    cr_assert_not_null(w->node);
}

static void open_node(struct world *w)
{
    uint8_t device_public[32];
    pl_x25519_public(w->node_public, w->node_key);
    pl_x25519_public(device_public, w->device_key);
    pl_env_defaults(&w->env);
    w->env.memory = (struct pl_memory){.get = get, .put = put, .limit_bytes = (size_t)64 << 20};
    cr_assert_eq(pl_aead_new(&w->aead, &pl_aead_openssl), PL_OK);
    w->env.aead = w->aead;
    w->env.random = io_random;
    w->env.random_ctx = w;
    w->env.sink = &node_sink;
    w->env.sink_ctx = w;
    w->env.settings.allow_new_streams = true;
    cr_assert_eq(pl_secret_derive(&w->node_config.secret, w->node_key, w->node_public, device_public), PL_OK);
    w->node_config.key_id_in = pl_key_id(device_public, w->node_public);
    w->node_config.key_id_out = pl_key_id(w->node_public, device_public);
    w->node_config.direction_out = pl_secret_direction(w->node_public, device_public);
    w->node_config.suite = PL_SUITE_AES_128_GCM;
}

static void open_device(struct world *w)
{
    struct pl_text why = {""};
    cr_assert_eq(pl_device_open(&w->device, &w->config, &why), PL_OK, "%s", why.s);
}

struct world *world_new(void)
{
    struct world *w = calloc(1, sizeof *w);
    cr_assert_not_null(w);
    w->io = (struct pl_io){.ctx = w,
                           .now_us = io_now,
                           .wall_ms = io_wall,
                           .random = io_random,
                           .udp_open = io_open,
                           .udp_close = io_close,
                           .udp_send = io_send,
                           .udp_receive = io_receive,
                           .wake_open = io_wake_open,
                           .wake_close = io_wake_close,
                           .wake = io_wake,
                           .wait = io_wait};
    w->now_us = 1000000;
    w->wall_offset_ms = 1700000000000;
    w->random_state = 1;
    w->to_node.items = calloc(WORLD_QUEUE, sizeof *w->to_node.items);
    w->to_device.items = calloc(WORLD_QUEUE, sizeof *w->to_device.items);
    memset(w->device_key, 0x41, sizeof w->device_key);
    memset(w->node_key, 0x52, sizeof w->node_key);
    open_node(w);
    snprintf(w->dir, sizeof w->dir, "/tmp/purelink-device-XXXXXX");
    cr_assert_not_null(mkdtemp(w->dir));
    w->config = (struct pl_device_config){.private_key = w->device_key,
                                          .node_key = w->node_public,
                                          .node = "127.0.0.1:7000",
                                          .outbox_dir = w->dir,
                                          .io = &w->io,
                                          .outbox_max_bytes = (uint64_t)64 << 20};
    open_device(w);
    return w;
}

static void remove_dir(const char *dir)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    cr_assert_eq(system(command), 0);
}

void world_free(struct world *w)
{
    pl_device_close(w->device);
    if (w->node)
        pl_link_free(w->node);
    pl_aead_free(w->aead);
    cr_expect_eq(w->env.memory.used_bytes, 0);
    cr_expect_eq(w->sockets_open, 0);
    remove_dir(w->dir);
    free(w->to_node.items);
    free(w->to_device.items);
    free(w->stored);
    free(w);
}

void world_restart_device(struct world *w)
{
    pl_device_close(w->device);
    w->to_device.head = w->to_device.tail;
    open_device(w);
}

void world_restart_node(struct world *w, bool keep_rows)
{
    if (!w->node)
        return;
    struct pl_stream_row row;
    uint64_t committed;
    struct pl_link *old = w->node;
    w->node = NULL;
    new_node(w);
    for (unsigned i = 0; keep_rows && pl_link_row(old, i, &row, &committed); i++)
        cr_assert_eq(pl_link_load_row(w->node, &row), PL_OK);
    pl_link_free(old);
}

void world_give(struct world *w, const char *stream, const char *prefix, unsigned n)
{
    struct pl_text why = {""};
    struct pl_bytes name = {(const uint8_t *)stream, strlen(stream)};
    for (unsigned i = 0; i < n; i++) {
        char text[64];
        struct pl_bytes record = {(const uint8_t *)text,
                                  (size_t)snprintf(text, sizeof text, "%s %u", prefix, i)};
        cr_assert_eq(pl_device_put(w->device, name, &record, 1, NULL, &why), PL_OK, "%s", why.s);
    }
    cr_assert_eq(pl_device_commit(w->device, &why), PL_OK, "%s", why.s);
}

static void node_receive(struct world *w, struct world_packet *p)
{
    size_t used;
    struct pl_packet packet = {.bytes = p->bytes, .size = p->n};
    if (pl_header_decode(p->bytes, p->n, &packet.header, &used) != PL_OK || w->node_off)
        return;
    memcpy(packet.route.bytes, &own_address, sizeof own_address);
    w->env.room_bytes = (size_t)4 << 20;
    new_node(w);
    pl_link_receive(w->node, &packet, w->now_us);
    if (w->due_n > 0)
        w->commits++;
    for (unsigned i = 0; i < w->due_n; i++)
        pl_link_committed(w->node, w->due[i].stream, w->due[i].life, w->due[i].number, w->due[i].offset,
                          w->now_us);
    w->due_n = 0;
}

static void node_send(struct world *w)
{
    static uint8_t bytes[PL_BATCH_ROOM];
    struct pl_batch batch = {.bytes = bytes, .room_bytes = sizeof bytes};
    if (!w->node)
        return;
    while (pl_link_send(w->node, w->now_us, &batch) > 0)
        for (size_t at = 0; at < batch.size; at += batch.segment)
            push(&w->to_device, bytes + at,
                 batch.size - at < batch.segment ? batch.size - at : batch.segment);
}

void world_exchange(struct world *w)
{
    for (struct world_packet *p; (p = pop(&w->to_node));)
        node_receive(w, p);
    node_send(w);
}

bool world_run(struct world *w, uint64_t for_us)
{
    uint64_t until_us = w->now_us + for_us;
    enum pl_device_state state = PL_DEVICE_WAITING;
    while (state != PL_DEVICE_FAILED && w->now_us < until_us) {
        uint64_t due_us = pl_device_step(w->device, w->now_us);
        state = pl_device_state(w->device);
        if (state == PL_DEVICE_STORED)
            return true;
        world_exchange(w);
        if (w->to_device.head != w->to_device.tail || due_us <= w->now_us)
            continue;
        uint64_t node_us = w->node ? pl_link_deadline(w->node) : PL_NEVER;
        uint64_t next_us = due_us < node_us ? due_us : node_us;
        w->now_us = next_us <= w->now_us ? w->now_us + 1000 : next_us < until_us ? next_us : until_us;
    }
    return false;
}

bool world_stored_are(const struct world *w, const char *prefix, unsigned n)
{
    size_t at = 0;
    for (unsigned i = 0; i < n; i++) {
        char text[64];
        uint32_t size;
        size_t expected = (size_t)snprintf(text, sizeof text, "%s %u", prefix, i);
        if (at + sizeof size > w->stored_bytes)
            return false;
        memcpy(&size, w->stored + at, sizeof size);
        if (size != expected || memcmp(w->stored + at + sizeof size, text, size) != 0)
            return false;
        at += sizeof size + size;
    }
    return at == w->stored_bytes;
}
