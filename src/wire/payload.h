/* A payload, checked whole before any of it counts.
 *
 * The generated codec knows single frames; this is the loop around it and the rules that speak of
 * a packet: at least one frame, at most PL_FRAMES_MAX, PADDING and RECORDS to the end only as the
 * last. Parsing is pure: no state, nothing applied, so that a malformed packet changes nothing. */
#ifndef PL_WIRE_PAYLOAD_H
#define PL_WIRE_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "link/link_frames.h"
#include "link/link_limits.h"
#include "link/link_types.h"

struct pl_payload {
    unsigned count;
    bool ack_eliciting;                   /* some frame asks for an ACK */
    struct pl_frame frames[PL_FRAMES_MAX]; /* borrow from the parsed bytes */
};

/* Parses an opened payload into descriptors. Returns PL_OK, or the first fault with its offset in
 * *fault: PL_E_EMPTY (no frame), PL_E_LIMIT (more than PL_FRAMES_MAX frames), or what
 * pl_frame_decode says. out borrows from `in`. */
enum pl_error pl_payload_parse(struct pl_bytes in, struct pl_payload *out, size_t *fault);

#endif
