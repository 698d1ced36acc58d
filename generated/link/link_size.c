/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Encoded sizes.
 */
#include "link/link_frames.h"

/* spec/link.wire:154 */
size_t pl_header_size(const struct pl_header *f)
{
    (void)f;
    return 18;
}

/* spec/link.wire:183 */
size_t pl_run_info_size(const struct pl_run_info *f)
{
    (void)f;
    return 14;
}

/* spec/link.wire:254 */
size_t pl_ack_range_size(const struct pl_ack_range *f)
{
    return pl_varint_size(f->gap) + pl_varint_size(f->length);
}

/* spec/link.wire:224 */
size_t pl_padding_size(const struct pl_frame_padding *f)
{
    return 1 + f->length;
}

/* spec/link.wire:234 */
size_t pl_ping_size(const struct pl_frame_ping *f)
{
    (void)f;
    return 1;
}

/* spec/link.wire:242 */
size_t pl_to_size(const struct pl_frame_to *f)
{
    (void)f;
    return 5;
}

/* spec/link.wire:265 */
size_t pl_ack_size(const struct pl_frame_ack *f)
{
    return 1 + pl_varint_size(f->largest) + pl_varint_size(f->delay) + pl_varint_size(f->range_count)
        + pl_varint_size(f->first_range) + f->ranges.n;
}

/* spec/link.wire:284 */
size_t pl_ack_ecn_size(const struct pl_frame_ack_ecn *f)
{
    return 1 + pl_varint_size(f->largest) + pl_varint_size(f->delay) + pl_varint_size(f->range_count)
        + pl_varint_size(f->first_range) + f->ranges.n + pl_varint_size(f->ect0) + pl_varint_size(f->ect1)
            + pl_varint_size(f->ce);
}

/* spec/link.wire:303 */
size_t pl_stream_size(const struct pl_frame_stream *f)
{
    return 18 + pl_varint_size(f->first_number) + f->name.n;
}

/* spec/link.wire:324 */
size_t pl_records_size(const struct pl_frame_records *f)
{
    return 5 + pl_varint_size(f->offset) + f->bytes.n;
}

/* spec/link.wire:339 */
size_t pl_records_length_size(const struct pl_frame_records *f)
{
    return 5 + pl_varint_size(f->offset) + pl_varint_size(f->bytes.n) + f->bytes.n;
}

/* spec/link.wire:354 */
size_t pl_gap_size(const struct pl_frame_gap *f)
{
    return 5 + pl_varint_size(f->upto) + pl_varint_size(f->offset);
}

/* spec/link.wire:368 */
size_t pl_ask_size(const struct pl_frame_ask *f)
{
    (void)f;
    return 5;
}

/* spec/link.wire:378 */
size_t pl_stored_size(const struct pl_frame_stored *f)
{
    return 5 + pl_varint_size(f->number) + pl_varint_size(f->window);
}

/* spec/link.wire:391 */
size_t pl_unbound_size(const struct pl_frame_unbound *f)
{
    (void)f;
    return 5;
}

/* spec/link.wire:401 */
size_t pl_refused_size(const struct pl_frame_refused *f)
{
    return 6 + pl_varint_size(f->number) + pl_varint_size(f->code) + f->detail.n;
}

/* spec/link.wire:419 */
size_t pl_path_challenge_size(const struct pl_frame_path_challenge *f)
{
    (void)f;
    return 9;
}

/* spec/link.wire:429 */
size_t pl_path_response_size(const struct pl_frame_path_response *f)
{
    (void)f;
    return 9;
}

/* spec/link.wire:439 */
size_t pl_epoch_size(const struct pl_frame_epoch *f)
{
    (void)f;
    return 41;
}

/* spec/link.wire:453 */
size_t pl_epoch_ok_size(const struct pl_frame_epoch_ok *f)
{
    (void)f;
    return 13;
}

/* spec/link.wire:465 */
size_t pl_extension_size(const struct pl_frame_extension *f)
{
    return 1 + pl_varint_size(f->body.n) + f->body.n;
}

size_t pl_frame_size(const struct pl_frame *f)
{
    switch (f->type) {
    case PL_FRAME_PADDING: return pl_padding_size(&f->u.padding);
    case PL_FRAME_PING: return pl_ping_size(&f->u.ping);
    case PL_FRAME_TO: return pl_to_size(&f->u.to);
    case PL_FRAME_ACK: return pl_ack_size(&f->u.ack);
    case PL_FRAME_ACK_ECN: return pl_ack_ecn_size(&f->u.ack_ecn);
    case PL_FRAME_STREAM: return pl_stream_size(&f->u.stream);
    case PL_FRAME_RECORDS: return pl_records_size(&f->u.records);
    case PL_FRAME_RECORDS_LENGTH: return pl_records_length_size(&f->u.records_length);
    case PL_FRAME_GAP: return pl_gap_size(&f->u.gap);
    case PL_FRAME_ASK: return pl_ask_size(&f->u.ask);
    case PL_FRAME_STORED: return pl_stored_size(&f->u.stored);
    case PL_FRAME_UNBOUND: return pl_unbound_size(&f->u.unbound);
    case PL_FRAME_REFUSED: return pl_refused_size(&f->u.refused);
    case PL_FRAME_PATH_CHALLENGE: return pl_path_challenge_size(&f->u.path_challenge);
    case PL_FRAME_PATH_RESPONSE: return pl_path_response_size(&f->u.path_response);
    case PL_FRAME_EPOCH: return pl_epoch_size(&f->u.epoch);
    case PL_FRAME_EPOCH_OK: return pl_epoch_ok_size(&f->u.epoch_ok);
    default: break;
    }
    if (f->type >= 0x40)
        return pl_extension_size(&f->u.extension);
    return 0;
}
