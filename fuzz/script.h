/* The input of the stateful target: four bytes that choose sizes, then commands. stateful.c plays it and
 * script_mutator.c writes it.
 *
 * A command is op, a, b, n: four bytes, any of which may have any value; FORGE is followed by a payload of n
 * bytes. A script that ends early is a shorter one. */
#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

enum { SCRIPT_HEAD = 4, COMMAND_HEAD = 4, COMMANDS_MAX = 200 };

enum script_op {
    OP_WAIT,   /* a: how long, from 1 ms to a minute; b odd: 60 times as long */
    OP_GIVE,   /* a: device (1 bit), stream; b: how many; n: how large */
    OP_FATE,   /* a: direction (1 bit), enum fate (3), for how many datagrams; b, n: see there */
    OP_FORGE,  /* a: side that sends it (1 bit), run (3), whether from elsewhere; b: packet number; payload */
    OP_REPLAY, /* a: how many; b: from which address */
    OP_KILL,   /* a: node or device */
    OP_SWEEP,  /* likewise */
    OP_REBIND, /* a: device */
    OP_RENEW,  /* a: device */
    OP_FULL,   /* a odd: the store is full, even: it has room */
    OP_PAUSE,  /* likewise */
    OP_TRIM,   /* a: device */
    OP_MEMORY, /* a: node or device; b: how often it has none */
    OP_SNAPSHOT, /* a: node or device */
    OP_RESTORE,  /* likewise: it goes back to the snapshot */
    OP_DISK,     /* a: how long a commit takes */
    OP_COUNT
};

enum fate {
    FATE_ARRIVE,
    FATE_LOSE,
    FATE_TWICE,  /* b: ms between the two */
    FATE_LATE,   /* b: how late */
    FATE_DAMAGE, /* b: where in the datagram; n: bits to change */
    FATE_LIE,    /* the same in what is sealed, and sealed again: for the link that may lie */
    FATE_MARK,   /* ECN CE */
    FATE_CUT,    /* b: how much of it arrives */
    FATE_COUNT
};

struct command {
    uint8_t op, a, b, n;
    const uint8_t *payload;
};

/* Reads the command at `at`; returns the offset behind it, 0 at the end. */
static inline size_t script_next(const uint8_t *p, size_t n, size_t at, struct command *out)
{
    if (n < at + COMMAND_HEAD) {
        return 0;
    }
    *out =
        (struct command){(uint8_t)(p[at] % OP_COUNT), p[at + 1], p[at + 2], p[at + 3], p + at + COMMAND_HEAD};
    at += COMMAND_HEAD;
    if (out->op != OP_FORGE) {
        return at;
    }
    out->n = out->n < n - at ? out->n : (uint8_t)(n - at);
    return at + out->n;
}

#endif
