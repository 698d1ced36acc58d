/* A tree as one line, in the form of the product's printers. */
#include "codec.h"

#include <stdarg.h>
#include <stdio.h>

enum { SHOWN_BYTES = 16 };

/* n characters so far, of which room - 1 are kept. */
struct sink {
    char *out;
    size_t room, n;
};

__attribute__((format(printf, 2, 3))) static void say(struct sink *s, const char *format, ...)
{
    size_t left = s->room > s->n ? s->room - s->n : 0;
    va_list arguments;

    va_start(arguments, format);
    int n = vsnprintf(left > 0 ? s->out + s->n : NULL, left, format, arguments);
    va_end(arguments);
    s->n += n > 0 ? (size_t)n : 0;
}

static void say_upper(struct sink *s, const char *name)
{
    for (; *name != '\0'; name++) {
        bool lower = *name >= 'a' && *name <= 'z';
        say(s, "%c", lower ? *name - 'a' + 'A' : *name);
    }
}

static void say_number(struct sink *s, const struct xc_field *f, uint64_t number)
{
    const char *name = "unknown";

    if (f->registry == NULL) {
        bool wide = f->kind == XC_BITS && f->bits >= 32;
        say(s, wide ? "0x%0*llx" : "%*llu", wide ? (int)(f->bits / 8 * 2) : 1, (unsigned long long)number);
        return;
    }
    for (const struct xc_entry *e = f->registry->entries; e->name != NULL; e++) {
        if (e->number == number)
            name = e->name;
    }
    say(s, "%llu(%s)", (unsigned long long)number, name);
}

static void say_bytes(struct sink *s, const struct xc_field *f, const uint8_t *bytes, size_t size)
{
    if (f->text) {
        say(s, "\"");
        for (size_t i = 0; i < size; i++) {
            bool plain = bytes[i] >= ' ' && bytes[i] <= '~' && bytes[i] != '"' && bytes[i] != '\\';
            say(s, plain ? "%c" : "\\x%02x", bytes[i]);
        }
        say(s, "\"");
        return;
    }
    say(s, "%zu:", size);
    for (size_t i = 0; i < size && i < SHOWN_BYTES; i++)
        say(s, "%02x", bytes[i]);
    say(s, "%s", size > SHOWN_BYTES ? ".." : "");
}

static void say_layout(struct sink *s, const struct xc_tree *tree, size_t place);

static void say_items(struct sink *s, const struct xc_tree *tree, size_t list)
{
    size_t item = list + 1;

    say(s, "[");
    for (uint64_t i = 0; i < tree->values[list].number; i++) {
        say(s, i > 0 ? " {" : "{");
        say_layout(s, tree, item);
        say(s, "}");
        item = tree->values[item].next;
    }
    say(s, "]");
}

static void say_field(struct sink *s, const struct xc_field *f, const struct xc_tree *tree, size_t place)
{
    const struct xc_value *value = &tree->values[place];

    switch (f->kind) {
    case XC_BITS:
    case XC_VARINT:
    case XC_ZEROS: say_number(s, f, value->number); break;
    case XC_LITERAL: break;
    case XC_FIXED:
    case XC_BYTES:
    case XC_REST: say_bytes(s, f, value->bytes, value->size); break;
    case XC_EMBED:
        say(s, "{");
        say_layout(s, tree, place);
        say(s, "}");
        break;
    case XC_COUNT:
    case XC_SIZED:
    case XC_UNTIL:
    case XC_TO_END: say_items(s, tree, place); break;
    }
}

static void say_layout(struct sink *s, const struct xc_tree *tree, size_t place)
{
    const struct xc_layout *layout = tree->values[place].layout;
    const char *blank = "";

    if (layout->tag_bytes > 0) {
        say_upper(s, layout->name);
        blank = " ";
    }
    if (layout->first != layout->last)
        say(s, " type=0x%0*llx", 2 * (int)layout->tag_bytes, (unsigned long long)tree->values[place].number);
    for (size_t i = 0; i < layout->field_count; i++) {
        const struct xc_field *f = &layout->fields[i];
        if (f->length_of >= 0 || f->kind == XC_LITERAL)
            continue;
        say(s, "%s%s=", blank, f->name);
        say_field(s, f, tree, xc_child(tree, place, i));
        blank = " ";
    }
}

size_t xc_print(const struct xc_tree *tree, size_t place, char *out, size_t room)
{
    struct sink s = {out, room, 0};

    if (room > 0)
        out[0] = '\0';
    say_layout(&s, tree, place);
    return s.n;
}

const char *xc_error_name(const struct xc_protocol *protocol, int error)
{
    for (const struct xc_entry *e = protocol->errors; e->name != NULL; e++) {
        if (e->number == (uint64_t)error)
            return e->name;
    }
    return "unknown";
}
