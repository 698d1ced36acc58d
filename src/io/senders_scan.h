/*
 * The scanner of the senders file: bytes in any portions in, senders out. Made by Ragel from senders.rl; used
 * by senders.c alone.
 */
#ifndef PL_IO_SENDERS_SCAN_H
#define PL_IO_SENDERS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "io/senders.h"

enum { PL_SENDERS_KEY_TEXT = 44, PL_SENDERS_LINE_MAX = 4096 };

/* The part of a line that the next byte belongs to. */
enum pl_senders_part {
    PL_SENDERS_START,
    PL_SENDERS_NAME,
    PL_SENDERS_GAP,
    PL_SENDERS_KEY,
    PL_SENDERS_AFTER,
    PL_SENDERS_COMMENT,
    PL_SENDERS_RETURN /* after a carriage return */
};

struct pl_senders_scan {
    int state; /* Ragel's */
    enum pl_senders_part part;
    uint64_t line;     /* from 1 */
    size_t line_bytes; /* of it so far */
    size_t name_bytes, key_bytes;
    uint8_t name[PL_SENDERS_NAME_MAX];
    uint8_t key[PL_SENDERS_KEY_TEXT];
    const char *reason; /* of the error, a constant */
    /* Takes the sender that name and key hold; anything but PL_OK ends the scan. */
    enum pl_error (*take)(struct pl_senders_scan *scan);
};

/* Sets up for the first byte; take is kept. */
void pl_senders_scan_init(struct pl_senders_scan *scan);

/*
 * Scans the next n bytes; last: the file ends after them. PL_OK; PL_E_USAGE, PL_E_NAME, PL_E_KEY with
 * scan->reason and scan->line; or what take returned, with reason NULL. Not to be called again after an
 * error.
 */
enum pl_error pl_senders_scan_bytes(struct pl_senders_scan *scan, const uint8_t *bytes, size_t n, bool last);

#endif
