/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Validators: what a decoder checks of bytes, checked of a struct.
 */
#include "link/link_frames.h"
#include "link/link_items.h"

/* spec/link.wire:154
 *
 * Header {
 *   Version (4) = Version else VERSION,
 *   Suite (2) of Suite,
 *   Cookie (1),
 *   Reserved (1) zeros,
 *   Own Epoch (4),
 *   Peer Epoch (4),
 *   Key Id (32),
 *   Run (64),
 *   Packet Number (32),
 * }
 */
enum pl_error pl_header_validate(const struct pl_header *f)
{
    /* spec/link.wire:155: Version */
    if (f->version > 0xf)
        return PL_E_RANGE;
    /* spec/link.wire:155: = Version else VERSION */
    if (f->version != PL_VERSION)
        return PL_E_VERSION;
    /* spec/link.wire:156: Suite */
    if (f->suite > 0x3)
        return PL_E_RANGE;
    /* spec/link.wire:158: Cookie */
    if (f->cookie > 0x1)
        return PL_E_RANGE;
    /* spec/link.wire:159: Reserved */
    if (f->reserved > 0x1)
        return PL_E_RANGE;
    /* spec/link.wire:159: zeros */
    if (f->reserved != 0)
        return PL_E_NOT_ZERO;
    /* spec/link.wire:161: Own Epoch */
    if (f->own_epoch > 0xf)
        return PL_E_RANGE;
    /* spec/link.wire:162: Peer Epoch */
    if (f->peer_epoch > 0xf)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:183
 *
 * Run Info {
 *   Label (24) = "run",
 *   Suite (8) of Suite,
 *   Direction (8) <= 1,
 *   Epochs (8),
 *   Run (64),
 * }
 */
enum pl_error pl_run_info_validate(const struct pl_run_info *f)
{
    /* spec/link.wire:185: of Suite */
    if (f->suite > PL_SUITE_AES_128_GCM_SIV)
        return PL_E_RANGE;
    /* spec/link.wire:187: <= 1 */
    if (f->direction > 1)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:254
 *
 * Ack Range {
 *   Gap (i),
 *   Length (i),
 * }
 */
enum pl_error pl_ack_range_validate(const struct pl_ack_range *f)
{
    /* spec/link.wire:255: Gap */
    if (f->gap > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:256: Length */
    if (f->length > PL_VARINT_MAX)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:224
 *
 * PADDING Frame {
 *   Type (8) = 0x00,
 *   Length (..) zeros,
 * }
 */
enum pl_error pl_padding_validate(const struct pl_frame_padding *f)
{
    (void)f;
    return PL_OK;
}

/* spec/link.wire:234
 *
 * PING Frame {
 *   Type (8) = 0x01,
 * }
 */
enum pl_error pl_ping_validate(const struct pl_frame_ping *f)
{
    (void)f;
    return PL_OK;
}

/* spec/link.wire:242
 *
 * TO Frame {
 *   Type (8) = 0x02,
 *   Run Tag (32),
 * }
 */
enum pl_error pl_to_validate(const struct pl_frame_to *f)
{
    (void)f;
    return PL_OK;
}

/* spec/link.wire:265
 *
 * ACK Frame {
 *   Type (8) = 0x03,
 *   Largest (i),
 *   Delay (i),
 *   Range Count (i),
 *   First Range (i) <= Largest,
 *   Ranges [Range Count] of Ack Range at most 31 where First Range + sum(Gap + Length + 2) <= Largest,
 * }
 */
enum pl_error pl_ack_validate(const struct pl_frame_ack *f)
{
    static const uint8_t nothing[1];
    const uint8_t *next = nothing;
    const uint8_t *fault = NULL;
    struct pl_bytes view = {NULL, 0};
    uint64_t ranges_sum = 0;
    enum pl_error got;

    /* spec/link.wire:266: Largest */
    if (f->largest > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:268: Delay */
    if (f->delay > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:269: Range Count */
    if (f->range_count > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:270: First Range */
    if (f->first_range > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:270: <= Largest */
    if (f->first_range > f->largest)
        return PL_E_RANGE;
    next = f->ranges.n > 0 ? f->ranges.p : nothing;
    got = pl_ack_ranges_walk(&next, next + f->ranges.n, f->range_count, &view, &fault, &ranges_sum);
    if (got != PL_OK)
        return got;
    if (view.n != f->ranges.n)
        return PL_E_TRAILING;
    /* spec/link.wire:271: where First Range + sum(Gap + Length + 2) <= Largest */
    if (f->first_range + ranges_sum > f->largest)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:284
 *
 * ACK_ECN Frame {
 *   Type (8) = 0x04,
 *   Largest (i),
 *   Delay (i),
 *   Range Count (i),
 *   First Range (i) <= Largest,
 *   Ranges [Range Count] of Ack Range at most 31 where First Range + sum(Gap + Length + 2) <= Largest,
 *   ECT0 (i),
 *   ECT1 (i),
 *   CE (i),
 * }
 */
enum pl_error pl_ack_ecn_validate(const struct pl_frame_ack_ecn *f)
{
    static const uint8_t nothing[1];
    const uint8_t *next = nothing;
    const uint8_t *fault = NULL;
    struct pl_bytes view = {NULL, 0};
    uint64_t ranges_sum = 0;
    enum pl_error got;

    /* spec/link.wire:285: Largest */
    if (f->largest > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:286: Delay */
    if (f->delay > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:287: Range Count */
    if (f->range_count > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:288: First Range */
    if (f->first_range > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:288: <= Largest */
    if (f->first_range > f->largest)
        return PL_E_RANGE;
    next = f->ranges.n > 0 ? f->ranges.p : nothing;
    got = pl_ack_ecn_ranges_walk(&next, next + f->ranges.n, f->range_count, &view, &fault, &ranges_sum);
    if (got != PL_OK)
        return got;
    if (view.n != f->ranges.n)
        return PL_E_TRAILING;
    /* spec/link.wire:289: where First Range + sum(Gap + Length + 2) <= Largest */
    if (f->first_range + ranges_sum > f->largest)
        return PL_E_RANGE;
    /* spec/link.wire:290: ECT0 */
    if (f->ect0 > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:291: ECT1 */
    if (f->ect1 > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:292: CE */
    if (f->ce > PL_VARINT_MAX)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:303
 *
 * STREAM Frame {
 *   Type (8) = 0x05,
 *   Life (32) != 0,
 *   First Number (i) >= 1,
 *   Life Before (32) where (Life Before = 0) = (First Number = 1),
 *   Birth (64),
 *   Name Length (8),
 *   Name (8*Name Length) text,
 * }
 */
enum pl_error pl_stream_validate(const struct pl_frame_stream *f)
{
    /* spec/link.wire:304: != 0 */
    if (f->life == 0)
        return PL_E_RANGE;
    /* spec/link.wire:306: First Number */
    if (f->first_number > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:306: >= 1 */
    if (f->first_number < 1)
        return PL_E_RANGE;
    /* spec/link.wire:308: where (Life Before = 0) = (First Number = 1) */
    if ((f->life_before == 0) != (f->first_number == 1))
        return PL_E_RANGE;
    /* spec/link.wire:310: Name Length */
    if (f->name.n > 0xff)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:324
 *
 * RECORDS Frame {
 *   Type (8) = 0x06,
 *   Life (32) != 0,
 *   Offset (i),
 *   Bytes (8..) where Offset + bytes(Bytes) <= Piece End Max,
 * }
 */
enum pl_error pl_records_validate(const struct pl_frame_records *f)
{
    /* spec/link.wire:325: != 0 */
    if (f->life == 0)
        return PL_E_RANGE;
    /* spec/link.wire:327: Offset */
    if (f->offset > PL_VARINT_MAX)
        return PL_E_RANGE;
    if (f->bytes.n < 1)
        return PL_E_TRUNCATED;
    /* spec/link.wire:328: where Offset + bytes(Bytes) <= Piece End Max */
    if (f->offset + f->bytes.n > PL_PIECE_END_MAX)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:339
 *
 * RECORDS_LENGTH Frame {
 *   Type (8) = 0x07,
 *   Life (32) != 0,
 *   Offset (i),
 *   Length (i) >= 1,
 *   Bytes (8*Length) where Offset + Length <= Piece End Max,
 * }
 */
enum pl_error pl_records_length_validate(const struct pl_frame_records *f)
{
    /* spec/link.wire:340: != 0 */
    if (f->life == 0)
        return PL_E_RANGE;
    /* spec/link.wire:341: Offset */
    if (f->offset > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:342: Length */
    if ((uint64_t)f->bytes.n > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:342: >= 1 */
    if (f->bytes.n < 1)
        return PL_E_RANGE;
    /* spec/link.wire:343: where Offset + Length <= Piece End Max */
    if (f->offset + f->bytes.n > PL_PIECE_END_MAX)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:354
 *
 * GAP Frame {
 *   Type (8) = 0x08,
 *   Life (32) != 0,
 *   Upto (i) >= 1,
 *   Offset (i),
 * }
 */
enum pl_error pl_gap_validate(const struct pl_frame_gap *f)
{
    /* spec/link.wire:355: != 0 */
    if (f->life == 0)
        return PL_E_RANGE;
    /* spec/link.wire:356: Upto */
    if (f->upto > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:356: >= 1 */
    if (f->upto < 1)
        return PL_E_RANGE;
    /* spec/link.wire:358: Offset */
    if (f->offset > PL_VARINT_MAX)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:368
 *
 * ASK Frame {
 *   Type (8) = 0x09,
 *   Life (32) != 0,
 * }
 */
enum pl_error pl_ask_validate(const struct pl_frame_ask *f)
{
    /* spec/link.wire:369: != 0 */
    if (f->life == 0)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:378
 *
 * STORED Frame {
 *   Type (8) = 0x0a,
 *   Life (32) != 0,
 *   Number (i),
 *   Window (i),
 * }
 */
enum pl_error pl_stored_validate(const struct pl_frame_stored *f)
{
    /* spec/link.wire:379: != 0 */
    if (f->life == 0)
        return PL_E_RANGE;
    /* spec/link.wire:380: Number */
    if (f->number > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:382: Window */
    if (f->window > PL_VARINT_MAX)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:391
 *
 * UNBOUND Frame {
 *   Type (8) = 0x0b,
 *   Life (32) != 0,
 * }
 */
enum pl_error pl_unbound_validate(const struct pl_frame_unbound *f)
{
    /* spec/link.wire:392: != 0 */
    if (f->life == 0)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:401
 *
 * REFUSED Frame {
 *   Type (8) = 0x0c,
 *   Life (32),
 *   Number (i),
 *   Code (i) of Refusal where Life != 0 or Code = Refusal.MALFORMED,
 *   Detail Length (8) <= Detail Max,
 *   Detail (8*Detail Length) text,
 * }
 */
enum pl_error pl_refused_validate(const struct pl_frame_refused *f)
{
    /* spec/link.wire:404: Number */
    if (f->number > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:405: Code */
    if (f->code > PL_VARINT_MAX)
        return PL_E_RANGE;
    /* spec/link.wire:405: where Life != 0 or Code = Refusal.MALFORMED */
    if (f->life == 0 && f->code != PL_REFUSAL_MALFORMED)
        return PL_E_RANGE;
    /* spec/link.wire:406: Detail Length */
    if (f->detail.n > 0xff)
        return PL_E_RANGE;
    /* spec/link.wire:406: <= Detail Max */
    if (f->detail.n > PL_DETAIL_MAX)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:419
 *
 * PATH_CHALLENGE Frame {
 *   Type (8) = 0x0d,
 *   Value (64),
 * }
 */
enum pl_error pl_path_challenge_validate(const struct pl_frame_path_challenge *f)
{
    (void)f;
    return PL_OK;
}

/* spec/link.wire:429
 *
 * PATH_RESPONSE Frame {
 *   Type (8) = 0x0e,
 *   Value (64),
 * }
 */
enum pl_error pl_path_response_validate(const struct pl_frame_path_response *f)
{
    (void)f;
    return PL_OK;
}

/* spec/link.wire:439
 *
 * EPOCH Frame {
 *   Type (8) = 0x0f,
 *   Number (64) != 0,
 *   Public Key (256),
 * }
 */
enum pl_error pl_epoch_validate(const struct pl_frame_epoch *f)
{
    /* spec/link.wire:441: != 0 */
    if (f->number == 0)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:453
 *
 * EPOCH_OK Frame {
 *   Type (8) = 0x10,
 *   Number (64) != 0,
 *   Digest (32),
 * }
 */
enum pl_error pl_epoch_ok_validate(const struct pl_frame_epoch_ok *f)
{
    /* spec/link.wire:454: != 0 */
    if (f->number == 0)
        return PL_E_RANGE;
    return PL_OK;
}

/* spec/link.wire:465
 *
 * EXTENSION Frame {
 *   Type (8) = 0x40..0xff,
 *   Length (i),
 *   Body (8*Length),
 * }
 */
enum pl_error pl_extension_validate(const struct pl_frame_extension *f)
{
    if (f->type < 0x40)
        return PL_E_UNKNOWN_TYPE;
    /* spec/link.wire:466: Length */
    if ((uint64_t)f->body.n > PL_VARINT_MAX)
        return PL_E_RANGE;
    return PL_OK;
}

enum pl_error pl_frame_validate(const struct pl_frame *f)
{
    switch (f->type) {
    case PL_FRAME_PADDING: return pl_padding_validate(&f->u.padding);
    case PL_FRAME_PING: return pl_ping_validate(&f->u.ping);
    case PL_FRAME_TO: return pl_to_validate(&f->u.to);
    case PL_FRAME_ACK: return pl_ack_validate(&f->u.ack);
    case PL_FRAME_ACK_ECN: return pl_ack_ecn_validate(&f->u.ack_ecn);
    case PL_FRAME_STREAM: return pl_stream_validate(&f->u.stream);
    case PL_FRAME_RECORDS: return pl_records_validate(&f->u.records);
    case PL_FRAME_RECORDS_LENGTH: return pl_records_length_validate(&f->u.records_length);
    case PL_FRAME_GAP: return pl_gap_validate(&f->u.gap);
    case PL_FRAME_ASK: return pl_ask_validate(&f->u.ask);
    case PL_FRAME_STORED: return pl_stored_validate(&f->u.stored);
    case PL_FRAME_UNBOUND: return pl_unbound_validate(&f->u.unbound);
    case PL_FRAME_REFUSED: return pl_refused_validate(&f->u.refused);
    case PL_FRAME_PATH_CHALLENGE: return pl_path_challenge_validate(&f->u.path_challenge);
    case PL_FRAME_PATH_RESPONSE: return pl_path_response_validate(&f->u.path_response);
    case PL_FRAME_EPOCH: return pl_epoch_validate(&f->u.epoch);
    case PL_FRAME_EPOCH_OK: return pl_epoch_ok_validate(&f->u.epoch_ok);
    default: break;
    }
    if (f->type >= 0x40)
        return pl_extension_validate(&f->u.extension);
    return PL_E_UNKNOWN_TYPE;
}
