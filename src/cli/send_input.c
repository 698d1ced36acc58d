/* send_input.c: files in turn, and the place in a file as the outbox keeps it. */
#include "cli/send_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"

static uint64_t fnv1a(uint64_t hash, const char *text)
{
    const uint64_t prime = 0x100000001b3; /* FNV-1a, 64 bits */
    for (;; text++) {
        hash = (hash ^ (uint8_t)*text) * prime;
        if (!*text)
            return hash;
    }
}

/* A name for the place of one file in one stream that fits whatever the path's length: two hashes. */
static void name_source(struct pl_input *input)
{
    const uint64_t basis[2] = {0xcbf29ce484222325, 0x84222325cbf29ce4};
    const char *file = input->options.files[0];
    char *path = realpath(file, NULL);
    for (size_t i = 0; i < 2; i++) {
        uint64_t hash = fnv1a(fnv1a(basis[i], input->options.stream), path ? path : file);
        snprintf(input->source + 16 * i, 17, "%016llx", (unsigned long long)hash);
    }
    free(path);
}

enum purelink_error pl_input_check(const struct pl_input_options *options)
{
    for (size_t i = 0; i < options->files_n; i++)
        if (strcmp(options->files[i], "-") != 0 && access(options->files[i], R_OK) != 0) {
            pl_complain("send", "%s: cannot be read: %s", options->files[i], strerror(errno));
            return PURELINK_E_NOT_FOUND;
        }
    return PURELINK_OK;
}

static void tell_start(const char *file, enum pl_lines_start start)
{
    if (start == PL_LINES_ROTATED)
        pl_complain("send", "%s: was rotated: going on in the old file first", file);
    else if (start == PL_LINES_TRUNCATED)
        pl_complain("send", "%s: was truncated or written anew: reading it from its start", file);
    else if (start == PL_LINES_REPLACED)
        pl_complain("send", "%s: is another file than the one read before: reading it from its start", file);
}

static enum purelink_error open_file(struct pl_input *input, const struct pl_lines_position *place,
                                     struct pl_text *why)
{
    const struct pl_input_options *o = &input->options;
    const char *file = o->files[input->next_file++];
    struct pl_lines_options options = {.framed = o->framed,
                                       .follow = o->follow,
                                       .last_partial = !o->follow,
                                       .record_max_bytes = PURELINK_RECORD_MAX};
    enum pl_lines_start start;
    pl_lines_close(input->lines);
    input->lines = NULL;
    enum pl_error e = pl_lines_open(file, &options, place, &input->lines, &start, why);
    if (e == PL_OK)
        tell_start(file, start);
    return (enum purelink_error)e;
}

static enum purelink_error read_place(struct pl_input *input, struct purelink_sender *sender,
                                      struct pl_lines_position *place, bool *found)
{
    size_t size = sizeof place->bytes;
    name_source(input);
    enum purelink_error e = purelink_sender_position(sender, input->source, place->bytes, &size);
    *found = e == PURELINK_OK && size == sizeof place->bytes;
    return e == PURELINK_E_NOT_FOUND ? PURELINK_OK : e;
}

enum purelink_error pl_input_open(struct pl_input *input, const struct pl_input_options *options,
                                  struct purelink_sender *sender)
{
    struct pl_lines_position place;
    struct pl_text why = {""};
    bool found = false;
    *input = (struct pl_input){.options = *options};
    enum purelink_error e = PURELINK_OK;
    if (options->keep_place)
        e = read_place(input, sender, &place, &found);
    if (e != PURELINK_OK) {
        pl_complain("send", "%s: its place cannot be read from the outbox: %s", options->files[0],
                    purelink_strerror(e));
        return e;
    }
    e = open_file(input, found ? &place : NULL, &why);
    if (e != PURELINK_OK)
        pl_complain("send", "%s", why.s[0] ? why.s : purelink_strerror(e));
    return e;
}

enum purelink_error pl_input_next(struct pl_input *input, struct pl_bytes *record, struct pl_text *why)
{
    while (!input->ended) {
        enum purelink_error e = (enum purelink_error)pl_lines_next(input->lines, record, why);
        if (e != PURELINK_E_CLOSED)
            return e;
        input->ended = input->next_file == input->options.files_n;
        if (!input->ended && (e = open_file(input, NULL, why)) != PURELINK_OK)
            return e;
    }
    return PURELINK_E_CLOSED;
}

enum purelink_error pl_input_place(const struct pl_input *input, struct pl_lines_position *place)
{
    return (enum purelink_error)pl_lines_position(input->lines, place, NULL);
}

void pl_input_wait(struct pl_input *input, uint32_t timeout_ms)
{
    pl_lines_wait(input->lines, timeout_ms);
}

bool pl_input_is_file(const struct pl_input *input)
{
    struct pl_lines_position place;
    return pl_input_place(input, &place) == PURELINK_OK;
}

void pl_input_close(struct pl_input *input)
{
    pl_lines_close(input->lines);
    input->lines = NULL;
}
