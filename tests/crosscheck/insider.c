/* Who has the keys: any payload under a valid seal. */
#include "world.h"

#include <criterion/criterion.h>
#include <string.h>

extern const struct xc_protocol link_table;

void xt_pair(struct xc_pair *pair, bool other)
{
    static const uint8_t private_key[2][XC_KEY_BYTES] = {{1, 2, 3}, {4, 5, 6}};
    uint8_t peer[XC_KEY_BYTES];

    xc_public_key(private_key[!other], peer);
    cr_assert(xc_pair_make(pair, private_key[other], peer));
}

void xt_insider_begin(struct xt_insider *insider, bool other, uint8_t suite, uint64_t run)
{
    xt_pair(&insider->pair, other);
    insider->suite = suite;
    insider->run = run;
    insider->number = 1;
    xc_key_make(&insider->key, &insider->pair, true, suite, run);
}

size_t xt_insider_seal(struct xt_insider *insider, const uint8_t *payload, size_t n, uint8_t *out)
{
    struct xc_maker header;

    xc_make(&header, "Header");
    xc_set(&header, "version", 1);
    xc_set(&header, "suite", insider->suite);
    xc_set(&header, "key_id", insider->pair.id_out);
    xc_set(&header, "run", insider->run);
    xc_set(&header, "packet_number", insider->number);
    xc_encode(&header.tree, 0, out, XC_HEADER_BYTES);
    xc_seal(&insider->key, insider->number++, out, XC_HEADER_BYTES, payload, n, out + XC_HEADER_BYTES);
    return XC_HEADER_BYTES + n + XC_TAG_BYTES;
}

size_t xt_insider_open(const struct xt_insider *insider, const uint8_t *datagram, size_t n, uint8_t *out)
{
    struct xc_value values[16];
    struct xc_tree header = {values, 16, 0};
    struct xc_key key;

    cr_assert_eq(xc_parse_header(datagram, n, &header), XC_OK);
    xc_key_make(&key, &insider->pair, false, (uint8_t)xc_get(&header, 0, "suite"), xc_get(&header, 0, "run"));
    if (!xc_open(&key, (uint32_t)xc_get(&header, 0, "packet_number"), datagram, XC_HEADER_BYTES,
                 datagram + XC_HEADER_BYTES, n - XC_HEADER_BYTES, out))
        return 0;
    return n - XC_HEADER_BYTES - XC_TAG_BYTES;
}

static uint64_t any_number(struct xt_chance *chance, const struct xc_field *field, const uint64_t *known,
                           size_t known_n)
{
    if (known_n > 0 && xt_happens(chance, 60))
        return known[xt_below(chance, known_n)];
    if (field->border_count > 0 && xt_happens(chance, 60))
        return field->borders[xt_below(chance, field->border_count)];
    if (xt_happens(chance, 70))
        return xt_below(chance, 64);
    return xt_draw(chance) >> xt_below(chance, 64) & ((UINT64_C(1) << 62) - 1);
}

static void any_ranges(struct xt_chance *chance, struct xc_maker *maker)
{
    uint64_t ranges = xt_below(chance, XC_ACK_RANGES_MAX);

    for (uint64_t i = 0; i < ranges; i++)
        xc_add_range(maker, xt_below(chance, 3), xt_below(chance, 3));
}

void xt_any_frame(struct xt_chance *chance, struct xc_payload *payload, const uint64_t *known, size_t known_n)
{
    static uint8_t bytes[XC_PAYLOAD_BYTES];
    const struct xc_subject *frames = link_table.sealed;
    const struct xc_layout *layout = frames->layouts[xt_below(chance, frames->layout_count)];
    struct xc_maker maker;
    size_t most = payload->room - payload->n;

    xt_fill(chance, bytes, xt_below(chance, 64));
    xc_make_frame(&maker,
                  (enum xc_frame_type)(layout->first + xt_below(chance, layout->last - layout->first + 1)));
    for (size_t i = 0; i < layout->field_count; i++) {
        const struct xc_field *field = &layout->fields[i];
        if (field->kind == XC_BITS || field->kind == XC_VARINT)
            xc_set(&maker, field->name, any_number(chance, field, known, known_n));
        else if (field->kind == XC_BYTES || field->kind == XC_REST || field->kind == XC_FIXED)
            xc_set_bytes(&maker, field->name, bytes,
                         xt_below(chance, xt_happens(chance, 80) ? 20 : most + 1));
        else if (field->kind == XC_ZEROS)
            xc_set(&maker, field->name, xt_below(chance, 20));
    }
    if (layout->first == XC_ACK || layout->first == XC_ACK_ECN)
        any_ranges(chance, &maker);
    xc_put(payload, &maker);
}

size_t xt_mutate(struct xt_chance *chance, uint8_t *p, size_t n, size_t room)
{
    for (uint64_t changes = xt_below(chance, 4); changes > 0 && n > 0; changes--) {
        size_t at = (size_t)xt_below(chance, n), part = 1 + (size_t)xt_below(chance, n - at);
        switch (xt_below(chance, 5)) {
        case 0: p[at] = (uint8_t)xt_draw(chance); break;
        case 1: p[at] ^= (uint8_t)(1U << xt_below(chance, 8)); break;
        case 2: n = at; break;
        case 3:
            memmove(p + at, p + at + part, n - at - part);
            n -= part;
            break;
        default:
            part = part < room - n ? part : room - n;
            memmove(p + at + part, p + at, n - at);
            n += part;
        }
    }
    return n;
}
