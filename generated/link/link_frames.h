/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Frame: a type and what belongs to it.
 *
 * For each X there are: X_encode, which writes f into room bytes and returns the size, or 0 if f is invalid
 * or does not fit; X_size, that size; X_validate, which tells why f cannot be encoded (the errors of its
 * constraints) or OK. Where the last field is bytes, X_head_encode writes everything before them: their p is
 * not looked at, their n is, and the caller puts the bytes behind the head and answers for their room. Types,
 * lengths and constant texts are written by themselves; counts of repeated fields are the caller's and must
 * be right. Bytes in a struct are lent: by whom they were decoded from, or by the caller who encodes.
 */
#ifndef PL_LINK_FRAMES_H
#define PL_LINK_FRAMES_H

#include <stdbool.h>

#include "link/link_limits.h"
#include "link/link_structs.h"
#include "link/link_varint.h"

/* Everything sealed is a sequence of frames, each beginning with its type. */
enum pl_frame_type {
    PL_FRAME_PADDING = 0x00,        /* The rest of the packet is zeros */
    PL_FRAME_PING = 0x01,           /* Asks for an answer at once */
    PL_FRAME_TO = 0x02,             /* The answers behind it, up to the next TO, are for that run of the reader */
    PL_FRAME_ACK = 0x03,            /* Packets received */
    PL_FRAME_ACK_ECN = 0x04,        /* The same with the counts of ECN marks received */
    PL_FRAME_STREAM = 0x05,         /* Binds a life to a stream and to the life before it */
    PL_FRAME_RECORDS = 0x06,
        /* A piece, cut anywhere, of one life's bytes {size (i), record}...; runs to the end of the packet */
    PL_FRAME_RECORDS_LENGTH = 0x07, /* The same with a length, so that frames may follow */
    PL_FRAME_GAP = 0x08,            /* The sender no longer holds any number up to Upto, which is of this life */
    PL_FRAME_ASK = 0x09,            /* Asks for a STORED of this life */
    PL_FRAME_STORED = 0x0a,         /* Everything of this life up to Number is durable at the receiver */
    PL_FRAME_UNBOUND = 0x0b,        /* This life is not bound at the receiver: send STREAM again */
    PL_FRAME_REFUSED = 0x0c,        /* The receiver does not take what this life brings */
    PL_FRAME_PATH_CHALLENGE = 0x0d, /* To be sent back from the address it came to */
    PL_FRAME_PATH_RESPONSE = 0x0e,  /* The value of a PATH_CHALLENGE, sent back */
    PL_FRAME_EPOCH = 0x0f,          /* Offers an epoch: a key that will be forgotten */
    PL_FRAME_EPOCH_OK = 0x10,       /* The epoch is durable at the receiver and may be used */
    PL_FRAME_EXTENSION = 0x40,
        /* to 0xff: A frame of an extension: skipped by who does not know its type */
};

/* The rest of the packet is zeros. Length counts those behind the type. */
struct pl_frame_padding {
    size_t length;
};

/* Asks for an answer at once. */
struct pl_frame_ping {
    char none; /* C wants a member */
};

/* The answers behind it, up to the next TO, are for that run of the reader. */
struct pl_frame_to {
    uint32_t run_tag;
};

/* Packets received (RFC 9000 section 19.3). */
struct pl_frame_ack {
    uint64_t largest;
    uint64_t delay;
    uint64_t range_count;
    uint64_t first_range;
    struct pl_bytes ranges;
};

/* The same with the counts of ECN marks received (RFC 9000 section 19.3.2). */
struct pl_frame_ack_ecn {
    uint64_t largest;
    uint64_t delay;
    uint64_t range_count;
    uint64_t first_range;
    struct pl_bytes ranges;
    uint64_t ect0;
    uint64_t ect1;
    uint64_t ce;
};

