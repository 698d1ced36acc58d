/* A line's state in memory: its stretches and lives, and the drafts that transactions work on. */
#include <stdlib.h>
#include <string.h>

#include "store/outbox_state.h"

void pl_line_state_clear(struct pl_line_state *state)
{
    free(state->stretches);
    free(state->lives);
    *state = (struct pl_line_state){0};
}

/* A copy of n elements with room for one more; NULL without memory. */
static void *copy_array(const void *from, size_t n, size_t size)
{
    void *to = calloc(n + 1, size);

    if (to != NULL && n > 0) {
        memcpy(to, from, n * size);
    }
    return to;
}

struct pl_line_state *pl_line_clone(const struct pl_line_state *state)
{
    struct pl_line_state *clone = malloc(sizeof *clone);

    if (clone == NULL) {
        return NULL;
    }
    *clone = *state;
    clone->stretches = copy_array(state->stretches, state->stretches_n, sizeof *state->stretches);
    clone->lives = copy_array(state->lives, state->lives_n, sizeof *state->lives);
    if (clone->stretches == NULL || clone->lives == NULL) {
        pl_line_state_clear(clone);
        free(clone);
        return NULL;
    }
    return clone;
}

struct pl_line_state *pl_line_draft(struct pl_line *line)
{
    if (line->draft == NULL) {
        line->draft = pl_line_clone(&line->now);
        line->row_count = line->row_bytes = 0;
    }
    return line->draft;
}

void pl_outbox_settle(struct pl_outbox *outbox, bool keep)
{
    for (size_t i = 0; i < outbox->lines_n; i++) {
        struct pl_line *line = outbox->lines[i];
        if (line == NULL || line->draft == NULL) {
            continue;
        }
        if (keep) {
            pl_line_state_clear(&line->now);
            line->now = *line->draft;
            line->now.kept = true;
        } else {
            pl_line_state_clear(line->draft);
        }
        free(line->draft);
        free(line->row);
        line->draft = NULL;
        line->row = NULL;
        line->row_count = line->row_bytes = 0;
    }
}

struct pl_spot pl_stretch_end(const struct pl_line_state *state, size_t index)
{
    return index + 1 == state->stretches_n ? state->next : state->stretches[index].end;
}

size_t pl_life_at(const struct pl_line_state *state, uint64_t position)
{
    size_t low = 0, high = state->lives_n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (state->lives[middle].start.position <= position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? low - 1 : state->lives_n;
}

struct pl_spot pl_life_end(const struct pl_line_state *state, size_t life)
{
    uint64_t from = state->lives[life].start.position;
    struct pl_spot end = life + 1 < state->lives_n ? state->lives[life + 1].start : state->next;

    /* A stretch that was cut ends its last life, too: between it and the next one there may be records
     * already stored. */
    for (size_t i = 0; i < state->stretches_n; i++) {
        struct pl_spot stretch_end = pl_stretch_end(state, i);
        if (state->stretches[i].start.position <= from && stretch_end.position > from &&
            stretch_end.position < end.position) {
            end = stretch_end;
        }
    }
    return end;
}

/* Makes room at index `at` of an array; returns the array, or NULL without memory (then it stays as it is).
 */
static void *open_gap(void *array, size_t n, size_t size, size_t at)
{
    uint8_t *p = realloc(array, (n + 1) * size);

    if (p != NULL) {
        memmove(p + (at + 1) * size, p + at * size, (n - at) * size);
    }
    return p;
}

enum pl_error pl_state_add_stretch(struct pl_line_state *state, size_t at, const struct pl_stretch *stretch)
{
    struct pl_stretch *p = open_gap(state->stretches, state->stretches_n, sizeof *p, at);

    if (p == NULL) {
        return PL_E_NO_MEMORY;
    }
    state->stretches = p;
    state->stretches_n++;
    p[at] = *stretch;
    return PL_OK;
}

enum pl_error pl_state_add_life(struct pl_line_state *state, size_t at, const struct pl_given_life *life)
{
    struct pl_given_life *p = open_gap(state->lives, state->lives_n, sizeof *p, at);

    if (p == NULL) {
        return PL_E_NO_MEMORY;
    }
    state->lives = p;
    state->lives_n++;
    p[at] = *life;
    return PL_OK;
}

void pl_state_del_stretch(struct pl_line_state *state, size_t at)
{
    state->stretches_n--;
    memmove(state->stretches + at, state->stretches + at + 1,
            (state->stretches_n - at) * sizeof *state->stretches);
}

void pl_state_del_life(struct pl_line_state *state, size_t at)
{
    state->lives_n--;
    memmove(state->lives + at, state->lives + at + 1, (state->lives_n - at) * sizeof *state->lives);
}

enum pl_error pl_outbox_find(const struct pl_outbox *outbox, uint32_t link, uint32_t stream,
                             struct pl_line **line, size_t *index)
{
    for (size_t i = 0; i < outbox->lines_n; i++) {
        struct pl_line *candidate = outbox->lines[i];
        if (candidate == NULL || candidate->link != link) {
            continue;
        }
        for (size_t k = 0; k < candidate->now.stretches_n; k++) {
            if (candidate->now.stretches[k].stream == stream) {
                *line = candidate;
                *index = k;
                return PL_OK;
            }
        }
    }
    return PL_E_NOT_FOUND;
}
