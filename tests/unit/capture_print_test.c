/* Lines: their form, each reason, malformed frames; and mutated captures through all of src/capture. */
#include "capture/print.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "capture/plain.h"
#include "link/link_limits.h"
#include "unit/capture_help.h"
#include "unit/io_help.h"

TestSuite(capture_print, .init = io_help_enter_folder, .fini = io_help_leave_folder);

static struct pl_layers layers = {.from = {.family = PL_ADDRESS_IPV4, .port = 9, .ip = {192, 0, 2, 1}},
                                  .to = {.family = PL_ADDRESS_IPV6, .port = 4500, .ip = {0x20, 1, [15] = 1}}};
#define HEAD "2023-11-14T22:13:20.000000012Z 192.0.2.1:9 > [2001::1]:4500 "
#define IDS  " key_id=0xa1b2c3d4 run=0x0102030405060708 packet_number=0x00000007 "

static struct pl_captured at_some_time(void)
{
    return (struct pl_captured){.has_time = true, .seconds = 1700000000, .nanoseconds = 12};
}

static char *printed(const struct pl_captured *frame, const struct pl_unsealed_packet *packet, bool *good)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);

    *good = pl_print_packet(to, frame, &layers, packet);
    fclose(to);
    return text;
}

Test(capture_print, a_line_for_each_frame)
{
    static const struct {
        const char *frames;
        size_t n;
        bool from_node, good;
        const char *text;
    } cases[] = {
        {"\1\2\0\0\0\7", 6, false, true,
         HEAD "device>node" IDS "PING\n" HEAD "device>node" IDS "TO run_tag=0x00000007\n"},
        {"\1\0\0", 3, true, true,
         HEAD "node>device" IDS "PING\n" HEAD "node>device" IDS "PADDING length=1\n"},
        {"\1\1\2\0", 4, true, false,
         HEAD "node>device" IDS "PING\n" HEAD "node>device" IDS "PING\n" HEAD "node>device" IDS
              "malformed: TRUNCATED at 3\n"},
        {"", 0, false, false, HEAD "device>node" IDS "malformed: EMPTY at 0\n"},
    };
    struct pl_captured frame = at_some_time();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pl_capture_key key = {.from_node = cases[i].from_node};
        struct pl_unsealed_packet packet = {
            .result = PL_UNSEALED_OPEN,
            .has_header = true,
            .key = &key,
            .header = {.key_id = 0xa1b2c3d4, .run = 0x0102030405060708, .packet_number = 7},
            .plain = {(const uint8_t *)cases[i].frames, cases[i].n}};
        bool good;
        char *text = printed(&frame, &packet, &good);
        cr_assert_str_eq(text, cases[i].text);
        cr_assert_eq(good, cases[i].good);
        free(text);
    }
}

Test(capture_print, more_frames_than_a_packet_may_have)
{
    uint8_t pings[PL_FRAMES_MAX + 1];
    struct pl_capture_key key = {0};
    struct pl_captured frame = at_some_time();
    struct pl_unsealed_packet packet = {.key = &key, .plain = {pings, sizeof pings}};
    bool good;

    memset(pings, 1, sizeof pings);
    char *text = printed(&frame, &packet, &good);
    cr_assert(!good && strstr(text, "malformed: LIMIT at 64\n"), "%s", text);
    free(text);
}

Test(capture_print, why_a_packet_is_not_opened)
{
    static const struct {
        enum pl_unsealed result;
        bool has_header;
        const char *text;
    } cases[] = {
        {PL_UNSEALED_HEADER, false, "- not a packet: TRUNCATED at 6"},
        {PL_UNSEALED_CUT, false, "- not opened: only 20 of 90 bytes were captured"},
        {PL_UNSEALED_SHORT, true, IDS "not a packet: 90 bytes are too short for one"},
        {PL_UNSEALED_NOT_SEALED, true, IDS "not opened: suite 3 (AES_128_GCM_SIV) is not opened here"},
        {PL_UNSEALED_CUT, true, IDS "not opened: only 20 of 90 bytes were captured"},
        {PL_UNSEALED_NO_KEY, true, IDS "not opened: no key of its run in the key log"},
        {PL_UNSEALED_FORGED, true, IDS "not opened: forged, damaged or sealed with another key"},
    };
    struct pl_captured frame = {.has_time = false};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pl_unsealed_packet packet = {
            .result = cases[i].result,
            .has_header = cases[i].has_header,
            .fault = PL_E_TRUNCATED,
            .fault_at = 6,
            .header = {.suite = 3, .key_id = 0xa1b2c3d4, .run = 0x0102030405060708, .packet_number = 7},
            .sealed = {NULL, 20},
            .whole_n = 90};
        char expected[320];
        bool good;
        char *text = printed(&frame, &packet, &good);
        snprintf(expected, sizeof expected, "- 192.0.2.1:9 > [2001::1]:4500 %s%s\n",
                 cases[i].has_header ? "-" : "", cases[i].text);
        cr_assert_str_eq(text, expected);
        cr_assert(good);
        free(text);
    }
    frame = (struct pl_captured){.has_time = true, .seconds = UINT64_MAX};
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    pl_print_fragment(to, &frame, &layers);
    fclose(to);
    cr_assert_str_eq(text, "- 192.0.2.1:9 > [2001::1]:4500 - fragment, not reassembled\n");
    free(text);
}

