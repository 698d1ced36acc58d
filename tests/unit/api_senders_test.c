/* Lists of senders: each key looked at, errors with file and line, nothing twice. */
#include "api/senders.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crypto/base64.h"
#include "crypto/x25519.h"

static uint8_t own_public[32];

static const char *key_text(uint8_t seed, char text[PL_KEY_TEXT_SIZE + 1])
{
    uint8_t private_key[32] = {0, seed}, public_key[32];
    cr_assert(pl_x25519_public(public_key, private_key));
    pl_key_to_text(public_key, text);
    return text;
}

static void own(void)
{
    cr_assert(pl_x25519_public(own_public, (const uint8_t[32]){0, 200}));
}

/* Loads a file with these contents; the reason is what follows its name. */
static enum pl_error load(const char *contents, size_t *n, char why_out[240])
{
    char path[] = "/tmp/api_senders_XXXXXX";
    struct pl_senders_list list = {0};
    struct pl_text why = {""};
    atomic_bool stop;
    int fd = mkstemp(path);
    atomic_init(&stop, false);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, contents, strlen(contents)), (ssize_t)strlen(contents));
    close(fd);
    enum pl_error e = pl_senders_load(&list, path, own_public, &stop, &why);
    *n = list.n;
    pl_senders_free(&list);
    unlink(path);
    snprintf(why_out, 240, "%s", strncmp(why.s, path, strlen(path)) == 0 ? why.s + strlen(path) : why.s);
    return e;
}

Test(api_senders, lines_become_entries, .init = own)
{
    char a[45], b[45], text[256], why[240];
    size_t n;
    snprintf(text, sizeof text, "# who\nalpha %s\n\nbeta\t%s # the other\n", key_text(1, a), key_text(2, b));
    cr_assert_eq(load(text, &n, why), PL_OK, "%s", why);
    cr_assert_eq(n, 2);
}

Test(api_senders, a_key_that_can_not_be_is_told_with_its_line, .init = own)
{
    char a[45], text[256], why[240];
    size_t n;
    snprintf(text, sizeof text, "alpha %s\nself %s\n", key_text(1, a), key_text(200, (char[45]){0}));
    cr_assert_eq(load(text, &n, why), PL_E_KEY);
    cr_assert_str_eq(why, ":2: this is the node's own key");
    snprintf(text, sizeof text, "zero AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n");
    cr_assert_eq(load(text, &n, why), PL_E_KEY);
    cr_assert_str_eq(why, ":1: this is no usable public key");
}

Test(api_senders, a_name_or_key_given_twice_is_found, .init = own)
{
    uint8_t key[3][32];
    struct pl_text why;
    static const struct {
        const char *names[3];
        int keys[3];
        enum pl_error error;
    } lists[] = {
        {{"a", "b", "c"}, {0, 1, 2}, PL_OK},
        {{"a", "b", "a"}, {0, 1, 2}, PL_E_EXISTS},
        {{"a", "b", "c"}, {0, 1, 0}, PL_E_EXISTS},
        {{"a", "ab", "abc"}, {0, 1, 2}, PL_OK},
    };
    for (int i = 0; i < 3; i++)
        pl_x25519_public(key[i], (const uint8_t[32]){0, (uint8_t)(i + 1)});
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
        struct pl_senders_list list = {0};
        for (int i = 0; i < 3; i++) {
            struct pl_bytes name = {(const uint8_t *)lists[l].names[i], strlen(lists[l].names[i])};
            cr_assert_eq(pl_senders_add(&list, name, key[lists[l].keys[i]], own_public, &why), PL_OK);
        }
        cr_assert_eq(pl_senders_check_unique(&list, &why), lists[l].error, "list %zu", l);
        pl_senders_free(&list);
    }
}

Test(api_senders, names_are_looked_at, .init = own)
{
    static uint8_t long_name[256];
    struct pl_senders_list list = {0};
    struct pl_text why;
    uint8_t key[32];
    pl_x25519_public(key, (const uint8_t[32]){1});
    memset(long_name, 'x', sizeof long_name);
    cr_assert_eq(pl_senders_add(&list, (struct pl_bytes){long_name, 256}, key, own_public, &why), PL_E_NAME);
    cr_assert_eq(pl_senders_add(&list, (struct pl_bytes){long_name, 0}, key, own_public, &why), PL_E_NAME);
    cr_assert_eq(pl_senders_add(&list, (struct pl_bytes){long_name, 255}, key, own_public, &why), PL_OK);
    long_name[3] = '\n';
    cr_assert_eq(pl_senders_add(&list, (struct pl_bytes){long_name, 5}, key, own_public, &why), PL_E_NAME);
    cr_assert_eq(list.n, 1);
    pl_senders_free(&list);
}
