/*
 * plain.h: writes an unsealed capture: pcap with nanoseconds, of raw IP packets, for the dissector in
 * generated/wireshark.
 *
 * A packet that was opened keeps its size: its frames are in clear and the tag after them is zeros. What was
 * not opened goes in as it was captured. Packets of a train get a datagram each. Lengths and checksums are
 * made anew. The file is as secret as what was sent: it is made with mode 0600, and none that exists is
 * replaced.
 */
#ifndef PL_CAPTURE_PLAIN_H
#define PL_CAPTURE_PLAIN_H

#include <stdio.h>

#include "capture/capture.h"
#include "capture/layers.h"
#include "capture/unseal.h"

struct pl_plain {
    FILE *file;
    const char *path;
    uint8_t packet[PL_CAPTURE_FRAME_MAX];
};

/* `path` is borrowed until pl_plain_close. PL_E_EXISTS and others as pl_file_error. */
enum pl_error pl_plain_open(struct pl_plain *plain, const char *path, struct pl_text *why);

/* Adds a packet of the datagram that `layers` describes. Errors as pl_file_error. */
enum pl_error pl_plain_put(struct pl_plain *plain, const struct pl_captured *frame,
                           const struct pl_layers *layers, const struct pl_unsealed_packet *packet,
                           struct pl_text *why);

/* Adds the IP packet of a fragment as it is. */
enum pl_error pl_plain_put_fragment(struct pl_plain *plain, const struct pl_captured *frame,
                                    const struct pl_layers *layers, struct pl_text *why);

/* Writes what is left and closes; errors as pl_file_error. Twice does no harm. */
enum pl_error pl_plain_close(struct pl_plain *plain, struct pl_text *why);

#endif
