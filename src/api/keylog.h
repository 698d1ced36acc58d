/* keylog.h: joins the engine, which knows keys and writes nothing, with the key log, which does the reverse.
 */
#ifndef PL_API_KEYLOG_H
#define PL_API_KEYLOG_H

#include "io/keylog.h"
#include "link/link.h"

/* Which end logs: it tells whose a run is. */
struct pl_api_keylog {
    struct pl_keylog *log; /* NULL: no log */
    bool is_node;
};

/* Opens `path`; NULL opens none. Errors of pl_keylog_open. */
enum pl_error pl_api_keylog_open(struct pl_api_keylog *keylog, const char *path, bool is_node,
                                 struct pl_text *why);

void pl_api_keylog_close(struct pl_api_keylog *keylog);

/* Told to the engine as pl_env.run_key with the pl_api_keylog as context. */
void pl_api_keylog_put(void *ctx, const struct pl_run_key *key);

/* Keys that could not be written, and why the last one was not; 0 without a log. Any thread. */
uint64_t pl_api_keylog_lost(const struct pl_api_keylog *keylog, struct pl_text *why);

#endif
