/*
 * wipe.h: the two things to do with secret memory that a compiler must not improve.
 */
#ifndef PL_CRYPTO_WIPE_H
#define PL_CRYPTO_WIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Overwrites `n` bytes at `p` with zeros; never optimised away. `p` may be NULL if `n` is 0. In line, so that
 * wiping the few words that a run's key passes through costs less than hashing them. The empty statement
 * tells the compiler (gcc, clang) that the memory is read afterwards.
 */
static inline void pl_wipe(void *p, size_t n)
{
    if (n > 0) {
        memset(p, 0, n);
        __asm__ volatile("" : : "r"(p) : "memory");
    }
}

/* True if the `n` bytes at `a` and `b` are equal; the time depends on `n` alone. */
bool pl_equal_ct(const void *a, const void *b, size_t n);

#endif
