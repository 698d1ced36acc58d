/*
 * The one-line reason beside an error: formatting that can not overflow, cut a character or drive a terminal.
 */
#include "io/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Start of the UTF-8 character that the byte at `at` belongs to. */
static size_t character_start(const char *s, size_t at)
{
    size_t back = 0;
    while (back < 3 && at > back && ((unsigned char)s[at - back] & 0xc0) == 0x80)
        back++;
    return at - back;
}

static void disarm(char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            *s = '?';
}

void pl_text_set(struct pl_text *text, const char *format, ...)
{
    if (!text)
        return;
    char full[sizeof text->s + 1]; /* one more shows where a character that was cut begins */
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(full, sizeof full, format, arguments);
    va_end(arguments);
    if (n < 0)
        n = snprintf(full, sizeof full, "%s", format);
    if ((size_t)n >= sizeof text->s)
        memcpy(full + character_start(full, sizeof text->s - sizeof "..."), "...", sizeof "...");
    memcpy(text->s, full, strlen(full) + 1);
    disarm(text->s);
}
