/* A datagram on its way in: what is dropped and why, what is malformed, what is acknowledged. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/state.h"
#include "link_pair.h"
#include "link_puppet.h"

enum { S = 1000000, LIFE_A = 0xa0a0a0a0, BIRTH = 77, ECT0 = 2, ECT1 = 1, CE = 3 };

/* A packet as the puppet would send it, changed, is dropped for its reason and changes nothing. */
Test(link_recv_packet, headers_that_are_dropped)
{
    static const struct {
        struct pl_header header;
        size_t n;
        enum pl_drop drop;
    } rows[] = {
        {{.version = 2, .suite = 1}, 60, PL_DROP_VERSION},
        {{.version = 1, .suite = 0}, 60, PL_DROP_LATER},
        {{.version = 1, .suite = 1, .cookie = 1}, 60, PL_DROP_LATER},
        {{.version = 1, .suite = 3}, 60, PL_DROP_SUITE},
        {{.version = 1, .suite = 1, .own_epoch = 1}, 60, PL_DROP_EPOCH},
        {{.version = 1, .suite = 1, .peer_epoch = 9}, 60, PL_DROP_EPOCH},
        {{.version = 1, .suite = 1}, 33, PL_DROP_SHORT},
        {{.version = 1, .suite = 1}, 18, PL_DROP_SHORT},
        {{.version = 1, .suite = 1}, 34, PL_DROP_EMPTY},
        {{.version = 1, .suite = 1}, 35, PL_DROP_SEAL},
        {{.version = 1, .suite = 2}, 60, PL_DROP_SEAL},
        {{.version = 1, .suite = 1}, 1200, PL_DROP_SEAL},
    };
    struct puppet *p = puppet_new(1);

    puppet_open(p);
    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        uint8_t bytes[1200] = {0};
        struct pl_packet packet = {.bytes = bytes, .size = rows[r].n, .header = rows[r].header};
        cr_assert_eq(pl_link_receive(p->end.link, &packet, p->now_us), rows[r].drop, "row %u", r);
    }
    cr_assert_eq(p->end.link->rx.runs_n, 0);
    cr_assert(!pl_link_route(p->end.link, &(struct pl_route){{0}}, NULL));
    cr_assert_eq(pl_link_deadline(p->end.link), PL_NEVER);
    puppet_end(p);
}

static void one_suite_a_run(bool follows)
{
    struct puppet *p = puppet_new(2);

    puppet_open(p);
    p->end.link->config.follows_suite = follows;
    puppet_ping(p);
    cr_assert_eq(puppet_send(p), PL_DROP_NONE);
    p->suite = PL_SUITE_CHACHA20_POLY1305;
    puppet_ping(p);
    cr_assert_eq(puppet_send(p), PL_DROP_RUN_SUITE);
    puppet_new_run(p);
    puppet_ping(p);
    cr_assert_eq(puppet_send(p), PL_DROP_NONE);
    puppet_collect(p);
    puppet_ack(p, p->end_number, p->end_number);
    puppet_send(p);
    uint64_t run = p->end_run;
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    const struct pl_tx *tx = &p->end.link->tx;
    cr_assert_eq(p->end_run != run, follows);
    cr_assert_eq(tx->runs[tx->active].run.key.suite,
                 follows ? PL_SUITE_CHACHA20_POLY1305 : PL_SUITE_AES_128_GCM);
    puppet_end(p);
}

Test(link_recv_packet, a_run_has_one_suite)
{
    one_suite_a_run(false);
    one_suite_a_run(true);
}

Test(link_recv_packet, numbers_below_the_window_and_repeats_are_dropped)
{
    struct puppet *p = puppet_new(3);

    puppet_open(p);
    puppet_ping(p);
    cr_assert_eq(puppet_send_as(p, 1000), PL_DROP_NONE);
    puppet_ping(p);
    cr_assert_eq(puppet_send_as(p, 1000), PL_DROP_REPLAY);
    puppet_ping(p);
    cr_assert_eq(puppet_send_as(p, 1063), PL_DROP_NONE);
    puppet_ping(p);
    cr_assert_eq(puppet_send_as(p, 999), PL_DROP_OLD);
    puppet_ping(p);
    cr_assert_eq(puppet_send_as(p, 1001), PL_DROP_NONE);
    puppet_ping(p);
    cr_assert_eq(puppet_send_as(p, UINT32_MAX), PL_DROP_NONE);
    puppet_collect(p);
    cr_assert(puppet_acked(p, UINT32_MAX));
    cr_assert(!puppet_acked(p, UINT32_MAX - 1));
    cr_assert_eq(p->end.env.drops[PL_DROP_REPLAY], 1);
    cr_assert_eq(p->end.env.drops[PL_DROP_OLD], 1);
    puppet_end(p);
}

