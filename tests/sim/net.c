/* The simulated network: a heap of datagrams by time of arrival, faults, and the attacker's archive. */
#include "sim/net.h"

#include <stdlib.h>
#include <string.h>

enum { ARCHIVE_MAX = 4096, CREDIT_FACTOR = 3, QUEUE_US = 200000, SMALL = 70, CALM_DELAY_US = 50000 };

static struct {
    struct net_settings settings;
    struct sim_rng loss, time, damage, attack;
    struct net_packet **heap, *archive[ARCHIVE_MAX];
    size_t heap_n, heap_room;
    uint64_t order, sent, burst_until_us, black_until_us, busy_us[2];
    net_fate *fate;
    uint64_t victim_in[SIM_VICTIMS_N], victim_out[SIM_VICTIMS_N];
} net;

static void forget_all(void)
{
    for (size_t i = 0; i < net.heap_n; i++) {
        free(net.heap[i]);
    }
    for (size_t i = 0; i < ARCHIVE_MAX; i++) {
        free(net.archive[i]);
    }
    free(net.heap);
}

void net_begin(const struct net_settings *settings)
{
    forget_all();
    memset(&net, 0, sizeof net);
    net.settings = *settings;
    sim_rng_init(&net.loss, sim.seed, "loss");
    sim_rng_init(&net.time, sim.seed, "time");
    sim_rng_init(&net.damage, sim.seed, "damage");
    sim_rng_init(&net.attack, sim.seed, "attack");
}

void net_calm(void)
{
    net.settings.loss = net.settings.duplicate = net.settings.corrupt = 0;
    net.settings.reorder = net.settings.burst = 0;
    net.settings.bytes_per_s = 0; /* what is left must be possible in the time given */
    if (net.settings.delay_us > CALM_DELAY_US) {
        net.settings.delay_us = CALM_DELAY_US;
    }
    net.burst_until_us = net.black_until_us = 0;
    net.fate = NULL;
}

void net_decide(net_fate *fate)
{
    net.fate = fate;
}

void net_black_out(uint64_t us)
{
    net.black_until_us = sim.now_us + us;
}

static bool goes_before(const struct net_packet *a, const struct net_packet *b)
{
    return a->due_us < b->due_us || (a->due_us == b->due_us && a->order < b->order);
}

static void swap(size_t a, size_t b)
{
    struct net_packet *p = net.heap[a];

    net.heap[a] = net.heap[b];
    net.heap[b] = p;
}

static void push(struct net_packet *packet)
{
    size_t at = net.heap_n++;

    if (net.heap_n > net.heap_room) {
        net.heap_room = net.heap_room == 0 ? 64 : 2 * net.heap_room;
        net.heap = sim_grow(net.heap, net.heap_room * sizeof net.heap[0]);
    }
    packet->order = net.order++;
    net.heap[at] = packet;
    for (; at > 0 && goes_before(net.heap[at], net.heap[(at - 1) / 2]); at = (at - 1) / 2) {
        swap(at, (at - 1) / 2);
    }
}

static struct net_packet *pop(void)
{
    struct net_packet *first = net.heap[0];
    size_t at = 0;

    net.heap[0] = net.heap[--net.heap_n];
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < net.heap_n; child++) {
            least = goes_before(net.heap[child], net.heap[least]) ? child : least;
        }
        if (least == at) {
            return first;
        }
        swap(at, least);
        at = least;
    }
}

static struct net_packet *packet_of(uint32_t from, uint32_t to, const uint8_t *bytes, size_t n)
{
    struct net_packet *packet = sim_alloc(sizeof *packet + n);

    memset(packet, 0, sizeof *packet);
    packet->from = from;
    packet->to = to;
    packet->n = n;
    memcpy(packet->bytes, bytes, n);
    return packet;
}

/* Keeps all of the first packets and then some of all. */
static void archive(const struct net_packet *packet)
{
    size_t at = net.sent - 1;

    if (at >= ARCHIVE_MAX) {
        at = sim_rng_below(&net.attack, net.sent);
    }
    if (at < ARCHIVE_MAX) {
        free(net.archive[at]);
        net.archive[at] = packet_of(packet->from, packet->to, packet->bytes, packet->n);
    }
}

static bool is_lost(void)
{
    bool lost = sim_rng_chance(&net.loss, net.settings.loss);

    if (sim_rng_chance(&net.loss, net.settings.burst)) {
        net.burst_until_us = sim.now_us + net.settings.burst_us;
    }
    return lost || sim.now_us < net.burst_until_us || sim.now_us < net.black_until_us;
}

