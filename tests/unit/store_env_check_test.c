/* Files of a store that are zeroed, empty, cut or gone: said, never a crash, never a new store in their
 * place. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/env_check.h"
#include "store/inspect.h"
#include "store_help.h"

enum fault { ZEROS, EMPTY, HALF, MISSING, DIRECTORY, FAULTS };

static void break_file(const char *path, enum fault fault)
{
    size_t n;
    uint8_t *bytes = help_file_read(path, &n);

    if (fault == ZEROS) {
        memset(bytes, 0, n);
    }
    if (fault == MISSING || fault == DIRECTORY) {
        unlink(path);
    } else {
        help_file_write(path, bytes, fault == EMPTY ? 0 : fault == HALF ? n / 2 : n);
    }
    if (fault == DIRECTORY) {
        mkdir(path, 0700);
    }
    free(bytes);
}

/* A store with some records in it. */
static void fill(const char *dir)
{
    static uint8_t arena[1 << 16];
    struct help_model *model = calloc(1, sizeof *model);
    struct pl_store *store = help_store_open(dir);
    struct pl_chunk chunk;

    pl_chunk_init(&chunk, arena, sizeof arena);
    while (help_model_step(model, &chunk)) {}
    cr_assert_eq(help_commit(store, &chunk, 5), PL_OK);
    pl_store_close(store);
    free(model);
}

static const struct {
    const char *file;
    enum fault fault;
    enum pl_error error;
} cases[] = {
    {"data.mdb", ZEROS, PL_E_STORE_DAMAGED},
    {"data.mdb", EMPTY, PL_E_STORE_DAMAGED},
    {"data.mdb", HALF, PL_E_STORE_DAMAGED},
    {"data.mdb", MISSING, PL_E_STORE_DAMAGED},
    {"data.mdb", DIRECTORY, PL_E_STORE_DAMAGED},
    {"lock.mdb", ZEROS, PL_OK},
    {"lock.mdb", EMPTY, PL_OK},
    {"lock.mdb", HALF, PL_OK},
    {"lock.mdb", MISSING, PL_OK},
    {"lock", ZEROS, PL_OK},
    {"lock", EMPTY, PL_OK},
    {"lock", HALF, PL_OK},
    {"lock", MISSING, PL_OK},
    {"format", ZEROS, PL_OK},
    {"format", EMPTY, PL_OK},
    {"format", HALF, PL_OK},
    {"format", MISSING, PL_OK},
};

Test(store_env_check, each_file_broken)
{
    const char *dir = help_dir_begin();
    char home[300];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 5, .disk_floor_bytes = 1};
        struct pl_store *store;
        struct pl_reader *reader;
        struct pl_text reason = {""};
        enum pl_error error;
        snprintf(home, sizeof home, "%s/%zu", dir, i);
        fill(home);
        break_file(help_path(home, cases[i].file), cases[i].fault);
        error = pl_store_open(home, &options, &store, &reason);
        cr_expect_eq(error, cases[i].error, "%s %d: %d %s", cases[i].file, cases[i].fault, error, reason.s);
        cr_expect_eq(reason.s[0] != 0, error != PL_OK);
        if (error == PL_OK) {
            cr_expect_gt(pl_store_end(store), 0, "%s %d: what was kept is gone", cases[i].file,
                         cases[i].fault);
        }
        pl_store_close(store);
        error = pl_reader_open(home, &reader, &reason);
        cr_expect_eq(error, cases[i].error, "%s %d, reading: %s", cases[i].file, cases[i].fault, reason.s);
        pl_reader_close(reader);
    }
    help_dir_end();
}

/* Every length and a zeroed page anywhere: an error or an answer, never a signal. */
Test(store_env_check, cut_at_any_page)
{
    const char *dir = help_dir_begin();
    char home[300];
    size_t n;
    uint8_t *bytes;

    snprintf(home, sizeof home, "%s/s", dir);
    fill(home);
    bytes = help_file_read(help_path(home, "data.mdb"), &n);
    for (size_t cut = 0; cut < n; cut += cut < 8192 ? 1024 : 4096) {
        struct pl_text reason = {""};
        help_file_write(help_path(home, "data.mdb"), bytes, cut);
        cr_expect_eq(pl_env_check(home, "purelink store 1", &reason), PL_E_STORE_DAMAGED, "%zu", cut);
        cr_expect_not_null(strstr(reason.s, "data.mdb"), "%s", reason.s);
    }
    for (size_t page = 0; page < n; page += 4096) {
        struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 6, .disk_floor_bytes = 1};
        struct pl_store *store;
        uint8_t *copy = malloc(n);
        memcpy(copy, bytes, n);
        memset(copy + page, 0, 4096);
        help_file_write(help_path(home, "data.mdb"), copy, n);
        (void)pl_store_open(home, &options, &store, NULL);
        pl_store_close(store);
        free(copy);
    }
    free(bytes);
    help_dir_end();
}

