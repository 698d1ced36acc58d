/* A reader's view of the store: look-ups that never wait for the writer.
 *
 * One pl_reader belongs to one thread at a time. Each call takes a fresh snapshot and lets it go before it
 * returns, so no page of the store is held back by an idle or slow reader.
 */
#ifndef PL_STORE_READER_H
#define PL_STORE_READER_H

#include <stdbool.h>

#include "io/text.h"
#include "link/link_limits.h"
#include "link/link_types.h"
#include "store/row.h"

struct pl_store;
struct pl_reader;

/* A link as stored. A value, nothing borrowed. */
struct pl_link_info {
    uint32_t link;               /* dense number, from 1, never reused */
    uint32_t key_id;
    uint8_t public_key[32];
    bool allowed;                /* on the list in force */
    uint64_t allowed_ms;         /* wall clock when it was first allowed */
    uint8_t address_size;        /* 0: none */
    uint8_t address[32];         /* last validated one, as pl_sweep gave it */
    uint8_t name_size;
    uint8_t name[PL_NAME_MAX];
};

/* The allow list in force. */
struct pl_list_info {
    uint32_t generation;         /* 0: none was ever imported */
    uint64_t entries;
    uint64_t wall_ms;            /* when */
    uint8_t mark_size;
    uint8_t mark[128];
};

/* A reader on the store of this process, for another thread. Close it before the store. PL_E_NO_MEMORY,
 * PL_E_LIMIT (more than 126 at a time), PL_E_STORE. */
enum pl_error pl_reader_of(struct pl_store *store, struct pl_reader **out, struct pl_text *reason);

/* A reader on DIR, beside a node that may be running; changes nothing. PL_E_NOT_FOUND: no store there;
 * PL_E_STORE_DAMAGED, PL_E_VERSION, PL_E_PERMISSION, PL_E_IO, PL_E_NO_MEMORY. */
enum pl_error pl_reader_open(const char *dir, struct pl_reader **out, struct pl_text *reason);

/* NULL is allowed. */
void pl_reader_close(struct pl_reader *reader);

/* Links on the list in force whose packets to us carry key_id; *n is 0..PL_KEYS_PER_ID. PL_OK (also for
 * none), PL_E_STORE_DAMAGED, PL_E_STORE. */
enum pl_error pl_store_find(struct pl_reader *reader, uint32_t key_id,
                            struct pl_link_info out[PL_KEYS_PER_ID], size_t *n);

/* PL_OK, PL_E_NOT_FOUND, PL_E_STORE_DAMAGED, PL_E_STORE. */
enum pl_error pl_store_link(struct pl_reader *reader, uint32_t link, struct pl_link_info *out);

/* The link with that public key, allowed or not. Errors as above. */
enum pl_error pl_store_link_by_key(struct pl_reader *reader, const uint8_t public_key[32],
                                   struct pl_link_info *out);

/* All rows of a link as checkpointed; rows is emptied first. Right for a link that is not in memory (its
 * sweep was committed, or it was not heard since the store was opened). PL_OK, PL_E_NO_MEMORY,
 * PL_E_STORE, PL_E_STORE_DAMAGED: a row's checksum fails; the link must not be served, or records could
 * be stored twice. */
enum pl_error pl_store_rows(struct pl_reader *reader, uint32_t link, struct pl_rows *rows);

/* PL_OK, PL_E_STORE. */
enum pl_error pl_reader_list(struct pl_reader *reader, struct pl_list_info *out);

/* Log position that the next record will take: cheap enough to poll. PL_OK, PL_E_STORE,
 * PL_E_STORE_DAMAGED. */
enum pl_error pl_reader_end(struct pl_reader *reader, uint64_t *end);

#endif
