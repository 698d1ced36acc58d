/* Tests of what crosscheck/engine answers to single frames: rx.c, rx_bind.c, answer.c, against somebody who
 * has the keys and speaks frame by frame. */
#include "world.h"

#include <criterion/criterion.h>
#include <string.h>

enum { LIFE = 7, BIRTH = 99, VALUES = 4096 };

/* The engine's link under test is side 1's; who speaks is `peer`. */
struct talk {
    struct xt_world *world;
    struct xt_insider peer;
    struct xc_payload say;
    uint8_t heard[2048];
    struct xc_value values[VALUES];
    struct xc_tree tree; /* the answer's frames */
    const char *dropped;
};

static void begin(struct talk *talk, uint64_t record_max_bytes)
{
    memset(talk, 0, sizeof *talk);
    talk->world = xt_world_new(1, XC_SUITE_AES, XC_SUITE_AES);
    talk->world->side[1].config.peer = (struct xc_address){0};
    talk->world->side[1].config.record_max_bytes = record_max_bytes;
    xt_forget(talk->world, 1);
    xt_insider_begin(&talk->peer, false, XC_SUITE_AES, UINT64_C(0x1122334455667788));
    talk->say.room = XC_PAYLOAD_BYTES;
}

static void say_stream(struct talk *talk, uint32_t life, uint64_t first, uint32_t before, uint64_t birth,
                       char name)
{
    struct xc_maker frame;
    uint8_t bytes = (uint8_t)name;

    xc_make_frame(&frame, XC_STREAM);
    xc_set(&frame, "life", life);
    xc_set(&frame, "first_number", first);
    xc_set(&frame, "life_before", before);
    xc_set(&frame, "birth", birth);
    xc_set_bytes(&frame, "name", &bytes, 1);
    cr_assert(xc_put(&talk->say, &frame));
}

static void say_piece(struct talk *talk, uint32_t life, uint64_t offset, const void *bytes, size_t n)
{
    struct xc_maker frame;

    xc_make_frame(&frame, XC_RECORDS_LENGTH);
    xc_set(&frame, "life", life);
    xc_set(&frame, "offset", offset);
    xc_set_bytes(&frame, "bytes", bytes, n);
    cr_assert(xc_put(&talk->say, &frame));
}

static void say_gap(struct talk *talk, uint32_t life, uint64_t upto, uint64_t offset)
{
    struct xc_maker frame;

    xc_make_frame(&frame, XC_GAP);
    xc_set(&frame, "life", life);
    xc_set(&frame, "upto", upto);
    xc_set(&frame, "offset", offset);
    cr_assert(xc_put(&talk->say, &frame));
}

/* Sends what was said and reads the one packet that answers it, if there is one. */
static void ask(struct talk *talk)
{
    struct xc_link *link = talk->world->side[1].link;
    uint8_t datagram[2048];
    struct xc_address from = talk->world->side[0].address, to;

    size_t n = xt_insider_seal(&talk->peer, talk->say.bytes, talk->say.n, datagram);
    talk->dropped = xc_link_receive(link, talk->world->now_us, &from, datagram, n);
    xc_link_commit(link);
    talk->tree = (struct xc_tree){talk->values, VALUES, 0};
    n = xc_link_send(link, talk->world->now_us, datagram, &to);
    if (n > 0) {
        n = xt_insider_open(&talk->peer, datagram, n, talk->heard);
        cr_assert_gt(n, 0U);
        cr_assert_eq(xc_parse(talk->heard, n, &talk->tree), XC_OK);
    }
    talk->say = (struct xc_payload){.room = XC_PAYLOAD_BYTES};
}

/* The place of the answer's frame of a type, and for a life if that is not 0; SIZE_MAX: there is none. */
static size_t frame_of(const struct talk *talk, enum xc_frame_type type, uint32_t life)
{
    for (size_t place = 0; place < talk->tree.n; place = talk->values[place].next)
        if (talk->values[place].number == type && (life == 0 || xc_get(&talk->tree, place, "life") == life))
            return place;
    return SIZE_MAX;
}