/* A forged packet must not move the window of a run it names. */
Test(link_recv_packet, a_forged_number_moves_nothing)
{
    struct puppet *p = puppet_new(4);
    uint8_t junk[80] = {0};
    struct pl_header header = {.version = 1, .suite = 1, .packet_number = 500000};

    puppet_open(p);
    puppet_ping(p);
    puppet_send(p);
    header.run = p->run;
    header.key_id = p->self.config.key_id_out;
    pl_header_encode(junk, sizeof junk, &header);
    cr_assert_eq(side_receive(&p->end, junk, sizeof junk, &p->from, 0, p->now_us), PL_DROP_SEAL);
    puppet_ping(p);
    cr_assert_eq(puppet_send(p), PL_DROP_NONE);
    cr_assert_eq(p->end.link->rx.runs[0]->failures, 1);
    puppet_end(p);
}

static void put_malformed(struct puppet *p, unsigned kind)
{
    static const uint8_t unassigned = 0x11, zero_piece[] = {7, 1, 1, 1, 1, 0, 0}, cut[] = {9, 1, 1};

    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 6);
    switch (kind) {
    case 0: puppet_raw(p, &unassigned, 1); break;
    case 1: puppet_raw(p, zero_piece, sizeof zero_piece); break;
    case 2: puppet_raw(p, cut, sizeof cut); break;
    default: /* PADDING that is not zero */ puppet_raw(p, "\0\0\1", 3); break;
    }
}

/* Checked whole before any of it counts (M21). */
Test(link_recv_packet, a_malformed_packet_changes_nothing_and_is_told_once_a_second)
{
    for (unsigned kind = 0; kind < 4; kind++) {
        struct puppet *p = puppet_new(5 + kind);
        unsigned told = 0;
        puppet_open(p);
        for (unsigned i = 0; i < 50; i++) {
            put_malformed(p, kind);
            uint32_t number = p->number;
            cr_assert_eq(puppet_send(p), PL_DROP_MALFORMED);
            puppet_collect(p);
            cr_assert(!puppet_acked(p, number));
            uint64_t code = puppet_refused_of(p, 0, NULL);
            cr_assert(code == 0 || code == PL_REFUSAL_MALFORMED);
            told += code != 0;
            p->now_us += S / 10;
        }
        cr_assert_eq(told, 5);
        cr_assert_eq(p->end.delivered_n, 0);
        cr_assert_eq(p->end.link->rx.streams_n, 0);
        puppet_ping(p);
        puppet_send(p);
        puppet_collect(p);
        cr_assert_eq(puppet_count(p, PL_FRAME_ACK), 1);
        cr_assert(!puppet_acked(p, p->number - 2));
        puppet_end(p);
    }
}

/* ACK_ECN as soon as a mark was seen, with the counts of its run. */
Test(link_recv_packet, ecn_marks_are_counted_and_told)
{
    struct puppet *p = puppet_new(10);
    static const uint8_t marks[] = {0, ECT0, ECT0, CE, ECT1, ECT0, CE};

    puppet_open(p);
    for (unsigned i = 0; i < sizeof marks; i++) {
        p->ecn = marks[i];
        puppet_ping(p);
        puppet_send(p);
        puppet_collect(p);
        cr_assert_eq(puppet_count(p, i == 0 ? PL_FRAME_ACK : PL_FRAME_ACK_ECN), 1);
    }
    const struct pl_frame *f = puppet_find(p, PL_FRAME_ACK_ECN, 0);
    cr_assert_eq(f->u.ack_ecn.ect0, 3);
    cr_assert_eq(f->u.ack_ecn.ect1, 1);
    cr_assert_eq(f->u.ack_ecn.ce, 2);
    puppet_end(p);
}

Test(link_recv_packet, frames_of_extensions_are_skipped_and_acknowledged)
{
    struct puppet *p = puppet_new(11);

    puppet_open(p);
    struct pl_frame f = {.type = PL_FRAME_EXTENSION};
    f.u.extension = (struct pl_frame_extension){.type = 0x40, .body = {(const uint8_t *)"whatever", 8}};
    puppet_frame(p, &f);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_send(p);
    p->now_us += PL_ANSWER_DELAY_US;
    puppet_collect(p);
    cr_assert(puppet_acked(p, p->number - 1));
    cr_assert_eq(p->end.delivered_n, 1);
    puppet_end(p);
}

/* Every datagram of a session with any one bit or byte changed is dropped unopened. */
static bool damage(struct pair *p, struct datagram *d)
{
    unsigned *at = p->filter_ctx;

    if (++*at % 3 == 0) {
        d->bytes[*at * 7 % d->n] ^= (uint8_t)(1 << *at % 8);
    }
    return true;
}

Test(link_recv_packet, damaged_datagrams_are_lost_ones)
{
    struct pair *p = pair_new(12);
    unsigned at = 0, door = pair_stream(p, A, "door", 7);

    p->filter = damage;
    p->filter_ctx = &at;
    for (unsigned i = 0; i < 400; i++) {
        pair_give(p, A, door, 300);
    }
    cr_assert(pair_settle(p));
    pair_check(p, A);
    cr_assert_gt(p->drops[PL_DROP_SEAL], 0);
    cr_assert_eq(p->drops[PL_DROP_MALFORMED], 0);
    pair_end(p);
}
