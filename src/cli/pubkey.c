/* pubkey.c: prints the public key of a private key from a file or standard input. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "purelink.h"

static const struct pl_options options = {
    .command = "pubkey",
    .synopsis = "[FILE]",
    .about = "Prints the public key of the private key in FILE, or on standard input.",
    .operands_max = 1,
};

static enum purelink_error read_standard_input(uint8_t *key, struct purelink_reason *reason)
{
    char line[PURELINK_KEY_TEXT_SIZE + 3] = ""; /* CR, LF and one more, so that too long is seen */
    snprintf(reason->text, sizeof reason->text, "standard input: no key there");
    enum purelink_error e = PURELINK_E_KEY;
    if (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        e = purelink_key_from_text(line, key, reason);
    }
    purelink_wipe(line, sizeof line);
    return e;
}

static int print_public(const uint8_t *key)
{
    uint8_t public_key[PURELINK_KEY_SIZE];
    char text[PURELINK_KEY_TEXT_SIZE];
    if (purelink_key_public(key, public_key) != PURELINK_OK) {
        pl_complain("pubkey", "this private key has no public key");
        return PL_EXIT_USAGE;
    }
    purelink_key_to_text(public_key, text);
    if (printf("%s\n", text) > 0 && fflush(stdout) == 0)
        return PL_EXIT_OK;
    pl_complain("pubkey", "standard output: cannot write the key");
    return PL_EXIT_FAILED;
}

static int print_public_of(const char *file)
{
    uint8_t key[PURELINK_KEY_SIZE];
    struct purelink_reason reason;
    enum purelink_error e = file ? purelink_key_read(file, key, &reason) : read_standard_input(key, &reason);
    int status = PL_EXIT_USAGE;
    if (e == PURELINK_OK)
        status = print_public(key);
    else
        pl_complain("pubkey", "%s", reason.text);
    purelink_wipe(key, sizeof key);
    return status;
}

int pl_command_pubkey(int argc, char **argv)
{
    struct pl_texts operands;
    enum pl_parsed parsed = pl_options_parse(&options, argc, argv, &operands);
    int status = parsed == PL_PARSED_HELP ? PL_EXIT_OK : PL_EXIT_USAGE;
    if (parsed == PL_PARSED_OK)
        status = print_public_of(operands.n ? operands.items[0] : NULL);
    pl_texts_free(&operands);
    return status;
}
