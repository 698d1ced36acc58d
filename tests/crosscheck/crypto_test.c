/* Tests of crosscheck/engine/crypto.c with the vectors of RFC 7748, RFC 8439 and the GCM specification, and
 * keys of a link computed with another implementation of HMAC. */
#include "world.h"

#include <criterion/criterion.h>
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <string.h>

/* The key pairs of RFC 7748 section 6.1. */
static const char alice_private[] = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";
static const char alice_public[] = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
static const char bob_private[] = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb";
static const char bob_public[] = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";

/* Of this pair, for run 0x0123456789abcdef. */
static const char link_prk[] = "555329f784688898779abf3932731581a0c6061be9335f6998ba23c5d9ab1460";
static const char *const run_keys[2][2] = {
    {"b20bf6cb23c7bfef1a2697d7aeef981d4cf2668df49a18f67ab59b23",
     "07b4967a52334ba6d991fa4156b79d52289b8c69a2cf3ca446b5624c"},
    {"5f50ab2b4710f881e2bdf914d95e1dae0a2b1321467c66ae1efeddf51a288d77ccde24e9113e050cccd98b95",
     "fd88602f22cf477e76bfe54c17b2a5e729bfe835e03879c3e3c3ceea323052f3798d68244f5794a560081c85"},
};

/* Encodings that no peer may have: of low order, or not canonical. */
static const char *const bad_keys[] = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882bcf",
};

struct vector {
    const char *title, *key, *iv, *aad, *plain, *sealed;
    uint8_t suite;
};

static const struct vector vectors[] = {
    {"RFC 8439 section 2.8.2", "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
     "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
     "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966204920636f756c6"
     "420"
     "6f6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73637265656e20776f7"
     "56c"
     "642062652069742e",
     "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0"
     "a9e"
     "060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de"
     "576"
     "d26586cec64b6116"
     "1ae10b594f09e26a7e902ecbd0600691",
     XC_SUITE_CHACHA},
    {"GCM test case 1", "00000000000000000000000000000000", "000000000000000000000000", "", "",
     "58e2fccefa7e3061367f1d57a4e7455a", XC_SUITE_AES},
    {"GCM test case 4", "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf"
     "5aa"
     "0de657ba637b39",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b3"
     "96a"
     "0aac973d58e091"
     "5bc94fbc3221a5db94fae95ae7121a47",
     XC_SUITE_AES},
};

struct pairs {
    uint8_t alice_private[32], alice_public[32], bob_private[32], bob_public[32];
};

static struct pairs rfc_pairs(void)
{
    struct pairs p;

    xt_hex(alice_private, p.alice_private, 32);
    xt_hex(alice_public, p.alice_public, 32);
    xt_hex(bob_private, p.bob_private, 32);
    xt_hex(bob_public, p.bob_public, 32);
    return p;
}

Test(crypto, public_keys_of_rfc_7748)
{
    struct pairs p = rfc_pairs();
    uint8_t public_key[32];

    xc_public_key(p.alice_private, public_key);
    cr_assert(memcmp(public_key, p.alice_public, 32) == 0);
    xc_public_key(p.bob_private, public_key);
    cr_assert(memcmp(public_key, p.bob_public, 32) == 0);
}

Test(crypto, both_sides_have_one_secret_and_each_others_ids)
{
    struct pairs p = rfc_pairs();
    struct xc_pair alice, bob;
    uint8_t prk[32];

    xt_hex(link_prk, prk, sizeof prk);
    cr_assert(xc_pair_make(&alice, p.alice_private, p.bob_public));
    cr_assert(xc_pair_make(&bob, p.bob_private, p.alice_public));
    cr_assert(memcmp(alice.secret, prk, 32) == 0);
    cr_assert(memcmp(bob.secret, prk, 32) == 0);
    cr_assert_eq(alice.id_out, 0xb3564bfcU);
    cr_assert_eq(alice.id_in, 0x8dc004a6U);
    cr_assert_eq(bob.id_out, alice.id_in);
    cr_assert_eq(bob.id_in, alice.id_out);
    cr_assert_eq(alice.direction_out, 0);
    cr_assert_eq(bob.direction_out, 1);
}

Test(crypto, keys_that_are_none_are_refused)
{
    struct pairs p = rfc_pairs();
    struct xc_pair pair;
    uint8_t key[32];

    cr_assert_not(xc_pair_make(&pair, p.alice_private, p.alice_public), "the own key");
    for (size_t i = 0; i < sizeof bad_keys / sizeof *bad_keys; i++) {
        xt_hex(bad_keys[i], key, sizeof key);
        cr_assert_not(xc_pair_make(&pair, p.alice_private, key), "%s", bad_keys[i]);
    }
    xt_hex("ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", key, sizeof key);
    cr_assert(xc_pair_make(&pair, p.alice_private, key), "2^255 - 21 is canonical and of no low order");
}

