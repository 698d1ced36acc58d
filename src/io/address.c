/* Addresses of UDP as text: parsing with reasons, looking names up, printing. */
#include "io/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/sockaddr.h"

enum { HOST_MAX = 255 /* RFC 1035 section 2.3.4 */ };

/* "host:port" taken apart. */
struct parts {
    char host[HOST_MAX + 1];
    bool bracketed;
    uint16_t port;
};

static enum pl_error refuse(struct pl_text *why, const char *text, const char *reason)
{
    pl_text_set(why, "address \"%.120s\": %s", text, reason);
    return PL_E_ADDRESS;
}

bool pl_address_equal(const struct pl_address *a, const struct pl_address *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool pl_address_is_any(const struct pl_address *address)
{
    static const uint8_t zero[sizeof address->ip];
    return address->family != PL_ADDRESS_NONE && memcmp(address->ip, zero, sizeof zero) == 0;
}

/* Decimal digits only, no sign, at most limit. */
static bool read_number(const char *s, uint32_t limit, uint32_t *out)
{
    uint64_t value = 0;
    if (!*s)
        return false;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return false;
        value = value * 10 + (uint64_t)(*s - '0');
        if (value > limit)
            return false;
    }
    *out = (uint32_t)value;
    return true;
}

/* Finds the colon before the port, or says what is wrong with the form. */
static const char *find_port(const char *text, struct parts *parts, const char **reason)
{
    const char *colon;
    parts->bracketed = text[0] == '[';
    if (parts->bracketed) {
        const char *end = strchr(text, ']');
        *reason = end ? "no :PORT after the bracket" : "no closing bracket";
        return end && end[1] == ':' ? end + 1 : NULL;
    }
    colon = strchr(text, ':');
    if (!colon)
        *reason = "no :PORT at the end";
    else if (strchr(colon + 1, ':')) {
        *reason = "write an IPv6 address in brackets: [::1]:PORT";
        return NULL;
    }
    return colon;
}

static enum pl_error split(const char *text, bool port_zero, struct parts *parts, struct pl_text *why)
{
    const char *reason = NULL;
    uint32_t port;
    const char *colon = find_port(text, parts, &reason);
    if (!colon)
        return refuse(why, text, reason);
    const char *host = parts->bracketed ? text + 1 : text;
    size_t n = (size_t)(colon - host) - parts->bracketed;
    if (n > HOST_MAX)
        return refuse(why, text, "the host is longer than 255 characters");
    memcpy(parts->host, host, n);
    parts->host[n] = 0;
    if (!read_number(colon + 1, UINT16_MAX, &port) || (port == 0 && !port_zero))
        return refuse(why, text, "the port is not a number from 1 to 65535");
    parts->port = (uint16_t)port;
    return PL_OK;
}

/* Cuts "%zone" off host. */
static enum pl_error read_zone(const char *text, char *host, uint32_t *scope, struct pl_text *why)
{
    char *zone = strchr(host, '%');
    *scope = 0;
    if (!zone)
        return PL_OK;
    *zone++ = 0;
    *scope = if_nametoindex(zone);
    if (*scope == 0 && (!read_number(zone, INT32_MAX, scope) || *scope == 0))
        return refuse(why, text, "this machine has no interface of that name");
    return PL_OK;
}

static enum pl_error read_v6(const char *text, struct parts *parts, struct pl_address *out,
                             struct pl_text *why)
{
    struct in6_addr ip;
    uint32_t scope;
    enum pl_error error = read_zone(text, parts->host, &scope, why);
    if (error)
        return error;
    if (inet_pton(AF_INET6, parts->host, &ip) != 1)
        return refuse(why, text, "what is in the brackets is not an IPv6 address");
    if (scope && !IN6_IS_ADDR_LINKLOCAL(&ip))
        return refuse(why, text, "only a link-local address takes an interface");
    if (!scope && IN6_IS_ADDR_LINKLOCAL(&ip))
        return refuse(why, text, "a link-local address needs its interface: [fe80::1%eth0]:PORT");
    *out = pl_address_from_v6(&ip, parts->port, scope);
    return PL_OK;
}

static bool read_v4(const struct parts *parts, struct pl_address *out)
{
    struct in_addr ip;
    if (inet_pton(AF_INET, parts->host, &ip) != 1)
        return false;
    *out = pl_address_from_v4(ip, parts->port);
    return true;
}

