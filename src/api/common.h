/* common.h: what the files behind purelink.h share: inner errors and reasons turned into public ones. */
#ifndef PL_API_COMMON_H
#define PL_API_COMMON_H

#include "io/text.h"
#include "link/link_types.h"
#include "purelink.h"

/* The public number of an inner error. */
enum purelink_error pl_api_error(enum pl_error error);

/* The same, and the reason filled unless it was PL_OK: `why` if it says something, else what the number
 * means. Both may be NULL. */
enum purelink_error pl_api_fail(enum pl_error error, const struct pl_text *why,
                                struct purelink_reason *reason);

#endif
