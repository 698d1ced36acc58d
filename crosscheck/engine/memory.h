/* Memory of the second engine. What a peer can make it hold is bounded, so running out is the machine's fault
 * and ends the program. */
#ifndef XC_MEMORY_H
#define XC_MEMORY_H

#include <stddef.h>

/* n zeroed bytes; freed with free(). */
void *xc_zeroed(size_t n);

/* Makes room for `need` items of `size` bytes in a growing array; `room` is in items. Returns the array. */
void *xc_room(void *array, size_t *room, size_t need, size_t size);

#endif
