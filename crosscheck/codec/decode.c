/* Decoding: one function for each kind of field, in the words of the spec's manual. */
#include "codec.h"

/* Where decoding stands: of p, the bytes before `end` may be read, the next is p[at]. */
struct reader {
    const uint8_t *p;
    size_t end, at;
    struct xc_tree *tree;
    int error;
    size_t fault;
};

static bool fail(struct reader *r, int error, size_t fault)
{
    r->error = error;
    r->fault = fault;
    return false;
}

/* Puts a value behind the others and stores its place. */
static bool push(struct reader *r, struct xc_value value, size_t *place)
{
    if (r->tree->n == r->tree->room)
        return fail(r, XC_ROOM, r->at);
    *place = r->tree->n++;
    value.next = r->tree->n;
    r->tree->values[*place] = value;
    return true;
}

static bool leaf(struct reader *r, uint64_t number, size_t size)
{
    struct xc_value value = {.number = number, .bytes = r->p + r->at, .size = size};
    size_t place = 0;

    r->at += size;
    return push(r, value, &place);
}

static bool has(struct reader *r, uint64_t size)
{
    return size <= r->end - r->at || fail(r, XC_TRUNCATED, r->at);
}

/* The number of another field of the struct at `parent`. */
static uint64_t number_of(struct reader *r, size_t parent, int field)
{
    return r->tree->values[xc_child(r->tree, parent, (size_t)field)].number;
}

/* Neighbouring bit fields are read with the first of them; the rest look back at the same bytes. */
static bool read_bits(struct reader *r, const struct xc_field *f)
{
    uint64_t number = 0;

    if (f->first_bit == 0) {
        if (!has(r, f->group_bytes))
            return false;
        r->at += f->group_bytes;
    }
    for (unsigned bit = f->first_bit; bit < f->first_bit + f->bits; bit++) {
        uint8_t byte = r->p[r->at - f->group_bytes + bit / 8];
        number = number << 1 | (byte >> (7 - bit % 8) & 1);
    }
    return leaf(r, number, 0);
}

static bool read_varint(struct reader *r)
{
    if (!has(r, 1))
        return false;
    size_t size = (size_t)1 << (r->p[r->at] >> 6);
    if (!has(r, size))
        return false;
    uint64_t number = r->p[r->at] & 0x3f;
    for (size_t i = 1; i < size; i++)
        number = number << 8 | r->p[r->at + i];
    if (size > 1 && number >> (4 * size - 2) == 0)
        return fail(r, XC_NOT_SHORTEST, r->at);
    return leaf(r, number, size);
}

static bool read_exactly(struct reader *r, uint64_t size)
{
    return has(r, size) && leaf(r, 0, (size_t)size);
}

static bool read_literal(struct reader *r, const struct xc_field *f)
{
    if (!has(r, f->least))
        return false;
    for (size_t i = 0; i < f->least; i++) {
        if (r->p[r->at + i] != f->literal[i])
            return fail(r, f->literal_error, r->at);
    }
    return leaf(r, 0, f->least);
}

static bool read_zeros(struct reader *r, const struct xc_field *f)
{
    size_t size = r->end - r->at;

    if (!has(r, f->least))
        return false;
    for (size_t i = 0; i < size; i++) {
        if (r->p[r->at + i] != 0)
            return fail(r, XC_NOT_ZERO, r->at);
    }
    return leaf(r, size, size);
}

static bool read_layout(struct reader *r, const struct xc_layout *layout, uint64_t type);

/* Whether another item of the repetition at `list` is to be read. */
static bool wants_more(struct reader *r, const struct xc_field *f, size_t list, size_t last, uint64_t count)
{
    uint64_t n = r->tree->values[list].number;

    if (f->kind == XC_COUNT)
        return n < count;
    if (f->kind == XC_UNTIL)
        return n == 0 || !xc_evaluate(f->until, r->tree, last);
    return r->at < r->end;
}

