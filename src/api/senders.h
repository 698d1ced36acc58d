/* senders.h: a list of who may send, in memory, from a file or from the caller: each key looked at. */
#ifndef PL_API_SENDERS_H
#define PL_API_SENDERS_H

#include <stdatomic.h>

#include "io/senders.h"
#include "io/text.h"
#include "store/store.h"

/* Zero-initialise. Names are owned by the list. */
struct pl_senders_list {
    struct pl_allowed *entries;
    size_t n, room;
    struct pl_file_mark mark; /* of the file it was read from; zero: of none */
};

/* Adds one. PL_E_NAME, PL_E_KEY (the own key, not canonical, of low order), PL_E_NO_MEMORY. */
enum pl_error pl_senders_add(struct pl_senders_list *list, struct pl_bytes name, const uint8_t key[32],
                             const uint8_t own_public[32], struct pl_text *why);

/* Reads a file; errors of pl_senders_read and of pl_senders_add, as FILE:LINE. PL_E_CLOSED when *stop became
 * true. After an error free the list. */
enum pl_error pl_senders_load(struct pl_senders_list *list, const char *file, const uint8_t own_public[32],
                              const atomic_bool *stop, struct pl_text *why);

/* PL_E_EXISTS: a name or a key occurs twice. The order of entries may change. */
enum pl_error pl_senders_check_unique(struct pl_senders_list *list, struct pl_text *why);

void pl_senders_free(struct pl_senders_list *list);

#endif
