/* Opening, owning and ending an LMDB environment. Flags: NOTLS (a reader belongs to a caller, not to a
 * thread) and NORDAHEAD; never WRITEMAP, NOSYNC, NOMETASYNC; not NOMEMINIT either, which would write old heap
 * bytes to disk.
 *
 * Ownership: the lock (lock.h) keeps a second process out. Where locks do not hold, the owner number does: it
 * is written when the environment is opened, and every write transaction compares it; LMDB serialises those,
 * so the first one after another process took over fails with PL_E_BUSY and changes nothing.
 */
#include "store/env.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/bytes.h"
#include "store/env_check.h"
#include "store/lock.h"

enum { OWNER_SIZE = 24, ID_SIZE = 16, READERS_MAX = 126 };

struct pl_env {
    struct pl_env *next;
    MDB_env *lmdb;
    MDB_dbi tables[PL_ENV_TABLES_MAX];
    dev_t device;
    ino_t inode;
    char *dir;
    unsigned uses;
    unsigned readings; /* snapshots in use: only without them may the map be resized */
    int lock_fd;       /* -1 while nobody in this process writes */
    bool read_only;
    bool failed; /* a write failed in a way that leaves the file's state unknown */
    uint64_t owner;
};

/* All environments of this process, and their uses and readings. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct pl_env *opened;

enum pl_error pl_env_error(int rc)
{
    switch (rc) {
    case MDB_SUCCESS: return PL_OK;
    case MDB_NOTFOUND: return PL_E_NOT_FOUND;
    case MDB_KEYEXIST: return PL_E_EXISTS;
    case MDB_MAP_FULL:
    case MDB_TXN_FULL: return PL_E_STORE_FULL;
    case MDB_PAGE_NOTFOUND:
    case MDB_CORRUPTED:
    case MDB_INVALID:
    case MDB_INCOMPATIBLE: return PL_E_STORE_DAMAGED;
    case MDB_VERSION_MISMATCH: return PL_E_VERSION;
    case MDB_READERS_FULL: return PL_E_LIMIT;
    case MDB_PANIC: return PL_E_IO;
    default: return rc > 0 ? pl_errno_error(rc) : PL_E_STORE;
    }
}

enum pl_error pl_env_fail(const struct pl_env *env, int rc, const char *what, struct pl_text *reason)
{
    if (rc != MDB_SUCCESS) {
        pl_text_set(reason, "%s: %s: %s", env->dir, what, mdb_strerror(rc));
    }
    return pl_env_error(rc);
}

const char *pl_env_dir(const struct pl_env *env)
{
    return env->dir;
}

MDB_env *pl_env_lmdb(struct pl_env *env)
{
    return env->lmdb;
}

MDB_dbi pl_env_table(const struct pl_env *env, size_t table)
{
    return env->tables[table];
}

enum pl_error pl_meta_get(const struct pl_env *env, MDB_txn *txn, const char *name, struct pl_bytes *out)
{
    MDB_val key = {strlen(name), (void *)name};
    MDB_val value;
    int rc = mdb_get(txn, env->tables[0], &key, &value);

    *out = rc == MDB_SUCCESS ? (struct pl_bytes){value.mv_data, value.mv_size} : (struct pl_bytes){0};
    return pl_env_error(rc);
}

enum pl_error pl_meta_put(const struct pl_env *env, MDB_txn *txn, const char *name, struct pl_bytes value)
{
    MDB_val key = {strlen(name), (void *)name};
    MDB_val data = {value.n, (void *)value.p};

    return pl_env_error(mdb_put(txn, env->tables[0], &key, &data, 0));
}

enum pl_error pl_meta_get_u64(const struct pl_env *env, MDB_txn *txn, const char *name, uint64_t *out)
{
    struct pl_bytes value;
    enum pl_error error = pl_meta_get(env, txn, name, &value);

    *out = 0;
    if (error != PL_OK) {
        return error == PL_E_NOT_FOUND ? PL_OK : error;
    }
    if (value.n != 8) {
        return PL_E_STORE_DAMAGED;
    }
    *out = pl_get_le64(value.p);
    return PL_OK;
}

enum pl_error pl_meta_put_u64(const struct pl_env *env, MDB_txn *txn, const char *name, uint64_t value)
{
    uint8_t bytes[8];

    pl_put_le64(bytes, value);
    return pl_meta_put(env, txn, name, (struct pl_bytes){bytes, sizeof bytes});
}

enum pl_error pl_meta_owner(const struct pl_env *env, MDB_txn *txn, struct pl_owner *out)
{
    struct pl_bytes value;
    enum pl_error error = pl_meta_get(env, txn, "owner", &value);

    if (error != PL_OK || value.n != OWNER_SIZE) {
        return error != PL_OK ? error : PL_E_STORE_DAMAGED;
    }
    *out = (struct pl_owner){pl_get_le64(value.p), pl_get_le64(value.p + 8), pl_get_le64(value.p + 16)};
    return PL_OK;
}

/* ---- transactions */

