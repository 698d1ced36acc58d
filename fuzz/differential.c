/* Fuzz target: the product's codec and the second one agree about every input: error, offset, value. */
#include "harness.h"

#include <string.h>

#include "codec/codec.h"
#include "link/link_frames.h"

enum { VALUES_MAX = 1 << 12, LINE = 4096 };

extern const struct xc_protocol link_table;

static void same_value(const struct pl_frame *frame, const struct xc_tree *tree, const uint8_t *p, size_t n)
{
    static char first[LINE], second[LINE];
    static uint8_t out[1 << 16];

    pl_frame_print(first, sizeof first, frame);
    xc_print(tree, 0, second, sizeof second);
    if (strcmp(first, second) != 0)
        fuzz_fail("product: %s\nsecond: %s", first, second);
    if (xc_encode(tree, 0, out, sizeof out) != n || memcmp(out, p, n) != 0)
        fuzz_fail("the second codec encodes %s to other bytes", second);
}

void fuzz_one(const uint8_t *p, size_t n)
{
    static struct xc_value values[VALUES_MAX];
    struct pl_frame frame;
    size_t end = 0, other_end = 0;

    for (size_t at = 0; at < n; at = end) {
        struct xc_tree tree = {values, VALUES_MAX, 0};
        enum pl_error error = pl_frame_decode((struct pl_bytes){p, n}, at, &frame, &end);
        int other = xc_decode(link_table.sealed, p, n, at, &tree, &other_end);
        if ((int)error != other || end != other_end)
            fuzz_fail("at %zu: %s at %zu, but the second codec: %s at %zu", at, pl_error_name(error), end,
                      xc_error_name(&link_table, other), other_end);
        if (error != PL_OK)
            return;
        same_value(&frame, &tree, p + at, end - at);
    }
}
