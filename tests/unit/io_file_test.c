/* Opening files with reasons. */
#include "io/file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "unit/io_help.h"

TestSuite(io_file, .init = io_help_enter_folder, .fini = io_help_leave_folder);

Test(io_file, names_each_failure)
{
    static const struct {
        int error;
        enum pl_error kind;
    } kinds[] = {
        {ENOENT, PL_E_NOT_FOUND},  {ENOTDIR, PL_E_NOT_FOUND},
        {EACCES, PL_E_PERMISSION}, {EROFS, PL_E_PERMISSION},
        {EEXIST, PL_E_EXISTS},     {ENOSPC, PL_E_STORE_FULL},
        {EDQUOT, PL_E_STORE_FULL}, {ENOMEM, PL_E_NO_MEMORY},
        {EFBIG, PL_E_TOO_LARGE},   {EIO, PL_E_IO},
        {EISDIR, PL_E_IO},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct pl_text why;
        cr_assert_eq(pl_file_error("some/file", kinds[i].error, &why), kinds[i].kind);
        cr_assert(strncmp(why.s, "some/file: ", 11) == 0 && strstr(why.s, strerror(kinds[i].error)));
    }
}

Test(io_file, opens_and_reads)
{
    struct stat status;
    char text[8];
    int fd;
    IO_HELP_WRITE("file", "hello");
    cr_assert_eq(pl_file_open_regular("file", &fd, &status, NULL), PL_OK);
    cr_assert_eq(status.st_size, 5);
    cr_assert_eq(pl_file_read(fd, text, sizeof text), 5);
    cr_assert_eq(pl_file_read(fd, text, sizeof text), 0);
    close(fd);
    cr_assert_eq(pl_file_open("missing", &fd, &status, NULL), PL_E_NOT_FOUND);
    cr_assert_eq(pl_file_sync_folder("file", NULL), PL_OK);
    cr_assert_eq(pl_file_sync_folder("no/file", NULL), PL_E_NOT_FOUND);
}

Test(io_file, is_not_trapped_by_what_is_no_file)
{
    struct stat status;
    struct pl_text why = {""};
    int fd;
    cr_assert_eq(mkfifo("fifo", 0600), 0);
    static const char *const paths[] = {"fifo", ".", "/dev/null"};
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(pl_file_open_regular(paths[i], &fd, &status, &why), PL_E_IO, "%s", paths[i]);
        cr_assert(strstr(why.s, "not a regular file") && fd == -1, "%s", why.s);
    }
}
