/* api_sender_test.c: the public sender over the kernel's own io table: all but a node to talk to. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "purelink.h"

struct fixture {
    char dir[64], box[80];
    uint8_t own[32], node_private[32], node[32];
    struct purelink_sender_config config;
};

static void set_up(struct fixture *f)
{
    snprintf(f->dir, sizeof f->dir, "/tmp/purelink-sender-XXXXXX");
    cr_assert_not_null(mkdtemp(f->dir));
    snprintf(f->box, sizeof f->box, "%s/box", f->dir);
    purelink_key_generate(f->own);
    purelink_key_generate(f->node_private);
    purelink_key_public(f->node_private, f->node);
    f->config = (struct purelink_sender_config){.size = sizeof f->config,
                                                .private_key = f->own,
                                                .node_key = f->node,
                                                .node = "127.0.0.1:9",
                                                .outbox = f->box};
}

static void tear_down(const struct fixture *f)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", f->dir);
    cr_assert_eq(system(command), 0);
}

Test(api_sender, wrong_configurations)
{
    struct fixture f;
    struct purelink_sender *s;
    struct purelink_reason reason;
    set_up(&f);
    struct purelink_sender_config wrong[8];
    static const enum purelink_error expected[] = {PURELINK_E_USAGE, PURELINK_E_USAGE, PURELINK_E_USAGE,
                                                   PURELINK_E_USAGE, PURELINK_E_USAGE, PURELINK_E_ADDRESS,
                                                   PURELINK_E_USAGE, PURELINK_E_USAGE};
    for (size_t i = 0; i < 8; i++)
        wrong[i] = f.config;
    wrong[0].size = 1;
    wrong[1].private_key = NULL;
    wrong[2].node_key = NULL;
    wrong[3].node = NULL;
    wrong[4].outbox = NULL;
    wrong[5].node = "127.0.0.1";
    wrong[6].outbox_max_bytes = 1;
    wrong[7].suite = "aes";
    for (size_t i = 0; i < 8; i++) {
        reason.text[0] = 0;
        cr_expect_eq(purelink_sender_open(&s, &wrong[i], &reason), expected[i], "case %zu", i);
        cr_expect_null(s);
        cr_expect(reason.text[0]);
    }
    cr_expect_eq(purelink_sender_open(&s, NULL, &reason), PURELINK_E_USAGE);
    purelink_sender_close(NULL);
    tear_down(&f);
}

Test(api_sender, what_was_committed_is_there_again)
{
    struct fixture f;
    struct purelink_sender *s, *second;
    struct purelink_reason reason = {""};
    struct purelink_sender_status status;
    struct purelink_record many[1000];
    char place[8];
    size_t taken = 0, size = sizeof place;
    set_up(&f);
    for (size_t i = 0; i < 1000; i++)
        many[i] = (struct purelink_record){"record", i % 7};
    cr_assert_eq(purelink_sender_open(&s, &f.config, &reason), PURELINK_OK, "%s", reason.text);
    cr_assert_eq(purelink_sender_open(&second, &f.config, &reason), PURELINK_E_BUSY);
    cr_assert_eq(purelink_sender_put(s, "a", "x", 1), PURELINK_OK);
    cr_assert_eq(purelink_sender_put_many(s, "b", many, 1000, &taken), PURELINK_OK);
    cr_assert_eq(taken, 1000);
    cr_assert_eq(purelink_sender_set_position(s, "file", "here", 4), PURELINK_OK);
    cr_assert_eq(purelink_sender_commit(s, &reason), PURELINK_OK);
    cr_assert_eq(purelink_sender_put(s, "a", "dropped", 7), PURELINK_OK);
    purelink_sender_close(s);
    cr_assert_eq(purelink_sender_open(&s, &f.config, &reason), PURELINK_OK);
    purelink_sender_status(s, &status);
    cr_assert_eq(status.held_records, 1001);
    cr_assert_eq(status.given_records, 0);
    cr_assert_eq(purelink_sender_position(s, "file", place, &size), PURELINK_OK);
    cr_assert_eq(size, 4);
    cr_assert_arr_eq(place, "here", 4);
    cr_assert_eq(purelink_sender_position(s, "other", place, &size), PURELINK_E_NOT_FOUND);
    purelink_sender_close(s);
    tear_down(&f);
}

Test(api_sender, running)
{
    struct fixture f;
    struct purelink_sender *s;
    struct purelink_sender_status status;
    struct purelink_reason reason = {""};
    static char large[PURELINK_RECORD_MAX + 1];
    set_up(&f);
    cr_assert_eq(purelink_sender_open(&s, &f.config, &reason), PURELINK_OK, "%s", reason.text);
    cr_assert_eq(purelink_sender_run(s, -1), PURELINK_OK); /* nothing held: at once */
    cr_assert_eq(purelink_sender_put(s, "a", large, sizeof large), PURELINK_E_TOO_LARGE);
    cr_assert_eq(purelink_sender_put(s, "", "x", 1), PURELINK_E_NAME);
    cr_assert_eq(purelink_sender_set_position(s, "p", large, PURELINK_POSITION_MAX + 1),
                 PURELINK_E_TOO_LARGE);
    cr_assert_eq(purelink_sender_put(s, "a", "x", 1), PURELINK_OK);
    cr_assert_eq(purelink_sender_commit(s, NULL), PURELINK_OK);
    cr_assert_eq(purelink_sender_run(s, 0), PURELINK_E_TIMEOUT);
    cr_assert_eq(purelink_sender_run(s, 30), PURELINK_E_TIMEOUT);
    purelink_sender_stop(s);
    cr_assert_eq(purelink_sender_run(s, -1), PURELINK_E_CLOSED);
    purelink_sender_status(s, &status);
    cr_assert_eq(status.held_records, 1);
    cr_assert_eq(status.packets_sent, 1);
    cr_assert_str_eq(status.node_address, "127.0.0.1:9");
    cr_assert_eq(purelink_sender_drop(s, "a", 1, &reason), PURELINK_OK);
    cr_assert_eq(purelink_sender_drop(s, "b", 1, &reason), PURELINK_E_NOT_FOUND);
    purelink_sender_close(s);
    tear_down(&f);
}

Test(api_sender, takes_the_configuration_of_an_earlier_header)
{
    struct fixture f;
    struct purelink_sender *s;
    set_up(&f);
    f.config.size = offsetof(struct purelink_sender_config, keylog);
    f.config.keylog = f.config.suite = "not there yet";
    cr_assert_eq(purelink_sender_open(&s, &f.config, NULL), PURELINK_OK);
    purelink_sender_close(s);
    tear_down(&f);
}
