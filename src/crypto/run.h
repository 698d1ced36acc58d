/*
 * run.h: a sending run, the only maker of nonces (protocol: Model, Keys).
 *
 * A run is one life of a sending key: 8 random bytes that enter the key, and a packet counter that enters the
 * nonce. They are one object, made by pl_run_begin and destroyed by pl_run_end, so that no counter can
 * outlive its key and no key can meet a counter that starts again. A run is never copied, saved or restored:
 * after fork, sweep, eviction or a possible resume of the machine a new one is begun with fresh random bytes.
 * Nothing else in purelink seals.
 *
 * A struct of zeros is a run that has ended: it seals nothing.
 */
#ifndef PL_CRYPTO_RUN_H
#define PL_CRYPTO_RUN_H

#include "crypto/aead.h"
#include "crypto/secret.h"

struct pl_run {
    uint64_t id;
    struct pl_key key;
    uint32_t next, first; /* the next packet number, and the one the run began with */
    uint32_t sealed;      /* packets sealed; numbers skipped are not in it */
    uint32_t limit;       /* numbers the run may use, skipped ones included; 0: ended */
    uint8_t epochs;       /* the header's second byte */
};

/*
 * Begins a run of static keys (epochs 0). `random_run` and `first_number` (below PL_FIRST_NUMBER_BELOW) come
 * fresh from the caller's random source; `limit` is 1 to PL_RUN_PACKETS (PL_RUN_PACKETS_LARGE where packets
 * may be large). `suite` and `direction` as in pl_secret_run_key. `*run` is overwritten: end an earlier one
 * first.
 */
void pl_run_begin(struct pl_run *run, const struct pl_secret *secret, uint8_t suite, uint8_t direction,
                  uint64_t random_run, uint32_t first_number, uint32_t limit);

/* True if no number is left: nothing can be sealed. */
bool pl_run_exhausted(const struct pl_run *run);

/* Leaves one number out (an acknowledgement of it is a lie). Nothing happens if the run is exhausted. */
void pl_run_skip(struct pl_run *run);

/*
 * Makes one packet: writes the header (PL_HEADER_SIZE bytes) to `packet`, seals the `payload_n` bytes after
 * it in place and writes the tag after them (16 B of room); *number_out is its number. False at the limit or
 * above PL_AEAD_TEXT_MAX (nothing written, no number used), or if the crypto library failed (the number is
 * used up, the packet must not be sent); *number_out is then not written.
 */
bool pl_run_seal(struct pl_run *run, struct pl_aead *aead, uint32_t key_id, uint8_t *packet, size_t payload_n,
                 uint32_t *number_out);

/* Ends a run: its key is wiped here and in `aead` (NULL: it never sealed there). Ending twice does no harm.
 */
void pl_run_end(struct pl_run *run, struct pl_aead *aead);

#endif
