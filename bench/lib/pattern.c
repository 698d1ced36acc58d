/* pattern.c: records of known content, from one size or from a file of sizes. */
#include "pattern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/link_limits.h"
#include "link/link_varint.h"

/* A block of one size: so many records, or what so many bytes hold: it stays in the caches of a core. */
enum { BLOCK_RECORDS = 64, BLOCK_BYTES = 1 << 16 };

enum { FILL = 0x5a, SIZES_MAX = 1 << 16, DECIMAL = 10 };

static void *get(size_t n)
{
    void *p = malloc(n);

    if (p == NULL) {
        fputs("pattern: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

static void build(struct pattern *p, const size_t *sizes, size_t n)
{
    size_t end = 0;

    for (size_t i = 0; i < n; i++) {
        end += pl_varint_size(sizes[i]) + sizes[i];
    }
    *p = (struct pattern){
        .bytes = get(end),
        .starts = get((n + 1) * sizeof *p->starts),
        .numbers = get(n * sizeof *p->numbers),
        .records = n,
    };
    memset(p->bytes, FILL, end);
    p->starts[0] = 0;
    for (size_t i = 0; i < n; i++) {
        pl_varint_encode(p->bytes + p->starts[i], sizes[i]);
        p->numbers[i] = p->starts[i] + pl_varint_size(sizes[i]);
        p->starts[i + 1] = p->numbers[i] + sizes[i];
    }
}

static size_t size_of(const char *text, const char *where, size_t line)
{
    char *end = NULL;
    unsigned long long n = strtoull(text, &end, DECIMAL);

    if (end == text || (*end != 0 && *end != '\n') || n < sizeof(uint64_t) || n > PL_RECORD_MAX) {
        fprintf(stderr, "%s:%zu: not a record's size from 8 to %d\n", where, line, PL_RECORD_MAX);
        exit(EXIT_FAILURE);
    }
    return (size_t)n;
}

void pattern_uniform(struct pattern *p, size_t record_bytes)
{
    size_t sizes[BLOCK_RECORDS];

    size_t fit = BLOCK_BYTES / (pl_varint_size(record_bytes) + record_bytes);
    size_t n = fit < 1 ? 1 : fit < BLOCK_RECORDS ? fit : BLOCK_RECORDS;

    for (size_t i = 0; i < n; i++) {
        sizes[i] = record_bytes;
    }
    build(p, sizes, n);
}

void pattern_mix(struct pattern *p, const char *file)
{
    size_t *sizes = get(SIZES_MAX * sizeof *sizes);
    FILE *f = fopen(file, "r");
    char line[256];
    size_t n = 0;

    if (f == NULL) {
        fprintf(stderr, "%s: %s\n", file, strerror(errno));
        exit(EXIT_FAILURE);
    }
    for (size_t at = 1; n < SIZES_MAX && fgets(line, sizeof line, f) != NULL; at++) {
        if (line[0] != '#') {
            sizes[n++] = size_of(line, file, at);
        }
    }
    fclose(f);
    if (n == 0) {
        fprintf(stderr, "%s: no sizes\n", file);
        exit(EXIT_FAILURE);
    }
    build(p, sizes, n);
    free(sizes);
}

void pattern_parse(struct pattern *p, const char *size_or_file)
{
    if (size_or_file[0] >= '0' && size_or_file[0] <= '9') {
        pattern_uniform(p, size_of(size_or_file, "record size", 1));
    } else {
        pattern_mix(p, size_or_file);
    }
}

void pattern_free(struct pattern *p)
{
    free(p->bytes);
    free(p->starts);
    free(p->numbers);
}

double pattern_framed_bytes(const struct pattern *p)
{
    return (double)p->starts[p->records] / (double)p->records;
}

/* Writes the numbers of `count` records from record i of the block on. */
static void stamp(const struct pattern *p, size_t i, size_t count, uint64_t first)
{
    uint8_t *bytes = p->bytes;
    const size_t *numbers = p->numbers + i;

    for (size_t n = 0; n < count; n++, first++) {
        memcpy(bytes + numbers[n], &first, sizeof first);
    }
}

void pattern_number(struct pattern *p, uint64_t first)
{
    stamp(p, 0, p->records, first);
}

/* Compares `count` records, in the block one behind the other too. Returns their bytes, 0: changed. */
static size_t compare(struct pattern_place *place, struct pl_bytes bytes, size_t count)
{
    struct pattern *p = &place->pattern;
    const uint8_t *expected = p->bytes + p->starts[place->at];
    size_t framed = p->starts[place->at + count] - p->starts[place->at];

    stamp(p, place->at, count, place->next);
    return bytes.n >= framed && memcmp(bytes.p, expected, framed) == 0 ? framed : 0;
}

bool pattern_check(struct pattern_place *place, struct pl_bytes bytes, uint32_t count)
{
    struct pattern *p = &place->pattern;

    for (size_t left = count; left > 0;) {
        size_t n = left < p->records - place->at ? left : p->records - place->at;
        size_t framed = compare(place, bytes, n);
        if (framed == 0) {
            return false;
        }
        bytes.p += framed;
        bytes.n -= framed;
        left -= n;
        place->next += n;
        place->at = (place->at + n) % p->records;
    }
    return bytes.n == 0;
}

struct pl_bytes pattern_rest(struct pattern_place *place, uint64_t count)
{
    struct pattern *p = &place->pattern;
    uint64_t given = place->next - 1;

    if (given >= count) {
        return (struct pl_bytes){p->bytes, 0};
    }
    if (place->at == 0) {
        pattern_number(p, place->next);
    }
    size_t records = count - given < p->records ? (size_t)(count - given) : p->records;
    return (struct pl_bytes){p->bytes + place->at, p->starts[records] - place->at};
}

void pattern_taken(struct pattern_place *place, size_t n)
{
    place->at += n;
    if (place->at == place->pattern.starts[place->pattern.records]) {
        place->at = 0;
        place->next += place->pattern.records;
    }
}
