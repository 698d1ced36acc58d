/* Walking framed records: no copy, a few instructions a record. */
#include "wire/walk.h"

#include "link/link_varint.h"

struct pl_walk pl_walk(struct pl_bytes framed, uint64_t records_max, size_t record_max_bytes)
{
    struct pl_walk walk = {.fault = PL_OK};

    while (walk.count < records_max && walk.whole_bytes < framed.n) {
        const uint8_t *p = framed.p + walk.whole_bytes;
        size_t left = framed.n - walk.whole_bytes;
        uint64_t size = 0;
        size_t head = 0;
        enum pl_error error = pl_varint_decode(p, left, &size, &head);
        if (error == PL_E_TRUNCATED) {
            break;
        }
        if (error != PL_OK || size > record_max_bytes) {
            walk.fault = error != PL_OK ? PL_E_NOT_SHORTEST : PL_E_TOO_LARGE;
            break;
        }
        if (size > left - head) {
            walk.cut_bytes = head + (size_t)size;
            break;
        }
        walk.whole_bytes += head + (size_t)size;
        walk.count++;
    }
    return walk;
}
