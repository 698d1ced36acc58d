/* Packets opened alone: both suites, cookies, trains, and each reason why one is not opened. */
#include "capture/unseal.h"

#include <criterion/criterion.h>
#include <string.h>

#include "link/link_limits.h"
#include "unit/capture_help.h"

static struct pl_unsealer unsealer;
static struct pl_capture_keys keys;
static struct sealer sealer;

static void begin(uint8_t suite)
{
    sealer_open(&sealer, suite);
    keys = (struct pl_capture_keys){.items = &sealer.logged, .n = 1};
    cr_assert_eq(pl_unsealer_open(&unsealer, &keys), PL_OK);
}

static void end(void)
{
    pl_unsealer_close(&unsealer);
    sealer_close(&sealer);
}

static enum pl_unsealed result(const uint8_t *packet, size_t n, size_t whole_n)
{
    struct pl_unsealed_packet out;

    pl_unseal(&unsealer, (struct pl_bytes){packet, n}, whole_n, &out);
    return out.result;
}

Test(capture_unseal, opens_both_suites)
{
    for (uint8_t suite = 1; suite <= 2; suite++) {
        uint8_t packet[64], copy[64];
        struct pl_unsealed_packet out;
        begin(suite);
        size_t n = sealer_seal(&sealer, "\1\1\1", 3, packet);
        memcpy(copy, packet, n);
        pl_unseal(&unsealer, (struct pl_bytes){packet, n}, n, &out);
        cr_assert_eq(out.result, PL_UNSEALED_OPEN);
        cr_assert(out.has_header && out.header.packet_number == 7 && out.key == &sealer.logged);
        cr_assert(out.plain.n == 3 && memcmp(out.plain.p, "\1\1\1", 3) == 0);
        cr_assert_eq(memcmp(copy, packet, n), 0, "the packet itself stays sealed");
        end();
    }
}

/* The sealed part is between header and cookie. */
Test(capture_unseal, a_cookie_follows_what_is_sealed)
{
    uint8_t packet[80];
    struct pl_unsealed_packet out;

    begin(1);
    size_t n = 3 + PL_PACKET_OVERHEAD;
    const struct pl_header header = {.version = 1,
                                     .suite = 1,
                                     .cookie = 1,
                                     .key_id = sealer.logged.key_id,
                                     .run = sealer.logged.run,
                                     .packet_number = 5};
    pl_header_encode(packet, PL_HEADER_SIZE, &header);
    memset(packet + PL_HEADER_SIZE, 1, 3);
    cr_assert(pl_aead_seal(sealer.aead, &sealer.logged.key, 5, (struct pl_bytes){packet, PL_HEADER_SIZE},
                           packet + PL_HEADER_SIZE, 3));
    memset(packet + n, 'c', PL_COOKIE_SIZE);
    pl_unseal(&unsealer, (struct pl_bytes){packet, n + PL_COOKIE_SIZE}, n + PL_COOKIE_SIZE, &out);
    cr_assert(out.result == PL_UNSEALED_OPEN && out.plain.n == 3);
    cr_assert_eq(result(packet, n, n), PL_UNSEALED_SHORT);
    end();
}

Test(capture_unseal, each_reason_is_told)
{
    uint8_t packet[64], changed[64];
    struct pl_unsealed_packet out;

    begin(1);
    size_t n = sealer_seal(&sealer, "\1\1\1", 3, packet);
    for (size_t i = 0; i < n; i++) {
        memcpy(changed, packet, n);
        changed[i] ^= 1;
        cr_assert_neq(result(changed, n, n), PL_UNSEALED_OPEN, "byte %zu", i);
    }
    memcpy(changed, packet, n);
    changed[n - 1] ^= 1;
    cr_assert_eq(result(changed, n, n), PL_UNSEALED_FORGED);
    memcpy(changed, packet, n);
    changed[10] ^= 1;
    cr_assert_eq(result(changed, n, n), PL_UNSEALED_NO_KEY);
    memcpy(changed, packet, n);
    changed[0] = 0x10;
    cr_assert_eq(result(changed, n, n), PL_UNSEALED_NOT_SEALED);
    changed[0] = 0x24;
    pl_unseal(&unsealer, (struct pl_bytes){changed, n}, n, &out);
    cr_assert(out.result == PL_UNSEALED_HEADER && out.fault == PL_E_VERSION && out.fault_at == 0);
    for (size_t cut = 0; cut < n; cut++) {
        cr_assert_eq(result(packet, cut, n), PL_UNSEALED_CUT, "%zu", cut);
        enum pl_unsealed wanted = cut < PL_HEADER_SIZE        ? PL_UNSEALED_HEADER
                                  : cut <= PL_PACKET_OVERHEAD ? PL_UNSEALED_SHORT
                                                              : PL_UNSEALED_FORGED;
        cr_assert_eq(result(packet, cut, cut), wanted, "%zu", cut);
    }
    end();
}

Test(capture_unseal, trains_come_apart)
{
    uint8_t train[1024];
    size_t n = 0, size;

    begin(1);
    size = sealer_seal(&sealer, "\1\1\1\1\1\1\1\1", 8, train);
    for (n = size; n < 6 * size;)
        n += sealer_seal(&sealer, "\1\1\1\1\1\1\1\1", 8, train + n);
    n += sealer_seal(&sealer, "\1", 1, train + n);
    cr_assert_eq(pl_train_size((struct pl_bytes){train, n}), size);
    for (size_t at = 0; at < n; at += size) {
        size_t part = n - at < size ? n - at : size;
        cr_assert_eq(result(train + at, part, part), PL_UNSEALED_OPEN, "at %zu", at);
    }
    cr_assert_eq(pl_train_size((struct pl_bytes){train, size}), size);
    for (size_t cut = 1; cut < size; cut++)
        cr_assert_eq(pl_train_size((struct pl_bytes){train, cut}), cut);
    cr_assert_eq(pl_train_size((struct pl_bytes){train, 0}), 1);
    memset(train, 0, sizeof train);
    cr_assert(pl_train_size((struct pl_bytes){train, sizeof train}) > PL_PACKET_OVERHEAD);
    end();
}
