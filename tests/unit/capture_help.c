/* Images of capture files in memory, and sealed packets: see capture_help.h. */
#include "unit/capture_help.h"

#include <criterion/criterion.h>
#include <string.h>

#include "link/link_limits.h"

void image_bytes(struct image *image, const void *bytes, size_t n)
{
    cr_assert(n <= sizeof image->bytes - image->n);
    if (n > 0)
        memcpy(image->bytes + image->n, bytes, n);
    image->n += n;
}

static void number(struct image *image, uint64_t value, size_t size)
{
    uint8_t bytes[8];

    for (size_t i = 0; i < size; i++)
        bytes[image->big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
    image_bytes(image, bytes, size);
}

void image_u16(struct image *image, unsigned value)
{
    number(image, value, 2);
}

void image_u32(struct image *image, uint32_t value)
{
    number(image, value, 4);
}

void image_pcap(struct image *image, bool big_endian, uint32_t magic, uint32_t link_type)
{
    image->n = 0;
    image->big_endian = big_endian;
    image_u32(image, magic);
    image_u16(image, 2);
    image_u16(image, 4);
    for (int i = 0; i < 3; i++)
        image_u32(image, 0);
    image_u32(image, link_type);
}

void image_frame(struct image *image, uint32_t seconds, uint32_t fraction, struct pl_bytes frame,
                 size_t whole_n)
{
    image_u32(image, seconds);
    image_u32(image, fraction);
    image_u32(image, (uint32_t)frame.n);
    image_u32(image, (uint32_t)whole_n);
    image_bytes(image, frame.p, frame.n);
}

void image_block(struct image *image, uint32_t type, const struct image *body)
{
    size_t padded = (body->n + 3) / 4 * 4;

    image_u32(image, type);
    image_u32(image, (uint32_t)(12 + padded));
    image_bytes(image, body->bytes, body->n);
    image_bytes(image, "\0\0\0", padded - body->n);
    image_u32(image, (uint32_t)(12 + padded));
}

static struct image body;

static struct image *fresh_body(const struct image *image)
{
    body.n = 0;
    body.big_endian = image->big_endian;
    return &body;
}

void image_section(struct image *image)
{
    struct image *b = fresh_body(image);

    image_u32(b, 0x1a2b3c4d);
    image_u16(b, 1);
    image_u16(b, 0);
    number(b, UINT64_MAX, 8);
    image_block(image, 0x0a0d0d0a, b);
}

void image_interface(struct image *image, unsigned link_type, uint32_t snap_n, const void *options, size_t n)
{
    struct image *b = fresh_body(image);

    image_u16(b, link_type);
    image_u16(b, 0);
    image_u32(b, snap_n);
    image_bytes(b, options, n);
    image_block(image, 1, b);
}

void image_packet(struct image *image, uint32_t interface, uint64_t ticks, struct pl_bytes frame,
                  size_t whole_n)
{
    struct image *b = fresh_body(image);

    image_u32(b, interface);
    image_u32(b, (uint32_t)(ticks >> 32));
    image_u32(b, (uint32_t)ticks);
    image_u32(b, (uint32_t)frame.n);
    image_u32(b, (uint32_t)whole_n);
    image_bytes(b, frame.p, frame.n);
    image_block(image, 6, b);
}

struct pl_capture *image_open(struct image *image, FILE **file, enum pl_error *error, struct pl_text *why)
{
    struct pl_capture *capture = NULL;

    /* An empty file cannot be made of memory. */
    *file = image->n > 0 ? fmemopen(image->bytes, image->n, "rb") : fopen("/dev/null", "rb");
    cr_assert_not_null(*file);
    *error = pl_capture_open(&capture, *file, "some", why);
    cr_assert_eq(capture != NULL, *error == PL_OK);
    return capture;
}

void image_close(struct pl_capture *capture, FILE *file)
{
    pl_capture_close(capture);
    fclose(file);
}

void sealer_open(struct sealer *sealer, uint8_t suite)
{
    *sealer = (struct sealer){.logged = {.key_id = 0xa1b2c3d4, .run = 0x0102030405060708}, .number = 7};
    sealer->logged.key = (struct pl_key){.serial = 99, .suite = suite, .key = {1, 2, 3}, .iv = {4, 5, 6}};
    cr_assert_eq(pl_aead_new(&sealer->aead, &pl_aead_openssl), PL_OK);
}

void sealer_close(struct sealer *sealer)
{
    pl_aead_free(sealer->aead);
}

size_t sealer_seal(struct sealer *sealer, const void *payload, size_t n, uint8_t *packet)
{
    struct pl_header header = {.version = PL_VERSION,
                               .suite = sealer->logged.key.suite,
                               .own_epoch = sealer->logged.epochs >> 4,
                               .peer_epoch = sealer->logged.epochs & 0xf,
                               .key_id = sealer->logged.key_id,
                               .run = sealer->logged.run,
                               .packet_number = sealer->number};
    size_t head_n = pl_header_encode(packet, PL_HEADER_SIZE, &header);

    cr_assert_eq(head_n, (size_t)PL_HEADER_SIZE);
    memcpy(packet + head_n, payload, n);
    cr_assert(pl_aead_seal(sealer->aead, &sealer->logged.key, sealer->number++,
                           (struct pl_bytes){packet, head_n}, packet + head_n, n));
    return n + PL_PACKET_OVERHEAD;
}

static size_t put_udp(uint8_t *out, struct pl_bytes payload)
{
    size_t n = 8 + payload.n;
    const uint8_t head[8] = {0, 9, 4500 >> 8, 4500 & 0xff, (uint8_t)(n >> 8), (uint8_t)n, 0, 0};

    memcpy(out, head, sizeof head);
    if (payload.n > 0)
        memcpy(out + 8, payload.p, payload.n);
    return n;
}

size_t ipv4_udp(uint8_t *out, struct pl_bytes payload)
{
    size_t n = 20 + put_udp(out + 20, payload);
    const uint8_t head[20] = {
        0x45, 0, (uint8_t)(n >> 8), (uint8_t)n, 0, 1, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 198, 51, 100, 7};

    memcpy(out, head, sizeof head);
    return n;
}

size_t ipv6_udp(uint8_t *out, struct pl_bytes payload)
{
    size_t n = put_udp(out + 40, payload);
    const uint8_t head[40] = {0x60, 0,   0,    0,        (uint8_t)(n >> 8), (uint8_t)n, 17,  64,   0x20,
                              1,    0xd, 0xb8, [23] = 1, [24] = 0x20,       1,          0xd, 0xb8, [39] = 2};

    memcpy(out, head, sizeof head);
    return 40 + n;
}
