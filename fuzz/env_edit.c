/* Damaging a directory of LMDB's. */
#include "env_edit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "store/bytes.h"

enum {
    EDIT_HEAD = 6,
    EDITS_MAX = 32,
    KEY_MAX = 511,
    VALUE_MAX = 1 << 17,
    MAP_BYTES = 1 << 23,
    PATH_MAX_BYTES = 100
};
enum { REPAIR = 0x80, META_PAGES = 2, META_MAGIC_AT = 16 };

enum how { HOW_XOR, HOW_WRITE, HOW_CUT, HOW_DELETE, HOW_REPLACE, HOW_KEY, HOW_AGAIN, HOW_NUMBER, HOW_COUNT };
enum file_how { FILE_CUT, FILE_FORMAT, FILE_META, FILE_LONGER, FILE_HOW_COUNT };

struct edit {
    uint8_t table, row, how, n;
    uint16_t at;
    const uint8_t *bytes;
};

static struct made {
    char dir[PATH_MAX_BYTES], data_path[PATH_MAX_BYTES], format_path[PATH_MAX_BYTES];
    uint8_t *data, format[64];
    size_t data_n, format_n;
} made;

static size_t read_whole(const char *path, uint8_t *out, size_t room)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        fuzz_fail("%s cannot be read", path);
    }
    size_t n = fread(out, 1, room, file);
    fclose(file);
    return n;
}

static void write_whole(const char *path, const uint8_t *p, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, p, n) != (ssize_t)n || close(fd) != 0) {
        fuzz_fail("%s cannot be written", path);
    }
}

static void remove_files(void)
{
    static const char *const names[] = {"data.mdb", "lock.mdb", "lock", "format"};
    char path[PATH_MAX_BYTES + 16];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", made.dir, names[i]);
        unlink(path);
    }
}

void edit_begin(const struct edit_target *target)
{
    const char *given = getenv("FUZZ_DIR");

    snprintf(made.dir, sizeof made.dir, "%.70s", given != NULL ? given : "/tmp/fuzz-XXXXXX");
    if (given == NULL && mkdtemp(made.dir) == NULL) {
        fuzz_fail("no directory below /tmp");
    }
    remove_files();
    snprintf(made.data_path, sizeof made.data_path, "%.80s/data.mdb", made.dir);
    snprintf(made.format_path, sizeof made.format_path, "%.80s/format", made.dir);
    target->make(made.dir);
    made.data = malloc(MAP_BYTES);
    if (made.data == NULL) {
        fuzz_fail("no memory");
    }
    made.data_n = read_whole(made.data_path, made.data, MAP_BYTES);
    made.format_n = read_whole(made.format_path, made.format, sizeof made.format);
}

/* ---- rows */

static uint64_t interesting(uint8_t n, uint64_t old)
{
    static const uint64_t values[] = {0,          1,          127,       128,        UINT32_MAX,
                                      1ULL << 32, 1ULL << 62, INT64_MAX, UINT64_MAX, UINT64_MAX - 1};
    size_t count = sizeof values / sizeof values[0];

    return n % (count + 2) < count ? values[n % (count + 2)] : n % (count + 2) == count ? old + 1 : old - 1;
}

static void change_number(uint8_t *value, size_t n, const struct edit *edit)
{
    if (n >= sizeof(uint64_t)) {
        size_t at = edit->at % (n - sizeof(uint64_t) + 1);
        pl_put_le64(value + at, interesting(edit->n, pl_get_le64(value + at)));
    }
}

/* The changed value; returns its size. */
static size_t change_value(const struct edit *edit, uint8_t *value, size_t n)
{
    size_t at = n == 0 ? 0 : edit->at % n;
    size_t fits = edit->n < n - at ? edit->n : n - at;

    switch (edit->how & 7) {
    case HOW_XOR:
        if (n > 0) {
            value[at] ^= (uint8_t)(edit->n | 1);
        }
        break;
    case HOW_WRITE: memcpy(value + at, edit->bytes, fits); break;
    case HOW_CUT: n = at; break;
    case HOW_REPLACE:
        memcpy(value, edit->bytes, edit->n);
        n = edit->n;
        break;
    case HOW_NUMBER: change_number(value, n, edit); break;
    default: break;
    }
    return n;
}

