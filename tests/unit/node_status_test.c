/* The status file: written and read back, whatever happened to it in between. */
#include "node/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fill(struct pl_node_status *s)
{
    memset(s, 0, sizeof *s);
    s->pid = 4711;
    s->started_ms = 1700000000000;
    s->packets_in = UINT64_MAX;
    s->senders_error_ms = 7;
    strcpy(s->public_key, "AAAA");
    strcpy(s->listen, "192.0.2.1:7000 [::1]:7000");
    strcpy(s->last_error, "a \"quoted\"\\ text,\n with: {everything} and \x01");
    for (unsigned i = 1; i < PL_DROP_COUNT; i++)
        s->drops[i] = i * 1000;
}

Test(node_status, is_read_back_as_it_was_written)
{
    static struct pl_node_status in, out;
    static char text[PL_STATUS_BYTES_MAX];
    fill(&in);
    size_t n = pl_status_print(&in, text, sizeof text);
    cr_assert_gt(n, 100);
    cr_assert_eq(pl_status_parse(text, n, &out), PL_OK);
    cr_assert_arr_eq(&in, &out, sizeof in);
    cr_assert_not_null(strstr(text, "\"drops_key_id\": 7000"));
}

Test(node_status, every_cut_and_every_flipped_byte_is_survived)
{
    static struct pl_node_status in, out;
    static char text[PL_STATUS_BYTES_MAX], bad[PL_STATUS_BYTES_MAX];
    fill(&in);
    size_t n = pl_status_print(&in, text, sizeof text);
    for (size_t cut = 0; cut < n; cut++) {
        char *copy = malloc(cut + 1);
        memcpy(copy, text, cut);
        (void)pl_status_parse(copy, cut, &out);
        free(copy);
    }
    for (size_t at = 0; at < n; at++) {
        memcpy(bad, text, n);
        bad[at] ^= 0x20;
        (void)pl_status_parse(bad, n, &out);
    }
    memset(bad, 0, n);
    cr_assert_eq(pl_status_parse(bad, n, &out), PL_E_STORE_DAMAGED);
    cr_assert_eq(pl_status_parse(bad, 0, &out), PL_E_STORE_DAMAGED);
}

Test(node_status, the_longest_there_can_be_fits)
{
    static struct pl_node_status in, out;
    static char text[PL_STATUS_BYTES_MAX];
    memset(&in, 0xff, sizeof in);
    memset(in.public_key, 1, sizeof in.public_key - 1);
    memset(in.listen, 1, sizeof in.listen - 1);
    memset(in.last_error, 1, sizeof in.last_error - 1);
    memset(in.last_event, 1, sizeof in.last_event - 1);
    memset(in.senders_error, 1, sizeof in.senders_error - 1);
    in.public_key[sizeof in.public_key - 1] = in.listen[sizeof in.listen - 1] = 0;
    in.last_error[239] = in.last_event[239] = in.senders_error[239] = 0;
    size_t n = pl_status_print(&in, text, sizeof text);
    cr_assert_lt(n, sizeof text);
    cr_assert_eq(pl_status_parse(text, n, &out), PL_OK);
    cr_assert_eq(out.drops[PL_DROP_COUNT - 1], UINT64_MAX);
}

Test(node_status, the_file_is_replaced_whole)
{
    static struct pl_node_status in, out;
    char dir[] = "/tmp/node_status_XXXXXX", path[64], command[64];
    struct pl_text why;
    cr_assert_not_null(mkdtemp(dir));
    fill(&in);
    cr_assert_eq(pl_status_read(dir, &out, &why), PL_E_NOT_FOUND);
    cr_assert_eq(pl_status_write(dir, &in, &why), PL_OK);
    in.commits = 5;
    cr_assert_eq(pl_status_write(dir, &in, &why), PL_OK);
    cr_assert_eq(pl_status_read(dir, &out, &why), PL_OK);
    cr_assert_eq(out.commits, 5);
    in.last_error[0] = 0;
    cr_assert_eq(pl_status_write(dir, &in, &why), PL_OK);
    cr_assert_eq(pl_status_read(dir, &out, &why), PL_OK);
    cr_assert_eq(out.last_error[0], 0);
    snprintf(path, sizeof path, "%s/status.json", dir);
    cr_assert_eq(truncate(path, 0), 0);
    cr_assert_eq(pl_status_read(dir, &out, &why), PL_E_STORE_DAMAGED);
    cr_assert_eq(pl_status_write("/nonexistent", &in, &why), PL_E_IO);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    cr_assert_eq(system(command), 0);
}
