/* keys.c: a key log read line by line into an array that is sorted once. */
#include "capture/keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/secret.h"
#include "crypto/wipe.h"
#include "io/file.h"
#include "io/keylog.h"

enum { ROOM_FIRST = 64 };

static int compare(const void *a, const void *b)
{
    const struct pl_capture_key *x = a, *y = b;

    if (x->key_id != y->key_id)
        return x->key_id < y->key_id ? -1 : 1;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    if (x->key.suite != y->key.suite)
        return x->key.suite - y->key.suite;
    return x->epochs - y->epochs;
}

/* Not realloc: the old place would keep the keys. */
static bool make_room(struct pl_capture_keys *keys)
{
    if (keys->n < keys->room)
        return true;
    size_t room = keys->room ? keys->room * 2 : ROOM_FIRST;
    struct pl_capture_key *items = malloc(room * sizeof *items);
    if (!items)
        return false;
    if (keys->n > 0) {
        memcpy(items, keys->items, keys->n * sizeof *items);
        pl_wipe(keys->items, keys->n * sizeof *items);
    }
    free(keys->items);
    keys->items = items;
    keys->room = room;
    return true;
}

static enum pl_error add(struct pl_capture_keys *keys, const struct pl_keylog_entry *entry, const char *name,
                         struct pl_text *why)
{
    struct pl_capture_key *key;

    if (keys->n == PL_CAPTURE_KEYS_MAX) {
        pl_text_set(why, "%s: more than %d keys: too many to hold", name, (int)PL_CAPTURE_KEYS_MAX);
        return PL_E_LIMIT;
    }
    if (!make_room(keys))
        return pl_file_error(name, ENOMEM, why);
    key = &keys->items[keys->n];
    *key = (struct pl_capture_key){
        .key_id = entry->key_id, .epochs = entry->epochs, .from_node = entry->from_node, .run = entry->run};
    if (!pl_key_import(&key->key, entry->suite, (struct pl_bytes){entry->secret, entry->secret_n}))
        return PL_E_RANGE;
    keys->n++;
    return PL_OK;
}

static enum pl_error take_line(struct pl_capture_keys *keys, const char *line, size_t n, uint64_t number,
                               const char *name, struct pl_text *why)
{
    struct pl_keylog_entry entry;
    const char *what = "not a key of this suite's size";

    while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
        n--;
    enum pl_error e = pl_keylog_parse(line, n, &entry, &what);
    bool is_key = e == PL_OK;
    if (is_key)
        e = add(keys, &entry, name, why);
    pl_wipe(&entry, sizeof entry);
    if (e == PL_OK || e == PL_E_EMPTY || (is_key && e != PL_E_RANGE))
        return e == PL_E_EMPTY ? PL_OK : e;
    if (keys->skipped++ == 0) {
        keys->skipped_line = number;
        keys->skipped_why = what;
    }
    return PL_OK;
}

/* Sorts, and keeps the first of those that are equal. */
static void put_in_order(struct pl_capture_keys *keys)
{
    size_t kept = 0;

    qsort(keys->items, keys->n, sizeof keys->items[0], compare);
    for (size_t i = 0; i < keys->n; i++)
        if (kept == 0 || compare(&keys->items[kept - 1], &keys->items[i]) != 0)
            keys->items[kept++] = keys->items[i];
    pl_wipe(keys->items + kept, (keys->n - kept) * sizeof keys->items[0]);
    keys->n = kept;
}

/* The next line into `line`, cut to room - 1 characters and read to its end. False at the end of the file. */
static bool read_line(FILE *file, char *line, size_t room, size_t *n)
{
    int c = getc(file);

    for (*n = 0; c != EOF && c != '\n'; c = getc(file))
        if (*n < room)
            line[(*n)++] = (char)c;
    return *n > 0 || c != EOF;
}

enum pl_error pl_capture_keys_read(struct pl_capture_keys *keys, FILE *file, const char *name,
                                   struct pl_text *why)
{
    /* A longer line is cut to one that is too long to be understood. */
    char line[PL_KEYLOG_LINE_MAX];
    enum pl_error e = PL_OK;
    size_t n = 0;

    for (uint64_t number = 1; e == PL_OK && read_line(file, line, sizeof line, &n); number++)
        e = take_line(keys, line, n, number, name, why);
    pl_wipe(line, sizeof line);
    if (e == PL_OK && ferror(file))
        e = pl_file_error(name, errno ? errno : EIO, why);
    if (e == PL_OK && keys->n == 0) {
        pl_text_set(why, "%s: no key in it; a key log is written by --keylog of send and serve", name);
        e = PL_E_EMPTY;
    }
    if (e == PL_OK)
        put_in_order(keys);
    return e;
}

const struct pl_capture_key *pl_capture_keys_find(const struct pl_capture_keys *keys,
                                                  const struct pl_header *header)
{
    struct pl_capture_key wanted = {
        .key_id = header->key_id,
        .run = header->run,
        .epochs = (uint8_t)(header->own_epoch << 4 | header->peer_epoch),
        .key = {.suite = header->suite},
    };

    return keys->n ? bsearch(&wanted, keys->items, keys->n, sizeof keys->items[0], compare) : NULL;
}

bool pl_capture_keys_has_id(const struct pl_capture_keys *keys, uint32_t key_id)
{
    size_t low = 0, high = keys->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys->items[middle].key_id < key_id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < keys->n && keys->items[low].key_id == key_id;
}

void pl_capture_keys_free(struct pl_capture_keys *keys)
{
    if (keys->items)
        pl_wipe(keys->items, keys->n * sizeof keys->items[0]);
    free(keys->items);
    *keys = (struct pl_capture_keys){0};
}
