/* Records from files and pipes: both framings, the limits, the end, places. */
#include "io/lines.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/io_help.h"

TestSuite(io_lines, .init = io_help_enter_folder, .fini = io_help_leave_folder);

enum { RECORD_MAX = 1048576 };

static const struct pl_lines_options plain = {.record_max_bytes = RECORD_MAX, .last_partial = true};
static const struct pl_lines_options framed = {.record_max_bytes = RECORD_MAX, .framed = true};

static struct pl_lines *open_lines(const char *path, const struct pl_lines_options *options)
{
    struct pl_lines *lines;
    struct pl_text why = {""};
    cr_assert_eq(pl_lines_open(path, options, NULL, &lines, NULL, &why), PL_OK, "%s", why.s);
    return lines;
}

static void expect(struct pl_lines *lines, const char *text)
{
    struct pl_bytes record;
    struct pl_text why = {""};
    cr_assert_eq(pl_lines_next(lines, &record, &why), PL_OK, "%s", why.s);
    cr_assert(record.n == strlen(text) && memcmp(record.p, text, record.n) == 0, "%.*s", (int)record.n,
              (const char *)record.p);
}

static void expect_end(struct pl_lines *lines, enum pl_error end)
{
    struct pl_bytes record;
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pl_lines_next(lines, &record, NULL), end);
}

Test(io_lines, gives_lines_and_offsets)
{
    static const uint64_t offsets[] = {4, 5, 9, 13};
    static const char *const texts[] = {"one", "", "a\rb", "last"};
    IO_HELP_WRITE("file", "one\n\na\rb\nlast");
    struct pl_lines *lines = open_lines("file", &plain);
    for (size_t i = 0; i < 4; i++) {
        expect(lines, texts[i]);
        cr_assert_eq(pl_lines_offset(lines), offsets[i]);
    }
    expect_end(lines, PL_E_CLOSED);
    pl_lines_close(lines);
    pl_lines_close(NULL);
}

Test(io_lines, the_last_partial_line_only_when_told)
{
    struct pl_lines_options options = plain;
    options.last_partial = false;
    IO_HELP_WRITE("file", "one\nlast");
    struct pl_lines *lines = open_lines("file", &options);
    expect(lines, "one");
    expect_end(lines, PL_E_CLOSED);
    cr_assert_eq(pl_lines_offset(lines), 4);
    IO_HELP_APPEND("file", "ing\n");
    expect(lines, "lasting");
    pl_lines_close(lines);
    IO_HELP_WRITE("empty", "");
    lines = open_lines("empty", &plain);
    expect_end(lines, PL_E_CLOSED);
    pl_lines_close(lines);
}

Test(io_lines, gives_framed_records)
{
    static const char bytes[] = "\0\0\0\3a\nb\0\0\0\0\0\0\0\1z";
    io_help_write("file", bytes, sizeof bytes - 1);
    struct pl_lines *lines = open_lines("file", &framed);
    expect(lines, "a\nb");
    expect(lines, "");
    expect(lines, "z");
    cr_assert_eq(pl_lines_offset(lines), sizeof bytes - 1);
    expect_end(lines, PL_E_CLOSED);
    pl_lines_close(lines);
}

Test(io_lines, a_framed_record_cut_anywhere_is_an_error)
{
    static const char bytes[] = "\0\0\0\2ok\0\0\0\3abc";
    for (size_t n = 7; n < sizeof bytes - 1; n++) {
        struct pl_bytes record;
        struct pl_text why = {""};
        io_help_write("file", bytes, n);
        struct pl_lines *lines = open_lines("file", &framed);
        expect(lines, "ok");
        cr_assert_eq(pl_lines_next(lines, &record, &why), PL_E_TRUNCATED);
        cr_assert_str_eq(why.s, "file: record 2 (at byte 6): the input ends inside it");
        expect_end(lines, PL_E_TRUNCATED);
        pl_lines_close(lines);
    }
}

static void write_line_of(const char *path, size_t n)
{
    char *text = malloc(n + 1);
    memset(text, 'x', n);
    text[n] = '\n';
    io_help_append(path, text, n + 1);
    free(text);
}

Test(io_lines, takes_up_to_the_limit_and_not_a_byte_more)
{
    static const size_t limits[] = {1, 10, 65535, 65536, 65537, 300000, RECORD_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct pl_lines_options options = plain;
        struct pl_bytes record;
        struct pl_text why = {""};
        options.record_max_bytes = limits[i];
        IO_HELP_WRITE("file", "\n");
        write_line_of("file", limits[i]);
        write_line_of("file", limits[i]);
        write_line_of("file", limits[i] + 1);
        struct pl_lines *lines = open_lines("file", &options);
        expect(lines, "");
        for (int j = 0; j < 2; j++) {
            cr_assert_eq(pl_lines_next(lines, &record, NULL), PL_OK);
            cr_assert_eq(record.n, limits[i]);
        }
        cr_assert_eq(pl_lines_next(lines, &record, &why), PL_E_TOO_LARGE);
        char text[100];
        snprintf(text, sizeof text, "file: line 4 (at byte %zu): longer than %zu bytes", 3 + 2 * limits[i],
                 limits[i]);
        cr_assert_str_eq(why.s, text);
        expect_end(lines, PL_E_TOO_LARGE);
        pl_lines_close(lines);
    }
}

Test(io_lines, refuses_a_framed_length_above_the_limit)
{
    struct pl_bytes record;
    struct pl_text why = {""};
    IO_HELP_WRITE("file", "\xff\xff\xff\xff");
    struct pl_lines *lines = open_lines("file", &framed);
    cr_assert_eq(pl_lines_next(lines, &record, &why), PL_E_TOO_LARGE);
    cr_assert_str_eq(why.s, "file: record 1 (at byte 0): longer than 1048576 bytes");
    pl_lines_close(lines);
}

