/* A reader through purelink.h: order, filters, positions, following. */
#include "purelink.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "node_world.h"

static struct purelink_reader *reader_of(struct nw *w, uint64_t from, const char *source, const char *stream)
{
    struct purelink_reader_config config = {
        .size = sizeof config, .store = w->dir, .from = from, .source = source, .stream = stream};
    struct purelink_reason reason;
    struct purelink_reader *reader;
    cr_assert_eq(purelink_reader_open(&reader, &config, &reason), PURELINK_OK, "%s", reason.text);
    return reader;
}

/* Records until there are no more now. */
static unsigned count(struct purelink_reader *reader)
{
    struct purelink_entry e;
    unsigned n = 0;
    while (purelink_reader_next(reader, &e, NULL) == PURELINK_OK) {
        cr_assert_eq(e.kind, PURELINK_RECORD);
        cr_assert_eq(e.stream_size, 3);
        cr_assert_arr_eq(e.stream, "log", 3);
        cr_assert_neq(e.time_ms, 0);
        n++;
    }
    return n;
}

Test(api_reader, filters_follows_and_resumes)
{
    struct nw *w = nw_new(NULL);
    struct nw_device *a = nw_device(w, "a"), *b = nw_device(w, "b");
    struct purelink_entry e;
    nw_allow(w, 2);
    nw_activate(a);
    nw_activate(b);
    struct purelink_reader *all = reader_of(w, 0, NULL, NULL);
    cr_assert_eq(purelink_reader_next(all, &e, NULL), PURELINK_E_AGAIN);
    nw_give(a, 10);
    nw_give(b, 5);
    cr_assert(nw_run_until_stored(w, a) && nw_run_until_stored(w, b));
    cr_assert_eq(count(all), 15, "it follows");
    uint64_t position = purelink_reader_position(all);
    nw_give(a, 3);
    cr_assert(nw_run_until_stored(w, a));
    cr_assert_eq(count(all), 3);
    purelink_reader_close(all);

    static const struct {
        const char *source, *stream;
        bool from;
        unsigned n;
    } views[] = {{"a", NULL, false, 13}, {"b", "log", false, 5},    {NULL, "log", true, 3},
                 {"c", NULL, false, 0},  {NULL, "other", false, 0}, {"b", NULL, true, 0}};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct purelink_reader *r =
            reader_of(w, views[i].from ? position : 0, views[i].source, views[i].stream);
        cr_assert_eq(count(r), views[i].n, "view %zu", i);
        purelink_reader_close(r);
    }
    nw_free(w);
}

Test(api_reader, wrong_configurations_are_named)
{
    struct purelink_reader_config config = {.size = sizeof config, .store = "/nonexistent/store"};
    struct purelink_reason reason;
    struct purelink_reader *reader;
    cr_assert_eq(purelink_reader_open(&reader, &config, &reason), PURELINK_E_NOT_FOUND);
    cr_assert(strstr(reason.text, "/nonexistent/store"), "%s", reason.text);
    cr_assert_null(reader);
    config.store = NULL;
    cr_assert_eq(purelink_reader_open(&reader, &config, &reason), PURELINK_E_USAGE);
    config.store = "/tmp";
    config.size = 3;
    cr_assert_eq(purelink_reader_open(&reader, &config, &reason), PURELINK_E_USAGE);
    purelink_reader_close(NULL);
}
