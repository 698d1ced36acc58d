/* senders.c: collects who may send and looks at each key: see senders.h. */
#include "api/senders.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/secret.h"

enum {
    ROOM_MIN = 64,
    ASCII_DELETE = 0x7f,
    TRIM_FROM = 1024 /* names of fewer entries are not worth a walk through the heap */
};

static enum pl_error check_key(const uint8_t key[32], const uint8_t own_public[32], struct pl_text *why)
{
    if (memcmp(key, own_public, PL_SENDERS_KEY_SIZE) == 0)
        pl_text_set(why, "this is the node's own key");
    else if (pl_public_key_check(key) != PL_OK)
        pl_text_set(why, "this is no usable public key");
    else
        return PL_OK;
    return PL_E_KEY;
}

static enum pl_error check_name(struct pl_bytes name, struct pl_text *why)
{
    bool good = name.n >= 1 && name.n <= PL_SENDERS_NAME_MAX;

    for (size_t i = 0; good && i < name.n; i++)
        good = name.p[i] >= ' ' && name.p[i] != ASCII_DELETE;
    if (!good)
        pl_text_set(why, "a name must have 1 to %d bytes and no control characters", PL_SENDERS_NAME_MAX);
    return good ? PL_OK : PL_E_NAME;
}

static enum pl_error make_room(struct pl_senders_list *list)
{
    if (list->n < list->room)
        return PL_OK;
    size_t room = list->room ? list->room * 2 : ROOM_MIN;
    struct pl_allowed *grown = realloc(list->entries, room * sizeof *grown);
    if (!grown)
        return PL_E_NO_MEMORY;
    list->entries = grown;
    list->room = room;
    return PL_OK;
}

enum pl_error pl_senders_add(struct pl_senders_list *list, struct pl_bytes name, const uint8_t key[32],
                             const uint8_t own_public[32], struct pl_text *why)
{
    enum pl_error e = check_name(name, why);

    if (e == PL_OK)
        e = check_key(key, own_public, why);
    if (e == PL_OK)
        e = make_room(list);
    if (e != PL_OK)
        return e;
    uint8_t *copy = malloc(name.n);
    if (!copy)
        return PL_E_NO_MEMORY;
    memcpy(copy, name.p, name.n);
    struct pl_allowed *entry = &list->entries[list->n++];
    entry->name = (struct pl_bytes){copy, name.n};
    memcpy(entry->public_key, key, sizeof entry->public_key);
    entry->key_id = pl_key_id(key, own_public);
    return PL_OK;
}

struct loading {
    struct pl_senders_list *list;
    const char *file;
    const uint8_t *own_public;
    const atomic_bool *stop;
    struct pl_text why; /* of the line that was wrong; empty: none was */
};

static enum pl_error take_line(void *ctx, const struct pl_sender *sender)
{
    struct loading *l = ctx;
    struct pl_text why = {""};

    if (atomic_load(l->stop))
        return PL_E_CLOSED;
    enum pl_error e = pl_senders_add(l->list, sender->name, sender->key, l->own_public, &why);
    if (e != PL_OK && why.s[0])
        pl_text_set(&l->why, "%s:%llu: %s", l->file, (unsigned long long)sender->line, why.s);
    return e;
}

enum pl_error pl_senders_load(struct pl_senders_list *list, const char *file, const uint8_t own_public[32],
                              const atomic_bool *stop, struct pl_text *why)
{
    struct loading l = {.list = list, .file = file, .own_public = own_public, .stop = stop};
    enum pl_error e = pl_senders_read(file, take_line, &l, &list->mark, why);

    if (e != PL_OK && l.why.s[0])
        *why = l.why;
    return e;
}

static int by_key(const void *a, const void *b)
{
    const struct pl_allowed *x = a, *y = b;

    return memcmp(x->public_key, y->public_key, sizeof x->public_key);
}

static int by_name(const void *a, const void *b)
{
    const struct pl_allowed *x = a, *y = b;
    size_t shorter = x->name.n < y->name.n ? x->name.n : y->name.n;
    int order = memcmp(x->name.p, y->name.p, shorter);

    return order ? order : (x->name.n > y->name.n) - (x->name.n < y->name.n);
}

enum pl_error pl_senders_check_unique(struct pl_senders_list *list, struct pl_text *why)
{
    int (*const orders[])(const void *, const void *) = {by_key, by_name};

    for (size_t o = 0; list->n > 1 && o < sizeof orders / sizeof orders[0]; o++) {
        qsort(list->entries, list->n, sizeof list->entries[0], orders[o]);
        for (size_t i = 1; i < list->n; i++) {
            const struct pl_allowed *entry = &list->entries[i];
            if (orders[o](entry - 1, entry) != 0)
                continue;
            pl_text_set(why, "the %s of %.*s is given twice", o == 0 ? "key" : "name", (int)entry->name.n,
                        (const char *)entry->name.p);
            return PL_E_EXISTS;
        }
    }
    return PL_OK;
}

void pl_senders_free(struct pl_senders_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free((void *)(uintptr_t)list->entries[i].name.p);
    free(list->entries);
    if (list->n >= TRIM_FROM)
        malloc_trim(0);
    *list = (struct pl_senders_list){0};
}
