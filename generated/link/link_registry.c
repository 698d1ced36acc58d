/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Names and meanings of the registries' entries.
 */
#include "link/link_limits.h"

const char *pl_suite_name(uint64_t number)
{
    switch (number) {
    case PL_SUITE_COOKIE: return "COOKIE";
    case PL_SUITE_AES_128_GCM: return "AES_128_GCM";
    case PL_SUITE_CHACHA20_POLY1305: return "CHACHA20_POLY1305";
    case PL_SUITE_AES_128_GCM_SIV: return "AES_128_GCM_SIV";
    default: return "unknown";
    }
}

const char *pl_suite_doc(uint64_t number)
{
    switch (number) {
    case PL_SUITE_COOKIE:
        return "not sealed: a cookie packet; later";
    case PL_SUITE_AES_128_GCM:
        return "AES-128-GCM (RFC 5116)";
    case PL_SUITE_CHACHA20_POLY1305:
        return "ChaCha20-Poly1305 (RFC 8439), for processors without AES instructions";
    case PL_SUITE_AES_128_GCM_SIV:
        return "AES-128-GCM-SIV (RFC 8452), where a memory image may be resumed twice; later";
    default: return "";
    }
}

const char *pl_refusal_name(uint64_t number)
{
    switch (number) {
    case PL_REFUSAL_FORKED: return "FORKED";
    case PL_REFUSAL_UNWANTED: return "UNWANTED";
    case PL_REFUSAL_TOO_LARGE: return "TOO_LARGE";
    case PL_REFUSAL_STORE_FULL: return "STORE_FULL";
    case PL_REFUSAL_PAUSED: return "PAUSED";
    case PL_REFUSAL_LIMIT: return "LIMIT";
    case PL_REFUSAL_MALFORMED: return "MALFORMED";
    case PL_REFUSAL_FRAMING: return "FRAMING";
    default: return "unknown";
    }
}

const char *pl_refusal_doc(uint64_t number)
{
    switch (number) {
    case PL_REFUSAL_FORKED:
        return "the life contradicts what was received; number: the last stored of it";
    case PL_REFUSAL_UNWANTED:
        return "the receiver does not want this stream";
    case PL_REFUSAL_TOO_LARGE:
        return "the record of this number is larger than the receiver takes";
    case PL_REFUSAL_STORE_FULL:
        return "the receiver's store is full, for now";
    case PL_REFUSAL_PAUSED:
        return "the receiver has paused, for now";
    case PL_REFUSAL_LIMIT:
        return "a limit of the receiver is reached, for now";
    case PL_REFUSAL_MALFORMED:
        return "a packet was malformed; life 0";
    case PL_REFUSAL_FRAMING:
        return "the record of this number has no valid size";
    default: return "";
    }
}

const char *pl_drop_name(uint64_t number)
{
    switch (number) {
    case PL_DROP_NONE: return "NONE";
    case PL_DROP_SHORT: return "SHORT";
    case PL_DROP_LONG: return "LONG";
    case PL_DROP_VERSION: return "VERSION";
    case PL_DROP_RESERVED: return "RESERVED";
    case PL_DROP_SUITE: return "SUITE";
    case PL_DROP_EPOCH: return "EPOCH";
    case PL_DROP_KEY_ID: return "KEY_ID";
    case PL_DROP_OWN_KEY_ID: return "OWN_KEY_ID";
    case PL_DROP_RUN_SUITE: return "RUN_SUITE";
    case PL_DROP_REPLAY: return "REPLAY";
    case PL_DROP_OLD: return "OLD";
    case PL_DROP_SEAL: return "SEAL";
    case PL_DROP_MALFORMED: return "MALFORMED";
    case PL_DROP_EMPTY: return "EMPTY";
    case PL_DROP_COOKIE: return "COOKIE";
    case PL_DROP_LIMIT: return "LIMIT";
    case PL_DROP_BUDGET: return "BUDGET";
    case PL_DROP_QUEUE: return "QUEUE";
    case PL_DROP_TRUNCATED: return "TRUNCATED";
    case PL_DROP_OVERFLOW: return "OVERFLOW";
    case PL_DROP_LATER: return "LATER";
    case PL_DROP_STRAY: return "STRAY";
    default: return "unknown";
    }
}

const char *pl_drop_doc(uint64_t number)
{
    switch (number) {
    case PL_DROP_NONE:
        return "not dropped";
    case PL_DROP_SHORT:
        return "shorter than any packet";
    case PL_DROP_LONG:
        return "longer than any packet";
    case PL_DROP_VERSION:
        return "of another version";
    case PL_DROP_RESERVED:
        return "a reserved bit is set";
    case PL_DROP_SUITE:
        return "of a suite not spoken here";
    case PL_DROP_EPOCH:
        return "of an epoch not held here";
    case PL_DROP_KEY_ID:
        return "of an unknown key id";
    case PL_DROP_OWN_KEY_ID:
        return "a packet of our own came back";
    case PL_DROP_RUN_SUITE:
        return "the run began with another suite or other epochs";
    case PL_DROP_REPLAY:
        return "seen already";
    case PL_DROP_OLD:
        return "below the replay window";
    case PL_DROP_SEAL:
        return "did not open";
    case PL_DROP_MALFORMED:
        return "opened, but malformed";
    case PL_DROP_EMPTY:
        return "opened, but without a frame";
    case PL_DROP_COOKIE:
        return "a cookie packet, or without the cookie asked for";
    case PL_DROP_LIMIT:
        return "too many new runs of this peer";
    case PL_DROP_BUDGET:
        return "too many tries for unknown runs";
    case PL_DROP_QUEUE:
        return "a queue inside this process is full";
    case PL_DROP_TRUNCATED:
        return "cut by the kernel";
    case PL_DROP_OVERFLOW:
        return "the socket's buffer was full";
    case PL_DROP_LATER:
        return "of a kind marked later";
    case PL_DROP_STRAY:
        return "came to a socket it does not belong to";
    default: return "";
    }
}
