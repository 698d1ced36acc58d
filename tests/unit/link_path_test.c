/* Where packets go: answers follow the source, records only a validated address, and no replay moves it. */
#include <string.h>

#include <criterion/criterion.h>

#include "link/path.h"
#include "link_pair.h"

enum { S = 1000000, OLD = 1, NEW = 9, ATTACKER = 66 };

/* What the filters below watch. */
struct watch {
    unsigned records_before;  /* packets with records to an address before it was validated */
    size_t in[256], out[256]; /* of the node, by address of the device */
    unsigned racing;          /* datagrams the attacker still delivers first */
};

static unsigned main_of(const struct pair *p)
{
    struct pl_route route;

    return pl_link_route(p->side[B].link, &route, NULL) ? route.bytes[0] : 0;
}

static bool has_records(struct pair *p, const struct datagram *d)
{
    return pair_frame(p, d, PL_FRAME_RECORDS) != NULL || pair_frame(p, d, PL_FRAME_RECORDS_LENGTH) != NULL;
}

static bool watch(struct pair *p, struct datagram *d)
{
    struct watch *w = p->filter_ctx;
    struct pl_route route;
    bool validated = false;

    if (d->to == B) {
        w->in[d->from.bytes[0]] += d->n;
        return true;
    }
    w->out[d->target.bytes[0]] += d->n;
    bool main = pl_link_route(p->side[B].link, &route, &validated) && pl_route_same_peer(&route, &d->target);
    w->records_before += !(main && validated) && has_records(p, d);
    return true;
}

Test(link_path, a_node_with_records_starts_when_the_response_came)
{
    struct pair *p = pair_new(1);
    struct watch w = {0};
    unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);

    p->filter = watch;
    p->filter_ctx = &w;
    pair_give(p, B, down, 500);
    pair_run(p, 5 * S);
    cr_assert_eq(p->sent[B], 0, "nobody knows where the device is");
    pair_give(p, A, door, 61);
    pair_run(p, 4 * p->delay_us + 5000); /* 1.5 RTT after the device's packet came the records are there */
    cr_assert_eq(p->side[A].delivered_n, 1);
    cr_assert_not_null(pair_frame(p, p->archive[1], PL_FRAME_PATH_CHALLENGE));
    cr_assert(pair_settle(p));
    cr_assert_eq(w.records_before, 0);
    pair_check(p, A);
    pair_check(p, B);
    pair_end(p);
}

/* A device behind a NAT that gives it another address while both send. */
Test(link_path, answers_and_then_records_follow_a_rebinding)
{
    for (unsigned both = 0; both < 2; both++) {
        struct pair *p = pair_new(2);
        struct watch w = {0};
        unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);
        p->filter = watch;
        p->filter_ctx = &w;
        for (unsigned i = 0; i < 200; i++) {
            pair_give(p, A, door, 700);
            for (unsigned n = 0; both && n < 3; n++) {
                pair_give(p, B, down, 700);
            }
        }
        pair_run(p, 60000);
        cr_assert_eq(main_of(p), OLD);
        p->side[A].here = side_route(NEW);
        pair_run(p, p->delay_us + 3000);
        cr_assert(!both || main_of(p) == OLD);
        cr_assert(pair_settle(p));
        cr_assert_eq(main_of(p), NEW, "both %u", both);
        cr_assert_eq(w.records_before, 0);
        pair_check(p, A);
        pair_check(p, B);
        pair_end(p);
    }
}

/* An attacker who sees the packets and is faster: his copies arrive first, from his address. */
static bool race(struct pair *p, struct datagram *d)
{
    struct watch *w = p->filter_ctx;
    struct pl_route from = side_route(ATTACKER);

    watch(p, d);
    if (d->to == B && w->racing > 0) {
        w->racing--;
        w->in[ATTACKER] += d->n;
        pair_inject(p, d, &from);
    }
    return true;
}

Test(link_path, a_faster_copy_from_elsewhere_does_not_move_it)
{
    struct pair *p = pair_new(3);
    struct watch w = {0};
    unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);

    pair_give(p, A, door, 61);
    pair_give(p, B, down, 61);
    cr_assert(pair_settle(p));
    w.racing = 30; /* each probe that he answers for is one more time-out, twice as long as the last */
    p->filter = race;
    p->filter_ctx = &w;
    for (unsigned i = 0; i < 200; i++) {
        pair_give(p, A, door, 300);
        pair_give(p, B, down, 300);
    }
    cr_assert(pair_settle(p));
    cr_assert_eq(w.racing, 0);
    cr_assert_eq(main_of(p), OLD);
    cr_assert_eq(w.records_before, 0);
    cr_assert_gt(w.out[ATTACKER], 0);
    cr_assert_leq(w.out[ATTACKER], 3 * w.in[ATTACKER]);
    pair_check(p, A);
    pair_check(p, B);
    pair_end(p);
}

/* A relay that forwards everything, challenges included, does not pull the traffic to itself while the
 * old address still answers. */
