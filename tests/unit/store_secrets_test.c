/* The memo of secrets: what was put comes back, everything else is a miss. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/secrets.h"
#include "store_help.h"

static uint8_t own[32] = {1, 2, 3};
static uint8_t check[PL_SECRET_CHECK], states[PL_SECRET_STATES];

static struct pl_secrets *open_memo(const char *dir, uint32_t slots)
{
    struct pl_secrets *secrets;
    struct pl_text reason;

    cr_assert_eq(pl_secrets_open(dir, own, slots, &secrets, &reason), PL_OK, "%s", reason.s);
    return secrets;
}

static void put(struct pl_secrets *secrets, uint32_t link)
{
    memset(check, (int)link, sizeof check);
    memset(states, (int)link + 1, sizeof states);
    cr_assert_eq(pl_secrets_put(secrets, link, check, states), PL_OK);
}

static bool has(struct pl_secrets *secrets, uint32_t link)
{
    bool found = pl_secrets_get(secrets, link, check, states);

    if (found) {
        cr_assert_eq(check[0], (uint8_t)link);
        cr_assert_eq(states[PL_SECRET_STATES - 1], (uint8_t)(link + 1));
    }
    return found;
}

Test(store_secrets, kept_and_wiped)
{
    const char *dir = help_dir_begin();
    struct pl_secrets *secrets = open_memo(dir, 4);
    static const uint32_t links[] = {0, 1, 5, 1023, 1024, 70000};
    struct stat st;

    for (size_t i = 0; i < 6; i++) {
        cr_expect_not(has(secrets, links[i]));
        put(secrets, links[i]);
        cr_expect(has(secrets, links[i]));
    }
    pl_secrets_close(secrets);
    secrets = open_memo(dir, 1);
    for (size_t i = 0; i < 6; i++) {
        cr_expect(has(secrets, links[i]));
    }
    cr_expect_eq(pl_secrets_wipe(secrets, 5), PL_OK);
    cr_expect_not(has(secrets, 5));
    cr_expect(has(secrets, 1024));
    cr_expect_not(has(secrets, UINT32_MAX));
    cr_assert_eq(stat(help_path(dir, "secrets"), &st), 0);
    cr_expect_eq(st.st_mode & 07777, 0600);
    pl_secrets_close(secrets);
    help_dir_end();
}

Test(store_secrets, another_key_starts_over)
{
    const char *dir = help_dir_begin();
    struct pl_secrets *secrets = open_memo(dir, 4);

    put(secrets, 2);
    pl_secrets_close(secrets);
    own[31] = 9;
    secrets = open_memo(dir, 4);
    cr_expect_not(has(secrets, 2));
    put(secrets, 3);
    cr_expect(has(secrets, 3));
    pl_secrets_close(secrets);
    help_dir_end();
}

Test(store_secrets, damage_is_a_miss)
{
    const char *dir = help_dir_begin();
    const char *path = help_path(dir, "secrets");
    char kept[300];
    size_t n;
    uint8_t *bytes;

    strcpy(kept, path);
    for (int fault = 0; fault < 5; fault++) {
        struct pl_secrets *secrets = open_memo(dir, 4);
        put(secrets, 2);
        pl_secrets_close(secrets);
        bytes = help_file_read(kept, &n);
        if (fault == 0) {
            memset(bytes, 0, n);
        }
        if (fault == 1) {
            memset(bytes + 96 * 3, 0xff, 96);
        }
        help_file_write(kept, bytes, fault == 2 ? 0 : fault == 3 ? 96 * 3 + 50 : n);
        if (fault == 4) {
            unlink(kept);
        }
        secrets = open_memo(dir, 4);
        cr_expect_not(has(secrets, 2), "fault %d", fault);
        put(secrets, 2);
        cr_expect(has(secrets, 2));
        /* Cut from outside while it is open. */
        help_file_write(kept, bytes, 10);
        cr_expect_not(has(secrets, 2));
        pl_secrets_close(secrets);
        free(bytes);
    }
    help_dir_end();
}

Test(store_secrets, no_place_is_an_error_one_can_live_with)
{
    const char *dir = help_dir_begin();
    struct pl_secrets *secrets;
    struct pl_text reason;

    cr_expect_eq(pl_secrets_open(help_path(dir, "nowhere"), own, 1, &secrets, &reason), PL_E_NOT_FOUND);
    cr_expect_null(secrets);
    cr_assert_eq(symlink("/dev/null", help_path(dir, "secrets")), 0);
    cr_expect_neq(pl_secrets_open(dir, own, 1, &secrets, &reason), PL_OK);
    cr_expect_null(secrets);
    help_dir_end();
}
