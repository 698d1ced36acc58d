/* Hostile packets against crosscheck/engine and its codec: from outside, where all must still arrive, and
 * from within, under valid keys, where memory and time must stay bounded. XC_SEED changes the seed. */
#include "world.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 64, OUTSIDE_PACKETS = 20000, INSIDE_PACKETS = 6000, PAYLOADS = 60000, BOUND_BYTES = 200 << 20 };

/* The allocator's caches of small pieces count as in use. */
enum { SLACK_BYTES = 64 << 10 };

/* Datagrams that were seen under way, the newest few. */
struct watcher {
    struct {
        unsigned from;
        size_t n;
        uint8_t bytes[XC_DATAGRAM_BYTES];
    } kept[KEPT];
    size_t seen;
};

static void watch(struct xt_world *world, unsigned from, const uint8_t *p, size_t n)
{
    struct watcher *w = world->context;
    size_t at = w->seen < KEPT || xt_happens(&world->chance, 30) ? w->seen % KEPT : KEPT;

    w->seen++;
    if (at == KEPT)
        return;
    w->kept[at].from = from;
    w->kept[at].n = n;
    memcpy(w->kept[at].bytes, p, n);
}

/* A datagram of somebody without keys. Returns its bytes, at most 1,500. */
static size_t forge(struct xt_chance *chance, const struct watcher *w, uint8_t *out, unsigned *to)
{
    size_t place = xt_below(chance, w->seen < KEPT ? w->seen : KEPT), n = w->kept[place].n;

    *to = !w->kept[place].from;
    memcpy(out, w->kept[place].bytes, n);
    switch (xt_below(chance, 8)) {
    case 0: break; /* as it was: a replay */
    case 1: n = xt_below(chance, n + 1); break;
    case 2: return xt_mutate(chance, out, n, 1500);
    case 3: xt_fill(chance, out + 6, 8); break; /* another run: a first contact that does not open */
    case 4: out[xt_below(chance, XC_HEADER_BYTES)] ^= (uint8_t)(1U << xt_below(chance, 8)); break;
    case 5: *to = !*to; break; /* reflected */
    case 6: xt_fill(chance, out + n, 1500 - n); return n + xt_below(chance, 1500 - n);
    default: n = xt_below(chance, 1500); xt_fill(chance, out, n);
    }
    return n;
}

static void expect_reasons(const struct xt_world *world)
{
    static const char *const expected[] = {"SHORT", "LONG",   "VERSION", "SUITE",
                                           "EPOCH", "KEY_ID", "SEAL",    "REPLAY"};

    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            cr_assert_gt(xt_counted(&world->side[side].reasons, expected[i]), 0U, "side %u: no %s", side,
                         expected[i]);
}

Test(hostile, from_outside_nothing_is_harmed)
{
    static struct watcher watcher;
    struct xt_world *world = xt_world_new(xt_seed(1), XC_SUITE_AES, XC_SUITE_CHACHA);
    uint8_t forged[1500];
    unsigned to, given = 0;

    world->context = &watcher;
    world->seen = watch;
    world->net = (struct xt_net){.lost = 5, .late = 10, .delay_us = 1000, .late_us = 5000};
    size_t before = xt_heap_bytes();
    for (unsigned i = 0; i < OUTSIDE_PACKETS; i++) {
        if (i % 20 == 0 && ++given)
            xt_give(world, i % 40 == 0, i % 3);
        size_t n = watcher.seen > 0 ? forge(&world->chance, &watcher, forged, &to) : 0;
        struct xc_address from = xt_address((unsigned)xt_below(&world->chance, 4));
        if (n > 0)
            xt_inject(world, to, &from, forged, n, xt_below(&world->chance, 50000));
        for (int steps = 0; steps < 3; steps++)
            xt_step(world);
        cr_assert_lt(xt_heap_bytes() - before, 8U << 20);
    }
    cr_assert(xt_run(world, 1000000));
    cr_assert_eq(world->side[0].taken + world->side[1].taken, given);
    cr_assert_eq(world->side[0].lost + world->side[1].lost, 0);
    cr_assert_eq(xt_counted(&world->side[0].reasons, "MALFORMED") +
                     xt_counted(&world->side[1].reasons, "MALFORMED"),
                 0);
    expect_reasons(world);
    xt_world_free(world);
}

