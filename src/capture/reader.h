/* reader.h: what the readers of both kinds of capture share; for src/capture alone. */
#ifndef PL_CAPTURE_READER_H
#define PL_CAPTURE_READER_H

#include "capture/capture.h"

struct pl_interface {
    uint32_t link_type, snap_n; /* snap_n 0: no limit */
    uint8_t resolution;         /* 10^-n s; with the highest bit 2^-n s */
    int64_t offset_s;           /* added to each time */
};

struct pl_capture {
    FILE *file;
    char *name;
    uint64_t at, began_at; /* bytes read, and where the current frame or block began */
    bool big_endian, nanoseconds, is_blocks;
    uint32_t link_type; /* of pcap */
    size_t interfaces_n;
    struct pl_interface interfaces[PL_CAPTURE_INTERFACES_MAX];
    uint8_t frame[PL_CAPTURE_FRAME_MAX];
};

/* Reads n bytes. PL_E_CLOSED: it ended before the first and `may_end`; PL_E_TRUNCATED, PL_E_IO. */
enum pl_error pl_capture_read(struct pl_capture *c, void *out, size_t n, bool may_end, struct pl_text *why);

/* Reads n bytes and forgets them. */
enum pl_error pl_capture_skip(struct pl_capture *c, uint64_t n, struct pl_text *why);

/* Sets why to where the current frame or block began, and what is wrong with it. Returns `error`. */
enum pl_error pl_capture_wrong(const struct pl_capture *c, enum pl_error error, const char *what,
                               struct pl_text *why);

uint16_t pl_capture_u16(const struct pl_capture *c, const uint8_t *p);
uint32_t pl_capture_u32(const struct pl_capture *c, const uint8_t *p);

/* blocks.c: pcapng after the first four bytes, which said that it is. */
enum pl_error pl_blocks_open(struct pl_capture *c, struct pl_text *why);
enum pl_error pl_blocks_next(struct pl_capture *c, struct pl_captured *out, struct pl_text *why);

#endif
