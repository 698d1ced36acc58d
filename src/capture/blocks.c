/* blocks.c: pcapng, a file of blocks {type (4), length (4), body, length again (4)} in sections. */
#include <string.h>

#include "capture/reader.h"

enum {
    BLOCK_SECTION = 0x0a0d0d0a,
    BLOCK_INTERFACE = 1,
    BLOCK_SIMPLE_PACKET = 3,
    BLOCK_PACKET = 6,
    BLOCK_AROUND = 12, /* bytes of a block that are not its body */
    BLOCK_MAX = 1 << 24,
    SECTION_FIELDS = 12, /* version and the section's length */
    INTERFACE_FIELDS = 8,
    PACKET_FIELDS = 20,
    OPTION_RESOLUTION = 9,
    OPTION_OFFSET = 14,
    RESOLUTION_MICRO = 6,
    RESOLUTION_BINARY = 0x80,
    DECIMAL_MAX = 19, /* largest power of ten in 64 bits */
    BINARY_MAX = 63,
    BINARY_EXACT = 34 /* bits of a fraction that times 10^9 fits 64 bits */
};
static const uint32_t byte_order_magic = 0x1a2b3c4d;
static const uint64_t billion = 1000000000;

/* The block being read. */
struct block {
    uint32_t type, length;
    uint64_t left; /* of its body */
};

static enum pl_error take(struct pl_capture *c, struct block *b, void *out, size_t n, struct pl_text *why)
{
    if (n > b->left)
        return pl_capture_wrong(c, PL_E_RANGE, "a block too short for its fields: the file is damaged", why);
    b->left -= n;
    return pl_capture_read(c, out, n, false, why);
}

/* Leaves out what nobody took, and compares the length behind it. */
static enum pl_error end_block(struct pl_capture *c, const struct block *b, struct pl_text *why)
{
    uint8_t again[4];
    enum pl_error e = pl_capture_skip(c, b->left, why);

    if (e == PL_OK)
        e = pl_capture_read(c, again, sizeof again, false, why);
    if (e == PL_OK && pl_capture_u32(c, again) != b->length)
        e = pl_capture_wrong(c, PL_E_RANGE, "the two lengths of a block differ: the file is damaged", why);
    return e;
}

static enum pl_error check_length(const struct pl_capture *c, struct block *b, struct pl_text *why)
{
    if (b->length < BLOCK_AROUND || b->length % 4 != 0 || b->length > BLOCK_MAX)
        return pl_capture_wrong(c, PL_E_RANGE, "a block of an impossible length: the file is damaged", why);
    b->left = b->length - BLOCK_AROUND;
    return PL_OK;
}

/* A section header whose type was read; `length` is still in an order that only its body tells. */
static enum pl_error begin_section(struct pl_capture *c, const uint8_t length[4], struct pl_text *why)
{
    uint8_t magic[4], fields[SECTION_FIELDS];
    struct block b = {.type = BLOCK_SECTION};
    enum pl_error e = pl_capture_read(c, magic, sizeof magic, false, why);

    if (e != PL_OK)
        return e;
    c->big_endian = false;
    if (pl_capture_u32(c, magic) != byte_order_magic)
        c->big_endian = true;
    if (pl_capture_u32(c, magic) != byte_order_magic)
        return pl_capture_wrong(c, PL_E_RANGE, "a section without the mark of its byte order", why);
    b.length = pl_capture_u32(c, length);
    e = check_length(c, &b, why);
    if (e == PL_OK && b.left < sizeof magic)
        e = pl_capture_wrong(c, PL_E_RANGE, "a section header too short for its fields", why);
    if (e != PL_OK)
        return e;
    b.left -= sizeof magic;
    e = take(c, &b, fields, sizeof fields, why);
    if (e == PL_OK && pl_capture_u16(c, fields) != 1)
        e = pl_capture_wrong(c, PL_E_VERSION, "pcapng of another version than 1", why);
    c->interfaces_n = 0;
    return e == PL_OK ? end_block(c, &b, why) : e;
}

enum pl_error pl_blocks_open(struct pl_capture *c, struct pl_text *why)
{
    uint8_t length[4];
    enum pl_error e = pl_capture_read(c, length, sizeof length, false, why);

    return e == PL_OK ? begin_section(c, length, why) : e;
}

static enum pl_error take_option(struct pl_capture *c, struct block *b, struct pl_interface *in,
                                 bool *is_last, struct pl_text *why)
{
    uint8_t head[4], value[8];
    enum pl_error e = take(c, b, head, sizeof head, why);

    if (e != PL_OK)
        return e;
    unsigned code = pl_capture_u16(c, head), n = pl_capture_u16(c, head + 2), padded = (n + 3) / 4 * 4;
    *is_last = code == 0;
    if (padded > b->left)
        return pl_capture_wrong(c, PL_E_RANGE, "an option longer than its block: the file is damaged", why);
    if (padded > sizeof value) {
        b->left -= padded;
        return pl_capture_skip(c, padded, why);
    }
    e = take(c, b, value, padded, why);
    if (e == PL_OK && code == OPTION_RESOLUTION && n == 1)
        in->resolution = value[0];
    if (e == PL_OK && code == OPTION_OFFSET && n == 8) {
        uint64_t first = pl_capture_u32(c, value), second = pl_capture_u32(c, value + 4);
        in->offset_s = (int64_t)(c->big_endian ? first << 32 | second : second << 32 | first);
    }
    return e;
}

static enum pl_error take_interface(struct pl_capture *c, struct block *b, struct pl_text *why)
{
    uint8_t fields[INTERFACE_FIELDS];
    bool is_last = false;
    enum pl_error e = take(c, b, fields, sizeof fields, why);

