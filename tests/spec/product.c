/* The generated product codec as a program that answers line by line, to be held against other readings.
 *
 * Built with -DPROTOCOL=link -DPREFIX=pl -DVECTORS='"tests/link_vectors.h"'. In: "SUBJECT HEX", where the
 * subject counts structs, then families, in the spec's order; with -DPAYLOAD, "* HEX" is the payload of a
 * packet. Out: "OK end value" or "ERROR offset"; "ENCODE ..." where what was decoded encodes to other bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include VECTORS
#ifdef PAYLOAD
#include "wire/payload.h"
#endif

#define JOIN_AFTER(a, b) a##b
#define JOIN(a, b) JOIN_AFTER(a, b)
#define ERROR_NAME JOIN(PREFIX, _error_name)

static char shown[1 << 16];

/* Whether a decoded value is valid, has this size, and encodes to these bytes. */
static int encodes_to(const struct JOIN(PROTOCOL, _subject) *s, const union JOIN(PROTOCOL, _any) *value,
                      const uint8_t *data, size_t n)
{
    static uint8_t out[1 << 16];

    return s->validate(value) == 0 && s->size(value) == n && s->encode(out, sizeof out, value) == n &&
           memcmp(out, data, n) == 0;
}

static void answer_one(size_t number, const uint8_t *data, size_t n)
{
    const struct JOIN(PROTOCOL, _subject) *s = &JOIN(PROTOCOL, _subjects)[number];
    union JOIN(PROTOCOL, _any) value;
    size_t end = 0;
    uint8_t *copy = NULL;

    memset(&value, 0, sizeof value);
    int code = (int)JOIN(PROTOCOL, _decode_all)(s, data, n, &value, &end, &copy);
    if (code != 0) {
        printf("%s %zu\n", ERROR_NAME((unsigned)code), end);
    } else if (!encodes_to(s, &value, data, n)) {
        puts("ENCODE differs");
    } else {
        s->print(shown, sizeof shown, &value);
        printf("OK %zu%s%s\n", end, shown[0] ? " " : "", shown);
    }
    free(copy);
}

#ifdef PAYLOAD
static void answer_payload(const uint8_t *data, size_t n)
{
    static struct pl_payload payload;
    static uint8_t out[1 << 16];
    size_t fault = 0, used = 0;
    enum pl_error error = pl_payload_parse((struct pl_bytes){data, n}, &payload, &fault);

    if (error != PL_OK) {
        printf("%s %zu\n", pl_error_name(error), fault);
        return;
    }
    for (unsigned i = 0; i < payload.count; i++)
        used += pl_frame_encode(out + used, sizeof out - used, &payload.frames[i]);
    if (used != n || memcmp(out, data, n) != 0) {
        puts("ENCODE differs");
        return;
    }
    printf("OK %zu", n);
    for (unsigned i = 0; i < payload.count; i++) {
        pl_frame_print(shown, sizeof shown, &payload.frames[i]);
        printf("%s%s", i ? " | " : " ", shown);
    }
    puts("");
}
#endif

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
        char *hex = strchr(line, ' ');
        uint8_t *data = from_hex(hex != NULL ? hex + 1 : "", &n);
#ifdef PAYLOAD
        if (line[0] == '*')
            answer_payload(data, n);
        else
#endif
            answer_one(strtoul(line, NULL, 10), data, n);
        free(data);
    }
    free(line);
    return 0;
}
