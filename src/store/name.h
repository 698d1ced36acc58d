/* Names of peers and streams: what may be one. */
#ifndef PL_STORE_NAME_H
#define PL_STORE_NAME_H

#include <stdbool.h>

#include "link/link_types.h"

/* True for 1..PL_NAME_MAX bytes of well-formed UTF-8 (RFC 3629: no surrogates, shortest form, up to
 * U+10FFFF) without control characters (U+0000..U+001F, U+007F..U+009F). */
bool pl_name_valid(struct pl_bytes name);

#endif
