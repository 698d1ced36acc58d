/* Giving: all of a transaction or nothing, any size of record, any number of them. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "link/link_varint.h"
#include "store/outbox_tables.h"
#include "store_outbox_help.h"

Test(store_outbox_put, abort_and_full_change_nothing)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 1 << 20);
    struct pl_sending sending;
    uint8_t record[5000];
    uint32_t line = help_line(box, "s");
    uint64_t serial = 1;
    enum pl_error error = PL_OK;
    struct pl_text reason;

    help_give(box, line, serial, 100);
    serial += 100;
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(pl_outbox_put(box, line, help_record_of(77, record), NULL, NULL), PL_OK);
    }
    cr_assert_eq(pl_outbox_set_input(box, (struct pl_bytes){(const uint8_t *)"in", 2},
                                     (struct pl_bytes){(const uint8_t *)"x", 1}, NULL),
                 PL_OK);
    pl_outbox_abort(box);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1, BUF_ROOM), 100);
    while (error == PL_OK) {
        error = pl_outbox_begin(box, &reason);
        for (int i = 0; i < 300 && error == PL_OK; i++) {
            error = pl_outbox_put(box, line, help_record_of(serial + (uint64_t)i, record), NULL, &reason);
        }
        error = error == PL_OK ? pl_outbox_commit(box, &reason) : error;
        serial += error == PL_OK ? 300 : 0;
    }
    cr_assert_eq(error, PL_E_STORE_FULL, "%s", reason.s);
    pl_outbox_abort(box);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1, BUF_ROOM), serial - 1);
    /* What is stored makes room again. */
    cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, serial - 1), PL_OK);
    cr_assert_eq(pl_outbox_trim(box, 10000, NULL, &reason), PL_OK, "%s", reason.s);
    cr_assert_eq(pl_outbox_trim(box, 10000, NULL, &reason), PL_OK, "%s", reason.s);
    help_give(box, line, serial, 300);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, serial, BUF_ROOM), 300);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_put, input_position_is_committed_with_records)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 16 << 20);
    struct pl_bytes key = {(const uint8_t *)"/var/log/x", 10};
    uint8_t out[PL_INPUT_MAX];
    size_t n;

    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_E_NOT_FOUND);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_set_input(box, key, (struct pl_bytes){(const uint8_t *)"offset 1", 8}, NULL),
                 PL_OK);
    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_E_NOT_FOUND);
    cr_assert_eq(pl_outbox_set_input(box, key, (struct pl_bytes){help_buf, PL_INPUT_MAX + 1}, NULL),
                 PL_E_TOO_LARGE);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    pl_outbox_close(box);
    box = help_box_open(dir, 16 << 20);
    cr_assert_eq(pl_outbox_input(box, key, out, &n), PL_OK);
    cr_assert_eq(n, 8);
    cr_assert_arr_eq(out, "offset 1", 8);
    pl_outbox_close(box);
    help_dir_end();
}

Test(store_outbox_put, large_and_empty_records)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    uint8_t *large = malloc(PL_RECORD_MAX + 1);
    uint32_t line = help_line(box, "s");
    struct pl_sending sending;
    struct pl_held held;
    uint64_t number;

    memset(large, 0x5a, PL_RECORD_MAX + 1);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_put(box, line, (struct pl_bytes){NULL, 0}, &number, NULL), PL_OK);
    cr_assert_eq(number, 1);
    cr_assert_eq(pl_outbox_put(box, line, (struct pl_bytes){large, PL_RECORD_MAX}, &number, NULL), PL_OK);
    cr_assert_eq(number, 2);
    cr_assert_eq(pl_outbox_put(box, line, (struct pl_bytes){large, PL_RECORD_MAX + 1}, NULL, NULL),
                 PL_E_TOO_LARGE);
    cr_assert_eq(pl_outbox_put(box, line, (struct pl_bytes){NULL, 0}, &number, NULL), PL_OK);
    cr_assert_eq(number, 3);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    sending = help_sending(box, 0);
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, 0, help_buf, BUF_ROOM, &held), PL_OK);
    cr_assert_eq(held.bytes.n, 1 + 4 + PL_RECORD_MAX + 1);
    cr_assert_eq(held.ends, 3);
    cr_assert_arr_eq(held.bytes.p + 5, large, PL_RECORD_MAX);
    /* In the middle of the large one. */
    cr_assert_eq(pl_outbox_read(box, 1, sending.stream, 500000, help_buf, 1000, &held), PL_OK);
    cr_assert_eq(held.first_number, 2);
    cr_assert_eq(held.last_number, 2);
    cr_assert_eq(held.ends, 0);
    cr_assert_eq(held.bytes.n, 1000);
    pl_outbox_close(box);
    free(large);
    help_dir_end();
}

