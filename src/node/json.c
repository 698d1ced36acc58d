/* JSON strings of any bytes: see status.h. */
#include "node/status.h"

enum {
    ASCII_END = 0x80,
    DELETE = 0x7f,
    SURROGATES_FROM = 0xd800,
    SURROGATES_TO = 0xdfff,
    CODE_POINT_MAX = 0x10ffff
};

/* The length of the UTF-8 character at p (RFC 3629 section 4), 0 if there is none. */
static size_t utf8_length(const uint8_t *p, size_t n)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = p[0] < ASCII_END ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;
    uint32_t code;

    if (length <= 1 || length > n)
        return length == 1;
    code = p[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if (p[i] >> 6 != 2)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    if (code < smallest[length] || code > CODE_POINT_MAX ||
        (code >= SURROGATES_FROM && code <= SURROGATES_TO))
        return 0;
    return length;
}

bool pl_is_utf8(struct pl_bytes text)
{
    for (size_t at = 0, length; at < text.n; at += length) {
        length = utf8_length(text.p + at, text.n - at);
        if (length == 0)
            return false;
    }
    return true;
}

static void put_ascii(FILE *to, uint8_t c)
{
    if (c == '"' || c == '\\')
        fprintf(to, "\\%c", c);
    else if (c == '\n')
        fputs("\\n", to);
    else if (c == '\t')
        fputs("\\t", to);
    else if (c == '\r')
        fputs("\\r", to);
    else
        fprintf(to, "\\u%04x", c);
}

/* How many bytes from p on pass as they are. */
static size_t plain_run(const uint8_t *p, size_t n)
{
    size_t at = 0;

    while (at < n) {
        size_t length = utf8_length(p + at, n - at);
        if (length == 0 || (length == 1 && (p[at] < ' ' || p[at] == '"' || p[at] == '\\' || p[at] == DELETE)))
            break;
        at += length;
    }
    return at;
}

void pl_json_string(FILE *to, struct pl_bytes text)
{
    fputc('"', to);
    for (size_t at = 0; at < text.n;) {
        size_t run = plain_run(text.p + at, text.n - at);
        if (run > 0)
            fwrite(text.p + at, 1, run, to);
        at += run;
        if (at == text.n)
            break;
        if (text.p[at] < ASCII_END)
            put_ascii(to, text.p[at]);
        else
            fputs("\\ufffd", to);
        at++;
    }
    fputc('"', to);
}
