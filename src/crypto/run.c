/* run.c: a sending run: key and packet counter as one object, the only code that seals. */
#include "crypto/run.h"

#include <assert.h>

#include "link/link_frames.h"
#include "link/link_limits.h"

enum { EPOCHS_STATIC = 0 }; /* the static keys on both sides */

void pl_run_begin(struct pl_run *run, const struct pl_secret *secret, uint8_t suite, uint8_t direction,
                  uint64_t random_run, uint32_t first_number, uint32_t limit)
{
    assert(first_number < PL_FIRST_NUMBER_BELOW);
    assert(limit > 0 && limit <= PL_RUN_PACKETS);
    *run = (struct pl_run){.id = random_run,
                           .first = first_number,
                           .next = first_number,
                           .limit = limit,
                           .epochs = EPOCHS_STATIC};
    pl_secret_run_key(secret, suite, direction, run->epochs, random_run, &run->key);
}

bool pl_run_exhausted(const struct pl_run *run)
{
    return run->next - run->first >= run->limit;
}

void pl_run_skip(struct pl_run *run)
{
    if (!pl_run_exhausted(run)) {
        run->next++;
    }
}

/* Writes the header of packet `number`; returns its size. */
static size_t write_header(const struct pl_run *run, uint32_t key_id, uint32_t number, uint8_t *packet)
{
    const struct pl_header header = {.version = PL_VERSION,
                                     .suite = run->key.suite,
                                     .own_epoch = run->epochs >> 4,
                                     .peer_epoch = run->epochs & 0x0f,
                                     .key_id = key_id,
                                     .run = run->id,
                                     .packet_number = number};
    size_t header_n = pl_header_encode(packet, PL_HEADER_SIZE, &header);

    assert(header_n == PL_HEADER_SIZE);
    return header_n;
}

bool pl_run_seal(struct pl_run *run, struct pl_aead *aead, uint32_t key_id, uint8_t *packet, size_t payload_n,
                 uint32_t *number_out)
{
    uint32_t number = run->next;
    size_t header_n;

    if (pl_run_exhausted(run) || payload_n > PL_AEAD_TEXT_MAX) {
        return false;
    }
    /* Taken before it is used: whatever happens below, this number is never used again. */
    run->next++;
    header_n = write_header(run, key_id, number, packet);
    if (!pl_aead_seal(aead, &run->key, number, (struct pl_bytes){packet, header_n}, packet + header_n,
                      payload_n)) {
        return false;
    }
    run->sealed++;
    *number_out = number;
    return true;
}

void pl_run_end(struct pl_run *run, struct pl_aead *aead)
{
    if (aead != NULL && run->key.serial != 0) {
        pl_aead_forget(aead, &run->key);
    }
    pl_wipe(run, sizeof *run);
}
