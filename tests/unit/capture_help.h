/* What the tests of src/capture share: captures written into memory, and packets sealed for them. */
#ifndef TESTS_UNIT_CAPTURE_HELP_H
#define TESTS_UNIT_CAPTURE_HELP_H

#include <stdio.h>

#include "capture/capture.h"
#include "capture/keys.h"

/* Bytes of a file being written; numbers go in the order chosen. */
struct image {
    bool big_endian;
    size_t n;
    uint8_t bytes[65536];
};

void image_bytes(struct image *image, const void *bytes, size_t n);
void image_u16(struct image *image, unsigned value);
void image_u32(struct image *image, uint32_t value);

/* Begins a pcap file. */
void image_pcap(struct image *image, bool big_endian, uint32_t magic, uint32_t link_type);

/* Adds a frame to it. */
void image_frame(struct image *image, uint32_t seconds, uint32_t fraction, struct pl_bytes frame,
                 size_t whole_n);

/* Adds a block of pcapng; the body is filled up to 4. */
void image_block(struct image *image, uint32_t type, const struct image *body);

/* Begins a pcapng file or a section of one, in image->big_endian. */
void image_section(struct image *image);
void image_interface(struct image *image, unsigned link_type, uint32_t snap_n, const void *options, size_t n);
void image_packet(struct image *image, uint32_t interface, uint64_t ticks, struct pl_bytes frame,
                  size_t whole_n);

/* Opens what the image holds; close both with image_close. */
struct pl_capture *image_open(struct image *image, FILE **file, enum pl_error *error, struct pl_text *why);
void image_close(struct pl_capture *capture, FILE *file);

/* Packets of one run, and the key of it. */
struct sealer {
    struct pl_capture_key logged;
    struct pl_aead *aead;
    uint32_t number;
};

void sealer_open(struct sealer *sealer, uint8_t suite);
void sealer_close(struct sealer *sealer);

/* Seals a payload; returns the packet's size. `packet` has room for 34 B more than n. */
size_t sealer_seal(struct sealer *sealer, const void *payload, size_t n, uint8_t *packet);

/* IPv4 and UDP around a payload, from 192.0.2.1:9 to 198.51.100.7:4500; returns the size. */
size_t ipv4_udp(uint8_t *out, struct pl_bytes payload);

/* The same over IPv6. */
size_t ipv6_udp(uint8_t *out, struct pl_bytes payload);

#endif
