/* The node's store as tables: their numbers, and the rows of streams among them.
 *
 * | table | key, big endian | value, little endian |
 * | meta | name | format, id, owner, checkpoint, list, generation, next link, damage |
 * | log | position (8) | block (chunk.h), put with MDB_APPEND |
 * | rows | link (4) stream (4) | row (row.h) |
 * | links | link (4) | link (links.h) |
 * | kid | key id (4) link (4) | empty |
 * | keys | public key (32) | link (4) |
 * | damaged | position (8) | a block set aside, as it was |
 */
#ifndef PL_STORE_TABLES_H
#define PL_STORE_TABLES_H

#include "store/env.h"
#include "store/row.h"

#define PL_STORE_FORMAT "purelink store 1"

enum { PL_T_META, PL_T_LOG, PL_T_ROWS, PL_T_LINKS, PL_T_KID, PL_T_KEYS, PL_T_DAMAGED, PL_T_COUNT };

extern const struct pl_table pl_store_tables[PL_T_COUNT];

/* PL_OK, PL_E_NOT_FOUND, PL_E_STORE_DAMAGED, PL_E_STORE. */
enum pl_error pl_rows_get(const struct pl_env *env, MDB_txn *txn, uint32_t link, uint32_t stream,
                          struct pl_row *row);
enum pl_error pl_rows_put(const struct pl_env *env, MDB_txn *txn, const struct pl_row *row);

/* Appends the checkpointed rows of a link to rows. PL_OK (also for none), PL_E_NO_MEMORY, and as above. */
enum pl_error pl_rows_of_link(const struct pl_env *env, MDB_txn *txn, uint32_t link, struct pl_rows *rows);

/* One more row at the end of rows, or NULL without memory. */
struct pl_row *pl_rows_add(struct pl_rows *rows);

#endif
