/* api_common_test.c: error numbers and texts, keys and key files of the public API. */
#include "api/common.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(api_common, errors)
{
    for (int e = PURELINK_E_IO; e <= PURELINK_E_INTERNAL; e++) {
        cr_expect_neq(strcmp(purelink_strerror(e), "unknown error"), 0, "%d has no text", e);
        cr_expect_eq((int)pl_api_error((enum pl_error)e), e);
    }
    cr_expect_str_eq(purelink_strerror(-1), "unknown error");
    cr_expect_str_eq(purelink_strerror(1 << 30), "unknown error");
    cr_expect_eq(pl_api_error(PL_OK), PURELINK_OK);
    cr_expect_eq(pl_api_error(PL_E_LIMIT), PURELINK_E_REFUSED);
    cr_expect_eq(pl_api_error(PL_E_RANGE), PURELINK_E_NOT_FOUND);
    cr_expect_eq(pl_api_error(PL_E_TRAILING), PURELINK_E_INTERNAL);

    struct purelink_reason reason = {"untouched"};
    struct pl_text why = {"the disk is gone"}, nothing = {""};
    cr_expect_eq(pl_api_fail(PL_OK, &why, &reason), PURELINK_OK);
    cr_expect_str_eq(reason.text, "untouched");
    cr_expect_eq(pl_api_fail(PL_E_IO, &why, &reason), PURELINK_E_IO);
    cr_expect_str_eq(reason.text, "the disk is gone");
    cr_expect_eq(pl_api_fail(PL_E_BUSY, &nothing, &reason), PURELINK_E_BUSY);
    cr_expect_str_eq(reason.text, purelink_strerror(PURELINK_E_BUSY));
    cr_expect_eq(pl_api_fail(PL_E_IO, NULL, NULL), PURELINK_E_IO);
    cr_expect_str_eq(purelink_refusal_name(1u << 20), "unknown");
}

Test(api_common, keys)
{
    uint8_t a[32], b[32], zero[32] = {0};
    char text[PURELINK_KEY_TEXT_SIZE];
    struct purelink_reason reason = {""};
    cr_assert_eq(purelink_key_generate(a), PURELINK_OK);
    cr_assert_eq(purelink_key_generate(b), PURELINK_OK);
    cr_assert_arr_neq(a, b, 32);
    purelink_key_to_text(a, text);
    cr_assert_eq(strlen(text), 44);
    cr_assert_eq(purelink_key_from_text(text, b, &reason), PURELINK_OK);
    cr_assert_arr_eq(a, b, 32);
    static const char *const wrong[] = {
        "", "A", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= ", "AAAAAAAAAAAAAAAAAAAAA*AAAAAAAAAAAAAAAAAAAAA="};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        reason.text[0] = 0;
        cr_expect_eq(purelink_key_from_text(wrong[i], b, &reason), PURELINK_E_KEY, "%s", wrong[i]);
        cr_expect(reason.text[0]);
        cr_expect_arr_eq(b, zero, 32);
    }
}

Test(api_common, key_files)
{
    char dir[] = "/tmp/purelink-api-XXXXXX", file[64];
    uint8_t a[32], b[32];
    struct purelink_reason reason = {""};
    cr_assert_not_null(mkdtemp(dir));
    snprintf(file, sizeof file, "%s/key", dir);
    cr_assert_eq(purelink_key_read(file, b, &reason), PURELINK_E_NOT_FOUND);
    cr_assert_eq(purelink_key_generate(a), PURELINK_OK);
    cr_assert_eq(purelink_key_write(file, a, &reason), PURELINK_OK);
    cr_assert_eq(purelink_key_read(file, b, &reason), PURELINK_OK);
    cr_assert_arr_eq(a, b, 32);
    cr_assert_eq(purelink_key_write(file, b, &reason), PURELINK_E_EXISTS);
    cr_assert_eq(chmod(file, 0640), 0);
    cr_assert_eq(purelink_key_read(file, b, &reason), PURELINK_E_PERMISSION);
    cr_assert_not_null(strstr(reason.text, "chmod"));
    unlink(file);
    rmdir(dir);
}
