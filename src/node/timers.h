/*
 * The deadlines of a shard: one timer a link, the earliest first.
 *
 * A four-ary heap of (time, timer). A timer is a member of what it wakes, and knows its place, so that it can
 * be moved or taken out in O(log n). 16 B each while set, nothing while not.
 */
#ifndef PL_NODE_TIMERS_H
#define PL_NODE_TIMERS_H

#include <stddef.h>
#include <stdint.h>

#include "link/link_types.h"

enum { PL_TIMER_UNSET = 0 };

struct pl_timer {
    size_t place; /* in the heap, from 1; PL_TIMER_UNSET when not set. A zeroed timer is not set */
};

struct pl_timers {
    struct pl_timer_entry {
        uint64_t at_us;
        struct pl_timer *timer;
    } * heap;
    size_t n, room;
};

/* A zeroed struct pl_timers is empty. Frees the heap; timers still set are forgotten. */
void pl_timers_close(struct pl_timers *timers);

/* Sets or moves a timer. PL_OK, or PL_E_NO_MEMORY (only for one that was not set; it stays so). */
enum pl_error pl_timers_set(struct pl_timers *timers, struct pl_timer *timer, uint64_t at_us);

/* Takes a timer out; one that is not set is fine. */
void pl_timers_unset(struct pl_timers *timers, struct pl_timer *timer);

/* When a timer is set for; UINT64_MAX if it is not. */
uint64_t pl_timers_at(const struct pl_timers *timers, const struct pl_timer *timer);

/* The time of the earliest; UINT64_MAX if none is set. */
uint64_t pl_timers_next_us(const struct pl_timers *timers);

/* Takes out and returns the earliest timer if its time has come; NULL if not. */
struct pl_timer *pl_timers_pop(struct pl_timers *timers, uint64_t now_us);

#endif
