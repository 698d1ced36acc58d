/* Following files that grow, are rotated and truncated, while somebody reads and while nobody does. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/lines.h"
#include "io/lines_inner.h"
#include "unit/io_help.h"

TestSuite(io_lines_follow, .init = io_help_enter_folder, .fini = io_help_leave_folder);

static const struct pl_lines_options follow = {
    .record_max_bytes = 1000, .last_partial = true, .follow = true};
static const struct pl_lines_options once = {.record_max_bytes = 1000, .last_partial = true};

static struct pl_lines *open_at(const struct pl_lines_options *options,
                                const struct pl_lines_position *position, enum pl_lines_start expected)
{
    struct pl_lines *lines;
    struct pl_text why = {""};
    enum pl_lines_start start;
    cr_assert_eq(pl_lines_open("log", options, position, &lines, &start, &why), PL_OK, "%s", why.s);
    cr_assert_eq(start, expected, "%d", (int)start);
    return lines;
}

/* The next record, looked for as often as a rotation may need. */
static enum pl_error next(struct pl_lines *lines, struct pl_bytes *record)
{
    enum pl_error error = PL_E_AGAIN;
    for (int i = 0; error == PL_E_AGAIN && i <= 2 * PL_LINES_ROTATE_POLLS; i++)
        error = pl_lines_next(lines, record, NULL);
    return error;
}

static void expect(struct pl_lines *lines, const char *text)
{
    struct pl_bytes record;
    cr_assert_eq(next(lines, &record), PL_OK, "no %s", text);
    cr_assert(record.n == strlen(text) && memcmp(record.p, text, record.n) == 0, "%.*s, not %s",
              (int)record.n, (const char *)record.p, text);
}

static void expect_nothing(struct pl_lines *lines)
{
    struct pl_bytes record;
    cr_assert_eq(next(lines, &record), PL_E_AGAIN);
}

static struct pl_lines_position stop(struct pl_lines *lines)
{
    struct pl_lines_position position;
    cr_assert_eq(pl_lines_position(lines, &position, NULL), PL_OK);
    pl_lines_close(lines);
    return position;
}

