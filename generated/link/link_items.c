/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Walks over repeated structs: bounded by their limits, each item decoded and checked.
 */
#include "link/link_items.h"

#include "link/link_get.h"
#include "link/link_limits.h"
#include "link/link_structs.h"

/* spec/link.wire:271: Ranges [Range Count] of Ack Range at most 31 */
enum pl_error pl_ack_ranges_walk(const uint8_t **next, const uint8_t *pe, uint64_t count,
                                 struct pl_bytes *view, const uint8_t **fault, uint64_t *ranges_sum)
{
    const uint8_t *first = *next;

    *fault = first;
    if (count > 31)
        return PL_E_LIMIT;
    for (uint64_t i = 0; i < count; i++) {
        struct pl_ack_range item = {0};
        size_t used = 0;
        enum pl_error code = pl_ack_range_decode(*next, (size_t)(pe - *next), &item, &used);
        if (code != PL_OK) {
            *fault = *next + used;
            return code;
        }
        *next += used;
        *ranges_sum = pl_add_capped(*ranges_sum, item.gap + item.length + 2);
    }
    view->p = first;
    view->n = (size_t)(*next - first);
    return PL_OK;
}

/* spec/link.wire:289: Ranges [Range Count] of Ack Range at most 31 */
enum pl_error pl_ack_ecn_ranges_walk(const uint8_t **next, const uint8_t *pe, uint64_t count,
                                     struct pl_bytes *view, const uint8_t **fault, uint64_t *ranges_sum)
{
    const uint8_t *first = *next;

    *fault = first;
    if (count > 31)
        return PL_E_LIMIT;
    for (uint64_t i = 0; i < count; i++) {
        struct pl_ack_range item = {0};
        size_t used = 0;
        enum pl_error code = pl_ack_range_decode(*next, (size_t)(pe - *next), &item, &used);
        if (code != PL_OK) {
            *fault = *next + used;
            return code;
        }
        *next += used;
        *ranges_sum = pl_add_capped(*ranges_sum, item.gap + item.length + 2);
    }
    view->p = first;
    view->n = (size_t)(*next - first);
    return PL_OK;
}
