/* common.c: part 1 of purelink.h: errors, the version, keys. */
#include <string.h>

#include "api/common.h"
#include "crypto/base64.h"
#include "crypto/wipe.h"
#include "crypto/x25519.h"
#include "io/io.h"
#include "io/keyfile.h"
#include "link/link_limits.h"

#define SAME(name) _Static_assert((int)PURELINK_##name == (int)PL_##name, "the numbers are stable")
SAME(OK);
SAME(E_IO);
SAME(E_NO_MEMORY);
SAME(E_KEY);
SAME(E_AUTH);
SAME(E_STORE);
SAME(E_STORE_FULL);
SAME(E_STORE_DAMAGED);
SAME(E_BUSY);
SAME(E_NOT_FOUND);
SAME(E_EXISTS);
SAME(E_USAGE);
SAME(E_TOO_LARGE);
SAME(E_NAME);
SAME(E_ADDRESS);
SAME(E_REFUSED);
SAME(E_TIMEOUT);
SAME(E_AGAIN);
SAME(E_VERSION);
SAME(E_PERMISSION);
SAME(E_CLOSED);
SAME(E_INTERNAL);
_Static_assert((int)PURELINK_RECORD_MAX == (int)PL_RECORD_MAX, "as the header says");
_Static_assert((int)PURELINK_NAME_MAX == (int)PL_NAME_MAX, "as the header says");

static const struct {
    enum purelink_error error;
    const char *text;
} meanings[] = {
    {PURELINK_OK, "success"},
    {PURELINK_E_IO, "the system refused a file or socket operation"},
    {PURELINK_E_NO_MEMORY, "out of memory"},
    {PURELINK_E_KEY, "not a usable key"},
    {PURELINK_E_AUTH, "did not authenticate"},
    {PURELINK_E_STORE, "the store failed"},
    {PURELINK_E_STORE_FULL, "the store is full"},
    {PURELINK_E_STORE_DAMAGED, "the store is damaged"},
    {PURELINK_E_BUSY, "in use by another process"},
    {PURELINK_E_NOT_FOUND, "not found"},
    {PURELINK_E_EXISTS, "exists already"},
    {PURELINK_E_USAGE, "an argument is missing or contradicts another"},
    {PURELINK_E_TOO_LARGE, "too large"},
    {PURELINK_E_NAME, "not a valid name"},
    {PURELINK_E_ADDRESS, "not a usable address"},
    {PURELINK_E_REFUSED, "refused by the node"},
    {PURELINK_E_TIMEOUT, "the time was up"},
    {PURELINK_E_AGAIN, "not now; try again"},
    {PURELINK_E_VERSION, "made by another version"},
    {PURELINK_E_PERMISSION, "not permitted"},
    {PURELINK_E_CLOSED, "stopped or closed"},
    {PURELINK_E_INTERNAL, "internal fault"},
};

const char *purelink_strerror(int error)
{
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if ((int)meanings[i].error == error)
            return meanings[i].text;
    return "unknown error";
}

const char *purelink_version(void)
{
    return PURELINK_VERSION_TEXT;
}

uint64_t purelink_now_ms(void)
{
    return pl_io_linux.now_us(pl_io_linux.ctx) / 1000;
}

const char *purelink_refusal_name(uint64_t code)
{
    const char *name = pl_refusal_name(code);
    return name ? name : "unknown";
}

void purelink_wipe(void *bytes, size_t size)
{
    pl_wipe(bytes, size);
}

/* Errors of the notation are those of what was read: the public ones name only what a caller can act on. */
enum purelink_error pl_api_error(enum pl_error error)
{
    if ((int)error >= (int)PURELINK_E_IO && (int)error <= (int)PURELINK_E_INTERNAL)
        return (enum purelink_error)error;
    switch (error) {
    case PL_OK: return PURELINK_OK;
    case PL_E_LIMIT: return PURELINK_E_REFUSED;
    case PL_E_RANGE: return PURELINK_E_NOT_FOUND;
    default: return PURELINK_E_INTERNAL;
    }
}

enum purelink_error pl_api_fail(enum pl_error error, const struct pl_text *why,
                                struct purelink_reason *reason)
{
    enum purelink_error e = pl_api_error(error);
    if (reason && e != PURELINK_OK) {
        const char *text = why && why->s[0] ? why->s : purelink_strerror((int)e);
        struct pl_text copy;
        pl_text_set(&copy, "%s", text);
        memcpy(reason->text, copy.s, sizeof reason->text);
    }
    return e;
}

enum purelink_error purelink_key_generate(uint8_t private_key[PURELINK_KEY_SIZE])
{
    pl_io_linux.random(pl_io_linux.ctx, private_key, PURELINK_KEY_SIZE);
    pl_x25519_clamp(private_key);
    return PURELINK_OK;
}

enum purelink_error purelink_key_public(const uint8_t private_key[PURELINK_KEY_SIZE],
                                        uint8_t public_key[PURELINK_KEY_SIZE])
{
    return pl_x25519_public(public_key, private_key) ? PURELINK_OK : PURELINK_E_KEY;
}

void purelink_key_to_text(const uint8_t key[PURELINK_KEY_SIZE], char text[PURELINK_KEY_TEXT_SIZE])
{
    pl_key_to_text(key, text);
}

enum purelink_error purelink_key_from_text(const char *text, uint8_t key[PURELINK_KEY_SIZE],
                                           struct purelink_reason *reason)
{
    const char *why = NULL;
    struct pl_text line;
    enum pl_error e = pl_key_from_text(text, strlen(text), key, &why);
    if (e == PL_OK)
        return PURELINK_OK;
    pl_text_set(&line, "not a key: %s", why ? why : "not 32 bytes of base64");
    return pl_api_fail(e, &line, reason);
}

enum purelink_error purelink_key_read(const char *file, uint8_t private_key[PURELINK_KEY_SIZE],
                                      struct purelink_reason *reason)
{
    struct pl_text why = {""};
    return pl_api_fail(pl_keyfile_read(file, pl_key_from_text, private_key, &why), &why, reason);
}

enum purelink_error purelink_key_write(const char *file, const uint8_t private_key[PURELINK_KEY_SIZE],
                                       struct purelink_reason *reason)
{
    struct pl_text why = {""};
    char text[PURELINK_KEY_TEXT_SIZE];
    pl_key_to_text(private_key, text);
    struct pl_bytes line = {(const uint8_t *)text, PL_KEY_TEXT_SIZE};
    enum pl_error e = pl_keyfile_write(file, line, true, &why);
    pl_wipe(text, sizeof text);
    return pl_api_fail(e, &why, reason);
}
