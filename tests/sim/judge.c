/* The truth a run is judged by. */
#include "sim/judge.h"

#include <stdlib.h>
#include <string.h>

enum fate { GIVEN, DURABLE, ROLLED_BACK };

struct truth {
    uint64_t previous;
    uint32_t size;
    uint32_t names; /* it goes by */
    uint8_t fate;
    bool dead, shared, excepted;
};

static struct truth *records;
static size_t records_n, records_room;

/* An open-addressed table of 128-bit keys; 0, 0 is no key. */
struct table {
    struct slot {
        uint64_t a, b, value;
    } *slots;
    size_t used, room;
};

static struct table names, seals, acquaintances, taken;
static uint64_t acquaintances_made;

static struct truth *of(uint64_t id)
{
    return &records[id - 1];
}

static struct slot *find(struct table *t, uint64_t a, uint64_t b)
{
    size_t at = sim_mix64(a ^ sim_mix64(b)) & (t->room - 1);

    while ((t->slots[at].a | t->slots[at].b) != 0 && (t->slots[at].a != a || t->slots[at].b != b)) {
        at = (at + 1) & (t->room - 1);
    }
    return &t->slots[at];
}

static void make_room(struct table *t)
{
    struct table bigger = {.room = t->room == 0 ? 1024 : 2 * t->room};

    if (2 * t->used < t->room) {
        return;
    }
    bigger.slots = sim_alloc(bigger.room * sizeof bigger.slots[0]);
    memset(bigger.slots, 0, bigger.room * sizeof bigger.slots[0]);
    for (size_t i = 0; i < t->room; i++) {
        if ((t->slots[i].a | t->slots[i].b) != 0) {
            *find(&bigger, t->slots[i].a, t->slots[i].b) = t->slots[i];
        }
    }
    bigger.used = t->used;
    free(t->slots);
    *t = bigger;
}

/* Returns the value there was, 0 if the key is new. */
static uint64_t put(struct table *t, uint64_t a, uint64_t b, uint64_t value)
{
    make_room(t);
    struct slot *slot = find(t, a, b);
    uint64_t old = slot->value;
    if ((slot->a | slot->b) == 0) {
        t->used++;
    }
    *slot = (struct slot){a, b, value};
    return old;
}

static void clear(struct table *t)
{
    free(t->slots);
    memset(t, 0, sizeof *t);
}

void judge_begin(void)
{
    clear(&names);
    clear(&seals);
    clear(&acquaintances);
    clear(&taken);
    records_n = 0;
}

uint64_t judge_given(uint64_t previous, size_t n)
{
    if (records_n == records_room) {
        records_room = records_room == 0 ? 1024 : 2 * records_room;
        records = sim_grow(records, records_room * sizeof records[0]);
    }
    records[records_n++] = (struct truth){.previous = previous, .size = (uint32_t)n};
    return records_n;
}

static uint64_t name_low(uint32_t life, uint64_t number)
{
    return (uint64_t)life << 32 ^ number;
}

void judge_name(uint64_t birth, uint32_t life, uint64_t number, uint64_t id)
{
    uint64_t old = put(&names, birth, name_low(life, number), id);

    of(id)->names += old == 0;
    if (old != 0 && old != id) {
        sim_fail("two records share birth %016llx life %08x number %llu", (unsigned long long)birth, life,
                 (unsigned long long)number);
    }
}

size_t judge_size(uint64_t id)
{
    return of(id)->size;
}

void judge_body(uint64_t id, uint8_t *out)
{
    uint64_t word = sim_mix64(id ^ sim.seed);
    size_t n = of(id)->size;

    for (size_t i = 0; i < n; i += sizeof word) {
        word = sim_mix64(word);
        memcpy(out + i, &word, n - i < sizeof word ? n - i : sizeof word);
    }
}

static void check_bytes(uint64_t id, struct pl_bytes record)
{
    uint8_t *body = sim_alloc(of(id)->size);
    bool equal = false;

    judge_body(id, body);
    equal = record.n == of(id)->size && (record.n == 0 || memcmp(body, record.p, record.n) == 0);
    free(body);
    if (!equal) {
        sim_fail("record %llu arrived with other bytes (%zu B for %u)", (unsigned long long)id, record.n,
                 of(id)->size);
    }
}

/* A record in two copies of one outbox, both of which were told that its life is forked: each gives it again
 * under a birth of its own, and the node cannot know. */
static bool may_repeat(const struct truth *record)
{
    return record->shared && record->names >= 3;
}

uint64_t judge_durable(uint64_t birth, uint32_t life, uint64_t number, struct pl_bytes record)
{
    make_room(&names);
    uint64_t id = find(&names, birth, name_low(life, number))->value;

    if (id == 0) {
        sim_fail("stored: birth %016llx life %08x number %llu, which nobody gave", (unsigned long long)birth,
                 life, (unsigned long long)number);
    }
    check_bytes(id, record);
    if (of(id)->fate == DURABLE && !may_repeat(of(id))) {
        sim_fail("record %llu (number %llu of life %08x) is stored twice", (unsigned long long)id,
                 (unsigned long long)number, life);
    }
    if (of(id)->previous != 0 && of(of(id)->previous)->fate == GIVEN) {
        sim_fail("record %llu (number %llu of life %08x) is stored before record %llu",
                 (unsigned long long)id, (unsigned long long)number, life,
                 (unsigned long long)of(id)->previous);
    }
    of(id)->fate = DURABLE;
    sim_hash_u64(id);
    return id;
}

void judge_freed(uint64_t id)
{
    if (of(id)->fate == GIVEN && !of(id)->excepted) {
        sim_fail("record %llu was freed by its sender before it was durable", (unsigned long long)id);
    }
}

void judge_rolled_back(uint64_t id)
{
    of(id)->fate = ROLLED_BACK;
}

void judge_shared(uint64_t id)
{
    of(id)->shared = true;
}

void judge_dead(uint64_t id)
{
    of(id)->dead = true;
}

void judge_except(uint64_t id)
{
    of(id)->dead = of(id)->excepted = true;
}

bool judge_all_durable(uint64_t *missing)
{
    for (size_t i = 0; i < records_n; i++) {
        if (records[i].fate == GIVEN && !records[i].dead) {
            *missing = i + 1;
            return false;
        }
    }
    return true;
}

uint64_t judge_count(void)
{
    return records_n;
}

void judge_sealed(void *ctx, const struct pl_key *key, uint32_t number)
{
    (void)ctx;
    if (put(&seals, key->serial, number, 1) != 0) {
        sim_fail("packet number %u was sealed twice under one key", number);
    }
}

void judge_taken(const void *link, uint64_t run, bool known, uint32_t number)
{
    make_room(&acquaintances);
    struct slot *slot = find(&acquaintances, (uint64_t)(uintptr_t)link, run);
    uint64_t acquaintance = slot->value;

    if (!known) {
        acquaintance = ++acquaintances_made;
        put(&acquaintances, (uint64_t)(uintptr_t)link, run, acquaintance);
    }
    if (put(&taken, acquaintance, number, 1) != 0) {
        sim_fail("packet %u of run %016llx was taken twice", number, (unsigned long long)run);
    }
}
