/* A payload is checked whole: the rules that speak of a packet. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "wire/payload.h"

static uint8_t bytes[1200];

static enum pl_error parse(size_t n, struct pl_payload *out, size_t *fault)
{
    /* a copy of its own, so that a read beyond its end is seen */
    uint8_t *copy = malloc(n > 0 ? n : 1);

    cr_assert_not_null(copy);
    memcpy(copy, bytes, n);
    enum pl_error error = pl_payload_parse((struct pl_bytes){copy, n}, out, fault);
    free(copy);
    return error;
}

static size_t put(size_t at, const struct pl_frame *f)
{
    size_t n = pl_frame_encode(bytes + at, sizeof bytes - at, f);

    cr_assert_gt(n, 0);
    return at + n;
}

Test(wire_payload, at_least_one_frame_and_at_most_64)
{
    struct pl_payload payload;
    size_t fault = 99;

    cr_assert_eq(parse(0, &payload, &fault), PL_E_EMPTY);
    cr_assert_eq(fault, 0);
    memset(bytes, PL_FRAME_PING, sizeof bytes);
    for (size_t n = 1; n <= PL_FRAMES_MAX; n++) {
        cr_assert_eq(parse(n, &payload, &fault), PL_OK);
        cr_assert_eq(payload.count, n);
    }
    cr_assert_eq(parse(PL_FRAMES_MAX + 1, &payload, &fault), PL_E_LIMIT);
    cr_assert_eq(fault, PL_FRAMES_MAX);
}

Test(wire_payload, padding_and_records_to_the_end_are_last)
{
    struct pl_payload payload;
    size_t fault = 0, n = 0;
    struct pl_frame records = {.type = PL_FRAME_RECORDS};

    memset(bytes, 0, sizeof bytes);
    cr_assert_eq(parse(1200, &payload, &fault), PL_OK);
    cr_assert_eq(payload.count, 1);
    cr_assert_not(payload.ack_eliciting);
    bytes[1199] = PL_FRAME_PING;
    cr_assert_eq(parse(1200, &payload, &fault), PL_E_NOT_ZERO);
    records.u.records = (struct pl_frame_records){.life = 5, .bytes = {(const uint8_t *)"\1\2\3", 3}};
    n = put(0, &(struct pl_frame){.type = PL_FRAME_PING});
    n = put(n, &records);
    bytes[n++] = PL_FRAME_PING; /* part of the piece */
    cr_assert_eq(parse(n, &payload, &fault), PL_OK);
    cr_assert_eq(payload.count, 2);
    cr_assert_eq(payload.frames[1].u.records.bytes.n, 4);
}

/* A frame's place and size are 16-bit numbers. */
Test(wire_payload, no_longer_than_16_bits_can_say)
{
    uint8_t *zeros = calloc(1, UINT16_MAX + 1);
    struct pl_payload payload;
    size_t fault = 0;

    cr_assert_not_null(zeros);
    cr_assert_eq(pl_payload_parse((struct pl_bytes){zeros, UINT16_MAX}, &payload, &fault), PL_OK);
    cr_assert_eq(payload.count, 1);
    cr_assert_eq(payload.frames[0].size, UINT16_MAX);
    cr_assert_eq(pl_payload_parse((struct pl_bytes){zeros, UINT16_MAX + 1}, &payload, &fault), PL_E_LIMIT);
    free(zeros);
}

Test(wire_payload, unassigned_types_are_not_written)
{
    enum { FIRST_UNASSIGNED = 0x11, EXTENSIONS = 0x40 };

    for (unsigned type = FIRST_UNASSIGNED; type < EXTENSIONS; type++) {
        struct pl_frame f = {.type = (uint8_t)type};
        cr_assert_eq(pl_frame_validate(&f), PL_E_UNKNOWN_TYPE, "type %u", type);
        cr_assert_eq(pl_frame_size(&f), 0, "type %u", type);
        cr_assert_eq(pl_frame_encode(bytes, sizeof bytes, &f), 0, "type %u", type);
    }
}

/* What asks for an ACK and what does not; a packet asks if any of its frames does. */
Test(wire_payload, which_frames_ask_for_an_ack)
{
    static const uint8_t name[] = "door";
    struct pl_frame rows[] = {
        {.type = PL_FRAME_PING},
        {.type = PL_FRAME_STREAM, .u.stream = {.life = 1, .first_number = 1, .birth = 9, .name = {name, 4}}},
        {.type = PL_FRAME_GAP, .u.gap = {.life = 1, .upto = 1}},
        {.type = PL_FRAME_ASK, .u.ask = {.life = 1}},
        {.type = PL_FRAME_RECORDS_LENGTH, .u.records_length = {.life = 1, .bytes = {name, 4}}},
        {.type = PL_FRAME_EXTENSION, .u.extension = {.type = 0x40, .body = {name, 2}}},
        {.type = PL_FRAME_TO, .u.to = {.run_tag = 1}},
        {.type = PL_FRAME_ACK, .u.ack = {.largest = 5}},
        {.type = PL_FRAME_STORED, .u.stored = {.life = 1}},
        {.type = PL_FRAME_UNBOUND, .u.unbound = {.life = 1}},
        {.type = PL_FRAME_REFUSED, .u.refused = {.life = 1, .code = PL_REFUSAL_PAUSED}},
        {.type = PL_FRAME_PATH_CHALLENGE},
        {.type = PL_FRAME_PATH_RESPONSE},
    };
    struct pl_payload payload;
    size_t fault = 0;

    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        size_t n = put(0, &rows[r]);
        cr_assert_eq(parse(n, &payload, &fault), PL_OK, "row %u", r);
        cr_assert_eq(payload.ack_eliciting, r < 6, "row %u", r);
        n = put(n, &rows[12]);
        cr_assert_eq(parse(n, &payload, &fault), PL_OK, "row %u", r);
        cr_assert_eq(payload.ack_eliciting, r < 6);
        n = put(n, &rows[0]);
        cr_assert_eq(parse(n, &payload, &fault), PL_OK);
        cr_assert(payload.ack_eliciting);
    }
}

/* The first fault is told with its place, whatever comes before and behind it. */
Test(wire_payload, faults_tell_their_place)
{
    static const struct {
        uint8_t bytes[8];
        size_t n;
        enum pl_error error;
    } rows[] = {
        {{0x11}, 1, PL_E_UNKNOWN_TYPE},
        {{0x3f}, 1, PL_E_UNKNOWN_TYPE},
        {{PL_FRAME_ASK, 1, 1}, 3, PL_E_TRUNCATED},
        {{PL_FRAME_ASK, 0, 0, 0, 0}, 5, PL_E_RANGE},
        {{PL_FRAME_STORED, 1, 1, 1, 1, 0x40, 1, 1}, 8, PL_E_NOT_SHORTEST},
    };
    struct pl_payload payload;

    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        for (unsigned before = 0; before < 3; before++) {
            size_t fault = 0;
            memset(bytes, PL_FRAME_PING, before);
            memcpy(bytes + before, rows[r].bytes, rows[r].n);
            enum pl_error error = parse(before + rows[r].n, &payload, &fault);
            cr_assert_eq(error, rows[r].error, "row %u: %s", r, pl_error_name(error));
            cr_assert(fault >= before && fault <= before + rows[r].n);
        }
    }
}
