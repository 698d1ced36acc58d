/* planted.c: a fault for the guard to see: each record is walked over once more than needed. Put in front of
 * pl_walk by the linker (--wrap), and counted as if it were the product's. */
#include "wire/walk.h"

struct pl_walk __real_pl_walk(struct pl_bytes framed, uint64_t records_max, size_t record_max_bytes);
struct pl_walk __wrap_pl_walk(struct pl_bytes framed, uint64_t records_max, size_t record_max_bytes);

struct pl_walk __wrap_pl_walk(struct pl_bytes framed, uint64_t records_max, size_t record_max_bytes)
{
    struct pl_walk once = __real_pl_walk(framed, records_max, record_max_bytes);

    for (volatile uint64_t i = 0; i < once.count; i++) {
        continue;
    }
    return once;
}
