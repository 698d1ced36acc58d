/* Names of suites: those that are spoken, and what is said to the others. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/suite.h"
#include "link/link_limits.h"

Test(api_suite, names)
{
    static const struct {
        const char *name;
        enum pl_error error;
        uint8_t suite;
    } cases[] = {
        {NULL, PL_OK, PL_SUITE_AES_128_GCM},
        {"aes-128-gcm", PL_OK, PL_SUITE_AES_128_GCM},
        {"chacha20-poly1305", PL_OK, PL_SUITE_CHACHA20_POLY1305},
        {"", PL_E_USAGE, 0},
        {"cookie", PL_E_USAGE, 0},
        {"aes-128-gcm-siv", PL_E_USAGE, 0},
        {"AES_128_GCM", PL_E_USAGE, 0},
        {"chacha20-poly1305 ", PL_E_USAGE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t suite = 0;
        struct pl_text why = {""};
        cr_expect_eq(pl_api_suite(cases[i].name, &suite, &why), cases[i].error, "case %zu", i);
        cr_expect_eq(suite, cases[i].suite, "case %zu", i);
        bool told = strstr(why.s, "aes-128-gcm and chacha20-poly1305") != NULL;
        cr_expect_eq(told, cases[i].error != PL_OK, "case %zu: %s", i, why.s);
    }
    cr_expect_eq(pl_api_suite("none", &(uint8_t){0}, NULL), PL_E_USAGE);
}
