/* Batches: equal segments for one path, paced, and what happens when one cannot be sent. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/state.h"
#include "link_pair.h"
#include "link_puppet.h"

enum { S = 1000000 };

static uint8_t bytes[PL_BATCH_ROOM];

Test(link_send_batch, segments_are_equal_but_the_last)
{
    struct puppet *p = puppet_sender(1, 60);
    struct pl_batch batch = {.bytes = bytes, .room_bytes = sizeof bytes};
    unsigned batches = 0, n;

    while ((n = pl_link_send(p->end.link, p->now_us, &batch)) > 0) {
        batches++;
        cr_assert_eq(n, batch.count);
        cr_assert_leq(n, PL_BATCH_PACKETS);
        cr_assert_leq(batch.segment, PL_DATAGRAM_SIZE);
        cr_assert(batch.size > (n - 1) * batch.segment && batch.size <= n * batch.segment);
        cr_assert_eq(memcmp(batch.route.bytes, p->self.here.bytes, PL_ROUTE_HALF), 0);
    }
    cr_assert_eq(batches, 1, "a first window is one batch");
    puppet_end(p);
}

Test(link_send_batch, a_batch_never_leaves_its_room)
{
    for (size_t room = 1; room < 5000; room += 97) {
        struct puppet *p = puppet_sender(2, 60);
        struct pl_batch batch = {.bytes = bytes, .room_bytes = room};
        memset(bytes, 0xa5, sizeof bytes);
        unsigned n = pl_link_send(p->end.link, p->now_us, &batch);
        cr_assert_leq(batch.size, room);
        cr_assert_eq(n, room / PL_DATAGRAM_SIZE, "room %zu", room);
        for (size_t i = room; i < room + 100; i++) {
            cr_assert_eq(bytes[i], 0xa5);
        }
        puppet_end(p);
    }
}

/* No route: nothing of the batch is in flight, all of it goes again, and not at once. */
Test(link_send_batch, what_could_not_be_sent_goes_again)
{
    struct puppet *p = puppet_sender(3, 8);
    struct pl_batch batch = {.bytes = bytes, .room_bytes = sizeof bytes};
    struct pl_link_figures figures;

    for (unsigned i = 0; i < 5; i++) {
        cr_assert_gt(pl_link_send(p->end.link, p->now_us, &batch), 0, "try %u", i);
        pl_link_unsent(p->end.link, p->now_us);
        pl_link_figures(p->end.link, &figures);
        cr_assert_eq(figures.in_flight_bytes, 0);
        cr_assert_eq(pl_link_send(p->end.link, p->now_us, &batch), 0);
        uint64_t due_us = pl_link_deadline(p->end.link);
        cr_assert(due_us > p->now_us && due_us <= p->now_us + 2 * S);
        p->now_us = due_us;
    }
    size_t piece_bytes = 0;
    for (unsigned i = 0; i < 20 && piece_bytes < 8 * 1002; i++) {
        puppet_collect(p);
        const struct pl_frame *f;
        for (unsigned k = 0; (f = puppet_find(p, PL_FRAME_RECORDS, k)) != NULL; k++) {
            piece_bytes += f->u.records.bytes.n;
        }
        for (unsigned k = 0; (f = puppet_find(p, PL_FRAME_RECORDS_LENGTH, k)) != NULL; k++) {
            piece_bytes += f->u.records_length.bytes.n;
        }
        p->now_us += 1000;
    }
    cr_assert_geq(piece_bytes, 8 * 1002);
    cr_assert_eq(p->end.env.counters.lost_packets, 0);
    puppet_end(p);
}

Test(link_send_batch, unsent_batches_lose_nothing)
{
    struct pair *p = pair_new(4);
    unsigned door = pair_stream(p, A, "door", 7);
    struct pl_batch batch = {.bytes = bytes, .room_bytes = sizeof bytes};

    for (unsigned i = 0; i < 300; i++) {
        pair_give(p, A, door, 600);
    }
    for (unsigned i = 0; i < 200; i++) {
        if (i % 3 == 0 && pl_link_deadline(p->side[A].link) <= p->now_us &&
            pl_link_send(p->side[A].link, p->now_us, &batch) > 0) {
            pl_link_unsent(p->side[A].link, p->now_us);
        }
        pair_step(p, PL_NEVER - 1);
    }
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_end(p);
}

/* The rate of leaving follows the window: no burst above the quantum once the RTT is known. */
Test(link_send_batch, bulk_is_paced)
{
    struct pair *p = pair_new(5);
    unsigned door = pair_stream(p, A, "door", 7);
    uint64_t at_us = 0;
    unsigned at_once = 0, most = 0;

    p->delay_us = 50000;
    for (unsigned i = 0; i < 400; i++) {
        pair_give(p, A, door, 1000);
    }
    cr_assert(pair_settle(p));
    for (unsigned i = 13; i < p->archive_n; i++) { /* behind the first flight */
        if (p->archive[i]->to == B) {
            at_once = p->archive[i]->due_us == at_us ? at_once + 1 : 1;
            at_us = p->archive[i]->due_us;
            most = at_once > most ? at_once : most;
        }
    }
    cr_assert_leq(most, PL_FIRST_CWND / PL_DATAGRAM_SIZE + 1, "%u packets at once", most);
    pair_check(p, A);
    pair_end(p);
}

/* After a second at rest the first window again. */
Test(link_send_batch, a_link_past_idle_starts_from_the_first_window)
{
    struct pair *p = pair_new(6);
    unsigned door = pair_stream(p, A, "door", 7);
    struct pl_link_figures figures;

    for (unsigned i = 0; i < 500; i++) {
        pair_give(p, A, door, 1000);
    }
    cr_assert(pair_settle(p));
    pl_link_figures(p->side[A].link, &figures);
    cr_assert_gt(figures.cwnd_bytes, PL_FIRST_CWND);
    pair_run(p, 5 * S);
    unsigned sent = p->archive_n;
    for (unsigned i = 0; i < 100; i++) {
        pair_give(p, A, door, 1000);
    }
    pair_run(p, p->delay_us);
    cr_assert_leq(p->archive_n - sent, PL_FIRST_CWND / PL_DATAGRAM_SIZE + 1);
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_end(p);
}

/* The machine may have been resumed: a fresh run, nothing lost, nothing sealed twice. */
Test(link_send_batch, a_renewed_link_goes_on_in_a_fresh_run)
{
    struct pair *p = pair_new(7);
    unsigned door = pair_stream(p, A, "door", 7);

    for (unsigned i = 0; i < 200; i++) {
        pair_give(p, A, door, 600);
    }
    for (unsigned i = 0; i < 12; i++) {
        uint64_t run = p->side[A].link->tx.runs[p->side[A].link->tx.active].run.id;
        pair_run(p, 9000);
        pl_link_renew(p->side[A].link, p->now_us);
        cr_assert_neq(p->side[A].link->tx.runs[p->side[A].link->tx.active].run.id, run);
        p->out[A][door].new_life = true;
        pair_give(p, A, door, 50);
    }
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_end(p);
}
