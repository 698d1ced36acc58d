/* Addresses as text: every form that is taken, every one that is not, and there and back. */
#include "io/address.h"

#include <criterion/criterion.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *text, *printed;
} taken[] = {
    {"1.2.3.4:5", "1.2.3.4:5"},
    {"0.0.0.0:65535", "0.0.0.0:65535"},
    {"[::1]:5", "[::1]:5"},
    {"[2001:DB8:0:0::1]:443", "[2001:db8::1]:443"},
    {"[::ffff:10.0.0.1]:9", "10.0.0.1:9"},
    {"[fe80::1%lo]:7", "[fe80::1%lo]:7"},
    {"[fe80::1%1]:7", "[fe80::1%lo]:7"},
    {"[fe80::1%4000000]:7", "[fe80::1%4000000]:7"},
};

Test(io_address, parses_and_prints)
{
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        struct pl_address address, again;
        struct pl_text why = {""};
        char text[PL_ADDRESS_TEXT_SIZE];
        memset(&address, 0xa5, sizeof address);
        cr_assert_eq(pl_address_parse(taken[i].text, &address, &why), PL_OK, "%s: %s", taken[i].text, why.s);
        cr_assert_str_eq(pl_address_print(&address, text, sizeof text), taken[i].printed);
        cr_assert_eq(pl_address_parse(text, &again, NULL), PL_OK);
        cr_assert(pl_address_equal(&address, &again), "%s: padding or scope differs", text);
    }
}

static const struct {
    const char *text, *reason;
} refused[] = {
    {"", "no :PORT"},
    {"1.2.3.4", "no :PORT"},
    {"1.2.3.4:", "port is not"},
    {"1.2.3.4:0", "port is not"},
    {"1.2.3.4:65536", "port is not"},
    {"1.2.3.4:99999999999999999999999", "port is not"},
    {"1.2.3.4:-1", "port is not"},
    {"1.2.3.4: 5", "port is not"},
    {"1.2.3.4:5x", "port is not"},
    {"1.2.3:5", "not an IPv4"},
    {"1.2.3.256:5", "not an IPv4"},
    {"::1:5", "in brackets"},
    {"[::1]", "after the bracket"},
    {"[::1:5", "no closing bracket"},
    {"[::1]5", "after the bracket"},
    {"[]:5", "not an IPv6"},
    {"[1.2.3.4]:5", "not an IPv6"},
    {"[::g]:5", "not an IPv6"},
    {"[fe80::1]:5", "needs its interface"},
    {"[fe80::1%no-such-if]:5", "no interface"},
    {"[fe80::1%0]:5", "no interface"},
    {"[fe80::1%]:5", "no interface"},
    {"[::1%lo]:5", "only a link-local"},
    {":5", "not an IPv4"},
    {"name:5", "not an IPv4"},
};

Test(io_address, refuses_with_reasons)
{
    struct pl_address before, address;
    memset(&before, 0xa5, sizeof before);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct pl_text why = {""};
        address = before;
        cr_assert_eq(pl_address_parse(refused[i].text, &address, &why), PL_E_ADDRESS, "%s", refused[i].text);
        cr_assert(strstr(why.s, refused[i].reason), "%s: %s", refused[i].text, why.s);
        cr_assert(strstr(why.s, refused[i].text), "the reason names the text");
        cr_assert(pl_address_equal(&before, &address));
    }
}

Test(io_address, refuses_any_length)
{
    char text[3000];
    struct pl_text why;
    struct pl_address address;
    for (size_t n = 0; n + 3 < sizeof text; n += n < 300 ? 1 : 97) {
        memset(text, 'a', n);
        strcpy(text + n, ":5");
        cr_assert_eq(pl_address_parse(text, &address, &why), PL_E_ADDRESS);
        text[0] = '[';
        strcpy(text + n, "]:5");
        cr_assert_eq(pl_address_parse(text, &address, &why), PL_E_ADDRESS);
    }
}

Test(io_address, listens)
{
    static const char *const texts[][2] = {
        {":5", "[::]:5"},     {"*:5", "[::]:5"},          {"*:0", "[::]:0"}, {"127.0.0.1:0", "127.0.0.1:0"},
        {"[::]:7", "[::]:7"}, {"0.0.0.0:7", "0.0.0.0:7"},
    };
    struct pl_address address;
    char text[PL_ADDRESS_TEXT_SIZE];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_assert_eq(pl_address_parse_listen(texts[i][0], &address, NULL), PL_OK, "%s", texts[i][0]);
        cr_assert_str_eq(pl_address_print(&address, text, sizeof text), texts[i][1]);
    }
    struct pl_text why;
    cr_assert_eq(pl_address_parse_listen("localhost:5", &address, &why), PL_E_ADDRESS);
    cr_assert_eq(pl_address_parse_listen("**:5", &address, &why), PL_E_ADDRESS);
    cr_assert_eq(pl_address_parse_listen("1.2.3.4:65536", &address, &why), PL_E_ADDRESS);
}

Test(io_address, resolves)
{
    struct pl_address found[PL_ADDRESS_RESOLVE_MAX];
    struct pl_text why = {""};
    size_t n = 0;
    cr_assert_eq(pl_address_resolve("localhost:7", found, &n, &why), PL_OK, "%s", why.s);
    cr_assert(n >= 1 && n <= PL_ADDRESS_RESOLVE_MAX);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(found[i].port, 7);
        for (size_t j = 0; j < i; j++)
            cr_assert_not(pl_address_equal(&found[i], &found[j]));
    }
    cr_assert_eq(pl_address_resolve("[::1]:7", found, &n, NULL), PL_OK);
    cr_assert_eq(n, 1);
    static const char *const wrong[] = {"",    ":7",    "127.1:7",   "0177.0.0.1:7",
                                        "1:7", "a:b:7", "localhost", "localhost:0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_eq(pl_address_resolve(wrong[i], found, &n, &why), PL_E_ADDRESS, "%s", wrong[i]);
    enum pl_error error = pl_address_resolve("no-such-name.invalid:7", found, &n, &why);
    cr_assert(error == PL_E_NOT_FOUND || error == PL_E_AGAIN, "%d", (int)error);
    cr_assert(strstr(why.s, "no-such-name.invalid"));
}

Test(io_address, knows_any_and_none)
{
    struct pl_address address = {0};
    char text[PL_ADDRESS_TEXT_SIZE];
    cr_assert_not(pl_address_is_any(&address));
    cr_assert_str_eq(pl_address_print(&address, text, sizeof text), "none");
    cr_assert_eq(pl_address_parse("0.0.0.0:1", &address, NULL), PL_OK);
    cr_assert(pl_address_is_any(&address));
    cr_assert_eq(pl_address_parse("[::1]:1", &address, NULL), PL_OK);
    cr_assert_not(pl_address_is_any(&address));
    char small[5];
    cr_assert_str_eq(pl_address_print(&address, small, sizeof small), "[::1");
}
