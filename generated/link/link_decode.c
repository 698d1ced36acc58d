
/* #line 1 "link_decode.rl" */
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


/* #line 13 "link_decode.c" */
static const int pl_frame_start = 1;


/* #line 862 "link_decode.rl" */


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
    
/* #line 38 "link_decode.c" */
	{
	cs = pl_frame_start;
	}

/* #line 886 "link_decode.rl" */
    
/* #line 41 "link_decode.c" */
	{
	if ( p == pe )
		goto _test_eof;
	switch ( cs )
	{
case 1:
	switch( ( ((unsigned char)(*p))) ) {
		case 0u: goto tr0;
		case 1u: goto tr1;
		case 2u: goto st2;
		case 3u: goto st3;
		case 4u: goto st7;
		case 5u: goto st14;
		case 6u: goto st19;
		case 7u: goto st21;
		case 8u: goto st24;
		case 9u: goto st27;
		case 10u: goto st28;
		case 11u: goto st31;
		case 12u: goto st32;
		case 13u: goto st36;
		case 14u: goto st37;
		case 15u: goto st38;
		case 16u: goto st40;
	}
	if ( 17u <= ( ((unsigned char)(*p))) && ( ((unsigned char)(*p))) <= 63u )
		goto st0;
	goto tr17;
tr0:
/* #line 28 "link_decode.rl" */
	{
        next = p + 1;
        field = next;
        if (!pl_get_zeros(&next, pe, &out->u.padding.length)) {
            code = PL_E_NOT_ZERO;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr1:
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr19:
/* #line 51 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.to.run_tag)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr23:
/* #line 106 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack.first_range);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        /* spec/link.wire:270: <= Largest */
        if (out->u.ack.first_range > out->u.ack.largest) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        field = next;
        got = pl_ack_ranges_walk(&next, pe, out->u.ack.range_count, &out->u.ack.ranges, &field, &ranges_sum);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        field = out->u.ack.ranges.p;
        /* spec/link.wire:271: where First Range + sum(Gap + Length + 2) <= Largest */
        if (out->u.ack.first_range + ranges_sum > out->u.ack.largest) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr30:
/* #line 242 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.ce);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr35:
/* #line 331 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_be(&next, pe, 1, &name_n)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        field = next;
        if (!pl_get_bytes(&next, pe, name_n, &out->u.stream.name)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr37:
/* #line 377 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.records.offset);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        field = next;
        if ((size_t)(pe - next) < 1) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        pl_get_rest(&next, pe, &out->u.records.bytes);
        /* spec/link.wire:328: where Offset + bytes(Bytes) <= Piece End Max */
        if (out->u.records.offset + out->u.records.bytes.n > PL_PIECE_END_MAX) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr40:
/* #line 440 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &bytes_n);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        /* spec/link.wire:342: >= 1 */
        if (bytes_n < 1) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        field = next;
        if (!pl_get_bytes(&next, pe, bytes_n, &out->u.records_length.bytes)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        /* spec/link.wire:343: where Offset + Length <= Piece End Max */
        if (out->u.records_length.offset + bytes_n > PL_PIECE_END_MAX) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr43:
/* #line 514 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.gap.offset);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr44:
/* #line 535 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.ask.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        /* spec/link.wire:369: != 0 */
        if (out->u.ask.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr47:
/* #line 588 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.stored.window);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr48:
/* #line 609 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.unbound.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        /* spec/link.wire:392: != 0 */
        if (out->u.unbound.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr52:
/* #line 675 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_be(&next, pe, 1, &detail_n)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        /* spec/link.wire:406: <= Detail Max */
        if (detail_n > PL_DETAIL_MAX) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        field = next;
        if (!pl_get_bytes(&next, pe, detail_n, &out->u.refused.detail)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr53:
/* #line 708 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.path_challenge.value)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr54:
/* #line 726 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.path_response.value)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr56:
/* #line 761 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_copy(&next, pe, out->u.epoch.public_key, 32)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr58:
/* #line 797 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.epoch_ok.digest)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
tr59:
/* #line 822 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &body_n);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        field = next;
        if (!pl_get_bytes(&next, pe, body_n, &out->u.extension.body)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 43; goto _out;}
        }
        p = next - 1;
    }
/* #line 17 "link_decode.rl" */
	{
        code = PL_OK;
        fault = p + 1;
        {p++; cs = 43; goto _out;}
    }
	goto st43;
st43:
	if ( ++p == pe )
		goto _test_eof43;
case 43:
/* #line 463 "link_decode.c" */
	goto st0;
st0:
cs = 0;
	goto _out;
st2:
	if ( ++p == pe )
		goto _test_eof2;
case 2:
	goto tr19;
st3:
	if ( ++p == pe )
		goto _test_eof3;
case 3:
	goto tr20;
tr20:
/* #line 73 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack.largest);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 4; goto _out;}
        }
        p = next - 1;
    }
	goto st4;
st4:
	if ( ++p == pe )
		goto _test_eof4;
case 4:
/* #line 494 "link_decode.c" */
	goto tr21;
tr21:
/* #line 84 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack.delay);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 5; goto _out;}
        }
        p = next - 1;
    }
	goto st5;
st5:
	if ( ++p == pe )
		goto _test_eof5;
case 5:
/* #line 512 "link_decode.c" */
	goto tr22;
tr22:
/* #line 95 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack.range_count);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 6; goto _out;}
        }
        p = next - 1;
    }
	goto st6;
st6:
	if ( ++p == pe )
		goto _test_eof6;
case 6:
/* #line 530 "link_decode.c" */
	goto tr23;
st7:
	if ( ++p == pe )
		goto _test_eof7;
case 7:
	goto tr24;
tr24:
/* #line 155 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.largest);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 8; goto _out;}
        }
        p = next - 1;
    }
	goto st8;
st8:
	if ( ++p == pe )
		goto _test_eof8;
case 8:
/* #line 553 "link_decode.c" */
	goto tr25;
tr25:
/* #line 166 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.delay);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 9; goto _out;}
        }
        p = next - 1;
    }
	goto st9;
st9:
	if ( ++p == pe )
		goto _test_eof9;
case 9:
/* #line 571 "link_decode.c" */
	goto tr26;
tr26:
/* #line 177 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.range_count);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 10; goto _out;}
        }
        p = next - 1;
    }
	goto st10;
st10:
	if ( ++p == pe )
		goto _test_eof10;
case 10:
/* #line 589 "link_decode.c" */
	goto tr27;
tr27:
/* #line 188 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.first_range);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 11; goto _out;}
        }
        /* spec/link.wire:288: <= Largest */
        if (out->u.ack_ecn.first_range > out->u.ack_ecn.largest) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 11; goto _out;}
        }
        field = next;
        got = pl_ack_ecn_ranges_walk(&next, pe, out->u.ack_ecn.range_count, &out->u.ack_ecn.ranges, &field,
                                     &ranges_sum);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 11; goto _out;}
        }
        field = out->u.ack_ecn.ranges.p;
        /* spec/link.wire:289: where First Range + sum(Gap + Length + 2) <= Largest */
        if (out->u.ack_ecn.first_range + ranges_sum > out->u.ack_ecn.largest) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 11; goto _out;}
        }
        p = next - 1;
    }
	goto st11;
st11:
	if ( ++p == pe )
		goto _test_eof11;
case 11:
/* #line 628 "link_decode.c" */
	goto tr28;
tr28:
/* #line 220 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.ect0);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 12; goto _out;}
        }
        p = next - 1;
    }
	goto st12;
st12:
	if ( ++p == pe )
		goto _test_eof12;
case 12:
/* #line 646 "link_decode.c" */
	goto tr29;
tr29:
/* #line 231 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.ack_ecn.ect1);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 13; goto _out;}
        }
        p = next - 1;
    }
	goto st13;
st13:
	if ( ++p == pe )
		goto _test_eof13;
case 13:
/* #line 664 "link_decode.c" */
	goto tr30;
st14:
	if ( ++p == pe )
		goto _test_eof14;
case 14:
	goto tr31;
tr31:
/* #line 272 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.stream.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 15; goto _out;}
        }
        /* spec/link.wire:304: != 0 */
        if (out->u.stream.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 15; goto _out;}
        }
        p = next - 1;
    }
	goto st15;
