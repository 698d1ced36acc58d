/* reader.c: part 4 of purelink.h over the store's reader. */
#include <stdlib.h>
#include <string.h>

#include "api/common.h"
#include "store/inspect.h"

struct purelink_reader {
    struct pl_reader *reader;
    struct pl_tail *tail;
    char *source, *stream;
};

_Static_assert((int)PURELINK_RECORD == (int)PL_TAIL_RECORD && (int)PURELINK_LOST == (int)PL_TAIL_GAP &&
                   (int)PURELINK_DAMAGED == (int)PL_TAIL_DAMAGED &&
                   (int)PURELINK_TRIMMED == (int)PL_TAIL_TRIMMED,
               "the kinds are the same");

static struct pl_bytes text_bytes(const char *text)
{
    return (struct pl_bytes){(const uint8_t *)text, text ? strlen(text) : 0};
}

static enum pl_error copy_text(const char *text, char **out)
{
    *out = text ? strdup(text) : NULL;
    return text && !*out ? PL_E_NO_MEMORY : PL_OK;
}

static enum pl_error open_tail(struct purelink_reader *r, const struct purelink_reader_config *config,
                               struct pl_text *why)
{
    struct pl_tail_filter filter;
    enum pl_error e = copy_text(config->source, &r->source);

    if (e == PL_OK)
        e = copy_text(config->stream, &r->stream);
    if (e == PL_OK)
        e = pl_reader_open(config->store, &r->reader, why);
    if (e != PL_OK)
        return e;
    filter = (struct pl_tail_filter){text_bytes(r->source), text_bytes(r->stream)};
    return pl_tail_open(r->reader, config->from, &filter, &r->tail);
}

enum purelink_error purelink_reader_open(struct purelink_reader **out,
                                         const struct purelink_reader_config *config,
                                         struct purelink_reason *reason)
{
    struct pl_text why = {""};
    struct purelink_reader *r;
    enum pl_error e = PL_E_NO_MEMORY;

    *out = NULL;
    if (!config || config->size < sizeof *config || !config->store) {
        pl_text_set(&why, "the configuration has no store, or its size is not that of struct "
                          "purelink_reader_config");
        return pl_api_fail(PL_E_USAGE, &why, reason);
    }
    r = calloc(1, sizeof *r);
    if (r)
        e = open_tail(r, config, &why);
    if (e == PL_OK)
        *out = r;
    else
        purelink_reader_close(r);
    return pl_api_fail(e, &why, reason);
}

void purelink_reader_close(struct purelink_reader *reader)
{
    if (!reader)
        return;
    if (reader->tail)
        pl_tail_close(reader->tail);
    pl_reader_close(reader->reader);
    free(reader->source);
    free(reader->stream);
    free(reader);
}

enum purelink_error purelink_reader_next(struct purelink_reader *reader, struct purelink_entry *entry,
                                         struct purelink_reason *reason)
{
    struct pl_text why = {""};
    struct pl_tail_entry e;
    enum pl_error error = pl_tail_next(reader->tail, &e, &why);

    if (error != PL_OK)
        return pl_api_fail(error, &why, reason);
    *entry = (struct purelink_entry){
        .kind = (enum purelink_entry_kind)e.kind,
        .position = e.position,
        .position_to = e.position_to,
        .time_ms = e.wall_ms,
        .number = e.number,
        .number_to = e.number_to,
        .birth = e.birth,
        .source = (const char *)e.link_name.p,
        .source_size = e.link_name.n,
        .stream = (const char *)e.stream_name.p,
        .stream_size = e.stream_name.n,
        .data = e.record.p,
        .data_size = e.record.n,
    };
    return PURELINK_OK;
}

uint64_t purelink_reader_position(const struct purelink_reader *reader)
{
    return pl_tail_position(reader->tail);
}
