/* Two links, the network between them, and the judge: each record arrives once, in order, as it was given. */
#include "world.h"

#include "engine/memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_ROOM = 1 << 20 };

void xt_count(struct xt_reasons *reasons, const char *name)
{
    for (size_t i = 0; i < reasons->n; i++)
        if (strcmp(reasons->reason[i].name, name) == 0) {
            reasons->reason[i].count++;
            return;
        }
    cr_assert_lt(reasons->n, (size_t)XT_REASONS_MAX);
    reasons->reason[reasons->n++] = (struct xt_reason){name, 1};
}

uint64_t xt_counted(const struct xt_reasons *reasons, const char *name)
{
    for (size_t i = 0; i < reasons->n; i++)
        if (strcmp(reasons->reason[i].name, name) == 0)
            return reasons->reason[i].count;
    return 0;
}

struct xc_address xt_address(unsigned n)
{
    struct xc_address address = {.n = 4};

    for (int i = 0; i < 4; i++)
        address.bytes[i] = (uint8_t)(n >> (8 * i));
    return address;
}

/* What the giver's record of that number in that stream is; returns its size. */
static size_t record_of(const struct xt_world *world, unsigned giver, unsigned stream, uint64_t number,
                        uint8_t *out)
{
    struct xt_chance chance = {(uint64_t)giver << 48 ^ (uint64_t)stream << 32 ^ number};
    size_t n = (size_t)xt_below(&chance, world->record_max + 1);

    if (n > 100 && xt_happens(&chance, 50))
        n = xt_below(&chance, 100);
    xt_fill(&chance, out, n);
    return n;
}

static void draw(void *context, void *out, size_t n)
{
    xt_fill(&((struct xt_side *)context)->world->chance, out, n);
}

static void take_record(void *context, uint64_t birth, const uint8_t *name, size_t name_n, uint64_t number,
                        const uint8_t *bytes, size_t n)
{
    struct xt_side *side = context;
    static uint8_t expected[RECORD_ROOM];
    unsigned stream = name[0];

    (void)birth;
    cr_assert_eq(name_n, 1);
    cr_assert_lt(stream, (unsigned)XT_STREAMS);
    side->taken++;
    side->births += number == 1;
    uint64_t next = side->delivered[stream] + 1;
    if (side->world->by_number) {
        cr_assert_geq(number, next);
        next = number;
    }
    side->delivered[stream] = next;
    size_t expected_n = record_of(side->world, !side->index, stream, next, expected);
    cr_assert_eq(n, expected_n, "stream %u, record %llu", stream, (unsigned long long)next);
    cr_assert(n == 0 || memcmp(bytes, expected, n) == 0, "stream %u, record %llu", stream,
              (unsigned long long)next);
}

static void take_lost(void *context, uint64_t birth, uint64_t from, uint64_t upto)
{
    (void)birth;
    ((struct xt_side *)context)->lost += upto - from + 1;
}

static void begin_side(struct xt_world *world, unsigned index, uint8_t suite)
{
    struct xt_side *side = &world->side[index];

    side->world = world;
    side->index = index;
    side->address = xt_address(index);
    side->config = (struct xc_link_config){.suite = suite, .accepts = true, .peer = xt_address(!index)};
    side->config.outside = (struct xc_outside){side, draw, take_record, take_lost, NULL};
    xt_pair(&side->config.pair, index == 1);
    side->link = xc_link_new(&side->config);
}

struct xt_world *xt_world_new(uint64_t seed, uint8_t suite0, uint8_t suite1)
{
    struct xt_world *world = xc_zeroed(sizeof *world);

    world->chance.state = seed;
    world->now_us = 1000000;
    world->record_max = 300;
    world->net.delay_us = 500;
    world->flying = xc_zeroed(XT_FLYING_MAX * sizeof *world->flying);
    begin_side(world, 0, suite0);
    begin_side(world, 1, suite1);
    return world;
}

void xt_world_free(struct xt_world *world)
{
    xc_link_free(world->side[0].link);
    xc_link_free(world->side[1].link);
    free(world->flying);
    free(world);
}

void xt_forget(struct xt_world *world, unsigned side)
{
    xc_link_free(world->side[side].link);
    world->side[side].link = xc_link_new(&world->side[side].config);
    memset(world->side[side].delivered, 0, sizeof world->side[side].delivered);
}