static void put_row(const struct edit_target *target, MDB_txn *txn, MDB_dbi dbi, const struct edit *edit,
                    MDB_val *key, uint8_t *value, size_t n)
{
    size_t table = edit->table % target->tables_n;

    if ((edit->how & REPAIR) != 0 && target->repair != NULL) {
        target->repair(table, key, value, n);
    }
    MDB_val stored = {n, value};
    mdb_put(txn, dbi, key, &stored, 0);
}

/* A row under a changed key, in place of the old one or beside it. */
static void change_key(const struct edit *edit, uint8_t *key, size_t *key_n)
{
    if ((edit->n & 0x0f) == 0) {
        *key_n = 1 + edit->at % 20;
    } else {
        key[edit->at % *key_n] ^= edit->n;
    }
}

static void edit_row(const struct edit_target *target, MDB_txn *txn, MDB_cursor *cursor, MDB_dbi dbi,
                     const struct edit *edit)
{
    static uint8_t value[VALUE_MAX];
    uint8_t key_bytes[KEY_MAX] = {0};
    MDB_val key, old;

    if (mdb_cursor_get(cursor, &key, &old, MDB_FIRST) != 0) {
        return;
    }
    for (unsigned i = 0; i < edit->row && mdb_cursor_get(cursor, &key, &old, MDB_NEXT) == 0; i++) {}
    if (mdb_cursor_get(cursor, &key, &old, MDB_GET_CURRENT) != 0 || old.mv_size > sizeof value - 256) {
        return;
    }
    size_t key_n = key.mv_size, n = old.mv_size;
    memcpy(key_bytes, key.mv_data, key_n);
    memcpy(value, old.mv_data, n);
    MDB_val own_key = {key_n, key_bytes};
    if ((edit->how & 7) == HOW_DELETE || (edit->how & 7) == HOW_KEY) {
        mdb_cursor_del(cursor, 0);
    }
    if ((edit->how & 7) == HOW_DELETE) {
        return;
    }
    if ((edit->how & 7) == HOW_KEY || (edit->how & 7) == HOW_AGAIN) {
        change_key(edit, key_bytes, &own_key.mv_size);
    }
    n = change_value(edit, value, n);
    put_row(target, txn, dbi, edit, &own_key, value, n);
}

static void edit_table(const struct edit_target *target, MDB_txn *txn, const struct edit *edit)
{
    const struct pl_table *table = &target->tables[edit->table % target->tables_n];
    MDB_cursor *cursor;
    MDB_dbi dbi;

    if (mdb_dbi_open(txn, table->name, table->flags & ~(unsigned)MDB_CREATE, &dbi) == 0 &&
        mdb_cursor_open(txn, dbi, &cursor) == 0) {
        edit_row(target, txn, cursor, dbi, edit);
        mdb_cursor_close(cursor);
    }
}

/* ---- the file as a whole */

static void edit_meta(const struct edit *edit)
{
    /* Where magic, version and page size of a meta page are, and its flags. */
    static const uint8_t fields[] = {16, 17, 18, 19, 20, 21, 22, 23, 40, 41, 42, 43, 10, 11};
    size_t page = (edit->row & 1) == 0 ? 0 : (size_t)sysconf(_SC_PAGESIZE);
    off_t at = (off_t)(page + fields[edit->at % sizeof fields]);
    int fd = open(made.data_path, O_RDWR | O_CLOEXEC);
    uint8_t byte = 0;

    if (fd < 0 || pread(fd, &byte, 1, at) != 1) {
        fuzz_fail("%s has no meta page", made.data_path);
    }
    byte ^= edit->n;
    if (pwrite(fd, &byte, 1, at) != 1 || close(fd) != 0) {
        fuzz_fail("%s cannot be changed", made.data_path);
    }
}

static void edit_file(const struct edit *edit)
{
    struct stat st;

    if (stat(made.data_path, &st) != 0) {
        fuzz_fail("%s is gone", made.data_path);
    }
    switch (edit->how % FILE_HOW_COUNT) {
    case FILE_FORMAT: write_whole(made.format_path, edit->bytes, edit->n); break;
    case FILE_META:
        if (st.st_size >= META_PAGES * sysconf(_SC_PAGESIZE)) {
            edit_meta(edit);
        }
        break;
    case FILE_LONGER: (void)!truncate(made.data_path, st.st_size + edit->at); break;
    default:
        (void)!truncate(made.data_path, (off_t)edit->at * 16 < st.st_size ? (off_t)edit->at * 16 : 0);
        break;
    }
}

