/* Fuzz target: a key file. What is taken as a key has one text only; what is not is told in a line. */
#include "harness.h"

#include <string.h>

#include "crypto/base64.h"
#include "io/keyfile.h"

static void check_key(const uint8_t key[PL_KEYFILE_KEY_SIZE], const uint8_t *p, size_t n)
{
    char text[PL_KEY_TEXT_SIZE + 1];

    pl_key_to_text(key, text);
    if (memmem(p, n, text, strlen(text)) == NULL)
        fuzz_fail("%s was read from a file that does not hold it", text);
}

void fuzz_one(const uint8_t *p, size_t n)
{
    static const uint8_t zeros[PL_KEYFILE_KEY_SIZE];
    uint8_t key[PL_KEYFILE_KEY_SIZE];
    struct pl_text why = {""};
    enum pl_error error = pl_keyfile_read(fuzz_file(p, n), pl_key_from_text, key, &why);

    if (error == PL_OK) {
        check_key(key, p, n);
        return;
    }
    if (why.s[0] == '\0' || strpbrk(why.s, "\n\r\033") != NULL)
        fuzz_fail("%s, and no line that says why", pl_error_name(error));
    if (memcmp(key, zeros, sizeof key) != 0)
        fuzz_fail("%s, and something left of the key", pl_error_name(error));
}