/* Numbers that mean something to the link: its tags, numbers and runs, and small ones. */
static size_t known_of(const struct xc_link *link, uint64_t *known)
{
    size_t n = 0;

    for (uint64_t i = 1; i <= 4; i++)
        known[n++] = i;
    known[n++] = link->own.id >> 32;
    known[n++] = link->own.next - 1;
    known[n++] = link->own.next - link->own.first - 1;
    for (size_t i = 0; i < link->tx.n && i < 4; i++)
        for (size_t j = 0; j < link->tx.stream[i].n && j < 2; j++)
            known[n++] = link->tx.stream[i].life[j].tag;
    if (link->runs > 0)
        known[n++] = link->run[0].challenge & ((UINT64_C(1) << 62) - 1);
    return n;
}

/* What an insider says next: frames of any kind, often under a TO that counts, then changed somewhere. */
static size_t any_payload(struct xt_world *world, struct xc_payload *payload)
{
    struct xc_link *link = world->side[0].link;
    struct xt_chance *chance = &world->chance;
    uint64_t known[24];
    size_t known_n = known_of(link, known);

    *payload = (struct xc_payload){.room = XC_PAYLOAD_BYTES};
    if (xt_happens(chance, 70)) {
        struct xc_maker to;
        xc_make_frame(&to, XC_TO);
        xc_set(&to, "run_tag", link->own.id >> 32);
        xc_put(payload, &to);
    }
    for (uint64_t frames = 1 + xt_below(chance, xt_happens(chance, 5) ? XC_FRAMES_MAX : 5); frames > 0;
         frames--)
        xt_any_frame(chance, payload, known, known_n);
    if (xt_happens(chance, 30))
        return xt_mutate(chance, payload->bytes, payload->n, XC_PAYLOAD_BYTES);
    return payload->n;
}

static void ignore_record(void *context, uint64_t birth, const uint8_t *name, size_t name_n, uint64_t number,
                          const uint8_t *bytes, size_t n)
{
    (void)birth, (void)name, (void)name_n, (void)number, (void)bytes, (void)n;
    ((struct xt_side *)context)->taken++;
}

/* A link that sends and takes, alone with its insider. */
static struct xt_world *new_victim(uint64_t seed)
{
    struct xt_world *world = xt_world_new(seed, XC_SUITE_AES, XC_SUITE_AES);

    world->net.lost = 100;
    world->side[0].config.outside.record = ignore_record;
    world->side[0].config.extras = seed % 2 == 0;
    xt_forget(world, 0);
    for (unsigned i = 0; i < 60; i++)
        xt_give(world, 0, i % 3);
    return world;
}

static void let_go(struct xt_world *world)
{
    uint8_t datagram[2048];
    struct xc_address to;
    unsigned sent = 0;

    xc_link_commit(world->side[0].link);
    while (xc_link_send(world->side[0].link, world->now_us, datagram, &to) > 0)
        cr_assert_lt(++sent, 500U, "sends without end");
}

static void attack(struct xt_world *world, size_t before)
{
    struct xt_insider insider;
    struct xc_payload payload;
    struct xt_side *side = &world->side[0];
    uint8_t datagram[2048];

    xt_insider_begin(&insider, true, XC_SUITE_AES, xt_draw(&world->chance));
    for (int i = 0; i < INSIDE_PACKETS; i++) {
        if (xt_happens(&world->chance, 2))
            xt_insider_begin(&insider, true, 1 + (uint8_t)xt_below(&world->chance, 2),
                             xt_draw(&world->chance));
        if (xt_happens(&world->chance, 2))
            insider.number += (uint32_t)xt_below(&world->chance, 3000);
        size_t payload_n = any_payload(world, &payload),
               n = xt_insider_seal(&insider, payload.bytes, payload_n, datagram);
        uint8_t *exact = malloc(n);
        cr_assert_not_null(exact);
        memcpy(exact, datagram, n);
        xt_count(&side->reasons,
                 xc_link_receive(side->link, world->now_us, &world->side[1].address, exact, n));
        free(exact);
        let_go(world);
        world->now_us += xt_below(&world->chance, 1000000);
        if (xt_happens(&world->chance, 5))
            xt_give(world, 0, (unsigned)xt_below(&world->chance, 3));
        cr_assert_lt(xt_heap_bytes() - before, (size_t)BOUND_BYTES, "packet %d", i);
    }
}

