/* REFUSED and UNBOUND on their way: one entry a life, few of them, each to who asked. */
#include <criterion/criterion.h>

#include "link_puppet.h"
#include "link/state.h"

enum { LIFE_A = 0xa0a0a0a0 };

Test(link_recv_due, one_entry_a_life_and_eight_in_all)
{
    struct puppet *p = puppet_new(1);

    puppet_open(p);
    for (uint32_t i = 0; i < 20; i++) {
        puppet_sixes(p, LIFE_A + i % 12, 0, 6);
        puppet_send(p);
    }
    cr_assert_eq(p->end.link->rx.due_n, PL_REFUSALS_DUE);
    p->now_us += PL_ANSWER_DELAY_US;
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_UNBOUND), PL_REFUSALS_DUE);
    cr_assert_eq(p->end.link->rx.due_n, 0);
    puppet_ask(p, LIFE_A + 11); /* what had no place is brought back by ASK */
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_find(p, PL_FRAME_UNBOUND, 0)->u.unbound.life, LIFE_A + 11);
    puppet_end(p);
}

/* The later word on a life replaces the earlier one. */
Test(link_recv_due, the_last_word_counts)
{
    struct puppet *p = puppet_new(2);

    puppet_open(p);
    puppet_sixes(p, LIFE_A, 0, 6); /* unbound */
    puppet_send(p);
    p->end.env.paused = true;
    puppet_stream(p, LIFE_A, 1, 0, 77, "door");
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_ping(p);
    puppet_send(p);
    puppet_collect(p);
    cr_assert_eq(puppet_count(p, PL_FRAME_UNBOUND), 0);
    cr_assert_eq(puppet_refused_of(p, LIFE_A, NULL), PL_REFUSAL_PAUSED);
    puppet_end(p);
}

/* Each goes to where its packet came from. */
Test(link_recv_due, each_to_its_address)
{
    struct puppet *p = puppet_new(3);
    uint64_t first = p->run;

    puppet_open(p);
    p->from = side_route(40);
    puppet_sixes(p, LIFE_A, 0, 6);
    puppet_send(p);
    puppet_new_run(p);
    cr_assert_neq(p->run, first);
    p->from = side_route(41);
    puppet_sixes(p, LIFE_A + 1, 0, 6);
    puppet_send(p);
    p->now_us += PL_ANSWER_DELAY_US;
    puppet_collect(p);
    cr_assert_eq(p->answers_n, 2);
    for (unsigned a = 0; a < 2; a++) {
        uint32_t want = p->answers[a].route.bytes[0] == 40 ? LIFE_A : LIFE_A + 1;
        for (unsigned f = 0; f < p->answers[a].payload.count; f++) {
            const struct pl_frame *frame = &p->answers[a].payload.frames[f];
            cr_assert(frame->type != PL_FRAME_UNBOUND || frame->u.unbound.life == want);
        }
    }
    cr_assert_neq(p->answers[0].route.bytes[0], p->answers[1].route.bytes[0]);
    puppet_end(p);
}