/* Binds a life to a stream and to the life before it. */
struct pl_frame_stream {
    uint32_t life;
    uint64_t first_number;
    uint32_t life_before;
    uint64_t birth;
    struct pl_bytes name;
};

/* A piece, cut anywhere, of one life's bytes {size (i), record}...; runs to the end of the packet. */
struct pl_frame_records {
    uint32_t life;
    uint64_t offset;
    struct pl_bytes bytes;
};

/* The sender no longer holds any number up to Upto, which is of this life. */
struct pl_frame_gap {
    uint32_t life;
    uint64_t upto;
    uint64_t offset;
};

/* Asks for a STORED of this life. */
struct pl_frame_ask {
    uint32_t life;
};

/* Everything of this life up to Number is durable at the receiver. */
struct pl_frame_stored {
    uint32_t life;
    uint64_t number;
    uint64_t window;
};

/* This life is not bound at the receiver: send STREAM again. */
struct pl_frame_unbound {
    uint32_t life;
};

/* The receiver does not take what this life brings. Life is 0 in a refusal of a malformed packet only. */
struct pl_frame_refused {
    uint32_t life;
    uint64_t number;
    uint64_t code;
    struct pl_bytes detail;
};

/* To be sent back from the address it came to. */
struct pl_frame_path_challenge {
    uint64_t value;
};

/* The value of a PATH_CHALLENGE, sent back. */
struct pl_frame_path_response {
    uint64_t value;
};

/* Offers an epoch: a key that will be forgotten. */
struct pl_frame_epoch {
    uint64_t number;
    uint8_t public_key[32];
};

/* The epoch is durable at the receiver and may be used. */
struct pl_frame_epoch_ok {
    uint64_t number;
    uint32_t digest;
};

/* A frame of an extension: skipped by who does not know its type. */
struct pl_frame_extension {
    uint8_t type;
    struct pl_bytes body;
};

/* One of them. type is as it stood on the wire and chooses the member of u; at and size say where it stood.
 * */
struct pl_frame {
    uint8_t type;
    uint16_t at;
    uint16_t size;
    union {
        struct pl_frame_padding padding;
        struct pl_frame_ping ping;
        struct pl_frame_to to;
        struct pl_frame_ack ack;
        struct pl_frame_ack_ecn ack_ecn;
        struct pl_frame_stream stream;
        struct pl_frame_records records;
        struct pl_frame_records records_length;
        struct pl_frame_gap gap;
        struct pl_frame_ask ask;
        struct pl_frame_stored stored;
        struct pl_frame_unbound unbound;
        struct pl_frame_refused refused;
        struct pl_frame_path_challenge path_challenge;
        struct pl_frame_path_response path_response;
        struct pl_frame_epoch epoch;
        struct pl_frame_epoch_ok epoch_ok;
        struct pl_frame_extension extension;
    } u;
};

/* Decodes the one at in.p[at]; at is at most in.n, and in.n at most 65,535 (otherwise PL_E_LIMIT).
 * On PL_OK *end is the offset behind it; otherwise the offset of the field at fault, and *out is not to be
 * used.
 * Errors: PL_E_TRUNCATED, NOT_SHORTEST, RANGE, UNKNOWN_TYPE, NOT_ZERO, LIMIT, and those the spec names.
 * Bytes in *out are lent by in. */
enum pl_error pl_frame_decode(struct pl_bytes in, size_t at, struct pl_frame *out, size_t *end);

/* Bytes written, or 0 if f is invalid, of an unknown type, or does not fit into room bytes. */
size_t pl_frame_encode(uint8_t *out, size_t room, const struct pl_frame *f);

/* Bytes pl_frame_encode writes for a valid f; 0 for an unknown type. */
size_t pl_frame_size(const struct pl_frame *f);

/* PL_OK, or why f cannot be encoded. */
enum pl_error pl_frame_validate(const struct pl_frame *f);

/* One stable line without a line end, cut to room - 1 characters and ended by a zero byte; returns its
 * length. */
