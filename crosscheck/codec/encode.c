/* Encoding: each field of a tree as it stands, lengths counted from what they are the lengths of. */
#include "codec.h"

#define VARINT_MAX ((UINT64_C(1) << 62) - 1)

/* n bytes so far, of which the first `room` are in out. */
struct writer {
    uint8_t *out;
    size_t room, n;
};

static void put_byte(struct writer *w, uint64_t byte)
{
    if (w->n < w->room)
        w->out[w->n] = (uint8_t)byte;
    w->n++;
}

static void put_bytes(struct writer *w, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_byte(w, bytes != NULL ? bytes[i] : 0);
}

static void put_number(struct writer *w, uint64_t number, unsigned bytes)
{
    while (bytes-- > 0)
        put_byte(w, number >> (8 * bytes));
}

static void put_varint(struct writer *w, uint64_t number)
{
    unsigned code = 0;

    if (number > VARINT_MAX)
        number = VARINT_MAX;
    while (number >> ((8U << code) - 2) != 0)
        code++;
    put_number(w, number | (uint64_t)code << ((8U << code) - 2), 1U << code);
}

static void put_layout(struct writer *w, const struct xc_tree *tree, size_t place);

static void put_field(struct writer *w, const struct xc_tree *tree, size_t parent, size_t index);

/* A number's value; a length's is counted. */
static uint64_t number_of(const struct xc_tree *tree, size_t parent, size_t index)
{
    const struct xc_field *f = &tree->values[parent].layout->fields[index];
    struct writer count = {NULL, 0, 0};

    if (f->length_of < 0)
        return tree->values[xc_child(tree, parent, index)].number;
    put_field(&count, tree, parent, (size_t)f->length_of);
    return count.n;
}

/* Bit fields are gathered into bytes; the last of a group is the one that fills the last byte. */
static void put_bits(struct writer *w, const struct xc_field *f, uint64_t number)
{
    size_t start = f->first_bit == 0 ? w->n : w->n - f->group_bytes;

    if (f->first_bit == 0)
        put_bytes(w, NULL, f->group_bytes);
    for (unsigned i = 0; i < f->bits; i++) {
        unsigned bit = f->first_bit + f->bits - 1 - i;
        if (start + bit / 8 < w->room && (number >> i & 1) != 0)
            w->out[start + bit / 8] |= (uint8_t)(0x80 >> bit % 8);
    }
}

static void put_items(struct writer *w, const struct xc_tree *tree, size_t list)
{
    size_t item = list + 1;

    for (uint64_t i = 0; i < tree->values[list].number; i++) {
        put_layout(w, tree, item);
        item = tree->values[item].next;
    }
}

static void put_field(struct writer *w, const struct xc_tree *tree, size_t parent, size_t index)
{
    const struct xc_field *f = &tree->values[parent].layout->fields[index];
    size_t place = xc_child(tree, parent, index);
    const struct xc_value *value = &tree->values[place];

    switch (f->kind) {
    case XC_BITS: put_bits(w, f, number_of(tree, parent, index)); break;
    case XC_VARINT: put_varint(w, number_of(tree, parent, index)); break;
    case XC_LITERAL: put_bytes(w, f->literal, f->least); break;
    case XC_FIXED: put_bytes(w, value->bytes, f->least); break;
    case XC_BYTES:
    case XC_REST: put_bytes(w, value->bytes, value->size); break;
    case XC_ZEROS: put_bytes(w, NULL, (size_t)value->number); break;
    case XC_EMBED: put_layout(w, tree, place); break;
    case XC_COUNT:
    case XC_SIZED:
    case XC_UNTIL:
    case XC_TO_END: put_items(w, tree, place); break;
    }
}

static void put_layout(struct writer *w, const struct xc_tree *tree, size_t place)
{
    const struct xc_layout *layout = tree->values[place].layout;

    put_number(w, tree->values[place].number, layout->tag_bytes);
    for (size_t i = 0; i < layout->field_count; i++)
        put_field(w, tree, place, i);
}

size_t xc_encode(const struct xc_tree *tree, size_t place, uint8_t *out, size_t room)
{
    struct writer w = {out, room, 0};

    put_layout(&w, tree, place);
    return w.n;
}