static enum pl_error check_owner(const struct pl_env *env, MDB_txn *txn, struct pl_text *reason)
{
    struct pl_owner owner;
    enum pl_error error = pl_meta_owner(env, txn, &owner);

    if (error != PL_OK) {
        pl_text_set(reason, "%s: the owner's row cannot be read", env->dir);
        return PL_E_STORE_DAMAGED;
    }
    if (owner.number != env->owner) {
        pl_text_set(reason, "%s: process %" PRIu64 " opened it meanwhile and owns it now", env->dir,
                    owner.pid);
        return PL_E_BUSY;
    }
    return PL_OK;
}

static enum pl_error begin_unchecked(struct pl_env *env, MDB_txn **txn, struct pl_text *reason)
{
    if (env->failed) {
        pl_text_set(reason, "%s: an earlier write failed, what the disk holds is not known: open it again",
                    env->dir);
        return PL_E_IO;
    }
    return pl_env_fail(env, mdb_txn_begin(env->lmdb, NULL, 0, txn), "begin", reason);
}

enum pl_error pl_env_begin(struct pl_env *env, MDB_txn **txn, struct pl_text *reason)
{
    enum pl_error error = begin_unchecked(env, txn, reason);

    if (error != PL_OK) {
        return error;
    }
    error = check_owner(env, *txn, reason);
    if (error != PL_OK) {
        mdb_txn_abort(*txn);
        *txn = NULL;
    }
    return error;
}

/* Whether LMDB could not write its meta page. Whatever the reason was, a disk with no room too, the
 * transaction may come to light at the next opening, so "nothing of it happened" would be wrong. */
static bool is_undecided(struct pl_env *env)
{
    MDB_txn *txn;
    int rc = mdb_txn_begin(env->lmdb, NULL, 0, &txn);

    if (rc == MDB_SUCCESS) {
        mdb_txn_abort(txn);
    }
    return rc == MDB_PANIC;
}

enum pl_error pl_env_commit(struct pl_env *env, MDB_txn *txn, struct pl_text *reason)
{
    int rc = mdb_txn_commit(txn);
    enum pl_error error = pl_env_fail(env, rc, "commit", reason);

    if (error != PL_OK && is_undecided(env)) {
        error = PL_E_IO;
    }
    env->failed = env->failed || error == PL_E_IO;
    return error;
}

/* Another process enlarged the map: take its size, if nobody in this process is reading. */
static int resize(struct pl_env *env)
{
    return env->readings == 0 ? mdb_env_set_mapsize(env->lmdb, 0) : MDB_MAP_RESIZED;
}

enum pl_error pl_env_read(struct pl_env *env, MDB_txn **txn, struct pl_text *reason)
{
    int rc = MDB_MAP_RESIZED;