size_t pl_frame_print(char *out, size_t room, const struct pl_frame *f);

/* "PADDING", or "unknown"; static. */
const char *pl_frame_name(uint8_t type);

/* The reader answers a packet that holds such a frame with an ACK. */
static inline bool pl_frame_is_ack_eliciting(uint8_t type)
{
    switch (type) {
    case PL_FRAME_PING:
    case PL_FRAME_STREAM:
    case PL_FRAME_RECORDS:
    case PL_FRAME_RECORDS_LENGTH:
    case PL_FRAME_GAP:
    case PL_FRAME_ASK:
    case PL_FRAME_EPOCH:
        return true;
    default:
        return type >= 0x40;
    }
}

/* Counts only under a TO that names a run the reader still keeps; otherwise this frame alone is ignored. */
static inline bool pl_frame_is_answer(uint8_t type)
{
    switch (type) {
    case PL_FRAME_ACK:
    case PL_FRAME_ACK_ECN:
    case PL_FRAME_STORED:
    case PL_FRAME_UNBOUND:
    case PL_FRAME_REFUSED:
    case PL_FRAME_EPOCH_OK:
        return true;
    default:
        return false;
    }
}

/* Decoded by the codec, dropped and counted by the engine, until a later version of it. */
static inline bool pl_frame_is_later(uint8_t type)
{
    switch (type) {
    case PL_FRAME_EPOCH:
    case PL_FRAME_EPOCH_OK:
        return true;
    default:
        return false;
    }
}

/* Runs to the end: nothing can stand behind it. */
static inline bool pl_frame_is_last(uint8_t type)
{
    switch (type) {
    case PL_FRAME_PADDING:
    case PL_FRAME_RECORDS:
        return true;
    default:
        return false;
    }
}

/* Is an assigned type. */
static inline bool pl_frame_is_known(uint8_t type)
{
    switch (type) {
    case PL_FRAME_PADDING:
    case PL_FRAME_PING:
    case PL_FRAME_TO:
    case PL_FRAME_ACK:
    case PL_FRAME_ACK_ECN:
    case PL_FRAME_STREAM:
    case PL_FRAME_RECORDS:
    case PL_FRAME_RECORDS_LENGTH:
    case PL_FRAME_GAP:
    case PL_FRAME_ASK:
    case PL_FRAME_STORED:
    case PL_FRAME_UNBOUND:
    case PL_FRAME_REFUSED:
    case PL_FRAME_PATH_CHALLENGE:
    case PL_FRAME_PATH_RESPONSE:
    case PL_FRAME_EPOCH:
    case PL_FRAME_EPOCH_OK:
        return true;
    default:
        return type >= 0x40;
    }
}

size_t pl_padding_encode(uint8_t *out, size_t room, const struct pl_frame_padding *f);
size_t pl_padding_size(const struct pl_frame_padding *f);
enum pl_error pl_padding_validate(const struct pl_frame_padding *f);

size_t pl_ping_encode(uint8_t *out, size_t room, const struct pl_frame_ping *f);
size_t pl_ping_size(const struct pl_frame_ping *f);
enum pl_error pl_ping_validate(const struct pl_frame_ping *f);

size_t pl_to_encode(uint8_t *out, size_t room, const struct pl_frame_to *f);
size_t pl_to_size(const struct pl_frame_to *f);
enum pl_error pl_to_validate(const struct pl_frame_to *f);

size_t pl_ack_encode(uint8_t *out, size_t room, const struct pl_frame_ack *f);
size_t pl_ack_size(const struct pl_frame_ack *f);
enum pl_error pl_ack_validate(const struct pl_frame_ack *f);

size_t pl_ack_ecn_encode(uint8_t *out, size_t room, const struct pl_frame_ack_ecn *f);
size_t pl_ack_ecn_size(const struct pl_frame_ack_ecn *f);
enum pl_error pl_ack_ecn_validate(const struct pl_frame_ack_ecn *f);