/* A bottleneck in each direction, with a queue that overflows. Returns the time it holds the packet. */
static bool through_queue(const struct net_packet *packet, uint64_t *out_us)
{
    uint64_t *busy = &net.busy_us[packet->from < packet->to];

    *out_us = sim.now_us;
    if (net.settings.bytes_per_s == 0) {
        return true;
    }
    if (*busy > sim.now_us + QUEUE_US) {
        return false;
    }
    *busy = *busy > sim.now_us ? *busy : sim.now_us;
    *busy += packet->n * SIM_S / net.settings.bytes_per_s;
    *out_us = *busy;
    return true;
}

static void decided(struct net_packet *packet)
{
    packet->due_us = sim.now_us + net.settings.delay_us;
    if (net.fate(packet)) {
        push(packet);
    } else {
        free(packet);
    }
}

static void launch(struct net_packet *packet)
{
    uint64_t out_us = 0;

    if (net.fate != NULL) {
        decided(packet);
        return;
    }

    if (is_lost() || !through_queue(packet, &out_us)) {
        free(packet);
        return;
    }
    packet->due_us = out_us + net.settings.delay_us + sim_rng_below(&net.time, net.settings.jitter_us + 1);
    if (sim_rng_chance(&net.time, net.settings.reorder)) {
        packet->due_us += sim_rng_below(&net.time, net.settings.reorder_us + 1);
    }
    if (sim_rng_chance(&net.damage, net.settings.corrupt)) {
        packet->bytes[sim_rng_below(&net.damage, packet->n)] ^= (uint8_t)sim_rng_between(&net.damage, 1, 255);
    }
    if (net.settings.mark > 0) {
        packet->ecn = sim_rng_chance(&net.damage, net.settings.mark) ? 3 : 2;
    }
    push(packet);
}

static bool is_victim(uint32_t address)
{
    return address >= SIM_VICTIMS && address < SIM_VICTIMS + SIM_VICTIMS_N;
}

static void book_victim(uint32_t to, size_t n)
{
    if (is_victim(to)) {
        uint32_t v = to - SIM_VICTIMS;
        net.victim_out[v] += n;
        if (net.victim_out[v] > CREDIT_FACTOR * net.victim_in[v]) {
            sim_fail("%llu B went to an address from which %llu B came",
                     (unsigned long long)net.victim_out[v], (unsigned long long)net.victim_in[v]);
        }
    }
}

void net_send(uint32_t from, uint32_t to, const uint8_t *bytes, size_t n)
{
    struct net_packet *packet = packet_of(from, to, bytes, n);

    net.sent++;
    sim_hash_u64((uint64_t)from << 32 | to);
    sim_hash(bytes, n);
    book_victim(to, n);
    archive(packet);
    if (sim_rng_chance(&net.loss, net.settings.duplicate)) {
        launch(packet_of(from, to, bytes, n));
    }
    launch(packet);
}

void net_inject(uint32_t from, uint32_t to, const uint8_t *bytes, size_t n, uint64_t delay_us)
{
    struct net_packet *packet = packet_of(from, to, bytes, n);

    packet->due_us = sim.now_us + delay_us;
    if (is_victim(from)) {
        net.victim_in[from - SIM_VICTIMS] += n;
    }
    push(packet);
}

uint64_t net_due_us(void)
{
    return net.heap_n == 0 ? SIM_NEVER : net.heap[0]->due_us;
}

struct net_packet *net_receive(void)
{
    return net_due_us() <= sim.now_us ? pop() : NULL;
}

void net_replay(unsigned n, uint32_t from)
{
    size_t kept = net.sent < ARCHIVE_MAX ? net.sent : ARCHIVE_MAX;
    size_t at = kept == 0 ? 0 : sim_rng_below(&net.attack, kept);
    bool small = sim_rng_chance(&net.attack, 300); /* those whose answer may be larger than they are */

    for (; n > 0 && at < kept; n--, at++) {
        const struct net_packet *old = net.archive[at];
        if (is_victim(old->to) || (small && old->n > SMALL)) {
            continue;
        }
        uint32_t source = from != 0 ? from : old->from;
        sim_note("replayed %zu B %u > %u", old->n, source, old->to);
        net_inject(source, old->to, old->bytes, old->n, sim_rng_below(&net.attack, SIM_MS));
    }
}

const struct net_packet *net_archived(size_t index)
{
    return index < ARCHIVE_MAX && index < net.sent ? net.archive[index] : NULL;
}

uint64_t net_sent(void)
{
    return net.sent;
}
