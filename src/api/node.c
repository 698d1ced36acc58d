/* node.c: part 3 of purelink.h over src/node. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/common.h"
#include "api/keylog.h"
#include "api/senders.h"
#include "node/node.h"
#include "io/io.h"
#include "link/link.h"

enum {
    LISTEN_MAX = PL_NET_SOCKETS_MAX,
    RELOAD_POLL_US = 2000,
    KEEP_BYTES_MIN = 1 << 20,
    FAILURE_POLL_US = 250000 /* how late a failed store is noticed */
};

struct purelink_node {
    struct pl_node *node;
    struct pl_wake *wake;
    struct pl_api_keylog keylog;
    atomic_bool stop, awake;
    bool started;
    uint8_t public_key[32];
};

/* What a list in force was made of. The stored key ids are of one key of this node: with another, the same
 * file makes another list. */
struct list_mark {
    struct pl_file_mark file; /* zero: the list came from memory */
    uint8_t public_key[PL_SENDERS_KEY_SIZE];
};
_Static_assert(sizeof(struct list_mark) == sizeof(struct pl_file_mark) + PL_SENDERS_KEY_SIZE,
               "marks are compared whole");

static enum purelink_error wrong(const char *text, struct purelink_reason *reason)
{
    struct pl_text why;

    pl_text_set(&why, "%s", text);
    return pl_api_fail(PL_E_USAGE, &why, reason);
}

static enum purelink_error check_config(const struct purelink_node_config *c, struct purelink_reason *reason)
{
    if (!c || c->size < sizeof *c)
        return wrong("the configuration's size is not that of struct purelink_node_config", reason);
    if (!c->private_key || !c->store || !c->listen)
        return wrong("private_key, store and listen must all be given", reason);
    if (c->listen_count == 0 || c->listen_count > LISTEN_MAX)
        return wrong("1 to 16 addresses to listen on must be given", reason);
    if (c->keep_bytes > 0 && c->keep_bytes < KEEP_BYTES_MIN)
        return wrong("keep_bytes must be at least 1 MiB (1M), or 0 to keep all", reason);
    return PURELINK_OK;
}

static enum pl_error open_inner(struct purelink_node *n, const struct purelink_node_config *config,
                                struct pl_text *why)
{
    struct pl_address listen[LISTEN_MAX];
    struct pl_node_config inner = {
        .io = &pl_io_linux,
        .private_key = config->private_key,
        .dir = config->store,
        .listen = listen,
        .listen_n = config->listen_count,
        .idle_us = config->link_idle_ms * 1000,
        .map_bytes = config->store_max_bytes,
        .keep_ms = config->keep_ms,
        .keep_bytes = config->keep_bytes,
        .run_key = config->keylog ? pl_api_keylog_put : NULL,
        .run_key_ctx = &n->keylog,
    };

    for (size_t i = 0; i < config->listen_count; i++) {
        enum pl_error e = pl_address_parse_listen(config->listen[i], &listen[i], why);
        if (e != PL_OK)
            return e;
    }
    enum pl_error e = pl_api_keylog_open(&n->keylog, config->keylog, true, why);
    if (e == PL_OK)
        e = inner.io->wake_open(inner.io->ctx, &n->wake, why);
    return e == PL_OK ? pl_node_open(&inner, &n->node, why) : e;
}

enum purelink_error purelink_node_open(struct purelink_node **out, const struct purelink_node_config *config,
                                       struct purelink_reason *reason)
{
    struct pl_text why = {""};
    enum purelink_error bad = check_config(config, reason);

    *out = NULL;
    if (bad != PURELINK_OK)
        return bad;
    struct purelink_node *n = calloc(1, sizeof *n);
    enum pl_error e = n ? open_inner(n, config, &why) : PL_E_NO_MEMORY;
    if (e != PL_OK) {
        purelink_node_close(n);
        return pl_api_fail(e, &why, reason);
    }
    memcpy(n->public_key, n->node->memo.own_public, sizeof n->public_key);
    if (reason)
        memcpy(reason->text, why.s, sizeof reason->text);
    *out = n;
    return PURELINK_OK;
}

void purelink_node_close(struct purelink_node *node)
{
    if (!node)
        return;
    if (node->started)
        pl_node_stop(node->node);
    pl_node_close(node->node);
    if (node->wake)
        pl_io_linux.wake_close(pl_io_linux.ctx, node->wake);
    pl_api_keylog_close(&node->keylog);
    free(node);
}

static struct list_mark mark_of(const struct purelink_node *n, const struct pl_file_mark *file)
{
    struct list_mark mark = {.file = *file};

    memcpy(mark.public_key, n->public_key, sizeof mark.public_key);
    return mark;
}

/* Lets the store take a list in: by its own thread, or here while there is none. */
static enum pl_error reload(struct purelink_node *n, const struct pl_senders_list *list, struct pl_text *why)
{
    struct pl_reload *r = calloc(1, sizeof *r);
    struct list_mark mark = mark_of(n, &list->mark);

    if (!r)
        return PL_E_NO_MEMORY;
    r->entries = list->entries;
    r->n = list->n;
    r->mark_n = sizeof mark;
    memcpy(r->mark, &mark, sizeof mark);
    (void)pl_node_reload(n->node, r);
    while (!atomic_load(&r->done)) {
        if (n->started)
            (void)pl_io_linux.wait(pl_io_linux.ctx, NULL, 0, NULL, RELOAD_POLL_US);
        else
            (void)pl_node_step_store(n->node, pl_io_linux.now_us(pl_io_linux.ctx));
    }
    enum pl_error e = r->error;
    *why = r->why;
    free(r);
    return e;
}

