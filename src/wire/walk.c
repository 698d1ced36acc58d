/* Walking framed records: no copy, a few instructions a record. */
#include "wire/walk.h"

#include "link/link_varint.h"

struct pl_walk pl_walk(struct pl_bytes framed, uint64_t records_max, size_t record_max_bytes)
{
    struct pl_walk walk = {.fault = PL_OK};
    uint64_t count = 0;
    size_t at = 0; /* in registers, unlike what is returned */

    while (count < records_max && at < framed.n) {
        size_t left = framed.n - at;
        uint64_t size = 0;
        size_t head = 0;
        enum pl_error error = pl_varint_decode(framed.p + at, left, &size, &head);
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
        at += head + (size_t)size;
        count++;
    }
    walk.count = count;
    walk.whole_bytes = at;
    return walk;
}
