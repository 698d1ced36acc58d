/* Socket addresses there and back, with IPv4 on IPv6 sockets. */
#include "io/sockaddr.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <string.h>

Test(io_sockaddr, goes_there_and_back)
{
    static const char *const texts[] = {"1.2.3.4:5", "[2001:db8::7]:65535", "[fe80::1%1]:9", "0.0.0.0:1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct pl_address address, back;
        union pl_sockaddr name;
        cr_assert_eq(pl_address_parse(texts[i], &address, NULL), PL_OK);
        cr_assert_eq(pl_sockaddr_from_address(&address, AF_INET6, &name), sizeof name.v6);
        back = pl_sockaddr_to_address(&name);
        cr_assert(pl_address_equal(&address, &back), "%s", texts[i]);
        bool v4 = address.family == PL_ADDRESS_IPV4;
        cr_assert_eq(pl_sockaddr_from_address(&address, AF_INET, &name), v4 ? sizeof name.v4 : 0);
        back = pl_sockaddr_to_address(&name);
        cr_assert_eq(pl_address_equal(&address, &back), v4);
    }
}

Test(io_sockaddr, undresses_mapped_and_drops_useless_scopes)
{
    union pl_sockaddr name = {.v6 = {.sin6_family = AF_INET6, .sin6_port = htons(9), .sin6_scope_id = 3}};
    cr_assert_eq(inet_pton(AF_INET6, "::ffff:9.8.7.6", &name.v6.sin6_addr), 1);
    struct pl_address address = pl_sockaddr_to_address(&name);
    cr_assert_eq(address.family, PL_ADDRESS_IPV4);
    cr_assert_eq(address.port, 9);
    cr_assert_eq(memcmp(address.ip, "\x09\x08\x07\x06\0\0\0\0\0\0\0\0\0\0\0\0", 16), 0);
    cr_assert_eq(inet_pton(AF_INET6, "2001:db8::1", &name.v6.sin6_addr), 1);
    cr_assert_eq(pl_sockaddr_to_address(&name).scope, 0);
    cr_assert_eq(inet_pton(AF_INET6, "fe80::1", &name.v6.sin6_addr), 1);
    cr_assert_eq(pl_sockaddr_to_address(&name).scope, 3);
}

Test(io_sockaddr, knows_no_other_family)
{
    union pl_sockaddr name = {.any = {.sa_family = AF_UNIX}};
    struct pl_address none = {0};
    cr_assert_eq(pl_sockaddr_to_address(&name).family, PL_ADDRESS_NONE);
    cr_assert_eq(pl_sockaddr_from_address(&none, AF_INET6, &name), 0);
}
