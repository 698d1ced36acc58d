/* The allow list: in force whole or not at all, link numbers for ever, at most four keys with one id. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "store/reader.h"
#include "store_help.h"

enum { KEYS = 3000 };
static struct pl_allowed entries[KEYS];
static char names[KEYS][16];

/* Key i has name "k<i>" and key id i / 2. */
static void make_entries(void)
{
    for (size_t i = 0; i < KEYS; i++) {
        int n = snprintf(names[i], sizeof names[i], "k%zu", i);
        entries[i].name = (struct pl_bytes){(const uint8_t *)names[i], (size_t)n};
        memset(entries[i].public_key, 0, 32);
        memcpy(entries[i].public_key, &i, sizeof i);
        entries[i].key_id = (uint32_t)i / 2;
    }
}

static size_t allowed_of(struct pl_reader *reader, size_t from, size_t to)
{
    size_t n = 0;

    for (size_t i = from; i < to; i++) {
        struct pl_link_info found[PL_KEYS_PER_ID];
        size_t k;
        cr_assert_eq(pl_store_find(reader, entries[i].key_id, found, &k), PL_OK);
        for (size_t j = 0; j < k; j++) {
            n += memcmp(found[j].public_key, entries[i].public_key, 32) == 0;
        }
    }
    return n;
}

static uint32_t link_of(struct pl_reader *reader, size_t i)
{
    struct pl_link_info info;

    cr_assert_eq(pl_store_link_by_key(reader, entries[i].public_key, &info), PL_OK);
    cr_assert_arr_eq(info.public_key, entries[i].public_key, 32);
    return info.link;
}

Test(store_import, a_list_replaces_the_one_before)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct pl_bytes mark = {(const uint8_t *)"mark-1", 6};
    struct pl_reader *reader;
    struct pl_list_info list;
    struct pl_text reason;
    uint32_t link;

    make_entries();
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_expect_eq(allowed_of(reader, 0, 10), 0);
    cr_assert_eq(pl_store_import(store, entries, KEYS - 500, mark, 11, &reason), PL_OK, "%s", reason.s);
    cr_expect_eq(allowed_of(reader, 0, KEYS), KEYS - 500);
    cr_assert_eq(pl_reader_list(reader, &list), PL_OK);
    cr_expect_eq(list.entries, KEYS - 500);
    cr_expect_eq(list.wall_ms, 11);
    cr_expect_eq(list.mark_size, 6);
    cr_expect_arr_eq(list.mark, "mark-1", 6);
    link = link_of(reader, 100);
    /* Without the first thousand, with the last five hundred. */
    cr_assert_eq(pl_store_import(store, entries + 1000, KEYS - 1000, (struct pl_bytes){0}, 12, &reason),
                 PL_OK);
    cr_expect_eq(allowed_of(reader, 0, 1000), 0);
    cr_expect_eq(allowed_of(reader, 1000, KEYS), KEYS - 1000);
    /* A key that comes back has its number again. */
    cr_assert_eq(pl_store_import(store, entries, 200, (struct pl_bytes){0}, 13, &reason), PL_OK);
    cr_expect_eq(allowed_of(reader, 0, KEYS), 200);
    cr_expect_eq(link_of(reader, 100), link);
    cr_expect_neq(link_of(reader, KEYS - 1), link);
    cr_assert_eq(pl_store_import(store, NULL, 0, (struct pl_bytes){0}, 14, &reason), PL_OK);
    cr_expect_eq(allowed_of(reader, 0, KEYS), 0);
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}

Test(store_import, cut_short_it_changes_nothing)
{
    const char *dir = help_dir_begin();
    struct pl_store *store = help_store_open(dir);
    struct pl_reader *reader;
    struct pl_import import;

    make_entries();
    cr_assert_eq(pl_store_import(store, entries, 100, (struct pl_bytes){0}, 1, NULL), PL_OK);
    for (int round = 0; round < 3; round++) {
        cr_assert_eq(pl_store_import_begin(store, &import, 2, NULL), PL_OK);
        cr_assert_eq(pl_store_import_step(store, &import, entries + 50, 500, NULL), PL_OK);
    }
    pl_store_close(store);
    store = help_store_open(dir);
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_expect_eq(allowed_of(reader, 0, KEYS), 100);
    cr_assert_eq(pl_store_import(store, entries + 90, 5, (struct pl_bytes){0}, 1, NULL), PL_OK);
    cr_expect_eq(allowed_of(reader, 0, KEYS), 5);
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}

