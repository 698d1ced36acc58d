/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Limits, sizes, texts and registries.
 * A name function gives the entry's name or "unknown"; a doc function what it means or ""; both are static
 * texts.
 */
#ifndef PL_LINK_LIMITS_H
#define PL_LINK_LIMITS_H

#include <stdint.h>

/* clang-format off */
#define PL_VERSION 1 /* version of the packet this file describes */
#define PL_TAG_SIZE 16 /* authentication tag behind the sealed frames */
#define PL_COOKIE_SIZE 16 /* cookie value */
#define PL_KEY_ID_SIZE 4 /* size(Header.Key Id): key id in the header */
#define PL_RUN_TAG_SIZE 4 /* size(TO.Run Tag): first bytes of a run, as TO names it */
#define PL_PACKET_OVERHEAD 34 /* size(Header) + Tag Size: bytes around the frames of a packet */
#define PL_DATAGRAM_SIZE 1200 /* largest UDP payload until probing found more */
#define PL_PAYLOAD_SIZE 1166 /* Datagram Size - Packet Overhead: room for frames in such a datagram */
#define PL_FRAMES_MAX 64 /* frames in one packet */
#define PL_ACK_RANGES_MAX 32 /* ranges in one ACK, the first included */
#define PL_RECORD_MAX 1048576 /* 2^20: default bound on one record */
#define PL_NAME_MAX 255 /* name of a stream */
#define PL_DETAIL_MAX 128 /* text of a REFUSED */
#define PL_LIVES_REMEMBERED 16 /* lives in a receiver's row */
#define PL_LIVES_WAITING 16 /* new lives a receiver lets wait in a stream */
#define PL_LIVES_IN_FLIGHT 16 /* oldest unsettled lives a sender has bytes in flight of */
#define PL_FIRST_NUMBER_BELOW 536870912 /* 2^29: a run's first packet number is drawn below this */
#define PL_RUN_PACKETS 268435456 /* 2^28: packets a run seals at most */
#define PL_RUN_PACKETS_LARGE 8388608 /* 2^23: packets a run seals at most where one may exceed Large Packet */
#define PL_LARGE_PACKET 2048 /* packets above this size count as large */
#define PL_REPLAY_PROVEN 2048 /* packet numbers in the replay window of a proven run */
#define PL_REPLAY_UNPROVEN 64 /* packet numbers in the replay window of an unproven run */
#define PL_PROVEN_RUNS 3 /* proven runs of a peer kept for a link */
#define PL_KEYS_PER_ID 4 /* keys that may share a key id */
#define PL_WINDOW_FIRST_KIB 16 /* KiB a stream may send before its first STORED in an activation */
#define PL_WINDOW_MAX_KIB 4096 /* KiB a STORED's window offers at most */
#define PL_ANSWER_PACKETS 256 /* unanswered packets that force an answer */
#define PL_ANSWER_DELAY_US 25000 /* time after the first unanswered packet that forces an answer */
#define PL_ACK_DELAY_MAX_US 25000 /* largest delay in an ACK that is believed */
#define PL_ASK_FLOOR_US 10000 /* shortest wait for STORED before an ASK */
#define PL_TIMER_FIRST_US 1000000 /* back-off timer before the first sample */
#define PL_TIMER_MAX_US 60000000 /* back-off timer of an active link */
#define PL_DORMANT_TIMER_MAX_US UINT64_C(3600000000) /* back-off timer of a node's dormant link */
#define PL_LINK_IDLE_US 30000000 /* default silence after which a link rests */
#define PL_RUN_KEPT_PTOS 3 /* PTOs an own run is kept after its last packet was settled */
#define PL_SKIP_MIN 256 /* shortest distance between skipped packet numbers */
#define PL_SKIP_MAX 4096 /* longest distance between skipped packet numbers */
#define PL_CREDIT_FACTOR 3 /* bytes to an unvalidated address for each byte from it */
#define PL_CREDIT_TIME_US 1000000 /* time for which that credit lasts */
#define PL_CHALLENGE_SECRET_US 120000000 /* life of the secret behind challenges and cookies */
#define PL_FORK_INTERVAL_US UINT64_C(3600000000) /* a second fork of a stream within this waits */
#define PL_REFUSED_ASK_US UINT64_C(3600000000) /* distance between ASKs of a stopped stream */
#define PL_MUTE_FIRST_US 60000000 /* first silence after REFUSED(malformed) */
#define PL_MUTE_MAX_US UINT64_C(3600000000) /* longest silence after REFUSED(malformed) */
#define PL_MALFORMED_INTERVAL_US 1000000 /* distance between answers to malformed packets */
#define PL_STREAMS_MAX 64 /* streams of a link */
#define PL_BIRTHS_MAX 256 /* births of a link */
#define PL_NEW_RUNS_BURST 16 /* new runs of a peer taken at once */
#define PL_NEW_RUNS_PER_S 2 /* new runs of a peer taken per second after that */
#define PL_BATCH_PACKETS 54 /* packets sent in one batch */
#define PL_TRIES_PER_S 50000 /* openings for unknown runs a shard tries per second */
#define PL_UNPROVEN_POOL 8388608 /* 8 * 2^20: memory of a node for what unproven runs hold */
#define PL_FIRST_CWND 16384 /* first congestion window of a link */
#define PL_FAILURES_MAX_GCM UINT64_C(4503599627370496) /* 2^52: failed openings after which a run is ignored, AES-GCM (RFC 9001 section 6.6) */
#define PL_FAILURES_MAX_CHACHA UINT64_C(68719476736) /* 2^36: failed openings after which a run is ignored, ChaCha20-Poly1305 (RFC 9001 section 6.6) */
#define PL_PIECE_END_MAX UINT64_C(4611686018427387903) /* 2^62 - 1: largest offset a piece may end at */

