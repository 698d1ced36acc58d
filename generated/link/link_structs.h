/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Structs that stand by themselves or inside others.
 *
 * X_decode reads one at p, of which n bytes are there. On OK *used is its size; on an error the offset of
 * the field
 * at fault, counted from p, and *out holds what was read before it. Bytes in *out are lent by p.
 * X_encode writes f into room bytes and returns its size, or 0 if it is invalid or does not fit. Lengths and
 * constant
 * texts are written by themselves; reserved bits must be 0. X_size is that size. X_validate tells why a
 * struct cannot be
 * encoded. X_print writes one stable line, always ended by a zero byte if room is not 0, and returns its
 * length.
 */
#ifndef PL_LINK_STRUCTS_H
#define PL_LINK_STRUCTS_H

#include <stdbool.h>

#include "link/link_types.h"

/* In clear and authenticated: the first bytes of every packet. */
struct pl_header {
    uint8_t version;
    uint8_t suite;
    uint8_t cookie;
    uint8_t reserved;
    uint8_t own_epoch;
    uint8_t peer_epoch;
    uint32_t key_id;
    uint64_t run;
    uint32_t packet_number;
};
enum pl_error pl_header_decode(const uint8_t *p, size_t n, struct pl_header *out, size_t *used);
size_t pl_header_encode(uint8_t *out, size_t room, const struct pl_header *f);
size_t pl_header_size(const struct pl_header *f);
enum pl_error pl_header_validate(const struct pl_header *f);
size_t pl_header_print(char *out, size_t room, const struct pl_header *f);

/* The info of HKDF-Expand that derives a run's key and iv. */
struct pl_run_info {
    uint8_t suite;
    uint8_t direction;
    uint8_t epochs;
    uint64_t run;
};
enum pl_error pl_run_info_decode(const uint8_t *p, size_t n, struct pl_run_info *out, size_t *used);
size_t pl_run_info_encode(uint8_t *out, size_t room, const struct pl_run_info *f);
size_t pl_run_info_size(const struct pl_run_info *f);
enum pl_error pl_run_info_validate(const struct pl_run_info *f);
size_t pl_run_info_print(char *out, size_t room, const struct pl_run_info *f);

/* Packets received, as in RFC 9000 section 19.3.1: below First Range, each range begins Gap + 2 below the
 * end of the last one and holds Length + 1 packets. */
struct pl_ack_range {
    uint64_t gap;
    uint64_t length;
};
enum pl_error pl_ack_range_decode(const uint8_t *p, size_t n, struct pl_ack_range *out, size_t *used);
size_t pl_ack_range_encode(uint8_t *out, size_t room, const struct pl_ack_range *f);
size_t pl_ack_range_size(const struct pl_ack_range *f);
enum pl_error pl_ack_range_validate(const struct pl_ack_range *f);
size_t pl_ack_range_print(char *out, size_t room, const struct pl_ack_range *f);

#endif
