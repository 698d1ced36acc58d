/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Decoders of the structs: straight through, each field once.
 */
#include "link/link_structs.h"

#include "link/link_get.h"
#include "link/link_items.h"
#include "link/link_limits.h"

/* spec/link.wire:154
 *
 * Header {
 *   Version (4) = Version else VERSION,
 *   Suite (2) of Suite,
 *   Cookie (1),
 *   Reserved (1) zeros,
 *   Own Epoch (4),
 *   Peer Epoch (4),
 *   Key Id (32),
 *   Run (64),
 *   Packet Number (32),
 * }
 */
enum pl_error pl_header_decode(const uint8_t *p, size_t n, struct pl_header *out, size_t *used)
{
    static const uint8_t nothing[1];
    const uint8_t *begin = n > 0 ? p : nothing;
    const uint8_t *next = begin, *field = begin, *pe = begin + n;
    enum pl_error code = PL_OK;
    uint8_t bits8 = 0;

    field = next;
    if (!pl_get_u8(&next, pe, &bits8)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }
    out->version = (uint8_t)(bits8 >> 4 & 0xf);
    out->suite = (uint8_t)(bits8 >> 2 & 0x3);
    out->cookie = (uint8_t)(bits8 >> 1 & 0x1);
    out->reserved = (uint8_t)(bits8 & 0x1);
    /* spec/link.wire:155: = Version else VERSION */
    if (out->version != PL_VERSION) {
        code = PL_E_VERSION;
        goto fail;
    }
    /* spec/link.wire:159: zeros */
    if (out->reserved != 0) {
        code = PL_E_NOT_ZERO;
        goto fail;
    }
    field = next;
    if (!pl_get_u8(&next, pe, &bits8)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }
    out->own_epoch = (uint8_t)(bits8 >> 4 & 0xf);
    out->peer_epoch = (uint8_t)(bits8 & 0xf);
    field = next;
    if (!pl_get_u32(&next, pe, &out->key_id)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }
    field = next;
    if (!pl_get_u64(&next, pe, &out->run)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }
    field = next;
    if (!pl_get_u32(&next, pe, &out->packet_number)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }

    *used = (size_t)(next - begin);
    return code;
fail:
    *used = (size_t)(field - begin);
    return code;
}

/* spec/link.wire:183
 *
 * Run Info {
 *   Label (24) = "run",
 *   Suite (8) of Suite,
 *   Direction (8) <= 1,
 *   Epochs (8),
 *   Run (64),
 * }
 */
enum pl_error pl_run_info_decode(const uint8_t *p, size_t n, struct pl_run_info *out, size_t *used)
{
    static const uint8_t nothing[1];
    const uint8_t *begin = n > 0 ? p : nothing;
    const uint8_t *next = begin, *field = begin, *pe = begin + n;
    enum pl_error code = PL_OK;

    field = next;
    if ((size_t)(pe - next) < 3) {
        code = PL_E_TRUNCATED;
        goto fail;
    }
    /* spec/link.wire:184: = "run" */
    if (memcmp(next, "run", 3) != 0) {
        code = PL_E_RANGE;
        goto fail;
    }
    next += 3;
    field = next;
    if (!pl_get_u8(&next, pe, &out->suite)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }
    /* spec/link.wire:185: of Suite */
    if (out->suite > PL_SUITE_AES_128_GCM_SIV) {
        code = PL_E_RANGE;
        goto fail;
    }
    field = next;
    if (!pl_get_u8(&next, pe, &out->direction)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }
    /* spec/link.wire:187: <= 1 */
    if (out->direction > 1) {
        code = PL_E_RANGE;
        goto fail;
    }
    field = next;
    if (!pl_get_u8(&next, pe, &out->epochs)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }
    field = next;
    if (!pl_get_u64(&next, pe, &out->run)) {
        code = PL_E_TRUNCATED;
        goto fail;
    }

    *used = (size_t)(next - begin);
    return code;
fail:
    *used = (size_t)(field - begin);
    return code;
}

/* spec/link.wire:254
 *
 * Ack Range {
 *   Gap (i),
 *   Length (i),
 * }
 */
enum pl_error pl_ack_range_decode(const uint8_t *p, size_t n, struct pl_ack_range *out, size_t *used)
{
    static const uint8_t nothing[1];
    const uint8_t *begin = n > 0 ? p : nothing;
    const uint8_t *next = begin, *field = begin, *pe = begin + n;
    enum pl_error code = PL_OK;
    enum pl_error got;

    field = next;
    got = pl_get_varint(&next, pe, &out->gap);
    if (got != PL_OK) {
        code = got;
        goto fail;
    }
    field = next;
    got = pl_get_varint(&next, pe, &out->length);
    if (got != PL_OK) {
        code = got;
        goto fail;
    }

    *used = (size_t)(next - begin);
    return code;
fail:
    *used = (size_t)(field - begin);
    return code;
}
