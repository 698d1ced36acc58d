/* Places as bytes, and what a fingerprint tells apart. */
#include "io/place.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "unit/io_help.h"

TestSuite(io_place, .init = io_help_enter_folder, .fini = io_help_leave_folder);

Test(io_place, goes_into_bytes_and_back)
{
    struct pl_file_place place = {0x0102030405060708, UINT64_MAX, INT64_MAX, 0xfedcba9876543210}, back;
    struct pl_lines_position position;
    pl_place_encode(&place, &position);
    cr_assert_eq(memcmp(position.bytes, "PLP1\x01\x02\x03\x04\x05\x06\x07\x08\xff", 13), 0);
    cr_assert(pl_place_decode(&position, &back));
    cr_assert_eq(memcmp(&place, &back, sizeof place), 0);
    for (size_t bit = 0; bit < 8 * sizeof position.bytes; bit++) {
        position.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_assert_not(pl_place_decode(&position, &back), "bit %zu", bit);
        position.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    place.offset = (uint64_t)INT64_MAX + 1;
    pl_place_encode(&place, &position);
    cr_assert_not(pl_place_decode(&position, &back), "no file is that long");
}

Test(io_place, tells_changed_bytes_before_it)
{
    static uint8_t bytes[4000];
    io_help_pattern(bytes, sizeof bytes);
    io_help_write("file", bytes, sizeof bytes);
    int fd = open("file", O_RDWR);
    struct pl_file_place place = {.offset = 3000};
    place.fingerprint = pl_place_fingerprint(fd, place.offset);
    static const struct {
        off_t at;
        bool seen;
    } changes[] = {{0, true},    {1023, true}, {1024, false}, {2743, false},
                   {2744, true}, {2999, true}, {3000, false}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t other = (uint8_t)~bytes[changes[i].at];
        cr_assert_eq(pwrite(fd, &other, 1, changes[i].at), 1);
        cr_assert_eq(pl_place_matches(&place, fd), !changes[i].seen, "byte %d", (int)changes[i].at);
        cr_assert_eq(pwrite(fd, &bytes[changes[i].at], 1, changes[i].at), 1);
        cr_assert(pl_place_matches(&place, fd));
    }
    cr_assert_eq(ftruncate(fd, 2999), 0);
    cr_assert_not(pl_place_matches(&place, fd));
    cr_assert_eq(ftruncate(fd, 3000), 0);
    cr_assert_not(pl_place_matches(&place, fd), "a hole is not what was there");
    place = (struct pl_file_place){.fingerprint = pl_place_fingerprint(fd, 0)};
    cr_assert(pl_place_matches(&place, fd));
    close(fd);
}
