/*
 * keys.h: the keys of a key log (io/keylog.h), to be found by what a packet's header says.
 *
 * All of a log is in memory, some 100 B a key; lines that say the same count once.
 */
#ifndef PL_CAPTURE_KEYS_H
#define PL_CAPTURE_KEYS_H

#include <stdbool.h>
#include <stdio.h>

#include "crypto/aead.h"
#include "io/text.h"
#include "link/link_frames.h"

enum { PL_CAPTURE_KEYS_MAX = 1 << 22 };

struct pl_capture_key {
    uint32_t key_id;
    uint8_t epochs;
    bool from_node;
    uint64_t run;
    struct pl_key key;
};

/* Zero-initialise. */
struct pl_capture_keys {
    struct pl_capture_key *items; /* in order once read */
    size_t n, room;
    uint64_t skipped; /* lines that are none of a key log */
    uint64_t skipped_line;
    const char *skipped_why; /* of the first of them */
};

/*
 * Reads a log to its end; `name` is for reasons. Lines it does not understand are skipped and counted.
 * PL_E_EMPTY: no key in it; PL_E_LIMIT: more than PL_CAPTURE_KEYS_MAX lines with one; PL_E_IO,
 * PL_E_NO_MEMORY. Call once.
 */
enum pl_error pl_capture_keys_read(struct pl_capture_keys *keys, FILE *file, const char *name,
                                   struct pl_text *why);

/* The key of a packet; NULL: none. Valid until pl_capture_keys_free. */
const struct pl_capture_key *pl_capture_keys_find(const struct pl_capture_keys *keys,
                                                  const struct pl_header *header);

/* Whether any key is of packets with this key id. */
bool pl_capture_keys_has_id(const struct pl_capture_keys *keys, uint32_t key_id);

/* Wipes and frees. */
void pl_capture_keys_free(struct pl_capture_keys *keys);

#endif
