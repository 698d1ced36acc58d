/* unseal.c: header, key, tag; one packet at a time. */
#include "capture/unseal.h"

#include <string.h>

#include "link/link_limits.h"

enum { SAME_BYTES = 14, LEAST_BYTES = PL_PACKET_OVERHEAD + 1 }; /* version to run, the same in a train */
_Static_assert(SAME_BYTES + 4 == PL_HEADER_SIZE, "all of the header but the packet number");

enum pl_error pl_unsealer_open(struct pl_unsealer *unsealer, const struct pl_capture_keys *keys)
{
    unsealer->keys = keys;
    return pl_aead_new(&unsealer->aead, pl_aead_best());
}

void pl_unsealer_close(struct pl_unsealer *unsealer)
{
    pl_aead_free(unsealer->aead);
    unsealer->aead = NULL;
}

size_t pl_train_size(struct pl_bytes datagram)
{
    const uint8_t *second = NULL;

    if (datagram.n >= LEAST_BYTES + SAME_BYTES)
        second = memmem(datagram.p + LEAST_BYTES, datagram.n - LEAST_BYTES, datagram.p, SAME_BYTES);
    if (second)
        return (size_t)(second - datagram.p);
    return datagram.n ? datagram.n : 1;
}

static enum pl_unsealed open_sealed(struct pl_unsealer *u, struct pl_unsealed_packet *out)
{
    size_t after_n = out->header.cookie ? PL_COOKIE_SIZE : 0;

    if (out->sealed.n < out->whole_n)
        return PL_UNSEALED_CUT;
    if (out->sealed.n < LEAST_BYTES + after_n)
        return PL_UNSEALED_SHORT;
    if (!out->key)
        return PL_UNSEALED_NO_KEY;
    size_t n = out->sealed.n - PL_HEADER_SIZE - after_n;
    struct pl_bytes aad = {out->sealed.p, PL_HEADER_SIZE};
    if (!pl_aead_open_to(u->aead, &out->key->key, out->header.packet_number, aad,
                         out->sealed.p + PL_HEADER_SIZE, n, u->plain))
        return PL_UNSEALED_FORGED;
    out->plain = (struct pl_bytes){u->plain, n - PL_TAG_SIZE};
    return PL_UNSEALED_OPEN;
}

void pl_unseal(struct pl_unsealer *unsealer, struct pl_bytes packet, size_t whole_n,
               struct pl_unsealed_packet *out)
{
    *out = (struct pl_unsealed_packet){.sealed = packet, .whole_n = whole_n};
    out->fault = pl_header_decode(packet.p, packet.n, &out->header, &out->fault_at);
    out->has_header = out->fault == PL_OK;
    if (!out->has_header) {
        bool is_cut = out->fault == PL_E_TRUNCATED && packet.n < whole_n;
        out->result = is_cut ? PL_UNSEALED_CUT : PL_UNSEALED_HEADER;
        return;
    }
    if (out->header.suite != PL_SUITE_AES_128_GCM && out->header.suite != PL_SUITE_CHACHA20_POLY1305) {
        out->result = PL_UNSEALED_NOT_SEALED;
        return;
    }
    out->key = pl_capture_keys_find(unsealer->keys, &out->header);
    out->result = open_sealed(unsealer, out);
}
