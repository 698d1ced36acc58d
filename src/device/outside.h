/* outside.h: the headers of other folders a device needs, with two names kept apart.
 *
 * Engine, store and io each have a small struct for a batch or a place, private to their own interface, under
 * the same tag. Where all three meet, the tags of io and store get their folder's name. */
#ifndef PL_DEVICE_OUTSIDE_H
#define PL_DEVICE_OUTSIDE_H

#define pl_batch pl_io_batch
#include "io/io.h"
#undef pl_batch

#define pl_place pl_outbox_place
#include "store/outbox.h"
#undef pl_place

#include "link/link.h"

#endif