    pthread_mutex_lock(&guard);
    for (int tries = 0; tries < 2 && rc == MDB_MAP_RESIZED; tries++) {
        rc = *txn != NULL ? mdb_txn_renew(*txn) : mdb_txn_begin(env->lmdb, NULL, MDB_RDONLY, txn);
        if (rc == MDB_MAP_RESIZED && tries == 0 && env->read_only) {
            rc = resize(env) == MDB_SUCCESS ? MDB_MAP_RESIZED : MDB_PANIC;
        }
    }
    env->readings += rc == MDB_SUCCESS;
    pthread_mutex_unlock(&guard);
    return pl_env_fail(env, rc, "read", reason);
}

void pl_env_read_end(struct pl_env *env, MDB_txn *txn)
{
    mdb_txn_reset(txn);
    pthread_mutex_lock(&guard);
    env->readings--;
    pthread_mutex_unlock(&guard);
}

void pl_env_read_free(MDB_txn *txn)
{
    if (txn != NULL) {
        mdb_txn_abort(txn);
    }
}

/* ---- opening */

static struct pl_env *find_opened(const char *dir)
{
    char path[4096];
    struct stat st;

    if (pl_path_join(path, sizeof path, dir, "data.mdb", NULL) != PL_OK || stat(path, &st) != 0) {
        return NULL;
    }
    for (struct pl_env *env = opened; env != NULL; env = env->next) {
        if (env->device == st.st_dev && env->inode == st.st_ino) {
            return env;
        }
    }
    return NULL;
}

static enum pl_error remember_file(struct pl_env *env)
{
    mdb_filehandle_t fd;
    struct stat st;

    if (mdb_env_get_fd(env->lmdb, &fd) != MDB_SUCCESS || fstat(fd, &st) != 0) {
        return PL_E_IO;
    }
    env->device = st.st_dev;
    env->inode = st.st_ino;
    return PL_OK;
}

static enum pl_error open_lmdb(struct pl_env *env, const struct pl_env_spec *spec, struct pl_text *reason)
{
    unsigned flags = MDB_NOTLS | MDB_NORDAHEAD | (spec->write ? 0 : MDB_RDONLY);
    enum pl_error error = pl_env_reserve_readers(spec->dir, READERS_MAX, reason);
    int rc, dead;

    if (error != PL_OK) {
        return error;
    }
    rc = mdb_env_create(&env->lmdb);
    rc = rc ? rc : mdb_env_set_maxdbs(env->lmdb, PL_ENV_TABLES_MAX);
    rc = rc ? rc : mdb_env_set_maxreaders(env->lmdb, READERS_MAX);
    if (rc == MDB_SUCCESS && spec->write) {
        rc = mdb_env_set_mapsize(env->lmdb, (size_t)spec->map_bytes);
    }
    rc = rc ? rc : mdb_env_open(env->lmdb, spec->dir, flags, 0600);
    if (rc == MDB_SUCCESS) {
        /* Slots of readers that were killed would hold back pages for ever. */
        mdb_reader_check(env->lmdb, &dead);
    }
    return pl_env_fail(env, rc, "cannot open", reason);
}

static enum pl_error open_tables(struct pl_env *env, MDB_txn *txn, const struct pl_env_spec *spec,
                                 struct pl_text *reason)
{
    unsigned create = spec->write ? MDB_CREATE : 0;

    for (size_t i = 0; i < spec->tables_n; i++) {
        int rc = mdb_dbi_open(txn, spec->tables[i].name, spec->tables[i].flags | create, &env->tables[i]);
        if (rc != MDB_SUCCESS) {
            pl_text_set(reason, "%s: table %s: %s", env->dir, spec->tables[i].name, mdb_strerror(rc));
            return rc == MDB_NOTFOUND ? PL_E_VERSION : pl_env_error(rc);
        }
    }
    return PL_OK;
}

