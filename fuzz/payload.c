/* Fuzz target: an opened payload, parsed and printed. No input may crash, and faults lie inside the input. */
#include "harness.h"

#include "link/link_frames.h"
#include "wire/payload.h"

void fuzz_one(const uint8_t *p, size_t n)
{
    static struct pl_payload payload;
    char line[200];
    size_t fault = 0;
    enum pl_error error = pl_payload_parse((struct pl_bytes){p, n}, &payload, &fault);

    if (error != PL_OK) {
        if (fault > n)
            fuzz_fail("%s at %zu of %zu bytes", pl_error_name(error), fault, n);
        return;
    }
    for (unsigned i = 0; i < payload.count; i++) {
        if (pl_frame_print(line, sizeof line, &payload.frames[i]) >= sizeof line)
            fuzz_fail("frame %u prints past its room", i);
    }
}
