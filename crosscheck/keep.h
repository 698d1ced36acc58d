/* What the two programs write down so that they may be killed: a device its lives, a node its rows. Numbers
 * are in the machine's own order: only the program that wrote a file reads it again. */
#ifndef XC_KEEP_H
#define XC_KEEP_H

#include "engine/link.h"

#include <stdio.h>

/* Changes when a life begins or is settled: then the lives have to be written again before anything
 * leaves. */
uint64_t xc_lives_mark(const struct xc_link *link);

/* Writes all streams with their lives, in place of what the file held, durably. What cannot be written ends
 * the program. */
void xc_lives_save(const struct xc_link *link, const char *path);

/* Reads them into a link that was given nothing. False: there is no such file. A damaged one ends the
 * program. */
bool xc_lives_load(struct xc_link *link, const char *path);

/* Writes the rows of the streams of which something is heard and not yet stored, each behind `head`. Returns
 * whether there were any. */
bool xc_rows_save(const struct xc_link *link, FILE *file, const void *head, size_t head_n);

/* Passes over a row. False: the file ends in it. */
bool xc_row_skip(FILE *file);

/* Reads a row, in place of an earlier one of its birth. False: the file ends in it. */
bool xc_row_load(struct xc_link *link, FILE *file);

#endif
