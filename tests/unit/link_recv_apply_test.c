/* Frames in their order; each type has its row. */
#include <criterion/criterion.h>

#include "link/state.h"
#include "link_puppet.h"

enum { LIFE_A = 0xa0a0a0a0, LIFE_B = 0xb0b0b0b0, BIRTH = 77 };

/* STREAM must come before what uses its life, in the same packet or an earlier one. */
Test(link_recv_apply, frames_count_in_their_order)
{
    struct puppet *p = puppet_new(1);

    puppet_open(p);
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "door");
    uint32_t number = p->number;
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(p->end.delivered_n, 0);
    cr_assert_not(puppet_acked(p, number));
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_send(p);
    cr_assert_eq(p->end.delivered_n, 1);
    puppet_end(p);
}

/* Several TOs: what stands under each is for the run it names, an unknown one hides only what is under it. */
Test(link_recv_apply, a_to_reaches_up_to_the_next)
{
    struct puppet *p = puppet_sender(2, 3);

    puppet_collect(p);
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_TO, .u.to = {.run_tag = 0x31313131}});
    puppet_stored(p, LIFE_A, 3, 64);
    puppet_to(p);
    puppet_stored(p, LIFE_A, 1, 64);
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_TO, .u.to = {.run_tag = 0x32323232}});
    puppet_stored(p, LIFE_A, 2, 64);
    puppet_send(p);
    cr_assert_eq(p->end.stored[0], 1);
    puppet_end(p);
}

/* All that a packet may hold at once, records from several lives and answers beside them. */
Test(link_recv_apply, everything_in_one_packet)
{
    struct puppet *p = puppet_sender(3, 3);

    puppet_collect(p);
    p->now_us += 1000;
    puppet_ack(p, p->end_number, p->end_number);
    puppet_stored(p, LIFE_A, 2, 64);
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_PATH_CHALLENGE, .u.path_challenge = {.value = 42}});
    puppet_stream(p, LIFE_A, 1, 0, BIRTH, "up");
    puppet_sixes(p, LIFE_A, 0, 12);
    puppet_stream(p, LIFE_B, 3, LIFE_A, BIRTH, "up");
    puppet_ask(p, LIFE_B);
    puppet_sixes(p, LIFE_B, 0, 6);
    puppet_send(p);
    cr_assert_eq(p->end.stored[0], 2);
    cr_assert_eq(p->end.delivered_n, 3);
    cr_assert(pl_link_is_proven(p->end.link));
    puppet_collect(p);
    const struct pl_frame *response = puppet_find(p, PL_FRAME_PATH_RESPONSE, 0);
    cr_assert(response != NULL && response->u.path_response.value == 42);
    cr_assert_eq(puppet_stored_of(p, LIFE_B), 0);
    puppet_end(p);
}

/* Of later kinds only the count is kept. */
Test(link_recv_apply, epochs_are_counted_and_left)
{
    struct puppet *p = puppet_new(4);
    struct pl_frame epoch = {.type = PL_FRAME_EPOCH, .u.epoch = {.number = 3}};

    puppet_open(p);
    puppet_frame(p, &epoch);
    puppet_frame(p, &(struct pl_frame){.type = PL_FRAME_EPOCH_OK, .u.epoch_ok = {.number = 3}});
    puppet_send(p);
    cr_assert_eq(p->end.env.drops[PL_DROP_LATER], 2);
    p->now_us += PL_ANSWER_DELAY_US;
    puppet_collect(p);
    cr_assert(puppet_acked(p, p->number - 1));
    puppet_end(p);
}

/* A challenge is answered at once, to where it came from, in the newest run. */
Test(link_recv_apply, a_challenge_is_answered_to_its_source)
{
    struct puppet *p = puppet_new(5);

    puppet_open(p);
    for (uint8_t at = 50; at < 53; at++) {
        p->from = side_route(at);
        struct pl_frame challenge = {.type = PL_FRAME_PATH_CHALLENGE, .u.path_challenge = {.value = at}};
        puppet_frame(p, &challenge);
        puppet_send(p);
        cr_assert_eq(puppet_collect(p), 1);
        cr_assert_eq(p->answers[0].route.bytes[0], at);
        cr_assert_eq(puppet_find(p, PL_FRAME_PATH_RESPONSE, 0)->u.path_response.value, at);
        cr_assert_eq(p->answers[0].n, PL_PACKET_OVERHEAD + 9);
    }
    puppet_end(p);
}