static bool is_in_force(struct purelink_node *n, const char *file)
{
    struct pl_file_mark file_mark;
    struct pl_list_info list = {0};
    struct pl_reader *reader;

    if (pl_file_mark_read(file, &file_mark, NULL) != PL_OK ||
        pl_reader_of(n->node->store, &reader, NULL) != PL_OK)
        return false;
    struct list_mark mark = mark_of(n, &file_mark);
    enum pl_error e = pl_reader_list(reader, &list);
    pl_reader_close(reader);
    return e == PL_OK && list.generation > 0 && list.mark_size == sizeof mark &&
           memcmp(list.mark, &mark, sizeof mark) == 0;
}

enum purelink_error purelink_node_load_senders(struct purelink_node *node, const char *file,
                                               struct purelink_reason *reason)
{
    struct pl_text why = {""};
    struct pl_senders_list list = {0};
    enum pl_error e = PL_OK;

    if (!is_in_force(node, file)) {
        e = pl_senders_load(&list, file, node->public_key, &node->stop, &why);
        if (e == PL_OK)
            e = reload(node, &list, &why);
        pl_senders_free(&list);
    }
    if (e != PL_OK && why.s[0] == '\0')
        pl_text_set(&why, "%s: %s", file, purelink_strerror((int)pl_api_error(e)));
    pl_node_senders_failed(node->node, e == PL_OK ? NULL : &why);
    return pl_api_fail(e, &why, reason);
}

enum purelink_error purelink_senders_check(const char *file, const uint8_t *private_key,
                                           struct purelink_reason *reason)
{
    static const atomic_bool never;
    struct pl_text why = {""};
    struct pl_senders_list list = {0};
    uint8_t own_public[PL_SENDERS_KEY_SIZE];
    enum pl_error e = PL_E_KEY;

    if (purelink_key_public(private_key, own_public) == PURELINK_OK)
        e = pl_senders_load(&list, file, own_public, &never, &why);
    pl_senders_free(&list);
    return pl_api_fail(e, &why, reason);
}

enum purelink_error purelink_node_set_senders(struct purelink_node *node, const struct purelink_peer *peers,
                                              size_t count, struct purelink_reason *reason)
{
    struct pl_text why = {""};
    struct pl_senders_list list = {0};
    enum pl_error e = PL_OK;

    for (size_t i = 0; i < count && e == PL_OK; i++) {
        struct pl_bytes name = {(const uint8_t *)peers[i].name, strlen(peers[i].name)};
        e = pl_senders_add(&list, name, peers[i].public_key, node->public_key, &why);
    }
    if (e == PL_OK)
        e = pl_senders_check_unique(&list, &why);
    if (e == PL_OK)
        e = reload(node, &list, &why);
    pl_senders_free(&list);
    pl_node_senders_failed(node->node, e == PL_OK ? NULL : &why);
    return pl_api_fail(e, &why, reason);
}

enum purelink_error purelink_node_start(struct purelink_node *node, struct purelink_reason *reason)
{
    struct pl_text why = {""};

    if (node->started)
        return wrong("the node was started already", reason);
    enum pl_error e = pl_node_start(node->node, &why);
    node->started = e == PL_OK;
    return pl_api_fail(e, &why, reason);
}

enum purelink_error purelink_node_wait(struct purelink_node *node, int64_t timeout_ms,
                                       struct purelink_reason *reason)
{
    const struct pl_io *io = &pl_io_linux;
    uint64_t end_us = timeout_ms < 0 ? UINT64_MAX : io->now_us(io->ctx) + (uint64_t)timeout_ms * 1000;

    for (;;) {
        struct pl_text why = {""};
        if (atomic_load(&node->stop))
            return PURELINK_E_CLOSED;
        if (atomic_exchange(&node->awake, false))
            return PURELINK_E_AGAIN;
        if (pl_node_has_failed(node->node, &why))
            return pl_api_fail(PL_E_STORE, &why, reason);
        uint64_t now_us = io->now_us(io->ctx);
        if (now_us >= end_us)
            return PURELINK_E_TIMEOUT;
        uint64_t left_us = end_us - now_us;
        (void)io->wait(io->ctx, NULL, 0, node->wake, left_us < FAILURE_POLL_US ? left_us : FAILURE_POLL_US);
    }
}

void purelink_node_stop(struct purelink_node *node)
{
    atomic_store(&node->stop, true);
    pl_io_linux.wake(pl_io_linux.ctx, node->wake);
}

void purelink_node_wake(struct purelink_node *node)
{
    atomic_store(&node->awake, true);
    pl_io_linux.wake(pl_io_linux.ctx, node->wake);
}

enum purelink_error purelink_node_address(const struct purelink_node *node, size_t index, char *text,
                                          size_t room)
{
    struct pl_address address;
    char full[PL_ADDRESS_TEXT_SIZE];

    if (!pl_node_local(node->node, index, &address))
        return PURELINK_E_NOT_FOUND;
    size_t n = strlen(pl_address_print(&address, full, sizeof full)) + 1;
    if (n > room)
        return PURELINK_E_TOO_LARGE;
    memcpy(text, full, n);
    return PURELINK_OK;
}

void purelink_node_status(struct purelink_node *node, struct purelink_node_status *status)
{
    struct pl_node_status s;

    pl_node_status(node->node, &s);
    *status = (struct purelink_node_status){
        .links_active = s.links_active,
        .packets_received = s.packets_in,
        .packets_sent = s.packets_out,
        .records_received = s.records_delivered,
        .commits = s.commits,
        .store_full = s.store_full != 0,
    };
    memcpy(status->last_error, s.last_error, sizeof status->last_error);
    struct pl_text why = {""};
    status->keylog_lost = pl_api_keylog_lost(&node->keylog, &why);
    memcpy(status->keylog_error, why.s, sizeof status->keylog_error);
}