static bool answered(const struct talk *talk, enum xc_frame_type type, uint32_t life)
{
    return frame_of(talk, type, life) != SIZE_MAX;
}

/* Whether the answer acknowledges the packet that asked for it. */
static bool acknowledged(const struct talk *talk)
{
    size_t place = frame_of(talk, XC_ACK, 0);

    return place != SIZE_MAX && xc_get(&talk->tree, place, "largest") == talk->peer.number - 1;
}

static void expect_stored(const struct talk *talk, uint32_t life, uint64_t number)
{
    size_t place = frame_of(talk, XC_STORED, life);

    cr_assert_neq(place, SIZE_MAX, "no STORED for life %u", life);
    cr_assert_eq(xc_get(&talk->tree, place, "number"), number);
}

static void expect_refused(const struct talk *talk, uint32_t life, uint64_t number, uint64_t code)
{
    size_t place = frame_of(talk, XC_REFUSED, life);

    cr_assert_neq(place, SIZE_MAX, "no REFUSED for life %u", life);
    cr_assert_eq(xc_get(&talk->tree, place, "code"), code);
    cr_assert_eq(xc_get(&talk->tree, place, "number"), number);
}

/* The first record of stream 0 as the judge expects it, framed. */
static size_t framed(uint64_t number, uint8_t *out, size_t room)
{
    struct xt_world *world = xt_world_new(1, XC_SUITE_AES, XC_SUITE_AES);

    for (uint64_t i = 0; i < number; i++)
        xt_give(world, 0, 0);
    const struct xc_tx_life *life = &world->side[0].link->tx.stream[0].life[0];
    cr_assert_leq(life->n, room);
    memcpy(out, life->bytes, life->n);
    size_t n = life->n;
    xt_world_free(world);
    return n;
}

static struct talk talk;

Test(rx, a_piece_of_an_unknown_life_is_left_and_told_unbound)
{
    begin(&talk, 0);
    say_piece(&talk, LIFE, 0, "\1x", 2);
    ask(&talk);
    cr_assert_str_empty(talk.dropped);
    cr_assert(answered(&talk, XC_UNBOUND, LIFE));
    cr_assert_not(acknowledged(&talk), "what was left is not acknowledged");
    xt_world_free(talk.world);
}

Test(rx, records_in_any_order_and_twice_are_delivered_once)
{
    uint8_t bytes[4000];
    size_t n = framed(5, bytes, sizeof bytes);

    begin(&talk, 0);
    say_stream(&talk, LIFE, 1, 0, BIRTH, 0);
    say_piece(&talk, LIFE, n / 2, bytes + n / 2, n - n / 2);
    ask(&talk);
    expect_stored(&talk, LIFE, 0);
    cr_assert(acknowledged(&talk));
    say_piece(&talk, LIFE, 0, bytes, n / 2 + 1);
    ask(&talk);
    expect_stored(&talk, LIFE, 5);
    say_piece(&talk, LIFE, 1, bytes + 1, n - 1);
    ask(&talk);
    expect_stored(&talk, LIFE, 5);
    cr_assert_eq(talk.world->side[1].taken, 5);
    xt_world_free(talk.world);
}

/* The first piece ends within a record; the second says all again, from what was taken on. */
Test(rx, a_piece_that_begins_in_what_was_taken_goes_on_behind_it)
{
    uint8_t bytes[4000];
    size_t n = framed(5, bytes, sizeof bytes);

    for (size_t cut = 1; cut < n; cut++) {
        begin(&talk, 0);
        say_stream(&talk, LIFE, 1, 0, BIRTH, 0);
        say_piece(&talk, LIFE, 0, bytes, cut);
        ask(&talk);
        say_piece(&talk, LIFE, 0, bytes, n);
        ask(&talk);
        expect_stored(&talk, LIFE, 5);
        cr_assert_eq(talk.world->side[1].taken, 5, "cut at %zu", cut);
        xt_world_free(talk.world);
    }
}

