/* wipe.c: overwriting and comparing secrets, through library calls that compilers leave alone. */
#include "crypto/wipe.h"

#include <string.h>

#include <openssl/crypto.h>

void pl_wipe(void *p, size_t n)
{
    if (n > 0) {
        explicit_bzero(p, n);
    }
}

bool pl_equal_ct(const void *a, const void *b, size_t n)
{
    return n == 0 || CRYPTO_memcmp(a, b, n) == 0;
}
