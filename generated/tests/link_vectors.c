/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * The vectors of the spec as data.
 */
#include "tests/link_vectors.h"

#include <stdlib.h>
#include <string.h>

#define NOTHING ((const uint8_t *)"")

static enum pl_error header_decode(struct pl_bytes in, union link_any *out, size_t *end)
{
    return pl_header_decode(in.p, in.n, &out->header, end);
}

static size_t header_encode(uint8_t *out, size_t room, const union link_any *value)
{
    return pl_header_encode(out, room, &value->header);
}

static size_t header_size(const union link_any *value)
{
    return pl_header_size(&value->header);
}

static enum pl_error header_validate(const union link_any *value)
{
    return pl_header_validate(&value->header);
}

static size_t header_print(char *out, size_t room, const union link_any *value)
{
    return pl_header_print(out, room, &value->header);
}

static enum pl_error run_info_decode(struct pl_bytes in, union link_any *out, size_t *end)
{
    return pl_run_info_decode(in.p, in.n, &out->run_info, end);
}

static size_t run_info_encode(uint8_t *out, size_t room, const union link_any *value)
{
    return pl_run_info_encode(out, room, &value->run_info);
}

static size_t run_info_size(const union link_any *value)
{
    return pl_run_info_size(&value->run_info);
}

static enum pl_error run_info_validate(const union link_any *value)
{
    return pl_run_info_validate(&value->run_info);
}

static size_t run_info_print(char *out, size_t room, const union link_any *value)
{
    return pl_run_info_print(out, room, &value->run_info);
}

static enum pl_error ack_range_decode(struct pl_bytes in, union link_any *out, size_t *end)
{
    return pl_ack_range_decode(in.p, in.n, &out->ack_range, end);
}

static size_t ack_range_encode(uint8_t *out, size_t room, const union link_any *value)
{
    return pl_ack_range_encode(out, room, &value->ack_range);
}

static size_t ack_range_size(const union link_any *value)
{
    return pl_ack_range_size(&value->ack_range);
}

static enum pl_error ack_range_validate(const union link_any *value)
{
    return pl_ack_range_validate(&value->ack_range);
}

static size_t ack_range_print(char *out, size_t room, const union link_any *value)
{
    return pl_ack_range_print(out, room, &value->ack_range);
}

static enum pl_error any_frame_decode(struct pl_bytes in, union link_any *out, size_t *end)
{
    return pl_frame_decode(in, 0, &out->any_frame, end);
}

static size_t any_frame_encode(uint8_t *out, size_t room, const union link_any *value)
{
    return pl_frame_encode(out, room, &value->any_frame);
}

static size_t any_frame_size(const union link_any *value)
{
    return pl_frame_size(&value->any_frame);
}

static enum pl_error any_frame_validate(const union link_any *value)
{
    return pl_frame_validate(&value->any_frame);
}

static size_t any_frame_print(char *out, size_t room, const union link_any *value)
{
    return pl_frame_print(out, room, &value->any_frame);
}

const struct link_subject link_subjects[] = {
    [SUBJECT_HEADER] = {header_decode, header_encode, header_size, header_validate, header_print},
    [SUBJECT_RUN_INFO] = {run_info_decode, run_info_encode, run_info_size, run_info_validate, run_info_print},
    [SUBJECT_ACK_RANGE] = {ack_range_decode, ack_range_encode, ack_range_size, ack_range_validate,
        ack_range_print},
    [SUBJECT_FRAME] = {any_frame_decode, any_frame_encode, any_frame_size, any_frame_validate,
        any_frame_print},
};

