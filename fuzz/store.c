/* Fuzz target: a node's store whose rows and file were damaged (env_edit.h), opened, read in every way there
 * is, written, trimmed, and opened again.
 *
 * Nothing crashes or hangs; a refusal has a line that says why. Where checksums were left alone, what the
 * log gives is what was put in, or is said to be damaged, and positions only grow. */
#include <stdlib.h>
#include <string.h>

#include "env_edit.h"
#include "harness.h"
#include "link/link_varint.h"
#include "store/bytes.h"
#include "store/crc32c.h"
#include "store/inspect.h"
#include "store/store.h"
#include "store/tables.h"

enum { POSITIONS_MAX = 512, ARENA = 1 << 16, LINKS = 2, COMMITS = 6, ENTRIES_MAX = 1 << 16, RECORD_MAX = 40 };
enum { MAP_BYTES = 1 << 25, WALL_MS = 1000, FIRST_LIFE = 0x11, SECOND_LIFE = 0x22 };

/* The log as it was made: a hash of each entry. */
static uint64_t truth[POSITIONS_MAX];
static uint64_t truth_end;
static uint8_t arena[ARENA];

static struct pl_store_options options_of(void)
{
    static uint64_t owner = 1;

    return (struct pl_store_options){.map_bytes = MAP_BYTES,
                                     .disk_floor_bytes = 1,
                                     .retain_ms = 1 << 30,
                                     .owner = owner++,
                                     .store_id = {1},
                                     .wall_ms = WALL_MS};
}

static void need(enum pl_error error, const char *what)
{
    if (error != PL_OK) {
        fuzz_fail("%s: %s", what, pl_error_name(error));
    }
}

/* ---- what is made */

struct giver {
    uint32_t link, life, life_before;
    uint64_t next, life_first, offset;
};

static void give(struct pl_chunk *chunk, struct giver *giver, uint32_t records)
{
    static const uint8_t name[] = {'l', 'o', 'g'};
    struct pl_stream_part begin = {giver->life_first, giver->life_before, giver->link, {name, sizeof name}};
    uint8_t bytes[RECORD_MAX * 8];
    size_t n = 0;

    for (uint32_t i = 0; i < records; i++) {
        size_t size = (giver->next + i) % RECORD_MAX;
        n += pl_varint_encode(bytes + n, size);
        memset(bytes + n, (int)(giver->link * 16 + giver->next + i), size);
        n += size;
    }
    need(pl_chunk_append(chunk, giver->link, 1, giver->life, giver->next, giver->offset, records,
                         (struct pl_bytes){bytes, n}, giver->next == giver->life_first ? &begin : NULL),
         "append");
    giver->next += records;
    giver->offset += n;
}

static void skip(struct pl_chunk *chunk, struct giver *giver)
{
    need(pl_chunk_gap(chunk, giver->link, 1, giver->life, giver->next + 2, giver->offset + 5, giver->next,
                      NULL),
         "gap");
    giver->next += 3;
    giver->offset += 5;
}

static void new_life(struct giver *giver)
{
    giver->life_before = giver->life;
    giver->life = SECOND_LIFE;
    giver->life_first = giver->next;
    giver->offset = 0;
}

static void commit(struct pl_store *store, struct pl_chunk *chunk, bool sweep)
{
    struct pl_sweep swept = {.link = 1};
    struct pl_commit what = {
        .chunks = &chunk, .chunks_n = 1, .sweeps = &swept, .sweeps_n = sweep, .wall_ms = WALL_MS};

    need(pl_store_commit(store, &what, NULL), "commit");
}

static uint64_t hash_of(const struct pl_tail_entry *entry)
{
    uint64_t words[] = {entry->kind, entry->link,   entry->stream,
                        entry->life, entry->number, entry->number_to};
    uint32_t crc = pl_crc32c(0, words, sizeof words);

    return (uint64_t)crc << 32 | pl_crc32c(crc, entry->record.p, entry->record.n);
}

static void learn_truth(struct pl_store *store)
{
    struct pl_tail_entry entry;
    struct pl_reader *reader;
    struct pl_tail *tail;

    need(pl_reader_of(store, &reader, NULL), "reader");
    need(pl_tail_open(reader, 0, NULL, &tail), "tail");
    while (pl_tail_next(tail, &entry, NULL) == PL_OK && entry.position < POSITIONS_MAX) {
        truth[entry.position] = hash_of(&entry);
    }
    truth_end = pl_tail_position(tail);
    pl_tail_close(tail);
    pl_reader_close(reader);
}

