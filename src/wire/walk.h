/* Walking framed bytes {size (i), record}...: the one shape of records in outbox, wire and log. */
#ifndef PL_WIRE_WALK_H
#define PL_WIRE_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "link/link_types.h"

struct pl_walk {
    uint64_t count;      /* whole records */
    size_t whole_bytes;  /* bytes they take with their size fields */
    size_t cut_bytes;    /* size field and record of the one cut at the end; 0: none, or its size
                            field itself is cut */
    enum pl_error fault; /* PL_OK, PL_E_TOO_LARGE (a record above the limit) or PL_E_NOT_SHORTEST
                            (a bad size field): the walk ended before that record */
};

/* Walks from the start of a record over at most `records_max` records. record_max_bytes bounds a
 * record without its size field. */
struct pl_walk pl_walk(struct pl_bytes framed, uint64_t records_max, size_t record_max_bytes);

#endif