st15:
	if ( ++p == pe )
		goto _test_eof15;
case 15:
/* #line 692 "link_decode.c" */
	goto tr32;
tr32:
/* #line 288 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.stream.first_number);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 16; goto _out;}
        }
        /* spec/link.wire:306: >= 1 */
        if (out->u.stream.first_number < 1) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 16; goto _out;}
        }
        p = next - 1;
    }
	goto st16;
st16:
	if ( ++p == pe )
		goto _test_eof16;
case 16:
/* #line 716 "link_decode.c" */
	goto tr33;
tr33:
/* #line 305 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.stream.life_before)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 17; goto _out;}
        }
        /* spec/link.wire:308: where (Life Before = 0) = (First Number = 1) */
        if ((out->u.stream.life_before == 0) != (out->u.stream.first_number == 1)) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 17; goto _out;}
        }
        p = next - 1;
    }
	goto st17;
st17:
	if ( ++p == pe )
		goto _test_eof17;
case 17:
/* #line 739 "link_decode.c" */
	goto tr34;
tr34:
/* #line 321 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.stream.birth)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 18; goto _out;}
        }
        p = next - 1;
    }
	goto st18;
st18:
	if ( ++p == pe )
		goto _test_eof18;
case 18:
/* #line 756 "link_decode.c" */
	goto tr35;