Test(store_env_check, nothing_is_new_and_a_mark_is_kept)
{
    const char *dir = help_dir_begin();
    struct pl_text reason;

    cr_expect_eq(pl_env_check(dir, "purelink store 1", &reason), PL_E_NOT_FOUND);
    cr_expect_eq(pl_env_check(help_path(dir, "nowhere"), "purelink store 1", &reason), PL_E_NOT_FOUND);
    cr_expect_eq(pl_env_mark(dir, "purelink store 1", &reason), PL_OK);
    cr_expect_eq(pl_env_mark(dir, "purelink store 1", &reason), PL_OK);
    cr_expect_eq(pl_env_check(dir, "purelink store 1", &reason), PL_E_STORE_DAMAGED);
    cr_expect_eq(pl_env_check(dir, "purelink outbox 1", &reason), PL_E_VERSION);
    cr_expect_not_null(strstr(reason.s, "purelink store 1"), "%s", reason.s);
    help_dir_end();
}

/* What was flushed, one letter each: the directory or its parent before there is a mark (d, p), the mark, the
 * directory after it (D). The call before which `fails` counts down to 0 fails. */
static char flushed[8];
static const char *flushed_dir;
static int fails, fails_errno;

static int note_fsync(int fd)
{
    struct stat st, dir, parent;
    size_t n = strlen(flushed);

    cr_assert_eq(fstat(fd, &st), 0);
    cr_assert_eq(stat(flushed_dir, &dir), 0);
    cr_assert_eq(stat(help_path(flushed_dir, ".."), &parent), 0);
    bool marked = access(help_path(flushed_dir, "format"), F_OK) == 0;
    cr_assert_lt(n, sizeof flushed - 1);
    flushed[n] = st.st_ino == dir.st_ino ? (marked ? 'D' : 'd') : st.st_ino == parent.st_ino ? 'p' : 'm';
    flushed[n + 1] = 0;
    errno = fails_errno;
    return --fails == 0 ? -1 : 0;
}

Test(store_env_check, names_are_durable_before_the_mark)
{
    static const struct {
        int fails, number;
        enum pl_error error;
        const char *flushed;
    } runs[] = {{0, 0, PL_OK, "dpmD"},     {1, EIO, PL_E_IO, "d"},      {2, EIO, PL_E_IO, "dp"},
                {3, EIO, PL_E_IO, "dpm"},  {4, EIO, PL_E_IO, "dpmD"},   {2, ENOSPC, PL_E_STORE_FULL, "dp"},
                {1, EINVAL, PL_OK, "dpmD"}, {2, ENOTSUP, PL_OK, "dpmD"}};

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct pl_text reason = {""};
        flushed_dir = help_dir_begin();
        flushed[0] = 0;
        fails = runs[i].fails;
        fails_errno = runs[i].number;
        help_fsync = note_fsync;
        cr_expect_eq(pl_env_mark(flushed_dir, "purelink store 1", &reason), runs[i].error, "%zu", i);
        cr_expect_str_eq(flushed, runs[i].flushed);
        cr_expect((reason.s[0] == 0) == (runs[i].error == PL_OK), "%s", reason.s);
        help_fsync = NULL;
        help_dir_end();
    }
}

/* A disk that can not be read now is no damaged store: who moved it away would lose it. */
Test(store_env_check, a_failed_read_is_no_damage)
{
    const char *dir = help_dir_begin();
    char home[300];
    struct pl_text reason = {""};

    snprintf(home, sizeof home, "%s/s", dir);
    fill(home);
    help_read_errno = EIO;
    cr_expect_eq(pl_env_check(home, "purelink store 1", &reason), PL_E_IO);
    cr_expect_not_null(strstr(reason.s, "data.mdb: cannot read"), "%s", reason.s);
    cr_expect_eq(pl_env_check(home, "purelink store 1", &reason), PL_OK);
    help_dir_end();
}

/* LMDB's first pages, cut anywhere by a power cut before a transaction ended: a new store, unless it is
 * marked. With a transaction in a meta page, or with more pages than a first one writes, it is damaged. */
Test(store_env_check, a_beginning_that_was_cut_off)
{
    static const size_t sizes[] = {1, 4096, 8191, 8192, 20480, 64 * 4096};
    const char *dir = help_dir_begin();
    char home[300];
    struct pl_store_options options = {.map_bytes = 64 << 20, .owner = 6, .disk_floor_bytes = 1};
    struct pl_store *store;
    uint8_t *zeros = calloc(1, 65 * 4096), *bytes;
    size_t n;

    snprintf(home, sizeof home, "%s/s", dir);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        mkdir(home, 0700);
        help_file_write(help_path(home, "data.mdb"), zeros, sizes[i]);
        cr_expect_eq(pl_env_check(home, "purelink store 1", NULL), PL_E_NOT_FOUND, "%zu", sizes[i]);
        cr_assert_eq(pl_store_open(home, &options, &store, NULL), PL_OK, "%zu", sizes[i]);
        pl_store_close(store);
        bytes = help_file_read(help_path(home, "data.mdb"), &n);
        unlink(help_path(home, "format"));
        memset(bytes, 0, 4096);
        help_file_write(help_path(home, "data.mdb"), bytes, n);
        cr_expect_eq(pl_env_check(home, "purelink store 1", NULL), PL_E_STORE_DAMAGED, "%zu", sizes[i]);
        free(bytes);
        unlink(help_path(home, "data.mdb"));
    }
    help_file_write(help_path(home, "data.mdb"), zeros, 65 * 4096);
    cr_expect_eq(pl_env_check(home, "purelink store 1", NULL), PL_E_STORE_DAMAGED);
    free(zeros);
    help_dir_end();
}