void xt_give(struct xt_world *world, unsigned side, unsigned stream)
{
    static uint8_t record[RECORD_ROOM];
    uint8_t name = (uint8_t)stream;
    size_t n = record_of(world, side, stream, ++world->side[side].given[stream], record);

    xc_link_give(world->side[side].link, &name, 1, record, n);
}

void xt_inject(struct xt_world *world, unsigned to, const struct xc_address *from, const uint8_t *p, size_t n,
               uint64_t delay_us)
{
    if (world->flying_n == XT_FLYING_MAX)
        return;
    struct xt_flying *flying = &world->flying[world->flying_n++];
    flying->due_us = world->now_us + delay_us;
    flying->to = to;
    flying->from = *from;
    flying->n = n < sizeof flying->bytes ? n : sizeof flying->bytes;
    memcpy(flying->bytes, p, flying->n);
}

static void fly(struct xt_world *world, unsigned from, const uint8_t *p, size_t n)
{
    const struct xt_net *net = &world->net;
    struct xt_chance *chance = &world->chance;
    uint8_t spoilt[2048];

    for (bool again = true; again; again = xt_happens(chance, net->repeated)) {
        uint64_t delay_us =
            net->delay_us + (xt_happens(chance, net->late) ? xt_below(chance, net->late_us) : 0);
        if (xt_happens(chance, net->lost))
            continue;
        memcpy(spoilt, p, n);
        if (xt_happens(chance, net->spoilt))
            spoilt[xt_below(chance, n)] ^= (uint8_t)(1 + xt_below(chance, 255));
        xt_inject(world, !from, &world->side[from].address, spoilt, n, delay_us);
    }
}

static void send_all(struct xt_world *world, unsigned index)
{
    uint8_t datagram[2048];
    struct xc_address to;
    size_t n;

    for (unsigned sent = 0; (n = xc_link_send(world->side[index].link, world->now_us, datagram, &to)) > 0;
         sent++) {
        cr_assert_lt(sent, 1000U, "side %u sends without end", index);
        cr_assert_leq(n, (size_t)XC_DATAGRAM_BYTES);
        world->sent++;
        if (world->seen != NULL)
            world->seen(world, index, datagram, n);
        if (memcmp(&to, &world->side[!index].address, sizeof to) == 0)
            fly(world, index, datagram, n);
    }
}

static void arrive(struct xt_world *world, size_t place)
{
    struct xt_flying flying = world->flying[place];
    struct xt_side *side = &world->side[flying.to];

    world->flying[place] = world->flying[--world->flying_n];
    /* In memory of exactly its size, so that reading past it is found. */
    uint8_t *exact = xc_zeroed(flying.n);
    memcpy(exact, flying.bytes, flying.n);
    xt_count(&side->reasons, xc_link_receive(side->link, world->now_us, &flying.from, exact, flying.n));
    free(exact);
    if (!xt_happens(&world->chance, world->no_commit))
        xc_link_commit(side->link);
}

bool xt_step(struct xt_world *world)
{
    uint64_t due_us = UINT64_MAX;
    size_t next = 0;

    send_all(world, 0);
    send_all(world, 1);
    for (size_t i = 0; i < world->flying_n; i++)
        if (world->flying[i].due_us < world->flying[next].due_us)
            next = i;
    for (unsigned i = 0; i < 2; i++)
        if (xc_link_due_us(world->side[i].link) < due_us)
            due_us = xc_link_due_us(world->side[i].link);
    if (world->flying_n > 0 && world->flying[next].due_us <= due_us) {
        if (world->flying[next].due_us > world->now_us)
            world->now_us = world->flying[next].due_us;
        arrive(world, next);
        return true;
    }
    if (due_us != UINT64_MAX && due_us > world->now_us)
        world->now_us = due_us;
    return due_us != UINT64_MAX;
}

bool xt_run(struct xt_world *world, uint64_t steps_max)
{
    for (uint64_t i = 0; i < steps_max; i++) {
        if (xc_link_held(world->side[0].link) == 0 && xc_link_held(world->side[1].link) == 0)
            return true;
        if (!xt_step(world))
            return false;
    }
    return false;
}
