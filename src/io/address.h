/*
 * Addresses of UDP: a fixed-size value that can be compared with memcmp, and its text.
 *
 * An IPv4 address is always kept as IPv4, also where the socket is an IPv6 one and the kernel says
 * ::ffff:1.2.3.4, so that one peer has one value. A scope id is kept for link-local addresses only: for all
 * others the kernel chooses the way.
 */
#ifndef PL_IO_ADDRESS_H
#define PL_IO_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/text.h"
#include "link/link_types.h"

enum {
    PL_ADDRESS_TEXT_SIZE = 80,  /* longest print: [v6%interface]:65535 and its zero, with room */
    PL_ADDRESS_RESOLVE_MAX = 8, /* addresses kept of one name */
};

/* Values of family; 0 is "none", what a zeroed address is. */
enum { PL_ADDRESS_NONE = 0, PL_ADDRESS_IPV4 = 4, PL_ADDRESS_IPV6 = 6 };

/* All 24 bytes are named, unused ones are 0: equal addresses are equal bytes. */
struct pl_address {
    uint16_t family;
    uint16_t port;  /* host order */
    uint32_t scope; /* interface index of a link-local address, else 0 */
    uint8_t ip[16]; /* network order; IPv4 in the first four */
};

/*
 * Where a datagram came from and the local address it came to. Answers go back along it. local.family 0: the
 * kernel chooses.
 */
struct pl_path {
    struct pl_address peer;
    struct pl_address local;
};

_Static_assert(sizeof(struct pl_address) == 24, "no padding: compared with memcmp");
_Static_assert(sizeof(struct pl_path) == 48, "no padding: compared with memcmp");

bool pl_address_equal(const struct pl_address *a, const struct pl_address *b);

/* True for 0.0.0.0 and ::, the addresses of a socket that takes from everywhere. */
bool pl_address_is_any(const struct pl_address *address);

/*
 * Reads "1.2.3.4:5", "[::1]:5" or "[fe80::1%eth0]:5" (RFC 3986 section 3.2.2, RFC 4007 section 11; the zone
 * may be a number). No names. The port is 1 to 65535.
 * PL_OK, or PL_E_ADDRESS with the reason in why (may be NULL), and *out is not touched.
 */
enum pl_error pl_address_parse(const char *text, struct pl_address *out, struct pl_text *why);

/*
 * As pl_address_parse, for a socket to listen on: also ":5" and "*:5", which are [::]:5 and meant for both
 * families, and port 0, a free one. PL_OK or PL_E_ADDRESS.
 */
enum pl_error pl_address_parse_listen(const char *text, struct pl_address *out, struct pl_text *why);

/*
 * As pl_address_parse, and "name:5" too: the name is looked up (getaddrinfo), which can BLOCK for many
 * seconds: never on a thread that carries packets. Writes the first *n of at most PL_ADDRESS_RESOLVE_MAX
 * different addresses, in the resolver's order (RFC 6724).
 * PL_OK with *n >= 1; PL_E_ADDRESS if the text is wrong; PL_E_NOT_FOUND if the name has no address;
 * PL_E_AGAIN if the resolver could not tell now.
 */
enum pl_error pl_address_resolve(const char *text, struct pl_address out[PL_ADDRESS_RESOLVE_MAX], size_t *n,
                                 struct pl_text *why);

/* The text pl_address_parse reads, zero-terminated and cut to room; "none" for family 0. Returns out. */
const char *pl_address_print(const struct pl_address *address, char *out, size_t room);

#endif
