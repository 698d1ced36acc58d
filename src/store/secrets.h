/* The memo of link secrets: one fixed slot for each link, beside the store.
 *
 * It spares an X25519 for each link after a restart. It is a cache: a missing, short, damaged or foreign
 * file, a torn or rotten slot is a miss, never an error. It is worth as much as the private key to
 * whoever reads it: mode 0600, out of the copy-on-write store so that a slot can be overwritten in place.
 *
 * File: a head of 96 bytes {magic "PLSECRT1" (8) | SHA-256 of the own public key (32) | zeros}, then
 * slots of 96 bytes by link number: {check (16) | midstates (64) | link (4) | state (4): 1 when in use |
 * zeros (8)}, integers little endian. check is the caller's digest over own key, peer's key and secret; a
 * slot is a hit if link, state and check agree, and only the caller can judge the check. A crash leaves a
 * slot old, new, or torn; torn is a miss by its check. Nothing is synced.
 */
#ifndef PL_STORE_SECRETS_H
#define PL_STORE_SECRETS_H

#include <stdbool.h>

#include "io/text.h"
#include "link/link_types.h"

#define PL_SECRET_SLOT 96u
#define PL_SECRET_CHECK 16u
#define PL_SECRET_STATES 64u

struct pl_secrets;

/* Opens DIR/secrets for the own key with that digest, making it, and starting it over if it belongs to
 * another key or makes no sense. slots (at least 1) are preallocated; it grows when a higher link is put.
 * PL_E_PERMISSION, PL_E_IO, PL_E_STORE_FULL, PL_E_NO_MEMORY: the caller may go on without a memo (out is
 * NULL). */
enum pl_error pl_secrets_open(const char *dir, const uint8_t own_key_digest[32], uint32_t slots,
                              struct pl_secrets **out, struct pl_text *reason);

/* NULL is allowed. */
void pl_secrets_close(struct pl_secrets *secrets);

/* Copies the slot of a link; false: nothing there. The caller must compare check with what it computes
 * from the midstates, and treat a difference as a miss. Any thread, also beside a put (a torn read fails
 * the check). */
bool pl_secrets_get(struct pl_secrets *secrets, uint32_t link, uint8_t check[PL_SECRET_CHECK],
                    uint8_t midstates[PL_SECRET_STATES]);

/* Writes a slot. One thread at a time. Errors are of no consequence but for a counter: PL_E_IO,
 * PL_E_STORE_FULL. */
enum pl_error pl_secrets_put(struct pl_secrets *secrets, uint32_t link, const uint8_t check[PL_SECRET_CHECK],
                             const uint8_t midstates[PL_SECRET_STATES]);

/* Overwrites a slot with zeros. Errors as above. */
enum pl_error pl_secrets_wipe(struct pl_secrets *secrets, uint32_t link);

#endif
