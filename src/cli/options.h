/* options.h: reads a command's options from a table, prints its help, and says in one line what is wrong.
 *
 * An option is "--name VALUE", "--name=VALUE" or, for a flag, "--name". "--" ends the options; "-" alone is
 * an operand. Options and operands may stand in any order. An option given twice is an error unless its kind
 * is a list. "--help" prints the help, which is made of the same table, so that it cannot differ from what is
 * read.
 */
#ifndef PL_CLI_OPTIONS_H
#define PL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_option_kind {
    PL_OPTION_FLAG,   /* target: bool */
    PL_OPTION_TEXT,   /* target: const char *, borrowed from argv, never empty */
    PL_OPTION_NUMBER, /* target: uint64_t, decimal, from min to max */
    PL_OPTION_SIZE,   /* target: uint64_t, bytes: decimal, maybe K, M, G or T (of 1,024), from min to max */
    PL_OPTION_LIST    /* target: struct pl_texts: may be given many times */
};

/* Borrowed strings of argv, in order. `items` has room for argc of them and is the caller's to free. */
struct pl_texts {
    const char **items;
    size_t n;
};

struct pl_option {
    const char *name;  /* without the two dashes */
    const char *value; /* what to call the value in the help; NULL for a flag */
    const char *help;
    enum pl_option_kind kind;
    bool required;
    void *target;      /* holds the default before; only written when the option is given */
    uint64_t min, max; /* of a number or size */
};

struct pl_options {
    const char *command;  /* "send" */
    const char *synopsis; /* what follows the command's name in the first line of its help */
    const char *about;    /* a paragraph for the help, lines of at most 80 columns */
    const struct pl_option *table;
    size_t n;
    size_t operands_min, operands_max;
};

enum pl_parsed {
    PL_PARSED_OK,
    PL_PARSED_HELP, /* the help was printed: exit with PL_EXIT_OK */
    PL_PARSED_WRONG /* one line was printed to standard error: exit with PL_EXIT_USAGE */
};

/* Reads argv[1] to argv[argc - 1]. Operands are put in *operands, whose items are allocated here and the
 * caller's to free with pl_texts_free whatever the result; the items of lists likewise. */
enum pl_parsed pl_options_parse(const struct pl_options *options, int argc, char **argv,
                                struct pl_texts *operands);

void pl_texts_free(struct pl_texts *texts);

#endif
