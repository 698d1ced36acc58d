/* Links as stored: found by number, key, key id; damage seen. */
#include <criterion/criterion.h>
#include <string.h>

#include "store/bytes.h"
#include "store/links.h"
#include "store/tables.h"
#include "store_help.h"

static struct pl_link_row row_of(uint32_t link, uint32_t key_id, uint32_t generation)
{
    struct pl_link_row row = {
        .info = {.link = link, .key_id = key_id, .allowed_ms = 50 + link, .name_size = 2},
        .generations = {generation, 0}};

    memcpy(row.info.name, "nm", 2);
    memset(row.info.public_key, (int)link, 32);
    return row;
}

Test(store_links, found_by_number_key_and_id)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct pl_link_row found[4];
    uint32_t link = 0;
    size_t n;

    for (uint32_t i = 1; i <= 6; i++) {
        struct pl_link_row row = row_of(i, i <= 4 ? 0x00c0ffee : 0x00c0ffef, i == 2 ? 1 : 2);
        cr_assert_eq(pl_links_put(env, txn, &row), PL_OK);
        cr_assert_eq(pl_links_put_key(env, txn, row.info.public_key, i), PL_OK);
        cr_assert_eq(pl_links_put_id(env, txn, row.info.key_id, i), PL_OK);
    }
    cr_assert_eq(pl_links_by_id(env, txn, 0x00c0ffee, 2, found, 4, &n), PL_OK);
    cr_assert_eq(n, 3);
    cr_expect(found[0].info.link == 1 && found[1].info.link == 3 && found[2].info.link == 4);
    cr_assert_eq(pl_links_by_id(env, txn, 0x00c0ffee, 2, found, 2, &n), PL_OK);
    cr_expect_eq(n, 2);
    cr_assert_eq(pl_links_by_id(env, txn, 0x00c0ffee, 1, found, 4, &n), PL_OK);
    cr_expect_eq(n, 1);
    cr_assert_eq(pl_links_by_id(env, txn, 0x00c0ffed, 2, found, 4, &n), PL_OK);
    cr_expect_eq(n, 0);
    cr_assert_eq(pl_links_del_id(env, txn, 0x00c0ffee, 3), PL_OK);
    cr_assert_eq(pl_links_del_id(env, txn, 0x00c0ffee, 3), PL_OK);
    cr_assert_eq(pl_links_by_id(env, txn, 0x00c0ffee, 2, found, 4, &n), PL_OK);
    cr_expect_eq(n, 2);
    cr_assert_eq(pl_links_by_key(env, txn, row_of(5, 0, 0).info.public_key, &link), PL_OK);
    cr_expect_eq(link, 5);
    cr_expect_eq(pl_links_by_key(env, txn, row_of(9, 0, 0).info.public_key, &link), PL_E_NOT_FOUND);
    cr_expect_eq(pl_links_get(env, txn, 9, 2, &found[0]), PL_E_NOT_FOUND);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_links, stored_form)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct pl_link_row row = row_of(7, 9, 3), back;
    uint8_t key_bytes[4], copy[400];
    MDB_val key = {4, key_bytes};
    MDB_val value;

    cr_assert_eq(pl_links_put(env, txn, &row), PL_OK);
    cr_assert_eq(pl_links_set_address(env, txn, 7, (struct pl_bytes){(const uint8_t *)"0123456789", 10}),
                 PL_OK);
    cr_assert_eq(pl_links_get(env, txn, 7, 3, &back), PL_OK);
    cr_expect(back.info.allowed);
    cr_expect_eq(back.info.address_size, 10);
    cr_expect_arr_eq(back.info.address, "0123456789", 10);
    cr_expect_arr_eq(back.info.name, "nm", 2);
    cr_expect_eq(back.info.allowed_ms, 57);
    cr_assert_eq(pl_links_get(env, txn, 7, 4, &back), PL_OK);
    cr_expect_not(back.info.allowed);
    cr_assert_eq(pl_links_get(env, txn, 7, 0, &back), PL_OK);
    cr_expect_not(back.info.allowed);
    pl_put_be32(key_bytes, 7);
    cr_assert_eq(mdb_get(txn, pl_env_table(env, PL_T_LINKS), &key, &value), 0);
    memcpy(copy, value.mv_data, value.mv_size);
    for (size_t bit = 0; bit < value.mv_size * 8; bit++) {
        copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_expect_eq(pl_links_decode((struct pl_bytes){copy, value.mv_size}, 7, 3, &back),
                     PL_E_STORE_DAMAGED);
        copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    cr_expect_eq(pl_links_decode((struct pl_bytes){copy, value.mv_size}, 8, 3, &back), PL_E_STORE_DAMAGED);
    for (size_t cut = 0; cut < value.mv_size; cut++) {
        cr_expect_eq(pl_links_decode((struct pl_bytes){copy, cut}, 7, 3, &back), PL_E_STORE_DAMAGED);
    }
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}

Test(store_links, the_list)
{
    struct pl_env *env = help_env_open(help_dir_begin());
    MDB_txn *txn = help_env_begin(env);
    struct pl_list_info list, back;

    cr_assert_eq(pl_links_list(env, txn, &back), PL_OK);
    cr_expect_eq(back.generation, 0);
    memset(&list, 0xab, sizeof list);
    list.mark_size = 128;
    cr_assert_eq(pl_links_put_list(env, txn, &list), PL_OK);
    cr_assert_eq(pl_links_list(env, txn, &back), PL_OK);
    cr_expect(back.generation == list.generation && back.entries == list.entries &&
              back.wall_ms == list.wall_ms);
    cr_expect_eq(back.mark_size, 128);
    cr_expect_arr_eq(back.mark, list.mark, 128);
    cr_assert_eq(pl_meta_put(env, txn, "list", (struct pl_bytes){(const uint8_t *)"short", 5}), PL_OK);
    cr_expect_eq(pl_links_list(env, txn, &back), PL_E_STORE_DAMAGED);
    mdb_txn_abort(txn);
    pl_env_close(env, true);
    help_dir_end();
}
