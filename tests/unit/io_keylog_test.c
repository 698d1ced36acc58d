/* Key logs: lines there and back, hostile lines, files that must not be taken, writes that fail. */
#include "io/keylog.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/io_help.h"

TestSuite(io_keylog, .init = io_help_enter_folder, .fini = io_help_leave_folder);

static const struct pl_keylog_entry some = {.suite = 1,
                                            .epochs = 0x0a,
                                            .key_id = 0xa1b2c3d4,
                                            .run = 0x0102030405060708,
                                            .secret_n = 3,
                                            .secret = {0x00, 0xff, 0x5a}};
static const char some_line[] = "PURELINK_DEVICE_RUN a1b2c3d4 0102030405060708 1 0a 00ff5a";

Test(io_keylog, lines_go_there_and_back)
{
    char line[PL_KEYLOG_LINE_MAX];
    struct pl_keylog_entry back, full = some;

    cr_assert_eq(pl_keylog_format(&some, line), sizeof some_line - 1);
    cr_assert_str_eq(line, some_line);
    cr_assert_eq(pl_keylog_parse(line, strlen(line), &back, NULL), PL_OK);
    cr_assert_eq(memcmp(&back, &some, sizeof some), 0);
    full.from_node = true;
    full.secret_n = PL_KEYLOG_SECRET_MAX;
    memset(full.secret, 0xc3, sizeof full.secret);
    size_t n = pl_keylog_format(&full, line);
    cr_assert_eq(strlen(line), n);
    cr_assert_eq(pl_keylog_parse(line, n, &back, NULL), PL_OK);
    cr_assert_eq(memcmp(&back, &full, sizeof full), 0);
}

Test(io_keylog, wrong_lines_are_told)
{
    static const struct {
        const char *line;
        enum pl_error error;
    } cases[] = {
        {"", PL_E_EMPTY},
        {"# PURELINK_DEVICE_RUN", PL_E_EMPTY},
        {"CLIENT_RANDOM a1 b2", PL_E_UNKNOWN_TYPE},
        {"PURELINK_DEVICE_RUNS a1b2c3d4 0102030405060708 1 0a 00", PL_E_UNKNOWN_TYPE},
        {"PURELINK_DEVICE_RUN", PL_E_RANGE},
        {"PURELINK_DEVICE_RUN a1b2c3d 0102030405060708 1 0a 00", PL_E_RANGE},
        {"PURELINK_DEVICE_RUN A1B2C3D4 0102030405060708 1 0a 00", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4 010203040506070 1 0a 00", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4 0102030405060708 a 0a 00", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4 0102030405060708 10 0a 00", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4 0102030405060708 1 a 00", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4 0102030405060708 1 0a", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4 0102030405060708 1 0a 0", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4 0102030405060708 1 0a 0g", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4  0102030405060708 1 0a 00", PL_E_RANGE},
        {"PURELINK_NODE_RUN a1b2c3d4 0102030405060708 1 0a 00 1", PL_E_TRAILING},
    };
    struct pl_keylog_entry out;
    char line[PL_KEYLOG_LINE_MAX * 2];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *why = NULL;
        cr_assert_eq(pl_keylog_parse(cases[i].line, strlen(cases[i].line), &out, &why), cases[i].error, "%s",
                     cases[i].line);
        cr_assert_not_null(why);
    }
    memset(line, '0', sizeof line);
    memcpy(line, some_line, sizeof some_line - 1);
    cr_assert_eq(pl_keylog_parse(line, sizeof line, &out, NULL), PL_E_RANGE);
}

static size_t read_file(const char *path, char *out, size_t room)
{
    FILE *f = fopen(path, "r");
    cr_assert_not_null(f);
    size_t n = fread(out, 1, room - 1, f);
    fclose(f);
    out[n] = 0;
    return n;
}

Test(io_keylog, appends_to_a_file_of_its_owner)
{
    struct pl_keylog *log;
    struct pl_text why = {""};
    struct stat status;
    char text[1024], expected[1024];

    umask(0);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(pl_keylog_open("keys", &log, &why), PL_OK, "%s", why.s);
        pl_keylog_put(log, &some);
        cr_assert_eq(pl_keylog_lost(log, &why), 0);
        pl_keylog_close(log);
    }
    cr_assert(stat("keys", &status) == 0 && (status.st_mode & 07777) == 0600);
    read_file("keys", text, sizeof text);
    snprintf(expected, sizeof expected, "%s\n%s\n", some_line, some_line);
    cr_assert_str_eq(text, expected);
    pl_keylog_close(NULL);
}

Test(io_keylog, refuses_files_that_keys_must_not_go_to)
{
    struct pl_keylog *log;
    struct pl_text why = {""};

    IO_HELP_WRITE("open", "");
    cr_assert_eq(chmod("open", 0640), 0);
    cr_assert_eq(pl_keylog_open("open", &log, &why), PL_E_PERMISSION);
    cr_assert(strstr(why.s, "chmod 600 open"), "%s", why.s);
    cr_assert_null(log);
    cr_assert_eq(mkfifo("fifo", 0600), 0);
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    static const char *const paths[] = {"fifo", ".", "/dev/null"};
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(pl_keylog_open(paths[i], &log, &why), PL_E_IO, "%s", paths[i]);
        cr_assert(strstr(why.s, paths[i]), "%s", why.s);
    }
    close(reader);
    cr_assert_eq(pl_keylog_open("no/keys", &log, &why), PL_E_NOT_FOUND);
}

/* A full disk, as a limit on the file's size: half a line is written, then nothing, then there is room. */
Test(io_keylog, counts_what_cannot_be_written)
{
    struct pl_keylog *log;
    struct pl_text why = {""};
    struct rlimit limit = {sizeof some_line + 10, RLIM_INFINITY};
    struct pl_keylog_entry back;
    char text[1024];

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(pl_keylog_open("keys", &log, &why), PL_OK);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (uint64_t i = 0; i < 3; i++) {
        pl_keylog_put(log, &some);
        cr_assert_eq(pl_keylog_lost(log, &why), i);
    }
    cr_assert(strncmp(why.s, "keys: ", 6) == 0, "%s", why.s);
    limit.rlim_cur = RLIM_INFINITY;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    pl_keylog_put(log, &some);
    cr_assert_eq(pl_keylog_lost(log, NULL), 2);
    pl_keylog_close(log);
    read_file("keys", text, sizeof text);
    unsigned good = 0, lines = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, lines++)
        good += pl_keylog_parse(line, (size_t)(end - line), &back, NULL) == PL_OK;
    cr_assert(good == 2 && lines == 3, "%u of %u", good, lines);
}
