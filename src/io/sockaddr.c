/* Between struct pl_address and the kernel's socket addresses; IPv4 in IPv6 clothes is undressed here. */
#include "io/sockaddr.h"

#include <arpa/inet.h>
#include <string.h>

struct pl_address pl_address_from_v4(struct in_addr ip, uint16_t port)
{
    struct pl_address address = {.family = PL_ADDRESS_IPV4, .port = port};
    memcpy(address.ip, &ip, sizeof ip);
    return address;
}

struct pl_address pl_address_from_v6(const struct in6_addr *ip, uint16_t port, uint32_t scope)
{
    if (IN6_IS_ADDR_V4MAPPED(ip)) {
        struct in_addr v4;
        memcpy(&v4, ip->s6_addr + 12, sizeof v4);
        return pl_address_from_v4(v4, port);
    }
    struct pl_address address = {.family = PL_ADDRESS_IPV6, .port = port};
    address.scope = IN6_IS_ADDR_LINKLOCAL(ip) ? scope : 0;
    memcpy(address.ip, ip, sizeof *ip);
    return address;
}

struct in_addr pl_address_to_v4(const struct pl_address *address)
{
    struct in_addr ip;
    memcpy(&ip, address->ip, sizeof ip);
    return ip;
}

struct in6_addr pl_address_to_v6(const struct pl_address *address)
{
    struct in6_addr ip = {0};
    if (address->family == PL_ADDRESS_IPV6) {
        memcpy(&ip, address->ip, sizeof ip);
    } else {
        memset(ip.s6_addr + 10, 0xff, 2);
        memcpy(ip.s6_addr + 12, address->ip, 4);
    }
    return ip;
}

socklen_t pl_sockaddr_from_address(const struct pl_address *address, int socket_family,
                                   union pl_sockaddr *out)
{
    memset(out, 0, sizeof *out);
    if (address->family == PL_ADDRESS_NONE)
        return 0;
    if (socket_family == AF_INET6) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons(address->port);
        out->v6.sin6_addr = pl_address_to_v6(address);
        out->v6.sin6_scope_id = address->scope;
        return sizeof out->v6;
    }
    if (address->family != PL_ADDRESS_IPV4)
        return 0;
    out->v4.sin_family = AF_INET;
    out->v4.sin_port = htons(address->port);
    out->v4.sin_addr = pl_address_to_v4(address);
    return sizeof out->v4;
}

struct pl_address pl_sockaddr_to_address(const union pl_sockaddr *from)
{
    if (from->any.sa_family == AF_INET)
        return pl_address_from_v4(from->v4.sin_addr, ntohs(from->v4.sin_port));
    if (from->any.sa_family == AF_INET6)
        return pl_address_from_v6(&from->v6.sin6_addr, ntohs(from->v6.sin6_port), from->v6.sin6_scope_id);
    return (struct pl_address){.family = PL_ADDRESS_NONE};
}