/* All that `purelink decode` does to a capture. */
static unsigned walk(struct image *image, struct pl_unsealer *unsealer, struct pl_plain *plain, FILE *null)
{
    FILE *file;
    enum pl_error e;
    struct pl_captured frame;
    struct pl_text why;
    struct pl_capture *capture = image_open(image, &file, &e, &why);
    unsigned opened = 0;

    while (e == PL_OK && (e = pl_capture_next(capture, &frame, &why)) == PL_OK) {
        struct pl_layers found;
        struct pl_unsealed_packet packet;
        if (pl_layers_find(frame.link_type, frame.bytes, &found) != PL_FOUND_UDP)
            continue;
        struct pl_bytes payload = {frame.bytes.p + found.udp_at + PL_UDP_HEADER_SIZE, found.payload_n};
        (void)pl_train_size(payload);
        pl_unseal(unsealer, payload, found.payload_whole_n, &packet);
        pl_print_packet(null, &frame, &found, &packet);
        cr_assert_eq(pl_plain_put(plain, &frame, &found, &packet, &why), PL_OK);
        opened += packet.result == PL_UNSEALED_OPEN;
    }
    image_close(capture, file);
    return opened;
}

static void fill(struct image *image, struct sealer *sealer, bool is_blocks)
{
    uint8_t packet[64], frame[160];

    image->n = 0;
    image->big_endian = true;
    if (is_blocks) {
        image_section(image);
        image_interface(image, 101, 0, "\0\11\0\1\11\0\0\0", 8);
    } else {
        image_pcap(image, true, 0xa1b23c4d, 101);
    }
    for (unsigned i = 0; i < 12; i++) {
        struct pl_bytes sealed = {packet, sealer_seal(sealer, "\1\2abcd\1", 7, packet)};
        struct pl_bytes all = {frame, i % 2 ? ipv6_udp(frame, sealed) : ipv4_udp(frame, sealed)};
        if (is_blocks)
            image_packet(image, 0, i, all, all.n);
        else
            image_frame(image, i, i, all, all.n);
    }
}

static uint64_t drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Under ASan and UBSan: whatever the bytes are, nothing is read or written that should not be. */
Test(capture_print, mutated_captures_do_no_harm)
{
    static struct image image, whole;
    static struct pl_unsealer unsealer;
    static struct pl_plain plain;
    struct sealer sealer;
    uint64_t state = 1;
    unsigned opened = 0;
    FILE *null = fopen("/dev/null", "w");

    sealer_open(&sealer, 1);
    struct pl_capture_keys keys = {.items = &sealer.logged, .n = 1};
    cr_assert_eq(pl_unsealer_open(&unsealer, &keys), PL_OK);
    cr_assert_eq(pl_plain_open(&plain, "plain", NULL), PL_OK);
    for (int kind = 0; kind < 2; kind++) {
        fill(&whole, &sealer, kind);
        cr_assert_eq(walk(&whole, &unsealer, &plain, null), 12);
        for (int turn = 0; turn < 3000; turn++) {
            image = whole;
            for (uint64_t n = 1 + drawn(&state) % 4; n > 0; n--)
                image.bytes[drawn(&state) % image.n] =
                    (uint8_t)(turn % 3 ? drawn(&state) : drawn(&state) % 2 * 255);
            if (turn % 5 == 0)
                image.n = drawn(&state) % image.n;
            opened += walk(&image, &unsealer, &plain, null);
        }
    }
    cr_assert(opened > 3000, "%u", opened);
    cr_assert_eq(pl_plain_close(&plain, NULL), PL_OK);
    pl_unsealer_close(&unsealer);
    sealer_close(&sealer);
    fclose(null);
}
