/* AFL++ custom mutator and trimmer that know the spec, by the tables of the second codec: an input is a
 * payload, a sequence of one family's members.
 *
 * It changes numbers to what they are compared with, contents in their length, the order of frames; it puts
 * in frames of any type the tables have, so that a new one is never forgotten. What it writes is often
 * invalid. The trimmer takes out frame after frame. Built with -DPROTOCOL=link into a library for
 * AFL_CUSTOM_MUTATOR_LIBRARY. */
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"

#define JOIN_AFTER(a, b) a##b
#define JOIN(a, b) JOIN_AFTER(a, b)
extern const struct xc_protocol JOIN(PROTOCOL, _table);

enum { FRAMES_MAX = 80, VALUES_MAX = 1 << 13, OUT_MAX = 1 << 16, NOISE = 256, ITEMS_MAX = 4 };

/* A frame: bytes of an input, or of the arena of what was encoded. */
struct piece {
    const uint8_t *p;
    size_t n;
};

struct mutator {
    uint64_t random;
    size_t count;
    struct piece pieces[FRAMES_MAX];
    size_t arena_used;
    uint8_t arena[OUT_MAX];
    struct xc_value values[VALUES_MAX];
    uint8_t noise[NOISE];
    uint8_t out[OUT_MAX];
    /* what is being trimmed: the input, the frame that is left out now, whether the last try was good */
    uint8_t trimmed[OUT_MAX];
    size_t trimmed_bytes, left_out;
};

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *data, uint8_t *in, size_t in_bytes, uint8_t **out, uint8_t *other,
                       size_t other_bytes, size_t room);
int32_t afl_custom_init_trim(void *data, uint8_t *in, size_t in_bytes);
size_t afl_custom_trim(void *data, uint8_t **out);
int32_t afl_custom_post_trim(void *data, unsigned char success);
void afl_custom_deinit(void *data);

static const struct xc_subject *family(void)
{
    return JOIN(PROTOCOL, _table).sealed;
}

/* splitmix64 */
static uint64_t any(struct mutator *m)
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static size_t below(struct mutator *m, size_t n)
{
    return (size_t)(any(m) % n);
}

/* Cuts an input into frames; what does not decode is one last piece. Returns how many there are. */
static size_t cut(struct mutator *m, const uint8_t *p, size_t n, struct piece *pieces, size_t most)
{
    size_t count = 0, at = 0;

    while (at < n && count < most) {
        struct xc_tree tree = {m->values, VALUES_MAX, 0};
        size_t end = 0;
        if (xc_decode(family(), p, n, at, &tree, &end) != XC_OK || count == most - 1)
            end = n;
        pieces[count++] = (struct piece){p + at, end - at};
        at = end;
    }
    return count;
}

/* A number at one of the field's borders, near its old value, or any. */
static uint64_t number_for(struct mutator *m, const struct xc_field *f, uint64_t old)
{
    size_t way = below(m, 8);

    if (way < 5 && f->border_count > 0)
        return f->borders[below(m, f->border_count)];
    if (way < 6)
        return old + (any(m) & 1 ? 1 : UINT64_MAX);
    return any(m) >> below(m, 64);
}

static void change_bytes(struct mutator *m, struct xc_value *value)
{
    if (below(m, 3) == 0 && value->size > 0)
        value->size -= 1 + below(m, value->size);
    else
        *value = (struct xc_value){.bytes = m->noise, .size = below(m, NOISE), .next = value->next};
}

/* Changes the value of one field; of a repetition it leaves out the last items. */
static void change_field(struct mutator *m, const struct xc_field *f, struct xc_value *value)
{
    switch (f->kind) {
    case XC_BITS:
    case XC_VARINT: value->number = number_for(m, f, value->number); break;
    case XC_ZEROS: value->number = below(m, NOISE); break;
    case XC_FIXED: value->bytes = m->noise; break;
    case XC_BYTES:
    case XC_REST: change_bytes(m, value); break;
    case XC_COUNT:
    case XC_SIZED:
    case XC_UNTIL:
    case XC_TO_END: value->number = below(m, (size_t)value->number + 1); break;
    case XC_LITERAL:
    case XC_EMBED: break;
    }
}

