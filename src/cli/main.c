/* main.c: finds the command and runs it. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "purelink.h"

static const struct pl_command commands[] = {
    {"genkey", "make a private key", pl_command_genkey},
    {"pubkey", "print the public key of a private key", pl_command_pubkey},
    {"send", "send lines or framed records of files or standard input to a node", pl_command_send},
    {"serve", "receive records and store them", pl_command_serve},
    {"tail", "print the records of a store", pl_command_tail},
    {"status", "show what a store or an outbox holds", pl_command_status},
    {"decode", "print the packets of a capture, opened with a key log", pl_command_decode},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int print_help(void)
{
    printf("Usage: purelink COMMAND [OPTION]... [OPERAND]...\n\n"
           "Encrypted, durable records from devices to a node over UDP.\n\nCommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].summary);
    printf("\nOptions of a command: purelink COMMAND --help\n");
    return PL_EXIT_OK;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        pl_complain(NULL, "a command is missing; see purelink --help");
        return PL_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
        return print_help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("purelink %s\n", purelink_version());
        return PL_EXIT_OK;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    pl_complain(NULL, "there is no command %s; see purelink --help", argv[1]);
    return PL_EXIT_USAGE;
}
