/* Addresses as the kernel's calls want them. */
#ifndef PL_IO_SOCKADDR_H
#define PL_IO_SOCKADDR_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "io/address.h"

/* Room for either family; begins with the family. */
union pl_sockaddr {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/*
 * Writes the address for a socket of socket_family (AF_INET or AF_INET6); IPv4 becomes ::ffff:a.b.c.d on an
 * IPv6 socket (RFC 4291 section 2.5.5.2). Returns the length, 0 if a socket of that family can not reach the
 * address.
 */
socklen_t pl_sockaddr_from_address(const struct pl_address *address, int socket_family,
                                   union pl_sockaddr *out);

/* The value of a socket address; family 0 if it is of another family. */
struct pl_address pl_sockaddr_to_address(const union pl_sockaddr *from);

/* The values of bare addresses in network order, port in host order. */
struct pl_address pl_address_from_v4(struct in_addr ip, uint16_t port);
struct pl_address pl_address_from_v6(const struct in6_addr *ip, uint16_t port, uint32_t scope);

/* The IPv4 or IPv6 bytes for the kernel; to_v6 writes the mapped form of an IPv4 address. */
struct in_addr pl_address_to_v4(const struct pl_address *address);
struct in6_addr pl_address_to_v6(const struct pl_address *address);

#endif
