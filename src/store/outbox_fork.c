/* A fork: the peer knows a life otherwise than this outbox does (a restored or cloned device). What it cannot
 * take goes again as a new birth.
 *
 * Before: one stretch, lives A and L, the peer refused L after its number n.
 *
 *     | A ........ | L .... n | n+1 ... (later lives) ......... |
 *     | old birth, | stored,  | new birth: one life, from       |
 *     | held       | garbage  | number 1, offset 0              |
 *
 * No record moves: stretches and lives are rewritten in one transaction, so a crash leaves it before or
 * after.
 */
#include <inttypes.h>

#include "store/outbox_tables.h"

/* What is asked, in the line's own numbers. */
struct fork {
    struct pl_outbox *outbox;
    struct pl_line *line;
    MDB_txn *txn;
    size_t index;              /* the stretch */
    struct pl_given_life life; /* the one refused */
    struct pl_spot cut;        /* first record that goes again */
    uint64_t birth;
    uint32_t tag;
    uint32_t stream_new;
};

/* Index of the life with that tag in the stretch; lives_n if there is none. */
static size_t find_life(const struct pl_line_state *state, size_t index, uint32_t tag)
{
    uint64_t start = state->stretches[index].start.position;
    uint64_t end = pl_stretch_end(state, index).position;

    for (size_t i = 0; i < state->lives_n; i++) {
        uint64_t position = state->lives[i].start.position;
        if (state->lives[i].tag == tag && position >= start && position < end) {
            return i;
        }
    }
    return state->lives_n;
}

/* Number of the first record that goes again. */
static uint64_t cut_number(const struct pl_line_state *state, size_t index, size_t life, uint64_t last)
{
    const struct pl_stretch *stretch = &state->stretches[index];
    uint64_t first = state->lives[life].start.number;
    uint64_t end = pl_life_end(state, life).number;
    uint64_t number = last < end ? stretch->start.number + last : end;

    number = number < first ? first : number > end ? end : number;
    return number < stretch->stored_number ? stretch->stored_number : number;
}

static enum pl_error find_cut(struct fork *fork, uint64_t number)
{
    const struct pl_line_state *state = &fork->line->now;
    MDB_cursor *cursor;
    enum pl_error error =
        pl_env_error(mdb_cursor_open(fork->txn, pl_env_table(fork->outbox->env, PL_O_ROWS), &cursor));

    if (error == PL_OK) {
        error = pl_held_locate(cursor, fork->line, state->stretches[fork->index].freed,
                               pl_stretch_end(state, fork->index), number, &fork->cut);
        mdb_cursor_close(cursor);
    }
    return error;
}

/* Ends the old stretch before the refused life, or forgets it if nothing before that is held. */
static enum pl_error end_old(struct fork *fork)
{
    struct pl_stretch *old = &fork->line->draft->stretches[fork->index];

    if (old->stored_number < fork->life.start.number) {
        old->end = fork->life.start;
        fork->index++;
        return pl_stretch_put(fork->outbox->env, fork->txn, fork->line, old);
    }
    return pl_stretch_forget(fork->outbox, fork->txn, fork->line, fork->index);
}

/* Deletes the refused life and those after it in the stretch. */
static enum pl_error delete_lives(struct fork *fork)
{
    struct pl_line_state *draft = fork->line->draft;
    uint64_t end = pl_stretch_end(draft, fork->index).position;
    enum pl_error error = PL_OK;

    for (size_t i = draft->lives_n; i > 0 && error == PL_OK; i--) {
        uint64_t position = draft->lives[i - 1].start.position;
        if (position >= fork->life.start.position && position < end) {
            error = pl_life_del(fork->outbox->env, fork->txn, fork->line, position);
            pl_state_del_life(draft, i - 1);
        }
    }
    return error;
}

static uint32_t take_stream(struct pl_outbox *outbox, uint32_t link)
{
    for (size_t i = 0; i < outbox->links_n; i++) {
        if (outbox->links[i].link == link) {
            return outbox->links[i].next_stream++;
        }
    }
    return 0;
}

static enum pl_error begin_new(struct fork *fork, struct pl_spot end)
{
    struct pl_line_state *draft = fork->line->draft;
    const struct pl_given_life life = {.tag = fork->tag, .start = fork->cut};
    struct pl_stretch stretch = {.birth = fork->birth, .start = fork->cut, .end = end, .freed = fork->cut};
    size_t at = 0;
    enum pl_error error;