Test(rx, lives_follow_wait_or_fork)
{
    begin(&talk, 0);
    talk.world->record_max = 0;
    say_stream(&talk, LIFE, 1, 0, BIRTH, 0);
    say_piece(&talk, LIFE, 0, "\0\0", 2);
    ask(&talk);
    expect_stored(&talk, LIFE, 2);
    say_stream(&talk, 8, 3, LIFE, BIRTH, 0);
    say_piece(&talk, 8, 0, "\0", 1);
    ask(&talk);
    expect_stored(&talk, 8, 3);
    say_stream(&talk, 9, 6, 8, BIRTH, 0);
    say_piece(&talk, 9, 0, "\0", 1);
    ask(&talk);
    expect_stored(&talk, 9, 0);
    cr_assert_eq(talk.world->side[1].taken, 3, "a life that begins later waits");
    say_stream(&talk, 10, 4, LIFE, BIRTH, 0);
    say_piece(&talk, 10, 0, "\0", 1);
    ask(&talk);
    expect_refused(&talk, 10, 0, XC_FORKED);
    say_piece(&talk, LIFE, 2, "\0", 1);
    ask(&talk);
    expect_refused(&talk, LIFE, 2, XC_FORKED);
    say_stream(&talk, 8, 4, LIFE, BIRTH, 0);
    ask(&talk);
    expect_refused(&talk, 8, 0, XC_FORKED);
    cr_assert_eq(talk.world->side[1].taken, 3);
    xt_world_free(talk.world);
}

Test(rx, what_no_record_may_be_is_refused)
{
    static const struct {
        const char *bytes;
        size_t n;
        uint64_t code;
    } bad[] = {{"\0\x40\x3f", 3, XC_FRAMING},
               {"\0\x80\x00\x3f\xff", 5, XC_FRAMING},
               {"\0\x43\xe9", 3, XC_TOO_LARGE},
               {"\0\xff\xff\xff\xff\xff\xff\xff\xff", 9, XC_TOO_LARGE}};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        begin(&talk, 1000);
        talk.world->record_max = 0;
        say_stream(&talk, LIFE, 1, 0, BIRTH, 0);
        say_piece(&talk, LIFE, 0, bad[i].bytes, bad[i].n);
        ask(&talk);
        expect_stored(&talk, LIFE, 1);
        expect_refused(&talk, LIFE, 2, bad[i].code);
        cr_assert_eq(talk.world->side[1].taken, 1);
        xt_world_free(talk.world);
    }
}

Test(rx, malformed_is_told_once_a_second_and_never_acknowledged)
{
    begin(&talk, 0);
    for (int i = 0; i < 6; i++) {
        talk.say.n = 1;
        talk.say.bytes[0] = 0x3f;
        ask(&talk);
        cr_assert_str_eq(talk.dropped, "MALFORMED");
        cr_assert_eq(answered(&talk, XC_REFUSED, 0), i % 3 == 0, "packet %d", i);
        cr_assert_not(acknowledged(&talk));
        talk.world->now_us += 400000;
    }
    talk.say.n = 0;
    ask(&talk);
    cr_assert_str_eq(talk.dropped, "MALFORMED", "a payload without a frame");
    xt_world_free(talk.world);
}

Test(rx, a_gap_counts_from_a_proven_run_alone)
{
    struct xc_maker response;

    begin(&talk, 0);
    talk.world->record_max = 0;
    talk.world->by_number = true;
    say_stream(&talk, LIFE, 1, 0, BIRTH, 0);
    say_gap(&talk, LIFE, 5, 40);
    ask(&talk);
    cr_assert_eq(talk.world->side[1].lost, 0);
    size_t challenge = frame_of(&talk, XC_PATH_CHALLENGE, 0);
    cr_assert_neq(challenge, SIZE_MAX);
    uint64_t value = xc_get(&talk.tree, challenge, "value");
    for (int right = 0; right < 2; right++) {
        xc_make_frame(&response, XC_PATH_RESPONSE);
        xc_set(&response, "value", right ? value : value + 1);
        cr_assert(xc_put(&talk.say, &response));
        say_gap(&talk, LIFE, 5, 40);
        ask(&talk);
        cr_assert_eq(talk.world->side[1].lost, right ? 5 : 0);
    }
    say_piece(&talk, LIFE, 40, "\0", 1);
    ask(&talk);
    expect_stored(&talk, LIFE, 6);
    xt_world_free(talk.world);
}