static enum pl_error check_version(struct pl_env *env, MDB_txn *txn, const char *format,
                                   struct pl_text *reason)
{
    struct pl_bytes value;
    enum pl_error error = pl_meta_get(env, txn, "format", &value);

    if (error != PL_OK) {
        return error;
    }
    assert(value.p != NULL);
    if (value.n != strlen(format) || memcmp(value.p, format, value.n) != 0) {
        pl_text_set(reason, "%s: holds '%.*s', this program reads '%s'", env->dir,
                    (int)(value.n < 40 ? value.n : 40), (const char *)value.p, format);
        return PL_E_VERSION;
    }
    return PL_OK;
}

/* First transaction of a writer: tables, format, the owner's row. */
static enum pl_error take_over(struct pl_env *env, MDB_txn *txn, const struct pl_env_spec *spec,
                               struct pl_text *reason)
{
    uint8_t owner[OWNER_SIZE];
    enum pl_error error = open_tables(env, txn, spec, reason);

    error = error != PL_OK ? error : check_version(env, txn, spec->format, reason);
    if (error == PL_E_NOT_FOUND) {
        error = pl_meta_put(env, txn, "format",
                            (struct pl_bytes){(const uint8_t *)spec->format, strlen(spec->format)});
        error = error != PL_OK ? error : pl_meta_put(env, txn, "id", (struct pl_bytes){spec->id, ID_SIZE});
    }
    pl_put_le64(owner, spec->owner);
    pl_put_le64(owner + 8, (uint64_t)getpid());
    pl_put_le64(owner + 16, spec->wall_ms);
    return error != PL_OK ? error : pl_meta_put(env, txn, "owner", (struct pl_bytes){owner, sizeof owner});
}

/* The transaction keeps out other writers. */
static enum pl_error settle(struct pl_env *env, struct pl_text *reason)
{
    mdb_filehandle_t fd = -1;
    int rc = mdb_env_get_fd(env->lmdb, &fd);

    return rc != MDB_SUCCESS ? pl_env_fail(env, rc, "open", reason) : pl_env_settle(fd, env->dir, reason);
}

static enum pl_error start_writing(struct pl_env *env, const struct pl_env_spec *spec, struct pl_text *reason)
{
    MDB_txn *txn;
    enum pl_error error = begin_unchecked(env, &txn, reason);

    if (error != PL_OK) {
        return error;
    }
    env->owner = spec->owner;
    error = settle(env, reason);
    error = error != PL_OK ? error : take_over(env, txn, spec, reason);
    if (error != PL_OK) {
        mdb_txn_abort(txn);
        return error;
    }
    error = pl_env_commit(env, txn, reason);
    return error != PL_OK ? error : pl_env_mark(spec->dir, spec->format, reason);
}

/* A reader opens the tables in a transaction that must be committed for the handles to last. */
static enum pl_error start_reading(struct pl_env *env, const struct pl_env_spec *spec, struct pl_text *reason)
{
    MDB_txn *txn;
    int rc = mdb_txn_begin(env->lmdb, NULL, MDB_RDONLY, &txn);
    enum pl_error error = pl_env_fail(env, rc, "read", reason);

    if (error != PL_OK) {
        return error;
    }
    error = open_tables(env, txn, spec, reason);
    error = error != PL_OK ? error : check_version(env, txn, spec->format, reason);
    if (error != PL_OK) {
        mdb_txn_abort(txn);
        return error == PL_E_NOT_FOUND ? PL_E_VERSION : error;
    }
    return pl_env_fail(env, mdb_txn_commit(txn), "read", reason);
}

static void env_free(struct pl_env *env)
{
    if (env->lmdb != NULL) {
        mdb_env_close(env->lmdb);
    }
    if (env->lock_fd >= 0) {
        close(env->lock_fd);
    }
    free(env->dir);
    free(env);
}

