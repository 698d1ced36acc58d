/* The memo of link secrets: a file of fixed slots, read and written in place.
 *
 * A slot's place is fixed by its link, so a write touches 96 bytes and no other link's. It is read with
 * pread, not through a map: a bad sector or a file cut short from outside is then a miss instead of SIGBUS,
 * and a system call is nothing beside the X25519 it spares.
 */
#include "store/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/bytes.h"
#include "store/lock.h"

enum { PATH_ROOM = 4096, SLOTS_STEP = 1024, STATE_USED = 1 };

static const char magic[8] = {'P', 'L', 'S', 'E', 'C', 'R', 'T', '1'};

struct pl_secrets {
    int fd;
    uint64_t bytes; /* preallocated; only the writer looks at it */
};

static bool header_fits(int fd, const uint8_t digest[32])
{
    uint8_t head[PL_SECRET_SLOT];

    return pread(fd, head, sizeof head, 0) == sizeof head && memcmp(head, magic, sizeof magic) == 0 &&
           memcmp(head + sizeof magic, digest, 32) == 0;
}

/* Makes the file belong to this key, with all slots empty. */
static int start_over(int fd, const uint8_t digest[32])
{
    uint8_t head[PL_SECRET_SLOT] = {0};

    memcpy(head, magic, sizeof magic);
    memcpy(head + sizeof magic, digest, 32);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, head, sizeof head, 0) != sizeof head) {
        return errno ? errno : EIO;
    }
    return 0;
}

/* Allocates room for `slots`, and a step more, so that writing a slot seldom has to. */
static int grow(struct pl_secrets *secrets, uint32_t slots)
{
    uint64_t bytes = (((uint64_t)slots / SLOTS_STEP + 1) * SLOTS_STEP + 1) * PL_SECRET_SLOT;
    int rc = posix_fallocate(secrets->fd, 0, (off_t)bytes);

    secrets->bytes = rc == 0 ? bytes : secrets->bytes;
    return rc;
}

static int open_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0 && (errno == ELOOP || errno == EISDIR)) {
        return -1;
    }
    if (fd >= 0 && fchmod(fd, 0600) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

enum pl_error pl_secrets_open(const char *dir, const uint8_t own_key_digest[32], uint32_t slots,
                              struct pl_secrets **out, struct pl_text *reason)
{
    char path[PATH_ROOM];
    struct pl_secrets *secrets;
    enum pl_error error = pl_path_join(path, sizeof path, dir, "secrets", reason);
    int rc = 0;

    *out = NULL;
    if (error != PL_OK) {
        return error;
    }
    secrets = calloc(1, sizeof *secrets);
    if (secrets == NULL) {
        return PL_E_NO_MEMORY;
    }
    secrets->fd = open_file(path);
    rc = secrets->fd < 0 ? errno : 0;
    if (rc == 0 && !header_fits(secrets->fd, own_key_digest)) {
        rc = start_over(secrets->fd, own_key_digest);
    }
    rc = rc != 0 ? rc : grow(secrets, slots);
    if (rc != 0) {
        pl_text_set(reason, "%s: %s", path, strerror(rc));
        pl_secrets_close(secrets);
        return pl_errno_error(rc);
    }
    *out = secrets;
    return PL_OK;
}

void pl_secrets_close(struct pl_secrets *secrets)
{
    if (secrets == NULL) {
        return;
    }
    if (secrets->fd >= 0) {
        close(secrets->fd);
    }
    free(secrets);
}

static off_t slot_at(uint32_t link)
{
    return ((off_t)link + 1) * (off_t)PL_SECRET_SLOT;
}

bool pl_secrets_get(struct pl_secrets *secrets, uint32_t link, uint8_t check[PL_SECRET_CHECK],
                    uint8_t midstates[PL_SECRET_STATES])
{
    uint8_t slot[PL_SECRET_SLOT];
    bool found = pread(secrets->fd, slot, sizeof slot, slot_at(link)) == sizeof slot &&
                 pl_get_le32(slot + 84) == STATE_USED && pl_get_le32(slot + 80) == link;

    if (found) {
        memcpy(check, slot, PL_SECRET_CHECK);
        memcpy(midstates, slot + PL_SECRET_CHECK, PL_SECRET_STATES);
    }
    explicit_bzero(slot, sizeof slot);
    return found;
}

static enum pl_error write_slot(struct pl_secrets *secrets, uint32_t link, const uint8_t slot[PL_SECRET_SLOT])
{
    off_t at = slot_at(link);
    int rc = (uint64_t)at + PL_SECRET_SLOT <= secrets->bytes ? 0 : grow(secrets, link);

    if (rc == 0 && pwrite(secrets->fd, slot, PL_SECRET_SLOT, at) != PL_SECRET_SLOT) {
        rc = errno ? errno : EIO;
    }
    return pl_errno_error(rc);
}

enum pl_error pl_secrets_put(struct pl_secrets *secrets, uint32_t link, const uint8_t check[PL_SECRET_CHECK],
                             const uint8_t midstates[PL_SECRET_STATES])
{
    uint8_t slot[PL_SECRET_SLOT] = {0};
    enum pl_error error;

    memcpy(slot, check, PL_SECRET_CHECK);
    memcpy(slot + PL_SECRET_CHECK, midstates, PL_SECRET_STATES);
    pl_put_le32(slot + 80, link);
    pl_put_le32(slot + 84, STATE_USED);
    error = write_slot(secrets, link, slot);
    explicit_bzero(slot, sizeof slot);
    return error;
}

enum pl_error pl_secrets_wipe(struct pl_secrets *secrets, uint32_t link)
{
    static const uint8_t zeros[PL_SECRET_SLOT];

    return write_slot(secrets, link, zeros);
}
