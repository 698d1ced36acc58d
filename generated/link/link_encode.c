/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Encoders: what is invalid is never written.
 */
#include "link/link_frames.h"
#include "link/link_put.h"

/* spec/link.wire:154 */
static uint8_t *pl_header_put(uint8_t *p, const struct pl_header *f)
{
    uint64_t bits;
    bits = (uint64_t)f->version << 4 | (uint64_t)f->suite << 2 | (uint64_t)f->cookie << 1 | f->reserved;
    p = pl_put_be(p, 1, bits);
    bits = (uint64_t)f->own_epoch << 4 | f->peer_epoch;
    p = pl_put_be(p, 1, bits);
    p = pl_put_u32(p, f->key_id);
    p = pl_put_u64(p, f->run);
    p = pl_put_u32(p, f->packet_number);
return p;
}

size_t pl_header_encode(uint8_t *out, size_t room, const struct pl_header *f)
{
    if (pl_header_validate(f) != PL_OK || room < pl_header_size(f))
        return 0;
    return (size_t)(pl_header_put(out, f) - out);
}

/* spec/link.wire:183 */
static uint8_t *pl_run_info_put(uint8_t *p, const struct pl_run_info *f)
{
    p = pl_put_copy(p, "run", 3);
    p = pl_put_u8(p, f->suite);
    p = pl_put_u8(p, f->direction);
    p = pl_put_u8(p, f->epochs);
    p = pl_put_u64(p, f->run);
return p;
}

size_t pl_run_info_encode(uint8_t *out, size_t room, const struct pl_run_info *f)
{
    if (pl_run_info_validate(f) != PL_OK || room < pl_run_info_size(f))
        return 0;
    return (size_t)(pl_run_info_put(out, f) - out);
}

/* spec/link.wire:254 */
static uint8_t *pl_ack_range_put(uint8_t *p, const struct pl_ack_range *f)
{
    p = p + pl_varint_encode(p, f->gap);
    p = p + pl_varint_encode(p, f->length);
return p;
}

size_t pl_ack_range_encode(uint8_t *out, size_t room, const struct pl_ack_range *f)
{
    if (pl_ack_range_validate(f) != PL_OK || room < pl_ack_range_size(f))
        return 0;
    return (size_t)(pl_ack_range_put(out, f) - out);
}

/* spec/link.wire:224 */
static uint8_t *pl_padding_put(uint8_t *p, const struct pl_frame_padding *f)
{
    p = pl_put_u8(p, PL_FRAME_PADDING);
    p = pl_put_zeros(p, f->length);
return p;
}

size_t pl_padding_encode(uint8_t *out, size_t room, const struct pl_frame_padding *f)
{
    if (pl_padding_validate(f) != PL_OK || room < pl_padding_size(f))
        return 0;
    return (size_t)(pl_padding_put(out, f) - out);
}

/* spec/link.wire:234 */
static uint8_t *pl_ping_put(uint8_t *p, const struct pl_frame_ping *f)
{
    (void)f;
    p = pl_put_u8(p, PL_FRAME_PING);
return p;
}

size_t pl_ping_encode(uint8_t *out, size_t room, const struct pl_frame_ping *f)
{
    if (pl_ping_validate(f) != PL_OK || room < pl_ping_size(f))
        return 0;
    return (size_t)(pl_ping_put(out, f) - out);
}

/* spec/link.wire:242 */
static uint8_t *pl_to_put(uint8_t *p, const struct pl_frame_to *f)
{
    p = pl_put_u8(p, PL_FRAME_TO);
    p = pl_put_u32(p, f->run_tag);
return p;
}

size_t pl_to_encode(uint8_t *out, size_t room, const struct pl_frame_to *f)
{
    if (pl_to_validate(f) != PL_OK || room < pl_to_size(f))
        return 0;
    return (size_t)(pl_to_put(out, f) - out);
}

/* spec/link.wire:265 */
static uint8_t *pl_ack_put(uint8_t *p, const struct pl_frame_ack *f)
{
    p = pl_put_u8(p, PL_FRAME_ACK);
    p = p + pl_varint_encode(p, f->largest);
    p = p + pl_varint_encode(p, f->delay);
    p = p + pl_varint_encode(p, f->range_count);
    p = p + pl_varint_encode(p, f->first_range);
    p = pl_put_copy(p, f->ranges.p, f->ranges.n);
return p;
}

