/* The memo of link secrets with its digests: see memo.h. */
#include "node/memo.h"

#include <string.h>

#include "crypto/hash.h"
#include "crypto/wipe.h"
#include "crypto/x25519.h"

_Static_assert(sizeof(struct pl_secret) == PL_SECRET_STATES, "a slot holds both midstates and nothing else");

enum pl_error pl_memo_open(struct pl_memo *memo, const char *dir, const uint8_t own_private[32],
                           uint32_t links, struct pl_text *why)
{
    uint8_t digest[PL_SHA256_SIZE];

    memset(memo, 0, sizeof *memo);
    memcpy(memo->own_private, own_private, sizeof memo->own_private);
    if (!pl_x25519_public(memo->own_public, own_private)) {
        pl_text_set(why, "the crypto library made no public key of the private one");
        pl_wipe(memo, sizeof *memo);
        return PL_E_KEY;
    }
    pthread_mutex_init(&memo->lock, NULL);
    struct pl_bytes own = {memo->own_public, sizeof memo->own_public};
    pl_hash(&own, 1, digest);
    pl_text_set(why, "%s", "");
    if (pl_secrets_open(dir, digest, links ? links : 1, &memo->secrets, why) != PL_OK)
        memo->secrets = NULL;
    return PL_OK;
}

void pl_memo_close(struct pl_memo *memo)
{
    pl_secrets_close(memo->secrets);
    memo->secrets = NULL;
    pl_wipe(memo->own_private, sizeof memo->own_private);
}

static void digest_of(const struct pl_memo *memo, const uint8_t peer_public[32],
                      const struct pl_secret *secret, uint8_t check[PL_SECRET_CHECK])
{
    uint8_t digest[PL_SHA256_SIZE];
    struct pl_bytes parts[] = {
        {memo->own_public, sizeof memo->own_public},
        {peer_public, 32},
        {(const uint8_t *)secret, sizeof *secret},
    };

    pl_hash(parts, sizeof parts / sizeof parts[0], digest);
    memcpy(check, digest, PL_SECRET_CHECK);
}

bool pl_memo_get(struct pl_memo *memo, uint32_t link, const uint8_t peer_public[32], struct pl_secret *out)
{
    uint8_t found[PL_SECRET_CHECK], right[PL_SECRET_CHECK];

    if (!memo->secrets || !pl_secrets_get(memo->secrets, link, found, (uint8_t *)out))
        return false;
    digest_of(memo, peer_public, out, right);
    if (pl_equal_ct(found, right, sizeof right))
        return true;
    pl_wipe(out, sizeof *out);
    return false;
}

enum pl_error pl_memo_make(struct pl_memo *memo, uint32_t link, const uint8_t peer_public[32],
                           struct pl_secret *out)
{
    uint8_t check[PL_SECRET_CHECK];
    enum pl_error error = pl_secret_derive(out, memo->own_private, memo->own_public, peer_public);

    if (error != PL_OK || !memo->secrets)
        return error;
    digest_of(memo, peer_public, out, check);
    pthread_mutex_lock(&memo->lock);
    /* Not kept: it is made again next time. */
    (void)pl_secrets_put(memo->secrets, link, check, (const uint8_t *)out);
    pthread_mutex_unlock(&memo->lock);
    return PL_OK;
}