st19:
	if ( ++p == pe )
		goto _test_eof19;
case 19:
	goto tr36;
tr36:
/* #line 361 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.records.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 20; goto _out;}
        }
        /* spec/link.wire:325: != 0 */
        if (out->u.records.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 20; goto _out;}
        }
        p = next - 1;
    }
	goto st20;
st20:
	if ( ++p == pe )
		goto _test_eof20;
case 20:
/* #line 784 "link_decode.c" */
	goto tr37;
st21:
	if ( ++p == pe )
		goto _test_eof21;
case 21:
	goto tr38;
tr38:
/* #line 413 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.records_length.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 22; goto _out;}
        }
        /* spec/link.wire:340: != 0 */
        if (out->u.records_length.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 22; goto _out;}
        }
        p = next - 1;
    }
	goto st22;
st22:
	if ( ++p == pe )
		goto _test_eof22;
case 22:
/* #line 812 "link_decode.c" */
	goto tr39;
tr39:
/* #line 429 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.records_length.offset);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 23; goto _out;}
        }
        p = next - 1;
    }
	goto st23;
st23:
	if ( ++p == pe )
		goto _test_eof23;
case 23:
/* #line 830 "link_decode.c" */
	goto tr40;
st24:
	if ( ++p == pe )
		goto _test_eof24;
case 24:
	goto tr41;
tr41:
/* #line 481 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.gap.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 25; goto _out;}
        }
        /* spec/link.wire:355: != 0 */
        if (out->u.gap.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 25; goto _out;}
        }
        p = next - 1;
    }
	goto st25;
st25:
	if ( ++p == pe )
		goto _test_eof25;
case 25:
/* #line 858 "link_decode.c" */
	goto tr42;
tr42:
/* #line 497 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.gap.upto);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 26; goto _out;}
        }
        /* spec/link.wire:356: >= 1 */
        if (out->u.gap.upto < 1) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 26; goto _out;}
        }
        p = next - 1;
    }
	goto st26;
st26:
	if ( ++p == pe )
		goto _test_eof26;
case 26:
/* #line 882 "link_decode.c" */
	goto tr43;
st27:
	if ( ++p == pe )
		goto _test_eof27;
case 27:
	goto tr44;
st28:
	if ( ++p == pe )
		goto _test_eof28;
case 28:
	goto tr45;
tr45:
/* #line 561 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.stored.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 29; goto _out;}
        }
        /* spec/link.wire:379: != 0 */
        if (out->u.stored.life == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 29; goto _out;}
        }
        p = next - 1;
    }
	goto st29;
st29:
	if ( ++p == pe )
		goto _test_eof29;
case 29:
/* #line 915 "link_decode.c" */
	goto tr46;
tr46:
/* #line 577 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.stored.number);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 30; goto _out;}
        }
        p = next - 1;
    }
	goto st30;
st30:
	if ( ++p == pe )
		goto _test_eof30;
case 30:
/* #line 933 "link_decode.c" */
	goto tr47;
st31:
	if ( ++p == pe )
		goto _test_eof31;
case 31:
	goto tr48;
st32:
	if ( ++p == pe )
		goto _test_eof32;
case 32:
	goto tr49;
tr49:
/* #line 637 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u32(&next, pe, &out->u.refused.life)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 33; goto _out;}
        }
        p = next - 1;
    }
	goto st33;
st33:
	if ( ++p == pe )
		goto _test_eof33;
case 33:
/* #line 960 "link_decode.c" */
	goto tr50;
tr50:
/* #line 647 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.refused.number);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 34; goto _out;}
        }
        p = next - 1;
    }
	goto st34;
st34:
	if ( ++p == pe )
		goto _test_eof34;
case 34:
/* #line 978 "link_decode.c" */
	goto tr51;
tr51:
/* #line 658 "link_decode.rl" */
	{
        next = p;
        field = next;
        got = pl_get_varint(&next, pe, &out->u.refused.code);
        if (got != PL_OK) {
            code = got;
            fault = field;
            {p++; cs = 35; goto _out;}
        }
        /* spec/link.wire:405: where Life != 0 or Code = Refusal.MALFORMED */
        if (out->u.refused.life == 0 && out->u.refused.code != PL_REFUSAL_MALFORMED) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 35; goto _out;}
        }
        p = next - 1;
    }
	goto st35;
st35:
	if ( ++p == pe )
		goto _test_eof35;
case 35:
/* #line 1002 "link_decode.c" */
	goto tr52;
st36:
	if ( ++p == pe )
		goto _test_eof36;