enum pl_error pl_address_parse(const char *text, struct pl_address *out, struct pl_text *why)
{
    struct parts parts;
    enum pl_error error = split(text, false, &parts, why);
    if (error)
        return error;
    if (parts.bracketed)
        return read_v6(text, &parts, out, why);
    return read_v4(&parts, out) ? PL_OK : refuse(why, text, "not an IPv4 address");
}

enum pl_error pl_address_parse_listen(const char *text, struct pl_address *out, struct pl_text *why)
{
    struct parts parts;
    enum pl_error error = split(text, true, &parts, why);
    if (error)
        return error;
    if (parts.bracketed)
        return read_v6(text, &parts, out, why);
    if (strcmp(parts.host, "") == 0 || strcmp(parts.host, "*") == 0) {
        *out = pl_address_from_v6(&in6addr_any, parts.port, 0);
        return PL_OK;
    }
    return read_v4(&parts, out) ? PL_OK : refuse(why, text, "not an IPv4 address (no names here)");
}

static size_t keep_addresses(const struct addrinfo *list, uint16_t port, struct pl_address *out)
{
    size_t n = 0;
    for (; list && n < PL_ADDRESS_RESOLVE_MAX; list = list->ai_next) {
        union pl_sockaddr from;
        if (list->ai_addrlen > sizeof from)
            continue;
        memset(&from, 0, sizeof from);
        memcpy(&from, list->ai_addr, list->ai_addrlen);
        struct pl_address one = pl_sockaddr_to_address(&from);
        one.port = port;
        size_t same = 0;
        while (same < n && !pl_address_equal(&out[same], &one))
            same++;
        if (one.family != PL_ADDRESS_NONE && same == n)
            out[n++] = one;
    }
    return n;
}

static enum pl_error resolver_error(int code, int saved_errno, const char *host, struct pl_text *why)
{
    const char *reason = code == EAI_SYSTEM ? strerror(saved_errno) : gai_strerror(code);
    pl_text_set(why, "name \"%.120s\": %s", host, reason);
    switch (code) {
    case EAI_NONAME:
    case EAI_NODATA:
    case EAI_ADDRFAMILY: return PL_E_NOT_FOUND;
    case EAI_MEMORY: return PL_E_NO_MEMORY;
    default: return PL_E_AGAIN;
    }
}

static enum pl_error look_up(const struct parts *parts, struct pl_address *out, size_t *n,
                             struct pl_text *why)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *list = NULL;
    int code = getaddrinfo(parts->host, NULL, &hints, &list);
    if (code != 0)
        return resolver_error(code, errno, parts->host, why);
    *n = keep_addresses(list, parts->port, out);
    freeaddrinfo(list);
    if (*n > 0)
        return PL_OK;
    pl_text_set(why, "name \"%.120s\": has no IPv4 or IPv6 address", parts->host);
    return PL_E_NOT_FOUND;
}

enum pl_error pl_address_resolve(const char *text, struct pl_address out[PL_ADDRESS_RESOLVE_MAX], size_t *n,
                                 struct pl_text *why)
{
    struct parts parts;
    enum pl_error error = split(text, false, &parts, why);
    if (error)
        return error;
    *n = 1;
    if (parts.bracketed)
        return read_v6(text, &parts, out, why);
    if (read_v4(&parts, out))
        return PL_OK;
    if (!parts.host[0])
        return refuse(why, text, "the host is missing");
    /* The resolver would take 127.1 and 0177.0.0.1 for addresses: nobody means them. */
    if (parts.host[strspn(parts.host, "0123456789.")] == 0)
        return refuse(why, text, "not an IPv4 address");
    return look_up(&parts, out, n, why);
}

static void print_zone(uint32_t scope, char *out, size_t room)
{
    char name[IF_NAMESIZE];
    if (scope == 0)
        out[0] = 0;
    else if (if_indextoname(scope, name))
        snprintf(out, room, "%%%s", name);
    else
        snprintf(out, room, "%%%u", scope);
}

const char *pl_address_print(const struct pl_address *address, char *out, size_t room)
{
    char ip[INET6_ADDRSTRLEN];
    char zone[IF_NAMESIZE + 1];
    if (address->family == PL_ADDRESS_IPV4) {
        inet_ntop(AF_INET, address->ip, ip, sizeof ip);
        snprintf(out, room, "%s:%u", ip, address->port);
    } else if (address->family == PL_ADDRESS_IPV6) {
        inet_ntop(AF_INET6, address->ip, ip, sizeof ip);
        print_zone(address->scope, zone, sizeof zone);
        snprintf(out, room, "[%s%s]:%u", ip, zone, address->port);
    } else {
        snprintf(out, room, "none");
    }
    return out;
}