size_t pl_ack_encode(uint8_t *out, size_t room, const struct pl_frame_ack *f)
{
    if (pl_ack_validate(f) != PL_OK || room < pl_ack_size(f))
        return 0;
    return (size_t)(pl_ack_put(out, f) - out);
}

/* spec/link.wire:284 */
static uint8_t *pl_ack_ecn_put(uint8_t *p, const struct pl_frame_ack_ecn *f)
{
    p = pl_put_u8(p, PL_FRAME_ACK_ECN);
    p = p + pl_varint_encode(p, f->largest);
    p = p + pl_varint_encode(p, f->delay);
    p = p + pl_varint_encode(p, f->range_count);
    p = p + pl_varint_encode(p, f->first_range);
    p = pl_put_copy(p, f->ranges.p, f->ranges.n);
    p = p + pl_varint_encode(p, f->ect0);
    p = p + pl_varint_encode(p, f->ect1);
    p = p + pl_varint_encode(p, f->ce);
return p;
}

size_t pl_ack_ecn_encode(uint8_t *out, size_t room, const struct pl_frame_ack_ecn *f)
{
    if (pl_ack_ecn_validate(f) != PL_OK || room < pl_ack_ecn_size(f))
        return 0;
    return (size_t)(pl_ack_ecn_put(out, f) - out);
}

/* spec/link.wire:303 */
static uint8_t *pl_stream_put_head(uint8_t *p, const struct pl_frame_stream *f)
{
    p = pl_put_u8(p, PL_FRAME_STREAM);
    p = pl_put_u32(p, f->life);
    p = p + pl_varint_encode(p, f->first_number);
    p = pl_put_u32(p, f->life_before);
    p = pl_put_u64(p, f->birth);
    p = pl_put_u8(p, (uint8_t)f->name.n);
return p;
}

size_t pl_stream_head_encode(uint8_t *out, size_t room, const struct pl_frame_stream *f)
{
    if (pl_stream_validate(f) != PL_OK || room < 18 + pl_varint_size(f->first_number))
        return 0;
    return (size_t)(pl_stream_put_head(out, f) - out);
}

size_t pl_stream_encode(uint8_t *out, size_t room, const struct pl_frame_stream *f)
{
    size_t head = pl_stream_head_encode(out, room, f);

    if (head == 0 || room - head < f->name.n)
        return 0;
    pl_put_copy(out + head, f->name.p, f->name.n);
    return head + f->name.n;
}

/* spec/link.wire:324 */
static uint8_t *pl_records_put_head(uint8_t *p, const struct pl_frame_records *f)
{
    p = pl_put_u8(p, PL_FRAME_RECORDS);
    p = pl_put_u32(p, f->life);
    p = p + pl_varint_encode(p, f->offset);
return p;
}

size_t pl_records_head_encode(uint8_t *out, size_t room, const struct pl_frame_records *f)
{
    if (pl_records_validate(f) != PL_OK || room < 5 + pl_varint_size(f->offset))
        return 0;
    return (size_t)(pl_records_put_head(out, f) - out);
}

size_t pl_records_encode(uint8_t *out, size_t room, const struct pl_frame_records *f)
{
    size_t head = pl_records_head_encode(out, room, f);

    if (head == 0 || room - head < f->bytes.n)
        return 0;
    pl_put_copy(out + head, f->bytes.p, f->bytes.n);
    return head + f->bytes.n;
}

/* spec/link.wire:339 */
static uint8_t *pl_records_length_put_head(uint8_t *p, const struct pl_frame_records *f)
{
    p = pl_put_u8(p, PL_FRAME_RECORDS_LENGTH);
    p = pl_put_u32(p, f->life);
    p = p + pl_varint_encode(p, f->offset);
    p = p + pl_varint_encode(p, f->bytes.n);
return p;
}

size_t pl_records_length_head_encode(uint8_t *out, size_t room, const struct pl_frame_records *f)
{
    if (pl_records_length_validate(f) != PL_OK
        || room < 5 + pl_varint_size(f->offset) + pl_varint_size(f->bytes.n))
        return 0;
    return (size_t)(pl_records_length_put_head(out, f) - out);
}

size_t pl_records_length_encode(uint8_t *out, size_t room, const struct pl_frame_records *f)
{
    size_t head = pl_records_length_head_encode(out, room, f);

    if (head == 0 || room - head < f->bytes.n)
        return 0;
    pl_put_copy(out + head, f->bytes.p, f->bytes.n);
    return head + f->bytes.n;
}

