/* command.h: what a command of the purelink program is, and what its exit status means. */
#ifndef PL_CLI_COMMAND_H
#define PL_CLI_COMMAND_H

/* Exit statuses; the numbers are those of sysexits.h where it has one. */
enum pl_exit {
    PL_EXIT_OK = 0,
    PL_EXIT_USAGE = 64,   /* a wrong option, operand, key or address */
    PL_EXIT_REFUSED = 65, /* the node refused what was sent */
    PL_EXIT_FAILED = 74,  /* a file, the store or the system failed */
    PL_EXIT_KEPT = 75     /* all that was given is kept in the outbox, but not all is stored yet */
};

/* One command. `run` gets the arguments from the command's name on and returns an exit status. */
struct pl_command {
    const char *name;
    const char *summary; /* one line for the list of commands */
    int (*run)(int argc, char **argv);
};

/* Of the option --keylog, the same for each command that has it. */
#define PL_KEYLOG_HELP "DANGEROUS: append keys to FILE: who has it reads this traffic (purelink decode)"
#define PL_KEYLOG_WARNING "warning: keys are written to %s: whoever has it reads and forges these packets"

int pl_command_genkey(int argc, char **argv);
int pl_command_pubkey(int argc, char **argv);
int pl_command_send(int argc, char **argv);
int pl_command_serve(int argc, char **argv);
int pl_command_tail(int argc, char **argv);
int pl_command_status(int argc, char **argv);
int pl_command_decode(int argc, char **argv);

/* Writes "purelink NAME: ..." and a newline to standard error; control characters become '?'. */
void pl_complain(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
