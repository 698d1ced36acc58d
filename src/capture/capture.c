/* capture.c: bytes of a capture file, and pcap; pcapng is in blocks.c. */
#include "capture/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/reader.h"
#include "io/file.h"

enum { FILE_HEADER_SIZE = 24, FRAME_HEADER_SIZE = 16, VERSION_MAJOR = 2, BILLION = 1000000000 };

static const uint32_t magic_micro = 0xa1b2c3d4, magic_nano = 0xa1b23c4d, magic_blocks = 0x0a0d0d0a;

enum pl_error pl_capture_wrong(const struct pl_capture *c, enum pl_error error, const char *what,
                               struct pl_text *why)
{
    pl_text_set(why, "%s: at offset %llu: %s", c->name, (unsigned long long)c->began_at, what);
    return error;
}

enum pl_error pl_capture_read(struct pl_capture *c, void *out, size_t n, bool may_end, struct pl_text *why)
{
    errno = 0;
    size_t got = fread(out, 1, n, c->file);
    c->at += got;
    if (got == n)
        return PL_OK;
    if (ferror(c->file))
        return pl_file_error(c->name, errno ? errno : EIO, why);
    if (got == 0 && may_end)
        return PL_E_CLOSED;
    return pl_capture_wrong(c, PL_E_TRUNCATED, "the file ends within what begins here", why);
}

enum pl_error pl_capture_skip(struct pl_capture *c, uint64_t n, struct pl_text *why)
{
    uint8_t bytes[4096];
    enum pl_error e = PL_OK;

    while (n > 0 && e == PL_OK) {
        size_t part = n < sizeof bytes ? (size_t)n : sizeof bytes;
        e = pl_capture_read(c, bytes, part, false, why);
        n -= part;
    }
    return e;
}

static uint32_t read_u32(const uint8_t *p, bool big_endian)
{
    if (big_endian)
        return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

uint32_t pl_capture_u32(const struct pl_capture *c, const uint8_t *p)
{
    return read_u32(p, c->big_endian);
}

uint16_t pl_capture_u16(const struct pl_capture *c, const uint8_t *p)
{
    return (uint16_t)(c->big_endian ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

static enum pl_error read_file_header(struct pl_capture *c, const uint8_t magic[4], struct pl_text *why)
{
    uint8_t head[FILE_HEADER_SIZE];

    for (int big = 0; big < 2; big++) {
        uint32_t value = read_u32(magic, big);
        if (value != magic_micro && value != magic_nano)
            continue;
        c->big_endian = big;
        c->nanoseconds = value == magic_nano;
        enum pl_error e = pl_capture_read(c, head + 4, sizeof head - 4, false, why);
        if (e != PL_OK)
            return e;
        if (pl_capture_u16(c, head + 4) != VERSION_MAJOR)
            return pl_capture_wrong(c, PL_E_VERSION, "pcap of another version than 2", why);
        c->link_type = pl_capture_u32(c, head + 20) & 0xffff; /* above are flags about checksums of frames */
        return PL_OK;
    }
    pl_text_set(why, "%s: not a pcap or pcapng file", c->name);
    return PL_E_UNKNOWN_TYPE;
}

static enum pl_error begin(struct pl_capture *c, struct pl_text *why)
{
    uint8_t magic[4];
    enum pl_error e = pl_capture_read(c, magic, sizeof magic, true, why);

    if (e == PL_E_CLOSED) {
        pl_text_set(why, "%s: empty: no capture in it", c->name);
        return PL_E_UNKNOWN_TYPE;
    }
    if (e != PL_OK)
        return e;
    c->is_blocks = read_u32(magic, true) == magic_blocks;
    return c->is_blocks ? pl_blocks_open(c, why) : read_file_header(c, magic, why);
}

enum pl_error pl_capture_open(struct pl_capture **out, FILE *file, const char *name, struct pl_text *why)
{
    struct pl_capture *c = calloc(1, sizeof *c);

    *out = NULL;
    if (c)
        c->name = strdup(name);
    if (!c || !c->name) {
        pl_capture_close(c);
        return pl_file_error(name, ENOMEM, why);
    }
    c->file = file;
    enum pl_error e = begin(c, why);
    if (e == PL_OK)
        *out = c;
    else
        pl_capture_close(c);
    return e;
}

void pl_capture_close(struct pl_capture *capture)
{
    if (capture)
        free(capture->name);
    free(capture);
}

static enum pl_error next_frame(struct pl_capture *c, struct pl_captured *out, struct pl_text *why)
{
    uint8_t head[FRAME_HEADER_SIZE];
    enum pl_error e = pl_capture_read(c, head, sizeof head, true, why);

    if (e != PL_OK)
        return e;
    uint64_t fraction_ns = pl_capture_u32(c, head + 4) * (c->nanoseconds ? UINT64_C(1) : UINT64_C(1000));
    size_t n = pl_capture_u32(c, head + 8);
    if (n > PL_CAPTURE_FRAME_MAX)
        return pl_capture_wrong(c, PL_E_RANGE, "a frame of more than 262144 bytes: the file is damaged", why);
    *out = (struct pl_captured){
        .has_time = true,
        .seconds = pl_capture_u32(c, head) + fraction_ns / BILLION,
        .nanoseconds = (uint32_t)(fraction_ns % BILLION),
        .link_type = c->link_type,
        .bytes = {c->frame, n},
        .whole_n = pl_capture_u32(c, head + 12),
    };
    return pl_capture_read(c, c->frame, n, false, why);
}

enum pl_error pl_capture_next(struct pl_capture *capture, struct pl_captured *out, struct pl_text *why)
{
    capture->began_at = capture->at;
    return capture->is_blocks ? pl_blocks_next(capture, out, why) : next_frame(capture, out, why);
}
