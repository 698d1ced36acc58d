/* Making and reading frames by the names in the codec's tables. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

extern const struct xc_protocol link_table;

static const struct xc_subject *subject(const char *name)
{
    for (size_t i = 0; i < link_table.subject_count; i++)
        if (strcmp(link_table.subjects[i].name, name) == 0)
            return &link_table.subjects[i];
    abort();
}

static size_t index_of(const struct xc_layout *layout, const char *field)
{
    for (size_t i = 0; i < layout->field_count; i++)
        if (strcmp(layout->fields[i].name, field) == 0)
            return i;
    abort();
}

static void begin(struct xc_maker *maker, const struct xc_layout *layout, uint64_t type)
{
    maker->tree = (struct xc_tree){maker->values, sizeof maker->values / sizeof *maker->values, 0};
    maker->tree.n = 1 + layout->field_count;
    maker->values[0] = (struct xc_value){.layout = layout, .number = type, .next = maker->tree.n};
    for (size_t i = 1; i < maker->tree.n; i++)
        maker->values[i] = (struct xc_value){.next = i + 1};
}

void xc_make(struct xc_maker *maker, const char *name)
{
    begin(maker, subject(name)->layouts[0], 0);
}

void xc_make_frame(struct xc_maker *maker, enum xc_frame_type type)
{
    const struct xc_subject *frames = link_table.sealed;

    for (size_t i = 0; i < frames->layout_count; i++) {
        const struct xc_layout *layout = frames->layouts[i];
        if (layout->first <= type && type <= layout->last) {
            begin(maker, layout, type);
            return;
        }
    }
    abort();
}

static struct xc_value *field_of(struct xc_maker *maker, const char *field)
{
    return &maker->values[xc_child(&maker->tree, 0, index_of(maker->values[0].layout, field))];
}

void xc_set(struct xc_maker *maker, const char *field, uint64_t number)
{
    field_of(maker, field)->number = number;
}

void xc_set_bytes(struct xc_maker *maker, const char *field, const uint8_t *bytes, size_t n)
{
    struct xc_value *value = field_of(maker, field);

    value->bytes = bytes;
    value->size = n;
}

void xc_add_range(struct xc_maker *maker, uint64_t gap, uint64_t length)
{
    const struct xc_layout *layout = subject("Ack Range")->layouts[0];
    size_t index = index_of(maker->values[0].layout, "ranges");
    struct xc_value *list = &maker->values[xc_child(&maker->tree, 0, index)];
    size_t at = list->next, behind = maker->tree.n - at;

    memmove(&maker->values[at + 3], &maker->values[at], behind * sizeof *maker->values);
    for (size_t i = at + 3; i < at + 3 + behind; i++)
        maker->values[i].next += 3;

    maker->values[at] = (struct xc_value){.layout = layout, .next = at + 3};
    maker->values[at + 1] = (struct xc_value){.number = gap, .next = at + 2};
    maker->values[at + 2] = (struct xc_value){.number = length, .next = at + 3};
    list->number++;
    list->next = at + 3;
    maker->tree.n += 3;
    maker->values[0].next = maker->tree.n;
    xc_set(maker, "range_count", list->number);
}

bool xc_put(struct xc_payload *payload, const struct xc_maker *maker)
{
    size_t room = payload->room - payload->n;

    if (payload->frames == XC_FRAMES_MAX || xc_encode(&maker->tree, 0, NULL, 0) > room)
        return false;
    payload->n += xc_encode(&maker->tree, 0, payload->bytes + payload->n, room);
    payload->frames++;
    return true;
}

bool xc_put_life(struct xc_payload *payload, enum xc_frame_type type, uint32_t life)
{
    struct xc_maker frame;

    xc_make_frame(&frame, type);
    if (life != 0)
        xc_set(&frame, "life", life);
    return xc_put(payload, &frame);
}

int xc_parse(const uint8_t *p, size_t n, struct xc_tree *tree)
{
    size_t at = 0;

    if (n == 0)
        return XC_EMPTY;
    for (size_t frames = 0; at < n; frames++) {
        if (frames == XC_FRAMES_MAX)
            return XC_LIMIT;
        int error = xc_decode(link_table.sealed, p, n, at, tree, &at);
        if (error != XC_OK)
            return error;
    }
    return XC_OK;
}

int xc_parse_header(const uint8_t *p, size_t n, struct xc_tree *tree)
{
    size_t end;

    return xc_decode(subject("Header"), p, n, 0, tree, &end);
}

const struct xc_value *xc_value_of(const struct xc_tree *tree, size_t place, const char *field)
{
    return &tree->values[xc_child(tree, place, index_of(tree->values[place].layout, field))];
}

uint64_t xc_get(const struct xc_tree *tree, size_t place, const char *field)
{
    return xc_value_of(tree, place, field)->number;
}