/* spec/link.wire:354 */
static uint8_t *pl_gap_put(uint8_t *p, const struct pl_frame_gap *f)
{
    p = pl_put_u8(p, PL_FRAME_GAP);
    p = pl_put_u32(p, f->life);
    p = p + pl_varint_encode(p, f->upto);
    p = p + pl_varint_encode(p, f->offset);
return p;
}

size_t pl_gap_encode(uint8_t *out, size_t room, const struct pl_frame_gap *f)
{
    if (pl_gap_validate(f) != PL_OK || room < pl_gap_size(f))
        return 0;
    return (size_t)(pl_gap_put(out, f) - out);
}

/* spec/link.wire:368 */
static uint8_t *pl_ask_put(uint8_t *p, const struct pl_frame_ask *f)
{
    p = pl_put_u8(p, PL_FRAME_ASK);
    p = pl_put_u32(p, f->life);
return p;
}

size_t pl_ask_encode(uint8_t *out, size_t room, const struct pl_frame_ask *f)
{
    if (pl_ask_validate(f) != PL_OK || room < pl_ask_size(f))
        return 0;
    return (size_t)(pl_ask_put(out, f) - out);
}

/* spec/link.wire:378 */
static uint8_t *pl_stored_put(uint8_t *p, const struct pl_frame_stored *f)
{
    p = pl_put_u8(p, PL_FRAME_STORED);
    p = pl_put_u32(p, f->life);
    p = p + pl_varint_encode(p, f->number);
    p = p + pl_varint_encode(p, f->window);
return p;
}

size_t pl_stored_encode(uint8_t *out, size_t room, const struct pl_frame_stored *f)
{
    if (pl_stored_validate(f) != PL_OK || room < pl_stored_size(f))
        return 0;
    return (size_t)(pl_stored_put(out, f) - out);
}

/* spec/link.wire:391 */
static uint8_t *pl_unbound_put(uint8_t *p, const struct pl_frame_unbound *f)
{
    p = pl_put_u8(p, PL_FRAME_UNBOUND);
    p = pl_put_u32(p, f->life);
return p;
}

size_t pl_unbound_encode(uint8_t *out, size_t room, const struct pl_frame_unbound *f)
{
    if (pl_unbound_validate(f) != PL_OK || room < pl_unbound_size(f))
        return 0;
    return (size_t)(pl_unbound_put(out, f) - out);
}

/* spec/link.wire:401 */
static uint8_t *pl_refused_put_head(uint8_t *p, const struct pl_frame_refused *f)
{
    p = pl_put_u8(p, PL_FRAME_REFUSED);
    p = pl_put_u32(p, f->life);
    p = p + pl_varint_encode(p, f->number);
    p = p + pl_varint_encode(p, f->code);
    p = pl_put_u8(p, (uint8_t)f->detail.n);
return p;
}

size_t pl_refused_head_encode(uint8_t *out, size_t room, const struct pl_frame_refused *f)
{
    if (pl_refused_validate(f) != PL_OK || room < 6 + pl_varint_size(f->number) + pl_varint_size(f->code))
        return 0;
    return (size_t)(pl_refused_put_head(out, f) - out);
}

size_t pl_refused_encode(uint8_t *out, size_t room, const struct pl_frame_refused *f)
{
    size_t head = pl_refused_head_encode(out, room, f);

    if (head == 0 || room - head < f->detail.n)
        return 0;
    pl_put_copy(out + head, f->detail.p, f->detail.n);
    return head + f->detail.n;
}

/* spec/link.wire:419 */
static uint8_t *pl_path_challenge_put(uint8_t *p, const struct pl_frame_path_challenge *f)
{
    p = pl_put_u8(p, PL_FRAME_PATH_CHALLENGE);
    p = pl_put_u64(p, f->value);
return p;
}

size_t pl_path_challenge_encode(uint8_t *out, size_t room, const struct pl_frame_path_challenge *f)
{
    if (pl_path_challenge_validate(f) != PL_OK || room < pl_path_challenge_size(f))
        return 0;
    return (size_t)(pl_path_challenge_put(out, f) - out);
}

/* spec/link.wire:429 */
static uint8_t *pl_path_response_put(uint8_t *p, const struct pl_frame_path_response *f)
{
    p = pl_put_u8(p, PL_FRAME_PATH_RESPONSE);
    p = pl_put_u64(p, f->value);
return p;
}

