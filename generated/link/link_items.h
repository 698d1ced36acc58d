/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Walks over repeated structs, for decoders and validators.
 *
 * X_Y_walk checks the items of field Y of X from *next on, not past pe. On OK *next is behind them and *view
 * lends
 * them; on an error *fault is the field at fault. A sum is added up over the items and stops growing at 2^62.
 */
#ifndef PL_LINK_ITEMS_H
#define PL_LINK_ITEMS_H

#include "link/link_types.h"

enum pl_error pl_ack_ranges_walk(const uint8_t **next, const uint8_t *pe, uint64_t count,
                                 struct pl_bytes *view, const uint8_t **fault, uint64_t *ranges_sum);
enum pl_error pl_ack_ecn_ranges_walk(const uint8_t **next, const uint8_t *pe, uint64_t count,
                                     struct pl_bytes *view, const uint8_t **fault, uint64_t *ranges_sum);

#endif
