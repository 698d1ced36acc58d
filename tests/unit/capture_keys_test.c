/* Keys of a log: found by header, each once; lines that are none are skipped and told. */
#include "capture/keys.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "io/keylog.h"
#include "link/link_limits.h"

static enum pl_error read_text(struct pl_capture_keys *keys, const char *text, struct pl_text *why)
{
    FILE *file = text[0] ? fmemopen((char *)(uintptr_t)text, strlen(text), "r") : fopen("/dev/null", "r");

    cr_assert_not_null(file);
    memset(keys, 0, sizeof *keys);
    enum pl_error e = pl_capture_keys_read(keys, file, "some", why);
    fclose(file);
    return e;
}

#define AES    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b"
#define CHACHA AES "1c1d1e1f202122232425262728292a2b"

Test(capture_keys, are_found_by_header_and_held_once)
{
    static const char text[] = "# a comment\n\n"
                               "PURELINK_NODE_RUN 0000000b 00000000000000ff 1 00 " AES "\r\n"
                               "PURELINK_DEVICE_RUN 0000000a 0000000000000002 2 00 " CHACHA "\n"
                               "PURELINK_DEVICE_RUN 0000000a 0000000000000001 1 00 " AES "\n"
                               "PURELINK_DEVICE_RUN 0000000a 0000000000000001 1 00 " AES "\n"
                               "PURELINK_DEVICE_RUN 0000000a 0000000000000001 1 12 " AES;
    struct pl_capture_keys keys;
    struct pl_header header = {.suite = 1, .key_id = 0xa, .run = 1};

    cr_assert_eq(read_text(&keys, text, NULL), PL_OK);
    cr_assert(keys.n == 4 && keys.skipped == 0);
    const struct pl_capture_key *key = pl_capture_keys_find(&keys, &header);
    cr_assert(key && !key->from_node && key->epochs == 0 && key->key.key[1] == 1 && key->key.iv[0] == 16);
    header.own_epoch = 1, header.peer_epoch = 2;
    key = pl_capture_keys_find(&keys, &header);
    cr_assert(key && key->epochs == 0x12);
    header = (struct pl_header){.suite = 2, .key_id = 0xa, .run = 2};
    key = pl_capture_keys_find(&keys, &header);
    cr_assert(key && key->key.key[31] == 31 && key->key.iv[11] == 43);
    header.suite = 1;
    cr_assert_null(pl_capture_keys_find(&keys, &header));
    header = (struct pl_header){.suite = 1, .key_id = 0xb, .run = 0xff};
    key = pl_capture_keys_find(&keys, &header);
    cr_assert(key && key->from_node);
    for (uint32_t id = 0; id < 20; id++)
        cr_assert_eq(pl_capture_keys_has_id(&keys, id), id == 0xa || id == 0xb, "%u", (unsigned)id);
    pl_capture_keys_free(&keys);
    cr_assert_null(pl_capture_keys_find(&keys, &header));
    cr_assert(!pl_capture_keys_has_id(&keys, 0xa));
}

Test(capture_keys, lines_that_are_none_are_skipped)
{
    char text[4096] = "";
    struct pl_capture_keys keys;
    struct pl_text why = {""};

    for (int i = 0; i < 1500; i++)
        strcat(text, "f");
    strcat(text, "\nPURELINK_DEVICE_RUN 0000000a 0000000000000001 2 00 " AES
                 "\n" /* a key of another suite's size */
                 "PURELINK_DEVICE_RUN 0000000a 0000000000000001 3 00 " AES "\n"
                 "PURELINK_DEVICE_RUN 0000000a 0000000000000001 1 00 " AES "\n");
    cr_assert_eq(read_text(&keys, text, &why), PL_OK, "%s", why.s);
    cr_assert(keys.n == 1 && keys.skipped == 3 && keys.skipped_line == 1 && keys.skipped_why != NULL);
    pl_capture_keys_free(&keys);
    static const char *const none[] = {"", "\n", "# only\n", "rubbish"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        cr_assert_eq(read_text(&keys, none[i], &why), PL_E_EMPTY);
        cr_assert(strstr(why.s, "some: no key in it"), "%s", why.s);
        pl_capture_keys_free(&keys);
    }
}

Test(capture_keys, many_are_sorted)
{
    enum { MANY = 1000 };
    struct pl_capture_keys keys;
    size_t room = MANY * (size_t)PL_KEYLOG_LINE_MAX, n = 0;
    char *text = calloc(room, 1);

    cr_assert_not_null(text);
    for (unsigned i = 0; i < MANY; i++)
        n += (size_t)snprintf(text + n, room - n, "PURELINK_NODE_RUN %08x %016x 1 00 " AES "\n",
                              i * 7919 % 13, i * 7919 % MANY);
    cr_assert_eq(read_text(&keys, text, NULL), PL_OK);
    cr_assert_eq(keys.n, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        struct pl_header header = {.suite = 1, .key_id = i * 7919 % 13, .run = i * 7919 % MANY};
        cr_assert_not_null(pl_capture_keys_find(&keys, &header));
    }
    pl_capture_keys_free(&keys);
    free(text);
}
