/* keylog.c: a run's key as the engine tells it becomes an entry of the key log. */
#include "api/keylog.h"

#include "crypto/wipe.h"

_Static_assert((int)PL_KEYLOG_SECRET_MAX >= (int)PL_RUN_SECRET_MAX, "every key fits an entry");

enum pl_error pl_api_keylog_open(struct pl_api_keylog *keylog, const char *path, bool is_node,
                                 struct pl_text *why)
{
    *keylog = (struct pl_api_keylog){.is_node = is_node};
    return path ? pl_keylog_open(path, &keylog->log, why) : PL_OK;
}

void pl_api_keylog_close(struct pl_api_keylog *keylog)
{
    pl_keylog_close(keylog->log);
    keylog->log = NULL;
}

void pl_api_keylog_put(void *ctx, const struct pl_run_key *key)
{
    const struct pl_api_keylog *keylog = ctx;
    struct pl_keylog_entry entry = {
        .from_node = key->own == keylog->is_node,
        .suite = key->key->suite,
        .epochs = key->epochs,
        .key_id = key->key_id,
        .run = key->run,
    };

    entry.secret_n = pl_key_export(key->key, entry.secret);
    pl_keylog_put(keylog->log, &entry);
    pl_wipe(&entry, sizeof entry);
}

uint64_t pl_api_keylog_lost(const struct pl_api_keylog *keylog, struct pl_text *why)
{
    return keylog->log ? pl_keylog_lost(keylog->log, why) : 0;
}