/* ---- an input */

static bool wants_bytes(const struct edit_target *target, const struct edit *edit)
{
    if (edit->table % (target->tables_n + 1) == target->tables_n) {
        return edit->how % FILE_HOW_COUNT == FILE_FORMAT;
    }
    return (edit->how & 7) == HOW_WRITE || (edit->how & 7) == HOW_REPLACE;
}

static size_t next_edit(const struct edit_target *target, const uint8_t *p, size_t n, size_t at,
                        struct edit *edit)
{
    if (n < at + EDIT_HEAD) {
        return 0;
    }
    *edit = (struct edit){.table = p[at],
                          .row = p[at + 1],
                          .how = p[at + 2],
                          .at = (uint16_t)(p[at + 3] << 8 | p[at + 4]),
                          .n = p[at + 5],
                          .bytes = p + at + EDIT_HEAD};
    at += EDIT_HEAD;
    if (!wants_bytes(target, edit)) {
        return at;
    }
    edit->n = edit->n < n - at ? edit->n : (uint8_t)(n - at);
    return at + edit->n;
}

static bool is_file_edit(const struct edit_target *target, const struct edit *edit)
{
    return edit->table % (target->tables_n + 1) == target->tables_n;
}

static void note(const struct edit_target *target, const struct edit *edit, struct edits *done)
{
    unsigned how = edit->how & 7;

    done->n++;
    if (is_file_edit(target, edit)) {
        done->file = true;
        return;
    }
    done->repaired |= (edit->how & REPAIR) != 0;
    done->meta |= edit->table % target->tables_n == 0;
    done->moved |= how == HOW_DELETE || how == HOW_KEY || how == HOW_AGAIN;
}

/* Rows first: after the file was changed LMDB is not to see it before its check. */
static void edit_rows(const struct edit_target *target, const uint8_t *p, size_t n, struct edits *done)
{
    struct edit edit;
    MDB_env *env = NULL;
    MDB_txn *txn = NULL;

    if (mdb_env_create(&env) != 0 || mdb_env_set_maxdbs(env, PL_ENV_TABLES_MAX) != 0 ||
        mdb_env_set_mapsize(env, MAP_BYTES) != 0 ||
        mdb_env_open(env, made.dir, MDB_NOSYNC | MDB_NOLOCK, 0600) != 0 ||
        mdb_txn_begin(env, NULL, 0, &txn) != 0) {
        fuzz_fail("%s: LMDB does not open what was made", made.dir);
    }
    for (size_t at = 0; (at = next_edit(target, p, n, at, &edit)) != 0 && done->n < EDITS_MAX;) {
        note(target, &edit, done);
        if (!is_file_edit(target, &edit)) {
            edit_table(target, txn, &edit);
        }
    }
    if (mdb_txn_commit(txn) != 0) {
        fuzz_fail("%s: the edits are not written", made.dir);
    }
    mdb_env_close(env);
}

const char *edit_dir(const struct edit_target *target, const uint8_t *p, size_t n, struct edits *done)
{
    struct edit edit;
    unsigned edits = 0;

    memset(done, 0, sizeof *done);
    write_whole(made.data_path, made.data, made.data_n);
    write_whole(made.format_path, made.format, made.format_n);
    edit_rows(target, p, n, done);
    for (size_t at = 0; (at = next_edit(target, p, n, at, &edit)) != 0 && edits < EDITS_MAX; edits++) {
        if (is_file_edit(target, &edit)) {
            edit_file(&edit);
        }
    }
    return made.dir;
}

void edit_check_reason(const char *what, enum pl_error error, struct pl_text *reason)
{
    if (error != PL_OK && (reason->s[0] == '\0' || strpbrk(reason->s, "\n\r\033") != NULL)) {
        fuzz_fail("%s: %s, and no line that says why: %s", what, pl_error_name(error), reason->s);
    }
    reason->s[0] = '\0';
}
