/* What may be a name. */
#include <criterion/criterion.h>
#include <string.h>

#include "link/link_limits.h"
#include "store/name.h"

struct vector {
    const char *name;
    bool valid;
};

static const struct vector vectors[] = {
    {"a", true},
    {"web-1.log", true},
    {"with space", true},
    {"\xc2\xa0", true},
    {"gr\xc3\xbc\xc3\x9f", true},
    {"\xe2\x82\xac", true},
    {"\xed\x9f\xbf", true},
    {"\xf0\x9f\x98\x80", true},
    {"\xf4\x8f\xbf\xbf", true},
    {"", false},
    {"a\nb", false},
    {"\x7f", false},
    {"\x1b[2J", false},
    {"\xc2\x80", false},
    {"\xc2\x9f", false},
    {"\x80", false},
    {"\xc3", false},
    {"\xc3(", false},
    {"\xc0\x80", false},
    {"\xc1\xbf", false},
    {"\xe0\x80\x80", false},
    {"\xe0\x9f\xbf", false},
    {"\xed\xa0\x80", false},
    {"\xf0\x80\x80\x80", false},
    {"\xf4\x90\x80\x80", false},
    {"\xf5\x80\x80\x80", false},
    {"\xff", false},
    {"ok\xe2\x82", false},
};

Test(store_name, vectors)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        struct pl_bytes name = {(const uint8_t *)vectors[i].name, strlen(vectors[i].name)};
        cr_expect_eq(pl_name_valid(name), vectors[i].valid, "vector %zu", i);
    }
}

Test(store_name, sizes)
{
    uint8_t name[PL_NAME_MAX + 1];

    memset(name, 'n', sizeof name);
    cr_expect(pl_name_valid((struct pl_bytes){name, PL_NAME_MAX}));
    cr_expect_not(pl_name_valid((struct pl_bytes){name, PL_NAME_MAX + 1}));
    name[3] = 0;
    cr_expect_not(pl_name_valid((struct pl_bytes){name, 10}));
}
