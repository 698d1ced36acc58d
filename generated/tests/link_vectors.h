/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * What the tests of vectors, rejects and borders share: one way to handle every struct and family.
 */
#ifndef PL_TESTS_VECTORS_H
#define PL_TESTS_VECTORS_H

#include "link/link_frames.h"

union link_any {
    struct pl_header header;
    struct pl_run_info run_info;
    struct pl_ack_range ack_range;
    struct pl_frame any_frame;
};

/* The functions of one struct or family. */
struct link_subject {
    enum pl_error (*decode)(struct pl_bytes in, union link_any *out, size_t *end);
    size_t (*encode)(uint8_t *out, size_t room, const union link_any *value);
    size_t (*size)(const union link_any *value);
    enum pl_error (*validate)(const union link_any *value);
    size_t (*print)(char *out, size_t room, const union link_any *value);
};

/* Bytes that decode to a value and print as a line; to_end: a prefix may be valid too. */
struct link_vector {
    const struct link_subject *subject;
    const char *title;
    const uint8_t *data;
    size_t n;
    bool to_end;
    const char *line;
    union link_any value;
};

extern const struct link_subject link_subjects[];
extern const struct link_vector link_vectors[];
extern const size_t link_vector_count;

enum {
    SUBJECT_HEADER,
    SUBJECT_RUN_INFO,
    SUBJECT_ACK_RANGE,
    SUBJECT_FRAME,
};

/* Decodes all of in from a copy of exactly its size, so that reading past it is found; what stands behind
 * the end
 * is PL_E_TRAILING. Bytes in *out are lent by *copy, which the caller frees. */
enum pl_error link_decode_all(const struct link_subject *subject, const uint8_t *data, size_t n,
                             union link_any *out, size_t *end, uint8_t **copy);

#endif