/* Changes a field of the struct at place, or of an item in it. */
static void change_struct(struct mutator *m, struct xc_tree *tree, size_t place)
{
    const struct xc_layout *layout = tree->values[place].layout;

    if (layout->first != layout->last && below(m, 4) == 0)
        tree->values[place].number = layout->first + below(m, (size_t)(layout->last - layout->first) + 1);
    if (layout->field_count == 0)
        return;
    size_t index = below(m, layout->field_count);
    size_t child = xc_child(tree, place, index);
    bool has_items = layout->fields[index].item != NULL && tree->values[child].next > child + 1;
    if (has_items && below(m, 2) == 0)
        change_struct(m, tree, tree->values[child].layout != NULL ? child : child + 1);
    else
        change_field(m, &layout->fields[index], &tree->values[child]);
}

static bool invent(struct mutator *m, struct xc_tree *tree, const struct xc_layout *layout);

/* Puts a value for one field behind the others; false if the tree is full. */
static bool invent_field(struct mutator *m, struct xc_tree *tree, const struct xc_field *f)
{
    if (f->kind == XC_EMBED)
        return invent(m, tree, f->item);
    if (tree->n == tree->room)
        return false;
    size_t place = tree->n++;
    tree->values[place] = (struct xc_value){.bytes = m->noise, .size = below(m, 20)};
    struct xc_value *value = &tree->values[place];
    change_field(m, f, value);
    if (f->item != NULL) {
        value->number = below(m, ITEMS_MAX);
        for (uint64_t i = 0; i < value->number; i++) {
            if (!invent(m, tree, f->item))
                return false;
        }
    }
    value->next = tree->n;
    return true;
}

/* A struct of this layout with values at borders. */
static bool invent(struct mutator *m, struct xc_tree *tree, const struct xc_layout *layout)
{
    if (tree->n == tree->room)
        return false;
    size_t place = tree->n++;
    uint64_t type = layout->first + below(m, (size_t)(layout->last - layout->first) + 1);
    tree->values[place] = (struct xc_value){.layout = layout, .number = type};
    for (size_t i = 0; i < layout->field_count; i++) {
        if (!invent_field(m, tree, &layout->fields[i]))
            return false;
    }
    tree->values[place].next = tree->n;
    return true;
}

/* Bytes of the tree's first struct, in the arena; nothing if there is no room. */
static struct piece encoded(struct mutator *m, const struct xc_tree *tree)
{
    uint8_t *p = m->arena + m->arena_used;
    size_t room = sizeof m->arena - m->arena_used;
    size_t n = xc_encode(tree, 0, p, room);

    if (n > room)
        return (struct piece){p, 0};
    m->arena_used += n;
    return (struct piece){p, n};
}

static struct piece new_frame(struct mutator *m)
{
    struct xc_tree tree = {m->values, VALUES_MAX, 0};

    if (!invent(m, &tree, family()->layouts[below(m, family()->layout_count)]))
        return (struct piece){m->arena, 0};
    return encoded(m, &tree);
}

static void change_frame(struct mutator *m, size_t index)
{
    struct xc_tree tree = {m->values, VALUES_MAX, 0};
    struct piece *piece = &m->pieces[index];
    size_t end = 0;

    if (xc_decode(family(), piece->p, piece->n, 0, &tree, &end) != XC_OK) {
        *piece = new_frame(m);
        return;
    }
    change_struct(m, &tree, 0);
    *piece = encoded(m, &tree);
}

static void put_in(struct mutator *m, size_t index, struct piece piece)
{
    if (m->count == FRAMES_MAX)
        return;
    memmove(m->pieces + index + 1, m->pieces + index, (m->count - index) * sizeof *m->pieces);
    m->pieces[index] = piece;
    m->count++;
}

