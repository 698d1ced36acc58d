/* layers.c: link, IP and UDP headers, one after the other, each checked against what was captured. */
#include "capture/layers.h"

#include <string.h>

enum {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_RAW_BSD = 12,
    LINK_RAW_OPENBSD = 14,
    LINK_RAW = 101,
    LINK_LOOP = 108,
    LINK_SLL = 113,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_SLL2 = 276
};

enum {
    TYPE_IPV4 = 0x0800,
    TYPE_IPV6 = 0x86dd,
    TYPE_VLAN = 0x8100,
    TYPE_QINQ = 0x88a8,
    TYPE_QINQ_OLD = 0x9100
};

enum {
    IPV4_SIZE = 20,
    IPV6_SIZE = 40,
    EXTENSIONS_MAX = 16,
    NEXT_HOP_BY_HOP = 0,
    NEXT_UDP = 17,
    NEXT_ROUTING = 43,
    NEXT_FRAGMENT = 44,
    NEXT_AUTHENTICATION = 51,
    NEXT_DESTINATION = 60,
    NEXT_MOBILITY = 135
};

/* The bytes, and how far they were understood. */
struct cursor {
    struct pl_bytes b;
    size_t at;
    size_t end; /* of the IP packet, as captured */
};

static unsigned u16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static bool has(const struct cursor *c, size_t n)
{
    return n <= c->end - c->at;
}

/* Why there is too little: the capture cut it off, or it was never there. */
static enum pl_found lacking(const struct pl_layers *out)
{
    return out->ip_n < out->ip_whole_n ? PL_FOUND_CUT : PL_FOUND_OTHER;
}

/* An Ethernet type at `at`, and tags of VLANs before the one that counts. */
static enum pl_found skip_type(struct cursor *c, size_t at)
{
    for (;;) {
        if (at > c->end || c->end - at < 2)
            return PL_FOUND_CUT;
        unsigned type = u16(c->b.p + at);
        if (type != TYPE_VLAN && type != TYPE_QINQ && type != TYPE_QINQ_OLD)
            return type == TYPE_IPV4 || type == TYPE_IPV6 ? PL_FOUND_UDP : PL_FOUND_OTHER;
        at += 4;
        c->at += 4;
    }
}

/* Moves to the IP packet; PL_FOUND_UDP: there may be one. */
static enum pl_found skip_link(struct cursor *c, uint32_t link_type)
{
    switch (link_type) {
    case LINK_NULL:
    case LINK_LOOP: c->at = 4; return PL_FOUND_UDP;
    case LINK_RAW_BSD:
    case LINK_RAW_OPENBSD:
    case LINK_RAW:
    case LINK_IPV4:
    case LINK_IPV6: return PL_FOUND_UDP;
    case LINK_ETHERNET: c->at = 14; return skip_type(c, 12);
    case LINK_SLL: c->at = 16; return skip_type(c, 14);
    case LINK_SLL2: c->at = 20; return skip_type(c, 0);
    default: return PL_FOUND_LINK_TYPE;
    }
}

/* Sets where the IP packet ends: links add bytes behind short ones, captures cut long ones. A length of 0 is
 * that of a packet the card had yet to cut into segments: it goes on to the end of the frame. */
static void set_end(struct cursor *c, struct pl_layers *out, size_t whole_n)
{
    size_t there = c->end - c->at;

    out->ip_at = c->at;
    out->ip_whole_n = whole_n ? whole_n : there;
    out->ip_n = there < out->ip_whole_n ? there : out->ip_whole_n;
    c->end = c->at + out->ip_n;
}

static struct pl_address address_of(unsigned family, const uint8_t *ip)
{
    struct pl_address address = {.family = (uint16_t)family};

    memcpy(address.ip, ip, family == PL_ADDRESS_IPV4 ? 4 : 16);
    return address;
}

static enum pl_found read_udp(const struct cursor *c, struct pl_layers *out)
{
    const uint8_t *p = c->b.p + c->at;

    if (!has(c, PL_UDP_HEADER_SIZE))
        return lacking(out);
    size_t rest = out->ip_whole_n - (c->at - out->ip_at), n = u16(p + 4);
    if (n < PL_UDP_HEADER_SIZE || n > rest)
        return PL_FOUND_OTHER;
    out->from.port = (uint16_t)u16(p);
    out->to.port = (uint16_t)u16(p + 2);
    out->udp_at = c->at;
    out->payload_whole_n = n - PL_UDP_HEADER_SIZE;
    out->payload_n = c->end - c->at - PL_UDP_HEADER_SIZE;
    if (out->payload_n > out->payload_whole_n)
        out->payload_n = out->payload_whole_n;
    return PL_FOUND_UDP;
}

