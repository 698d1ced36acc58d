/* status_print.h: status as text for people or as one JSON object, part by part. */
#ifndef PL_CLI_STATUS_PRINT_H
#define PL_CLI_STATUS_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "node/status.h"
#include "store/inspect.h"

/* Set the first three, zero the others. Calls in this order: store or outbox, then each stream or birth
 * unless no_list, then end. */
struct pl_status_printer {
    bool json;
    bool no_list;   /* streams are not asked for */
    uint64_t limit; /* streams to print at most */
    bool begun;     /* store or outbox was printed */
    bool cut;       /* there were more streams than limit */
    uint64_t n;     /* streams so far */
};

/* node is NULL if none runs on the store. */
void pl_status_store(struct pl_status_printer *printer, const char *dir, const struct pl_store_status *store,
                     const struct pl_node_status *node);
/* False: it was one too many and not printed; the others need not be brought. */
bool pl_status_stream(struct pl_status_printer *printer, const struct pl_link_info *link,
                      const struct pl_row *row);

void pl_status_outbox(struct pl_status_printer *printer, const char *dir,
                      const struct pl_outbox_totals *totals);
/* As pl_status_stream. */
bool pl_status_birth(struct pl_status_printer *printer, const struct pl_outbox_status *birth);

void pl_status_end(struct pl_status_printer *printer);

#endif
