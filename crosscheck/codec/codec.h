/* A second codec: an interpreter over descriptions of the spec's structs and cases.
 *
 * It shares no code with the product's codec, which is generated as code, and is built to be read rather than
 * to be fast. generated/crosscheck/PROTOCOL_table.c holds the descriptions. */
#ifndef XC_CODEC_H
#define XC_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a step of a condition does with a stack of numbers: operands first, then the operator. */
enum xc_op {
    XC_END,
    XC_NUMBER, /* push value */
    XC_FIELD,  /* push the number of field `value` of the struct at hand */
    XC_LENGTH, /* push the bytes of field `value` */
    XC_SUM,    /* push the sum of `inner` over the items of field `value`; it stops growing at 2^62 */
    XC_ADD,
    XC_SUBTRACT,
    XC_MULTIPLY,
    XC_EQUAL,
    XC_UNEQUAL,
    XC_LESS,
    XC_AT_MOST,
    XC_MORE,
    XC_AT_LEAST,
    XC_AND,
    XC_OR,
    XC_IMPLIES,
    XC_NOT,
};

struct xc_step {
    enum xc_op op;
    uint64_t value;
    const struct xc_step *inner;
};

struct xc_rule {
    const struct xc_step *holds;
    int error;
};

struct xc_entry {
    uint64_t number;
    const char *name;
};

/* A registry's entries; the last one has no name. */
struct xc_registry {
    const struct xc_entry *entries;
};

enum xc_kind {
    XC_BITS,    /* a number of `bits`, which begins `first_bit` into `group_bytes` read together */
    XC_VARINT,  /* an integer of RFC 9000 section 16 */
    XC_FIXED,   /* least bytes */
    XC_LITERAL, /* the least bytes of `literal`, otherwise literal_error */
    XC_BYTES,   /* as many bytes as field `length` says */
    XC_REST,    /* bytes to the end, at least least */
    XC_ZEROS,   /* the same, all zero */
    XC_EMBED,   /* one item */
    XC_COUNT,   /* as many items as field `length` says */
    XC_SIZED,   /* items that fill as many bytes as field `length` says */
    XC_UNTIL,   /* items up to the first for which `until` holds */
    XC_TO_END,  /* items to the end */
};

/* Fields are named by their place in the layout; -1 is no field. */
struct xc_field {
    const char *name;
    enum xc_kind kind;
    unsigned bits, first_bit, group_bytes;
    int length;    /* the field that holds the length or count of this one */
    int length_of; /* the field whose bytes this one counts: derived when encoding, not printed */
    size_t least, most;
    const uint8_t *literal;
    int literal_error;
    const struct xc_layout *item;
    const struct xc_step *until;
    const struct xc_registry *registry;
    bool text;
    const struct xc_rule *rules; /* ends with one that has no condition */
    const uint64_t *borders;     /* numbers worth trying here, for fuzzers */
    size_t border_count;
};

/* A struct, or a case of a family with its first and last type. */
struct xc_layout {
    const char *name;
    unsigned tag_bytes; /* 0: a struct */
    uint64_t first, last;
    const struct xc_field *fields;
    size_t field_count;
};

/* What a decoder is asked for: one struct, or one of a family's cases. */
struct xc_subject {
    const char *name;
    const struct xc_layout *const *layouts;
    size_t layout_count;
};

struct xc_protocol {
    const char *name;
    const struct xc_entry *errors;       /* the last one has no name */
    const struct xc_subject *subjects;   /* structs, then families, in the spec's order */
    size_t subject_count;
    const struct xc_subject *sealed;     /* what the first packet with a sealed part repeats, or NULL */
    size_t sealed_least, sealed_most;
};

/* The language's own errors; those of a protocol have other numbers. */
enum {
    XC_OK = 0,
    XC_TRUNCATED = 1,
    XC_NOT_SHORTEST = 2,
    XC_UNKNOWN_TYPE = 4,
    XC_NOT_ZERO = 5,
    XC_LIMIT = 6,
    XC_TRAILING = 7,
    XC_ROOM = 8,
    XC_EMPTY = 9,
};

/* One value of a tree that is stored flat, each before its children. A struct's children are its fields, all
 * of them in their order; a repetition's children are `number` structs. */
struct xc_value {
    const struct xc_layout *layout; /* of a struct or item; NULL: of a field that is neither */
    uint64_t number;                /* an integer, a case's type, a repetition's items, how many zeros */
    const uint8_t *bytes;           /* lent by what was decoded */
    size_t size;                    /* of the bytes */
    size_t next;                    /* the place behind the last child */
};

/* The caller's array of values; n of room are in use. */
struct xc_tree {
    struct xc_value *values;
    size_t room, n;
};

/* The place of child number `index` of the value at `parent`, which has more children than that. */
size_t xc_child(const struct xc_tree *tree, size_t parent, size_t index);

/* The number that steps compute over the fields of the struct at `parent`; conditions give 0 or 1. */
uint64_t xc_evaluate(const struct xc_step *steps, const struct xc_tree *tree, size_t parent);

/* Decodes one of the subject at p[at], of n bytes, as a tree behind what the tree holds already. XC_OK: *end
 * is the offset behind it. An error of the protocol: *end is the offset of the field at fault. XC_ROOM: the
 * tree is full. */
int xc_decode(const struct xc_subject *subject, const uint8_t *p, size_t n, size_t at, struct xc_tree *tree,
              size_t *end);

/* Bytes of the struct at `place`, whatever room there is; only the first room of them are written. No rule is
 * looked at: decode the result to know whether it is valid. Lengths and texts that are constant are derived;
 * an integer beyond 2^62 - 1 is written as that. */
size_t xc_encode(const struct xc_tree *tree, size_t place, uint8_t *out, size_t room);

/* The struct at `place` as one line in the form that the product's printers have, cut to room - 1 characters;
 * returns its length without the cut. */
size_t xc_print(const struct xc_tree *tree, size_t place, char *out, size_t room);

/* "RANGE"; "unknown" for a number that is no error of the protocol. */
const char *xc_error_name(const struct xc_protocol *protocol, int error);

#endif
