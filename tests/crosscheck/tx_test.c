/* Tests of what crosscheck/engine's sender makes of single answers: tx.c, tx_put.c, tx_heard.c. */
#include "world.h"

#include <criterion/criterion.h>
#include <string.h>

enum { VALUES = 4096 };

/* The engine's link under test is side 0's; who answers it is `peer`. */
struct talk {
    struct xt_world *world;
    struct xc_link *link;
    struct xt_insider peer;
    struct xc_payload say;
    struct xc_value values[VALUES];
    struct xc_tree tree; /* of the last packet heard */
    uint8_t heard[2048];
    uint32_t number; /* of that packet */
};

static struct talk talk;

static void begin(unsigned records)
{
    memset(&talk, 0, sizeof talk);
    talk.world = xt_world_new(1, XC_SUITE_AES, XC_SUITE_AES);
    talk.link = talk.world->side[0].link;
    for (unsigned i = 0; i < records; i++)
        xt_give(talk.world, 0, 0);
    xt_insider_begin(&talk.peer, true, XC_SUITE_AES, UINT64_C(0x1122334455667788));
    talk.say.room = XC_PAYLOAD_BYTES;
}

/* The next packet of the engine; false: there is none. */
static bool hear(void)
{
    uint8_t datagram[2048];
    struct xc_address to;
    size_t n = xc_link_send(talk.link, talk.world->now_us, datagram, &to);

    if (n == 0)
        return false;
    talk.number = talk.link->own.next - 1;
    n = xt_insider_open(&talk.peer, datagram, n, talk.heard);
    cr_assert_gt(n, 0U);
    talk.tree = (struct xc_tree){talk.values, VALUES, 0};
    cr_assert_eq(xc_parse(talk.heard, n, &talk.tree), XC_OK);
    return true;
}

static unsigned hear_all(void)
{
    unsigned n = 0;

    while (hear())
        n++;
    return n;
}

static size_t frame_of(uint64_t type)
{
    for (size_t place = 0; place < talk.tree.n; place = talk.values[place].next)
        if (talk.values[place].number == type)
            return place;
    return SIZE_MAX;
}

static struct xc_maker frame;

static void say(enum xc_frame_type type)
{
    xc_make_frame(&frame, type);
    if (type == XC_TO)
        xc_set(&frame, "run_tag", talk.link->own.id >> 32);
}

static void said(void)
{
    cr_assert(xc_put(&talk.say, &frame));
}

static void tell(void)
{
    uint8_t datagram[2048];
    size_t n = xt_insider_seal(&talk.peer, talk.say.bytes, talk.say.n, datagram);

    cr_assert_str_empty(
        xc_link_receive(talk.link, talk.world->now_us, &talk.world->side[1].address, datagram, n));
    talk.say = (struct xc_payload){.room = XC_PAYLOAD_BYTES};
}

static void say_ack(uint64_t largest, uint64_t first_range)
{
    say(XC_ACK);
    xc_set(&frame, "largest", largest);
    xc_set(&frame, "first_range", first_range);
    said();
}

static void say_stored(uint32_t life, uint64_t number, uint64_t window)
{
    say(XC_STORED);
    xc_set(&frame, "life", life);
    xc_set(&frame, "number", number);
    xc_set(&frame, "window", window);
    said();
}

static uint32_t life_of(void)
{
    return talk.link->tx.stream[0].life[0].tag;
}

Test(tx, stream_stands_before_pieces_until_stored)
{
    begin(100);
    cr_assert(hear());
    cr_assert_lt(frame_of(XC_STREAM), talk.tree.n);
    cr_assert_eq(xc_get(&talk.tree, frame_of(XC_STREAM), "first_number"), 1);
    say(XC_TO);
    said();
    say_ack(talk.number, 0);
    say_stored(life_of(), 1, 256);
    tell();
    cr_assert_eq(xc_link_held(talk.link), 99);
    cr_assert(hear());
    cr_assert_eq(frame_of(XC_STREAM), SIZE_MAX);
    xt_world_free(talk.world);
}

Test(tx, the_first_window_bounds_what_leaves)
{
    size_t bytes = 0;

    begin(1000);
    while (hear())
        for (size_t place = 0; place < talk.tree.n; place = talk.values[place].next)
            if (talk.values[place].number == XC_RECORDS || talk.values[place].number == XC_RECORDS_LENGTH)
                bytes += xc_value_of(&talk.tree, place, "bytes")->size;
    cr_assert_eq(bytes, (size_t)XC_WINDOW_FIRST_KIB * 1024);
    xt_world_free(talk.world);
}

Test(tx, answers_count_only_under_our_run)
{
    begin(10);
    hear_all();
    say_stored(life_of(), 10, 256);
    tell();
    cr_assert_eq(xc_link_held(talk.link), 10, "no TO");
    say(XC_TO);
    xc_set(&frame, "run_tag", (talk.link->own.id >> 32) ^ 1);
    said();
    say_stored(life_of(), 10, 256);
    tell();
    cr_assert_eq(xc_link_held(talk.link), 10, "another run's");
    say(XC_TO);
    said();
    say_stored(life_of(), 10, 256);
    tell();
    cr_assert_eq(xc_link_held(talk.link), 0);
    xt_world_free(talk.world);
}

