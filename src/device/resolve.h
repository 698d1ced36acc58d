/* resolve.h: finds the addresses of "ADDRESS:PORT" or "NAME:PORT" without blocking the loop.
 *
 * A numeric address is known at once. A name is looked up on a thread of its own, which may block for as long
 * as the system's resolver likes; its result is picked up by pl_name_lookup_take after `wake` was called. At
 * most one look-up runs at a time. Closing does not wait: a look-up still running frees its own memory when
 * it ends.
 */
#ifndef PL_DEVICE_RESOLVE_H
#define PL_DEVICE_RESOLVE_H

#include "device/device.h"

struct pl_name_lookup;

/* Called on the look-up's thread when a result is there. */
typedef void pl_name_lookup_wake(void *ctx);

/* `text` is copied. PL_E_ADDRESS if it can be neither an address nor a name with a port (why tells);
 * PL_E_NO_MEMORY. */
enum pl_error pl_name_lookup_open(struct pl_name_lookup **out, const char *text, pl_device_resolve *resolve,
                                  pl_name_lookup_wake *wake, void *wake_ctx, struct pl_text *why);

/* No wake is called once it returned. NULL is allowed. */
void pl_name_lookup_close(struct pl_name_lookup *resolver);

/* Starts a look-up, unless one is running. False if no thread could be started: try again later. */
bool pl_name_lookup_start(struct pl_name_lookup *resolver);

/* The result of the last look-up started, once: PL_OK with *n >= 1 addresses, PL_E_AGAIN while it runs or
 * none was started, or the error of the look-up with why. */
enum pl_error pl_name_lookup_take(struct pl_name_lookup *resolver,
                                  struct pl_address out[PL_ADDRESS_RESOLVE_MAX], size_t *n,
                                  struct pl_text *why);

/* Whether the text is a name: whether looking it up again can give something else. */
bool pl_name_lookup_is_name(const struct pl_name_lookup *resolver);

#endif
