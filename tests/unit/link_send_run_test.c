/* Our runs: fresh, skipping numbers, rolled over before their limit. */
#include <criterion/criterion.h>

#include "link/send.h"
#include "link_pair.h"

static unsigned runs_seen(const struct pair *p, unsigned s)
{
    uint64_t ids[4096];
    unsigned n = 0;

    for (unsigned i = 0; i < p->archive_n; i++) {
        struct pl_header header;
        size_t used = 0;
        unsigned at = 0;
        if (p->archive[i]->to == s) {
            continue;
        }
        cr_assert(pl_header_decode(p->archive[i]->bytes, p->archive[i]->n, &header, &used) == PL_OK);
        while (at < n && ids[at] != header.run) {
            at++;
        }
        cr_assert(at < 4096);
        ids[at] = header.run;
        n += at == n;
    }
    return n;
}

/* A peer takes two new runs a second: bursts with a pause between them. */
static void bursts(struct pair *p, unsigned rounds, unsigned records)
{
    unsigned door = pair_stream(p, A, "door", 7);

    pair_restart(p, A);
    pair_restart(p, B);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < records; i++) {
            pair_give(p, A, door, 1000);
        }
        pair_run(p, 700000);
    }
    cr_assert(pair_settle(p));
    pair_check(p, A);
}

Test(link_send_run, runs_of_a_hundred_packets_roll_over)
{
    static const uint64_t delays_us[] = {200, 10000, 80000};

    for (unsigned d = 0; d < 3; d++) {
        struct pair *p = pair_new(10 + d);
        p->delay_us = delays_us[d];
        p->side[A].env.settings.run_packets = 100;
        p->side[B].env.settings.run_packets = 100;
        bursts(p, 50, 30);
        cr_assert_geq(runs_seen(p, A), p->sent[A] / 100);
        cr_assert_eq(p->drops[PL_DROP_LIMIT], 0);
        cr_assert_eq(p->side[A].env.counters.lost_packets, 0);
        cr_assert_leq(p->sent[A], 50 * 30 + 200, "rollover sent much again: %u packets", p->sent[A]);
        pair_end(p);
    }
}

Test(link_send_run, a_run_without_numbers_left_is_replaced_and_seals_no_more)
{
    struct pair *p = pair_new(14);

    p->side[A].env.settings.run_packets = 8;
    bursts(p, 50, 6);
    cr_assert_geq(runs_seen(p, A), p->sent[A] / 8);
    cr_assert_eq(p->drops[PL_DROP_NONE], p->sent[A] + p->sent[B]);
    pair_end(p);
}

Test(link_send_run, a_number_is_skipped_now_and_then_and_who_acknowledges_it_lies)
{
    struct pair *p = pair_new(15);
    unsigned door = pair_stream(p, A, "door", 7), skipped = 0;
    uint32_t last = 0;

    for (unsigned i = 0; i < 9000; i++) {
        pair_give(p, A, door, 1000);
    }
    cr_assert(pair_settle(p));
    for (unsigned i = 0; i < p->archive_n; i++) {
        struct pl_header header;
        size_t used = 0;
        if (p->archive[i]->to == A) {
            continue;
        }
        cr_assert(pl_header_decode(p->archive[i]->bytes, p->archive[i]->n, &header, &used) == PL_OK);
        if (last != 0 && header.packet_number != last + 1) {
            cr_assert_eq(header.packet_number, last + 2);
            skipped++;
        }
        last = header.packet_number;
    }
    struct pl_own_run *own = &p->side[A].link->tx.runs[0];
    cr_assert(skipped >= 1 && skipped <= p->sent[A] / PL_SKIP_MIN);
    cr_assert_eq(own->skipped_n, skipped);
    uint32_t hole = own->skipped[(skipped - 1) % PL_SKIPPED];
    struct pl_range32 lie = {hole - 1, hole + 1}, truth = {hole + 1, own->run.next - 1};
    struct pl_range32 ahead = {own->run.next, own->run.next}, before = {own->run.first - 1, own->run.first};
    cr_assert(pl_tx_run_lies(own, &lie, 1));
    cr_assert(!pl_tx_run_lies(own, &truth, 1));
    cr_assert(pl_tx_run_lies(own, &ahead, 1));
    cr_assert(pl_tx_run_lies(own, &before, 1));
    pair_end(p);
}

Test(link_send_run, a_run_of_large_packets_is_shorter)
{
    static const struct {
        size_t datagram_bytes;
        uint32_t run_packets, limit;
    } rows[] = {
        {PL_DATAGRAM_SIZE, PL_RUN_PACKETS, PL_RUN_PACKETS},
        {PL_LARGE_PACKET, PL_RUN_PACKETS, PL_RUN_PACKETS},
        {PL_LARGE_PACKET + 1, PL_RUN_PACKETS, PL_RUN_PACKETS_LARGE},
        {PL_LARGE_PACKET + 1, 100, 100},
    };
    struct pair *p = pair_new(90);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pl_link *link = p->side[A].link;
        link->env->settings.datagram_bytes = rows[i].datagram_bytes;
        link->env->settings.run_packets = rows[i].run_packets;
        pl_tx_runs_end(link);
        pl_tx_run_open(link, 0);
        cr_assert_eq(link->tx.runs[0].run.limit, rows[i].limit, "row %zu", i);
    }
    pair_end(p);
}

struct told_keys {
    unsigned own, peers;
    uint64_t last_own, last_peer;
    uint32_t own_id, peer_id;
};

static void note_key(void *ctx, const struct pl_run_key *key)
{
    struct told_keys *told = ctx;

    cr_assert(key->run != 0 && key->epochs == 0 && key->key->serial != 0);
    if (key->own) {
        told->own++;
        told->last_own = key->run;
        told->own_id = key->key_id;
    } else {
        told->peers++;
        told->last_peer = key->run;
        told->peer_id = key->key_id;
    }
}

Test(link_send_run, each_key_is_told_once_at_both_ends)
{
    struct told_keys told[2] = {{0}};
    struct pair *p = pair_new(71);

    for (unsigned s = 0; s < 2; s++) {
        p->side[s].env.run_key = note_key;
        p->side[s].env.run_key_ctx = &told[s];
    }
    bursts(p, 2, 20);
    for (unsigned s = 0; s < 2; s++) {
        cr_assert(told[s].own >= 1 && told[s].peers == told[!s].own, "%u and %u", told[s].own, told[s].peers);
        cr_assert(told[s].last_own == told[!s].last_peer && told[s].own_id == told[!s].peer_id);
        cr_assert_eq(told[s].own_id, p->side[s].config.key_id_out);
    }
    pair_end(p);
}
