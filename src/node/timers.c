/* The heap of deadlines: see timers.h. */
#include "node/timers.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WAYS = 4, ROOM_MIN = 64 };

void pl_timers_close(struct pl_timers *timers)
{
    free(timers->heap);
    *timers = (struct pl_timers){0};
}

/* Gives the heap room for `n` entries: doubles when full, halves when three quarters are empty. */
static bool fit(struct pl_timers *timers, size_t n)
{
    size_t room = timers->room;

    if (n > room)
        room = room ? room * 2 : ROOM_MIN;
    else if (room > ROOM_MIN && n < room / WAYS)
        room /= 2;
    else
        return true;
    struct pl_timer_entry *heap = realloc(timers->heap, room * sizeof *heap);
    if (!heap)
        return n <= timers->room;
    timers->heap = heap;
    timers->room = room;
    return true;
}

static void put(struct pl_timers *timers, size_t at, struct pl_timer_entry entry)
{
    timers->heap[at] = entry;
    entry.timer->place = at + 1;
}

static void sift_up(struct pl_timers *timers, size_t at, struct pl_timer_entry entry)
{
    while (at > 0) {
        size_t parent = (at - 1) / WAYS;
        if (timers->heap[parent].at_us <= entry.at_us)
            break;
        put(timers, at, timers->heap[parent]);
        at = parent;
    }
    put(timers, at, entry);
}

static size_t earliest_child(const struct pl_timers *timers, size_t at)
{
    size_t first = at * WAYS + 1, best = first;

    for (size_t i = first + 1; i < first + WAYS && i < timers->n; i++)
        if (timers->heap[i].at_us < timers->heap[best].at_us)
            best = i;
    return best;
}

static void sift_down(struct pl_timers *timers, size_t at, struct pl_timer_entry entry)
{
    while (at * WAYS + 1 < timers->n) {
        size_t child = earliest_child(timers, at);
        if (timers->heap[child].at_us >= entry.at_us)
            break;
        put(timers, at, timers->heap[child]);
        at = child;
    }
    put(timers, at, entry);
}

static void settle(struct pl_timers *timers, size_t at, struct pl_timer_entry entry)
{
    if (at > 0 && timers->heap[(at - 1) / WAYS].at_us > entry.at_us)
        sift_up(timers, at, entry);
    else
        sift_down(timers, at, entry);
}

enum pl_error pl_timers_set(struct pl_timers *timers, struct pl_timer *timer, uint64_t at_us)
{
    struct pl_timer_entry entry = {at_us, timer};

    if (timer->place != PL_TIMER_UNSET) {
        settle(timers, timer->place - 1, entry);
        return PL_OK;
    }
    if (!fit(timers, timers->n + 1))
        return PL_E_NO_MEMORY;
    timers->n++;
    sift_up(timers, timers->n - 1, entry);
    return PL_OK;
}

void pl_timers_unset(struct pl_timers *timers, struct pl_timer *timer)
{
    if (timer->place == PL_TIMER_UNSET)
        return;
    size_t at = timer->place - 1;
    assert(at < timers->n && timers->heap[at].timer == timer);
    timer->place = PL_TIMER_UNSET;
    timers->n--;
    struct pl_timer_entry last = timers->heap[timers->n];
    if (at < timers->n)
        settle(timers, at, last);
    (void)fit(timers, timers->n);
}

uint64_t pl_timers_at(const struct pl_timers *timers, const struct pl_timer *timer)
{
    return timer->place == PL_TIMER_UNSET ? UINT64_MAX : timers->heap[timer->place - 1].at_us;
}

uint64_t pl_timers_next_us(const struct pl_timers *timers)
{
    return timers->n ? timers->heap[0].at_us : UINT64_MAX;
}

struct pl_timer *pl_timers_pop(struct pl_timers *timers, uint64_t now_us)
{
    if (timers->n == 0 || timers->heap[0].at_us > now_us)
        return NULL;
    struct pl_timer *timer = timers->heap[0].timer;
    pl_timers_unset(timers, timer);
    return timer;
}
