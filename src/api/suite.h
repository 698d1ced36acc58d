/* suite.h: suites by the names people give. */
#ifndef PL_API_SUITE_H
#define PL_API_SUITE_H

#include <stdint.h>

#include "io/text.h"
#include "link/link_types.h"

/* The suite of that name, which is the registry's in small letters and with dashes: "aes-128-gcm". NULL is
 * the first one. PL_E_USAGE: there is none that is spoken here; `why` (may be NULL) names those that are. */
enum pl_error pl_api_suite(const char *name, uint8_t *suite, struct pl_text *why);

#endif