    stretch.stored_number = fork->cut.number;
    stretch.stream = fork->stream_new = take_stream(fork->outbox, fork->line->link);
    draft->next_stream = stretch.stream + 1;
    while (at < draft->lives_n && draft->lives[at].start.position < fork->cut.position) {
        at++;
    }
    error = pl_state_add_life(draft, at, &life);
    error = error != PL_OK ? error : pl_state_add_stretch(draft, fork->index, &stretch);
    error = error != PL_OK ? error : pl_stretch_put(fork->outbox->env, fork->txn, fork->line, &stretch);
    return error != PL_OK ? error : pl_life_put(fork->outbox->env, fork->txn, fork->line, &life);
}

static enum pl_error rewrite(struct fork *fork, uint64_t wall_ms)
{
    struct pl_line_state *draft = pl_line_draft(fork->line);
    bool newest;
    struct pl_spot end;
    enum pl_error error;

    if (draft == NULL) {
        return PL_E_NO_MEMORY;
    }
    newest = fork->index + 1 == draft->stretches_n;
    end = newest ? (struct pl_spot){0} : draft->stretches[fork->index].end;
    error = delete_lives(fork);
    error = error != PL_OK ? error : end_old(fork);
    error = error != PL_OK ? error : begin_new(fork, end);
    draft->forked_ms = wall_ms;
    draft->garbage = true;
    return error != PL_OK ? error : pl_outbox_line_put(fork->outbox->env, fork->txn, fork->line, draft);
}

/* What may not be forked now; the reason says why. */
static enum pl_error check(const struct fork *fork, uint64_t wall_ms, struct pl_text *reason)
{
    const struct pl_line_state *state = &fork->line->now;

    /* A clock set back must not hold a fork up for years: then the hour counts as over. */
    if (state->forked_ms > 0 && wall_ms >= state->forked_ms &&
        wall_ms - state->forked_ms < PL_FORK_INTERVAL_US / 1000) {
        pl_text_set(
            reason,
            "stream %.*s: forked twice within an hour: is this outbox or its key in use on two machines?",
            (int)fork->line->name_size, (const char *)fork->line->name);
        return PL_E_AGAIN;
    }
    if (state->stretches_n >= PL_BIRTHS_MAX) {
        pl_text_set(reason, "stream %.*s: %d births hold records already", (int)fork->line->name_size,
                    (const char *)fork->line->name, (int)PL_BIRTHS_MAX);
        return PL_E_LIMIT;
    }
    for (size_t i = 0; i < state->lives_n; i++) {
        if (state->lives[i].tag == fork->tag) {
            pl_text_set(reason, "life %08" PRIx32 " is held already: draw another", fork->tag);
            return PL_E_EXISTS;
        }
    }
    return PL_OK;
}

static enum pl_error fork_at(struct fork *fork, uint64_t number, uint64_t wall_ms, struct pl_text *reason)
{
    enum pl_error error = check(fork, wall_ms, reason);

    error = error != PL_OK ? error : pl_env_begin(fork->outbox->env, &fork->txn, reason);
    if (error != PL_OK) {
        return error;
    }
    error = find_cut(fork, number);
    if (error == PL_E_STORE_DAMAGED) {
        pl_text_set(reason, "stream %.*s: the row at the fork is damaged: drop it first",
                    (int)fork->line->name_size, (const char *)fork->line->name);
    }
    error = error != PL_OK ? error : rewrite(fork, wall_ms);
    return pl_outbox_finish(fork->outbox, fork->txn, error, reason);
}

enum pl_error pl_outbox_forked(struct pl_outbox *outbox, uint32_t link, uint32_t stream, uint32_t life,
                               uint64_t last, uint64_t birth, uint32_t tag, uint64_t wall_ms,
                               uint32_t *stream_new, struct pl_text *reason)
{
    struct fork fork = {.outbox = outbox, .birth = birth, .tag = tag};
    struct pl_line_state *state;
    uint64_t number;
    size_t found;
    enum pl_error error = !outbox->giving && tag != 0 ? PL_OK : PL_E_USAGE;

    *stream_new = 0;
    error = error != PL_OK ? error : pl_outbox_find(outbox, link, stream, &fork.line, &fork.index);
    if (error != PL_OK) {
        return error;
    }
    state = &fork.line->now;
    found = find_life(state, fork.index, life);
    if (found == state->lives_n ||
        pl_life_end(state, found).number <= state->stretches[fork.index].stored_number) {
        return PL_OK;
    }
    fork.life = state->lives[found];
    number = cut_number(state, fork.index, found, last);
    if (number >= pl_stretch_end(state, fork.index).number) {
        /* Everything given is stored there: nothing goes again. */
        return PL_OK;
    }
    error = fork_at(&fork, number, wall_ms, reason);
    *stream_new = error == PL_OK ? fork.stream_new : 0;
    return error;
}
