/* Links: three tables (tables.h) and the list in force.
 *
 * A link's stored form, little endian: crc32c (4, over the link number and all that follows) | key id (4) |
 * generations (2 x 4) | allowed_ms (8) | public key (32) | address size (1) | name size (1) | zero (2) |
 * address | name. It is valid if its size is what the two sizes say, the address is at most 32 bytes, and
 * the checksum holds.
 * The list's, in meta: generation (4) | zero (4) | entries (8) | wall_ms (8) | mark.
 */
#include "store/links.h"

#include <string.h>

#include "store/bytes.h"
#include "store/crc32c.h"
#include "store/tables.h"

enum { LINK_FIXED = 60, LIST_FIXED = 24, ADDRESS_MAX = 32 };

static uint32_t link_crc(const uint8_t *stored, size_t n, uint32_t link)
{
    uint8_t seed[4];

    pl_put_le32(seed, link);
    return pl_crc32c(pl_crc32c(0, seed, sizeof seed), stored + 4, n - 4);
}

static size_t link_encode(uint8_t out[LINK_FIXED + ADDRESS_MAX + PL_NAME_MAX], const struct pl_link_row *row)
{
    const struct pl_link_info *info = &row->info;
    size_t n = LINK_FIXED;

    pl_put_le32(out + 4, info->key_id);
    pl_put_le32(out + 8, row->generations[0]);
    pl_put_le32(out + 12, row->generations[1]);
    pl_put_le64(out + 16, info->allowed_ms);
    memcpy(out + 24, info->public_key, sizeof info->public_key);
    out[56] = info->address_size;
    out[57] = info->name_size;
    pl_put_le16(out + 58, 0);
    memcpy(out + n, info->address, info->address_size);
    n += info->address_size;
    memcpy(out + n, info->name, info->name_size);
    n += info->name_size;
    pl_put_le32(out, link_crc(out, n, info->link));
    return n;
}

enum pl_error pl_links_decode(struct pl_bytes in, uint32_t link, uint32_t generation, struct pl_link_row *out)
{
    const uint8_t *p = in.p;
    struct pl_link_info *info = &out->info;

    memset(out, 0, sizeof *out);
    if (in.n < LINK_FIXED || pl_get_le32(p) != link_crc(p, in.n, link) || p[56] > ADDRESS_MAX ||
        in.n != LINK_FIXED + (size_t)p[56] + p[57]) {
        return PL_E_STORE_DAMAGED;
    }
    info->link = link;
    info->key_id = pl_get_le32(p + 4);
    out->generations[0] = pl_get_le32(p + 8);
    out->generations[1] = pl_get_le32(p + 12);
    info->allowed =
        generation != 0 && (out->generations[0] == generation || out->generations[1] == generation);
    info->allowed_ms = pl_get_le64(p + 16);
    memcpy(info->public_key, p + 24, sizeof info->public_key);
    info->address_size = p[56];
    info->name_size = p[57];
    memcpy(info->address, p + LINK_FIXED, info->address_size);
    memcpy(info->name, p + LINK_FIXED + info->address_size, info->name_size);
    return PL_OK;
}

enum pl_error pl_links_list(const struct pl_env *env, MDB_txn *txn, struct pl_list_info *out)
{
    struct pl_bytes value;
    enum pl_error error = pl_meta_get(env, txn, "list", &value);

    memset(out, 0, sizeof *out);
    if (error != PL_OK) {
        return error == PL_E_NOT_FOUND ? PL_OK : error;
    }
    if (value.n < LIST_FIXED || value.n > LIST_FIXED + sizeof out->mark) {
        return PL_E_STORE_DAMAGED;
    }
    out->generation = pl_get_le32(value.p);
    out->entries = pl_get_le64(value.p + 8);
    out->wall_ms = pl_get_le64(value.p + 16);
    out->mark_size = (uint8_t)(value.n - LIST_FIXED);
    memcpy(out->mark, value.p + LIST_FIXED, out->mark_size);
    return PL_OK;
}

enum pl_error pl_links_put_list(const struct pl_env *env, MDB_txn *txn, const struct pl_list_info *list)
{
    uint8_t bytes[LIST_FIXED + sizeof list->mark] = {0};

    pl_put_le32(bytes, list->generation);
    pl_put_le64(bytes + 8, list->entries);
    pl_put_le64(bytes + 16, list->wall_ms);
    memcpy(bytes + LIST_FIXED, list->mark, list->mark_size);
    return pl_meta_put(env, txn, "list", (struct pl_bytes){bytes, LIST_FIXED + (size_t)list->mark_size});
}

enum pl_error pl_links_get(const struct pl_env *env, MDB_txn *txn, uint32_t link, uint32_t generation,
                           struct pl_link_row *out)
{
    uint8_t bytes[4];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value;
    int rc;