Test(rx, streams_and_births_have_limits)
{
    begin(&talk, 0);
    for (uint32_t i = 1; i <= XC_STREAMS_MAX + 1; i++) {
        say_stream(&talk, i, 1, 0, i, (char)i);
        ask(&talk);
        cr_assert_eq(answered(&talk, XC_REFUSED, i), i > XC_STREAMS_MAX, "stream %u", i);
    }
    expect_refused(&talk, XC_STREAMS_MAX + 1, 0, XC_REFUSED_LIMIT);
    for (uint32_t i = XC_STREAMS_MAX + 1; i <= XC_BIRTHS_MAX + 1; i++) {
        say_stream(&talk, 1000 + i, 1, 0, i, 1);
        ask(&talk);
        cr_assert_eq(answered(&talk, XC_REFUSED, 1000 + i), i > XC_BIRTHS_MAX, "birth %u", i);
    }
    xt_world_free(talk.world);
}

/* Pieces far ahead in as many lives as may wait: refused before they fill the machine's memory. */
Test(rx, memory_has_a_bound)
{
    enum { LIVES = 16 * XC_STREAMS_MAX, BOUND = XC_HELD_ALL_MAX + (8 << 20) };
    size_t before, left = 0;

    begin(&talk, 0);
    say_stream(&talk, LIVES + 2, 2, LIVES + 1, 1, 0);
    say_piece(&talk, LIVES + 2, XC_HELD_MAX, "x", 1);
    ask(&talk);
    cr_assert_not(acknowledged(&talk), "beyond what one life may hold");
    before = xt_heap_bytes();
    for (uint32_t i = 0; i < LIVES; i++) {
        say_stream(&talk, i + 1, 2 + i / XC_STREAMS_MAX, LIVES + 1, i % XC_STREAMS_MAX + 1,
                   (char)(i % XC_STREAMS_MAX));
        say_piece(&talk, i + 1, XC_HELD_MAX - 1, "x", 1);
        ask(&talk);
        left += !acknowledged(&talk);
        cr_assert_lt(xt_heap_bytes() - before, (size_t)BOUND, "life %u", i);
    }
    cr_assert_gt(left, (size_t)LIVES / 2);
    cr_assert_lt(left, (size_t)LIVES);
    xt_world_free(talk.world);
}

/* Every second byte: the holes of a life are counted, and what is next in order is taken all the same. */
Test(rx, holes_have_a_bound)
{
    static const uint8_t zeros[4 * XC_HOLES_MAX];

    begin(&talk, 0);
    talk.world->record_max = 0;
    say_stream(&talk, LIFE, 1, 0, BIRTH, 0);
    ask(&talk);
    for (uint64_t offset = 1; offset < sizeof zeros; offset += 2) {
        say_piece(&talk, LIFE, offset, "", 1);
        if (offset % 64 == 63)
            ask(&talk);
    }
    cr_assert_leq(talk.world->side[1].link->rx.stream[0].waiting[0].came.n, (size_t)XC_HOLES_MAX + 1);
    for (size_t at = 0; at < sizeof zeros; at += 1024) {
        say_piece(&talk, LIFE, at, zeros, 1024);
        ask(&talk);
    }
    expect_stored(&talk, LIFE, sizeof zeros);
    cr_assert_eq(talk.world->side[1].taken, sizeof zeros);
    xt_world_free(talk.world);
}
