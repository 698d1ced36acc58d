/* options.c: the table-driven reader of a command's options. */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

enum { OPTIONS_MAX = 32, HELP_COLUMN = 28 };

struct parser {
    const struct pl_options *options;
    int argc;
    char **argv;
    int at; /* next argument */
    bool given[OPTIONS_MAX];
    struct pl_texts *operands;
};

static void print_help(const struct pl_options *o)
{
    printf("Usage: purelink %s %s\n\n%s\n\nOptions:\n", o->command, o->synopsis, o->about);
    for (size_t i = 0; i < o->n; i++) {
        const struct pl_option *t = &o->table[i];
        char left[HELP_COLUMN * 2];
        snprintf(left, sizeof left, "--%s%s%s", t->name, t->value ? " " : "", t->value ? t->value : "");
        printf("  %-*s %s%s\n", HELP_COLUMN, left, t->help, t->required ? " (required)" : "");
    }
    printf("  %-*s %s\n\nMore in purelink-%s(1).\n", HELP_COLUMN, "--help", "print this and exit",
           o->command);
}

static enum pl_parsed wrong(const struct parser *p, const char *what, const char *name)
{
    pl_complain(p->options->command, "%s %s; see purelink %s --help", what, name, p->options->command);
    return PL_PARSED_WRONG;
}

static enum pl_parsed set_number(const struct parser *p, const struct pl_option *t, const char *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end || errno || n < t->min || n > t->max) {
        pl_complain(p->options->command, "--%s %s: must be a whole number from %llu to %llu", t->name, value,
                    (unsigned long long)t->min, (unsigned long long)t->max);
        return PL_PARSED_WRONG;
    }
    *(uint64_t *)t->target = n;
    return PL_PARSED_OK;
}

static enum pl_parsed set_size(const struct parser *p, const struct pl_option *t, const char *value)
{
    static const char units[] = "KMGT";
    char *end = NULL;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (value[0] < '0' || value[0] > '9' || errno || (*end && !unit) || (unit && end[1]) ||
        n > UINT64_MAX >> shift || n << shift < t->min || n << shift > t->max) {
        pl_complain(p->options->command,
                    "--%s %s: must be a number of bytes from %llu to %llu; K, M, G and T may follow it",
                    t->name, value, (unsigned long long)t->min, (unsigned long long)t->max);
        return PL_PARSED_WRONG;
    }
    *(uint64_t *)t->target = n << shift;
    return PL_PARSED_OK;
}

static enum pl_parsed append(const struct parser *p, struct pl_texts *texts, const char *value)
{
    if (!texts->items)
        texts->items = calloc((size_t)p->argc + 1, sizeof *texts->items);
    if (!texts->items)
        return wrong(p, "no memory for", value);
    texts->items[texts->n++] = value;
    return PL_PARSED_OK;
}

static enum pl_parsed set_value(const struct parser *p, const struct pl_option *t, const char *value)
{
    if (!*value) {
        pl_complain(p->options->command, "--%s: its value is empty", t->name);
        return PL_PARSED_WRONG;
    }
    if (t->kind == PL_OPTION_NUMBER)
        return set_number(p, t, value);
    if (t->kind == PL_OPTION_SIZE)
        return set_size(p, t, value);
    if (t->kind == PL_OPTION_LIST)
        return append(p, t->target, value);
    *(const char **)t->target = value;
    return PL_PARSED_OK;
}

/* The index of the option called by the n characters at name, or options->n. */
static size_t find(const struct pl_options *o, const char *name, size_t n)
{
    size_t i = 0;
    while (i < o->n && !(strlen(o->table[i].name) == n && memcmp(o->table[i].name, name, n) == 0))
        i++;
    return i;
}

static enum pl_parsed parse_option(struct parser *p, const char *text)
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : strlen(text);
    size_t i = find(p->options, text + 2, n - 2);
    if (i == p->options->n)
        return wrong(p, "there is no option", text);
    const struct pl_option *t = &p->options->table[i];
    if (p->given[i] && t->kind != PL_OPTION_LIST)
        return wrong(p, "given more than once: option", text);
    p->given[i] = true;
    if (t->kind == PL_OPTION_FLAG) {
        if (equals)
            return wrong(p, "takes no value: option", text);
        *(bool *)t->target = true;
        return PL_PARSED_OK;
    }
    if (equals)
        return set_value(p, t, equals + 1);
    if (p->at == p->argc)
        return wrong(p, "a value is missing after option", text);
    return set_value(p, t, p->argv[p->at++]);
}

static enum pl_parsed parse_arguments(struct parser *p)
{
    bool only_operands = false;
    while (p->at < p->argc) {
        const char *text = p->argv[p->at++];
        enum pl_parsed r = PL_PARSED_OK;
        if (!only_operands && strcmp(text, "--") == 0)
            only_operands = true;
        else if (!only_operands && strcmp(text, "--help") == 0)
            r = PL_PARSED_HELP;
        else if (!only_operands && strncmp(text, "--", 2) == 0)
            r = parse_option(p, text);
        else if (!only_operands && text[0] == '-' && text[1])
            r = wrong(p, "there is no option", text);
        else
            r = append(p, p->operands, text);
        if (r != PL_PARSED_OK)
            return r;
    }
    return PL_PARSED_OK;
}

static enum pl_parsed check_complete(const struct parser *p)
{
    const struct pl_options *o = p->options;
    for (size_t i = 0; i < o->n; i++)
        if (o->table[i].required && !p->given[i]) {
            pl_complain(o->command, "option --%s %s is missing; see purelink %s --help", o->table[i].name,
                        o->table[i].value ? o->table[i].value : "", o->command);
            return PL_PARSED_WRONG;
        }
    if (p->operands->n > o->operands_max)
        return wrong(p, "unexpected operand", p->operands->items[o->operands_max]);
    if (p->operands->n < o->operands_min)
        return wrong(p, "an operand is missing: purelink", o->command);
    return PL_PARSED_OK;
}

enum pl_parsed pl_options_parse(const struct pl_options *options, int argc, char **argv,
                                struct pl_texts *operands)
{
    struct parser p = {.options = options, .argc = argc, .argv = argv, .at = 1, .operands = operands};
    *operands = (struct pl_texts){0};
    if (options->n > OPTIONS_MAX)
        return wrong(&p, "too many options in the table of", options->command);
    enum pl_parsed r = parse_arguments(&p);
    if (r == PL_PARSED_HELP)
        print_help(options);
    return r == PL_PARSED_OK ? check_complete(&p) : r;
}

void pl_texts_free(struct pl_texts *texts)
{
    free(texts->items);
    *texts = (struct pl_texts){0};
}
