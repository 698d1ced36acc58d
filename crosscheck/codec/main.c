/* The second codec as a program that answers line by line, to be held against other readings of a spec.
 *
 * Built with -DPROTOCOL=link and the table of that protocol. In: "SUBJECT HEX", where the subject counts
 * structs, then families, in the spec's order; "* HEX" is the payload of a packet. Out: "OK end value" or
 * "ERROR offset"; "ENCODE ..." where what was decoded encodes to other bytes. */
#include "codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_AFTER(a, b) a##b
#define JOIN(a, b) JOIN_AFTER(a, b)
extern const struct xc_protocol JOIN(PROTOCOL, _table);
static const struct xc_protocol *protocol = &JOIN(PROTOCOL, _table);

enum { VALUES_MAX = 1 << 16, LINE_MAX_BYTES = 1 << 16 };

static struct xc_value values[VALUES_MAX];

/* Decodes `most` of the subject at most, one behind the other; *at is the end, or where it failed. */
static int decode_all(const struct xc_subject *subject, size_t most, const uint8_t *p, size_t n,
                      struct xc_tree *tree, size_t *at)
{
    for (size_t count = 0; count == 0 || *at < n; count++) {
        if (count == most)
            return most == 1 ? XC_TRAILING : XC_LIMIT;
        int error = xc_decode(subject, p, n, *at, tree, at);
        if (error != XC_OK)
            return error;
    }
    return XC_OK;
}

static bool encodes_to(const struct xc_tree *tree, const uint8_t *p, size_t n)
{
    static uint8_t out[LINE_MAX_BYTES];
    size_t used = 0;

    for (size_t place = 0; place < tree->n; place = tree->values[place].next)
        used += xc_encode(tree, place, out + used, sizeof out - used);
    return used == n && memcmp(out, p, n) == 0;
}

static void answer(const struct xc_subject *subject, size_t most, const uint8_t *p, size_t n)
{
    static char shown[LINE_MAX_BYTES];
    struct xc_tree tree = {values, VALUES_MAX, 0};
    size_t at = 0;
    int error = decode_all(subject, most, p, n, &tree, &at);

    if (error != XC_OK) {
        printf("%s %zu\n", xc_error_name(protocol, error), at);
        return;
    }
    if (!encodes_to(&tree, p, n)) {
        puts("ENCODE differs");
        return;
    }
    printf("OK %zu", at);
    for (size_t place = 0; place < tree.n; place = tree.values[place].next) {
        size_t length = xc_print(&tree, place, shown, sizeof shown);
        printf("%s%s", place > 0 ? " | " : length > 0 ? " " : "", shown);
    }
    puts("");
}

static void answer_payload(const uint8_t *p, size_t n)
{
    if (n == 0 && protocol->sealed_least > 0)
        printf("%s 0\n", xc_error_name(protocol, XC_EMPTY));
    else
        answer(protocol->sealed, protocol->sealed_most, p, n);
}

/* The bytes of hexadecimal digits in memory of exactly their number, so that reading past them is found. */
static uint8_t *from_hex(const char *text, size_t *n)
{
    unsigned byte = 0;

    *n = strspn(text, "0123456789abcdef") / 2;
    uint8_t *data = malloc(*n > 0 ? *n : 1);
    if (data == NULL)
        abort();
    for (size_t i = 0; i < *n && sscanf(text + 2 * i, "%2x", &byte) == 1; i++)
        data[i] = (uint8_t)byte;
    return data;
}

int main(void)
{
    char *line = NULL;
    size_t room = 0, n = 0;

    while (getline(&line, &room, stdin) > 0) {
        const char *hex = strchr(line, ' ');
        uint8_t *data = from_hex(hex != NULL ? hex + 1 : "", &n);
        size_t number = strtoul(line, NULL, 10);
        if (line[0] == '*' && protocol->sealed != NULL)
            answer_payload(data, n);
        else if (line[0] != '*' && number < protocol->subject_count)
            answer(&protocol->subjects[number], 1, data, n);
        else
            puts("no such subject");
        free(data);
    }
    free(line);
    return 0;
}
