/* pcap: each magic, times that carry, faults at every length, files that are none. */
#include "capture/capture.h"

#include <criterion/criterion.h>
#include <string.h>

#include "unit/capture_help.h"

static struct image image;
static const uint8_t bytes[] = {1, 2, 3, 4, 5};

Test(capture_capture, reads_each_magic)
{
    static const struct {
        bool big_endian;
        uint32_t magic;
        uint32_t fraction, nanoseconds;
    } cases[] = {{false, 0xa1b2c3d4, 123456, 123456000},
                 {true, 0xa1b2c3d4, 123456, 123456000},
                 {false, 0xa1b23c4d, 123456789, 123456789},
                 {true, 0xa1b23c4d, 123456789, 123456789}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *file;
        enum pl_error e;
        struct pl_captured got;
        struct pl_text why = {""};
        image_pcap(&image, cases[i].big_endian, cases[i].magic, 0x04000000 | 101);
        image_frame(&image, 1700000000, cases[i].fraction, (struct pl_bytes){bytes, 5}, 9);
        image_frame(&image, 1, 0xffffffff, (struct pl_bytes){NULL, 0}, 0);
        struct pl_capture *capture = image_open(&image, &file, &e, &why);
        cr_assert_eq(e, PL_OK, "%s", why.s);
        cr_assert_eq(pl_capture_next(capture, &got, &why), PL_OK);
        cr_assert(got.has_time && got.seconds == 1700000000 && got.nanoseconds == cases[i].nanoseconds);
        cr_assert(got.link_type == 101 && got.whole_n == 9 && got.bytes.n == 5);
        cr_assert_eq(memcmp(got.bytes.p, bytes, 5), 0);
        cr_assert_eq(pl_capture_next(capture, &got, &why), PL_OK);
        cr_assert(got.bytes.n == 0 && got.nanoseconds < 1000000000 && got.seconds > 1);
        cr_assert_eq(pl_capture_next(capture, &got, &why), PL_E_CLOSED);
        image_close(capture, file);
    }
}

Test(capture_capture, tells_where_a_file_ends_too_early)
{
    image_pcap(&image, false, 0xa1b2c3d4, 1);
    size_t head_n = image.n;
    image_frame(&image, 1, 2, (struct pl_bytes){bytes, 5}, 5);
    size_t whole_n = image.n;
    for (size_t n = 0; n < whole_n; n++) {
        FILE *file;
        enum pl_error e;
        struct pl_captured got;
        struct pl_text why = {""};
        image.n = n;
        struct pl_capture *capture = image_open(&image, &file, &e, &why);
        cr_assert_eq(e, n == 0 ? PL_E_UNKNOWN_TYPE : n < head_n ? PL_E_TRUNCATED : PL_OK, "%zu", n);
        if (e == PL_OK) {
            e = pl_capture_next(capture, &got, &why);
            cr_assert_eq(e, n == head_n ? PL_E_CLOSED : PL_E_TRUNCATED, "%zu", n);
            if (n > head_n)
                cr_assert_str_eq(why.s, "some: at offset 24: the file ends within what begins here");
        }
        image_close(capture, file);
    }
}

Test(capture_capture, refuses_what_cannot_be)
{
    FILE *file;
    enum pl_error e;
    struct pl_captured got;
    struct pl_text why = {""};
    struct pl_capture *capture;

    image_pcap(&image, true, 0xa1b2c3d4, 1);
    image.bytes[5] = 3;
    capture = image_open(&image, &file, &e, &why);
    cr_assert_eq(e, PL_E_VERSION);
    image_close(capture, file);
    image_pcap(&image, true, 0xa1b2c3d5, 1);
    capture = image_open(&image, &file, &e, &why);
    cr_assert_eq(e, PL_E_UNKNOWN_TYPE);
    image_close(capture, file);
    image_pcap(&image, true, 0xa1b2c3d4, 1);
    for (int i = 0; i < 2; i++)
        image_u32(&image, 0);
    image_u32(&image, PL_CAPTURE_FRAME_MAX + 1);
    image_u32(&image, 0);
    capture = image_open(&image, &file, &e, &why);
    cr_assert_eq(pl_capture_next(capture, &got, &why), PL_E_RANGE);
    cr_assert(strstr(why.s, "at offset 24"), "%s", why.s);
    image_close(capture, file);
}
