/* A binary heap of the devices that are awake, by when they are due. */
#include "fleet.h"

#include "engine/memory.h"

static void put(struct fleet_timers *timers, size_t place, struct fleet_flight *flight)
{
    timers->heap[place] = flight;
    flight->place = place;
}

static void rise(struct fleet_timers *timers, struct fleet_flight *flight)
{
    size_t place = flight->place;

    while (place > 0 && timers->heap[(place - 1) / 2]->due_us > flight->due_us) {
        put(timers, place, timers->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(timers, place, flight);
}

static void sink(struct fleet_timers *timers, struct fleet_flight *flight)
{
    size_t place = flight->place;

    for (size_t child = 2 * place + 1; child < timers->n; child = 2 * place + 1) {
        if (child + 1 < timers->n && timers->heap[child + 1]->due_us < timers->heap[child]->due_us)
            child++;
        if (timers->heap[child]->due_us >= flight->due_us)
            break;
        put(timers, place, timers->heap[child]);
        place = child;
    }
    put(timers, place, flight);
}

void fleet_timers_moved(struct fleet_timers *timers, struct fleet_flight *flight)
{
    rise(timers, flight);
    sink(timers, flight);
}

void fleet_timers_add(struct fleet_timers *timers, struct fleet_flight *flight)
{
    timers->heap = xc_room(timers->heap, &timers->room, timers->n + 1, sizeof(struct fleet_flight *));
    put(timers, timers->n++, flight);
    rise(timers, flight);
}

void fleet_timers_remove(struct fleet_timers *timers, struct fleet_flight *flight)
{
    struct fleet_flight *last = timers->heap[--timers->n];

    if (last == flight)
        return;
    put(timers, flight->place, last);
    fleet_timers_moved(timers, last);
}