/* clang-format off */
const struct link_vector link_vectors[] = {
    /* spec/link.wire:171 */
    {&link_subjects[SUBJECT_HEADER], "Header: suite 1, static keys",
     (const uint8_t *)"\024\000\241\242\243\244\001\002\003\004\005\006\007\010\000\000\000\007", 18, false,
     "version=1 suite=1(AES_128_GCM) cookie=0 reserved=0 own_epoch=0 peer_epoch=0 key_id=0xa1a2a3a4 run=0x0102030405060708 packet_number=0x00000007",
     {.header = {.version = 1, .suite = 1, .cookie = 0, .reserved = 0, .own_epoch = 0, .peer_epoch = 0, .key_id = UINT64_C(2711790500), .run = UINT64_C(72623859790382856), .packet_number = 7}}},
    /* spec/link.wire:174 */
    {&link_subjects[SUBJECT_HEADER], "Header: suite 2 with a cookie, epochs 3 and 15",
     (const uint8_t *)"\032\077\000\000\000\001\377\377\377\377\377\377\377\377\037\377\377\377", 18, false,
     "version=1 suite=2(CHACHA20_POLY1305) cookie=1 reserved=0 own_epoch=3 peer_epoch=15 key_id=0x00000001 run=0xffffffffffffffff packet_number=0x1fffffff",
     {.header = {.version = 1, .suite = 2, .cookie = 1, .reserved = 0, .own_epoch = 3, .peer_epoch = 15, .key_id = 1, .run = UINT64_C(18446744073709551615), .packet_number = 536870911}}},
    /* spec/link.wire:193 */
    {&link_subjects[SUBJECT_RUN_INFO], "Run Info: suite 1, from the smaller key",
     (const uint8_t *)"\162\165\156\001\000\000\001\002\003\004\005\006\007\010", 14, false,
     "suite=1(AES_128_GCM) direction=0 epochs=0 run=0x0102030405060708",
     {.run_info = {.suite = 1, .direction = 0, .epochs = 0, .run = UINT64_C(72623859790382856)}}},
    /* spec/link.wire:195 */
    {&link_subjects[SUBJECT_RUN_INFO], "Run Info: suite 2, from the larger key",
     (const uint8_t *)"\162\165\156\002\001\077\377\376\375\374\373\372\371\370", 14, false,
     "suite=2(CHACHA20_POLY1305) direction=1 epochs=63 run=0xfffefdfcfbfaf9f8",
     {.run_info = {.suite = 2, .direction = 1, .epochs = 63, .run = UINT64_C(18446460386757245432)}}},
    /* spec/link.wire:258 */
    {&link_subjects[SUBJECT_ACK_RANGE], "Ack Range: the smallest",
     (const uint8_t *)"\000\000", 2, false,
     "gap=0 length=0",
     {.ack_range = {.gap = 0, .length = 0}}},
    /* spec/link.wire:259 */
    {&link_subjects[SUBJECT_ACK_RANGE], "Ack Range: two bytes and eight",
     (const uint8_t *)"\100\100\300\000\000\000\100\000\000\000", 10, false,
     "gap=64 length=1073741824",
     {.ack_range = {.gap = 64, .length = 1073741824}}},
    /* spec/link.wire:227 */
    {&link_subjects[SUBJECT_FRAME], "PADDING: nothing behind the type",
     (const uint8_t *)"\000", 1, true,
     "PADDING length=0",
     {.any_frame = {.type = PL_FRAME_PADDING, .u.padding = {.length = 0}}}},
    /* spec/link.wire:228 */
    {&link_subjects[SUBJECT_FRAME], "PADDING: four zeros",
     (const uint8_t *)"\000\000\000\000\000", 5, true,
     "PADDING length=4",
     {.any_frame = {.type = PL_FRAME_PADDING, .u.padding = {.length = 4}}}},
    /* spec/link.wire:236 */
    {&link_subjects[SUBJECT_FRAME], "PING: all of it",
     (const uint8_t *)"\001", 1, false,
     "PING",
     {.any_frame = {.type = PL_FRAME_PING, .u.ping = {0}}}},
    /* spec/link.wire:246 */
    {&link_subjects[SUBJECT_FRAME], "TO: a run",
     (const uint8_t *)"\002\001\002\003\004", 5, false,
     "TO run_tag=0x01020304",
     {.any_frame = {.type = PL_FRAME_TO, .u.to = {.run_tag = 16909060}}}},
    /* spec/link.wire:247 */
    {&link_subjects[SUBJECT_FRAME], "TO: all bits set",
     (const uint8_t *)"\002\377\377\377\377", 5, false,
     "TO run_tag=0xffffffff",
     {.any_frame = {.type = PL_FRAME_TO, .u.to = {.run_tag = UINT64_C(4294967295)}}}},
    /* spec/link.wire:273 */
    {&link_subjects[SUBJECT_FRAME], "ACK: one packet",
     (const uint8_t *)"\003\007\000\000\000", 5, false,
     "ACK largest=7 delay=0 range_count=0 first_range=0 ranges=[]",
     {.any_frame = {.type = PL_FRAME_ACK, .u.ack = {.largest = 7, .delay = 0, .range_count = 0, .first_range = 0, .ranges = {NOTHING, 0}}}}},
    /* spec/link.wire:274 */
    {&link_subjects[SUBJECT_FRAME], "ACK: down to packet zero",
     (const uint8_t *)"\003\012\100\144\001\002\000\006", 8, false,
     "ACK largest=10 delay=100 range_count=1 first_range=2 ranges=[{gap=0 length=6}]",
     {.any_frame = {.type = PL_FRAME_ACK, .u.ack = {.largest = 10, .delay = 100, .range_count = 1, .first_range = 2, .ranges = {(const uint8_t *)"\000\006", 2}}}}},
    /* spec/link.wire:275 */
    {&link_subjects[SUBJECT_FRAME], "ACK: two ranges",
     (const uint8_t *)"\003\200\001\000\000\000\002\000\001\002\003\100\377", 13, false,
     "ACK largest=65536 delay=0 range_count=2 first_range=0 ranges=[{gap=1 length=2} {gap=3 length=255}]",
     {.any_frame = {.type = PL_FRAME_ACK, .u.ack = {.largest = 65536, .delay = 0, .range_count = 2, .first_range = 0, .ranges = {(const uint8_t *)"\001\002\003\100\377", 5}}}}},
    /* spec/link.wire:294 */
    {&link_subjects[SUBJECT_FRAME], "ACK_ECN: no range",
     (const uint8_t *)"\004\007\000\000\007\010\000\001", 8, false,
     "ACK_ECN largest=7 delay=0 range_count=0 first_range=7 ranges=[] ect0=8 ect1=0 ce=1",
     {.any_frame = {.type = PL_FRAME_ACK_ECN, .u.ack_ecn = {.largest = 7, .delay = 0, .range_count = 0, .first_range = 7, .ranges = {NOTHING, 0}, .ect0 = 8, .ect1 = 0, .ce = 1}}}},
    /* spec/link.wire:295 */
    {&link_subjects[SUBJECT_FRAME], "ACK_ECN: one range",
     (const uint8_t *)"\004\012\031\001\002\000\001\100\310\000\005", 11, false,
     "ACK_ECN largest=10 delay=25 range_count=1 first_range=2 ranges=[{gap=0 length=1}] ect0=200 ect1=0 ce=5",
     {.any_frame = {.type = PL_FRAME_ACK_ECN, .u.ack_ecn = {.largest = 10, .delay = 25, .range_count = 1, .first_range = 2, .ranges = {(const uint8_t *)"\000\001", 2}, .ect0 = 200, .ect1 = 0, .ce = 5}}}},
    /* spec/link.wire:313 */
    {&link_subjects[SUBJECT_FRAME], "STREAM: a birth",
     (const uint8_t *)"\005\241\262\303\324\001\000\000\000\000\001\002\003\004\005\006\007\010\003\154\157\147", 22, false,
     "STREAM life=0xa1b2c3d4 first_number=1 life_before=0x00000000 birth=0x0102030405060708 name=\"log\"",
     {.any_frame = {.type = PL_FRAME_STREAM, .u.stream = {.life = UINT64_C(2712847316), .first_number = 1, .life_before = 0, .birth = UINT64_C(72623859790382856), .name = {(const uint8_t *)"\154\157\147", 3}}}}},
    /* spec/link.wire:314 */
    {&link_subjects[SUBJECT_FRAME], "STREAM: a later life",
     (const uint8_t *)"\005\000\000\000\001\103\351\241\262\303\324\377\377\377\377\377\377\377\377\001\170", 21, false,
     "STREAM life=0x00000001 first_number=1001 life_before=0xa1b2c3d4 birth=0xffffffffffffffff name=\"x\"",
     {.any_frame = {.type = PL_FRAME_STREAM, .u.stream = {.life = 1, .first_number = 1001, .life_before = UINT64_C(2712847316), .birth = UINT64_C(18446744073709551615), .name = {(const uint8_t *)"\170", 1}}}}},
    /* spec/link.wire:315 */
    {&link_subjects[SUBJECT_FRAME], "STREAM: no name",
     (const uint8_t *)"\005\000\000\000\001\002\000\000\000\002\000\000\000\000\000\000\000\000\000", 19, false,
     "STREAM life=0x00000001 first_number=2 life_before=0x00000002 birth=0x0000000000000000 name=\"\"",
     {.any_frame = {.type = PL_FRAME_STREAM, .u.stream = {.life = 1, .first_number = 2, .life_before = 2, .birth = 0, .name = {NOTHING, 0}}}}},
    /* spec/link.wire:330 */
    {&link_subjects[SUBJECT_FRAME], "RECORDS: a whole record, 'hi'",
     (const uint8_t *)"\006\241\262\303\324\000\002\150\151", 9, true,
     "RECORDS life=0xa1b2c3d4 offset=0 bytes=3:026869",
     {.any_frame = {.type = PL_FRAME_RECORDS, .u.records = {.life = UINT64_C(2712847316), .offset = 0, .bytes = {(const uint8_t *)"\002\150\151", 3}}}}},
    /* spec/link.wire:331 */
    {&link_subjects[SUBJECT_FRAME], "RECORDS: one byte far away",
     (const uint8_t *)"\006\000\000\000\001\277\377\377\377\377", 10, true,
     "RECORDS life=0x00000001 offset=1073741823 bytes=1:ff",
     {.any_frame = {.type = PL_FRAME_RECORDS, .u.records = {.life = 1, .offset = 1073741823, .bytes = {(const uint8_t *)"\377", 1}}}}},
    /* spec/link.wire:332 */
    {&link_subjects[SUBJECT_FRAME], "RECORDS: up to the last offset",
     (const uint8_t *)"\006\000\000\000\001\377\377\377\377\377\377\377\376\000", 14, true,
     "RECORDS life=0x00000001 offset=4611686018427387902 bytes=1:00",
     {.any_frame = {.type = PL_FRAME_RECORDS, .u.records = {.life = 1, .offset = UINT64_C(4611686018427387902), .bytes = {(const uint8_t *)"\000", 1}}}}},
    /* spec/link.wire:345 */
    {&link_subjects[SUBJECT_FRAME], "RECORDS_LENGTH: a whole record, 'hi'",
     (const uint8_t *)"\007\241\262\303\324\000\003\002\150\151", 10, false,
     "RECORDS_LENGTH life=0xa1b2c3d4 offset=0 bytes=3:026869",
     {.any_frame = {.type = PL_FRAME_RECORDS_LENGTH, .u.records_length = {.life = UINT64_C(2712847316), .offset = 0, .bytes = {(const uint8_t *)"\002\150\151", 3}}}}},
    /* spec/link.wire:346 */
    {&link_subjects[SUBJECT_FRAME], "RECORDS_LENGTH: a byte at 16,384",
     (const uint8_t *)"\007\000\000\000\001\200\000\100\000\001\000", 11, false,
     "RECORDS_LENGTH life=0x00000001 offset=16384 bytes=1:00",
     {.any_frame = {.type = PL_FRAME_RECORDS_LENGTH, .u.records_length = {.life = 1, .offset = 16384, .bytes = {(const uint8_t *)"\000", 1}}}}},
    /* spec/link.wire:360 */
    {&link_subjects[SUBJECT_FRAME], "GAP: the first record",
     (const uint8_t *)"\010\241\262\303\324\001\003", 7, false,
     "GAP life=0xa1b2c3d4 upto=1 offset=3",
     {.any_frame = {.type = PL_FRAME_GAP, .u.gap = {.life = UINT64_C(2712847316), .upto = 1, .offset = 3}}}},
    /* spec/link.wire:361 */
    {&link_subjects[SUBJECT_FRAME], "GAP: many",
     (const uint8_t *)"\010\000\000\000\001\177\377\200\001\000\000", 11, false,
     "GAP life=0x00000001 upto=16383 offset=65536",
     {.any_frame = {.type = PL_FRAME_GAP, .u.gap = {.life = 1, .upto = 16383, .offset = 65536}}}},
    /* spec/link.wire:371 */
    {&link_subjects[SUBJECT_FRAME], "ASK: a life",
     (const uint8_t *)"\011\241\262\303\324", 5, false,
     "ASK life=0xa1b2c3d4",
     {.any_frame = {.type = PL_FRAME_ASK, .u.ask = {.life = UINT64_C(2712847316)}}}},
    /* spec/link.wire:372 */
    {&link_subjects[SUBJECT_FRAME], "ASK: life 1",
     (const uint8_t *)"\011\000\000\000\001", 5, false,
     "ASK life=0x00000001",
     {.any_frame = {.type = PL_FRAME_ASK, .u.ask = {.life = 1}}}},
    /* spec/link.wire:384 */
    {&link_subjects[SUBJECT_FRAME], "STORED: nothing yet",
     (const uint8_t *)"\012\241\262\303\324\000\020", 7, false,
     "STORED life=0xa1b2c3d4 number=0 window=16",
     {.any_frame = {.type = PL_FRAME_STORED, .u.stored = {.life = UINT64_C(2712847316), .number = 0, .window = 16}}}},
    /* spec/link.wire:385 */
    {&link_subjects[SUBJECT_FRAME], "STORED: a thousand",
     (const uint8_t *)"\012\241\262\303\324\103\350\120\000", 9, false,
     "STORED life=0xa1b2c3d4 number=1000 window=4096",
     {.any_frame = {.type = PL_FRAME_STORED, .u.stored = {.life = UINT64_C(2712847316), .number = 1000, .window = 4096}}}},
    /* spec/link.wire:394 */
    {&link_subjects[SUBJECT_FRAME], "UNBOUND: a life",
     (const uint8_t *)"\013\241\262\303\324", 5, false,
     "UNBOUND life=0xa1b2c3d4",
     {.any_frame = {.type = PL_FRAME_UNBOUND, .u.unbound = {.life = UINT64_C(2712847316)}}}},
    /* spec/link.wire:395 */
    {&link_subjects[SUBJECT_FRAME], "UNBOUND: the last one",
     (const uint8_t *)"\013\377\377\377\377", 5, false,
     "UNBOUND life=0xffffffff",
     {.any_frame = {.type = PL_FRAME_UNBOUND, .u.unbound = {.life = UINT64_C(4294967295)}}}},
    /* spec/link.wire:410 */
    {&link_subjects[SUBJECT_FRAME], "REFUSED: forked at 41",
     (const uint8_t *)"\014\241\262\303\324\051\001\000", 8, false,
     "REFUSED life=0xa1b2c3d4 number=41 code=1(FORKED) detail=\"\"",
     {.any_frame = {.type = PL_FRAME_REFUSED, .u.refused = {.life = UINT64_C(2712847316), .number = 41, .code = 1, .detail = {NOTHING, 0}}}}},
    /* spec/link.wire:411 */
    {&link_subjects[SUBJECT_FRAME], "REFUSED: malformed",
     (const uint8_t *)"\014\000\000\000\000\000\007\003\101\103\113", 11, false,
     "REFUSED life=0x00000000 number=0 code=7(MALFORMED) detail=\"ACK\"",
     {.any_frame = {.type = PL_FRAME_REFUSED, .u.refused = {.life = 0, .number = 0, .code = 7, .detail = {(const uint8_t *)"\101\103\113", 3}}}}},
    /* spec/link.wire:412 */
    {&link_subjects[SUBJECT_FRAME], "REFUSED: a code of tomorrow",
     (const uint8_t *)"\014\000\000\000\001\000\101\000\000", 9, false,
     "REFUSED life=0x00000001 number=0 code=256(unknown) detail=\"\"",
     {.any_frame = {.type = PL_FRAME_REFUSED, .u.refused = {.life = 1, .number = 0, .code = 256, .detail = {NOTHING, 0}}}}},
    /* spec/link.wire:422 */
    {&link_subjects[SUBJECT_FRAME], "PATH_CHALLENGE: a value",
     (const uint8_t *)"\015\001\002\003\004\005\006\007\010", 9, false,
     "PATH_CHALLENGE value=0x0102030405060708",
     {.any_frame = {.type = PL_FRAME_PATH_CHALLENGE, .u.path_challenge = {.value = UINT64_C(72623859790382856)}}}},
    /* spec/link.wire:423 */
    {&link_subjects[SUBJECT_FRAME], "PATH_CHALLENGE: zero",
     (const uint8_t *)"\015\000\000\000\000\000\000\000\000", 9, false,
     "PATH_CHALLENGE value=0x0000000000000000",
     {.any_frame = {.type = PL_FRAME_PATH_CHALLENGE, .u.path_challenge = {.value = 0}}}},
    /* spec/link.wire:432 */
    {&link_subjects[SUBJECT_FRAME], "PATH_RESPONSE: a value",
     (const uint8_t *)"\016\001\002\003\004\005\006\007\010", 9, false,
     "PATH_RESPONSE value=0x0102030405060708",
     {.any_frame = {.type = PL_FRAME_PATH_RESPONSE, .u.path_response = {.value = UINT64_C(72623859790382856)}}}},
    /* spec/link.wire:433 */
    {&link_subjects[SUBJECT_FRAME], "PATH_RESPONSE: all bits set",
     (const uint8_t *)"\016\377\377\377\377\377\377\377\377", 9, false,
     "PATH_RESPONSE value=0xffffffffffffffff",
     {.any_frame = {.type = PL_FRAME_PATH_RESPONSE, .u.path_response = {.value = UINT64_C(18446744073709551615)}}}},
    /* spec/link.wire:444 */
    {&link_subjects[SUBJECT_FRAME], "EPOCH: the first",
     (const uint8_t *)"\017\000\000\000\000\000\000\000\001\000\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020\021\022\023\024\025\026\027\030\031\032\033\034\035\036\037", 41, false,
     "EPOCH number=0x0000000000000001 public_key=32:000102030405060708090a0b0c0d0e0f..",
     {.any_frame = {.type = PL_FRAME_EPOCH, .u.epoch = {.number = 1, .public_key = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}}}}},
    /* spec/link.wire:446 */
    {&link_subjects[SUBJECT_FRAME], "EPOCH: seconds of a clock",
     (const uint8_t *)"\017\000\000\000\000\145\123\361\000\377\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020\021\022\023\024\025\026\027\030\031\032\033\034\035\036\377", 41, false,
     "EPOCH number=0x000000006553f100 public_key=32:ff0102030405060708090a0b0c0d0e0f..",
     {.any_frame = {.type = PL_FRAME_EPOCH, .u.epoch = {.number = 1700000000, .public_key = {255, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 255}}}}},
    /* spec/link.wire:458 */
    {&link_subjects[SUBJECT_FRAME], "EPOCH_OK: the first",
     (const uint8_t *)"\020\000\000\000\000\000\000\000\001\143\015\315\051", 13, false,
     "EPOCH_OK number=0x0000000000000001 digest=0x630dcd29",
     {.any_frame = {.type = PL_FRAME_EPOCH_OK, .u.epoch_ok = {.number = 1, .digest = 1661848873}}}},
    /* spec/link.wire:459 */
    {&link_subjects[SUBJECT_FRAME], "EPOCH_OK: seconds of a clock",
     (const uint8_t *)"\020\000\000\000\000\145\123\361\000\000\000\000\000", 13, false,
     "EPOCH_OK number=0x000000006553f100 digest=0x00000000",
     {.any_frame = {.type = PL_FRAME_EPOCH_OK, .u.epoch_ok = {.number = 1700000000, .digest = 0}}}},
    /* spec/link.wire:469 */
    {&link_subjects[SUBJECT_FRAME], "EXTENSION: no body",
     (const uint8_t *)"\100\000", 2, false,
     "EXTENSION type=0x40 body=0:",
     {.any_frame = {.type = 0x40, .u.extension = {.type = 0x40, .body = {NOTHING, 0}}}}},
    /* spec/link.wire:470 */
    {&link_subjects[SUBJECT_FRAME], "EXTENSION: three bytes",
     (const uint8_t *)"\377\003\001\002\003", 5, false,
     "EXTENSION type=0xff body=3:010203",
     {.any_frame = {.type = 0xff, .u.extension = {.type = 0xff, .body = {(const uint8_t *)"\001\002\003", 3}}}}},
};
/* clang-format on */

const size_t link_vector_count = sizeof link_vectors / sizeof link_vectors[0];

enum pl_error link_decode_all(const struct link_subject *subject, const uint8_t *data, size_t n,
                             union link_any *out, size_t *end, uint8_t **copy)
{
    *copy = malloc(n > 0 ? n : 1);
    if (*copy == NULL)
        abort();
    if (n > 0)
        memcpy(*copy, data, n);
    memset(out, 0, sizeof *out);
    enum pl_error code = subject->decode((struct pl_bytes){n > 0 ? *copy : NULL, n}, out, end);
    return code == PL_OK && *end < n ? PL_E_TRAILING : code;
}