/* RFC 5869 appendix A.1, so that the library underneath is what it is taken for. */
Test(crypto, hkdf_of_rfc_5869)
{
    uint8_t input[22], salt[13], info[10], prk[32], okm[42], expected[42];
    struct hmac_sha256_ctx mac;

    memset(input, 0x0b, sizeof input);
    xt_hex("000102030405060708090a0b0c", salt, sizeof salt);
    xt_hex("f0f1f2f3f4f5f6f7f8f9", info, sizeof info);
    xt_hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865", expected,
           42);
    hmac_sha256_set_key(&mac, sizeof salt, salt);
    hkdf_extract(&mac, (nettle_hash_update_func *)hmac_sha256_update,
                 (nettle_hash_digest_func *)hmac_sha256_digest, sizeof prk, sizeof input, input, prk);
    hmac_sha256_set_key(&mac, sizeof prk, prk);
    hkdf_expand(&mac, (nettle_hash_update_func *)hmac_sha256_update,
                (nettle_hash_digest_func *)hmac_sha256_digest, sizeof prk, sizeof info, info, sizeof okm,
                okm);
    cr_assert(memcmp(okm, expected, sizeof okm) == 0);
}

Test(crypto, a_run_has_a_key_for_each_suite_and_direction)
{
    struct pairs p = rfc_pairs();
    struct xc_pair alice, bob;
    struct xc_key out, in;
    uint8_t okm[44];

    cr_assert(xc_pair_make(&alice, p.alice_private, p.bob_public));
    cr_assert(xc_pair_make(&bob, p.bob_private, p.alice_public));
    for (uint8_t suite = XC_SUITE_AES; suite <= XC_SUITE_CHACHA; suite++)
        for (unsigned direction = 0; direction < 2; direction++) {
            size_t key_n = xt_hex(run_keys[suite - 1][direction], okm, sizeof okm) - 12;
            xc_key_make(&out, direction == 0 ? &alice : &bob, true, suite, UINT64_C(0x0123456789abcdef));
            xc_key_make(&in, direction == 0 ? &bob : &alice, false, suite, UINT64_C(0x0123456789abcdef));
            cr_assert(memcmp(&out, &in, sizeof out) == 0);
            cr_assert(memcmp(out.key, okm, key_n) == 0, "key of suite %d, direction %u", suite, direction);
            cr_assert(memcmp(out.iv, okm + key_n, 12) == 0, "iv of suite %d, direction %u", suite, direction);
        }
}

/* The vector's nonce, from an iv that another packet number XORed into it makes the same. */
static void check_vector(const struct vector *v, uint32_t number)
{
    struct xc_key key = {.suite = v->suite};
    uint8_t aad[64], plain[200], sealed[216], out[216];
    size_t aad_n = xt_hex(v->aad, aad, sizeof aad), n = xt_hex(v->plain, plain, sizeof plain);

    xt_hex(v->key, key.key, sizeof key.key);
    xt_hex(v->iv, key.iv, sizeof key.iv);
    for (int i = 0; i < 4; i++)
        key.iv[8 + i] ^= (uint8_t)(number >> (24 - 8 * i));
    cr_assert_eq(xt_hex(v->sealed, sealed, sizeof sealed), n + 16);
    xc_seal(&key, number, aad, aad_n, plain, n, out);
    cr_assert(memcmp(out, sealed, n + 16) == 0, "%s, number %u", v->title, number);
    cr_assert(xc_open(&key, number, aad, aad_n, sealed, n + 16, out), "%s", v->title);
    cr_assert(memcmp(out, plain, n) == 0, "%s", v->title);
    memcpy(out, plain, n);
    xc_seal(&key, number, aad, aad_n, out, n, out);
    cr_assert(memcmp(out, sealed, n + 16) == 0, "%s, in place", v->title);
    for (size_t i = 0; i < n + 16; i++) {
        sealed[i] ^= 1;
        cr_assert_not(xc_open(&key, number, aad, aad_n, sealed, n + 16, out), "%s, byte %zu spoilt", v->title,
                      i);
        sealed[i] ^= 1;
    }
    cr_assert_not(xc_open(&key, number + 1, aad, aad_n, sealed, n + 16, out), "%s, another number", v->title);
    aad[0] ^= 1;
    cr_assert(aad_n == 0 || !xc_open(&key, number, aad, aad_n, sealed, n + 16, out), "%s, another header",
              v->title);
}

Test(crypto, sealing_gives_the_vectors_and_opens_nothing_else)
{
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        check_vector(&vectors[i], 0);
        check_vector(&vectors[i], 0x01020304);
        check_vector(&vectors[i], UINT32_MAX - 1);
    }
}
