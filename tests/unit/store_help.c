/* What the tests of src/store share. */
#include "store_help.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "link/link_varint.h"
#include "store/tables.h"

static char dir[64];

const char *help_dir_begin(void)
{
    strcpy(dir, "/tmp/purelink-store-XXXXXX");
    cr_assert_not_null(mkdtemp(dir));
    return dir;
}

static void remove_tree(const char *path)
{
    DIR *listing = opendir(path);
    struct dirent *entry;
    char child[512];

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        if (unlink(child) != 0) {
            remove_tree(child);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
    rmdir(path);
}

void help_dir_end(void)
{
    remove_tree(dir);
}

const char *help_path(const char *in, const char *name)
{
    static char paths[8][512];
    static unsigned turn;
    char *path = paths[turn++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", in, name);
    return path;
}

uint8_t *help_file_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    struct stat st;

    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fstat(fileno(file), &st), 0);
    bytes = malloc((size_t)st.st_size + 1);
    *n = fread(bytes, 1, (size_t)st.st_size, file);
    fclose(file);
    return bytes;
}

void help_file_write(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

bool help_copy_dir(const char *from, const char *to)
{
    DIR *listing = opendir(from);
    struct dirent *entry;

    if (listing == NULL || mkdir(to, 0700) != 0) {
        return false;
    }
    while ((entry = readdir(listing)) != NULL) {
        if (entry->d_type == DT_REG) {
            size_t n;
            char path[512];
            uint8_t *bytes;
            snprintf(path, sizeof path, "%s/%s", from, entry->d_name);
            bytes = help_file_read(path, &n);
            snprintf(path, sizeof path, "%s/%s", to, entry->d_name);
            help_file_write(path, bytes, n);
            free(bytes);
        }
    }
    closedir(listing);
    return true;
}

uint32_t help_draw(struct help_random *random, uint32_t below)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random->state >> 33) % below);
}

struct pl_store *help_store_open(const char *in)
{
    static uint64_t owner = 100;
    struct pl_store_options options = {.map_bytes = 256 << 20, .owner = owner++, .wall_ms = 1000};
    struct pl_store *store;
    struct pl_text reason;
    enum pl_error error;

    options.disk_floor_bytes = 1;
    error = pl_store_open(in, &options, &store, &reason);
    cr_assert_eq(error, PL_OK, "%d %s", (int)error, reason.s);
    return store;
}

struct pl_env *help_env_open(const char *in)
{
    static uint64_t owner = 1;
    const struct pl_env_spec spec = {.dir = in,
                                     .format = PL_STORE_FORMAT,
                                     .tables = pl_store_tables,
                                     .tables_n = PL_T_COUNT,
                                     .write = true,
                                     .map_bytes = 64 << 20,
                                     .owner = owner++,
                                     .id = (const uint8_t *)"0123456789abcdef"};
    struct pl_env *env;
    struct pl_text reason;

    cr_assert_eq(pl_env_open(&spec, &env, &reason), PL_OK, "%s", reason.s);
    return env;
}

MDB_txn *help_env_begin(struct pl_env *env)
{
    MDB_txn *txn;

    cr_assert_eq(pl_env_begin(env, &txn, NULL), PL_OK);
    return txn;
}

size_t help_damage(const char *in, const char *needle)
{
    const char *path = help_path(in, "data.mdb");
    size_t n, count = 0;
    uint8_t *bytes = help_file_read(path, &n);
    uint8_t *at = bytes;

    while ((at = memmem(at, (size_t)(bytes + n - at), needle, strlen(needle))) != NULL) {
        *at++ ^= 0x10;
        count++;
    }
    help_file_write(path, bytes, n);
    free(bytes);
    return count;
}

int help_sync_errno;

/* LMDB's own call comes here: the program's symbol goes before the C library's. */
__attribute__((visibility("default"))) int fdatasync(int fd)
{
    if (help_sync_errno != 0) {
        errno = help_sync_errno;
        help_sync_errno = 0;
        return -1;
    }
    return (int)syscall(SYS_fdatasync, fd);
}

int help_meta_errno;

__attribute__((visibility("default"))) ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    if (help_meta_errno != 0 && (fcntl(fd, F_GETFL) & O_DSYNC) != 0) {
        errno = help_meta_errno;
        help_meta_errno = 0;
        return -1;
    }
    return (ssize_t)syscall(SYS_pwrite64, fd, bytes, n, at);
}

int help_read_errno;

__attribute__((visibility("default"))) ssize_t pread(int fd, void *bytes, size_t n, off_t at)
{
    if (help_read_errno != 0) {
        errno = help_read_errno;
        help_read_errno = 0;
        return -1;
    }
    return (ssize_t)syscall(SYS_pread64, fd, bytes, n, at);
}

int (*help_fsync)(int fd);

int fsync(int fd)
{
    return help_fsync != NULL ? help_fsync(fd) : (int)syscall(SYS_fsync, fd);
}

