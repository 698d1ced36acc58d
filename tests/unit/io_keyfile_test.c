/* Key files: who may read them, what is in them, and that writing leaves the old or the new, never half. */
#include "io/keyfile.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/io_help.h"

TestSuite(io_keyfile, .init = io_help_enter_folder, .fini = io_help_leave_folder);

/* A key here is 32 letters k. */
static enum pl_error decode(const char *line, size_t n, uint8_t key[32], const char **why)
{
    *why = "not 32 letters";
    memset(key, 0xaa, 32);
    if (n != 32 || strspn(line, "k") < 32)
        return PL_E_KEY;
    memcpy(key, line, 32);
    return PL_OK;
}

#define LINE "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"

static enum pl_error read_text(const char *text, uint8_t key[32], struct pl_text *why)
{
    io_help_write("key", text, strlen(text));
    return pl_keyfile_read("key", decode, key, why);
}

Test(io_keyfile, reads_a_line_with_space_around)
{
    static const char *const texts[] = {LINE, LINE "\n", LINE "\r\n", "  " LINE "\t\n\n \n", ("\n" LINE)};
    uint8_t key[32];
    struct pl_text why = {""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_assert_eq(read_text(texts[i], key, &why), PL_OK, "%zu: %s", i, why.s);
        cr_assert_eq(memcmp(key, LINE, 32), 0);
    }
}

Test(io_keyfile, refuses_other_content)
{
    static const char long_text[4000] = {[0 ... 3998] = 'k'};
    static const struct {
        const char *text, *reason;
    } texts[] = {
        {"", "empty"},
        {" \n\n", "empty"},
        {"x", "not 32 letters"},
        {LINE "k", "not 32"},
        {LINE "\n" LINE, "more than one line"},
        {long_text, "too long"},
    };
    static const uint8_t zero[32];
    uint8_t key[32];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct pl_text why = {""};
        memset(key, 0x55, sizeof key);
        cr_assert_eq(read_text(texts[i].text, key, &why), PL_E_KEY, "%zu", i);
        cr_assert(strncmp(why.s, "key: ", 5) == 0 && strstr(why.s, texts[i].reason), "%s", why.s);
        cr_assert_eq(memcmp(key, zero, 32), 0);
    }
}

Test(io_keyfile, refuses_a_file_others_may_use)
{
    uint8_t key[32];
    IO_HELP_WRITE("key", LINE "\n");
    for (unsigned mode = 0400; mode <= 0777; mode++) {
        struct pl_text why = {""};
        if (!(mode & 0400))
            continue;
        cr_assert_eq(chmod("key", mode), 0);
        enum pl_error error = pl_keyfile_read("key", decode, key, &why);
        cr_assert_eq(error, mode & 077 ? PL_E_PERMISSION : PL_OK, "mode %o", mode);
        cr_assert(!error || strstr(why.s, "chmod 600 key"), "%s", why.s);
    }
}

Test(io_keyfile, refuses_what_is_no_file)
{
    uint8_t key[32];
    struct pl_text why = {""};
    cr_assert_eq(pl_keyfile_read("missing", decode, key, &why), PL_E_NOT_FOUND);
    cr_assert(strstr(why.s, "missing"));
    cr_assert_eq(pl_keyfile_read(".", decode, key, &why), PL_E_KEY);
    cr_assert_eq(mkfifo("fifo", 0600), 0);
    cr_assert_eq(pl_keyfile_read("fifo", decode, key, &why), PL_E_KEY, "and is not trapped by it");
    cr_assert(strstr(why.s, "not a regular file"), "%s", why.s);
}

Test(io_keyfile, reads_standard_input)
{
    uint8_t key[32];
    IO_HELP_WRITE("key", LINE "\n");
    chmod("key", 0644);
    int fd = open("key", O_RDONLY);
    dup2(fd, 0);
    close(fd);
    cr_assert_eq(pl_keyfile_read("-", decode, key, NULL), PL_OK);
    cr_assert_eq(memcmp(key, LINE, 32), 0);
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    cr_assert_eq(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static size_t files_here(void)
{
    DIR *here = opendir(".");
    size_t n = 0;
    while (readdir(here))
        n++;
    closedir(here);
    return n - 2;
}

Test(io_keyfile, writes_for_the_owner_only)
{
    struct pl_bytes line = {(const uint8_t *)LINE, 32};
    uint8_t key[32];
    struct pl_text why = {""};
    umask(0);
    cr_assert_eq(pl_keyfile_write("new", line, true, &why), PL_OK, "%s", why.s);
    cr_assert_eq(mode_of("new"), 0600);
    cr_assert_eq(pl_keyfile_read("new", decode, key, NULL), PL_OK);
    IO_HELP_WRITE("other", "precious");
    chmod("other", 0644);
    cr_assert_eq(pl_keyfile_write("other", line, true, &why), PL_E_EXISTS);
    cr_assert(strstr(why.s, "other"));
    cr_assert_eq(symlink("nowhere", "link"), 0);
    cr_assert_eq(pl_keyfile_write("link", line, true, &why), PL_E_EXISTS, "no writing through links");
    cr_assert_eq(pl_keyfile_read("other", decode, key, NULL), PL_E_PERMISSION, "is as it was");
    cr_assert_eq(pl_keyfile_write("other", line, false, &why), PL_OK, "%s", why.s);
    cr_assert_eq(mode_of("other"), 0600);
    cr_assert_eq(pl_keyfile_read("other", decode, key, NULL), PL_OK);
    cr_assert_eq(files_here(), 3, "nothing temporary stays");
    cr_assert_eq(pl_keyfile_write("no/such/folder", line, true, &why), PL_E_NOT_FOUND);
    cr_assert_eq(pl_keyfile_write("no/such/folder", line, false, &why), PL_E_NOT_FOUND);
    cr_assert_eq(pl_keyfile_write(".", line, false, &why) != PL_OK, true);
    cr_assert_eq(files_here(), 3);
}

Test(io_keyfile, a_failed_write_leaves_nothing_new)
{
    struct pl_bytes line = {(const uint8_t *)LINE, 32};
    struct rlimit none = {0, RLIM_INFINITY};
    struct pl_text why = {""};
    uint8_t key[32];
    IO_HELP_WRITE("old", LINE "\n");
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    enum pl_error written[] = {pl_keyfile_write("new", line, true, &why),
                               pl_keyfile_write("old", line, false, &why)};
    none.rlim_cur = RLIM_INFINITY;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    cr_assert(written[0] == PL_E_TOO_LARGE && written[1] == PL_E_TOO_LARGE, "%s", why.s);
    cr_assert_eq(files_here(), 1);
    cr_assert_eq(pl_keyfile_read("old", decode, key, NULL), PL_OK);
}
