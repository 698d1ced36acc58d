/* device_resolve_test.c: which texts are addresses or names, look-ups on their thread, closing under them. */
#include "device/resolve.h"

#include <criterion/criterion.h>
#include <semaphore.h>

static sem_t woken, go;

static void wake(void *ctx)
{
    (void)ctx;
    sem_post(&woken);
}

static enum pl_error look_up(const char *text, struct pl_address out[PL_ADDRESS_RESOLVE_MAX], size_t *n,
                             struct pl_text *why)
{
    sem_wait(&go);
    if (text[0] == 'x') {
        pl_text_set(why, "no such name");
        return PL_E_NOT_FOUND;
    }
    *n = 2;
    for (size_t i = 0; i < *n; i++)
        out[i] = (struct pl_address){.family = PL_ADDRESS_IPV4, .port = 7, .ip = {10, 0, 0, (uint8_t)i}};
    return PL_OK;
}

static struct pl_name_lookup *open_text(const char *text)
{
    struct pl_name_lookup *r = NULL;
    struct pl_text why = {""};
    sem_init(&woken, 0, 0);
    sem_init(&go, 0, 0);
    cr_assert_eq(pl_name_lookup_open(&r, text, look_up, wake, NULL, &why), PL_OK, "%s: %s", text, why.s);
    return r;
}

Test(device_resolve, texts)
{
    static const char *const wrong[] = {
        "",           ":7",       "host",  "host:",   "host:0",
        "host:65536", "host:7x",  "a b:7", "1.2.3:7", "::1:7",
        "[::1:7",     "[name]:7", "a/b:7", "host:-1", "host:99999999999999999999"};
    static const char *const names[] = {"host:7", "node.example.org:65535", "a-b:1", "7up.example:9"};
    struct pl_name_lookup *r = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct pl_text why = {""};
        cr_expect_eq(pl_name_lookup_open(&r, wrong[i], look_up, wake, NULL, &why), PL_E_ADDRESS, "%s",
                     wrong[i]);
        cr_expect_null(r);
        cr_expect(why.s[0], "%s", wrong[i]);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        r = open_text(names[i]);
        cr_expect(pl_name_lookup_is_name(r), "%s", names[i]);
        pl_name_lookup_close(r);
    }
}

Test(device_resolve, numeric_without_a_thread)
{
    struct pl_name_lookup *r = open_text("[::1]:7000");
    struct pl_address found[PL_ADDRESS_RESOLVE_MAX];
    size_t n = 0;
    cr_assert_not(pl_name_lookup_is_name(r));
    cr_assert_eq(pl_name_lookup_take(r, found, &n, NULL), PL_E_AGAIN);
    cr_assert(pl_name_lookup_start(r));
    cr_assert_eq(pl_name_lookup_take(r, found, &n, NULL), PL_OK);
    cr_assert_eq(n, 1);
    cr_assert_eq(found[0].port, 7000);
    cr_assert_eq(pl_name_lookup_take(r, found, &n, NULL), PL_E_AGAIN);
    pl_name_lookup_close(r);
}

Test(device_resolve, name)
{
    struct pl_name_lookup *r = open_text("host:7");
    struct pl_address found[PL_ADDRESS_RESOLVE_MAX];
    size_t n = 0;
    cr_assert(pl_name_lookup_start(r));
    cr_assert(pl_name_lookup_start(r)); /* one runs: no second */
    cr_assert_eq(pl_name_lookup_take(r, found, &n, NULL), PL_E_AGAIN);
    sem_post(&go);
    sem_wait(&woken);
    cr_assert_eq(pl_name_lookup_take(r, found, &n, NULL), PL_OK);
    cr_assert_eq(n, 2);
    cr_assert_eq(found[1].ip[3], 1);
    pl_name_lookup_close(r);
}

Test(device_resolve, failure_and_close_under_a_look_up)
{
    struct pl_name_lookup *r = open_text("x.example:7");
    struct pl_address found[PL_ADDRESS_RESOLVE_MAX];
    struct pl_text why = {""};
    size_t n = 0;
    cr_assert(pl_name_lookup_start(r));
    sem_post(&go);
    sem_wait(&woken);
    cr_assert_eq(pl_name_lookup_take(r, found, &n, &why), PL_E_NOT_FOUND);
    cr_assert_str_eq(why.s, "no such name");
    cr_assert(pl_name_lookup_start(r));
    pl_name_lookup_close(r);
    sem_post(&go);
    cr_assert_neq(sem_trywait(&woken), 0);
    pl_name_lookup_close(NULL);
}
