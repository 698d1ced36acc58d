/* The loop over the frames of one payload. */
#include "wire/payload.h"

enum pl_error pl_payload_parse(struct pl_bytes in, struct pl_payload *out, size_t *fault)
{
    size_t at = 0;

    out->count = 0;
    out->ack_eliciting = false;
    *fault = 0;
    if (in.n == 0) {
        return PL_E_EMPTY;
    }
    while (at < in.n) {
        if (out->count == PL_FRAMES_MAX) {
            *fault = at;
            return PL_E_LIMIT;
        }
        struct pl_frame *frame = &out->frames[out->count];
        enum pl_error error = pl_frame_decode(in, at, frame, fault);
        if (error != PL_OK) {
            return error;
        }
        out->ack_eliciting |= pl_frame_is_ack_eliciting(frame->type);
        out->count++;
        at = *fault;
    }
    return PL_OK;
}
