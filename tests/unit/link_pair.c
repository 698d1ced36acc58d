/* Two ends of a link over a made network, stepped together. See link_pair.h. */
#include "link_pair.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "link/link_varint.h"

static uint8_t batch_bytes[PL_BATCH_ROOM];

static uint64_t us(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

struct pair *pair_new(uint64_t seed)
{
    struct pair *pair = calloc(1, sizeof *pair);

    cr_assert(pair != NULL);
    pair->queue = calloc(PAIR_QUEUE, sizeof pair->queue[0]);
    pair->archive = calloc(PAIR_ARCHIVE, sizeof pair->archive[0]);
    cr_assert(pair->queue != NULL && pair->archive != NULL);
    pair->now_us = 1000000;
    pair->delay_us = 10000;
    pair->commit_delay_us = 1000;
    pair->tags = 0x10000000;
    pair->commit_us[A] = pair->commit_us[B] = PL_NEVER;
    side_pair(&pair->side[A], &pair->side[B], seed);
    side_open(&pair->side[A], pair->now_us);
    side_open(&pair->side[B], pair->now_us);
    return pair;
}

void pair_end(struct pair *pair)
{
    cr_assert(pair->side[A].stale_begins == 0 && pair->side[B].stale_begins == 0);
    side_end(&pair->side[A]);
    side_end(&pair->side[B]);
    for (unsigned i = 0; i < pair->queue_n; i++) {
        free(pair->queue[i]);
    }
    for (unsigned i = 0; i < pair->archive_n; i++) {
        free(pair->archive[i]);
    }
    for (unsigned i = 0; i < 2 * PAIR_STREAMS; i++) {
        free(pair->out[i / PAIR_STREAMS][i % PAIR_STREAMS].records);
    }
    free(pair->queue);
    free(pair->archive);
    free(pair);
}

unsigned pair_stream(struct pair *pair, unsigned s, const char *name, uint64_t birth)
{
    unsigned at = 0;

    while (pair->out[s][at].used) {
        at++;
    }
    struct outbox *out = &pair->out[s][at];
    out->used = true;
    strncpy(out->name, name, sizeof out->name - 1);
    out->birth = birth;
    out->new_life = true;
    return at;
}

static void record_bytes(uint64_t id, uint8_t *out, size_t n)
{
    uint64_t x = id * UINT64_C(0x9e3779b97f4a7c15) + 1;

    for (size_t i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        out[i] = (uint8_t)(x >> 24);
    }
}

void pair_give_as(struct pair *pair, unsigned s, unsigned stream, size_t n, uint64_t id)
{
    struct outbox *out = &pair->out[s][stream];

    if (out->n == out->room) {
        out->room = out->room == 0 ? 64 : 2 * out->room;
        out->records = realloc(out->records, out->room * sizeof out->records[0]);
        cr_assert(out->records != NULL);
    }
    if (out->new_life) {
        out->before = out->life;
        out->life = ++pair->tags;
        out->life_first = out->n + 1;
        out->next_offset = 0;
        out->new_life = false;
    }
    out->records[out->n++] = (struct out_record){.life = out->life,
                                                 .before = out->before,
                                                 .life_first = out->life_first,
                                                 .offset = out->next_offset,
                                                 .id = id,
                                                 .n = n};
    out->next_offset += pl_varint_size(n) + n;
}

void pair_give(struct pair *pair, unsigned s, unsigned stream, size_t n)
{
    const struct outbox *out = &pair->out[s][stream];

    pair_give_as(pair, s, stream, n, out->birth << 32 | (out->n + 1));
}

static void add(struct pair *pair, unsigned s, struct outbox *out)
{
    const struct out_record *r = &out->records[out->stored];
    struct pl_place from = {.number = out->stored + 1,
                            .life = r->life,
                            .life_first = r->life_first,
                            .life_before = r->before,
                            .offset = r->offset};
    struct pl_bytes name = {(const uint8_t *)out->name, strlen(out->name)};

    if (pl_link_stream_add(pair->side[s].link, out->birth, name, &from, &out->slot) == PL_OK) {
        out->added = true;
        out->offered = out->stored;
        out->offered_part = 0;
    }
}

/* Offers one record, or what the link takes of it. False: it took no more. */
static bool offer(struct pair *pair, unsigned s, struct outbox *out)
{
    const struct out_record *r = &out->records[out->offered];
    size_t size = pl_varint_size(r->n) + r->n;
    uint8_t *framed = malloc(size);

    cr_assert(framed != NULL);
    record_bytes(r->id, framed + pl_varint_encode(framed, r->n), r->n);
    struct pl_bytes rest = {framed + out->offered_part, size - out->offered_part};
    size_t taken = pl_link_offer(pair->side[s].link, out->slot, r->life, r->life_first, r->before, rest);
    free(framed);
    out->offered_part += taken;
    if (out->offered_part < size) {
        return false;
    }
    out->offered_part = 0;
    out->offered++;
    return true;
}

static void feed(struct pair *pair, unsigned s)
{
    for (unsigned i = 0; i < PAIR_STREAMS && pair->out[s][i].used; i++) {
        struct outbox *out = &pair->out[s][i];
        if (!out->added && out->stored < out->n) {
            add(pair, s, out);
        }
        while (out->added && out->offered < out->n && offer(pair, s, out)) {
        }
    }
}

/* Frees what the link says is stored. */
static void settle(struct pair *pair, unsigned s)
{
    for (unsigned i = 0; i < PAIR_STREAMS && pair->out[s][i].used; i++) {
        struct outbox *out = &pair->out[s][i];
        uint64_t stored = out->added ? pair->side[s].stored[out->slot] : 0;
        cr_assert(stored <= out->n);
        out->stored = stored > out->stored ? (unsigned)stored : out->stored;
    }
}

static void enqueue(struct pair *pair, struct datagram *d)
{
    unsigned at = pair->queue_n++;

    cr_assert(pair->queue_n <= PAIR_QUEUE);
    for (; at > 0 && pair->queue[at - 1]->due_us > d->due_us; at--) {
        pair->queue[at] = pair->queue[at - 1];
    }
    pair->queue[at] = d;
}

static void launch(struct pair *pair, unsigned s, const uint8_t *bytes, size_t n,
                   const struct pl_route *target)
{
    struct datagram *d = calloc(1, sizeof *d), *copy = calloc(1, sizeof *d);

    cr_assert(d != NULL && copy != NULL && n <= sizeof d->bytes);
    d->to = !s;
    d->from = pair->side[s].here;
    d->target = *target;
    d->due_us = pair->now_us + pair->delay_us;
    d->n = n;
    memcpy(d->bytes, bytes, n);
    *copy = *d;
    cr_assert(pair->archive_n < PAIR_ARCHIVE);
    pair->archive[pair->archive_n++] = copy;
    pair->sent[s]++;
    if (pair->filter != NULL && !pair->filter(pair, d)) {
        free(d);
    } else {
        enqueue(pair, d);
    }
}

/* Something was delivered or lost for good: a transaction is due. */
static void commit_soon(struct pair *pair, unsigned s, unsigned had)
{
    if (pair->side[s].delivered_n + pair->side[s].gaps_n > had && pair->commit_us[s] == PL_NEVER) {
        pair->commit_us[s] = pair->now_us + pair->commit_delay_us;
    }
}

void pair_send(struct pair *pair, unsigned s)
{
    struct side *side = &pair->side[s];
    unsigned had = side->delivered_n + side->gaps_n;
    struct pl_batch batch = {.bytes = batch_bytes, .room_bytes = sizeof batch_bytes};

    if (side->link == NULL) {
        return;
    }
    feed(pair, s);
    while (pl_link_send(side->link, pair->now_us, &batch) > 0) {
        for (size_t at = 0; at < batch.size; at += batch.segment) {
            size_t n = batch.size - at < batch.segment ? batch.size - at : batch.segment;
            launch(pair, s, batch_bytes + at, n, &batch.route);
        }
    }
    commit_soon(pair, s, had);
    cr_assert(pl_link_deadline(side->link) > pair->now_us, "a link that has nothing to send is due");
}

static enum pl_drop receive(struct pair *pair, const struct datagram *d)
{
    struct side *side = &pair->side[d->to];
    unsigned had = side->delivered_n + side->gaps_n;

    if (side->link == NULL) {
        return PL_DROP_STRAY;
    }
    enum pl_drop drop = side_receive(side, d->bytes, d->n, &d->from, d->ecn, pair->now_us);
    pair->drops[drop]++;
    settle(pair, d->to);
    commit_soon(pair, d->to, had);
    return drop;
}

static struct datagram *dequeue(struct pair *pair, unsigned at)
{
    struct datagram *d = pair->queue[at];

    memmove(&pair->queue[at], &pair->queue[at + 1], (pair->queue_n - at - 1) * sizeof pair->queue[0]);
    pair->queue_n--;
    return d;
}

enum pl_drop pair_deliver(struct pair *pair, unsigned at)
{
    struct datagram *d = dequeue(pair, at);
    bool there = memcmp(d->target.bytes, pair->side[d->to].here.bytes, PL_ROUTE_HALF) == 0;
    enum pl_drop drop = there ? receive(pair, d) : PL_DROP_STRAY;

    free(d);
    return drop;
}

enum pl_drop pair_inject(struct pair *pair, const struct datagram *datagram, const struct pl_route *from)
{
    struct datagram d = *datagram;

    d.from = *from;
    return receive(pair, &d);
}

void pair_lose(struct pair *pair, unsigned at)
{
    free(dequeue(pair, at));
}

static void commits(struct pair *pair)
{
    for (unsigned s = A; s <= B; s++) {
        if (pair->commit_us[s] <= pair->now_us && !pair->no_commit[s]) {
            pair->commit_us[s] = PL_NEVER;
            side_commit(&pair->side[s], pair->now_us);
        }
    }
}

static uint64_t next_us(const struct pair *pair)
{
    uint64_t due = PL_NEVER;

    for (unsigned s = A; s <= B; s++) {
        if (pair->side[s].link != NULL) {
            due = us(due, pl_link_deadline(pair->side[s].link));
        }
        due = us(due, pair->no_commit[s] ? PL_NEVER : pair->commit_us[s]);
    }
    return pair->queue_n > 0 ? us(due, pair->queue[0]->due_us) : due;
}

bool pair_step(struct pair *pair, uint64_t until_us)
{
    pair_send(pair, A);
    pair_send(pair, B);
    uint64_t due = next_us(pair);
    if (due == PL_NEVER || due > until_us) {
        return false;
    }
    pair->now_us = due > pair->now_us ? due : pair->now_us;
    while (pair->queue_n > 0 && pair->queue[0]->due_us <= pair->now_us) {
        pair_deliver(pair, 0);
    }
    commits(pair);
    return true;
}

void pair_run(struct pair *pair, uint64_t run_us)
{
    uint64_t end = pair->now_us + run_us;

    while (pair_step(pair, end)) {
    }
    pair->now_us = end;
}

bool pair_all_stored(const struct pair *pair)
{
    for (unsigned i = 0; i < 2 * PAIR_STREAMS; i++) {
        const struct outbox *out = &pair->out[i / PAIR_STREAMS][i % PAIR_STREAMS];
        if (out->stored < out->n) {
            return false;
        }
    }
    return true;
}

/* An outbox holds what its link did not take: a driver offers it again later. */
static bool all_offered(const struct pair *pair)
{
    for (unsigned i = 0; i < 2 * PAIR_STREAMS; i++) {
        const struct outbox *out = &pair->out[i / PAIR_STREAMS][i % PAIR_STREAMS];
        if (out->stored < out->n && (!out->added || out->offered < out->n)) {
            return false;
        }
    }
    return true;
}

bool pair_settle(struct pair *pair)
{
    uint64_t end = pair->now_us + 200 * UINT64_C(1000000);

    while (pair_step(pair, end) || (!all_offered(pair) && pair->now_us < end)) {
        pair->now_us += next_us(pair) == PL_NEVER ? 10000 : 0;
    }
    return next_us(pair) == PL_NEVER && pair_all_stored(pair);
}

static void reopen(struct pair *pair, unsigned s)
{
    side_close(&pair->side[s]);
    pair->commit_us[s] = PL_NEVER;
    for (unsigned i = 0; i < PAIR_STREAMS; i++) {
        pair->out[s][i].added = false;
    }
    side_open(&pair->side[s], pair->now_us);
}

void pair_sweep(struct pair *pair, unsigned s)
{
    side_commit(&pair->side[s], pair->now_us);
    reopen(pair, s);
}

void pair_restart(struct pair *pair, unsigned s)
{
    reopen(pair, s);
    for (unsigned i = 0; i < PAIR_STREAMS; i++) {
        pair->out[s][i].new_life = true;
    }
}

void pair_check(struct pair *pair, unsigned s)
{
    const struct side *other = &pair->side[!s];

    for (unsigned i = 0; i < PAIR_STREAMS && pair->out[s][i].used; i++) {
        const struct outbox *out = &pair->out[s][i];
        unsigned next = 0;
        for (unsigned d = 0; d < other->delivered_n; d++) {
            const struct side_record *got = &other->delivered[d];
            if (got->birth != out->birth || !got->durable) {
                continue;
            }
            cr_assert(next < out->n && got->number == next + 1, "record %u came where %u was next",
                      (unsigned)got->number, next + 1);
            const struct out_record *r = &out->records[next++];
            uint8_t *bytes = malloc(r->n + 1);
            record_bytes(r->id, bytes, r->n);
            cr_assert(got->life == r->life && got->n == r->n && got->print == side_print(bytes, r->n));
            free(bytes);
        }
        cr_assert(next >= out->stored, "%u were freed, %u are durable", out->stored, next);
    }
}

const struct pl_payload *pair_peek(struct pair *pair, const struct datagram *datagram)
{
    static uint8_t plain[1500];
    static struct pl_payload payload;

    bool open = side_peek(&pair->side[!datagram->to], datagram->bytes, datagram->n, plain, &payload);
    cr_assert(open, "a datagram does not open or parse");
    return &payload;
}

const struct pl_frame *pair_frame(struct pair *pair, const struct datagram *datagram, uint8_t type)
{
    const struct pl_payload *payload = pair_peek(pair, datagram);

    for (unsigned i = 0; i < payload->count; i++) {
        if (payload->frames[i].type == type) {
            return &payload->frames[i];
        }
    }
    return NULL;
}
