/* The reason text: fits, cut at a character, harmless to a terminal. */
#include "io/text.h"

#include <criterion/criterion.h>
#include <string.h>

Test(io_text, formats_and_ignores_null)
{
    struct pl_text text;
    pl_text_set(NULL, "%d", 1);
    pl_text_set(&text, "%s:%d: bad", "file", 7);
    cr_assert_str_eq(text.s, "file:7: bad");
}

Test(io_text, cuts_at_whole_characters)
{
    for (size_t n = 200; n < 300; n++) {
        for (size_t shift = 0; shift < 4; shift++) {
            char long_text[1400] = "aaaa";
            struct pl_text text;
            for (size_t i = 0; i < n; i++)
                memcpy(long_text + shift + 4 * i, "\xf0\x9f\x98\x80", 5);
            pl_text_set(&text, "%s", long_text);
            size_t length = strlen(text.s);
            cr_assert(length < sizeof text.s && length > sizeof text.s - 8);
            cr_assert_str_eq(text.s + length - 3, "...");
            cr_assert_eq((length - 3 - shift) % 4, 0, "a character was cut: %zu", length);
        }
    }
}

Test(io_text, keeps_what_just_fits)
{
    char full[sizeof((struct pl_text *)0)->s];
    struct pl_text text;
    memset(full, 'x', sizeof full - 1);
    full[sizeof full - 1] = 0;
    pl_text_set(&text, "%s", full);
    cr_assert_str_eq(text.s, full);
    pl_text_set(&text, "%sy", full);
    cr_assert_str_eq(text.s + strlen(text.s) - 4, "x...");
}

Test(io_text, disarms_control_characters)
{
    struct pl_text text;
    pl_text_set(&text, "a\x1b[2J\nb\x7f");
    cr_assert_str_eq(text.s, "a?[2J?b?");
}