case 36:
	goto tr53;
st37:
	if ( ++p == pe )
		goto _test_eof37;
case 37:
	goto tr54;
st38:
	if ( ++p == pe )
		goto _test_eof38;
case 38:
	goto tr55;
tr55:
/* #line 745 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.epoch.number)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 39; goto _out;}
        }
        /* spec/link.wire:441: != 0 */
        if (out->u.epoch.number == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 39; goto _out;}
        }
        p = next - 1;
    }
	goto st39;
st39:
	if ( ++p == pe )
		goto _test_eof39;
case 39:
/* #line 1040 "link_decode.c" */
	goto tr56;
st40:
	if ( ++p == pe )
		goto _test_eof40;
case 40:
	goto tr57;
tr57:
/* #line 781 "link_decode.rl" */
	{
        next = p;
        field = next;
        if (!pl_get_u64(&next, pe, &out->u.epoch_ok.number)) {
            code = PL_E_TRUNCATED;
            fault = field;
            {p++; cs = 41; goto _out;}
        }
        /* spec/link.wire:454: != 0 */
        if (out->u.epoch_ok.number == 0) {
            code = PL_E_RANGE;
            fault = field;
            {p++; cs = 41; goto _out;}
        }
        p = next - 1;
    }
	goto st41;
st41:
	if ( ++p == pe )
		goto _test_eof41;
case 41:
/* #line 1068 "link_decode.c" */
	goto tr58;
tr17:
/* #line 817 "link_decode.rl" */
	{
        next = p + 1;
        out->u.extension.type = out->type;
        p = next - 1;
    }
	goto st42;
st42:
	if ( ++p == pe )
		goto _test_eof42;
case 42:
/* #line 1080 "link_decode.c" */
	goto tr59;
	}
	_test_eof43: cs = 43; goto _test_eof; 
	_test_eof2: cs = 2; goto _test_eof; 
	_test_eof3: cs = 3; goto _test_eof; 
	_test_eof4: cs = 4; goto _test_eof; 
	_test_eof5: cs = 5; goto _test_eof; 
	_test_eof6: cs = 6; goto _test_eof; 
	_test_eof7: cs = 7; goto _test_eof; 
	_test_eof8: cs = 8; goto _test_eof; 
	_test_eof9: cs = 9; goto _test_eof; 
	_test_eof10: cs = 10; goto _test_eof; 
	_test_eof11: cs = 11; goto _test_eof; 
	_test_eof12: cs = 12; goto _test_eof; 
	_test_eof13: cs = 13; goto _test_eof; 
	_test_eof14: cs = 14; goto _test_eof; 
	_test_eof15: cs = 15; goto _test_eof; 
	_test_eof16: cs = 16; goto _test_eof; 
	_test_eof17: cs = 17; goto _test_eof; 
	_test_eof18: cs = 18; goto _test_eof; 
	_test_eof19: cs = 19; goto _test_eof; 
	_test_eof20: cs = 20; goto _test_eof; 
	_test_eof21: cs = 21; goto _test_eof; 
	_test_eof22: cs = 22; goto _test_eof; 
	_test_eof23: cs = 23; goto _test_eof; 
	_test_eof24: cs = 24; goto _test_eof; 
	_test_eof25: cs = 25; goto _test_eof; 
	_test_eof26: cs = 26; goto _test_eof; 
	_test_eof27: cs = 27; goto _test_eof; 
	_test_eof28: cs = 28; goto _test_eof; 
	_test_eof29: cs = 29; goto _test_eof; 
	_test_eof30: cs = 30; goto _test_eof; 
	_test_eof31: cs = 31; goto _test_eof; 
	_test_eof32: cs = 32; goto _test_eof; 
	_test_eof33: cs = 33; goto _test_eof; 
	_test_eof34: cs = 34; goto _test_eof; 
	_test_eof35: cs = 35; goto _test_eof; 
	_test_eof36: cs = 36; goto _test_eof; 
	_test_eof37: cs = 37; goto _test_eof; 
	_test_eof38: cs = 38; goto _test_eof; 
	_test_eof39: cs = 39; goto _test_eof; 
	_test_eof40: cs = 40; goto _test_eof; 
	_test_eof41: cs = 41; goto _test_eof; 
	_test_eof42: cs = 42; goto _test_eof; 

	_test_eof: {}
	_out: {}
	}

/* #line 887 "link_decode.rl" */
    if (fault == NULL) {
        code = p == pe ? PL_E_TRUNCATED : PL_E_UNKNOWN_TYPE;
        fault = p == pe ? pe : begin;
    }
    *end = at + (size_t)(fault - begin);
    out->at = (uint16_t)at;
    out->size = (uint16_t)(fault - begin);
    return code;
}
