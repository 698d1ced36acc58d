/* complain.c: the one way in which commands say on standard error what is wrong. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/command.h"

enum { LINE_MAX_BYTES = 1024 };

void pl_complain(const char *command, const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    va_list ap;
    va_start(ap, format);
    vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    fprintf(stderr, "purelink%s%s: %s\n", command ? " " : "", command ? command : "", line);
}