static enum pl_error open_new(const struct pl_env_spec *spec, int lock_fd, struct pl_env **out,
                              struct pl_text *reason)
{
    struct pl_env *env;
    enum pl_error error = pl_env_check(spec->dir, spec->format, reason);

    if (error == PL_E_NOT_FOUND && spec->write) {
        pl_text_set(reason, "%s", ""); /* that nothing is kept yet is no fault of a writer */
        error = pl_env_clear(spec->dir, reason);
    }
    if (error != PL_OK) {
        return error;
    }
    env = calloc(1, sizeof *env);
    if (env == NULL || (env->dir = strdup(spec->dir)) == NULL) {
        free(env);
        return PL_E_NO_MEMORY;
    }
    env->lock_fd = -1;
    env->read_only = !spec->write;
    error = open_lmdb(env, spec, reason);
    error = error != PL_OK ? error : remember_file(env);
    if (error == PL_OK) {
        error = spec->write ? start_writing(env, spec, reason) : start_reading(env, spec, reason);
    }
    if (error != PL_OK) {
        if (reason != NULL && reason->s[0] == 0) {
            pl_text_set(reason, "%s: cannot be opened: %s", spec->dir, pl_error_doc(error));
        }
        env_free(env);
        return error;
    }
    env->lock_fd = lock_fd;
    env->next = opened;
    opened = env;
    *out = env;
    return PL_OK;
}

static enum pl_error open_again(struct pl_env *env, const struct pl_env_spec *spec, int lock_fd,
                                struct pl_text *reason)
{
    enum pl_error error = PL_OK;

    if (spec->write && (env->read_only || env->failed)) {
        pl_text_set(reason, "%s: this process has it open for reading; close that first", env->dir);
        return PL_E_BUSY;
    }
    if (spec->write) {
        error = start_writing(env, spec, reason);
    } else {
        MDB_txn *txn;
        error = pl_env_fail(env, mdb_txn_begin(env->lmdb, NULL, MDB_RDONLY, &txn), "read", reason);
        if (error == PL_OK) {
            error = check_version(env, txn, spec->format, reason);
            mdb_txn_abort(txn);
        }
    }
    if (error == PL_OK && spec->write) {
        env->lock_fd = lock_fd;
    }
    return error;
}

enum pl_error pl_env_open(const struct pl_env_spec *spec, struct pl_env **out, struct pl_text *reason)
{
    enum pl_error error = PL_OK;
    int lock_fd = -1;

    assert(spec->tables_n <= PL_ENV_TABLES_MAX);
    *out = NULL;
    if (spec->write) {
        error = pl_dir_make(spec->dir, reason);
        error = error != PL_OK ? error : pl_lock_take(spec->dir, &lock_fd, reason);
    }
    if (error != PL_OK) {
        return error;
    }
    pthread_mutex_lock(&guard);
    *out = find_opened(spec->dir);
    error = *out != NULL ? open_again(*out, spec, lock_fd, reason) : open_new(spec, lock_fd, out, reason);
    if (error == PL_OK) {
        (*out)->uses++;
    } else {
        *out = NULL;
    }
    pthread_mutex_unlock(&guard);
    if (error != PL_OK && lock_fd >= 0) {
        close(lock_fd);
    }
    return error;
}

struct pl_env *pl_env_share(struct pl_env *env)
{
    pthread_mutex_lock(&guard);
    env->uses++;
    pthread_mutex_unlock(&guard);
    return env;
}

void pl_env_close(struct pl_env *env, bool writer)
{
    if (env == NULL) {
        return;
    }
    pthread_mutex_lock(&guard);
    if (writer && env->lock_fd >= 0) {
        close(env->lock_fd);
        env->lock_fd = -1;
    }
    if (--env->uses == 0) {
        struct pl_env **at = &opened;
        while (*at != env) {
            at = &(*at)->next;
        }
        *at = env->next;
        env_free(env);
    }
    pthread_mutex_unlock(&guard);
}
