/* A node through purelink.h: configurations, lists, waiting and waking. */
#include "purelink.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crypto/secret.h"
#include "store/reader.h"

static char dir[] = "/tmp/api_node_XXXXXX";
static char store[64], list[64];
static uint8_t key[PURELINK_KEY_SIZE];
static const char *const anywhere[] = {"127.0.0.1:0", "[::1]:0"};

static struct purelink_node_config config_of(void)
{
    return (struct purelink_node_config){.size = sizeof(struct purelink_node_config),
                                         .private_key = key,
                                         .store = store,
                                         .listen = anywhere,
                                         .listen_count = 2,
                                         .store_max_bytes = 32 << 20};
}

static void begin(void)
{
    cr_assert_not_null(mkdtemp(dir));
    snprintf(store, sizeof store, "%s/store", dir);
    snprintf(list, sizeof list, "%s/senders", dir);
    purelink_key_generate(key);
}

static void end(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    cr_assert_eq(system(command), 0);
}

static struct purelink_node *open_node(void)
{
    struct purelink_node_config config = config_of();
    struct purelink_reason reason;
    struct purelink_node *node;
    cr_assert_eq(purelink_node_open(&node, &config, &reason), PURELINK_OK, "%s", reason.text);
    return node;
}

static void write_list(const char *text)
{
    FILE *file = fopen(list, "w");
    fputs(text, file);
    fclose(file);
}

Test(api_node, wrong_configurations_are_named, .init = begin, .fini = end)
{
    static const char *const names[] = {"localhost:7000"};
    struct purelink_reason reason;
    struct purelink_node *node;
    struct purelink_node_config c = config_of();
    c.size = 1;
    cr_assert_eq(purelink_node_open(&node, &c, &reason), PURELINK_E_USAGE);
    c = config_of();
    c.listen_count = 0;
    cr_assert_eq(purelink_node_open(&node, &c, &reason), PURELINK_E_USAGE);
    cr_assert(strstr(reason.text, "address"));
    c = config_of();
    c.store = NULL;
    cr_assert_eq(purelink_node_open(&node, &c, &reason), PURELINK_E_USAGE);
    c = config_of();
    c.keep_bytes = 1000;
    cr_assert_eq(purelink_node_open(&node, &c, &reason), PURELINK_E_USAGE);
    cr_assert(strstr(reason.text, "keep_bytes"));
    c = config_of();
    c.listen = names;
    c.listen_count = 1;
    cr_assert_eq(purelink_node_open(&node, &c, &reason), PURELINK_E_ADDRESS);
    cr_assert_null(node);
    purelink_node_close(NULL);
}

Test(api_node, one_process_has_a_store, .init = begin, .fini = end)
{
    struct purelink_node_config c = config_of();
    struct purelink_reason reason;
    struct purelink_node *node = open_node(), *second;
    cr_assert_eq(purelink_node_open(&second, &c, &reason), PURELINK_E_BUSY);
    cr_assert_null(second);
    cr_assert(reason.text[0]);
    purelink_node_close(node);
    purelink_node_close(open_node());
}

Test(api_node, lists_are_taken_whole_and_read_only_when_changed, .init = begin, .fini = end)
{
    struct purelink_reason reason;
    struct purelink_node *node = open_node();
    char text[PURELINK_KEY_TEXT_SIZE], line[128];
    uint8_t private_key[PURELINK_KEY_SIZE], public_key[PURELINK_KEY_SIZE];
    purelink_key_generate(private_key);
    purelink_key_public(private_key, public_key);
    purelink_key_to_text(public_key, text);
    cr_assert_eq(purelink_node_load_senders(node, list, &reason), PURELINK_E_NOT_FOUND);
    cr_assert(strstr(reason.text, list), "%s", reason.text);
    snprintf(line, sizeof line, "dev %s\n", text);
    write_list(line);
    cr_assert_eq(purelink_node_load_senders(node, list, &reason), PURELINK_OK, "%s", reason.text);
    cr_assert_eq(purelink_node_start(node, &reason), PURELINK_OK);
    cr_assert_eq(purelink_node_start(node, &reason), PURELINK_E_USAGE);
    cr_assert_eq(purelink_node_load_senders(node, list, &reason), PURELINK_OK);
    write_list("dev nokey\n");
    cr_assert_neq(purelink_node_load_senders(node, list, &reason), PURELINK_OK);
    cr_assert(strstr(reason.text, "senders:1:"), "%s", reason.text);
    struct purelink_peer twice[2] = {{"a", public_key}, {"b", public_key}};
    cr_assert_eq(purelink_node_set_senders(node, twice, 2, &reason), PURELINK_E_EXISTS);
    cr_assert_eq(purelink_node_set_senders(node, twice, 1, &reason), PURELINK_OK);
    purelink_node_close(node);
}

