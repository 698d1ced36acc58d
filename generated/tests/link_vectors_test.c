/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Every vector: its value encodes to its bytes, its bytes decode to its value, and it prints as its line.
 * Every change of one byte: what still decodes encodes to what was decoded, and no decoder reads past the
 * end.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/link_vectors.h"

enum { ROOM = 2048, LINE = 4096 };

static bool same(const uint8_t *a, size_t a_n, const uint8_t *b, size_t b_n)
{
    return a_n == b_n && (a_n == 0 || memcmp(a, b, a_n) == 0);
}

static void check_encode(const struct link_vector *v, const union link_any *value)
{
    uint8_t out[ROOM];
    size_t n = v->subject->encode(out, sizeof out, value);

    cr_expect(same(out, n, v->data, v->n), "%s: other bytes", v->title);
    cr_expect_eq(v->subject->size(value), v->n, "%s: size %zu", v->title, v->subject->size(value));
    cr_expect_eq(v->subject->validate(value), PL_OK, "%s: not valid", v->title);
    cr_expect_eq(v->subject->encode(out, v->n, value), v->n, "%s: does not fit into its size", v->title);
    cr_expect_eq(v->subject->encode(out, v->n - 1, value), 0, "%s: written without room", v->title);
}

static void check_print(const struct link_vector *v, const union link_any *value)
{
    char line[LINE];
    size_t n = v->subject->print(line, sizeof line, value);

    cr_expect_str_eq(line, v->line, "%s: printed as %s", v->title, line);
    cr_expect_eq(n, strlen(v->line), "%s: length %zu", v->title, n);
    memset(line, 'x', sizeof line);
    n = v->subject->print(line, 4, value);
    cr_expect(n == 3 && line[3] == '\0' && line[4] == 'x', "%s: not cut", v->title);
    cr_expect_eq(v->subject->print(line, 0, value), 0, "%s: no room", v->title);
}

Test(link_vectors, encode_decode_print)
{
    cr_assert_gt(link_vector_count, 0);
    for (size_t i = 0; i < link_vector_count; i++) {
        const struct link_vector *v = &link_vectors[i];
        union link_any got;
        uint8_t *copy = NULL;
        size_t end = 0;
        enum pl_error code = link_decode_all(v->subject, v->data, v->n, &got, &end, &copy);

        cr_expect_eq(code, PL_OK, "%s: %s at %zu", v->title, pl_error_name(code), end);
        cr_expect_eq(end, v->n, "%s: end %zu", v->title, end);
        check_encode(v, &v->value);
        if (code == PL_OK) {
            check_encode(v, &got);
            check_print(v, &got);
        }
        check_print(v, &v->value);
        free(copy);
    }
}

/* What decodes must encode to the bytes it was decoded from; what does not must say where. */
static void check_any(const struct link_vector *v, const uint8_t *data, size_t n)
{
    union link_any got;
    uint8_t *copy = NULL, out[ROOM];
    size_t end = 0;
    enum pl_error code = link_decode_all(v->subject, data, n, &got, &end, &copy);

    cr_expect_leq(end, n, "%s: error beyond the end", v->title);
    if (code == PL_OK || code == PL_E_TRAILING) {
        size_t size = v->subject->encode(out, sizeof out, &got);
        cr_expect(same(out, size, data, end), "%s: not canonical", v->title);
    }
    free(copy);
}

Test(link_vectors, prefixes)
{
    for (size_t i = 0; i < link_vector_count; i++) {
        const struct link_vector *v = &link_vectors[i];
        for (size_t n = 0; n < v->n; n++) {
            union link_any got;
            uint8_t *copy = NULL;
            size_t end = 0;
            enum pl_error code = link_decode_all(v->subject, v->data, n, &got, &end, &copy);

            cr_expect(code == PL_E_TRUNCATED || (v->to_end && code == PL_OK), "%s: %zu bytes: %s", v->title, n,
                      pl_error_name(code));
            free(copy);
            check_any(v, v->data, n);
        }
    }
}

Test(link_vectors, one_byte_changed)
{
    for (size_t i = 0; i < link_vector_count; i++) {
        const struct link_vector *v = &link_vectors[i];
        uint8_t data[ROOM];

        memcpy(data, v->data, v->n);
        for (size_t at = 0; at < v->n; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                data[at] = (uint8_t)byte;
                check_any(v, data, v->n);
            }
            data[at] = v->data[at];
        }
    }
}
