/* Unsealed captures: read back, they hold the frames in clear, a tag of zeros, and headers that fit. */
#include "capture/plain.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>

#include "link/link_limits.h"
#include "unit/capture_help.h"
#include "unit/io_help.h"

TestSuite(capture_plain, .init = io_help_enter_folder, .fini = io_help_leave_folder);

static struct pl_plain plain;
static struct pl_unsealer unsealer;

/* The ones' complement sum of it all is all ones if the checksum in it fits (RFC 1071). */
static uint32_t sum_of(uint32_t sum, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum += i % 2 ? p[i] : (uint32_t)p[i] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

static void check_sums(const uint8_t *ip, size_t n)
{
    bool is_ipv4 = ip[0] >> 4 == 4;
    size_t udp_at = is_ipv4 ? 20 : 40;

    if (is_ipv4)
        cr_assert_eq(sum_of(0, ip, 20), 0xffff);
    uint32_t sum = sum_of((uint32_t)(n - udp_at) + 17, ip + (is_ipv4 ? 12 : 8), is_ipv4 ? 8 : 32);
    cr_assert_eq(sum_of(sum, ip + udp_at, n - udp_at), 0xffff);
}

/* Two packets of a train over either IP, as the command takes them apart; the second one is forged. */
static void put_two(struct sealer *sealer, bool is_ipv6)
{
    uint8_t train[128], ip[256], link[300] = {[12] = is_ipv6 ? 0x86 : 0x08, [13] = is_ipv6 ? 0xdd : 0};
    struct pl_layers layers;
    size_t size = sealer_seal(sealer, "\1\1\1", 3, train);

    sealer_seal(sealer, "\1\1\1", 3, train + size);
    train[2 * size - 1] ^= 1;
    struct pl_bytes both = {train, 2 * size};
    size_t n = is_ipv6 ? ipv6_udp(ip, both) : ipv4_udp(ip, both);
    memcpy(link + 14, ip, n);
    struct pl_captured frame = {.has_time = true, .seconds = 5, .nanoseconds = 6, .bytes = {link, n + 14}};
    cr_assert_eq(pl_layers_find(1, frame.bytes, &layers), PL_FOUND_UDP);
    for (size_t at = 0; at < 2 * size; at += size) {
        struct pl_unsealed_packet packet;
        pl_unseal(&unsealer, (struct pl_bytes){train + at, size}, size, &packet);
        cr_assert_eq(packet.result, at == 0 ? PL_UNSEALED_OPEN : PL_UNSEALED_FORGED);
        cr_assert_eq(pl_plain_put(&plain, &frame, &layers, &packet, NULL), PL_OK);
    }
    cr_assert_eq(pl_plain_put_fragment(&plain, &frame, &layers, NULL), PL_OK);
}

static void check_next(struct pl_capture *capture, bool is_open)
{
    static const uint8_t zeros[PL_TAG_SIZE];
    struct pl_captured got;
    struct pl_layers layers;
    struct pl_text why = {""};

    cr_assert_eq(pl_capture_next(capture, &got, &why), PL_OK, "%s", why.s);
    cr_assert(got.link_type == 101 && got.seconds == 5 && got.nanoseconds == 6 && got.whole_n == got.bytes.n);
    cr_assert_eq(pl_layers_find(101, got.bytes, &layers), PL_FOUND_UDP);
    cr_assert(layers.payload_n == 3 + PL_PACKET_OVERHEAD && layers.from.port == 9 && layers.to.port == 4500);
    check_sums(got.bytes.p, got.bytes.n);
    const uint8_t *frames = got.bytes.p + layers.udp_at + PL_UDP_HEADER_SIZE + PL_HEADER_SIZE;
    cr_assert_eq(memcmp(frames, "\1\1\1", 3) == 0, is_open);
    cr_assert_eq(memcmp(frames + 3, zeros, sizeof zeros) == 0, is_open);
}

Test(capture_plain, what_was_opened_is_in_clear)
{
    struct sealer sealer;
    struct stat status;
    struct pl_capture *capture;
    struct pl_captured got;
    struct pl_text why = {""};

    sealer_open(&sealer, 1);
    struct pl_capture_keys keys = {.items = &sealer.logged, .n = 1};
    cr_assert_eq(pl_unsealer_open(&unsealer, &keys), PL_OK);
    cr_assert_eq(pl_plain_open(&plain, "plain", &why), PL_OK, "%s", why.s);
    for (int i = 0; i < 2; i++)
        put_two(&sealer, i);
    cr_assert_eq(pl_plain_close(&plain, &why), PL_OK);
    cr_assert_eq(pl_plain_close(&plain, &why), PL_OK);
    cr_assert(stat("plain", &status) == 0 && (status.st_mode & 07777) == 0600);
    FILE *file = fopen("plain", "rb");
    cr_assert_eq(pl_capture_open(&capture, file, "plain", &why), PL_OK, "%s", why.s);
    for (int i = 0; i < 2; i++) {
        check_next(capture, true);
        check_next(capture, false);
        cr_assert_eq(pl_capture_next(capture, &got, &why), PL_OK);
        cr_assert_eq(got.bytes.n, (i ? 48 : 28) + 2 * (3 + PL_PACKET_OVERHEAD), "the fragment, as it was");
    }
    cr_assert_eq(pl_capture_next(capture, &got, &why), PL_E_CLOSED);
    image_close(capture, file);
    pl_unsealer_close(&unsealer);
    sealer_close(&sealer);
}

Test(capture_plain, none_is_replaced_and_failures_are_told)
{
    struct pl_text why = {""};

    IO_HELP_WRITE("there", "mine");
    cr_assert_eq(pl_plain_open(&plain, "there", &why), PL_E_EXISTS);
    cr_assert(strstr(why.s, "there"), "%s", why.s);
    cr_assert_eq(pl_plain_open(&plain, "no/plain", &why), PL_E_NOT_FOUND);
    cr_assert_null(plain.file);
    plain.file = fopen("/dev/full", "wb");
    plain.path = "full";
    fputc(0, plain.file);
    cr_assert_eq(pl_plain_close(&plain, &why), PL_E_STORE_FULL);
    cr_assert(strncmp(why.s, "full: ", 6) == 0, "%s", why.s);
}