size_t pl_path_response_encode(uint8_t *out, size_t room, const struct pl_frame_path_response *f)
{
    if (pl_path_response_validate(f) != PL_OK || room < pl_path_response_size(f))
        return 0;
    return (size_t)(pl_path_response_put(out, f) - out);
}

/* spec/link.wire:439 */
static uint8_t *pl_epoch_put(uint8_t *p, const struct pl_frame_epoch *f)
{
    p = pl_put_u8(p, PL_FRAME_EPOCH);
    p = pl_put_u64(p, f->number);
    p = pl_put_copy(p, f->public_key, 32);
return p;
}

size_t pl_epoch_encode(uint8_t *out, size_t room, const struct pl_frame_epoch *f)
{
    if (pl_epoch_validate(f) != PL_OK || room < pl_epoch_size(f))
        return 0;
    return (size_t)(pl_epoch_put(out, f) - out);
}

/* spec/link.wire:453 */
static uint8_t *pl_epoch_ok_put(uint8_t *p, const struct pl_frame_epoch_ok *f)
{
    p = pl_put_u8(p, PL_FRAME_EPOCH_OK);
    p = pl_put_u64(p, f->number);
    p = pl_put_u32(p, f->digest);
return p;
}

size_t pl_epoch_ok_encode(uint8_t *out, size_t room, const struct pl_frame_epoch_ok *f)
{
    if (pl_epoch_ok_validate(f) != PL_OK || room < pl_epoch_ok_size(f))
        return 0;
    return (size_t)(pl_epoch_ok_put(out, f) - out);
}

/* spec/link.wire:465 */
static uint8_t *pl_extension_put_head(uint8_t *p, const struct pl_frame_extension *f)
{
    p = pl_put_u8(p, f->type);
    p = p + pl_varint_encode(p, f->body.n);
return p;
}

size_t pl_extension_head_encode(uint8_t *out, size_t room, const struct pl_frame_extension *f)
{
    if (pl_extension_validate(f) != PL_OK || room < 1 + pl_varint_size(f->body.n))
        return 0;
    return (size_t)(pl_extension_put_head(out, f) - out);
}

size_t pl_extension_encode(uint8_t *out, size_t room, const struct pl_frame_extension *f)
{
    size_t head = pl_extension_head_encode(out, room, f);

    if (head == 0 || room - head < f->body.n)
        return 0;
    pl_put_copy(out + head, f->body.p, f->body.n);
    return head + f->body.n;
}

size_t pl_frame_encode(uint8_t *out, size_t room, const struct pl_frame *f)
{
    switch (f->type) {
    case PL_FRAME_PADDING: return pl_padding_encode(out, room, &f->u.padding);
    case PL_FRAME_PING: return pl_ping_encode(out, room, &f->u.ping);
    case PL_FRAME_TO: return pl_to_encode(out, room, &f->u.to);
    case PL_FRAME_ACK: return pl_ack_encode(out, room, &f->u.ack);
    case PL_FRAME_ACK_ECN: return pl_ack_ecn_encode(out, room, &f->u.ack_ecn);
    case PL_FRAME_STREAM: return pl_stream_encode(out, room, &f->u.stream);
    case PL_FRAME_RECORDS: return pl_records_encode(out, room, &f->u.records);
    case PL_FRAME_RECORDS_LENGTH: return pl_records_length_encode(out, room, &f->u.records_length);
    case PL_FRAME_GAP: return pl_gap_encode(out, room, &f->u.gap);
    case PL_FRAME_ASK: return pl_ask_encode(out, room, &f->u.ask);
    case PL_FRAME_STORED: return pl_stored_encode(out, room, &f->u.stored);
    case PL_FRAME_UNBOUND: return pl_unbound_encode(out, room, &f->u.unbound);
    case PL_FRAME_REFUSED: return pl_refused_encode(out, room, &f->u.refused);
    case PL_FRAME_PATH_CHALLENGE: return pl_path_challenge_encode(out, room, &f->u.path_challenge);
    case PL_FRAME_PATH_RESPONSE: return pl_path_response_encode(out, room, &f->u.path_response);
    case PL_FRAME_EPOCH: return pl_epoch_encode(out, room, &f->u.epoch);
    case PL_FRAME_EPOCH_OK: return pl_epoch_ok_encode(out, room, &f->u.epoch_ok);
    default: break;
    }
    if (f->type >= 0x40)
        return f->u.extension.type == f->type ? pl_extension_encode(out, room, &f->u.extension) : 0;
    return 0;
}