/* Sets the time of the last change, as it would be if the file had been written then. */
static void written_at(const char *path, time_t second)
{
    struct timespec times[2] = {{.tv_sec = second}, {.tv_sec = second}};
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

Test(io_lines_follow, waits_for_whole_lines)
{
    IO_HELP_WRITE("log", "one\ntw");
    struct pl_lines *lines = open_at(&follow, NULL, PL_LINES_FROM_START);
    expect(lines, "one");
    expect_nothing(lines);
    IO_HELP_APPEND("log", "o");
    expect_nothing(lines);
    IO_HELP_APPEND("log", "\nthree\n");
    expect(lines, "two");
    expect(lines, "three");
    expect_nothing(lines);
    cr_assert(pl_lines_wait(lines, 1));
    pl_lines_close(lines);
}

Test(io_lines_follow, finishes_the_old_file_before_the_new)
{
    IO_HELP_WRITE("log", "one\n");
    struct pl_lines *lines = open_at(&follow, NULL, PL_LINES_FROM_START);
    expect(lines, "one");
    expect_nothing(lines);
    cr_assert_eq(rename("log", "log.1"), 0);
    expect_nothing(lines);
    IO_HELP_APPEND("log.1", "two\n");
    IO_HELP_WRITE("log", "four\n");
    IO_HELP_APPEND("log.1", "three, cut");
    expect(lines, "two");
    expect(lines, "three, cut");
    expect(lines, "four");
    expect_nothing(lines);
    IO_HELP_APPEND("log", "five\n");
    expect(lines, "five");
    pl_lines_close(lines);
}

Test(io_lines_follow, an_old_file_is_given_time)
{
    struct pl_bytes record;
    IO_HELP_WRITE("log", "one\n");
    struct pl_lines *lines = open_at(&follow, NULL, PL_LINES_FROM_START);
    expect(lines, "one");
    cr_assert_eq(rename("log", "log.1"), 0);
    IO_HELP_WRITE("log", "three\n");
    cr_assert_eq(pl_lines_next(lines, &record, NULL), PL_E_AGAIN);
    IO_HELP_APPEND("log.1", "two\n");
    expect(lines, "two");
    expect(lines, "three");
    pl_lines_close(lines);
}

Test(io_lines_follow, begins_again_after_truncation)
{
    IO_HELP_WRITE("log", "one\ntwo\npart");
    struct pl_lines *lines = open_at(&follow, NULL, PL_LINES_FROM_START);
    expect(lines, "one");
    expect(lines, "two");
    expect_nothing(lines);
    IO_HELP_WRITE("log", "new\n");
    expect(lines, "new");
    expect_nothing(lines);
    IO_HELP_WRITE("log", "longer than before\nand more\n");
    expect(lines, "longer than before");
    expect(lines, "and more");
    expect_nothing(lines);
    pl_lines_close(lines);
}

Test(io_lines_follow, a_missing_file_is_waited_for)
{
    IO_HELP_WRITE("log", "one\n");
    struct pl_lines *lines = open_at(&follow, NULL, PL_LINES_FROM_START);
    expect(lines, "one");
    cr_assert_eq(unlink("log"), 0);
    expect_nothing(lines);
    IO_HELP_WRITE("log", "two\n");
    expect(lines, "two");
    pl_lines_close(lines);
}

Test(io_lines_follow, resumes_across_a_rotation_in_the_pause)
{
    for (int i = 0; i < 2; i++) {
        IO_HELP_WRITE("log", "one\ntwo\n");
        struct pl_lines *lines = open_at(&once, NULL, PL_LINES_FROM_START);
        expect(lines, "one");
        struct pl_lines_position position = stop(lines);
        cr_assert_eq(rename("log", "log.1"), 0);
        written_at("log.1", 1000);
        IO_HELP_WRITE("log", "three\n");
        lines = open_at(i ? &once : &follow, &position, PL_LINES_ROTATED);
        expect(lines, "two");
        expect(lines, "three");
        struct pl_bytes record;
        cr_assert_eq(next(lines, &record), i ? PL_E_CLOSED : PL_E_AGAIN);
        pl_lines_close(lines);
        cr_assert_eq(unlink("log.1"), 0);
    }
}

Test(io_lines_follow, several_rotations_in_one_pause_lose_nothing)
{
    IO_HELP_WRITE("log", "one\ntwo\n");
    struct pl_lines *lines = open_at(&follow, NULL, PL_LINES_FROM_START);
    expect(lines, "one");
    struct pl_lines_position position = stop(lines);
    cr_assert_eq(rename("log", "log.3"), 0);
    IO_HELP_WRITE("log.2", "three\n");
    IO_HELP_WRITE("log.1", "four\n");
    IO_HELP_WRITE("log", "five\n");
    IO_HELP_WRITE("log.4", "older\n");
    IO_HELP_WRITE("log.9.gz", "packed\n");
    IO_HELP_WRITE("log.offset", "other\n");
    IO_HELP_WRITE("logs", "other\n");
    static const char *const in_order[] = {"log.4",      "log.3", "log.2", "log.9.gz",
                                           "log.offset", "logs",  "log.1", "log"};
    for (int i = 0; i < 8; i++)
        written_at(in_order[i], 1000 + i);
    lines = open_at(&follow, &position, PL_LINES_ROTATED);
    static const char *const texts[] = {"two", "three", "four", "five"};
    for (int i = 0; i < 4; i++)
        expect(lines, texts[i]);
    expect_nothing(lines);
    pl_lines_close(lines);
}

Test(io_lines_follow, tells_a_file_written_anew_in_the_pause)
{
    static const char *const contents[] = {"x\n", "", "uno\ndos\n", "uno\ndos y mucho\n"};
    for (size_t i = 0; i < 4; i++) {
        IO_HELP_WRITE("log", "one\ntwo\n");
        struct pl_lines *lines = open_at(&follow, NULL, PL_LINES_FROM_START);
        expect(lines, "one");
        struct pl_lines_position position = stop(lines);
        io_help_write("log", contents[i], strlen(contents[i]));
        lines = open_at(&follow, &position, PL_LINES_TRUNCATED);
        cr_assert_eq(pl_lines_offset(lines), 0);
        if (i == 0)
            expect(lines, "x");
        pl_lines_close(lines);
    }
}

Test(io_lines_follow, tells_a_file_that_is_another)
{
    struct pl_lines *lines;
    IO_HELP_WRITE("log", "one\ntwo\n");
    lines = open_at(&follow, NULL, PL_LINES_FROM_START);
    expect(lines, "one");
    IO_HELP_WRITE("new", "three\n");
    struct pl_lines_position position = stop(lines);
    cr_assert_eq(rename("new", "log"), 0);
    lines = open_at(&follow, &position, PL_LINES_REPLACED);
    expect(lines, "three");
    pl_lines_close(lines);
    cr_assert_eq(unlink("log"), 0);
    cr_assert_eq(pl_lines_open("log", &follow, &position, &lines, NULL, NULL), PL_E_NOT_FOUND);
}

Test(io_lines_follow, resumes_with_only_the_old_file_there)
{
    IO_HELP_WRITE("log", "one\ntwo\n");
    struct pl_lines *lines = open_at(&follow, NULL, PL_LINES_FROM_START);
    expect(lines, "one");
    struct pl_lines_position position = stop(lines);
    cr_assert_eq(rename("log", "log-20240131"), 0);
    lines = open_at(&follow, &position, PL_LINES_ROTATED);
    expect(lines, "two");
    expect_nothing(lines);
    IO_HELP_WRITE("log", "three\n");
    expect(lines, "three");
    pl_lines_close(lines);
}

Test(io_lines_follow, framed_records_are_followed_too)
{
    struct pl_lines_options options = follow;
    struct pl_bytes record;
    options.framed = true;
    IO_HELP_WRITE("log", "\0\0\0\2o");
    struct pl_lines *lines = open_at(&options, NULL, PL_LINES_FROM_START);
    expect_nothing(lines);
    IO_HELP_APPEND("log", "k\0\0");
    expect(lines, "ok");
    expect_nothing(lines);
    cr_assert_eq(rename("log", "log.1"), 0);
    IO_HELP_WRITE("log", "");
    cr_assert_eq(next(lines, &record), PL_E_TRUNCATED, "half a record is the end of the old file");
    pl_lines_close(lines);
}
