/* Fuzz target: what is decoded is valid, encodes to the same bytes, fits in no less room than it says, and
 * decodes to the same again. */
#include "harness.h"

#include <string.h>

#include "link/link_frames.h"

enum { ROOM = 1 << 16, LINE = 4096 };

static void same_again(const struct pl_frame *frame, const uint8_t *bytes, size_t n)
{
    static char first[LINE], second[LINE];
    struct pl_frame again;
    size_t end = 0;

    if (pl_frame_decode((struct pl_bytes){bytes, n}, 0, &again, &end) != PL_OK || end != n)
        fuzz_fail("type %#x: its encoding does not decode", frame->type);
    pl_frame_print(first, sizeof first, frame);
    pl_frame_print(second, sizeof second, &again);
    if (strcmp(first, second) != 0)
        fuzz_fail("%s became %s", first, second);
}

static void check(const struct pl_frame *frame, const uint8_t *p, size_t n)
{
    static uint8_t out[ROOM];

    if (pl_frame_validate(frame) != PL_OK)
        fuzz_fail("type %#x: decoded but not valid", frame->type);
    if (pl_frame_size(frame) != n)
        fuzz_fail("type %#x: size %zu, not %zu", frame->type, pl_frame_size(frame), n);
    if (pl_frame_encode(out, n, frame) != n || memcmp(out, p, n) != 0)
        fuzz_fail("type %#x: encodes to other bytes", frame->type);
    if (pl_frame_encode(out, n - 1, frame) != 0)
        fuzz_fail("type %#x: encodes into a byte less than it needs", frame->type);
    same_again(frame, p, n);
}

void fuzz_one(const uint8_t *p, size_t n)
{
    struct pl_frame frame;
    size_t end = 0;

    for (size_t at = 0; at < n; at = end) {
        if (pl_frame_decode((struct pl_bytes){p, n}, at, &frame, &end) != PL_OK)
            return;
        check(&frame, p + at, end - at);
    }
}