static void take_out(struct mutator *m, size_t index)
{
    m->count--;
    memmove(m->pieces + index, m->pieces + index + 1, (m->count - index) * sizeof *m->pieces);
}

static void mutate_once(struct mutator *m, const struct piece *others, size_t other_count)
{
    size_t way = m->count == 0 ? 4 : below(m, 10);
    size_t at = m->count == 0 ? 0 : below(m, m->count);

    if (way == 0 && other_count > 0)
        put_in(m, at, others[below(m, other_count)]);
    else if (way == 1)
        put_in(m, at, m->pieces[at]);
    else if (way == 2 && m->count > 1)
        take_out(m, at);
    else if (way <= 4)
        put_in(m, below(m, m->count + 1), new_frame(m));
    else
        change_frame(m, at);
}

/* The pieces one behind the other, at most room bytes; sometimes a byte is spoiled or the end cut off. */
static size_t write_out(struct mutator *m, size_t room)
{
    size_t n = 0;

    room = room < sizeof m->out ? room : sizeof m->out;
    for (size_t i = 0; i < m->count; i++) {
        size_t more = m->pieces[i].n < room - n ? m->pieces[i].n : room - n;
        memcpy(m->out + n, m->pieces[i].p, more);
        n += more;
    }
    if (n > 0 && below(m, 8) == 0)
        m->out[below(m, n)] ^= (uint8_t)(1U << below(m, 8));
    return n > 1 && below(m, 8) == 0 ? 1 + below(m, n) : n;
}

void *afl_custom_init(void *afl, unsigned seed)
{
    struct mutator *m = calloc(1, sizeof *m);

    (void)afl;
    if (m == NULL)
        return NULL;
    m->random = seed;
    for (size_t i = 0; i < NOISE; i++)
        m->noise[i] = (uint8_t)any(m);
    return m;
}

size_t afl_custom_fuzz(void *data, uint8_t *in, size_t in_bytes, uint8_t **out, uint8_t *other,
                       size_t other_bytes, size_t room)
{
    struct mutator *m = data;
    struct piece others[FRAMES_MAX];
    size_t other_count = other != NULL ? cut(m, other, other_bytes, others, FRAMES_MAX) : 0;

    m->arena_used = 0;
    m->count = cut(m, in, in_bytes, m->pieces, FRAMES_MAX);
    for (size_t times = 1 + below(m, 4); times > 0; times--)
        mutate_once(m, others, other_count);
    *out = m->out;
    return write_out(m, room);
}

int32_t afl_custom_init_trim(void *data, uint8_t *in, size_t in_bytes)
{
    struct mutator *m = data;

    if (in_bytes > sizeof m->trimmed)
        return 0;
    memcpy(m->trimmed, in, in_bytes);
    m->trimmed_bytes = in_bytes;
    m->left_out = 0;
    size_t count = cut(m, m->trimmed, in_bytes, m->pieces, FRAMES_MAX);
    return count > 1 ? (int32_t)count : 0;
}

size_t afl_custom_trim(void *data, uint8_t **out)
{
    struct mutator *m = data;
    size_t n = 0;

    m->count = cut(m, m->trimmed, m->trimmed_bytes, m->pieces, FRAMES_MAX);
    for (size_t i = 0; i < m->count; i++) {
        if (i == m->left_out)
            continue;
        memcpy(m->out + n, m->pieces[i].p, m->pieces[i].n);
        n += m->pieces[i].n;
    }
    *out = m->out;
    return n;
}

/* Keeps what was good; returns how many steps are done, all of them when nothing is left to take out. */
int32_t afl_custom_post_trim(void *data, unsigned char success)
{
    struct mutator *m = data;
    uint8_t *out = NULL;

    if (success) {
        m->trimmed_bytes = afl_custom_trim(m, &out);
        memcpy(m->trimmed, out, m->trimmed_bytes);
        m->count--;
    } else {
        m->left_out++;
    }
    return m->left_out < m->count && m->count > 1 ? 0 : INT32_MAX;
}

void afl_custom_deinit(void *data)
{
    free(data);
}