Test(tx, stored_beyond_what_was_given_frees_what_was)
{
    begin(10);
    hear_all();
    say(XC_TO);
    said();
    say_stored(life_of(), UINT64_C(0x3fffffffffffffff), 256);
    tell();
    cr_assert_eq(xc_link_held(talk.link), 0);
    xt_give(talk.world, 0, 0);
    cr_assert_eq(talk.link->tx.stream[0].life[0].first, 11);
    xt_world_free(talk.world);
}

Test(tx, acks_of_what_never_left_are_passed_over)
{
    begin(100);
    unsigned sent = hear_all();
    cr_assert_gt(sent, 3U);
    size_t in_flight = talk.link->tx.in_flight;
    const uint64_t lies[][2] = {{talk.link->own.next, 0},
                                {talk.number, talk.number - talk.link->own.first + 1},
                                {UINT64_C(0x3fffffffffffffff), 3}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        say(XC_TO);
        said();
        say_ack(lies[i][0], lies[i][1]);
        tell();
        cr_assert_eq(talk.link->tx.in_flight, in_flight, "lie %zu", i);
    }
    say(XC_TO);
    said();
    say_ack(talk.number, talk.number - talk.link->own.first);
    tell();
    cr_assert_eq(talk.link->tx.in_flight, 0);
    cr_assert_eq(xc_link_held(talk.link), 100, "an ACK frees nothing");
    xt_world_free(talk.world);
}

Test(tx, what_is_lost_goes_again)
{
    begin(100);
    unsigned sent = hear_all();
    cr_assert_gt(sent, 5U);
    cr_assert_eq(hear_all(), 0);
    say(XC_TO);
    said();
    say_ack(talk.number, 0);
    tell();
    cr_assert_gt(hear_all(), sent - XC_LOSS_PACKETS - 1);
    xt_world_free(talk.world);
}

Test(tx, a_probe_asks_with_the_first_bytes)
{
    begin(100);
    unsigned sent = hear_all();
    cr_assert_gt(sent, 1U);
    for (int i = 0; i < 3; i++) {
        talk.world->now_us = xc_link_due_us(talk.link);
        cr_assert(hear());
        cr_assert_lt(frame_of(XC_PING), talk.tree.n);
        cr_assert_lt(frame_of(XC_ASK), talk.tree.n);
        size_t piece =
            frame_of(XC_RECORDS_LENGTH) < talk.tree.n ? frame_of(XC_RECORDS_LENGTH) : frame_of(XC_RECORDS);
        cr_assert_lt(piece, talk.tree.n);
        cr_assert_eq(xc_get(&talk.tree, piece, "offset"), 0);
        cr_assert_not(hear());
    }
    xt_world_free(talk.world);
}

Test(tx, a_fork_gives_the_rest_again_under_a_new_birth)
{
    begin(10);
    hear_all();
    uint64_t birth = talk.link->tx.stream[0].life[0].birth;
    for (int i = 0; i < 2; i++) {
        say(XC_TO);
        said();
        say_ack(talk.number, 0);
        say(XC_REFUSED);
        xc_set(&frame, "life", life_of());
        xc_set(&frame, "number", 4);
        xc_set(&frame, "code", XC_FORKED);
        said();
        tell();
        cr_assert_eq(xc_link_held(talk.link), 6, "fork %d", i);
        cr_assert_neq(talk.link->tx.stream[0].life[0].birth, birth);
        hear_all();
    }
    cr_assert_eq(xc_link_stopped(talk.link), 6, "a second fork within the hour stops the stream");
    xt_world_free(talk.world);
}

Test(tx, who_is_told_malformed_is_silent_for_a_minute)
{
    begin(10);
    cr_assert(hear());
    say(XC_TO);
    said();
    say(XC_REFUSED);
    xc_set(&frame, "code", XC_MALFORMED);
    said();
    tell();
    uint64_t muted_us = talk.world->now_us;
    cr_assert_eq(hear_all(), 0);
    cr_assert_geq(xc_link_due_us(talk.link), muted_us + XC_MUTE_US);
    talk.world->now_us = xc_link_due_us(talk.link);
    cr_assert(hear());
    xt_world_free(talk.world);
}

/* A peer that acknowledges nothing and makes the sender ask for ever. */
Test(tx, what_is_remembered_of_packets_has_a_bound)
{
    begin(100);
    hear_all();
    size_t before = xt_heap_bytes();
    for (int i = 0; i < 3 * XC_SENT_MAX; i++) {
        say(XC_TO);
        said();
        say(XC_UNBOUND);
        xc_set(&frame, "life", life_of());
        said();
        tell();
        cr_assert(hear());
    }
    cr_assert_leq(talk.link->tx.sent_n, (size_t)XC_SENT_MAX);
    cr_assert_lt(xt_heap_bytes() - before, 2 * XC_SENT_MAX * sizeof(struct xc_sent));
    say(XC_TO);
    said();
    say_stored(life_of(), 100, 256);
    tell();
    cr_assert_eq(xc_link_held(talk.link), 0);
    xt_world_free(talk.world);
}

Test(tx, a_run_falls_silent_at_its_limit)
{
    begin(1);
    talk.link->own.next = talk.link->own.first + XC_RUN_PACKETS - 2;
    talk.link->own.skip_at = 0;
    cr_assert(hear());
    talk.world->now_us += 10 * XC_TIMER_FIRST_US;
    cr_assert_not(hear());
    xt_world_free(talk.world);
}
