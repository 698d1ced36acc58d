/* Tests of src/crypto/run.c: the packet it makes, tampering, numbers taken once, limits, the end. */
#include <criterion/criterion.h>

#include "crypto/run.h"
#include "link/link_limits.h"
#include "unit/crypto_hex.h"

enum { ROOM = 2048 };

static const struct pl_secret secret = {{1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15, 16}};
static const uint64_t run_id = 0x0123456789abcdef;

static struct pl_aead *new_aead(void)
{
    struct pl_aead *aead = NULL;

    cr_assert_eq(pl_aead_new(&aead, &pl_aead_openssl), PL_OK);
    return aead;
}

/* Seals `payload_n` bytes of a pattern into `packet`; returns the size of the packet. */
static size_t make_packet(struct pl_run *run, struct pl_aead *aead, uint8_t *packet, size_t payload_n,
                          uint32_t *number)
{
    memset(packet + PL_HEADER_SIZE, 0x42, payload_n);
    cr_assert(pl_run_seal(run, aead, 0xa1b2c3d4, packet, payload_n, number));
    return PL_HEADER_SIZE + payload_n + PL_TAG_SIZE;
}

/* Opens a copy of a packet as its receiver would. */
static bool opens(struct pl_aead *aead, const struct pl_key *key, uint32_t number, const uint8_t *packet,
                  size_t packet_n)
{
    uint8_t text[ROOM];

    return pl_aead_open_to(aead, key, number, (struct pl_bytes){packet, PL_HEADER_SIZE},
                           packet + PL_HEADER_SIZE, packet_n - PL_HEADER_SIZE, text);
}

Test(crypto_run, a_packet_is_header_sealed_payload_and_tag)
{
    static const char *const headers[] = {"1400 a1b2c3d4 0123456789abcdef 00000063",
                                          "1800 a1b2c3d4 0123456789abcdef 00000063"};
    struct pl_aead *aead = new_aead();

    for (uint8_t suite = PL_SUITE_AES_128_GCM; suite <= PL_SUITE_CHACHA20_POLY1305; suite++) {
        struct pl_run run;
        struct pl_key key;
        uint8_t packet[ROOM];
        uint32_t number = 0;
        size_t packet_n;

        pl_run_begin(&run, &secret, suite, 1, run_id, 99, 10);
        packet_n = make_packet(&run, aead, packet, 100, &number);
        cr_assert_eq(number, 99);
        cr_assert(hex_equal(headers[suite - 1], packet, PL_HEADER_SIZE), "header of suite %d", suite);
        cr_assert_neq(packet[PL_HEADER_SIZE], 0x42);
        pl_secret_run_key(&secret, suite, 1, 0, run_id, &key);
        cr_assert(opens(aead, &key, number, packet, packet_n), "suite %d", suite);
        pl_run_end(&run, aead);
    }
    pl_aead_free(aead);
}

Test(crypto_run, every_changed_byte_is_refused)
{
    struct pl_aead *aead = new_aead();
    struct pl_run run;
    uint8_t packet[ROOM];
    uint32_t number;
    size_t packet_n;

    pl_run_begin(&run, &secret, PL_SUITE_AES_128_GCM, 0, run_id, 5, 10);
    packet_n = make_packet(&run, aead, packet, PL_PAYLOAD_SIZE, &number);
    cr_assert_eq(packet_n, PL_DATAGRAM_SIZE);
    for (size_t at = 0; at < packet_n; at++) {
        packet[at] ^= 0x01;
        cr_assert_not(opens(aead, &run.key, number, packet, packet_n), "byte %zu", at);
        packet[at] ^= 0x01;
    }
    cr_assert_not(opens(aead, &run.key, number + 1, packet, packet_n), "another number");
    cr_assert_not(opens(aead, &run.key, number, packet, packet_n - 1), "cut");
    cr_assert(opens(aead, &run.key, number, packet, packet_n));
    pl_run_end(&run, aead);
    pl_aead_free(aead);
}

Test(crypto_run, an_empty_payload_is_only_a_tag)
{
    struct pl_aead *aead = new_aead();
    struct pl_run run;
    uint8_t packet[ROOM];
    uint32_t number;

    pl_run_begin(&run, &secret, PL_SUITE_AES_128_GCM, 0, run_id, 5, 10);
    cr_assert(opens(aead, &run.key, 5, packet, make_packet(&run, aead, packet, 0, &number)));
    pl_run_end(&run, aead);
    pl_aead_free(aead);
}

Test(crypto_run, numbers_are_taken_once_up_to_the_limit)
{
    struct pl_aead *aead = new_aead();
    struct pl_run run;
    uint8_t packet[ROOM] = {0}, before[ROOM];
    uint32_t number = 0;

    pl_run_begin(&run, &secret, PL_SUITE_AES_128_GCM, 0, run_id, 1000, 6);
    for (uint32_t i = 0; i < 6; i++) {
        cr_assert_not(pl_run_exhausted(&run));
        if (i == 2) {
            pl_run_skip(&run);
            continue;
        }
        make_packet(&run, aead, packet, 10, &number);
        cr_assert_eq(number, 1000 + i);
    }
    cr_assert_eq(run.sealed, 5);
    cr_assert(pl_run_exhausted(&run));
    memcpy(before, packet, sizeof packet);
    pl_run_skip(&run);
    cr_assert_eq(run.next, 1006, "skipping does not pass the limit");
    cr_assert_not(pl_run_seal(&run, aead, 1, packet, 10, &number));
    cr_assert(memcmp(before, packet, sizeof packet) == 0, "nothing written");
    cr_assert_eq(number, 1005);
    pl_run_end(&run, aead);
    pl_aead_free(aead);
}