Test(io_lines, large_framed_records_come_whole)
{
    static uint8_t bytes[4 + RECORD_MAX];
    struct pl_bytes record;
    io_help_pattern(bytes, sizeof bytes);
    memcpy(bytes, "\0\x10\0\0", 4);
    io_help_write("file", bytes, sizeof bytes);
    io_help_append("file", bytes, sizeof bytes);
    struct pl_lines *lines = open_lines("file", &framed);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(pl_lines_next(lines, &record, NULL), PL_OK);
        cr_assert(record.n == RECORD_MAX && memcmp(record.p, bytes + 4, RECORD_MAX) == 0);
    }
    expect_end(lines, PL_E_CLOSED);
    pl_lines_close(lines);
}

Test(io_lines, a_pipe_never_blocks_and_gives_no_half)
{
    int ends[2];
    struct pl_bytes record;
    struct pl_lines_position position;
    cr_assert_eq(pipe(ends), 0);
    dup2(ends[0], 0);
    struct pl_lines *lines = open_lines("-", &plain);
    cr_assert_eq(pl_lines_next(lines, &record, NULL), PL_E_AGAIN);
    cr_assert_not(pl_lines_wait(lines, 0));
    cr_assert_eq(write(ends[1], "ha", 2), 2);
    cr_assert(pl_lines_wait(lines, 10000));
    cr_assert_eq(pl_lines_next(lines, &record, NULL), PL_E_AGAIN);
    cr_assert_eq(write(ends[1], "lf\nrest", 7), 7);
    expect(lines, "half");
    cr_assert_eq(pl_lines_next(lines, &record, NULL), PL_E_AGAIN);
    close(ends[1]);
    expect(lines, "rest");
    expect_end(lines, PL_E_CLOSED);
    cr_assert_eq(pl_lines_position(lines, &position, NULL), PL_E_USAGE);
    pl_lines_close(lines);
    cr_assert_neq(fcntl(0, F_GETFD), -1, "standard input stays open");
}

Test(io_lines, a_file_as_standard_input_begins_where_it_stands)
{
    IO_HELP_WRITE("file", "one\ntwo\n");
    int fd = open("file", O_RDONLY);
    lseek(fd, 4, SEEK_SET);
    dup2(fd, 0);
    struct pl_lines *lines = open_lines("-", &plain);
    expect(lines, "two");
    cr_assert_eq(pl_lines_offset(lines), 8);
    expect_end(lines, PL_E_CLOSED);
    pl_lines_close(lines);
}

Test(io_lines, refuses_what_it_can_not_read)
{
    struct pl_lines *lines;
    struct pl_text why = {""};
    struct pl_lines_options follow = plain;
    struct pl_lines_position nonsense = {{1, 2, 3}};
    follow.follow = true;
    IO_HELP_WRITE("file", "one\n");
    cr_assert_eq(pl_lines_open("missing", &plain, NULL, &lines, NULL, &why), PL_E_NOT_FOUND);
    cr_assert(strstr(why.s, "missing") && !lines);
    cr_assert_eq(pl_lines_open(".", &plain, NULL, &lines, NULL, &why), PL_E_USAGE);
    cr_assert_eq(pl_lines_open("-", &follow, NULL, &lines, NULL, &why), PL_E_USAGE);
    cr_assert_eq(pl_lines_open("/dev/null", &follow, NULL, &lines, NULL, &why), PL_E_USAGE);
    cr_assert_eq(pl_lines_open("file", &plain, &nonsense, &lines, NULL, &why), PL_E_USAGE);
    cr_assert(strstr(why.s, "damaged"), "%s", why.s);
}

/* Stopped after any record and opened again, each record comes exactly once. */
Test(io_lines, resumes_at_every_place)
{
    static const char *const texts[] = {"one", "", "three", "4", "five"};
    IO_HELP_WRITE("file", "one\n\nthree\n4\nfive");
    for (size_t stop = 0; stop <= 5; stop++) {
        struct pl_lines_position position;
        enum pl_lines_start start;
        struct pl_lines *lines = open_lines("file", &plain);
        for (size_t i = 0; i < stop; i++)
            expect(lines, texts[i]);
        cr_assert_eq(pl_lines_position(lines, &position, NULL), PL_OK);
        pl_lines_close(lines);
        cr_assert_eq(pl_lines_open("file", &plain, &position, &lines, &start, NULL), PL_OK);
        cr_assert_eq(start, PL_LINES_RESUMED);
        for (size_t i = stop; i < 5; i++)
            expect(lines, texts[i]);
        expect_end(lines, PL_E_CLOSED);
        pl_lines_close(lines);
    }
}

Test(io_lines, counts_from_the_place_in_errors)
{
    struct pl_lines_options options = plain;
    struct pl_lines_position position;
    struct pl_bytes record;
    struct pl_text why;
    options.record_max_bytes = 5;
    IO_HELP_WRITE("file", "one\ntwo\ntoo long\n");
    struct pl_lines *lines = open_lines("file", &options);
    expect(lines, "one");
    cr_assert_eq(pl_lines_position(lines, &position, NULL), PL_OK);
    pl_lines_close(lines);
    cr_assert_eq(pl_lines_open("file", &options, &position, &lines, NULL, NULL), PL_OK);
    expect(lines, "two");
    cr_assert_eq(pl_lines_next(lines, &record, &why), PL_E_TOO_LARGE);
    cr_assert_str_eq(why.s, "file: line 2 after byte 4 (at byte 8): longer than 5 bytes");
    pl_lines_close(lines);
}
