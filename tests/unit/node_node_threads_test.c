/* The threads of a node: started and stopped, at rest and with a list coming in, over real sockets. */
#include "io/io.h"

#include "node/node.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(node_node_threads, start_take_a_list_and_stop)
{
    char dir[] = "/tmp/node_threads_XXXXXX", command[64];
    struct pl_address listen;
    uint8_t key[32] = {1};
    struct pl_text why;
    struct pl_node *node;
    static struct pl_reload reload;
    struct pl_allowed entry = {.name = {(const uint8_t *)"a", 1}, .public_key = {9}, .key_id = 3};
    cr_assert_not_null(mkdtemp(dir));
    cr_assert_eq(pl_address_parse_listen("127.0.0.1:0", &listen, NULL), PL_OK);
    struct pl_node_config config = {.io = &pl_io_linux,
                                    .private_key = key,
                                    .dir = dir,
                                    .listen = &listen,
                                    .listen_n = 1,
                                    .map_bytes = 16 << 20,
                                    .resolvers = 2};
    for (int round = 0; round < 3; round++) {
        cr_assert_eq(pl_node_open(&config, &node, &why), PL_OK, "%s", why.s);
        cr_assert_eq(pl_node_start(node, &why), PL_OK);
        reload = (struct pl_reload){.entries = &entry, .n = 1};
        cr_assert(pl_node_reload(node, &reload));
        while (!atomic_load(&reload.done))
            (void)pl_io_linux.wait(pl_io_linux.ctx, NULL, 0, NULL, 1000);
        cr_assert_eq(reload.error, PL_OK);
        pl_node_stop(node);
        pl_node_stop(node);
        pl_node_close(node);
    }
    snprintf(command, sizeof command, "rm -rf %s", dir);
    cr_assert_eq(system(command), 0);
}