Test(hostile, from_within_memory_and_time_are_bounded)
{
    uint64_t malformed = 0, applied = 0, limited = 0, taken = 0;

    for (uint64_t seed = xt_seed(1), end = seed + 6; seed < end; seed++) {
        size_t before = xt_heap_bytes();
        struct xt_world *world = new_victim(seed);
        attack(world, before);
        malformed += xt_counted(&world->side[0].reasons, "MALFORMED");
        applied += xt_counted(&world->side[0].reasons, "");
        limited += xt_counted(&world->side[0].reasons, "LIMIT");
        taken += world->side[0].taken;
        xt_world_free(world);
        cr_assert_leq(xt_heap_bytes(), before + SLACK_BYTES, "seed %llu leaks", (unsigned long long)seed);
    }
    cr_assert_gt(applied, (uint64_t)INSIDE_PACKETS, "the frames say something");
    cr_assert_gt(malformed, (uint64_t)INSIDE_PACKETS / 2);
    cr_assert_gt(taken, 0U);
    cr_log_info("%llu applied, %llu malformed, %llu beyond a limit, %llu records",
                (unsigned long long)applied, (unsigned long long)malformed, (unsigned long long)limited,
                (unsigned long long)taken);
}

/* What decodes encodes to the same bytes and prints; what does not says where. */
static bool decode(struct xt_chance *chance, const uint8_t *p, size_t n)
{
    static struct xc_value values[XC_PAYLOAD_VALUES];
    struct xc_tree tree = {values, XC_PAYLOAD_VALUES, 0};
    uint8_t out[XC_PAYLOAD_BYTES];
    char line[64];
    size_t used = 0;

    int error = xc_parse(p, n, &tree);
    cr_assert_neq(error, XC_ROOM, "a payload has more values than there is room for");
    if (error != XC_OK)
        return false;
    for (size_t place = 0; place < tree.n; place = tree.values[place].next) {
        used += xc_encode(&tree, place, out + used, sizeof out - used);
        size_t room = xt_below(chance, sizeof line + 1), whole = xc_print(&tree, place, line, room);
        cr_assert(room == 0 || strlen(line) == (whole < room ? whole : room - 1));
    }
    cr_assert_eq(used, n);
    cr_assert(memcmp(out, p, n) == 0);
    return true;
}

Test(hostile, payloads_decode_whole_or_not_at_all)
{
    struct xt_chance chance = {xt_seed(4)};
    struct xc_payload payload;
    unsigned good = 0;

    for (int i = 0; i < PAYLOADS; i++) {
        payload = (struct xc_payload){.room = XC_PAYLOAD_BYTES};
        uint64_t frames = i % 10 == 0 ? xt_below(&chance, 70) : xt_below(&chance, 4);
        for (; frames > 0; frames--)
            xt_any_frame(&chance, &payload, NULL, 0);
        size_t n = i % 3 == 0 ? payload.n : xt_mutate(&chance, payload.bytes, payload.n, XC_PAYLOAD_BYTES);
        uint8_t *exact = malloc(n + 1);
        cr_assert_not_null(exact);
        memcpy(exact + 1, payload.bytes, n);
        good += decode(&chance, exact + 1, n);
        free(exact);
    }
    cr_assert_gt(good, PAYLOADS / 10U);
    cr_assert_lt(good, PAYLOADS * 9U / 10);
}
