/* genkey.c: makes a private key and writes it to a file of its owner's, or to standard output. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "purelink.h"

static const struct pl_options options = {
    .command = "genkey",
    .synopsis = "[FILE]",
    .about = "Makes a private key. FILE is made with mode 0600; one that exists is left alone. Without\n"
             "FILE the key goes to standard output.",
    .operands_max = 1,
};

static void warn_if_others_can_read(void)
{
    struct stat st;
    if (fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & (S_IRWXG | S_IRWXO)))
        pl_complain("genkey",
                    "warning: others may read the file this goes to; chmod 600 it, or name it as FILE");
}

static int print_key(const uint8_t *key)
{
    char text[PURELINK_KEY_TEXT_SIZE];
    warn_if_others_can_read();
    purelink_key_to_text(key, text);
    bool ok = printf("%s\n", text) > 0 && fflush(stdout) == 0;
    purelink_wipe(text, sizeof text);
    if (ok)
        return PL_EXIT_OK;
    pl_complain("genkey", "standard output: cannot write the key");
    return PL_EXIT_FAILED;
}

static int write_key(const char *file, const uint8_t *key)
{
    struct purelink_reason reason;
    if (purelink_key_write(file, key, &reason) == PURELINK_OK)
        return PL_EXIT_OK;
    pl_complain("genkey", "%s", reason.text);
    return PL_EXIT_FAILED;
}

int pl_command_genkey(int argc, char **argv)
{
    struct pl_texts operands;
    enum pl_parsed parsed = pl_options_parse(&options, argc, argv, &operands);
    int status = parsed == PL_PARSED_HELP ? PL_EXIT_OK : PL_EXIT_USAGE;
    uint8_t key[PURELINK_KEY_SIZE];
    if (parsed == PL_PARSED_OK) {
        if (purelink_key_generate(key) != PURELINK_OK) {
            pl_complain("genkey", "the system has no random source");
            status = PL_EXIT_FAILED;
        } else {
            status = operands.n ? write_key(operands.items[0], key) : print_key(key);
        }
        purelink_wipe(key, sizeof key);
    }
    pl_texts_free(&operands);
    return status;
}