enum pl_error help_commit(struct pl_store *store, struct pl_chunk *chunk, uint64_t wall_ms)
{
    struct pl_chunk *chunks[] = {chunk};
    struct pl_commit commit = {.chunks = chunks, .chunks_n = 1, .wall_ms = wall_ms};
    struct pl_text reason;

    return pl_store_commit(store, &commit, &reason);
}

size_t help_record(uint8_t *out, uint32_t link, uint32_t stream, uint64_t number)
{
    char text[56];
    int n = snprintf(text, sizeof text, "%u/%u#%llu", link, stream, (unsigned long long)number);
    size_t head;

    n = number % 7 == 0 ? 0 : n;
    head = pl_varint_encode(out, (uint64_t)n);
    memcpy(out + head, text, (size_t)n);
    return head + (size_t)n;
}

bool help_row_equal(const struct pl_row *a, const struct pl_row *b)
{
    if (a->link != b->link || a->stream != b->stream || a->birth != b->birth || a->heard != b->heard ||
        a->offset != b->offset || a->records != b->records || a->bytes != b->bytes || a->lost != b->lost ||
        a->lives_n != b->lives_n || a->name_size != b->name_size) {
        return false;
    }
    for (size_t i = 0; i < a->lives_n; i++) {
        const struct pl_life_span *x = &a->lives[i], *y = &b->lives[i];
        if (x->tag != y->tag || x->first != y->first || x->last != y->last ||
            x->end_offset != y->end_offset) {
            return false;
        }
    }
    return memcmp(a->name, b->name, a->name_size) == 0;
}

static void model_life(struct help_model *model, struct pl_row *row, struct pl_stream_part *begin)
{
    *begin = (struct pl_stream_part){.first_number = row->heard + 1,
                                     .life_before = pl_row_life(row),
                                     .birth = row->birth,
                                     .name = {row->name, row->name_size}};
    if (row->lives_n == PL_LIVES_REMEMBERED) {
        memmove(row->lives, row->lives + 1, sizeof row->lives - sizeof row->lives[0]);
        row->lives_n--;
    }
    row->lives[row->lives_n++] = (struct pl_life_span){.tag = ++model->tags, .first = row->heard + 1};
    row->offset = 0;
}

static void model_begin(struct help_model *model, struct help_stream *stream, size_t index)
{
    char name[32];

    stream->begun = true;
    stream->row.link = 1 + (uint32_t)index / 4;
    stream->row.stream = 1 + (uint32_t)index % 4;
    stream->row.birth = 1000 + index;
    stream->row.name_size = (uint8_t)snprintf(name, sizeof name, "stream-%u", stream->row.stream);
    memcpy(stream->row.name, name, stream->row.name_size);
    (void)model;
}

static void model_end(struct pl_row *row, uint64_t heard, uint64_t offset)
{
    row->heard = heard;
    row->offset = offset;
    row->lives[row->lives_n - 1].last = heard;
    row->lives[row->lives_n - 1].end_offset = offset;
}

static void model_records(struct help_model *model, struct pl_chunk *chunk, struct pl_row *row,
                          const struct pl_stream_part *begin)
{
    uint32_t count = 1 + help_draw(&model->random, 12);
    uint8_t bytes[12 * 64];
    size_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        n += help_record(bytes + n, row->link, row->stream, row->heard + 1 + i);
    }
    cr_assert_eq(pl_chunk_append(chunk, row->link, row->stream, pl_row_life(row), row->heard + 1, row->offset,
                                 count, (struct pl_bytes){bytes, n}, begin),
                 PL_OK);
    row->records += count;
    row->bytes += n;
    model->records += count;
    model_end(row, row->heard + count, row->offset + n);
}

static void model_gap(struct help_model *model, struct pl_chunk *chunk, struct pl_row *row,
                      const struct pl_stream_part *begin)
{
    uint64_t upto = row->heard + 1 + help_draw(&model->random, 50);
    uint64_t offset = row->offset + help_draw(&model->random, 3000);

    cr_assert_eq(
        pl_chunk_gap(chunk, row->link, row->stream, pl_row_life(row), upto, offset, row->heard + 1, begin),
        PL_OK);
    row->lost += upto - row->heard;
    model_end(row, upto, offset);
}

bool help_model_step(struct help_model *model, struct pl_chunk *chunk)
{
    size_t index = help_draw(&model->random, HELP_STREAMS);
    struct help_stream *stream = &model->streams[index];
    struct pl_stream_part part;
    const struct pl_stream_part *begin = NULL;

    if (pl_chunk_room(chunk) < 12 * 64) {
        return false;
    }
    if (!stream->begun) {
        model_begin(model, stream, index);
    }
    if (stream->row.lives_n == 0 || help_draw(&model->random, 8) == 0) {
        model_life(model, &stream->row, &part);
        begin = &part;
    }
    if (help_draw(&model->random, 20) == 0) {
        model_gap(model, chunk, &stream->row, begin);
    } else {
        model_records(model, chunk, &stream->row, begin);
    }
    return true;
}
