/* pattern.h: the records that the benchmarks send and check: sizes taken in turn, the record's number in its
 * first eight bytes.
 */
#ifndef PL_BENCH_LIB_PATTERN_H
#define PL_BENCH_LIB_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/link_types.h"

/* A cycle of framed records {size (i), record}, one behind the other. */
struct pattern {
    uint8_t *bytes;
    size_t *starts;  /* records + 1 of them: where each framed record begins, and the end of the last */
    size_t *numbers; /* where the number of each stands */
    size_t records;
};

/* All of one size, 8 to PL_RECORD_MAX bytes. Ends the program with a reason if it cannot. */
void pattern_uniform(struct pattern *p, size_t record_bytes);

/* Sizes from a file, a line each, # begins a comment line. Ends the program with a reason if it cannot. */
void pattern_mix(struct pattern *p, const char *file);

/* Either, from an argument: a number of bytes or else a file. */
void pattern_parse(struct pattern *p, const char *size_or_file);

void pattern_free(struct pattern *p);

/* Framed bytes of a record, the average over the cycle. */
double pattern_framed_bytes(const struct pattern *p);

/* Writes the numbers from `first` on into the whole cycle. */
void pattern_number(struct pattern *p, uint64_t first);

/* Where a sender or a checker is in the pattern. */
struct pattern_place {
    struct pattern pattern; /* its own: numbers are written into it */
    size_t at;              /* checker: the record that comes next; sender: bytes of the cycle given */
    uint64_t next;          /* number that comes next, or of the first record of the cycle being given */
};

/* Whether `count` records of framed `bytes` are the next ones; the place is then after them. */
bool pattern_check(struct pattern_place *place, struct pl_bytes bytes, uint32_t count);

/* What is to be offered next of `count` records in all, numbered; n = 0: all was given. */
struct pl_bytes pattern_rest(struct pattern_place *place, uint64_t count);

/* `n` bytes of that were taken. */
void pattern_taken(struct pattern_place *place, size_t n);

#endif
