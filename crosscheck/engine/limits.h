/* Numbers of spec/link.wire that the second engine needs, and those it chose for itself. */
#ifndef XC_LIMITS_H
#define XC_LIMITS_H

enum {
    /* Of the spec. */
    XC_HEADER_BYTES = 18,
    XC_TAG_BYTES = 16,
    XC_COOKIE_BYTES = 16,
    XC_DATAGRAM_BYTES = 1200,
    XC_PAYLOAD_BYTES = XC_DATAGRAM_BYTES - XC_HEADER_BYTES - XC_TAG_BYTES,
    XC_FRAMES_MAX = 64,
    XC_ACK_RANGES_MAX = 32,
    XC_RECORD_MAX = 1 << 20,
    XC_LIVES_REMEMBERED = 16,
    XC_LIVES_WAITING = 16,
    XC_LIVES_IN_FLIGHT = 16,
    XC_FIRST_NUMBER_BELOW = 1 << 29,
    XC_REPLAY_WINDOW = 2048,
    XC_PROVEN_RUNS = 3,
    XC_WINDOW_FIRST_KIB = 16,
    XC_WINDOW_MAX_KIB = 4096,
    XC_ACK_DELAY_MAX_US = 25000,
    XC_ASK_FLOOR_US = 10000,
    XC_TIMER_FIRST_US = 1000000,
    XC_TIMER_MAX_US = 60000000,
    XC_SKIP_MIN = 256,
    XC_SKIP_MAX = 4096,
    XC_CREDIT_FACTOR = 3,
    XC_MUTE_US = 60000000,
    XC_MALFORMED_INTERVAL_US = 1000000,
    XC_STREAMS_MAX = 64,
    XC_BIRTHS_MAX = 256,
    XC_NEW_RUNS_BURST = 16,
    XC_NEW_RUNS_PER_S = 2,
    XC_RUN_PACKETS = 1 << 28,

    /* Of this engine. */
    XC_UNPROVEN_RUNS = 4,
    XC_PACKETS_IN_FLIGHT = 64, /* the fixed window, in packets */
    XC_PING_EACH = 16,         /* one packet in so many asks for an answer at once */
    XC_LOSS_PACKETS = 3,       /* a packet is lost when so many later ones arrived */
    XC_OFFER_KIB = 256,        /* window a receiving stream offers, as long as no record is larger */
    XC_HELD_MAX = 3 << 20,     /* bytes held of one life: two records and a mebibyte */
    XC_HELD_ALL_MAX = 1 << 27, /* memory of all lives: what 64 streams with a large record each may need */
    XC_HOLES_MAX = 1024,       /* ranges of one life that came ahead of their turn */
    XC_SENT_MAX = 16384,       /* packets remembered; beyond them the older half is taken for lost */
    XC_PIECES_MAX = 16,        /* pieces in one packet */
    XC_UNBOUND_MAX = 16,       /* lives told unbound in one answer */
};

#define XC_FORK_INTERVAL_US (3600 * UINT64_C(1000000))

/* Refusals; those from STORE_FULL to LIMIT and unknown ones pass by themselves. */
enum {
    XC_FORKED = 1,
    XC_UNWANTED = 2,
    XC_TOO_LARGE = 3,
    XC_REFUSED_LIMIT = 6,
    XC_MALFORMED = 7,
    XC_FRAMING = 8,
};

#endif