Test(store_outbox_put, a_hundred_thousand_in_one_transaction)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 256 << 20);
    struct pl_bytes *records = calloc(100000, sizeof *records);
    struct pl_sending sending;
    size_t taken;

    for (size_t i = 0; i < 100000; i++) {
        records[i] = (struct pl_bytes){(const uint8_t *)"0123456789abcdef0123456789abcdef0123456789", i % 43};
    }
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(pl_outbox_put_many(box, help_line(box, "s"), records, 100000, &taken, NULL), PL_OK);
    cr_assert_eq(taken, 100000);
    cr_assert_eq(pl_outbox_streams(box), 0);
    cr_assert_eq(pl_outbox_commit(box, NULL), PL_OK);
    sending = help_sending(box, 0);
    cr_assert_eq(sending.next.number, 100001);
    pl_outbox_close(box);
    free(records);
    help_dir_end();
}

/* ---- the shape of rows */

static size_t rows_of(struct pl_outbox *box)
{
    MDB_txn *txn = NULL;
    MDB_stat stat;

    cr_assert_eq(pl_env_read(box->env, &txn, NULL), PL_OK);
    cr_assert_eq(mdb_stat(txn, pl_env_table(box->env, PL_O_ROWS), &stat), 0);
    pl_env_read_end(box->env, txn);
    pl_env_read_free(txn);
    return stat.ms_entries;
}

/* Puts n records of one size, a commit each `each`. */
static void put_sized(struct pl_outbox *box, size_t size, size_t n, size_t each)
{
    static uint8_t record[2 * PL_ROW_BYTES];

    for (size_t i = 0; i < n; i++) {
        memset(record, (int)(size + i), size);
        cr_assert(i % each != 0 || pl_outbox_begin(box, NULL) == PL_OK);
        cr_assert_eq(pl_outbox_put(box, help_line(box, "s"), (struct pl_bytes){record, size}, NULL, NULL),
                     PL_OK);
        cr_assert((i + 1) % each != 0 || pl_outbox_commit(box, NULL) == PL_OK);
    }
}

/* A row takes records as long as they fit, and none of another transaction. */
Test(store_outbox_put, records_share_rows_within_a_transaction)
{
    enum { ROOM = PL_ROW_BYTES, FRAME = 2 };
    static const struct {
        size_t size, n, each, rows;
    } cases[] = {
        {ROOM / 2 - FRAME, 2, 2, 1},     {ROOM / 2 - FRAME + 1, 2, 2, 2}, {ROOM / 4 - FRAME + 1, 4, 4, 2},
        {ROOM / 8 - FRAME, 16, 16, 2},   {ROOM / 8 - FRAME, 16, 1, 16},   {ROOM / 8 - FRAME, 16, 4, 4},
        {ROOM - FRAME, 2, 2, 2},         {ROOM - FRAME + 1, 2, 2, 2},     {0, ROOM, ROOM, 1},
        {0, ROOM + 1, ROOM + 1, 2},      {61, 1000, 1000, 8},             {1013, 80, 80, 10},
    };
    const char *dir = help_dir_begin();
    char path[16];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(path, sizeof path, "%zu", i);
        struct pl_outbox *box = help_box_open(help_path(dir, path), 64 << 20);
        put_sized(box, cases[i].size, cases[i].n, cases[i].each);
        cr_expect_eq(rows_of(box), cases[i].rows, "case %zu: %zu", i, rows_of(box));
        pl_outbox_close(box);
    }
    help_dir_end();
}

/* Rows of records committed alone, as every outbox had before rows were shared so widely, shared rows and
 * records of their own row: read in pieces of any size, freed in the middle of a row, opened again. */
