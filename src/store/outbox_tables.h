/* The outbox as tables.
 *
 * | table | key, big endian | value, little endian; every value begins with crc32c (4) over key and rest
 * | | lines | link (4) line (4) | next stream (4) forked_ms (8) next number (8) next position (8) name |
 * | stretches | link (4) line (4) stream (4) | birth, start number, start position, end number, end
 * position, freed number,
 *   freed position (8 each); end 0 while it is the newest |
 * | lives | link (4) line (4) start position (8) | tag (4) before (4) start number (8) | | rows | link
 * (4) line (4) position (8) | count (4) first number (8) framed records | | inputs | source key |
 * position blob | | damaged | link (4) line (4) position (8) | a row's value as it was | meta (without
 * checksum): format, id, owner, damaged, dropped.
 */
#ifndef PL_STORE_OUTBOX_TABLES_H
#define PL_STORE_OUTBOX_TABLES_H

#include "store/outbox_state.h"

enum { PL_ROW_FIXED = 16, PL_OUTBOX_KEY_MAX = 16 };

/* A row as found. Valid until its transaction changes or ends. A damaged one has an end and numbers only
 * as its neighbours tell, so they are left 0. */
struct pl_held_row {
    struct pl_spot start, end;       /* end: the next record's number and position */
    struct pl_bytes bytes;
    bool damaged;
};

/* Adds a row to the batch, its value made of row->bytes and then `more`, which are copied. Errors as
 * pl_write_batch_add(). */
enum pl_error pl_held_put(struct pl_write_batch *batch, const struct pl_line *line,
                          const struct pl_held_row *row, struct pl_bytes more);

/* The row that holds the byte at position, or else the first one after it. PL_E_NOT_FOUND: the line has
 * neither. */
enum pl_error pl_held_seek(MDB_cursor *cursor, const struct pl_line *line, uint64_t position,
                           struct pl_held_row *out);
enum pl_error pl_held_next(MDB_cursor *cursor, const struct pl_line *line, struct pl_held_row *out);
/* As pl_held_next(), but a row within line->sound is not checked again: for who deletes it. */
enum pl_error pl_held_next_known(MDB_cursor *cursor, const struct pl_line *line, struct pl_held_row *out);
enum pl_error pl_held_prev(MDB_cursor *cursor, const struct pl_line *line, struct pl_held_row *out);

/* Moves a damaged row's value to the table of damaged ones and counts it; the row itself stays for the
 * caller to delete. */
enum pl_error pl_held_set_aside(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                                MDB_cursor *cursor);

enum pl_error pl_outbox_line_put(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                          const struct pl_line_state *state);
enum pl_error pl_stretch_put(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                             const struct pl_stretch *stretch);
enum pl_error pl_stretch_del(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                             uint32_t stream);
enum pl_error pl_life_put(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                          const struct pl_given_life *life);
enum pl_error pl_life_del(const struct pl_env *env, MDB_txn *txn, const struct pl_line *line,
                          uint64_t position);

/* Decodes the line under the cursor's key and value and reads its stretches and lives; *out is the
 * caller's to free (pl_line_state_clear, free). PL_E_STORE_DAMAGED, PL_E_NO_MEMORY, PL_E_STORE. */
enum pl_error pl_outbox_line_load(const struct pl_env *env, MDB_txn *txn, const MDB_val *key,
                                  const MDB_val *value, struct pl_line **out);

/* Value with its checksum: key bytes seed it. */
uint32_t pl_value_crc(const void *key, size_t key_size, const uint8_t *value, size_t n);

#endif
