/* api_keylog_test.c: whose run a key is, at both ends; senders and nodes take a key log or say why not. */
#include "api/keylog.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "link/link_limits.h"
#include "purelink.h"
#include "unit/io_help.h"

TestSuite(api_keylog, .init = io_help_enter_folder, .fini = io_help_leave_folder);

Test(api_keylog, tells_whose_run_it_is)
{
    static const struct {
        bool is_node, own, from_node;
    } cases[] = {{false, true, false}, {false, false, true}, {true, true, true}, {true, false, false}};
    struct pl_key key = {.suite = PL_SUITE_AES_128_GCM, .key = {1, 2, 3}, .iv = {4, 5, 6}}, back;
    struct pl_api_keylog log;
    struct pl_keylog_entry entry;
    char line[PL_KEYLOG_LINE_MAX];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_eq(pl_api_keylog_open(&log, "keys", cases[i].is_node, NULL), PL_OK);
        pl_api_keylog_put(
            &log, &(struct pl_run_key){.own = cases[i].own, .key_id = 7, .run = 9, .epochs = 1, .key = &key});
        cr_assert_eq(pl_api_keylog_lost(&log, NULL), 0);
        pl_api_keylog_close(&log);
    }
    FILE *f = fopen("keys", "r");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_not_null(fgets(line, sizeof line, f));
        cr_assert_eq(pl_keylog_parse(line, strcspn(line, "\n"), &entry, NULL), PL_OK);
        cr_assert(entry.key_id == 7 && entry.run == 9 && entry.epochs == 1 && entry.suite == key.suite);
        cr_assert_eq(entry.from_node, cases[i].from_node);
        cr_assert(pl_key_import(&back, entry.suite, (struct pl_bytes){entry.secret, entry.secret_n}));
        cr_assert_eq(memcmp(back.key, key.key, sizeof key.key), 0);
        cr_assert_eq(memcmp(back.iv, key.iv, sizeof key.iv), 0);
    }
    fclose(f);
}

Test(api_keylog, none_is_no_error)
{
    struct pl_api_keylog log;

    cr_assert_eq(pl_api_keylog_open(&log, NULL, true, NULL), PL_OK);
    cr_assert_eq(pl_api_keylog_lost(&log, NULL), 0);
    pl_api_keylog_close(&log);
}

Test(api_keylog, senders_and_nodes_refuse_one_that_others_may_read)
{
    uint8_t own[32], other[32], other_public[32];
    const char *listen[] = {"127.0.0.1:0"};
    struct purelink_sender *sender;
    struct purelink_node *node;
    struct purelink_reason reason = {""};

    purelink_key_generate(own);
    purelink_key_generate(other);
    purelink_key_public(other, other_public);
    IO_HELP_WRITE("keys", "");
    chmod("keys", 0644);
    struct purelink_sender_config sending = {.size = sizeof sending,
                                             .private_key = own,
                                             .keylog = "keys",
                                             .node_key = other_public,
                                             .node = "127.0.0.1:9",
                                             .outbox = "box"};
    struct purelink_node_config receiving = {.size = sizeof receiving,
                                             .private_key = other,
                                             .keylog = "keys",
                                             .store = "store",
                                             .listen = listen,
                                             .listen_count = 1};
    cr_assert_eq(purelink_sender_open(&sender, &sending, &reason), PURELINK_E_PERMISSION);
    cr_assert(strstr(reason.text, "chmod 600"), "%s", reason.text);
    cr_assert_eq(purelink_node_open(&node, &receiving, &reason), PURELINK_E_PERMISSION);
    cr_assert(sender == NULL && node == NULL);
    chmod("keys", 0600);
    cr_assert_eq(purelink_sender_open(&sender, &sending, &reason), PURELINK_OK, "%s", reason.text);
    cr_assert_eq(purelink_node_open(&node, &receiving, &reason), PURELINK_OK, "%s", reason.text);
    purelink_sender_close(sender);
    purelink_node_close(node);
}
