/* Fuzz target: an outbox whose rows and file were damaged (env_edit.h), opened, looked at, read from end to
 * end, given more records, trimmed, forked, dropped, and opened again.
 *
 * Nothing crashes or hangs; a refusal has a line that says why; reading goes forward. Where checksums were
 * left alone and no row is missing, each record that is read is the one that was given. */
#include <stdlib.h>
#include <string.h>

#include "env_edit.h"
#include "harness.h"
#include "store/inspect.h"
#include "store/outbox.h"
#include "store/outbox_tables.h"

enum {
    LINKS = 2,
    LINES = 2,
    COMMITS = 5,
    MAP_BYTES = 1 << 25,
    STREAMS_MAX = 64,
    READS_MAX = 4096,
    BUF = 1 << 13
};
enum { WALL_MS = 1000, HOUR_MS = 3600000, LIVES = 32, ROW_RECORDS = 40 };

static uint64_t seed;

static void draw(void *ctx, void *bytes, size_t n)
{
    uint8_t *p = bytes;

    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1;
        p[i] = (uint8_t)(seed >> 56) | 1;
    }
}

static struct pl_outbox_options options_of(void)
{
    static uint64_t owner = 1;

    return (struct pl_outbox_options){
        .map_bytes = MAP_BYTES, .disk_floor_bytes = 1, .owner = owner++, .wall_ms = WALL_MS, .random = draw};
}

static void need(enum pl_error error, const char *what)
{
    if (error != PL_OK) {
        fuzz_fail("%s: %s", what, pl_error_name(error));
    }
}

/* ---- what is made */

/* Record `number` of any line: its size and its bytes follow from the number. */
static size_t record_of(uint64_t number, uint8_t out[256])
{
    size_t n = (size_t)(number * 7 % 120);

    memset(out, (int)(number & 0xff), n);
    return n;
}

static void give(struct pl_outbox *box, uint32_t link, unsigned which, unsigned from, unsigned records)
{
    const uint8_t name = (uint8_t)('a' + which);
    uint8_t record[256];
    uint32_t line;

    need(pl_outbox_line(box, link, (struct pl_bytes){&name, 1}, &line, NULL), "line");
    for (unsigned i = 0; i < records; i++) {
        size_t n = record_of(from + i, record);
        need(pl_outbox_put(box, line, (struct pl_bytes){record, n}, NULL, NULL), "put");
    }
}

static struct pl_outbox *open_loaded(const char *dir)
{
    struct pl_outbox_options options = options_of();
    struct pl_outbox *box;

    need(pl_outbox_open(dir, &options, &box, NULL), "open");
    for (uint32_t link = 1; link <= LINKS; link++) {
        need(pl_outbox_load(box, link, NULL), "load");
    }
    return box;
}

/* Two links of two lines; a life for each opening; the first line of the first link is partly stored. */
static void make(const char *dir)
{
    static const uint8_t input[] = "in", position[] = "12";

    seed = 1;
    for (unsigned i = 0; i < COMMITS; i++) {
        struct pl_outbox *box = open_loaded(dir);
        need(pl_outbox_begin(box, NULL), "begin");
        for (uint32_t link = 1; link <= LINKS; link++) {
            for (unsigned line = 0; line < LINES; line++) {
                give(box, link, line, 1 + i * ROW_RECORDS, ROW_RECORDS);
            }
        }
        need(pl_outbox_set_input(box, (struct pl_bytes){input, 2}, (struct pl_bytes){position, 2}, NULL),
             "input");
        need(pl_outbox_commit(box, NULL), "commit");
        if (i == 2) {
            need(pl_outbox_stored(box, 1, 1, ROW_RECORDS + 3), "stored");
        }
        pl_outbox_close(box);
    }
}

static void repair(size_t table, const MDB_val *key, uint8_t *value, size_t n)
{
    if (table != PL_O_META && n >= sizeof(uint32_t)) {
        uint32_t crc = pl_value_crc(key->mv_data, key->mv_size, value, n);
        memcpy(value, &crc, sizeof crc);
    }
}

static const struct edit_target target = {pl_outbox_tables, PL_O_COUNT, make, repair};

/* ---- what is done with it */

static void check_read(const struct pl_sending *stream, const struct pl_held *held, uint64_t position,
                       bool true_ones)
{
    if (held->next_position <= position || (true_ones && held->last_number < held->first_number)) {
        fuzz_fail("read at %llu goes on at %llu", (unsigned long long)position,
                  (unsigned long long)held->next_position);
    }
    if (!true_ones || held->lost || held->position != position || held->bytes.n == 0) {
        return;
    }
    if (held->bytes.n > BUF || held->next_position > stream->next.position) {
        fuzz_fail("%zu bytes read at %llu", held->bytes.n, (unsigned long long)position);
    }
}

/* Whole rows begin with a size and the record that its number says. */
static void check_record(const struct pl_held *held, bool at_start)
{
    uint8_t record[256];
    size_t n = record_of(held->first_number, record);

    if (at_start && held->bytes.n > n &&
        (held->bytes.p[n > 63 ? 1 : 0] != (n > 63 ? n & 0xff : n) ||
         memcmp(held->bytes.p + (n > 63 ? 2 : 1), record, held->bytes.n > n + 2 ? n : 0) != 0)) {
        fuzz_fail("record %llu is not the one that was given", (unsigned long long)held->first_number);
    }
}

