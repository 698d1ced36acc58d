/* A line's state in memory: drafts, lives by position, ends of lives and stretches. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "store/outbox_state.h"

/* Two stretches: 0..100 cut at 60 (lives at 0, 30), then 80.. (lives at 80, 90), next at 120. */
static struct pl_line_state sample(void)
{
    struct pl_line_state state = {.next = {13, 120}};
    static const struct pl_stretch stretches[] = {
        {.stream = 2, .start = {9, 80}, .freed = {9, 80}},
        {.stream = 1, .start = {1, 0}, .end = {7, 60}, .freed = {1, 0}}};
    static const struct pl_given_life lives[] = {
        {3, 0, {9, 80}}, {4, 3, {10, 90}}, {1, 0, {1, 0}}, {2, 1, {4, 30}}};

    cr_assert_eq(pl_state_add_stretch(&state, 0, &stretches[0]), PL_OK);
    cr_assert_eq(pl_state_add_stretch(&state, 0, &stretches[1]), PL_OK);
    cr_assert_eq(pl_state_add_life(&state, 0, &lives[0]), PL_OK);
    cr_assert_eq(pl_state_add_life(&state, 1, &lives[1]), PL_OK);
    cr_assert_eq(pl_state_add_life(&state, 0, &lives[2]), PL_OK);
    cr_assert_eq(pl_state_add_life(&state, 1, &lives[3]), PL_OK);
    return state;
}

Test(store_outbox_line, where_lives_and_stretches_end)
{
    static const struct {
        uint64_t position;
        uint32_t tag;
        uint64_t end;
    } cases[] = {{0, 1, 30}, {29, 1, 30}, {30, 2, 60}, {59, 2, 60}, {80, 3, 90}, {90, 4, 120}, {119, 4, 120}};
    struct pl_line_state state = sample();

    cr_expect_eq(pl_stretch_end(&state, 0).position, 60);
    cr_expect_eq(pl_stretch_end(&state, 1).position, 120);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t life = pl_life_at(&state, cases[i].position);
        cr_assert_lt(life, state.lives_n);
        cr_expect_eq(state.lives[life].tag, cases[i].tag, "case %zu", i);
        cr_expect_eq(pl_life_end(&state, life).position, cases[i].end, "case %zu", i);
    }
    pl_state_del_life(&state, 0);
    cr_expect_eq(pl_life_at(&state, 10), state.lives_n);
    pl_state_del_stretch(&state, 0);
    cr_expect_eq(state.stretches_n, 1);
    cr_expect_eq(state.stretches[0].stream, 2);
    pl_line_state_clear(&state);
}

Test(store_outbox_line, drafts_become_the_state_or_vanish)
{
    struct pl_line line = {.link = 1, .now = sample()};
    struct pl_line *lines[] = {NULL, &line};
    struct pl_outbox outbox = {.lines = lines, .lines_n = 2};
    struct pl_line *found;
    size_t index;

    for (int keep = 0; keep < 2; keep++) {
        struct pl_line_state *draft = pl_line_draft(&line);
        cr_assert_eq(pl_line_draft(&line), draft);
        draft->next.number = 99;
        pl_state_del_stretch(draft, 0);
        cr_expect_eq(line.now.next.number, 13);
        cr_expect_eq(pl_outbox_find(&outbox, 1, 1, &found, &index), PL_OK);
        pl_outbox_settle(&outbox, keep);
        cr_expect_null(line.draft);
        cr_expect_eq(line.now.next.number, keep ? 99 : 13);
        cr_expect_eq(pl_outbox_find(&outbox, 1, 1, &found, &index), keep ? PL_E_NOT_FOUND : PL_OK);
        cr_expect_eq(pl_outbox_find(&outbox, 1, 2, &found, &index), PL_OK);
        cr_expect_eq(index, keep ? 0 : 1);
    }
    cr_expect_eq(pl_outbox_find(&outbox, 2, 2, &found, &index), PL_E_NOT_FOUND);
    pl_line_state_clear(&line.now);
}
