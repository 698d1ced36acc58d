/* Down to UDP: each link type, options and extensions, fragments, and every cut of each frame. */
#include "capture/layers.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "unit/capture_help.h"

static const uint8_t payload[] = "frames of this protocol";
enum { PAYLOAD_N = sizeof payload - 1 };

static size_t link_header(uint32_t link_type, bool is_ipv6, unsigned tags, uint8_t *out)
{
    const uint8_t kind[2] = {is_ipv6 ? 0x86 : 0x08, is_ipv6 ? 0xdd : 0x00};
    size_t n = link_type == 1 ? 12 : link_type == 113 ? 14 : 0;

    memset(out, 0, 64);
    if (link_type == 0 || link_type == 108)
        return 4;
    if (link_type != 1 && link_type != 113 && link_type != 276)
        return 0;
    for (; tags > 0; tags--, n += 4)
        memcpy(out + n, tags % 2 ? "\x81\0\0\5" : "\x88\xa8\0\6", 4);
    memcpy(out + n, kind, 2);
    return n + (link_type == 276 ? 20 : 2);
}

/* Every prefix of the frame, each in memory of its own size, so that a read past it is seen. */
static void check_cuts(uint32_t link_type, const uint8_t *frame, size_t n)
{
    for (size_t cut = 0; cut < n; cut++) {
        struct pl_layers out;
        uint8_t *copy = malloc(cut ? cut : 1);
        cr_assert_not_null(copy);
        memcpy(copy, frame, cut);
        enum pl_found found = pl_layers_find(link_type, (struct pl_bytes){copy, cut}, &out);
        cr_assert_eq(found, cut < n - PAYLOAD_N ? PL_FOUND_CUT : PL_FOUND_UDP, "type %u, %zu of %zu: %d",
                     (unsigned)link_type, cut, n, found);
        if (found == PL_FOUND_UDP)
            cr_assert(out.payload_n == cut - (n - PAYLOAD_N) && out.payload_whole_n == PAYLOAD_N);
        free(copy);
    }
}

Test(capture_layers, finds_udp_behind_each_link)
{
    static const uint32_t types[] = {0, 1, 12, 14, 101, 108, 113, 228, 229, 276};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        for (unsigned variant = 0; variant < 6; variant++) {
            uint8_t frame[256];
            struct pl_layers out;
            bool is_ipv6 = variant % 2;
            size_t at =
                link_header(types[i], is_ipv6, types[i] == 1 || types[i] == 113 ? variant / 2 : 0, frame);
            struct pl_bytes body = {payload, PAYLOAD_N};
            size_t n = at + (is_ipv6 ? ipv6_udp(frame + at, body) : ipv4_udp(frame + at, body));
            memset(frame + n, 0xee, 6);
            cr_assert_eq(pl_layers_find(types[i], (struct pl_bytes){frame, n + 6}, &out), PL_FOUND_UDP);
            cr_assert(out.ip_at == at && out.ip_n == n - at && out.ip_whole_n == n - at);
            cr_assert(out.from.port == 9 && out.to.port == 4500);
            cr_assert_eq(out.to.family, is_ipv6 ? PL_ADDRESS_IPV6 : PL_ADDRESS_IPV4);
            cr_assert(out.payload_n == PAYLOAD_N && out.payload_whole_n == PAYLOAD_N);
            cr_assert_eq(memcmp(frame + out.udp_at + PL_UDP_HEADER_SIZE, payload, PAYLOAD_N), 0);
            check_cuts(types[i], frame, n);
        }
    }
}

/* Puts `n` bytes of extension headers between IPv6 and UDP; the first is of type `next`. */
static size_t extended(uint8_t *frame, const uint8_t *extensions, size_t n, uint8_t next)
{
    size_t whole_n = ipv6_udp(frame, (struct pl_bytes){payload, PAYLOAD_N});

    memmove(frame + 40 + n, frame + 40, whole_n - 40);
    memcpy(frame + 40, extensions, n);
    frame[5] = (uint8_t)(frame[5] + n);
    frame[6] = next;
    return whole_n + n;
}

