/*
 * capture.h: frames of a capture file, one after another: pcap and pcapng, read from the front, never sought
 * in.
 *
 * What is read, and no more: pcap (draft-ietf-opsawg-pcap) with micro- or nanoseconds; of pcapng
 * (draft-ietf-opsawg-pcapng) the section header, interface description, enhanced and simple packet blocks,
 * the rest is skipped; both in either byte order. Memory is bounded whatever the file says: one frame, and a
 * fixed number of interfaces. A capture from memory is a FILE of fmemopen.
 *
 * A file is read to its first fault. What was given before it counts.
 */
#ifndef PL_CAPTURE_CAPTURE_H
#define PL_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "io/text.h"
#include "link/link_types.h"

enum {
    PL_CAPTURE_FRAME_MAX = 262144, /* bytes captured of a frame; more is damage: no tool captures more */
    PL_CAPTURE_INTERFACES_MAX = 1024
};

struct pl_captured {
    bool has_time;
    uint64_t seconds;      /* since 1970; whatever the file says */
    uint32_t nanoseconds;  /* below 10^9 */
    uint32_t link_type;    /* LINKTYPE_ value of the registry of tcpdump.org */
    struct pl_bytes bytes; /* what was captured; valid until the next call */
    size_t whole_n;        /* bytes on the wire; may be more than were captured */
};

struct pl_capture;

/*
 * Begins to read; `file` is borrowed until pl_capture_close, `name` is copied for reasons. PL_E_UNKNOWN_TYPE:
 * not a capture; PL_E_VERSION: of a version not read; PL_E_TRUNCATED, PL_E_IO, PL_E_NO_MEMORY.
 */
enum pl_error pl_capture_open(struct pl_capture **out, FILE *file, const char *name, struct pl_text *why);

/*
 * The next frame. PL_E_CLOSED: the file ended where a frame may end. Faults, with name and offset in *why:
 * PL_E_TRUNCATED: it ends within a frame or block; PL_E_RANGE: it says what cannot be; PL_E_LIMIT: more
 * interfaces than are read; PL_E_VERSION, PL_E_IO. After any of them do not call again.
 */
enum pl_error pl_capture_next(struct pl_capture *capture, struct pl_captured *out, struct pl_text *why);

/* NULL is allowed. */
void pl_capture_close(struct pl_capture *capture);

#endif