static void make(const char *dir)
{
    struct pl_store_options options = options_of();
    static const uint8_t names[] = {'a', 'b'};
    struct pl_allowed list[LINKS] = {{{names, 1}, {1}, 7}, {{names + 1, 1}, {2}, 7}};
    struct giver givers[LINKS] = {{1, FIRST_LIFE, 0, 1, 1, 0}, {2, FIRST_LIFE, 0, 1, 1, 0}};
    struct pl_store *store;
    struct pl_chunk chunk;

    need(pl_store_open(dir, &options, &store, NULL), "open");
    need(pl_store_import(store, list, LINKS, (struct pl_bytes){names, 2}, WALL_MS, NULL), "import");
    for (unsigned i = 0; i < COMMITS; i++) {
        pl_chunk_init(&chunk, arena, sizeof arena);
        give(&chunk, &givers[0], 3);
        if (i == 2) {
            skip(&chunk, &givers[0]);
            new_life(&givers[0]);
        }
        give(&chunk, &givers[1], 5);
        commit(store, &chunk, i == 3);
    }
    learn_truth(store);
    pl_store_close(store);
}

static void repair(size_t table, const MDB_val *key, uint8_t *value, size_t n)
{
    uint8_t seed[8] = {0};
    size_t seed_n = 0;

    if (n < sizeof(uint32_t) || (table == PL_T_LOG && n < PL_BLOCK_HEAD) || key->mv_size > sizeof seed) {
        return;
    }
    for (size_t i = 0; i < key->mv_size; i++) { /* big endian in the key, little endian in the seed */
        size_t word = table == PL_T_LOG ? 8 : 4;
        size_t at = i / word * word + word - 1 - i % word;
        seed_n += at < sizeof seed;
        seed[at % sizeof seed] = ((const uint8_t *)key->mv_data)[i];
    }
    if (table == PL_T_LOG || table == PL_T_ROWS || table == PL_T_LINKS) {
        pl_put_le32(value, pl_crc32c(pl_crc32c(0, seed, seed_n), value + 4, n - 4));
    }
}

static const struct edit_target target = {pl_store_tables, PL_T_COUNT, make, repair};

/* ---- what is done with it */

static void check_entry(const struct pl_tail_entry *entry, uint64_t expected, bool true_ones)
{
    if ((true_ones && entry->position < expected) || entry->position_to < entry->position) {
        fuzz_fail("position %llu to %llu after %llu", (unsigned long long)entry->position,
                  (unsigned long long)entry->position_to, (unsigned long long)expected);
    }
    bool told = entry->kind == PL_TAIL_RECORD || entry->kind == PL_TAIL_GAP;
    if (true_ones && told && entry->position < truth_end && hash_of(entry) != truth[entry->position]) {
        fuzz_fail("position %llu holds what was never put there", (unsigned long long)entry->position);
    }
}

static void read_log(struct pl_reader *reader, uint64_t from, bool true_ones)
{
    struct pl_tail_entry entry;
    struct pl_tail *tail;
    struct pl_text why = {""};
    enum pl_error error;
    uint64_t expected = from;
    unsigned entries = 0;

    if (pl_tail_open(reader, from, NULL, &tail) != PL_OK) {
        return;
    }
    while ((error = pl_tail_next(tail, &entry, &why)) == PL_OK && entry.position_to < UINT64_MAX) {
        check_entry(&entry, expected, true_ones);
        expected = entry.position_to + 1;
        if (++entries > ENTRIES_MAX) {
            fuzz_fail("a log without an end");
        }
    }
    if (error != PL_OK && error != PL_E_AGAIN) {
        edit_check_reason("tail", error, &why);
    }
    pl_tail_close(tail);
}

static bool each_stream(void *ctx, const struct pl_link_info *link, const struct pl_row *row)
{
    unsigned *left = ctx;

    (void)link, (void)row;
    return --*left > 0;
}

static bool each_link(void *ctx, const struct pl_link_info *link)
{
    unsigned *left = ctx;

    (void)link;
    return --*left > 0;
}