static void read_stream(struct pl_outbox *box, const struct pl_sending *stream, bool true_ones)
{
    static uint8_t buf[BUF];
    struct pl_outbox_place place;
    struct pl_held held;
    uint64_t position = stream->freed.position;
    bool at_start = true;

    for (unsigned reads = 0; position < stream->next.position; reads++) {
        size_t room = reads % 3 == 2 ? 100 : sizeof buf;
        if (pl_outbox_read(box, stream->link, stream->stream, position, buf, room, &held) != PL_OK) {
            break;
        }
        check_read(stream, &held, position, true_ones);
        if (true_ones && !held.lost) {
            check_record(&held, at_start);
        }
        at_start = false;
        position = held.next_position;
        if (reads > READS_MAX) {
            return;
        }
    }
    pl_outbox_locate(box, stream->link, stream->stream, stream->freed.number, &place);
    pl_outbox_locate(box, stream->link, stream->stream, stream->freed.number / 2 + stream->next.number / 2,
                     &place);
    pl_outbox_locate(box, stream->link, stream->stream, stream->next.number, &place);
}

static void read_all(struct pl_outbox *box, bool true_ones)
{
    struct pl_sending_life lives[LIVES];
    struct pl_sending stream;
    size_t n = 0;

    for (size_t i = 0; i < STREAMS_MAX && pl_outbox_stream_at(box, i, &stream) == PL_OK; i++) {
        read_stream(box, &stream, true_ones);
        if (pl_outbox_lives(box, stream.link, stream.stream, lives, LIVES, &n) == PL_OK && n > LIVES) {
            fuzz_fail("%zu lives in the room of %d", n, LIVES);
        }
    }
}

static void put_more(struct pl_outbox *box)
{
    const uint8_t name = 'a', record[] = "more";
    struct pl_text why = {""};
    uint32_t line;
    enum pl_error error = pl_outbox_line(box, 1, (struct pl_bytes){&name, 1}, &line, &why);

    edit_check_reason("line", error, &why);
    if (error != PL_OK || pl_outbox_begin(box, &why) != PL_OK) {
        return;
    }
    error = pl_outbox_put(box, line, (struct pl_bytes){record, 4}, NULL, &why);
    if (error == PL_OK) {
        error = pl_outbox_commit(box, &why);
    } else {
        pl_outbox_abort(box);
    }
    edit_check_reason("put", error, &why);
}

static void change_all(struct pl_outbox *box)
{
    struct pl_sending stream;
    struct pl_text why = {""};
    uint8_t position[PL_INPUT_MAX];
    size_t n;
    bool left;

    put_more(box);
    pl_outbox_input(box, (struct pl_bytes){(const uint8_t *)"in", 2}, position, &n);
    if (pl_outbox_stream_at(box, 0, &stream) == PL_OK) {
        pl_outbox_stored(box, stream.link, stream.stream, stream.freed.number + 3);
        edit_check_reason("trim", pl_outbox_trim(box, 4, &left, &why), &why);
    }
    if (pl_outbox_stream_at(box, 1, &stream) == PL_OK) {
        uint32_t again = 0;
        edit_check_reason("forked",
                          pl_outbox_forked(box, stream.link, stream.stream, stream.newest_life,
                                           stream.next.number - 3, 99, 77, HOUR_MS * 2, &again, &why),
                          &why);
    }
    if (pl_outbox_stream_at(box, 2, &stream) == PL_OK) {
        edit_check_reason("drop",
                          pl_outbox_drop(box, stream.link, stream.stream,
                                         stream.freed.number / 2 + stream.next.number / 2, NULL, &why),
                          &why);
    }
}

static bool each(void *ctx, const struct pl_outbox_status *stream)
{
    unsigned *left = ctx;

    (void)stream;
    return --*left > 0;
}

static bool use_once(const char *dir, bool true_ones)
{
    struct pl_outbox_options options = options_of();
    struct pl_outbox *box;
    struct pl_text why = {""};
    enum pl_error error = pl_outbox_open(dir, &options, &box, &why);

    if (error != PL_OK) {
        edit_check_reason("open", error, &why);
        return false;
    }
    for (uint32_t link = 1; link <= LINKS; link++) {
        error = pl_outbox_load(box, link, &why);
        edit_check_reason("load", error, &why);
    }
    read_all(box, true_ones);
    change_all(box);
    read_all(box, false);
    pl_outbox_close(box);
    return true;
}

void fuzz_begin(void)
{
    edit_begin(&target);
}

void fuzz_one(const uint8_t *p, size_t n)
{
    struct pl_outbox_totals totals;
    struct edits done;
    struct pl_text why = {""};
    unsigned left = READS_MAX;
    const char *dir = edit_dir(&target, p, n, &done);
    bool true_ones = !done.repaired && !done.moved && !done.meta;

    edit_check_reason("inspect", pl_outbox_inspect(dir, &totals, each, &left, &why), &why);
    if (use_once(dir, true_ones)) {
        use_once(dir, false);
    } else if (done.n == 0) {
        fuzz_fail("what was not damaged does not open");
    }
}