/* Generation of the list in force and the key id its only sender has there. */
static void list_in_force(uint32_t *generation, const uint8_t *public_key, uint32_t *key_id)
{
    struct pl_reader *reader;
    struct pl_list_info info;
    struct pl_link_info link;

    cr_assert_eq(pl_reader_open(store, &reader, NULL), PL_OK);
    cr_assert_eq(pl_reader_list(reader, &info), PL_OK);
    cr_assert_eq(pl_store_link_by_key(reader, public_key, &link), PL_OK);
    *generation = info.generation;
    *key_id = link.key_id;
    pl_reader_close(reader);
}

Test(api_node, an_unchanged_list_is_read_again_for_a_new_key, .init = begin, .fini = end)
{
    static const bool new_key[] = {false, false, true, false};
    static const uint32_t generations[] = {1, 1, 2, 2};
    char text[PURELINK_KEY_TEXT_SIZE], line[128];
    uint8_t private_key[PURELINK_KEY_SIZE], public_key[PURELINK_KEY_SIZE], own_public[PURELINK_KEY_SIZE];
    struct purelink_reason reason;
    uint32_t generation, key_id;

    purelink_key_generate(private_key);
    purelink_key_public(private_key, public_key);
    purelink_key_to_text(public_key, text);
    snprintf(line, sizeof line, "dev %s\n", text);
    write_list(line);
    for (size_t i = 0; i < 4; i++) {
        if (new_key[i])
            purelink_key_generate(key);
        purelink_key_public(key, own_public);
        struct purelink_node *node = open_node();
        cr_assert_eq(purelink_node_load_senders(node, list, &reason), PURELINK_OK, "%s", reason.text);
        list_in_force(&generation, public_key, &key_id);
        cr_expect_eq(generation, generations[i], "start %zu: generation %u", i, generation);
        cr_expect_eq(key_id, pl_key_id(public_key, own_public), "start %zu", i);
        purelink_node_close(node);
    }
}

Test(api_node, a_file_is_looked_at_without_a_node, .init = begin, .fini = end)
{
    struct purelink_reason reason;
    char text[PURELINK_KEY_TEXT_SIZE], line[128];
    uint8_t public_key[PURELINK_KEY_SIZE], zero[PURELINK_KEY_SIZE] = {0};

    cr_expect_eq(purelink_senders_check(list, key, &reason), PURELINK_E_NOT_FOUND);
    cr_expect(strstr(reason.text, list), "%s", reason.text);
    purelink_key_public(key, public_key);
    purelink_key_to_text(public_key, text);
    snprintf(line, sizeof line, "# one\nown %s\n", text);
    write_list(line);
    cr_expect_eq(purelink_senders_check(list, key, &reason), PURELINK_E_KEY);
    cr_expect(strstr(reason.text, "senders:2:"), "%s", reason.text);
    purelink_key_generate(zero);
    cr_expect_eq(purelink_senders_check(list, zero, &reason), PURELINK_OK, "%s", reason.text);
    cr_expect_neq(access(store, F_OK), 0, "nothing was made");
}

Test(api_node, wait_returns_for_each_reason, .init = begin, .fini = end)
{
    struct purelink_reason reason;
    struct purelink_node *node = open_node();
    cr_assert_eq(purelink_node_start(node, &reason), PURELINK_OK);
    cr_assert_eq(purelink_node_wait(node, 0, &reason), PURELINK_E_TIMEOUT);
    purelink_node_wake(node);
    cr_assert_eq(purelink_node_wait(node, -1, &reason), PURELINK_E_AGAIN);
    cr_assert_eq(purelink_node_wait(node, 1, &reason), PURELINK_E_TIMEOUT);
    purelink_node_stop(node);
    cr_assert_eq(purelink_node_wait(node, -1, &reason), PURELINK_E_CLOSED);
    cr_assert_eq(purelink_node_wait(node, -1, &reason), PURELINK_E_CLOSED, "it stays stopped");
    purelink_node_close(node);
}

Test(api_node, tells_its_addresses_with_the_port_in_use, .init = begin, .fini = end)
{
    struct purelink_node *node = open_node();
    struct purelink_node_status status;
    char text[80], small[4];
    cr_assert_eq(purelink_node_address(node, 0, text, sizeof text), PURELINK_OK);
    cr_assert_eq(strncmp(text, "127.0.0.1:", 10), 0);
    cr_assert_neq(atoi(text + 10), 0);
    cr_assert_eq(purelink_node_address(node, 1, text, sizeof text), PURELINK_OK);
    cr_assert_eq(strncmp(text, "[::1]:", 6), 0);
    cr_assert_eq(purelink_node_address(node, 0, small, sizeof small), PURELINK_E_TOO_LARGE);
    cr_assert_eq(purelink_node_address(node, 2, text, sizeof text), PURELINK_E_NOT_FOUND);
    purelink_node_status(node, &status);
    cr_assert_eq(status.records_received, 0);
    cr_assert_not(status.store_full);
    purelink_node_close(node);
}
