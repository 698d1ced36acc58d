/* Places in files as bytes, and the fingerprint that tells a file from one written over it. */
#include "io/place.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 1024, TAIL_BYTES = 256, CHECKED_BYTES = 36 };

static const uint8_t magic[4] = {'P', 'L', 'P', '1'};

/* FNV-1a, draft-eastlake-fnv section 2. */
static uint64_t add_bytes(uint64_t hash, const uint8_t *p, size_t n)
{
    static const uint64_t prime = 0x100000001b3;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * prime;
    return hash;
}

static const uint64_t empty_hash = 0xcbf29ce484222325;

static void put(uint8_t *out, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(value >> (8 * (n - 1 - i)));
}

static uint64_t get(const uint8_t *p, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | p[i];
    return value;
}

void pl_place_encode(const struct pl_file_place *place, struct pl_lines_position *out)
{
    memcpy(out->bytes, magic, sizeof magic);
    put(out->bytes + 4, place->device, 8);
    put(out->bytes + 12, place->inode, 8);
    put(out->bytes + 20, place->offset, 8);
    put(out->bytes + 28, place->fingerprint, 8);
    put(out->bytes + CHECKED_BYTES, (uint32_t)add_bytes(empty_hash, out->bytes, CHECKED_BYTES), 4);
}

bool pl_place_decode(const struct pl_lines_position *in, struct pl_file_place *out)
{
    if (memcmp(in->bytes, magic, sizeof magic) != 0)
        return false;
    if (get(in->bytes + CHECKED_BYTES, 4) != (uint32_t)add_bytes(empty_hash, in->bytes, CHECKED_BYTES))
        return false;
    out->device = get(in->bytes + 4, 8);
    out->inode = get(in->bytes + 12, 8);
    out->offset = get(in->bytes + 20, 8);
    out->fingerprint = get(in->bytes + 28, 8);
    return out->offset <= INT64_MAX;
}

static uint64_t add_range(uint64_t hash, int fd, uint64_t from, size_t n)
{
    uint8_t bytes[HEAD_BYTES];
    size_t have = 0;
    while (have < n) {
        ssize_t got = pread(fd, bytes + have, n - have, (off_t)(from + have));
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    return add_bytes(hash, bytes, have);
}

uint64_t pl_place_fingerprint(int fd, uint64_t offset)
{
    size_t head = offset < HEAD_BYTES ? (size_t)offset : HEAD_BYTES;
    size_t tail = offset < TAIL_BYTES ? (size_t)offset : TAIL_BYTES;
    uint64_t hash = add_range(empty_hash, fd, 0, head);
    return add_range(hash, fd, offset - tail, tail);
}

bool pl_place_matches(const struct pl_file_place *place, int fd)
{
    struct stat status;
    if (fstat(fd, &status) < 0 || (uint64_t)status.st_size < place->offset)
        return false;
    return pl_place_fingerprint(fd, place->offset) == place->fingerprint;
}
