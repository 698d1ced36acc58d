/*
 * unseal.h: packets of a capture opened with the keys of a key log.
 *
 * A packet is opened alone, as its receiver does: its header names key and number in full (numbers are never
 * shortened in this protocol), so order, loss and repeats in a capture do not matter.
 *
 * What was captured where it was sent, or after the receiving card, may be a train: several packets that one
 * call of the kernel sends (UDP segmentation offload) look like one datagram there. All but the last have one
 * size, and each begins with the same key id and run: that is how they are told apart again.
 */
#ifndef PL_CAPTURE_UNSEAL_H
#define PL_CAPTURE_UNSEAL_H

#include "capture/keys.h"

enum pl_unsealed {
    PL_UNSEALED_OPEN,       /* opened; the frames may still be malformed */
    PL_UNSEALED_HEADER,     /* no packet: `fault` at `fault_at` of the header */
    PL_UNSEALED_SHORT,      /* too short to hold a frame */
    PL_UNSEALED_NOT_SEALED, /* a cookie packet, or a suite that is not spoken */
    PL_UNSEALED_CUT,        /* not whole in the capture */
    PL_UNSEALED_NO_KEY,     /* no key of its run in the log */
    PL_UNSEALED_FORGED      /* the tag does not fit: forged, damaged, or the log's key is another's */
};

struct pl_unsealed_packet {
    enum pl_unsealed result;
    bool has_header; /* the next one counts */
    struct pl_header header;
    enum pl_error fault;
    size_t fault_at;
    const struct pl_capture_key *key; /* NULL: none was found */
    struct pl_bytes sealed;           /* the packet as captured */
    size_t whole_n;                   /* as sent */
    struct pl_bytes plain;            /* PL_UNSEALED_OPEN: the frames; valid until the next packet */
};

struct pl_unsealer {
    const struct pl_capture_keys *keys; /* borrowed */
    struct pl_aead *aead;
    uint8_t plain[PL_AEAD_TEXT_MAX];
};

/* PL_OK or PL_E_NO_MEMORY. `keys` outlives it. */
enum pl_error pl_unsealer_open(struct pl_unsealer *unsealer, const struct pl_capture_keys *keys);
void pl_unsealer_close(struct pl_unsealer *unsealer);

/* The size of the packets of a train, or `datagram.n` (at least 1) if it is no train. */
size_t pl_train_size(struct pl_bytes datagram);

/* Opens one packet, of which whole_n bytes were sent and packet.n captured. */
void pl_unseal(struct pl_unsealer *unsealer, struct pl_bytes packet, size_t whole_n,
               struct pl_unsealed_packet *out);

#endif
