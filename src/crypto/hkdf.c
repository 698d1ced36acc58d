/* hkdf.c: HKDF with SHA-256 over the HMAC of hash.c. */
#include "crypto/hkdf.h"

#include <assert.h>
#include <string.h>

#include "crypto/wipe.h"

void pl_hkdf_extract(struct pl_bytes salt, const struct pl_bytes ikm[], size_t n, uint8_t prk[PL_HMAC_SIZE])
{
    pl_hmac(salt, ikm, n, prk);
}

void pl_hkdf_expand(const uint32_t inner[PL_SHA256_WORDS], const uint32_t outer[PL_SHA256_WORDS],
                    struct pl_bytes info, uint8_t *okm, size_t okm_n)
{
    uint8_t step[PL_HMAC_SIZE], counter = 0;
    struct pl_bytes parts[] = {{step, 0}, info, {&counter, 1}};

    assert(okm_n <= PL_HKDF_OKM_MAX);
    while (okm_n > 0) {
        size_t take = okm_n < sizeof step ? okm_n : sizeof step;

        counter++;
        pl_hmac_from(inner, outer, parts, sizeof parts / sizeof parts[0], step);
        memcpy(okm, step, take);
        okm += take;
        okm_n -= take;
        parts[0].n = sizeof step; /* each step but the first begins with the one before it */
    }
    pl_wipe(step, sizeof step);
}
