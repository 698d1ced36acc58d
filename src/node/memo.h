/*
 * Link secrets, from the memo beside the store or made anew.
 *
 * A secret costs an X25519 once and a look in the memo ever after. The memo is a cache that may be missing,
 * torn or foreign: each slot carries a digest over both public keys and the secret, and a slot whose digest
 * is wrong is a miss. Used by all resolver threads at once.
 */
#ifndef PL_NODE_MEMO_H
#define PL_NODE_MEMO_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "crypto/secret.h"
#include "io/text.h"
#include "store/secrets.h"

struct pl_memo {
    uint8_t own_private[32], own_public[32];
    struct pl_secrets *secrets; /* NULL: no memo, every secret is made anew */
    pthread_mutex_t lock;       /* of puts */
};

/*
 * Opens the memo in the store's folder `dir` for the own key, with room for `links` secrets at first. PL_OK
 * also when there is no memo to be had (`why` then says so, else it is empty). PL_E_KEY: the library made no
 * public key.
 */
enum pl_error pl_memo_open(struct pl_memo *memo, const char *dir, const uint8_t own_private[32],
                           uint32_t links, struct pl_text *why);

/* Wipes keys. No thread uses it any more. A zeroed memo is allowed. */
void pl_memo_close(struct pl_memo *memo);

/* True, and `out` set, if the memo holds the secret of that link and key. Wipe `out` after use. */
bool pl_memo_get(struct pl_memo *memo, uint32_t link, const uint8_t peer_public[32], struct pl_secret *out);

/* Makes the secret and keeps it in the memo. PL_E_KEY as pl_secret_derive. About 45 us. Wipe `out` after use.
 */
enum pl_error pl_memo_make(struct pl_memo *memo, uint32_t link, const uint8_t peer_public[32],
                           struct pl_secret *out);

#endif
