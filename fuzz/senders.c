/* Fuzz target: a senders file. A file that is taken is taken again when it is written plainly, with the same
 * senders; one that is not is told in a line. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "crypto/base64.h"
#include "io/senders.h"

enum { ROOM = 1 << 18 };

/* The senders written as NAME KEY, a line each. */
struct plain {
    size_t n, count;
    char text[ROOM];
};

static enum pl_error write_plain(void *ctx, const struct pl_sender *sender)
{
    struct plain *plain = ctx;
    char key[PL_KEY_TEXT_SIZE + 1];

    if (sender->name.n == 0 || sender->name.n > PL_SENDERS_NAME_MAX)
        fuzz_fail("a name of %zu bytes", sender->name.n);
    pl_key_to_text(sender->key, key);
    plain->n += (size_t)snprintf(plain->text + plain->n, ROOM - plain->n, "%.*s %s\n", (int)sender->name.n,
                                 (const char *)sender->name.p, key);
    if (plain->n >= ROOM)
        fuzz_fail("more senders than bytes");
    plain->count++;
    return PL_OK;
}

static enum pl_error read_file(const uint8_t *p, size_t n, struct plain *plain)
{
    struct pl_text why = {""};
    struct pl_file_mark mark;

    plain->n = plain->count = 0;
    enum pl_error error = pl_senders_read(fuzz_file(p, n), write_plain, plain, &mark, &why);
    if (error != PL_OK && (why.s[0] == '\0' || strpbrk(why.s, "\n\r\033") != NULL))
        fuzz_fail("%s, and no line that says why", pl_error_name(error));
    return error;
}

void fuzz_one(const uint8_t *p, size_t n)
{
    static struct plain first, second;

    if (read_file(p, n, &first) != PL_OK || first.n == 0)
        return;
    if (read_file((const uint8_t *)first.text, first.n, &second) != PL_OK)
        fuzz_fail("what was read is refused when it is written plainly:\n%s", first.text);
    if (first.n != second.n || memcmp(first.text, second.text, first.n) != 0)
        fuzz_fail("what was read reads otherwise when it is written plainly:\n%s", first.text);
}