Test(crypto_run, the_highest_numbers_do_not_wrap)
{
    struct pl_aead *aead = new_aead();
    struct pl_run run;
    uint8_t packet[ROOM];
    uint32_t number;

    pl_run_begin(&run, &secret, PL_SUITE_AES_128_GCM, 0, run_id, PL_FIRST_NUMBER_BELOW - 1, PL_RUN_PACKETS);
    run.next = run.first + PL_RUN_PACKETS - 1;
    make_packet(&run, aead, packet, 10, &number);
    cr_assert_eq(number, PL_FIRST_NUMBER_BELOW - 1 + PL_RUN_PACKETS - 1);
    cr_assert(pl_run_exhausted(&run));
    cr_assert_gt(run.next, run.first);
    pl_run_end(&run, aead);
    pl_aead_free(aead);
}

Test(crypto_run, a_failed_sealing_uses_its_number_up)
{
    struct pl_aead *aead = new_aead();
    struct pl_run run;
    uint8_t packet[ROOM];
    uint32_t number = 77;

    pl_run_begin(&run, &secret, PL_SUITE_AES_128_GCM_SIV, 0, run_id, 1, 10);
    cr_assert_not(pl_run_seal(&run, aead, 1, packet, 10, &number), "a suite the library does not offer");
    cr_assert_eq(run.next, 2);
    cr_assert_eq(run.sealed, 0);
    cr_assert_eq(number, 77);
    pl_run_end(&run, aead);
    pl_aead_free(aead);
}

Test(crypto_run, too_long_a_payload_is_refused_and_uses_no_number)
{
    struct pl_aead *aead = new_aead();
    struct pl_run run;
    static uint8_t packet[PL_HEADER_SIZE + PL_AEAD_TEXT_MAX + 1 + PL_TAG_SIZE];
    uint32_t number;

    pl_run_begin(&run, &secret, PL_SUITE_AES_128_GCM, 0, run_id, 1, 10);
    cr_assert_not(pl_run_seal(&run, aead, 1, packet, PL_AEAD_TEXT_MAX + 1, &number));
    cr_assert_eq(run.next, 1);
    pl_run_end(&run, aead);
    pl_aead_free(aead);
}

Test(crypto_run, two_runs_never_share_a_key)
{
    struct pl_run a, b, c;

    pl_run_begin(&a, &secret, PL_SUITE_AES_128_GCM, 0, run_id, 1, 10);
    pl_run_begin(&b, &secret, PL_SUITE_AES_128_GCM, 0, run_id + 1, 1, 10);
    pl_run_begin(&c, &secret, PL_SUITE_AES_128_GCM, 1, run_id, 1, 10);
    cr_assert(memcmp(a.key.key, b.key.key, 16) != 0 && memcmp(a.key.key, c.key.key, 16) != 0);
    cr_assert(a.key.serial != b.key.serial && a.key.serial != c.key.serial);
    pl_run_end(&a, NULL);
    pl_run_end(&b, NULL);
    pl_run_end(&c, NULL);
}

Test(crypto_run, an_ended_run_is_zeros_and_seals_nothing)
{
    struct pl_aead *aead = new_aead();
    struct pl_run run, zeros;
    uint8_t packet[ROOM];
    uint32_t number;

    memset(&zeros, 0, sizeof zeros);
    pl_run_begin(&run, &secret, PL_SUITE_AES_128_GCM, 0, run_id, 1, 10);
    make_packet(&run, aead, packet, 10, &number);
    pl_run_end(&run, aead);
    cr_assert(memcmp(&run, &zeros, sizeof run) == 0);
    cr_assert(pl_run_exhausted(&run));
    cr_assert_not(pl_run_seal(&run, aead, 1, packet, 10, &number));
    pl_run_end(&run, aead);
    pl_aead_free(aead);
}

static int contexts_freed;

static void count_free(void *ctx)
{
    contexts_freed += ctx != NULL;
    pl_aead_openssl.context_free(ctx);
}

Test(crypto_run, ending_takes_the_key_from_the_cache_too)
{
    struct pl_aead_ops counting = pl_aead_openssl;
    struct pl_aead *aead = NULL;
    struct pl_run run;
    uint8_t packet[ROOM];
    uint32_t number;

    counting.context_free = count_free;
    cr_assert_eq(pl_aead_new(&aead, &counting), PL_OK);
    pl_run_begin(&run, &secret, PL_SUITE_AES_128_GCM, 0, run_id, 1, 10);
    make_packet(&run, aead, packet, 10, &number);
    cr_assert_eq(contexts_freed, 0);
    pl_run_end(&run, aead);
    cr_assert_eq(contexts_freed, 1);
    pl_aead_free(aead);
}