static void read_all(struct pl_reader *reader, bool true_ones)
{
    struct pl_link_info found[PL_KEYS_PER_ID];
    struct pl_store_status status;
    struct pl_list_info list;
    struct pl_text why = {""};
    unsigned left = ENTRIES_MAX;
    size_t n = 0;
    uint64_t end;
    const uint8_t key[32] = {1};

    read_log(reader, 0, true_ones);
    read_log(reader, truth_end / 2, true_ones);
    if (pl_store_find(reader, 7, found, &n) == PL_OK && n > PL_KEYS_PER_ID) {
        fuzz_fail("%zu keys of one id", n);
    }
    pl_store_link_by_key(reader, key, &found[0]);
    pl_reader_list(reader, &list);
    pl_reader_end(reader, &end);
    edit_check_reason("status", pl_store_status(reader, &status, &why), &why);
    edit_check_reason("streams", pl_store_streams(reader, each_stream, &left, &why), &why);
    edit_check_reason("links", pl_store_links(reader, each_link, &left, &why), &why);
}

/* One more record of the link's first stream, as a shard would add it. */
static void add_record(struct pl_store *store, struct pl_reader *reader, uint32_t link)
{
    struct pl_rows rows = {0};
    struct pl_chunk chunk, *chunks[] = {&chunk};
    struct pl_sweep sweep = {.link = link};
    struct pl_commit what = {
        .chunks = chunks, .chunks_n = 1, .sweeps = &sweep, .sweeps_n = 1, .wall_ms = WALL_MS};
    struct pl_text why = {""};
    const uint8_t record[] = {1, 'x'};
    uint64_t end = pl_store_end(store);

    if (pl_store_rows(reader, link, &rows) == PL_OK && rows.n > 0 && rows.p[0].lives_n > 0) {
        const struct pl_row *row = &rows.p[0];
        pl_chunk_init(&chunk, arena, sizeof arena);
        need(pl_chunk_append(&chunk, link, row->stream, pl_row_life(row), row->heard + 1, row->offset, 1,
                             (struct pl_bytes){record, sizeof record}, NULL),
             "append");
        enum pl_error error = pl_store_commit(store, &what, &why);
        edit_check_reason("commit", error, &why);
        if (error == PL_OK && pl_store_end(store) != end + 1) {
            fuzz_fail("one record took %llu positions", (unsigned long long)(pl_store_end(store) - end));
        }
    }
    pl_rows_free(&rows);
}

static void use(struct pl_store *store, bool true_ones)
{
    struct pl_reader *reader;
    struct pl_text why = {""};
    size_t deleted = 0;

    if (pl_reader_of(store, &reader, NULL) != PL_OK) {
        return;
    }
    read_all(reader, true_ones);
    for (uint32_t link = 1; link <= LINKS; link++) {
        add_record(store, reader, link);
    }
    edit_check_reason("trim", pl_store_trim(store, truth_end / 2, 2, &deleted, &why), &why);
    edit_check_reason("retain", pl_store_retain(store, WALL_MS + (1ULL << 32), &deleted, &why), &why);
    read_all(reader, true_ones);
    pl_reader_close(reader);
}

static bool use_once(const char *dir, bool true_ones)
{
    struct pl_store_options options = options_of();
    struct pl_store *store;
    struct pl_text why = {""};
    enum pl_error error = pl_store_open(dir, &options, &store, &why);

    if (error != PL_OK) {
        edit_check_reason("open", error, &why);
        return false;
    }
    use(store, true_ones);
    pl_store_close(store);
    return true;
}

void fuzz_begin(void)
{
    edit_begin(&target);
}

void fuzz_one(const uint8_t *p, size_t n)
{
    struct edits done;
    struct pl_reader *reader;
    struct pl_text why = {""};
    const char *dir = edit_dir(&target, p, n, &done);
    bool true_ones = !done.repaired && !done.moved && !done.meta;
    enum pl_error error = pl_reader_open(dir, &reader, &why);

    edit_check_reason("read", error, &why);
    if (error == PL_OK) {
        read_all(reader, true_ones);
        pl_reader_close(reader);
    }
    if (use_once(dir, true_ones)) {
        use_once(dir, true_ones);
    } else if (done.n == 0) {
        fuzz_fail("what was not damaged does not open");
    }
}
