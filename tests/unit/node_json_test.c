/* JSON strings of any bytes. */
#include "node/status.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct {
    const char *in;
    size_t n;
    const char *out;
    bool utf8;
} texts[] = {
    {"", 0, "\"\"", true},
    {"plain", 5, "\"plain\"", true},
    {"a\"b\\c", 5, "\"a\\\"b\\\\c\"", true},
    {"\n\t\r", 3, "\"\\n\\t\\r\"", true},
    {"\0\x01\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\\u007f\"", true},
    {"\xc3\xa4", 2, "\"\xc3\xa4\"", true},
    {"\xe2\x82\xac\xf0\x9f\x98\x80", 7, "\"\xe2\x82\xac\xf0\x9f\x98\x80\"", true},
    {"\xc3", 1, "\"\\ufffd\"", false},
    {"a\xff"
     "b",
     3, "\"a\\ufffdb\"", false},
    {"\xc0\x80", 2, "\"\\ufffd\\ufffd\"", false},                       /* overlong */
    {"\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"", false},            /* surrogate */
    {"\xf4\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"", false}, /* above U+10FFFF */
    {"\xe2\x82", 2, "\"\\ufffd\\ufffd\"", false},
};

Test(node_json, any_bytes_make_a_valid_string)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char out[128] = "";
        FILE *to = fmemopen(out, sizeof out, "w");
        struct pl_bytes in = {(const uint8_t *)texts[i].in, texts[i].n};
        pl_json_string(to, in);
        fclose(to);
        cr_assert_str_eq(out, texts[i].out, "text %zu: %s", i, out);
        cr_assert_eq(pl_is_utf8(in), texts[i].utf8, "text %zu", i);
    }
}