#define PL_HEADER_SIZE 18 /* bytes of Header */
#define PL_RUN_INFO_SIZE 14 /* bytes of Run Info */

#define PL_LABEL_EXTRACT "purelink v1" /* salt of HKDF-Extract */
#define PL_LABEL_ID "purelink id" /* what a key id's hash begins with */
/* clang-format on */

/* How a packet is sealed: the header's Suite. */
enum pl_suite {
    PL_SUITE_COOKIE = 0,            /* not sealed: a cookie packet; later */
    PL_SUITE_AES_128_GCM = 1,       /* AES-128-GCM (RFC 5116) */
    PL_SUITE_CHACHA20_POLY1305 = 2,
        /* ChaCha20-Poly1305 (RFC 8439), for processors without AES instructions */
    PL_SUITE_AES_128_GCM_SIV = 3,
        /* AES-128-GCM-SIV (RFC 8452), where a memory image may be resumed twice; later */
};
enum { PL_SUITE_COUNT = 4 }; /* one more than the largest */
const char *pl_suite_name(uint64_t number);
const char *pl_suite_doc(uint64_t number);

/* Why a receiver refuses: the code of a REFUSED. Others may come; a reader treats an unknown one as 6. */
enum pl_refusal {
    PL_REFUSAL_FORKED = 1,     /* the life contradicts what was received; number: the last stored of it */
    PL_REFUSAL_UNWANTED = 2,   /* the receiver does not want this stream */
    PL_REFUSAL_TOO_LARGE = 3,  /* the record of this number is larger than the receiver takes */
    PL_REFUSAL_STORE_FULL = 4, /* the receiver's store is full, for now */
    PL_REFUSAL_PAUSED = 5,     /* the receiver has paused, for now */
    PL_REFUSAL_LIMIT = 6,      /* a limit of the receiver is reached, for now */
    PL_REFUSAL_MALFORMED = 7,  /* a packet was malformed; life 0 */
    PL_REFUSAL_FRAMING = 8,    /* the record of this number has no valid size */
};
enum { PL_REFUSAL_COUNT = 9 }; /* one more than the largest */
const char *pl_refusal_name(uint64_t number);
const char *pl_refusal_doc(uint64_t number);

/* Why this side dropped a packet or a frame: local, never sent, counted. */
enum pl_drop {
    PL_DROP_NONE = 0,       /* not dropped */
    PL_DROP_SHORT = 1,      /* shorter than any packet */
    PL_DROP_LONG = 2,       /* longer than any packet */
    PL_DROP_VERSION = 3,    /* of another version */
    PL_DROP_RESERVED = 4,   /* a reserved bit is set */
    PL_DROP_SUITE = 5,      /* of a suite not spoken here */
    PL_DROP_EPOCH = 6,      /* of an epoch not held here */
    PL_DROP_KEY_ID = 7,     /* of an unknown key id */
    PL_DROP_OWN_KEY_ID = 8, /* a packet of our own came back */
    PL_DROP_RUN_SUITE = 9,  /* the run began with another suite or other epochs */
    PL_DROP_REPLAY = 10,    /* seen already */
    PL_DROP_OLD = 11,       /* below the replay window */
    PL_DROP_SEAL = 12,      /* did not open */
    PL_DROP_MALFORMED = 13, /* opened, but malformed */
    PL_DROP_EMPTY = 14,     /* opened, but without a frame */
    PL_DROP_COOKIE = 15,    /* a cookie packet, or without the cookie asked for */
    PL_DROP_LIMIT = 16,     /* too many new runs of this peer */
    PL_DROP_BUDGET = 17,    /* too many tries for unknown runs */
    PL_DROP_QUEUE = 18,     /* a queue inside this process is full */
    PL_DROP_TRUNCATED = 19, /* cut by the kernel */
    PL_DROP_OVERFLOW = 20,  /* the socket's buffer was full */
    PL_DROP_LATER = 21,     /* of a kind marked later */
    PL_DROP_STRAY = 22,     /* came to a socket it does not belong to */
};
enum { PL_DROP_COUNT = 23 }; /* one more than the largest */
const char *pl_drop_name(uint64_t number);
const char *pl_drop_doc(uint64_t number);

#endif
