/* Links: who may talk to this node, by dense number, by key id, by public key.
 *
 * A link is on the list in force if one of its two generations is the one in force: an import writes the
 * new generation beside the old one, and a last small transaction changes which is in force. So a million
 * entries need no long transaction, and an import cut short changes nothing.
 */
#ifndef PL_STORE_LINKS_H
#define PL_STORE_LINKS_H

#include "store/env.h"
#include "store/reader.h"
#include "store/store.h"

/* A link with what only the import sees. */
struct pl_link_row {
    struct pl_link_info info;           /* info.allowed is worked out on reading */
    uint32_t generations[2];
};

/* The generation in force, 0 if none, with the list's facts. PL_OK (also for none), PL_E_STORE_DAMAGED. */
enum pl_error pl_links_list(const struct pl_env *env, MDB_txn *txn, struct pl_list_info *out);
enum pl_error pl_links_put_list(const struct pl_env *env, MDB_txn *txn, const struct pl_list_info *list);

/* PL_E_NOT_FOUND, PL_E_STORE_DAMAGED (checksum), PL_E_STORE. */
enum pl_error pl_links_get(const struct pl_env *env, MDB_txn *txn, uint32_t link, uint32_t generation,
                           struct pl_link_row *out);
enum pl_error pl_links_put(const struct pl_env *env, MDB_txn *txn, const struct pl_link_row *row);

/* The stored form, as links are walked. */
enum pl_error pl_links_decode(struct pl_bytes in, uint32_t link, uint32_t generation,
                              struct pl_link_row *out);

/* The number of the link with that key. PL_E_NOT_FOUND. */
enum pl_error pl_links_by_key(const struct pl_env *env, MDB_txn *txn, const uint8_t public_key[32],
                              uint32_t *link);
enum pl_error pl_links_put_key(const struct pl_env *env, MDB_txn *txn, const uint8_t public_key[32],
                               uint32_t link);

/* Links of that key id that are in `generation`; at most room, *n of them. */
enum pl_error pl_links_by_id(const struct pl_env *env, MDB_txn *txn, uint32_t key_id, uint32_t generation,
                             struct pl_link_row *out, size_t room, size_t *n);
enum pl_error pl_links_put_id(const struct pl_env *env, MDB_txn *txn, uint32_t key_id, uint32_t link);
enum pl_error pl_links_del_id(const struct pl_env *env, MDB_txn *txn, uint32_t key_id, uint32_t link);

/* Keeps the last validated address (at most 32 bytes) of a link; of an unknown one nothing is kept. */
enum pl_error pl_links_set_address(const struct pl_env *env, MDB_txn *txn, uint32_t link,
                                   struct pl_bytes address);

#endif
