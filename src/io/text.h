/*
 * One line for a human, beside an enum pl_error: which file, line, address or option, what is wrong, what to
 * do.
 */
#ifndef PL_IO_TEXT_H
#define PL_IO_TEXT_H

/*
 * Zero-terminated, never with a newline. A text that does not fit is cut at a whole UTF-8 character and ends
 * in "...".
 */
struct pl_text {
    char s[240];
};

/*
 * Formats as printf does into text->s; text may be NULL (nobody wants to know).
 * Control characters in the result become '?', so that a file name can not drive a terminal.
 */
void pl_text_set(struct pl_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
