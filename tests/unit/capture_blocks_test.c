/* pcapng: units of time, simple packets, sections of another byte order, faults. */
#include <criterion/criterion.h>
#include <string.h>

#include "unit/capture_help.h"

static struct image image;
static const struct pl_bytes five = {(const uint8_t *)"\1\2\3\4\5", 5};

static enum pl_error next(struct pl_captured *got, struct pl_text *why)
{
    FILE *file;
    enum pl_error e;
    struct pl_capture *capture = image_open(&image, &file, &e, why);

    if (e == PL_OK)
        e = pl_capture_next(capture, got, why);
    image_close(capture, file);
    return e;
}

static void begin(bool big_endian)
{
    image.n = 0;
    image.big_endian = big_endian;
    image_section(&image);
}

Test(capture_blocks, reads_each_unit_of_time)
{
    static const struct {
        uint8_t resolution;
        uint64_t ticks, seconds;
        uint32_t nanoseconds;
    } cases[] = {
        {0, 17, 17, 0},
        {3, 1234, 1, 234000000},
        {6, UINT64_C(1700000000123456), 1700000000, 123456000},
        {9, UINT64_C(1700000000123456789), 1700000000, 123456789},
        {12, UINT64_C(1234567890123999), 1234, 567890123},
        {19, UINT64_MAX, 1, 844674407},
        {0x80, 5, 5, 0},
        {0x81, 5, 2, 500000000},
        {0x80 + 34, UINT64_C(3) << 33, 1, 500000000},
        {0x80 + 63, UINT64_MAX, 1, 999999999},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint8_t options[] = {0, 9, 0, 1, cases[i].resolution, 0, 0, 0, 0, 0, 0, 0};
        struct pl_captured got;
        struct pl_text why = {""};
        begin(true);
        image_interface(&image, 101, 0, options, sizeof options);
        image_packet(&image, 0, cases[i].ticks, five, 8);
        cr_assert_eq(next(&got, &why), PL_OK, "%s", why.s);
        cr_assert(got.has_time && got.seconds == cases[i].seconds, "case %zu: %llu", i,
                  (unsigned long long)got.seconds);
        cr_assert_eq(got.nanoseconds, cases[i].nanoseconds, "case %zu: %u", i, (unsigned)got.nanoseconds);
        cr_assert(got.link_type == 101 && got.whole_n == 8 && got.bytes.n == 5);
    }
}

Test(capture_blocks, adds_the_offset_and_skips_other_options)
{
    static const uint8_t options[] = {2, 0, 9,  0, 'e', 't', 'h', 'e', 'r', 'n', 'e', 't', '0', 0,
                                      0, 0, 14, 0, 8,   0,   100, 0,   0,   0,   0,   0,   0,   0};
    struct pl_captured got;
    struct pl_text why = {""};

    begin(false);
    image_interface(&image, 1, 0, options, sizeof options);
    image_packet(&image, 0, 3000001, five, 5);
    cr_assert_eq(next(&got, &why), PL_OK, "%s", why.s);
    cr_assert(got.seconds == 103 && got.nanoseconds == 1000);
}

Test(capture_blocks, simple_packets_end_where_their_block_or_the_limit_does)
{
    static const struct {
        uint32_t whole_n, snap_n;
        size_t n;
    } cases[] = {{5, 0, 5}, {5, 3, 3}, {900, 0, 8}, {900, 6, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image body = {.big_endian = true};
        struct pl_captured got;
        struct pl_text why = {""};
        begin(true);
        image_interface(&image, 1, cases[i].snap_n, NULL, 0);
        image_u32(&body, cases[i].whole_n);
        image_bytes(&body, "12345678", cases[i].whole_n < 8 ? 5 : 8);
        image_block(&image, 3, &body);
        cr_assert_eq(next(&got, &why), PL_OK, "%s", why.s);
        cr_assert(!got.has_time && got.whole_n == cases[i].whole_n);
        cr_assert_eq(got.bytes.n, cases[i].n, "case %zu: %zu", i, got.bytes.n);
    }
}

Test(capture_blocks, a_section_has_an_order_and_interfaces_of_its_own)
{
    static const struct image unknown = {.n = 7};
    FILE *file;
    enum pl_error e;
    struct pl_captured got;
    struct pl_text why = {""};

    begin(false);
    image_interface(&image, 1, 0, NULL, 0);
    image_packet(&image, 0, 1000000, five, 5);
    image_block(&image, 0x0bad, &unknown);
    image.big_endian = true;
    image_section(&image);
    image_packet(&image, 0, 0, five, 5);
    struct pl_capture *capture = image_open(&image, &file, &e, &why);
    cr_assert_eq(pl_capture_next(capture, &got, &why), PL_OK, "%s", why.s);
    cr_assert_eq(got.seconds, 1);
    cr_assert_eq(pl_capture_next(capture, &got, &why), PL_E_RANGE);
    cr_assert(strstr(why.s, "not described"), "%s", why.s);
    image_close(capture, file);
}

Test(capture_blocks, tells_each_fault)
{
    static const uint8_t fine[] = {0, 9, 0, 1, 20, 0, 0, 0}, finer[] = {0, 9, 0, 1, 0x80 + 64, 0, 0, 0},
                         longer[] = {0, 3, 0, 200, 0, 0, 0, 0};
    static const struct {
        const uint8_t *options;
        size_t n;
    } wrong[] = {{fine, 8}, {finer, 8}, {longer, 8}};
    struct pl_captured got;
    struct pl_text why = {""};

    for (size_t i = 0; i < 3; i++) {
        begin(true);
        image_interface(&image, 1, 0, wrong[i].options, wrong[i].n);
        image_packet(&image, 0, 0, five, 5);
        cr_assert_eq(next(&got, &why), PL_E_RANGE, "case %zu", i);
    }
    begin(true);
    image_interface(&image, 1, 0, NULL, 0);
    size_t before = image.n;
    image_packet(&image, 0, 0, five, 5);
    for (size_t n = before + 1; n < image.n; n++) {
        struct image whole = image;
        image.n = n;
        cr_assert_eq(next(&got, &why), PL_E_TRUNCATED, "%zu", n);
        image = whole;
    }
    image.bytes[image.n - 1] ^= 4;
    cr_assert_eq(next(&got, &why), PL_E_RANGE);
    static const uint8_t lengths[][4] = {{0, 0, 0, 8}, {0, 0, 0, 33}, {2, 0, 0, 0}, {0, 0, 0, 12}};
    for (size_t i = 0; i < 4; i++) {
        memcpy(image.bytes + before + 4, lengths[i], 4);
        cr_assert_eq(next(&got, &why), PL_E_RANGE, "length %zu", i);
    }
    begin(false);
    image.bytes[12] = 2;
    cr_assert_eq(next(&got, &why), PL_E_VERSION);
    begin(false);
    image.bytes[8] = 0;
    cr_assert_eq(next(&got, &why), PL_E_RANGE);
    begin(true);
    for (int i = 0; i <= PL_CAPTURE_INTERFACES_MAX; i++)
        image_interface(&image, 1, 0, NULL, 0);
    cr_assert_eq(next(&got, &why), PL_E_LIMIT);
}