Test(store_outbox_put, rows_of_any_shape_are_read_and_freed)
{
    static const size_t rooms[] = {1, 700, 1900, PL_ROW_BYTES - 1, PL_ROW_BYTES, 3 * PL_ROW_BYTES, BUF_ROOM};
    static const uint64_t freed[] = {3, 150, 151, 399, 400, 401, 487, 700, 899, 900};
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    struct pl_sending sending;
    bool left;

    for (uint64_t serial = 1; serial <= 100; serial++) {
        help_give(box, help_line(box, "s"), serial, 1);
    }
    help_give(box, help_line(box, "s"), 101, 300);
    help_give(box, help_line(box, "s"), 401, 100);
    pl_outbox_new_life(box);
    help_give(box, help_line(box, "s"), 501, 400);
    for (size_t i = 0; i < sizeof freed / sizeof freed[0]; i++) {
        sending = help_sending(box, 0);
        for (size_t k = 0; k < sizeof rooms / sizeof rooms[0]; k++) {
            uint64_t first = sending.freed.number;
            cr_assert_eq(help_expect_held(box, &sending, first, rooms[k]), 901 - first);
        }
        cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, freed[i]), PL_OK);
        do {
            cr_assert_eq(pl_outbox_trim(box, 2, &left, NULL), PL_OK);
        } while (left);
        cr_assert_eq(help_sending(box, 0).freed.number, freed[i] + 1);
        if (i % 3 == 2) {
            pl_outbox_close(box);
            box = help_box_open(dir, 64 << 20);
        }
    }
    cr_expect_eq(rows_of(box), 0);
    pl_outbox_close(box);
    help_dir_end();
}

/* Fills the outbox with transactions of `each` records; returns how many it took. */
static size_t fill_up(struct pl_outbox *box, size_t each)
{
    uint32_t line = help_line(box, "s");
    uint8_t record[1013];
    size_t n = 0;
    enum pl_error error = PL_OK;

    memset(record, 'f', sizeof record);
    while (error == PL_OK) {
        error = pl_outbox_begin(box, NULL);
        for (size_t i = 0; i < each && error == PL_OK; i++) {
            error = pl_outbox_put(box, line, (struct pl_bytes){record, sizeof record}, NULL, NULL);
        }
        error = error == PL_OK ? pl_outbox_commit(box, NULL) : error;
        n += error == PL_OK ? each : 0;
    }
    cr_assert_eq(error, PL_E_STORE_FULL);
    pl_outbox_abort(box);
    return n;
}

/* Pages that rows of one record gave back are in pieces; a shared row needs two side by side. */
Test(store_outbox_put, shared_rows_use_what_single_ones_left)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 1 << 20);
    size_t single = fill_up(box, 1), shared;
    struct pl_sending sending = help_sending(box, 0);

    cr_expect_gt(single, 400, "%zu", single);
    for (int round = 0; round < 3; round++) {
        cr_assert_eq(pl_outbox_stored(box, 1, sending.stream, UINT64_MAX), PL_OK);
        cr_assert_eq(pl_outbox_trim(box, 10000, NULL, NULL), PL_OK);
        cr_assert_eq(pl_outbox_trim(box, 10000, NULL, NULL), PL_OK);
        shared = fill_up(box, 16);
        cr_expect_geq(shared + 16, single, "round %d: %zu, single %zu", round, shared, single);
    }
    pl_outbox_close(box);
    help_dir_end();
}

/* More than the map has room for: known at the commit, or before if no outbox of that size could hold it. */
Test(store_outbox_put, too_much_for_the_map_is_dropped_whole)
{
    enum { MAP_BYTES = 1 << 20, RECORD_BYTES = 1000 };
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, MAP_BYTES);
    uint32_t line = help_line(box, "s");
    struct pl_bytes record = {help_buf, RECORD_BYTES};
    struct pl_sending sending;
    struct pl_text reason;
    size_t taken = 0;

    help_give(box, line, 1, 100);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    for (int i = 0; i < 950; i++) {
        cr_assert_eq(pl_outbox_put(box, line, record, NULL, &reason), PL_OK, "%d: %s", i, reason.s);
    }
    cr_assert_eq(pl_outbox_commit(box, &reason), PL_E_STORE_FULL);
    cr_expect_str_neq(reason.s, "");
    cr_expect_eq(pl_outbox_commit(box, NULL), PL_E_USAGE, "the transaction is over");
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1, BUF_ROOM), 100);
    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    while (pl_outbox_put(box, line, record, NULL, &reason) == PL_OK) {
        taken++;
    }
    cr_expect_lt(taken, MAP_BYTES / RECORD_BYTES + 2, "only so much is kept in memory");
    cr_expect_eq(pl_outbox_put(box, line, record, NULL, &reason), PL_E_STORE_FULL);
    pl_outbox_abort(box);
    help_give(box, line, 101, 100);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1, BUF_ROOM), 200);
    pl_outbox_close(box);
    help_dir_end();
}

