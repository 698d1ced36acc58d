/* Allocation that does not fail. */
#include "memory.h"

#include <stdlib.h>

void *xc_zeroed(size_t n)
{
    void *p = calloc(1, n > 0 ? n : 1);

    if (p == NULL)
        abort();
    return p;
}

void *xc_room(void *array, size_t *room, size_t need, size_t size)
{
    if (need <= *room)
        return array;
    size_t more = *room < 8 ? 8 : *room * 2;
    *room = more < need ? need : more;
    array = realloc(array, *room * size);
    if (array == NULL)
        abort();
    return array;
}