Test(store_import, what_is_refused)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct pl_reader *reader;
    struct pl_allowed list[6];
    struct pl_text reason;
    struct pl_link_info found[PL_KEYS_PER_ID];
    size_t n;

    make_entries();
    memcpy(list, entries, sizeof list);
    for (size_t i = 0; i < 6; i++) {
        list[i].key_id = 42;
    }
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_import(store, list, 4, (struct pl_bytes){0}, 1, &reason), PL_OK);
    cr_assert_eq(pl_store_find(reader, 42, found, &n), PL_OK);
    cr_expect_eq(n, 4);
    cr_expect_eq(pl_store_import(store, list, 5, (struct pl_bytes){0}, 1, &reason), PL_E_LIMIT);
    cr_expect(strstr(reason.s, "k4") != NULL && strstr(reason.s, "0000002a") != NULL &&
                  strstr(reason.s, "k0") != NULL,
              "%s", reason.s);
    cr_expect_eq(allowed_of(reader, 0, 0), 0);
    cr_assert_eq(pl_store_find(reader, 42, found, &n), PL_OK);
    cr_expect_eq(n, 4, "the list in force stays");
    /* Four others with that id may take their place. */
    cr_expect_eq(pl_store_import(store, list + 2, 4, (struct pl_bytes){0}, 1, &reason), PL_OK, "%s",
                 reason.s);
    list[1] = list[0];
    cr_expect_eq(pl_store_import(store, list, 2, (struct pl_bytes){0}, 1, &reason), PL_E_EXISTS);
    cr_expect_not_null(strstr(reason.s, "twice"), "%s", reason.s);
    list[1] = entries[1];
    list[1].name = (struct pl_bytes){(const uint8_t *)"a\x1b", 2};
    cr_expect_eq(pl_store_import(store, list, 2, (struct pl_bytes){0}, 1, &reason), PL_E_NAME);
    list[1].name.n = 0;
    cr_expect_eq(pl_store_import(store, list, 2, (struct pl_bytes){0}, 1, &reason), PL_E_NAME);
    cr_expect_eq(
        pl_store_import(store, list, 1, (struct pl_bytes){(const uint8_t *)reason.s, 129}, 1, &reason),
        PL_E_USAGE);
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}

/* With another key of its own the node gives other key ids to the same peers. */
Test(store_import, key_ids_may_change)
{
    struct pl_store *store = help_store_open(help_dir_begin());
    struct pl_reader *reader;
    struct pl_allowed entry;
    struct pl_link_info found[PL_KEYS_PER_ID];
    size_t n;

    make_entries();
    entry = entries[7];
    cr_assert_eq(pl_reader_of(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_store_import(store, &entry, 1, (struct pl_bytes){0}, 1, NULL), PL_OK);
    entry.key_id = 0xffffffff;
    entry.name = (struct pl_bytes){(const uint8_t *)"renamed", 7};
    cr_assert_eq(pl_store_import(store, &entry, 1, (struct pl_bytes){0}, 1, NULL), PL_OK);
    cr_assert_eq(pl_store_find(reader, entries[7].key_id, found, &n), PL_OK);
    cr_expect_eq(n, 0);
    cr_assert_eq(pl_store_find(reader, 0xffffffff, found, &n), PL_OK);
    cr_assert_eq(n, 1);
    cr_expect_eq(found[0].name_size, 7);
    cr_expect_eq(found[0].link, 1);
    cr_expect_eq(found[0].allowed_ms, 1);
    pl_reader_close(reader);
    pl_store_close(store);
    help_dir_end();
}
