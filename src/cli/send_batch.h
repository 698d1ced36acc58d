/* send_batch.h: records read and not committed yet.
 *
 * A record that was read must survive a transaction that fails for want of room, since a pipe gives it only
 * once. So records are gathered here, put and committed together with the place after the last of them, and
 * kept until that succeeded. */
#ifndef PL_CLI_SEND_BATCH_H
#define PL_CLI_SEND_BATCH_H

#include "cli/send_input.h"

enum {
    PL_GATHER_BYTES = 512 * 1024, /* a batch is closed once it has so much; one record may go beyond it */
    PL_GATHER_RECORDS = 8192
};

struct pl_gathered {
    uint8_t *bytes; /* {u32 size in the host's order, record}... */
    size_t size, room_bytes;
    size_t records;
    bool has_place;
    struct pl_lines_position place;
};

/* Reads up to `max` more records, as long as the batch is not full. PURELINK_OK: full, or max were read;
 * PURELINK_E_AGAIN, PURELINK_E_CLOSED and errors as pl_input_next, with what was read before in the batch. */
enum purelink_error pl_gather(struct pl_gathered *g, struct pl_input *input, size_t max, struct pl_text *why);

/* Puts all of it and its place to the outbox and commits; empty on success, as it was otherwise. */
enum purelink_error pl_gathered_commit(struct pl_gathered *g, const struct pl_input *input,
                                       struct purelink_sender *sender, struct purelink_reason *reason);

void pl_gathered_free(struct pl_gathered *g);

#endif
