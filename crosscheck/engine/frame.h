/* Frames by name, on top of the interpreting codec: making them field by field, and reading fields back. */
#ifndef XC_FRAME_H
#define XC_FRAME_H

#include "../codec/codec.h"
#include "limits.h"

enum xc_frame_type {
    XC_PADDING = 0x00,
    XC_PING = 0x01,
    XC_TO = 0x02,
    XC_ACK = 0x03,
    XC_ACK_ECN = 0x04,
    XC_STREAM = 0x05,
    XC_RECORDS = 0x06,
    XC_RECORDS_LENGTH = 0x07,
    XC_GAP = 0x08,
    XC_ASK = 0x09,
    XC_STORED = 0x0a,
    XC_UNBOUND = 0x0b,
    XC_REFUSED = 0x0c,
    XC_PATH_CHALLENGE = 0x0d,
    XC_PATH_RESPONSE = 0x0e,
    XC_EPOCH = 0x0f,
    XC_EPOCH_OK = 0x10,
    XC_EXTENSION = 0x40,
};

enum { XC_PAYLOAD_VALUES = 4096 }; /* more than the values of any payload: three for each two bytes */

/* One struct or frame in the making. Points into itself: do not copy. */
struct xc_maker {
    struct xc_value values[8 + 3 * XC_ACK_RANGES_MAX];
    struct xc_tree tree;
};

/* Frames of a packet in the making; room is at most XC_PAYLOAD_BYTES. */
struct xc_payload {
    uint8_t bytes[XC_PAYLOAD_BYTES];
    size_t n, room, frames;
};

/* Begins a struct of the spec, all fields 0 or empty. */
void xc_make(struct xc_maker *maker, const char *name);

/* Begins a frame. */
void xc_make_frame(struct xc_maker *maker, enum xc_frame_type type);

/* Fields by their names in the codec's tables; an unknown name is a fault of this program. Bytes are lent. */
void xc_set(struct xc_maker *maker, const char *field, uint64_t number);
void xc_set_bytes(struct xc_maker *maker, const char *field, const uint8_t *bytes, size_t n);

/* Adds a range to an ACK. */
void xc_add_range(struct xc_maker *maker, uint64_t gap, uint64_t length);

/* Puts the frame behind the others. False: there is no room for it; nothing was changed. */
bool xc_put(struct xc_payload *payload, const struct xc_maker *maker);

/* A frame of which all fields but `life` are 0, or that has no fields (life 0). */
bool xc_put_life(struct xc_payload *payload, enum xc_frame_type type, uint32_t life);

/* Decodes all frames of a payload into a tree; an error of the protocol otherwise. */
int xc_parse(const uint8_t *p, size_t n, struct xc_tree *tree);

/* Decodes a Header at the beginning of p; an error of the protocol otherwise. */
int xc_parse_header(const uint8_t *p, size_t n, struct xc_tree *tree);

/* A field of the struct at `place`. */
const struct xc_value *xc_value_of(const struct xc_tree *tree, size_t place, const char *field);
uint64_t xc_get(const struct xc_tree *tree, size_t place, const char *field);

#endif
