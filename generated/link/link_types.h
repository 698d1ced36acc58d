/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Types that every file of the protocol uses: borrowed bytes and errors.
 */
#ifndef PL_LINK_TYPES_H
#define PL_LINK_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* Borrowed bytes: they belong to whom they came from and live as long as that says. p may be NULL if n is 0.
 * */
struct pl_bytes {
    const uint8_t *p;
    size_t n;
};

/* Every error there is. Those below 64 are found by decoders, validators and encoders. */
enum pl_error {
    PL_OK = 0,               /* no error */
    PL_E_TRUNCATED = 1,      /* ends before a field does; the offset is the field's first byte */
    PL_E_NOT_SHORTEST = 2,   /* an integer is not in its shortest form */
    PL_E_RANGE = 3,          /* a value its constraint excludes */
    PL_E_UNKNOWN_TYPE = 4,   /* a type that is not assigned */
    PL_E_NOT_ZERO = 5,       /* reserved bits or padding that are not zero */
    PL_E_LIMIT = 6,          /* more of something than its limit allows */
    PL_E_TRAILING = 7,       /* bytes behind the end */
    PL_E_ROOM = 8,           /* no room to write it */
    PL_E_EMPTY = 9,          /* nothing where there must be something */
    PL_E_IO = 64,            /* the system refused a read, write or socket operation */
    PL_E_NO_MEMORY = 65,     /* memory is short */
    PL_E_KEY = 66,           /* not a usable key */
    PL_E_AUTH = 67,          /* the tag does not fit: not sealed by this key, or changed on the way */
    PL_E_STORE = 68,         /* the store refused an operation */
    PL_E_STORE_FULL = 69,    /* the store has no room left */
    PL_E_STORE_DAMAGED = 70, /* the store holds what was never written to it */
    PL_E_BUSY = 71,          /* owned by another process */
    PL_E_NOT_FOUND = 72,     /* there is no such thing */
    PL_E_EXISTS = 73,        /* it is there already */
    PL_E_USAGE = 74,         /* called out of order or with arguments that exclude each other */
    PL_E_TOO_LARGE = 75,     /* larger than its limit */
    PL_E_NAME = 76,          /* not a valid name: 1 to 255 bytes of UTF-8 without control characters */
    PL_E_ADDRESS = 77,       /* not a usable address */
    PL_E_REFUSED = 78,       /* the peer refused it */
    PL_E_TIMEOUT = 79,       /* not done in the time given */
    PL_E_AGAIN = 80,         /* nothing to do at the moment; try again later */
    PL_E_VERSION = 81,       /* a version this library does not speak */
    PL_E_PERMISSION = 82,    /* not permitted, or readable by others */
    PL_E_CLOSED = 83,        /* closed already */
    PL_E_INTERNAL = 84,      /* a fault of this library */
};

/* The error's name without its prefix ("TRUNCATED"), or "unknown"; static. */
const char *pl_error_name(enum pl_error error);

/* What the error means, in one sentence without a full stop, or "unknown"; static. */
const char *pl_error_doc(enum pl_error error);

#endif
