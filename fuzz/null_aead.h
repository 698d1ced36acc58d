/* An AEAD that hides nothing, for fuzzing alone: the text stays as it is and the tag is a quick hash over
 * key, nonce, header and text. Damage is seen as by a real one; a fuzzer sees through it and can seal what it
 * wants. */
#ifndef FUZZ_NULL_AEAD_H
#define FUZZ_NULL_AEAD_H

#include "crypto/aead.h"

extern const struct pl_aead_ops fuzz_null_aead;

#endif
