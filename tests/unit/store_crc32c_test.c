/* CRC32C: RFC 3720 appendix B.4, and the instruction against the table. */
#include <criterion/criterion.h>
#include <string.h>

#include "store/crc32c.h"

struct vector {
    const char *what;
    uint8_t bytes[32];
    size_t n;
    uint32_t crc;
};

static struct vector vectors[] = {
    {"32 zeros", {0}, 32, 0x8a9136aa}, {"32 ones", {0}, 32, 0x62a8ab43},      {"rising", {0}, 32, 0x46dd794e},
    {"falling", {0}, 32, 0x113fdb5c},  {"check", "123456789", 9, 0xe3069283}, {"nothing", {0}, 0, 0},
};

static void fill_in(void)
{
    memset(vectors[1].bytes, 0xff, 32);
    for (uint8_t i = 0; i < 32; i++) {
        vectors[2].bytes[i] = i;
        vectors[3].bytes[i] = (uint8_t)(31 - i);
    }
}

Test(store_crc32c, vectors)
{
    fill_in();
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const struct vector *v = &vectors[i];
        cr_expect_eq(pl_crc32c(0, v->bytes, v->n), v->crc, "%s", v->what);
        cr_expect_eq(pl_crc32c_table(0, v->bytes, v->n), v->crc, "%s by table", v->what);
    }
}

Test(store_crc32c, any_size_place_and_cut)
{
    uint8_t bytes[3000];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 131 + i / 7);
    }
    for (size_t from = 0; from < 9; from++) {
        for (size_t n = 0; n + from <= sizeof bytes - 20; n += 1 + n / 9) {
            uint32_t whole = pl_crc32c(0, bytes + from, n);
            size_t cut = n / 3;
            cr_expect_eq(whole, pl_crc32c_table(0, bytes + from, n), "%zu+%zu", from, n);
            cr_expect_eq(whole, pl_crc32c(pl_crc32c(0, bytes + from, cut), bytes + from + cut, n - cut));
        }
    }
}
