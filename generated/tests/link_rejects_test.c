/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Every reject of the spec: the error and the offset it names.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/link_vectors.h"

#define NOTHING ((const uint8_t *)"")

struct reject {
    size_t subject;
    const char *title;
    const uint8_t *data;
    size_t n;
    enum pl_error error;
    size_t offset;
};

/* clang-format off */
static const struct reject rejects[] = {
    /* spec/link.wire:177 */
    {SUBJECT_HEADER, "Header: version 2",
     (const uint8_t *)"\040\000\241\242\243\244\001\002\003\004\005\006\007\010\000\000\000\007", 18, PL_E_VERSION, 0},
    /* spec/link.wire:178 */
    {SUBJECT_HEADER, "Header: reserved bit set",
     (const uint8_t *)"\025\000\241\242\243\244\001\002\003\004\005\006\007\010\000\000\000\007", 18, PL_E_NOT_ZERO, 0},
    /* spec/link.wire:179 */
    {SUBJECT_HEADER, "Header: cut in the run",
     (const uint8_t *)"\024\000\241\242\243\244\001\002\003\004\005\006\007", 13, PL_E_TRUNCATED, 6},
    /* spec/link.wire:180 */
    {SUBJECT_HEADER, "Header: one byte short",
     (const uint8_t *)"\024\000\241\242\243\244\001\002\003\004\005\006\007\010\000\000\000", 17, PL_E_TRUNCATED, 14},
    /* spec/link.wire:197 */
    {SUBJECT_RUN_INFO, "Run Info: another label",
     (const uint8_t *)"\162\165\155\001\000\000\001\002\003\004\005\006\007\010", 14, PL_E_RANGE, 0},
    /* spec/link.wire:198 */
    {SUBJECT_RUN_INFO, "Run Info: suite 4",
     (const uint8_t *)"\162\165\156\004\000\000\001\002\003\004\005\006\007\010", 14, PL_E_RANGE, 3},
    /* spec/link.wire:199 */
    {SUBJECT_RUN_INFO, "Run Info: direction 2",
     (const uint8_t *)"\162\165\156\001\002\000\001\002\003\004\005\006\007\010", 14, PL_E_RANGE, 4},
    /* spec/link.wire:260 */
    {SUBJECT_ACK_RANGE, "Ack Range: gap not shortest",
     (const uint8_t *)"\100\001\000", 3, PL_E_NOT_SHORTEST, 0},
    /* spec/link.wire:261 */
    {SUBJECT_ACK_RANGE, "Ack Range: length cut",
     (const uint8_t *)"\000\100", 2, PL_E_TRUNCATED, 1},
    /* spec/link.wire:262 */
    {SUBJECT_ACK_RANGE, "Ack Range: length not shortest",
     (const uint8_t *)"\000\200\000\077\377", 5, PL_E_NOT_SHORTEST, 1},
    /* spec/link.wire:229 */
    {SUBJECT_FRAME, "PADDING: a one at the end",
     (const uint8_t *)"\000\000\000\001", 4, PL_E_NOT_ZERO, 1},
    /* spec/link.wire:230 */
    {SUBJECT_FRAME, "PADDING: a frame behind it",
     (const uint8_t *)"\000\001", 2, PL_E_NOT_ZERO, 1},
    /* spec/link.wire:231 */
    {SUBJECT_FRAME, "PADDING: a high bit",
     (const uint8_t *)"\000\200\000", 3, PL_E_NOT_ZERO, 1},
    /* spec/link.wire:237 */
    {SUBJECT_FRAME, "PING: a byte behind it",
     (const uint8_t *)"\001\000", 2, PL_E_TRAILING, 1},
    /* spec/link.wire:238 */
    {SUBJECT_FRAME, "PING: twice",
     (const uint8_t *)"\001\001", 2, PL_E_TRAILING, 1},
    /* spec/link.wire:239 */
    {SUBJECT_FRAME, "PING: nothing",
     NOTHING, 0, PL_E_TRUNCATED, 0},
    /* spec/link.wire:248 */
    {SUBJECT_FRAME, "TO: no tag",
     (const uint8_t *)"\002", 1, PL_E_TRUNCATED, 1},
    /* spec/link.wire:249 */
    {SUBJECT_FRAME, "TO: a short tag",
     (const uint8_t *)"\002\001\002\003", 4, PL_E_TRUNCATED, 1},
    /* spec/link.wire:250 */
    {SUBJECT_FRAME, "TO: a long tag",
     (const uint8_t *)"\002\001\002\003\004\005", 6, PL_E_TRAILING, 5},
    /* spec/link.wire:276 */
    {SUBJECT_FRAME, "ACK: below packet zero",
     (const uint8_t *)"\003\012\000\001\002\000\007", 7, PL_E_RANGE, 5},
    /* spec/link.wire:277 */
    {SUBJECT_FRAME, "ACK: first range too long",
     (const uint8_t *)"\003\007\000\000\010", 5, PL_E_RANGE, 4},
    /* spec/link.wire:278 */
    {SUBJECT_FRAME, "ACK: 33 ranges",
     (const uint8_t *)"\003\007\000\040\000", 5, PL_E_LIMIT, 5},
    /* spec/link.wire:279 */
    {SUBJECT_FRAME, "ACK: a range missing",
     (const uint8_t *)"\003\012\000\002\000\000\000", 7, PL_E_TRUNCATED, 7},
    /* spec/link.wire:280 */
    {SUBJECT_FRAME, "ACK: gap not shortest",
     (const uint8_t *)"\003\012\000\001\000\100\000\000", 8, PL_E_NOT_SHORTEST, 5},
    /* spec/link.wire:281 */
    {SUBJECT_FRAME, "ACK: cut in the delay",
     (const uint8_t *)"\003\012\100", 3, PL_E_TRUNCATED, 2},
    /* spec/link.wire:296 */
    {SUBJECT_FRAME, "ACK_ECN: no marks",
     (const uint8_t *)"\004\007\000\000\000", 5, PL_E_TRUNCATED, 5},
    /* spec/link.wire:297 */
    {SUBJECT_FRAME, "ACK_ECN: CE missing",
     (const uint8_t *)"\004\007\000\000\000\001\002", 7, PL_E_TRUNCATED, 7},
    /* spec/link.wire:298 */
    {SUBJECT_FRAME, "ACK_ECN: 33 ranges",
     (const uint8_t *)"\004\007\000\040\000\000\000\000", 8, PL_E_LIMIT, 5},
    /* spec/link.wire:299 */
    {SUBJECT_FRAME, "ACK_ECN: below zero",
     (const uint8_t *)"\004\001\000\001\000\000\000\000\000\000", 10, PL_E_RANGE, 5},
    /* spec/link.wire:300 */
    {SUBJECT_FRAME, "ACK_ECN: ECT1 not shortest",
     (const uint8_t *)"\004\007\000\000\000\001\100\001\000", 9, PL_E_NOT_SHORTEST, 6},
    /* spec/link.wire:316 */
    {SUBJECT_FRAME, "STREAM: life 0",
     (const uint8_t *)"\005\000\000\000\000\001\000\000\000\000\001\002\003\004\005\006\007\010\001\170", 20, PL_E_RANGE, 1},
    /* spec/link.wire:317 */
    {SUBJECT_FRAME, "STREAM: number 0",
     (const uint8_t *)"\005\241\262\303\324\000\000\000\000\000\001\002\003\004\005\006\007\010\001\170", 20, PL_E_RANGE, 5},
    /* spec/link.wire:318 */
    {SUBJECT_FRAME, "STREAM: born with a life before",
     (const uint8_t *)"\005\241\262\303\324\001\000\000\000\011\001\002\003\004\005\006\007\010\001\170", 20, PL_E_RANGE, 6},
    /* spec/link.wire:319 */
    {SUBJECT_FRAME, "STREAM: later without a life before",
     (const uint8_t *)"\005\241\262\303\324\002\000\000\000\000\001\002\003\004\005\006\007\010\001\170", 20, PL_E_RANGE, 6},
    /* spec/link.wire:320 */
    {SUBJECT_FRAME, "STREAM: name cut",
     (const uint8_t *)"\005\241\262\303\324\001\000\000\000\000\001\002\003\004\005\006\007\010\004\154\157\147", 22, PL_E_TRUNCATED, 19},
    /* spec/link.wire:321 */
    {SUBJECT_FRAME, "STREAM: number not shortest",
     (const uint8_t *)"\005\241\262\303\324\100\001\000\000\000\000\001\002\003\004\005\006\007\010\001\170", 21, PL_E_NOT_SHORTEST, 5},
    /* spec/link.wire:333 */
    {SUBJECT_FRAME, "RECORDS: no byte",
     (const uint8_t *)"\006\241\262\303\324\000", 6, PL_E_TRUNCATED, 6},
    /* spec/link.wire:334 */
    {SUBJECT_FRAME, "RECORDS: life 0",
     (const uint8_t *)"\006\000\000\000\000\000\002\150\151", 9, PL_E_RANGE, 1},
    /* spec/link.wire:335 */
    {SUBJECT_FRAME, "RECORDS: beyond the last offset",
     (const uint8_t *)"\006\000\000\000\001\377\377\377\377\377\377\377\376\000\000", 15, PL_E_RANGE, 13},
    /* spec/link.wire:336 */
    {SUBJECT_FRAME, "RECORDS: offset not shortest",
     (const uint8_t *)"\006\241\262\303\324\100\000\002\150\151", 10, PL_E_NOT_SHORTEST, 5},
    /* spec/link.wire:347 */
    {SUBJECT_FRAME, "RECORDS_LENGTH: length beyond the payload",
     (const uint8_t *)"\007\241\262\303\324\000\005\002\150\151", 10, PL_E_TRUNCATED, 7},
    /* spec/link.wire:348 */
    {SUBJECT_FRAME, "RECORDS_LENGTH: no byte",
     (const uint8_t *)"\007\241\262\303\324\000\000", 7, PL_E_RANGE, 6},
    /* spec/link.wire:349 */
    {SUBJECT_FRAME, "RECORDS_LENGTH: life 0",
     (const uint8_t *)"\007\000\000\000\000\000\003\002\150\151", 10, PL_E_RANGE, 1},
    /* spec/link.wire:350 */
    {SUBJECT_FRAME, "RECORDS_LENGTH: a byte too many",
     (const uint8_t *)"\007\241\262\303\324\000\002\002\150\151", 10, PL_E_TRAILING, 9},
    /* spec/link.wire:351 */
    {SUBJECT_FRAME, "RECORDS_LENGTH: beyond the last offset",
     (const uint8_t *)"\007\000\000\000\001\377\377\377\377\377\377\377\377\001\000", 15, PL_E_RANGE, 14},
    /* spec/link.wire:362 */
    {SUBJECT_FRAME, "GAP: upto 0",
     (const uint8_t *)"\010\241\262\303\324\000\003", 7, PL_E_RANGE, 5},
    /* spec/link.wire:363 */
    {SUBJECT_FRAME, "GAP: life 0",
     (const uint8_t *)"\010\000\000\000\000\001\003", 7, PL_E_RANGE, 1},
    /* spec/link.wire:364 */
    {SUBJECT_FRAME, "GAP: no offset",
     (const uint8_t *)"\010\241\262\303\324\001", 6, PL_E_TRUNCATED, 6},
    /* spec/link.wire:365 */
    {SUBJECT_FRAME, "GAP: offset not shortest",
     (const uint8_t *)"\010\241\262\303\324\001\100\003", 8, PL_E_NOT_SHORTEST, 6},
    /* spec/link.wire:373 */
    {SUBJECT_FRAME, "ASK: life 0",
     (const uint8_t *)"\011\000\000\000\000", 5, PL_E_RANGE, 1},
    /* spec/link.wire:374 */
    {SUBJECT_FRAME, "ASK: cut",
     (const uint8_t *)"\011\241\262\303", 4, PL_E_TRUNCATED, 1},
    /* spec/link.wire:375 */
    {SUBJECT_FRAME, "ASK: a byte more",
     (const uint8_t *)"\011\241\262\303\324\000", 6, PL_E_TRAILING, 5},
    /* spec/link.wire:386 */
    {SUBJECT_FRAME, "STORED: life 0",
     (const uint8_t *)"\012\000\000\000\000\000\020", 7, PL_E_RANGE, 1},
    /* spec/link.wire:387 */
    {SUBJECT_FRAME, "STORED: no window",
     (const uint8_t *)"\012\241\262\303\324\000", 6, PL_E_TRUNCATED, 6},
    /* spec/link.wire:388 */
    {SUBJECT_FRAME, "STORED: number not shortest",
     (const uint8_t *)"\012\241\262\303\324\100\000\020", 8, PL_E_NOT_SHORTEST, 5},
    /* spec/link.wire:396 */
    {SUBJECT_FRAME, "UNBOUND: life 0",
     (const uint8_t *)"\013\000\000\000\000", 5, PL_E_RANGE, 1},
    /* spec/link.wire:397 */
    {SUBJECT_FRAME, "UNBOUND: cut",
     (const uint8_t *)"\013\241", 2, PL_E_TRUNCATED, 1},
    /* spec/link.wire:398 */
    {SUBJECT_FRAME, "UNBOUND: a byte more",
     (const uint8_t *)"\013\241\262\303\324\001", 6, PL_E_TRAILING, 5},
    /* spec/link.wire:413 */
    {SUBJECT_FRAME, "REFUSED: life 0, unwanted",
     (const uint8_t *)"\014\000\000\000\000\000\002\000", 8, PL_E_RANGE, 6},
    /* spec/link.wire:414 */
    {SUBJECT_FRAME, "REFUSED: detail too long",
     (const uint8_t *)"\014\241\262\303\324\000\002\201", 8, PL_E_RANGE, 7},
    /* spec/link.wire:415 */
    {SUBJECT_FRAME, "REFUSED: detail cut",
     (const uint8_t *)"\014\241\262\303\324\000\002\002\141", 9, PL_E_TRUNCATED, 8},
    /* spec/link.wire:416 */
    {SUBJECT_FRAME, "REFUSED: code not shortest",
     (const uint8_t *)"\014\241\262\303\324\000\100\002\000", 9, PL_E_NOT_SHORTEST, 6},
    /* spec/link.wire:424 */
    {SUBJECT_FRAME, "PATH_CHALLENGE: cut",
     (const uint8_t *)"\015\001\002\003\004\005\006\007", 8, PL_E_TRUNCATED, 1},
    /* spec/link.wire:425 */
    {SUBJECT_FRAME, "PATH_CHALLENGE: nothing",
     (const uint8_t *)"\015", 1, PL_E_TRUNCATED, 1},
    /* spec/link.wire:426 */
    {SUBJECT_FRAME, "PATH_CHALLENGE: a byte more",
     (const uint8_t *)"\015\001\002\003\004\005\006\007\010\011", 10, PL_E_TRAILING, 9},
    /* spec/link.wire:434 */
    {SUBJECT_FRAME, "PATH_RESPONSE: cut",
     (const uint8_t *)"\016\001\002", 3, PL_E_TRUNCATED, 1},
    /* spec/link.wire:435 */
    {SUBJECT_FRAME, "PATH_RESPONSE: nothing",
     (const uint8_t *)"\016", 1, PL_E_TRUNCATED, 1},
    /* spec/link.wire:436 */
    {SUBJECT_FRAME, "PATH_RESPONSE: a byte more",
     (const uint8_t *)"\016\001\002\003\004\005\006\007\010\015", 10, PL_E_TRAILING, 9},
    /* spec/link.wire:448 */
    {SUBJECT_FRAME, "EPOCH: number 0",
     (const uint8_t *)"\017\000\000\000\000\000\000\000\000\000\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020\021\022\023\024\025\026\027\030\031\032\033\034\035\036\037", 41, PL_E_RANGE, 1},
    /* spec/link.wire:449 */
    {SUBJECT_FRAME, "EPOCH: key cut",
     (const uint8_t *)"\017\000\000\000\000\000\000\000\001\000\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020\021\022\023\024\025\026\027\030\031\032\033\034\035\036", 40, PL_E_TRUNCATED, 9},
    /* spec/link.wire:450 */
    {SUBJECT_FRAME, "EPOCH: no key",
     (const uint8_t *)"\017\000\000\000\000\000\000\000\001", 9, PL_E_TRUNCATED, 9},
    /* spec/link.wire:460 */
    {SUBJECT_FRAME, "EPOCH_OK: number 0",
     (const uint8_t *)"\020\000\000\000\000\000\000\000\000\143\015\315\051", 13, PL_E_RANGE, 1},
    /* spec/link.wire:461 */
    {SUBJECT_FRAME, "EPOCH_OK: digest cut",
     (const uint8_t *)"\020\000\000\000\000\000\000\000\001\143\015", 11, PL_E_TRUNCATED, 9},
    /* spec/link.wire:462 */
    {SUBJECT_FRAME, "EPOCH_OK: cut",
     (const uint8_t *)"\020\000\000\000\000\000\000\000", 8, PL_E_TRUNCATED, 1},
    /* spec/link.wire:471 */
    {SUBJECT_FRAME, "EXTENSION: unassigned type",
     (const uint8_t *)"\077\000", 2, PL_E_UNKNOWN_TYPE, 0},
    /* spec/link.wire:472 */
    {SUBJECT_FRAME, "EXTENSION: body cut",
     (const uint8_t *)"\100\002\001", 3, PL_E_TRUNCATED, 2},
    /* spec/link.wire:473 */
    {SUBJECT_FRAME, "EXTENSION: length not shortest",
     (const uint8_t *)"\100\100\001\000", 4, PL_E_NOT_SHORTEST, 1},
    /* spec/link.wire:474 */
    {SUBJECT_FRAME, "EXTENSION: a byte more",
     (const uint8_t *)"\100\000\000", 3, PL_E_TRAILING, 2},
};
/* clang-format on */

Test(link_rejects, error_and_offset)
{
    size_t count = sizeof rejects / sizeof rejects[0];

    cr_assert_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        const struct reject *r = &rejects[i];
        union link_any got;
        uint8_t *copy = NULL;
        size_t end = 0;
        enum pl_error code = link_decode_all(&link_subjects[r->subject], r->data, r->n, &got, &end, &copy);

        cr_expect_eq(code, r->error, "%s: %s, not %s", r->title, pl_error_name(code), pl_error_name(r->error));
        cr_expect_eq(end, r->offset, "%s: at %zu, not %zu", r->title, end, r->offset);
        free(copy);
    }
}