/* A sanitizer's allocator ends the process where malloc() returns NULL. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
Test(store_outbox_put, without_memory_a_record_is_not_taken)
{
    const char *dir = help_dir_begin();
    struct pl_outbox *box = help_box_open(dir, 64 << 20);
    uint8_t *large = calloc(1, PL_RECORD_MAX);
    uint32_t line = help_line(box, "s");
    struct rlimit limit, none = {0};
    struct pl_sending sending;
    enum pl_error error;

    cr_assert_eq(pl_outbox_begin(box, NULL), PL_OK);
    cr_assert_eq(getrlimit(RLIMIT_AS, &limit), 0);
    none.rlim_max = limit.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_AS, &none), 0);
    do {
        error = pl_outbox_put(box, line, (struct pl_bytes){large, PL_RECORD_MAX}, NULL, NULL);
    } while (error == PL_OK);
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    cr_expect_eq(error, PL_E_NO_MEMORY);
    pl_outbox_abort(box);
    help_give(box, line, 1, 100);
    sending = help_sending(box, 0);
    cr_assert_eq(help_expect_held(box, &sending, 1, BUF_ROOM), 100);
    pl_outbox_close(box);
    free(large);
    help_dir_end();
}
#endif

/* ---- two threads, one at a time */

enum { TURNS = 1000 };

/* An outbox that goes from thread to thread; what is held of it in `serial`. */
struct passed_on {
    const char *dir;
    struct pl_outbox *box;
    sem_t turn[2];
    uint64_t committed, given;       /* records */
    unsigned wrong;                  /* Criterion's asserts are the main thread's alone */
};

static bool put_some(struct passed_on *p)
{
    uint8_t record[5000];
    uint32_t line;
    struct pl_bytes name = {(const uint8_t *)"s", 1};
    bool good = p->given > p->committed || pl_outbox_begin(p->box, NULL) == PL_OK;

    good = good && pl_outbox_line(p->box, 1, name, &line, NULL) == PL_OK;
    for (int i = 0; i < 7 && good; i++) {
        good = pl_outbox_put(p->box, line, help_record_of(++p->given, record), NULL, NULL) == PL_OK;
    }
    return good && pl_outbox_set_input(p->box, (struct pl_bytes){(const uint8_t *)"in", 2},
                                       (struct pl_bytes){(const uint8_t *)&p->given, sizeof p->given},
                                       NULL) == PL_OK;
}

static bool reopen(struct passed_on *p)
{
    uint8_t input[PL_INPUT_MAX];
    size_t n;

    pl_outbox_close(p->box);
    p->box = help_box_open(p->dir, 16 << 20);
    p->given = p->committed;
    return pl_outbox_input(p->box, (struct pl_bytes){(const uint8_t *)"in", 2}, input, &n) == PL_OK &&
           n == sizeof p->committed && memcmp(input, &p->committed, n) == 0;
}

/* One call's worth. An odd number of kinds: each thread comes to each. */
static bool take_turn(struct passed_on *p, int turn)
{
    enum pl_error error;

    switch (turn % 9) {
    case 2:
    case 5:
        error = pl_outbox_commit(p->box, NULL);
        p->committed = p->given;
        return error == PL_OK;
    case 7:
        pl_outbox_abort(p->box);
        p->given = p->committed;
        return true;
    case 0: return (turn == 0 || turn % 5 != 0 || reopen(p)) && put_some(p);
    default: return put_some(p);
    }
}

static void take_turns(struct passed_on *p, int self)
{
    for (int turn = self; turn < TURNS; turn += 2) {
        sem_wait(&p->turn[self]);
        p->wrong += !take_turn(p, turn);
        sem_post(&p->turn[!self]);
    }
}

static void *second_thread(void *arg)
{
    take_turns(arg, 1);
    return NULL;
}

/* What fails here is likely to wait for ever. */
Test(store_outbox_put, any_thread_may_commit_what_another_put, .timeout = 120)
{
    struct passed_on p = {.dir = help_dir_begin()};
    struct pl_sending sending;
    pthread_t thread;

    p.box = help_box_open(p.dir, 16 << 20);
    sem_init(&p.turn[0], 0, 1);
    sem_init(&p.turn[1], 0, 0);
    cr_assert_eq(pthread_create(&thread, NULL, second_thread, &p), 0);
    take_turns(&p, 0);
    pthread_join(thread, NULL);
    cr_assert_eq(p.wrong, 0);
    pl_outbox_abort(p.box);
    sending = help_sending(p.box, 0);
    cr_assert_eq(sending.next.number, p.committed + 1);
    cr_assert_eq(help_expect_held(p.box, &sending, 1, BUF_ROOM), p.committed);
    pl_outbox_close(p.box);
    help_dir_end();
}