static bool relay(struct pair *p, struct datagram *d)
{
    struct watch *w = p->filter_ctx;

    if (d->to == B && d->from.bytes[0] == OLD && pl_route_same_peer(&d->target, &p->side[B].here)) {
        if (w->racing++ % 4 != 0) {
            d->from = side_route(ATTACKER); /* three of four packets take the way over the relay */
        }
    } else if (d->to == A && d->target.bytes[0] == ATTACKER) {
        d->target = p->side[A].here;
        d->from = side_route(ATTACKER);
    } else if (d->to == B) { /* a response to a challenge that came over the relay */
        d->target = p->side[B].here;
        d->from = side_route(ATTACKER);
    }
    return true;
}

Test(link_path, a_relay_does_not_keep_the_traffic_of_an_address_that_answers)
{
    struct pair *p = pair_new(4);
    struct watch w = {0};
    unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);

    pair_give(p, A, door, 61);
    pair_give(p, B, down, 61);
    cr_assert(pair_settle(p));
    p->filter = relay;
    p->filter_ctx = &w;
    for (unsigned i = 0; i < 300; i++) {
        pair_give(p, A, door, 300);
        pair_give(p, B, down, 300);
        pair_run(p, 5000);
    }
    cr_assert(pair_settle(p));
    cr_assert_gt(w.racing, 300);
    cr_assert_eq(main_of(p), OLD);
    /* and then the old address is gone for good: what spoke from the other one takes over */
    p->filter = NULL;
    p->side[A].here = side_route(ATTACKER);
    for (unsigned i = 0; i < 50; i++) {
        pair_give(p, A, door, 300);
        pair_give(p, B, down, 300);
    }
    cr_assert(pair_settle(p));
    cr_assert_eq(main_of(p), ATTACKER);
    pair_check(p, A);
    pair_check(p, B);
    pair_end(p);
}

Test(link_path, a_configured_address_is_never_left)
{
    struct pair *p = pair_new(5);
    struct pl_route route;
    unsigned door = pair_stream(p, A, "door", 7), down = pair_stream(p, B, "down", 8);

    for (unsigned i = 0; i < 100; i++) {
        pair_give(p, A, door, 100);
        pair_give(p, B, down, 100);
    }
    pair_run(p, 35000);
    p->side[B].here = side_route(NEW); /* the node speaks from another address; the device asks the old */
    pair_run(p, 2 * S);
    cr_assert(pl_link_route(p->side[A].link, &route, NULL));
    cr_assert_eq(route.bytes[0], 2);
    pl_link_configure(p->side[A].link, &p->side[B].here);
    cr_assert(pair_settle(p));
    pair_check(p, A);
    pair_check(p, B);
    pair_end(p);
}

/* After a sweep the last validated address gets one packet a back-off step until it answers (G10). */
Test(link_path, one_packet_a_step_to_the_last_validated_address)
{
    for (unsigned dead = 0; dead < 2; dead++) {
        struct pair *p = pair_new(6);
        unsigned down = pair_stream(p, B, "down", 8);
        p->side[B].config.last_valid = &p->side[A].here;
        pair_sweep(p, B);
        if (dead) {
            side_close(&p->side[A]);
        }
        for (unsigned i = 0; i < 40; i++) {
            pair_give(p, B, down, 1000);
        }
        if (dead) {
            pair_run(p, 300 * (uint64_t)S);
            cr_assert(p->sent[B] >= 8 && p->sent[B] <= 12, "%u packets in 300 s", p->sent[B]);
            for (unsigned i = 0; i < p->archive_n; i++) {
                cr_assert_leq(p->archive[i]->n, 1200);
                cr_assert(i == 0 || p->archive[i]->due_us - p->archive[i - 1]->due_us >= S);
            }
        } else {
            cr_assert(pair_settle(p));
            pair_check(p, B);
        }
        pair_end(p);
    }
}

Test(link_path, a_challenge_is_bound_to_run_address_and_secret)
{
    struct pair *p = pair_new(7);
    struct pl_link *link = p->side[B].link;
    struct pl_route one = side_route(1), two = side_route(2), local = one;
    uint64_t now_us = p->now_us;

    local.bytes[PL_ROUTE_HALF] = 5;
    uint64_t value = pl_path_challenge(link, 1, &one, 0, now_us);
    cr_assert_eq(pl_path_challenge(link, 1, &one, 0, now_us), value);
    cr_assert_eq(pl_path_challenge(link, 1, &local, 0, now_us), value, "our own half is not in it");
    cr_assert_neq(pl_path_challenge(link, 1, &two, 0, now_us), value);
    cr_assert_neq(pl_path_challenge(link, 2, &one, 0, now_us), value);
    cr_assert_neq(pl_path_challenge(link, 1, &one, 1, now_us), value);
    now_us += PL_CHALLENGE_SECRET_US / 2;
    cr_assert_neq(pl_path_challenge(link, 1, &one, 0, now_us), value);
    cr_assert_eq(pl_path_challenge(link, 1, &one, 1, now_us), value);
    pair_end(p);
}