    if (e != PL_OK)
        return e;
    if (c->interfaces_n == PL_CAPTURE_INTERFACES_MAX)
        return pl_capture_wrong(c, PL_E_LIMIT, "more than 1024 interfaces in a section", why);
    struct pl_interface *in = &c->interfaces[c->interfaces_n++];
    *in = (struct pl_interface){.link_type = pl_capture_u16(c, fields),
                                .snap_n = pl_capture_u32(c, fields + 4),
                                .resolution = RESOLUTION_MICRO};
    while (e == PL_OK && b->left > 0 && !is_last)
        e = take_option(c, b, in, &is_last, why);
    unsigned exponent = in->resolution & (RESOLUTION_BINARY - 1);
    if (e == PL_OK && exponent > (in->resolution & RESOLUTION_BINARY ? BINARY_MAX : DECIMAL_MAX))
        e = pl_capture_wrong(c, PL_E_RANGE, "an interface whose unit of time is finer than any", why);
    return e;
}

static uint64_t power_of_ten(unsigned n)
{
    uint64_t power = 1;
    while (n-- > 0)
        power *= 10;
    return power;
}

static void set_time(struct pl_captured *out, const struct pl_interface *in, uint64_t ticks)
{
    unsigned exponent = in->resolution & (RESOLUTION_BINARY - 1);
    uint64_t seconds, fraction;

    if (in->resolution & RESOLUTION_BINARY) {
        seconds = ticks >> exponent;
        fraction = ticks & ((UINT64_C(1) << exponent) - 1);
        if (exponent > BINARY_EXACT) {
            fraction >>= exponent - BINARY_EXACT;
            exponent = BINARY_EXACT;
        }
        fraction = fraction * billion >> exponent;
    } else {
        seconds = ticks / power_of_ten(exponent);
        fraction = ticks % power_of_ten(exponent);
        fraction =
            exponent <= 9 ? fraction * power_of_ten(9 - exponent) : fraction / power_of_ten(exponent - 9);
    }
    out->has_time = true;
    out->seconds = seconds + (uint64_t)in->offset_s;
    out->nanoseconds = (uint32_t)fraction;
}

static enum pl_error take_frame(struct pl_capture *c, struct block *b, const struct pl_interface *in,
                                size_t n, struct pl_captured *out, struct pl_text *why)
{
    if (n > PL_CAPTURE_FRAME_MAX)
        return pl_capture_wrong(c, PL_E_RANGE, "a frame of more than 262144 bytes: the file is damaged", why);
    out->link_type = in->link_type;
    out->bytes = (struct pl_bytes){c->frame, n};
    return take(c, b, c->frame, n, why);
}

static enum pl_error take_packet(struct pl_capture *c, struct block *b, struct pl_captured *out,
                                 struct pl_text *why)
{
    uint8_t fields[PACKET_FIELDS];
    enum pl_error e = take(c, b, fields, sizeof fields, why);

    if (e != PL_OK)
        return e;
    uint32_t at = pl_capture_u32(c, fields);
    if (at >= c->interfaces_n)
        return pl_capture_wrong(c, PL_E_RANGE, "a packet of an interface that was not described", why);
    uint64_t ticks = (uint64_t)pl_capture_u32(c, fields + 4) << 32 | pl_capture_u32(c, fields + 8);
    set_time(out, &c->interfaces[at], ticks);
    out->whole_n = pl_capture_u32(c, fields + 16);
    return take_frame(c, b, &c->interfaces[at], pl_capture_u32(c, fields + 12), out, why);
}

/* Its length tells how much of the frame is there, but for up to 3 bytes that fill the block up. */
static enum pl_error take_simple(struct pl_capture *c, struct block *b, struct pl_captured *out,
                                 struct pl_text *why)
{
    uint8_t field[4];
    enum pl_error e = take(c, b, field, sizeof field, why);

    if (e != PL_OK)
        return e;
    if (c->interfaces_n == 0)
        return pl_capture_wrong(c, PL_E_RANGE, "a packet of an interface that was not described", why);
    size_t n = out->whole_n = pl_capture_u32(c, field);
    if (c->interfaces[0].snap_n != 0 && n > c->interfaces[0].snap_n)
        n = c->interfaces[0].snap_n;
    return take_frame(c, b, &c->interfaces[0], n < b->left ? n : (size_t)b->left, out, why);
}

static enum pl_error take_body(struct pl_capture *c, struct block *b, struct pl_captured *out, bool *is_frame,
                               struct pl_text *why)
{
    switch (b->type) {
    case BLOCK_INTERFACE: return take_interface(c, b, why);
    case BLOCK_PACKET: *is_frame = true; return take_packet(c, b, out, why);
    case BLOCK_SIMPLE_PACKET: *is_frame = true; return take_simple(c, b, out, why);
    default: return PL_OK;
    }
}

enum pl_error pl_blocks_next(struct pl_capture *c, struct pl_captured *out, struct pl_text *why)
{
    bool is_frame = false;
    enum pl_error e = PL_OK;

    while (e == PL_OK && !is_frame) {
        uint8_t head[8];
        c->began_at = c->at;
        memset(out, 0, sizeof *out);
        e = pl_capture_read(c, head, sizeof head, true, why);
        if (e != PL_OK)
            return e;
        struct block b = {.type = pl_capture_u32(c, head), .length = pl_capture_u32(c, head + 4)};
        if (b.type == BLOCK_SECTION) {
            e = begin_section(c, head + 4, why);
            continue;
        }
        e = check_length(c, &b, why);
        if (e == PL_OK)
            e = take_body(c, &b, out, &is_frame, why);
        if (e == PL_OK)
            e = end_block(c, &b, why);
    }
    return e;
}