size_t pl_stream_encode(uint8_t *out, size_t room, const struct pl_frame_stream *f);
size_t pl_stream_head_encode(uint8_t *out, size_t room, const struct pl_frame_stream *f);
size_t pl_stream_size(const struct pl_frame_stream *f);
enum pl_error pl_stream_validate(const struct pl_frame_stream *f);

size_t pl_records_encode(uint8_t *out, size_t room, const struct pl_frame_records *f);
size_t pl_records_head_encode(uint8_t *out, size_t room, const struct pl_frame_records *f);
size_t pl_records_size(const struct pl_frame_records *f);
enum pl_error pl_records_validate(const struct pl_frame_records *f);

size_t pl_records_length_encode(uint8_t *out, size_t room, const struct pl_frame_records *f);
size_t pl_records_length_head_encode(uint8_t *out, size_t room, const struct pl_frame_records *f);
size_t pl_records_length_size(const struct pl_frame_records *f);
enum pl_error pl_records_length_validate(const struct pl_frame_records *f);

size_t pl_gap_encode(uint8_t *out, size_t room, const struct pl_frame_gap *f);
size_t pl_gap_size(const struct pl_frame_gap *f);
enum pl_error pl_gap_validate(const struct pl_frame_gap *f);

size_t pl_ask_encode(uint8_t *out, size_t room, const struct pl_frame_ask *f);
size_t pl_ask_size(const struct pl_frame_ask *f);
enum pl_error pl_ask_validate(const struct pl_frame_ask *f);

size_t pl_stored_encode(uint8_t *out, size_t room, const struct pl_frame_stored *f);
size_t pl_stored_size(const struct pl_frame_stored *f);
enum pl_error pl_stored_validate(const struct pl_frame_stored *f);

size_t pl_unbound_encode(uint8_t *out, size_t room, const struct pl_frame_unbound *f);
size_t pl_unbound_size(const struct pl_frame_unbound *f);
enum pl_error pl_unbound_validate(const struct pl_frame_unbound *f);

size_t pl_refused_encode(uint8_t *out, size_t room, const struct pl_frame_refused *f);
size_t pl_refused_head_encode(uint8_t *out, size_t room, const struct pl_frame_refused *f);
size_t pl_refused_size(const struct pl_frame_refused *f);
enum pl_error pl_refused_validate(const struct pl_frame_refused *f);

size_t pl_path_challenge_encode(uint8_t *out, size_t room, const struct pl_frame_path_challenge *f);
size_t pl_path_challenge_size(const struct pl_frame_path_challenge *f);
enum pl_error pl_path_challenge_validate(const struct pl_frame_path_challenge *f);

size_t pl_path_response_encode(uint8_t *out, size_t room, const struct pl_frame_path_response *f);
size_t pl_path_response_size(const struct pl_frame_path_response *f);
enum pl_error pl_path_response_validate(const struct pl_frame_path_response *f);

size_t pl_epoch_encode(uint8_t *out, size_t room, const struct pl_frame_epoch *f);
size_t pl_epoch_size(const struct pl_frame_epoch *f);
enum pl_error pl_epoch_validate(const struct pl_frame_epoch *f);

size_t pl_epoch_ok_encode(uint8_t *out, size_t room, const struct pl_frame_epoch_ok *f);
size_t pl_epoch_ok_size(const struct pl_frame_epoch_ok *f);
enum pl_error pl_epoch_ok_validate(const struct pl_frame_epoch_ok *f);

size_t pl_extension_encode(uint8_t *out, size_t room, const struct pl_frame_extension *f);
size_t pl_extension_head_encode(uint8_t *out, size_t room, const struct pl_frame_extension *f);
size_t pl_extension_size(const struct pl_frame_extension *f);
enum pl_error pl_extension_validate(const struct pl_frame_extension *f);

#endif