static bool read_items(struct reader *r, const struct xc_field *f, uint64_t count)
{
    size_t list = 0, last = 0, start = r->at;

    if (!push(r, (struct xc_value){.bytes = r->p + start}, &list))
        return false;
    while (wants_more(r, f, list, last, count)) {
        if (r->tree->values[list].number == f->most)
            return fail(r, XC_LIMIT, r->at);
        last = r->tree->n;
        if (!read_layout(r, f->item, 0))
            return false;
        r->tree->values[list].number++;
    }
    r->tree->values[list].next = r->tree->n;
    r->tree->values[list].size = r->at - start;
    return true;
}

static bool read_counted(struct reader *r, const struct xc_field *f, uint64_t count)
{
    return count <= f->most ? read_items(r, f, count) : fail(r, XC_LIMIT, r->at);
}

/* Items that fill `size` bytes: nothing behind them is there while they are read. */
static bool read_sized(struct reader *r, const struct xc_field *f, uint64_t size)
{
    size_t end = r->end;

    if (!has(r, size))
        return false;
    r->end = r->at + (size_t)size;
    bool good = read_items(r, f, 0);
    r->end = end;
    return good;
}

static bool read_field(struct reader *r, const struct xc_field *f, size_t parent)
{
    uint64_t length = f->length >= 0 ? number_of(r, parent, f->length) : 0;

    switch (f->kind) {
    case XC_BITS: return read_bits(r, f);
    case XC_VARINT: return read_varint(r);
    case XC_FIXED: return read_exactly(r, f->least);
    case XC_LITERAL: return read_literal(r, f);
    case XC_BYTES: return read_exactly(r, length);
    case XC_REST: return has(r, f->least) && read_exactly(r, r->end - r->at);
    case XC_ZEROS: return read_zeros(r, f);
    case XC_EMBED: return read_layout(r, f->item, 0);
    case XC_COUNT: return read_counted(r, f, length);
    case XC_SIZED: return read_sized(r, f, length);
    case XC_UNTIL:
    case XC_TO_END: return read_items(r, f, 0);
    }
    return false;
}

/* The first rule of a field that does not hold fails at the field's first byte. */
static bool judge(struct reader *r, const struct xc_field *f, size_t start, size_t parent)
{
    size_t place = start;

    if (f->kind == XC_BITS)
        place = r->at - f->group_bytes + f->first_bit / 8;
    for (const struct xc_rule *rule = f->rules; rule->holds != NULL; rule++) {
        if (!xc_evaluate(rule->holds, r->tree, parent))
            return fail(r, rule->error, place);
    }
    return true;
}

static bool read_layout(struct reader *r, const struct xc_layout *layout, uint64_t type)
{
    size_t parent = 0;

    if (!push(r, (struct xc_value){.layout = layout, .number = type, .bytes = r->p + r->at}, &parent))
        return false;
    for (size_t i = 0; i < layout->field_count; i++) {
        const struct xc_field *f = &layout->fields[i];
        size_t start = r->at;
        if (!read_field(r, f, parent) || !judge(r, f, start, parent))
            return false;
    }
    r->tree->values[parent].next = r->tree->n;
    return true;
}

static bool read_subject(struct reader *r, const struct xc_subject *subject)
{
    unsigned tag_bytes = subject->layouts[0]->tag_bytes;
    size_t start = r->at;
    uint64_t type = 0;

    if (!has(r, tag_bytes))
        return false;
    for (unsigned i = 0; i < tag_bytes; i++)
        type = type << 8 | r->p[r->at++];
    for (size_t i = 0; i < subject->layout_count; i++) {
        const struct xc_layout *layout = subject->layouts[i];
        if (tag_bytes == 0 || (type >= layout->first && type <= layout->last))
            return read_layout(r, layout, type);
    }
    return fail(r, XC_UNKNOWN_TYPE, start);
}

int xc_decode(const struct xc_subject *subject, const uint8_t *p, size_t n, size_t at, struct xc_tree *tree,
              size_t *end)
{
    struct reader r = {.p = p, .end = n, .at = at, .tree = tree};

    if (read_subject(&r, subject)) {
        *end = r.at;
        return XC_OK;
    }
    *end = r.fault;
    return r.error;
}
