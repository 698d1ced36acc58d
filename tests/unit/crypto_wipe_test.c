/* Tests of src/crypto/wipe.c. */
#include <criterion/criterion.h>

#include "crypto/wipe.h"

#include <stdint.h>
#include <string.h>

Test(crypto_wipe, wipes_what_it_is_told_and_no_more)
{
    uint8_t bytes[40], zeros[40] = {0};

    for (size_t n = 0; n < sizeof bytes; n++) {
        memset(bytes, 0x5a, sizeof bytes);
        pl_wipe(bytes, n);
        cr_assert(memcmp(bytes, zeros, n) == 0);
        cr_assert_eq(bytes[n], 0x5a);
    }
    pl_wipe(NULL, 0);
}

Test(crypto_wipe, compares_every_byte)
{
    uint8_t a[33] = {1, 2, 3}, b[33] = {1, 2, 3};

    cr_assert(pl_equal_ct(a, b, sizeof a));
    cr_assert(pl_equal_ct(NULL, NULL, 0));
    for (size_t i = 0; i < sizeof a; i++) {
        b[i] ^= 0x10;
        cr_assert_not(pl_equal_ct(a, b, sizeof a), "byte %zu", i);
        cr_assert(pl_equal_ct(a, b, i), "bytes before %zu", i);
        b[i] ^= 0x10;
    }
}
