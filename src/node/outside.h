/*
 * The engine and the I/O table together: both have a small struct for a batch under the same tag. Where they
 * meet, the one of the I/O table gets its folder's name.
 */
#ifndef PL_NODE_OUTSIDE_H
#define PL_NODE_OUTSIDE_H

#define pl_batch pl_io_batch
#include "io/io.h"
#undef pl_batch

#include "link/link.h"

#endif
