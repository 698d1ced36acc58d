/* send_input.h: what `purelink send` reads: files one after another, a file with a place, or standard input.
 */
#ifndef PL_CLI_SEND_INPUT_H
#define PL_CLI_SEND_INPUT_H

#include "io/lines.h"
#include "purelink.h"

struct pl_input_options {
    const char *const *files; /* "-" is standard input; borrowed */
    size_t files_n;           /* 1 with keep_place */
    bool framed;
    bool keep_place; /* the place in the file is kept in the outbox, with the records */
    bool follow;
    const char *stream;
};

struct pl_input {
    struct pl_input_options options;
    size_t next_file;
    struct pl_lines *lines;
    char source[33]; /* under which the place is kept */
    bool ended;
};

/* PURELINK_OK if every file can be read; else one line was told on standard error. */
enum purelink_error pl_input_check(const struct pl_input_options *options);

/* Opens the first file, at the place the outbox keeps if there is one; says on standard error if the file is
 * not the one of that place. An error was told on standard error as well. */
enum purelink_error pl_input_open(struct pl_input *input, const struct pl_input_options *options,
                                  struct purelink_sender *sender);

/* The next record, valid until the next call. PURELINK_OK; PURELINK_E_AGAIN: nothing now; PURELINK_E_CLOSED:
 * all files are read; others with why filled. */
enum purelink_error pl_input_next(struct pl_input *input, struct pl_bytes *record, struct pl_text *why);

/* The place after the last record given, to be kept with it. */
enum purelink_error pl_input_place(const struct pl_input *input, struct pl_lines_position *place);

/* Waits until there may be more. */
void pl_input_wait(struct pl_input *input, uint32_t timeout_ms);

/* Whether what is not read yet stays where it is, so that there is no hurry to read it. */
bool pl_input_is_file(const struct pl_input *input);

void pl_input_close(struct pl_input *input);

#endif
