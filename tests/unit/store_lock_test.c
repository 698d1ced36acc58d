/* The directory and its lock. */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/lock.h"
#include "store_help.h"

Test(store_lock, second_is_told_who_holds_it)
{
    const char *dir = help_dir_begin();
    struct pl_text reason;
    char pid[32];
    int first, second;

    snprintf(pid, sizeof pid, "process %ld;", (long)getpid());
    cr_assert_eq(pl_lock_take(dir, &first, &reason), PL_OK);
    cr_assert_eq(pl_lock_take(dir, &second, &reason), PL_E_BUSY);
    cr_assert_eq(second, -1);
    cr_assert_not_null(strstr(reason.s, pid), "%s", reason.s);
    close(first);
    cr_assert_eq(pl_lock_take(dir, &second, &reason), PL_OK);
    close(second);
    help_dir_end();
}

Test(store_lock, a_killed_holder_leaves_none)
{
    const char *dir = help_dir_begin();
    struct pl_text reason;
    int fd, status;
    pid_t child = fork();

    if (child == 0) {
        _exit(pl_lock_take(dir, &fd, NULL) == PL_OK ? 0 : 1);
    }
    waitpid(child, &status, 0);
    cr_assert_eq(WEXITSTATUS(status), 0);
    cr_assert_eq(pl_lock_take(dir, &fd, &reason), PL_OK, "%s", reason.s);
    close(fd);
    help_dir_end();
}

Test(store_lock, looking_at_it_takes_it_from_nobody)
{
    const char *dir = help_dir_begin();
    struct pl_text reason;
    int fd, status;
    pid_t child;

    cr_expect_not(pl_lock_is_held(dir), "there is no such file yet");
    cr_assert_eq(pl_lock_take(dir, &fd, &reason), PL_OK);
    cr_expect(pl_lock_is_held(dir));
    close(fd);
    cr_expect_not(pl_lock_is_held(dir), "the file that stays is no lock");
    child = fork();
    while (child == 0) {
        (void)pl_lock_is_held(dir);
    }
    for (int i = 0; i < 200; i++) {
        cr_expect_eq(pl_lock_take(dir, &fd, &reason), PL_OK, "%s", reason.s);
        close(fd);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    cr_expect_not(pl_lock_is_held(help_path(dir, "no/such")));
    help_dir_end();
}

Test(store_lock, rubbish_in_the_file_is_no_pid)
{
    const char *dir = help_dir_begin();
    struct pl_text reason;
    int first, second;

    cr_assert_eq(pl_lock_take(dir, &first, NULL), PL_OK);
    help_file_write(help_path(dir, "lock"), (const uint8_t *)"\x1b[31mroot", 9);
    cr_assert_eq(pl_lock_take(dir, &second, &reason), PL_E_BUSY);
    cr_assert_not_null(strstr(reason.s, "(unknown)"), "%s", reason.s);
    close(first);
    help_dir_end();
}

Test(store_lock, directories)
{
    const char *dir = help_dir_begin();
    const char *made = help_path(dir, "new");
    struct pl_text reason;
    struct stat st;

    cr_assert_eq(pl_dir_make(made, &reason), PL_OK);
    cr_assert_eq(stat(made, &st), 0);
    cr_assert_eq(st.st_mode & 07777, 0700);
    cr_assert_eq(pl_dir_make(made, &reason), PL_OK);
    cr_assert_eq(pl_dir_make(help_path(dir, "no/such"), &reason), PL_E_NOT_FOUND);
    help_file_write(help_path(dir, "file"), (const uint8_t *)"x", 1);
    cr_assert_eq(pl_dir_make(help_path(dir, "file"), &reason), PL_E_USAGE);
    cr_assert_not_null(strstr(reason.s, "not a directory"));
    help_dir_end();
}

Test(store_lock, paths_and_errnos)
{
    char out[16];
    static const struct {
        int number;
        enum pl_error error;
    } map[] = {{0, PL_OK},
               {ENOSPC, PL_E_STORE_FULL},
               {EDQUOT, PL_E_STORE_FULL},
               {ENOMEM, PL_E_NO_MEMORY},
               {EACCES, PL_E_PERMISSION},
               {EROFS, PL_E_PERMISSION},
               {ENOENT, PL_E_NOT_FOUND},
               {EIO, PL_E_IO}};

    cr_expect_eq(pl_path_join(out, sizeof out, "/a", "b", NULL), PL_OK);
    cr_expect_str_eq(out, "/a/b");
    cr_expect_eq(pl_path_join(out, sizeof out, "/a-long-name", "data", NULL), PL_E_TOO_LARGE);
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++) {
        cr_expect_eq(pl_errno_error(map[i].number), map[i].error, "errno %d", map[i].number);
    }
}
