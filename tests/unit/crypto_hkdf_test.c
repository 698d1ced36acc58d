/* Tests of src/crypto/hkdf.c: RFC 5869 appendix A, every output length. */
#include <criterion/criterion.h>

#include "crypto/hkdf.h"
#include "unit/crypto_hex.h"

static const struct {
    const char *ikm, *salt, *info, *prk, *okm;
} rfc5869[] = {
    {"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
     "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
     "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"
     "303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f",
     "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f"
     "909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
     "b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf"
     "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
     "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
     "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
     "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"},
    {"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "", "",
     "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
     "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"},
};

Test(crypto_hkdf, rfc_5869)
{
    uint8_t ikm[80], salt[80], info[80], prk[PL_HMAC_SIZE], okm[100];
    uint32_t inner[PL_SHA256_WORDS], outer[PL_SHA256_WORDS];

    for (size_t i = 0; i < sizeof rfc5869 / sizeof rfc5869[0]; i++) {
        struct pl_bytes k = {ikm, hex_decode(rfc5869[i].ikm, ikm, sizeof ikm)};
        struct pl_bytes s = {salt, hex_decode(rfc5869[i].salt, salt, sizeof salt)};
        struct pl_bytes f = {info, hex_decode(rfc5869[i].info, info, sizeof info)};
        size_t okm_n = strlen(rfc5869[i].okm) / 2;

        pl_hkdf_extract(s, &k, 1, prk);
        cr_assert(hex_equal(rfc5869[i].prk, prk, sizeof prk), "PRK %zu", i);
        pl_hmac_midstates((struct pl_bytes){prk, sizeof prk}, inner, outer);
        pl_hkdf_expand(inner, outer, f, okm, okm_n);
        cr_assert(hex_equal(rfc5869[i].okm, okm, okm_n), "OKM %zu", i);
    }
}

Test(crypto_hkdf, shorter_outputs_are_prefixes_and_write_no_further)
{
    const struct pl_bytes key = text_bytes("key"), info = text_bytes("info");
    static uint8_t whole[PL_HKDF_OKM_MAX], part[PL_HKDF_OKM_MAX + 1];
    uint32_t inner[PL_SHA256_WORDS], outer[PL_SHA256_WORDS];

    pl_hmac_midstates(key, inner, outer);
    pl_hkdf_expand(inner, outer, info, whole, sizeof whole);
    for (size_t n = 0; n <= sizeof whole; n += n < 100 ? 1 : 1345) {
        part[n] = 0xa5;
        pl_hkdf_expand(inner, outer, info, part, n);
        cr_assert(memcmp(whole, part, n) == 0, "%zu bytes", n);
        cr_assert_eq(part[n], 0xa5, "%zu bytes", n);
    }
}
