/*
 * print.h: captured packets as lines, one for each frame, in a form that stays.
 *
 *     TIME FROM > TO SIDE>SIDE key_id=0x.. run=0x.. packet_number=0x.. FRAME field=value...
 *
 * Time is RFC 3339 in UTC with nanoseconds, or "-" where the capture has none. SIDE>SIDE is device>node or
 * node>device, or "-" without a key that tells. A frame is what the generated printer says. Where nothing can
 * be said of frames, one line tells why in their place: "not opened: REASON", "malformed: ERROR at OFFSET"
 * (in the frames; those before it were printed), "not a packet: ERROR at OFFSET", "fragment, not
 * reassembled".
 */
#ifndef PL_CAPTURE_PRINT_H
#define PL_CAPTURE_PRINT_H

#include <stdio.h>

#include "capture/capture.h"
#include "capture/layers.h"
#include "capture/unseal.h"

/* Lines of a packet. Returns false if it was opened and its frames are malformed. Errors of `to` are for the
 * caller to see with ferror. */
bool pl_print_packet(FILE *to, const struct pl_captured *frame, const struct pl_layers *layers,
                     const struct pl_unsealed_packet *packet);

/* The line of a fragment. */
void pl_print_fragment(FILE *to, const struct pl_captured *frame, const struct pl_layers *layers);

#endif