Test(capture_layers, goes_through_options_and_extensions)
{
    static const uint8_t chain[] = {60, 0,         0, 0,         0, 0,         0, 0,        43,
                                    1,  [16] = 44, 0, [24] = 51, 0, [32] = 17, 1, [40] = 0, [43] = 0};
    uint8_t frame[256];
    struct pl_layers out;
    size_t n = extended(frame, chain, sizeof chain, 0);

    cr_assert_eq(sizeof chain, 44);
    frame[40 + 16] = 44;
    frame[40 + 24] = 51;
    cr_assert_eq(pl_layers_find(101, (struct pl_bytes){frame, n}, &out), PL_FOUND_UDP);
    cr_assert_eq(out.udp_at, 84);
    check_cuts(101, frame, n);
    n = ipv4_udp(frame, (struct pl_bytes){payload, PAYLOAD_N});
    memmove(frame + 24, frame + 20, n - 20);
    memset(frame + 20, 1, 4);
    frame[0] = 0x46;
    frame[3] = (uint8_t)(n + 4);
    cr_assert_eq(pl_layers_find(101, (struct pl_bytes){frame, n + 4}, &out), PL_FOUND_UDP);
    cr_assert_eq(out.udp_at, 24);
    check_cuts(101, frame, n + 4);
}

Test(capture_layers, tells_fragments)
{
    static const struct {
        uint8_t high, low;
        bool has_ports;
    } cases[] = {{0x20, 0, true}, {0, 1, false}, {0x3f, 0xff, false}};
    static const uint8_t fragments[][8] = {{17, 0, 0, 1}, {17, 0, 0, 8}, {17, 0, 0xff, 0xf8}};
    uint8_t frame[256];
    struct pl_layers out;

    for (size_t i = 0; i < 3; i++) {
        size_t n = ipv4_udp(frame, (struct pl_bytes){payload, PAYLOAD_N});
        frame[6] = cases[i].high;
        frame[7] = cases[i].low;
        cr_assert_eq(pl_layers_find(101, (struct pl_bytes){frame, n}, &out), PL_FOUND_FRAGMENT);
        cr_assert_eq(out.to.port, cases[i].has_ports ? 4500 : 0);
        n = extended(frame, fragments[i], 8, 44);
        cr_assert_eq(pl_layers_find(101, (struct pl_bytes){frame, n}, &out), PL_FOUND_FRAGMENT);
        cr_assert_eq(out.to.port, cases[i].has_ports ? 4500 : 0);
        cr_assert(out.ip_at == 0 && out.ip_n == n);
    }
    size_t n = ipv4_udp(frame, (struct pl_bytes){payload, PAYLOAD_N});
    frame[6] = 0x40;
    cr_assert_eq(pl_layers_find(101, (struct pl_bytes){frame, n}, &out), PL_FOUND_UDP,
                 "'do not fragment' alone");
}

Test(capture_layers, leaves_the_rest_alone)
{
    static const struct {
        size_t at;
        uint8_t value;
    } faults[] = {{0, 0x55}, {0, 0x44}, {9, 6}, {3, 19}, {25, 7}, {25, 255}};
    uint8_t frame[256];
    struct pl_layers out;

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        size_t n = ipv4_udp(frame, (struct pl_bytes){payload, PAYLOAD_N});
        frame[faults[i].at] = faults[i].value;
        cr_assert_eq(pl_layers_find(101, (struct pl_bytes){frame, n}, &out), PL_FOUND_OTHER, "fault %zu", i);
    }
    size_t n = ipv4_udp(frame, (struct pl_bytes){payload, PAYLOAD_N});
    cr_assert_eq(pl_layers_find(147, (struct pl_bytes){frame, n}, &out), PL_FOUND_LINK_TYPE);
    frame[3] = 24; /* ends within the UDP header, and nothing was cut off */
    cr_assert_eq(pl_layers_find(101, (struct pl_bytes){frame, n}, &out), PL_FOUND_OTHER);
    frame[2] = frame[3] = 0; /* a length the card had yet to fill in */
    cr_assert_eq(pl_layers_find(101, (struct pl_bytes){frame, n}, &out), PL_FOUND_UDP);
    cr_assert_eq(out.payload_n, PAYLOAD_N);
    memset(frame, 0, sizeof frame);
    frame[12] = 0x08, frame[13] = 0x06;
    cr_assert_eq(pl_layers_find(1, (struct pl_bytes){frame, 60}, &out), PL_FOUND_OTHER, "ARP");
}
