/*
 * layers.h: from a captured frame down to the UDP datagram in it.
 *
 * Link types read (LINKTYPE_ values of tcpdump.org): NULL and LOOP, Ethernet with any VLAN tags, raw IP,
 * Linux cooked (SLL, SLL2). IPv4 (RFC 791) with options, IPv6 (RFC 8200) with extension headers, UDP (RFC
 * 768). Fragments are told, never put together: packets of this protocol are no longer than 1,200 B and
 * seldom fragmented. Checksums are not looked at: cards fill them in after a capture.
 */
#ifndef PL_CAPTURE_LAYERS_H
#define PL_CAPTURE_LAYERS_H

#include "io/address.h"
#include "link/link_types.h"

enum pl_found {
    PL_FOUND_UDP,      /* a datagram; its payload may have been cut by the capture */
    PL_FOUND_FRAGMENT, /* a part of a fragmented UDP datagram; ports are 0 but in the first */
    PL_FOUND_CUT,      /* cut by the capture before it is known to be UDP, or within the UDP header */
    PL_FOUND_OTHER,    /* another protocol, or headers that contradict themselves */
    PL_FOUND_LINK_TYPE /* of a link type that is not read */
};

/* Offsets are into the captured bytes. */
struct pl_layers {
    struct pl_address from, to;
    size_t ip_at, ip_n;     /* the IP packet as captured, without what a link adds at the end */
    size_t ip_whole_n;      /* as it was sent */
    size_t udp_at;          /* PL_FOUND_UDP: the UDP header */
    size_t payload_n;       /* of PL_FOUND_UDP: captured bytes behind the UDP header */
    size_t payload_whole_n; /* as the UDP header says */
};

enum { PL_UDP_HEADER_SIZE = 8 };

/* Finds what is in a frame; never reads past its bytes. *out is filled as far as the result says. */
enum pl_found pl_layers_find(uint32_t link_type, struct pl_bytes frame, struct pl_layers *out);

#endif