/* The ports are in the first fragment. */
static enum pl_found read_fragment(const struct cursor *c, bool is_first, struct pl_layers *out)
{
    if (is_first && has(c, 4)) {
        out->from.port = (uint16_t)u16(c->b.p + c->at);
        out->to.port = (uint16_t)u16(c->b.p + c->at + 2);
    }
    return PL_FOUND_FRAGMENT;
}

static enum pl_found read_ipv4(struct cursor *c, struct pl_layers *out)
{
    const uint8_t *p = c->b.p + c->at;

    if (!has(c, IPV4_SIZE))
        return PL_FOUND_CUT;
    size_t header_n = (size_t)(p[0] & 0xf) * 4, whole_n = u16(p + 2);
    unsigned fragment = u16(p + 6);
    if (header_n < IPV4_SIZE || (whole_n != 0 && whole_n < header_n) || p[9] != NEXT_UDP)
        return PL_FOUND_OTHER;
    set_end(c, out, whole_n);
    out->from = address_of(PL_ADDRESS_IPV4, p + 12);
    out->to = address_of(PL_ADDRESS_IPV4, p + 16);
    if (!has(c, header_n))
        return lacking(out);
    c->at += header_n;
    if ((fragment & 0x3fff) != 0)
        return read_fragment(c, (fragment & 0x1fff) == 0, out);
    return read_udp(c, out);
}

/* One extension header; *next is the type of what follows. PL_FOUND_UDP: go on. */
static enum pl_found skip_extension(struct cursor *c, unsigned *next, struct pl_layers *out)
{
    const uint8_t *p = c->b.p + c->at;

    if (!has(c, 8))
        return lacking(out);
    size_t n = *next == NEXT_FRAGMENT ? 8 : *next == NEXT_AUTHENTICATION ? (p[1] + 2U) * 4 : (p[1] + 1U) * 8;
    unsigned fragment = *next == NEXT_FRAGMENT ? u16(p + 2) : 0;
    *next = p[0];
    if (!has(c, n))
        return lacking(out);
    c->at += n;
    /* What lies behind other headers in later fragments is not known: taken for UDP if the header says so. */
    if ((fragment & 0xfff9) != 0)
        return *next == NEXT_UDP ? read_fragment(c, (fragment & 0xfff8) == 0, out) : PL_FOUND_OTHER;
    return PL_FOUND_UDP;
}

static bool is_extension(unsigned next)
{
    return next == NEXT_HOP_BY_HOP || next == NEXT_ROUTING || next == NEXT_FRAGMENT ||
           next == NEXT_AUTHENTICATION || next == NEXT_DESTINATION || next == NEXT_MOBILITY;
}

static enum pl_found read_ipv6(struct cursor *c, struct pl_layers *out)
{
    const uint8_t *p = c->b.p + c->at;

    if (!has(c, IPV6_SIZE))
        return PL_FOUND_CUT;
    unsigned next = p[6];
    size_t payload_n = u16(p + 4);
    set_end(c, out, payload_n ? IPV6_SIZE + payload_n : 0);
    out->from = address_of(PL_ADDRESS_IPV6, p + 8);
    out->to = address_of(PL_ADDRESS_IPV6, p + 24);
    c->at += IPV6_SIZE;
    for (int i = 0; i < EXTENSIONS_MAX && is_extension(next); i++) {
        enum pl_found found = skip_extension(c, &next, out);
        if (found != PL_FOUND_UDP)
            return found;
    }
    return next == NEXT_UDP ? read_udp(c, out) : PL_FOUND_OTHER;
}

enum pl_found pl_layers_find(uint32_t link_type, struct pl_bytes frame, struct pl_layers *out)
{
    struct cursor c = {.b = frame, .end = frame.n};

    memset(out, 0, sizeof *out);
    enum pl_found found = skip_link(&c, link_type);
    if (found != PL_FOUND_UDP)
        return found;
    if (c.at >= c.end)
        return PL_FOUND_CUT;
    switch (frame.p[c.at] >> 4) {
    case 4: return read_ipv4(&c, out);
    case 6: return read_ipv6(&c, out);
    default: return PL_FOUND_OTHER;
    }
}
