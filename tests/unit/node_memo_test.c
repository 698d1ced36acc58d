/* The memo of secrets: a hit only for the right keys, and life without it. */
#include "node/memo.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/x25519.h"

static char dir[] = "/tmp/node_memo_XXXXXX";

static void remove_dir(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    cr_assert_eq(system(command), 0);
}

Test(node_memo, keeps_what_was_made_for_these_keys_alone)
{
    uint8_t own[32], peer[32], peer_public[32], other_public[32];
    struct pl_secret made, got;
    struct pl_memo memo;
    struct pl_text why;
    cr_assert_not_null(mkdtemp(dir));
    memset(own, 1, sizeof own);
    memset(peer, 2, sizeof peer);
    pl_x25519_public(peer_public, peer);
    memset(peer, 3, sizeof peer);
    pl_x25519_public(other_public, peer);
    cr_assert_eq(pl_memo_open(&memo, dir, own, 10, &why), PL_OK);
    cr_assert_str_empty(why.s);
    cr_assert_not(pl_memo_get(&memo, 5, peer_public, &got));
    cr_assert_eq(pl_memo_make(&memo, 5, peer_public, &made), PL_OK);
    cr_assert(pl_memo_get(&memo, 5, peer_public, &got));
    cr_assert_arr_eq(&got, &made, sizeof made);
    cr_assert_not(pl_memo_get(&memo, 5, other_public, &got), "another key");
    cr_assert_not(pl_memo_get(&memo, 6, peer_public, &got), "another link");
    pl_memo_close(&memo);

    cr_assert_eq(pl_memo_open(&memo, dir, own, 10, &why), PL_OK);
    cr_assert(pl_memo_get(&memo, 5, peer_public, &got), "after a restart");
    cr_assert_arr_eq(&got, &made, sizeof made);
    pl_memo_close(&memo);

    own[0] = 99;
    cr_assert_eq(pl_memo_open(&memo, dir, own, 10, &why), PL_OK);
    cr_assert_not(pl_memo_get(&memo, 5, peer_public, &got), "another own key");
    cr_assert_eq(pl_memo_make(&memo, 5, own, &made), pl_public_key_check(own));
    memset(other_public, 0, sizeof other_public);
    cr_assert_eq(pl_memo_make(&memo, 5, other_public, &made), PL_E_KEY, "low order");
    pl_memo_close(&memo);
    remove_dir();
}

Test(node_memo, without_a_folder_secrets_are_made_each_time)
{
    uint8_t own[32] = {1}, peer_public[32];
    struct pl_secret secret;
    struct pl_memo memo;
    struct pl_text why;
    memset(own, 1, sizeof own);
    pl_x25519_public(peer_public, (const uint8_t[32]){7});
    cr_assert_eq(pl_memo_open(&memo, "/nonexistent/folder", own, 10, &why), PL_OK);
    cr_assert_not(why.s[0] == '\0', "it says that there is no memo");
    cr_assert_eq(pl_memo_make(&memo, 1, peer_public, &secret), PL_OK);
    cr_assert_not(pl_memo_get(&memo, 1, peer_public, &secret));
    pl_memo_close(&memo);
}
