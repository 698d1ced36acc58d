/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * The decoder: Ragel chooses by type and steps from field to field; bytes are touched by the functions of
 * link_get.h alone, and a length never becomes part of the machine. An action reads one field and those that
 * follow it without a byte of their own; `next` is the first byte not read, `field` the first one of the
 * field.
 */
#include "link/link_frames.h"
#include "link/link_get.h"
#include "link/link_items.h"

%%{
    machine pl_frame;
    alphtype unsigned char;
    getkey ((unsigned char)(*p));

    action done {
        code = PL_OK;
        fault = p + 1;
        fbreak;
    }

    # spec/link.wire:224
    # PADDING Frame {
    #   Type (8) = 0x00,
    #   Length (..) zeros,
    # }
    action padding_type {
        next = p + 1;
        field = next;
        if (!pl_get_zeros(&next, pe, &out->u.padding.length)) {
            code = PL_E_NOT_ZERO;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_padding = (0x00) @padding_type @done;

    # spec/link.wire:234
    # PING Frame {
    #   Type (8) = 0x01,
    # }
    frame_ping = (0x01) @done;

    # spec/link.wire:242
    # TO Frame {
    #   Type (8) = 0x02,
    #   Run Tag (32),
    # }
    action to_run_tag {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.to.run_tag)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_to = (0x02)
        any @to_run_tag @done;

    # spec/link.wire:265
    # ACK Frame {
    #   Type (8) = 0x03,
    #   Largest (i),
    #   Delay (i),
    #   Range Count (i),
    #   First Range (i) <= Largest,
    #   Ranges [Range Count] of Ack Range at most 31 where First Range + sum(Gap + Length + 2) <= Largest,
    # }
    action ack_largest {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack.largest);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_delay {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack.delay);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_range_count {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack.range_count);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_first_range {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack.first_range);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:270: <= Largest */
        if (out->u.ack.first_range > out->u.ack.largest) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        field = next;
        got = pl_ack_ranges_walk(&next, pe, out->u.ack.range_count, &out->u.ack.ranges, &field, &ranges_sum);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        field = out->u.ack.ranges.p;
        /* spec/link.wire:271: where First Range + sum(Gap + Length + 2) <= Largest */
        if (out->u.ack.first_range + ranges_sum > out->u.ack.largest) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_ack = (0x03)
        any @ack_largest
        any @ack_delay
        any @ack_range_count
        any @ack_first_range @done;

    # spec/link.wire:284
    # ACK_ECN Frame {
    #   Type (8) = 0x04,
    #   Largest (i),
    #   Delay (i),
    #   Range Count (i),
    #   First Range (i) <= Largest,
    #   Ranges [Range Count] of Ack Range at most 31 where First Range + sum(Gap + Length + 2) <= Largest,
    #   ECT0 (i),
    #   ECT1 (i),
    #   CE (i),
    # }
    action ack_ecn_largest {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.largest);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_ecn_delay {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.delay);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_ecn_range_count {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.range_count);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_ecn_first_range {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.first_range);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:288: <= Largest */
        if (out->u.ack_ecn.first_range > out->u.ack_ecn.largest) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        field = next;
        got = pl_ack_ecn_ranges_walk(&next, pe, out->u.ack_ecn.range_count, &out->u.ack_ecn.ranges, &field,
                                     &ranges_sum);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        field = out->u.ack_ecn.ranges.p;
        /* spec/link.wire:289: where First Range + sum(Gap + Length + 2) <= Largest */
        if (out->u.ack_ecn.first_range + ranges_sum > out->u.ack_ecn.largest) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_ecn_ect0 {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.ect0);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_ecn_ect1 {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.ect1);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action ack_ecn_ce {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.ce);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_ack_ecn = (0x04)
        any @ack_ecn_largest
        any @ack_ecn_delay
        any @ack_ecn_range_count
        any @ack_ecn_first_range
        any @ack_ecn_ect0
        any @ack_ecn_ect1
        any @ack_ecn_ce @done;

    # spec/link.wire:303
    # STREAM Frame {
    #   Type (8) = 0x05,
    #   Life (32) != 0,
    #   First Number (i) >= 1,
    #   Life Before (32) where (Life Before = 0) = (First Number = 1),
    #   Birth (64),
    #   Name Length (8),
    #   Name (8*Name Length) text,
    # }
    action stream_life {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.stream.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:304: != 0 */
        if (out->u.stream.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action stream_first_number {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.stream.first_number);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:306: >= 1 */
        if (out->u.stream.first_number < 1) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action stream_life_before {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.stream.life_before)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:308: where (Life Before = 0) = (First Number = 1) */
        if ((out->u.stream.life_before == 0) != (out->u.stream.first_number == 1)) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action stream_birth {
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.stream.birth)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action stream_name_length {
        next = p;
        field = next;
        if (!pl_get_be(&next, pe, 1, &name_n)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        field = next;
        if (!pl_get_bytes(&next, pe, name_n, &out->u.stream.name)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_stream = (0x05)
        any @stream_life
        any @stream_first_number
        any @stream_life_before
        any @stream_birth
        any @stream_name_length @done;

    # spec/link.wire:324
    # RECORDS Frame {
    #   Type (8) = 0x06,
    #   Life (32) != 0,
    #   Offset (i),
    #   Bytes (8..) where Offset + bytes(Bytes) <= Piece End Max,
    # }
    action records_life {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.records.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:325: != 0 */
        if (out->u.records.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action records_offset {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.records.offset);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        field = next;
        if ((size_t)(pe - next) < 1) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        pl_get_rest(&next, pe, &out->u.records.bytes);
        /* spec/link.wire:328: where Offset + bytes(Bytes) <= Piece End Max */
        if (out->u.records.offset + out->u.records.bytes.n > PL_PIECE_END_MAX) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_records = (0x06)
        any @records_life
        any @records_offset @done;

    # spec/link.wire:339
    # RECORDS_LENGTH Frame {
    #   Type (8) = 0x07,
    #   Life (32) != 0,
    #   Offset (i),
    #   Length (i) >= 1,
    #   Bytes (8*Length) where Offset + Length <= Piece End Max,
    # }
    action records_length_life {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.records_length.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:340: != 0 */
        if (out->u.records_length.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action records_length_offset {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.records_length.offset);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action records_length_length {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &bytes_n);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:342: >= 1 */
        if (bytes_n < 1) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        field = next;
        if (!pl_get_bytes(&next, pe, bytes_n, &out->u.records_length.bytes)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:343: where Offset + Length <= Piece End Max */
        if (out->u.records_length.offset + bytes_n > PL_PIECE_END_MAX) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_records_length = (0x07)
        any @records_length_life
        any @records_length_offset
        any @records_length_length @done;

    # spec/link.wire:354
    # GAP Frame {
    #   Type (8) = 0x08,
    #   Life (32) != 0,
    #   Upto (i) >= 1,
    #   Offset (i),
    # }
    action gap_life {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.gap.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:355: != 0 */
        if (out->u.gap.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action gap_upto {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.gap.upto);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:356: >= 1 */
        if (out->u.gap.upto < 1) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action gap_offset {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.gap.offset);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_gap = (0x08)
        any @gap_life
        any @gap_upto
        any @gap_offset @done;

    # spec/link.wire:368
    # ASK Frame {
    #   Type (8) = 0x09,
    #   Life (32) != 0,
    # }
    action ask_life {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.ask.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:369: != 0 */
        if (out->u.ask.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_ask = (0x09)
        any @ask_life @done;

    # spec/link.wire:378
    # STORED Frame {
    #   Type (8) = 0x0a,
    #   Life (32) != 0,
    #   Number (i),
    #   Window (i),
    # }
    action stored_life {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.stored.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:379: != 0 */
        if (out->u.stored.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action stored_number {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.stored.number);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action stored_window {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.stored.window);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_stored = (0x0a)
        any @stored_life
        any @stored_number
        any @stored_window @done;

    # spec/link.wire:391
    # UNBOUND Frame {
    #   Type (8) = 0x0b,
    #   Life (32) != 0,
    # }
    action unbound_life {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.unbound.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:392: != 0 */
        if (out->u.unbound.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_unbound = (0x0b)
        any @unbound_life @done;

    # spec/link.wire:401
    # REFUSED Frame {
    #   Type (8) = 0x0c,
    #   Life (32),
    #   Number (i),
    #   Code (i) of Refusal where Life != 0 or Code = Refusal.MALFORMED,
    #   Detail Length (8) <= Detail Max,
    #   Detail (8*Detail Length) text,
    # }
    action refused_life {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.refused.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action refused_number {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.refused.number);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action refused_code {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.refused.code);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:405: where Life != 0 or Code = Refusal.MALFORMED */
        if (out->u.refused.life == 0 && out->u.refused.code != PL_REFUSAL_MALFORMED) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action refused_detail_length {
        next = p;
        field = next;
        if (!pl_get_be(&next, pe, 1, &detail_n)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:406: <= Detail Max */
        if (detail_n > PL_DETAIL_MAX) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        field = next;
        if (!pl_get_bytes(&next, pe, detail_n, &out->u.refused.detail)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_refused = (0x0c)
        any @refused_life
        any @refused_number
        any @refused_code
        any @refused_detail_length @done;

    # spec/link.wire:419
    # PATH_CHALLENGE Frame {
    #   Type (8) = 0x0d,
    #   Value (64),
    # }
    action path_challenge_value {
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.path_challenge.value)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_path_challenge = (0x0d)
        any @path_challenge_value @done;

    # spec/link.wire:429
    # PATH_RESPONSE Frame {
    #   Type (8) = 0x0e,
    #   Value (64),
    # }
    action path_response_value {
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.path_response.value)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_path_response = (0x0e)
        any @path_response_value @done;

    # spec/link.wire:439
    # EPOCH Frame {
    #   Type (8) = 0x0f,
    #   Number (64) != 0,
    #   Public Key (256),
    # }
    action epoch_number {
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.epoch.number)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:441: != 0 */
        if (out->u.epoch.number == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action epoch_public_key {
        next = p;
        field = next;
        if (!pl_get_copy(&next, pe, out->u.epoch.public_key, 32)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_epoch = (0x0f)
        any @epoch_number
        any @epoch_public_key @done;

    # spec/link.wire:453
    # EPOCH_OK Frame {
    #   Type (8) = 0x10,
    #   Number (64) != 0,
    #   Digest (32),
    # }
    action epoch_ok_number {
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.epoch_ok.number)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        /* spec/link.wire:454: != 0 */
        if (out->u.epoch_ok.number == 0) {
            code = PL_E_RANGE;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    action epoch_ok_digest {
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.epoch_ok.digest)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_epoch_ok = (0x10)
        any @epoch_ok_number
        any @epoch_ok_digest @done;

    # spec/link.wire:465
    # EXTENSION Frame {
    #   Type (8) = 0x40..0xff,
    #   Length (i),
    #   Body (8*Length),
    # }
    action extension_type {
        next = p + 1;
        out->u.extension.type = out->type;
        p = next - 1;
    }
    action extension_length {
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &body_n);
        if (got != PL_OK) {
            code = got;
            fault = field;
            fbreak;
        }
        field = next;
        if (!pl_get_bytes(&next, pe, body_n, &out->u.extension.body)) {
            code = PL_E_TRUNCATED;
            fault = field;
            fbreak;
        }
        p = next - 1;
    }
    frame_extension = (0x40..0xff) @extension_type
        any @extension_length @done;

    main := frame_padding
        | frame_ping
        | frame_to
        | frame_ack
        | frame_ack_ecn
        | frame_stream
        | frame_records
        | frame_records_length
        | frame_gap
        | frame_ask
        | frame_stored
        | frame_unbound
        | frame_refused
        | frame_path_challenge
        | frame_path_response
        | frame_epoch
        | frame_epoch_ok
        | frame_extension;

    write data noerror nofinal noentry;
}%%

enum pl_error pl_frame_decode(struct pl_bytes in, size_t at, struct pl_frame *out, size_t *end)
{
    static const uint8_t nothing[1];
    const uint8_t *begin = in.n > 0 ? in.p + at : nothing;
    const uint8_t *p = begin, *pe = in.n > 0 ? in.p + in.n : nothing;
    const uint8_t *next = p, *field = p, *fault = NULL;
    enum pl_error code = PL_E_UNKNOWN_TYPE;
    uint64_t ranges_sum = 0;
    uint64_t name_n = 0;
    uint64_t bytes_n = 0;
    uint64_t detail_n = 0;
    uint64_t body_n = 0;
    enum pl_error got;
    int cs;

    *end = at;
    if (in.n > UINT16_MAX)
        return PL_E_LIMIT;
    if (pe - p < 1)
        return PL_E_TRUNCATED;
    out->type = *p;
    %% write init;
    %% write exec;
    if (fault == NULL) {
        code = p == pe ? PL_E_TRUNCATED : PL_E_UNKNOWN_TYPE;
        fault = p == pe ? pe : begin;
    }
    *end = at + (size_t)(fault - begin);
    out->at = (uint16_t)at;
    out->size = (uint16_t)(fault - begin);
    return code;
}