    pl_put_be32(bytes, link);
    rc = mdb_get(txn, pl_env_table(env, PL_T_LINKS), &key, &value);
    if (rc != MDB_SUCCESS) {
        return pl_env_error(rc);
    }
    return pl_links_decode((struct pl_bytes){value.mv_data, value.mv_size}, link, generation, out);
}

enum pl_error pl_links_put(const struct pl_env *env, MDB_txn *txn, const struct pl_link_row *row)
{
    uint8_t bytes[4], stored[LINK_FIXED + ADDRESS_MAX + PL_NAME_MAX];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value = {link_encode(stored, row), stored};

    pl_put_be32(bytes, row->info.link);
    return pl_env_error(mdb_put(txn, pl_env_table(env, PL_T_LINKS), &key, &value, 0));
}

enum pl_error pl_links_by_key(const struct pl_env *env, MDB_txn *txn, const uint8_t public_key[32],
                              uint32_t *link)
{
    MDB_val key = {32, (void *)public_key};
    MDB_val value;
    int rc = mdb_get(txn, pl_env_table(env, PL_T_KEYS), &key, &value);

    if (rc != MDB_SUCCESS) {
        return pl_env_error(rc);
    }
    if (value.mv_size != 4) {
        return PL_E_STORE_DAMAGED;
    }
    *link = pl_get_le32(value.mv_data);
    return PL_OK;
}

enum pl_error pl_links_put_key(const struct pl_env *env, MDB_txn *txn, const uint8_t public_key[32],
                               uint32_t link)
{
    uint8_t bytes[4];
    MDB_val key = {32, (void *)public_key};
    MDB_val value = {sizeof bytes, bytes};

    pl_put_le32(bytes, link);
    return pl_env_error(mdb_put(txn, pl_env_table(env, PL_T_KEYS), &key, &value, 0));
}

static void id_key(uint8_t bytes[8], uint32_t key_id, uint32_t link)
{
    pl_put_be32(bytes, key_id);
    pl_put_be32(bytes + 4, link);
}

enum pl_error pl_links_put_id(const struct pl_env *env, MDB_txn *txn, uint32_t key_id, uint32_t link)
{
    uint8_t bytes[8];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value = {0, NULL};

    id_key(bytes, key_id, link);
    return pl_env_error(mdb_put(txn, pl_env_table(env, PL_T_KID), &key, &value, 0));
}

enum pl_error pl_links_del_id(const struct pl_env *env, MDB_txn *txn, uint32_t key_id, uint32_t link)
{
    uint8_t bytes[8];
    MDB_val key = {sizeof bytes, bytes};
    int rc;

    id_key(bytes, key_id, link);
    rc = mdb_del(txn, pl_env_table(env, PL_T_KID), &key, NULL);
    return rc == MDB_NOTFOUND ? PL_OK : pl_env_error(rc);
}

enum pl_error pl_links_by_id(const struct pl_env *env, MDB_txn *txn, uint32_t key_id, uint32_t generation,
                             struct pl_link_row *out, size_t room, size_t *n)
{
    uint8_t bytes[8];
    MDB_val key = {sizeof bytes, bytes};
    MDB_val value;
    MDB_cursor *cursor;
    enum pl_error error = PL_OK;
    int rc = mdb_cursor_open(txn, pl_env_table(env, PL_T_KID), &cursor);

    *n = 0;
    if (rc != MDB_SUCCESS) {
        return pl_env_error(rc);
    }
    id_key(bytes, key_id, 0);
    rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    while (rc == MDB_SUCCESS && error == PL_OK && *n < room && key.mv_size == 8 &&
           pl_get_be32(key.mv_data) == key_id) {
        error = pl_links_get(env, txn, pl_get_be32((const uint8_t *)key.mv_data + 4), generation, &out[*n]);
        *n += error == PL_OK && out[*n].info.allowed;
        rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    return error != PL_OK || rc == MDB_NOTFOUND ? error : pl_env_error(rc);
}

enum pl_error pl_links_set_address(const struct pl_env *env, MDB_txn *txn, uint32_t link,
                                   struct pl_bytes address)
{
    struct pl_link_row row = {0};
    enum pl_error error = address.n <= ADDRESS_MAX ? pl_links_get(env, txn, link, 0, &row) : PL_E_USAGE;

    if (error != PL_OK) {
        return error == PL_E_NOT_FOUND ? PL_OK : error;
    }
    if (row.info.address_size == address.n && memcmp(row.info.address, address.p, address.n) == 0) {
        return PL_OK;
    }
    row.info.address_size = (uint8_t)address.n;
    memcpy(row.info.address, address.p, address.n);
    return pl_links_put(env, txn, &row);
}
