/* How much room an environment has: LMDB's map, the file system, the table of readers. A file of its own
 * because it is the only place that looks at LMDB's list of free pages and at the size of its lock file.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "store/env.h"
#include "store/lock.h"

/* Of the map, kept for trims and forks, which need pages to free pages. */
enum { RESERVE_PERCENT = 10 };

/* LMDB 0.9's lock file: a head, and for each reader a slot of one cache line. */
enum { PATH_ROOM = 4096, LOCK_HEAD_BYTES = 4096, LOCK_SLOT_BYTES = 64 };

/* Adds up LMDB's free list: table 0, each value a count and that many page numbers. */
static int free_pages(MDB_txn *txn, uint64_t *pages)
{
    MDB_cursor *cursor;
    MDB_val key, value;
    int rc = mdb_cursor_open(txn, 0, &cursor);

    *pages = 0;
    if (rc != MDB_SUCCESS) {
        return rc;
    }
    while ((rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == MDB_SUCCESS) {
        size_t count;
        memcpy(&count, value.mv_data, sizeof count);
        *pages += count;
    }
    mdb_cursor_close(cursor);
    return rc == MDB_NOTFOUND ? MDB_SUCCESS : rc;
}

/* Pages of LMDB's file, and their size. */
static uint64_t file_pages(struct pl_env *env, uint64_t *page_bytes, uint64_t *map_bytes)
{
    MDB_envinfo info;
    MDB_stat stat;

    mdb_env_info(pl_env_lmdb(env), &info);
    mdb_env_stat(pl_env_lmdb(env), &stat);
    *page_bytes = stat.ms_psize;
    *map_bytes = info.me_mapsize;
    return (uint64_t)info.me_last_pgno + 1;
}

enum pl_error pl_env_used(struct pl_env *env, uint64_t *used_bytes, uint64_t *file_bytes, uint64_t *map_bytes)
{
    MDB_txn *txn = NULL;
    uint64_t page_bytes, unused;
    uint64_t pages = file_pages(env, &page_bytes, map_bytes);
    enum pl_error error = pl_env_read(env, &txn, NULL);

    *file_bytes = pages * page_bytes;
    *used_bytes = *file_bytes;
    if (error != PL_OK) {
        return error;
    }
    error = pl_env_error(free_pages(txn, &unused));
    pl_env_read_end(env, txn);
    pl_env_read_free(txn);
    *used_bytes -= error == PL_OK && unused < pages ? unused * page_bytes : 0;
    return error;
}

/* What may be in use before new records are refused. */
static uint64_t limit_of(uint64_t map_bytes)
{
    return map_bytes - map_bytes / 100 * RESERVE_PERCENT;
}

static enum pl_error map_room(struct pl_env *env, struct pl_text *reason)
{
    uint64_t page_bytes, map_bytes, file_bytes, used_bytes;
    uint64_t pages = file_pages(env, &page_bytes, &map_bytes);
    uint64_t limit_bytes = limit_of(map_bytes);
    enum pl_error error;

    /* The free list is only looked at when the file itself has come to the limit. */
    if (pages * page_bytes <= limit_bytes) {
        return PL_OK;
    }
    error = pl_env_used(env, &used_bytes, &file_bytes, &map_bytes);
    if (error == PL_OK && used_bytes > limit_bytes) {
        pl_text_set(reason, "%s: full: %llu of %llu MiB in use, the rest is kept for making room",
                    pl_env_dir(env), (unsigned long long)(used_bytes >> 20),
                    (unsigned long long)(map_bytes >> 20));
        return PL_E_STORE_FULL;
    }
    return error;
}

enum pl_error pl_env_room(struct pl_env *env, uint64_t floor_bytes, struct pl_text *reason)
{
    struct statvfs fs;
    enum pl_error error = map_room(env, reason);

    if (error != PL_OK || statvfs(pl_env_dir(env), &fs) != 0) {
        return error;
    }
    if ((uint64_t)fs.f_bavail * fs.f_frsize < floor_bytes) {
        pl_text_set(reason, "%s: the file system has only %llu MiB free", pl_env_dir(env),
                    (unsigned long long)((uint64_t)fs.f_bavail * fs.f_frsize >> 20));
        return PL_E_STORE_FULL;
    }
    return PL_OK;
}

enum pl_error pl_env_reserve_readers(const char *dir, uint32_t readers, struct pl_text *reason)
{
    char path[PATH_ROOM];
    enum pl_error error = pl_path_join(path, sizeof path, dir, "lock.mdb", reason);
    off_t bytes = LOCK_HEAD_BYTES + (off_t)readers * LOCK_SLOT_BYTES;
    int fd = error == PL_OK ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;

    /* Whether it may be opened at all is LMDB's to say; a file system that cannot reserve has no better way.
     */
    if (fd < 0) {
        return error;
    }
    if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, bytes) != 0 && (errno == ENOSPC || errno == EDQUOT)) {
        pl_text_set(reason, "%s: %s", path, strerror(errno));
        error = PL_E_STORE_FULL;
    }
    close(fd);
    return error;
}

enum pl_error pl_env_turn(struct pl_env *env, struct pl_text *reason)
{
    uint64_t page_bytes, map_bytes, turns;
    uint64_t pages = file_pages(env, &page_bytes, &map_bytes);
    MDB_txn *txn;
    enum pl_error error;

    if (pages * page_bytes <= limit_of(map_bytes)) {
        return PL_OK;
    }
    error = pl_env_begin(env, &txn, reason);
    if (error != PL_OK) {
        return error;
    }
    error = pl_meta_get_u64(env, txn, "turns", &turns);
    error = error != PL_OK ? error : pl_meta_put_u64(env, txn, "turns", turns + 1);
    if (error != PL_OK) {
        mdb_txn_abort(txn);
        return error;
    }
    return pl_env_commit(env, txn, reason);
}
