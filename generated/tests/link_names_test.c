/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Integers of RFC 9000 appendix A.1, and the names of errors, registries and types.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "link/link_frames.h"

struct integer {
    uint8_t data[8];
    size_t n;
    uint64_t value;
};

Test(link_names, varint)
{
    static const struct integer good[] = {
        { {0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c}, 8, UINT64_C(151288809941952652)},
        { {0x9d, 0x7f, 0x3e, 0x7d}, 4, 494878333},
        { {0x7b, 0xbd}, 2, 15293},
        { {0x25}, 1, 37},
        { {0x3f}, 1, 63},
        { {0x40, 0x40}, 2, 64},
        { {0x7f, 0xff}, 2, 16383},
        { {0x80, 0x00, 0x40, 0x00}, 4, 16384},
        { {0xbf, 0xff, 0xff, 0xff}, 4, 1073741823},
        { {0xc0, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00}, 8, 1073741824},
        { {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 8, PL_VARINT_MAX},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        uint8_t out[8];
        uint64_t value = 0;
        size_t used = 0;

        cr_expect_eq(pl_varint_decode(good[i].data, 8, &value, &used), PL_OK);
        cr_expect(value == good[i].value && used == good[i].n, "integer %zu", i);
        cr_expect_eq(pl_varint_size(value), good[i].n);
        cr_expect((pl_varint_encode(out, value) == good[i].n && memcmp(out, good[i].data, good[i].n) == 0), "integer %zu", i);
        for (size_t n = 0; n < good[i].n; n++)
            cr_expect_eq(pl_varint_decode(good[i].data, n, &value, &used), PL_E_TRUNCATED);
    }
}

Test(link_names, varint_not_shortest)
{
    static const struct integer bad[] = {
        { {0x40, 0x25}, 2, 37},
        { {0x40, 0x3f}, 2, 63},
        { {0x80, 0x00, 0x3f, 0xff}, 4, 16383},
        { {0xc0, 0x00, 0x00, 0x00, 0x3f, 0xff, 0xff, 0xff}, 8, 1073741823},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t value = 0;
        size_t used = 0;

        cr_expect_eq(pl_varint_decode(bad[i].data, bad[i].n, &value, &used), PL_E_NOT_SHORTEST, "integer %zu", i);
        cr_expect(value == 0 && used == 0, "integer %zu touched its results", i);
    }
}

Test(link_names, errors)
{
    cr_expect_str_eq(pl_error_name(PL_OK), "OK");
    cr_expect_str_eq(pl_error_doc(PL_OK), "no error");
    cr_expect_str_eq(pl_error_name(PL_E_TRUNCATED), "TRUNCATED");
    cr_expect_str_eq(pl_error_doc(PL_E_TRUNCATED), "ends before a field does; the offset is the field's first byte");
    cr_expect_str_eq(pl_error_name(PL_E_NOT_SHORTEST), "NOT_SHORTEST");
    cr_expect_str_eq(pl_error_doc(PL_E_NOT_SHORTEST), "an integer is not in its shortest form");
    cr_expect_str_eq(pl_error_name(PL_E_RANGE), "RANGE");
    cr_expect_str_eq(pl_error_doc(PL_E_RANGE), "a value its constraint excludes");
    cr_expect_str_eq(pl_error_name(PL_E_UNKNOWN_TYPE), "UNKNOWN_TYPE");
    cr_expect_str_eq(pl_error_doc(PL_E_UNKNOWN_TYPE), "a type that is not assigned");
    cr_expect_str_eq(pl_error_name(PL_E_NOT_ZERO), "NOT_ZERO");
    cr_expect_str_eq(pl_error_doc(PL_E_NOT_ZERO), "reserved bits or padding that are not zero");
    cr_expect_str_eq(pl_error_name(PL_E_LIMIT), "LIMIT");
    cr_expect_str_eq(pl_error_doc(PL_E_LIMIT), "more of something than its limit allows");
    cr_expect_str_eq(pl_error_name(PL_E_TRAILING), "TRAILING");
    cr_expect_str_eq(pl_error_doc(PL_E_TRAILING), "bytes behind the end");
    cr_expect_str_eq(pl_error_name(PL_E_ROOM), "ROOM");
    cr_expect_str_eq(pl_error_doc(PL_E_ROOM), "no room to write it");
    cr_expect_str_eq(pl_error_name(PL_E_EMPTY), "EMPTY");
    cr_expect_str_eq(pl_error_doc(PL_E_EMPTY), "nothing where there must be something");
    cr_expect_str_eq(pl_error_name(PL_E_IO), "IO");
    cr_expect_str_eq(pl_error_doc(PL_E_IO), "the system refused a read, write or socket operation");
    cr_expect_str_eq(pl_error_name(PL_E_NO_MEMORY), "NO_MEMORY");
    cr_expect_str_eq(pl_error_doc(PL_E_NO_MEMORY), "memory is short");
    cr_expect_str_eq(pl_error_name(PL_E_KEY), "KEY");
    cr_expect_str_eq(pl_error_doc(PL_E_KEY), "not a usable key");
    cr_expect_str_eq(pl_error_name(PL_E_AUTH), "AUTH");
    cr_expect_str_eq(pl_error_doc(PL_E_AUTH), "the tag does not fit: not sealed by this key, or changed on the way");
    cr_expect_str_eq(pl_error_name(PL_E_STORE), "STORE");
    cr_expect_str_eq(pl_error_doc(PL_E_STORE), "the store refused an operation");
    cr_expect_str_eq(pl_error_name(PL_E_STORE_FULL), "STORE_FULL");
    cr_expect_str_eq(pl_error_doc(PL_E_STORE_FULL), "the store has no room left");
    cr_expect_str_eq(pl_error_name(PL_E_STORE_DAMAGED), "STORE_DAMAGED");
    cr_expect_str_eq(pl_error_doc(PL_E_STORE_DAMAGED), "the store holds what was never written to it");
    cr_expect_str_eq(pl_error_name(PL_E_BUSY), "BUSY");
    cr_expect_str_eq(pl_error_doc(PL_E_BUSY), "owned by another process");
    cr_expect_str_eq(pl_error_name(PL_E_NOT_FOUND), "NOT_FOUND");
    cr_expect_str_eq(pl_error_doc(PL_E_NOT_FOUND), "there is no such thing");
    cr_expect_str_eq(pl_error_name(PL_E_EXISTS), "EXISTS");
    cr_expect_str_eq(pl_error_doc(PL_E_EXISTS), "it is there already");
    cr_expect_str_eq(pl_error_name(PL_E_USAGE), "USAGE");
    cr_expect_str_eq(pl_error_doc(PL_E_USAGE), "called out of order or with arguments that exclude each other");
    cr_expect_str_eq(pl_error_name(PL_E_TOO_LARGE), "TOO_LARGE");
    cr_expect_str_eq(pl_error_doc(PL_E_TOO_LARGE), "larger than its limit");
    cr_expect_str_eq(pl_error_name(PL_E_NAME), "NAME");
    cr_expect_str_eq(pl_error_doc(PL_E_NAME), "not a valid name: 1 to 255 bytes of UTF-8 without control characters");
    cr_expect_str_eq(pl_error_name(PL_E_ADDRESS), "ADDRESS");
    cr_expect_str_eq(pl_error_doc(PL_E_ADDRESS), "not a usable address");
    cr_expect_str_eq(pl_error_name(PL_E_REFUSED), "REFUSED");
    cr_expect_str_eq(pl_error_doc(PL_E_REFUSED), "the peer refused it");
    cr_expect_str_eq(pl_error_name(PL_E_TIMEOUT), "TIMEOUT");
    cr_expect_str_eq(pl_error_doc(PL_E_TIMEOUT), "not done in the time given");
    cr_expect_str_eq(pl_error_name(PL_E_AGAIN), "AGAIN");
    cr_expect_str_eq(pl_error_doc(PL_E_AGAIN), "nothing to do at the moment; try again later");
    cr_expect_str_eq(pl_error_name(PL_E_VERSION), "VERSION");
    cr_expect_str_eq(pl_error_doc(PL_E_VERSION), "a version this library does not speak");
    cr_expect_str_eq(pl_error_name(PL_E_PERMISSION), "PERMISSION");
    cr_expect_str_eq(pl_error_doc(PL_E_PERMISSION), "not permitted, or readable by others");
    cr_expect_str_eq(pl_error_name(PL_E_CLOSED), "CLOSED");
    cr_expect_str_eq(pl_error_doc(PL_E_CLOSED), "closed already");
    cr_expect_str_eq(pl_error_name(PL_E_INTERNAL), "INTERNAL");
    cr_expect_str_eq(pl_error_doc(PL_E_INTERNAL), "a fault of this library");
    cr_expect_str_eq(pl_error_name((enum pl_error)63), "unknown");
}

Test(link_names, suite)
{
    cr_expect_str_eq(pl_suite_name(0), "COOKIE");
    cr_expect_str_eq(pl_suite_doc(PL_SUITE_COOKIE), "not sealed: a cookie packet; later");
    cr_expect_str_eq(pl_suite_name(1), "AES_128_GCM");
    cr_expect_str_eq(pl_suite_doc(PL_SUITE_AES_128_GCM), "AES-128-GCM (RFC 5116)");
    cr_expect_str_eq(pl_suite_name(2), "CHACHA20_POLY1305");
    cr_expect_str_eq(pl_suite_doc(PL_SUITE_CHACHA20_POLY1305), "ChaCha20-Poly1305 (RFC 8439), for processors without AES instructions");
    cr_expect_str_eq(pl_suite_name(3), "AES_128_GCM_SIV");
    cr_expect_str_eq(pl_suite_doc(PL_SUITE_AES_128_GCM_SIV), "AES-128-GCM-SIV (RFC 8452), where a memory image may be resumed twice; later");
    cr_expect_str_eq(pl_suite_name(PL_SUITE_COUNT), "unknown");
}

Test(link_names, refusal)
{
    cr_expect_str_eq(pl_refusal_name(1), "FORKED");
    cr_expect_str_eq(pl_refusal_doc(PL_REFUSAL_FORKED), "the life contradicts what was received; number: the last stored of it");
    cr_expect_str_eq(pl_refusal_name(2), "UNWANTED");
    cr_expect_str_eq(pl_refusal_doc(PL_REFUSAL_UNWANTED), "the receiver does not want this stream");
    cr_expect_str_eq(pl_refusal_name(3), "TOO_LARGE");
    cr_expect_str_eq(pl_refusal_doc(PL_REFUSAL_TOO_LARGE), "the record of this number is larger than the receiver takes");
    cr_expect_str_eq(pl_refusal_name(4), "STORE_FULL");
    cr_expect_str_eq(pl_refusal_doc(PL_REFUSAL_STORE_FULL), "the receiver's store is full, for now");
    cr_expect_str_eq(pl_refusal_name(5), "PAUSED");
    cr_expect_str_eq(pl_refusal_doc(PL_REFUSAL_PAUSED), "the receiver has paused, for now");
    cr_expect_str_eq(pl_refusal_name(6), "LIMIT");
    cr_expect_str_eq(pl_refusal_doc(PL_REFUSAL_LIMIT), "a limit of the receiver is reached, for now");
    cr_expect_str_eq(pl_refusal_name(7), "MALFORMED");
    cr_expect_str_eq(pl_refusal_doc(PL_REFUSAL_MALFORMED), "a packet was malformed; life 0");
    cr_expect_str_eq(pl_refusal_name(8), "FRAMING");
    cr_expect_str_eq(pl_refusal_doc(PL_REFUSAL_FRAMING), "the record of this number has no valid size");
    cr_expect_str_eq(pl_refusal_name(PL_REFUSAL_COUNT), "unknown");
}

Test(link_names, drop)
{
    cr_expect_str_eq(pl_drop_name(0), "NONE");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_NONE), "not dropped");
    cr_expect_str_eq(pl_drop_name(1), "SHORT");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_SHORT), "shorter than any packet");
    cr_expect_str_eq(pl_drop_name(2), "LONG");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_LONG), "longer than any packet");
    cr_expect_str_eq(pl_drop_name(3), "VERSION");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_VERSION), "of another version");
    cr_expect_str_eq(pl_drop_name(4), "RESERVED");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_RESERVED), "a reserved bit is set");
    cr_expect_str_eq(pl_drop_name(5), "SUITE");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_SUITE), "of a suite not spoken here");
    cr_expect_str_eq(pl_drop_name(6), "EPOCH");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_EPOCH), "of an epoch not held here");
    cr_expect_str_eq(pl_drop_name(7), "KEY_ID");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_KEY_ID), "of an unknown key id");
    cr_expect_str_eq(pl_drop_name(8), "OWN_KEY_ID");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_OWN_KEY_ID), "a packet of our own came back");
    cr_expect_str_eq(pl_drop_name(9), "RUN_SUITE");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_RUN_SUITE), "the run began with another suite or other epochs");
    cr_expect_str_eq(pl_drop_name(10), "REPLAY");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_REPLAY), "seen already");
    cr_expect_str_eq(pl_drop_name(11), "OLD");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_OLD), "below the replay window");
    cr_expect_str_eq(pl_drop_name(12), "SEAL");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_SEAL), "did not open");
    cr_expect_str_eq(pl_drop_name(13), "MALFORMED");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_MALFORMED), "opened, but malformed");
    cr_expect_str_eq(pl_drop_name(14), "EMPTY");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_EMPTY), "opened, but without a frame");
    cr_expect_str_eq(pl_drop_name(15), "COOKIE");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_COOKIE), "a cookie packet, or without the cookie asked for");
    cr_expect_str_eq(pl_drop_name(16), "LIMIT");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_LIMIT), "too many new runs of this peer");
    cr_expect_str_eq(pl_drop_name(17), "BUDGET");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_BUDGET), "too many tries for unknown runs");
    cr_expect_str_eq(pl_drop_name(18), "QUEUE");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_QUEUE), "a queue inside this process is full");
    cr_expect_str_eq(pl_drop_name(19), "TRUNCATED");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_TRUNCATED), "cut by the kernel");
    cr_expect_str_eq(pl_drop_name(20), "OVERFLOW");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_OVERFLOW), "the socket's buffer was full");
    cr_expect_str_eq(pl_drop_name(21), "LATER");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_LATER), "of a kind marked later");
    cr_expect_str_eq(pl_drop_name(22), "STRAY");
    cr_expect_str_eq(pl_drop_doc(PL_DROP_STRAY), "came to a socket it does not belong to");
    cr_expect_str_eq(pl_drop_name(PL_DROP_COUNT), "unknown");
}

Test(link_names, pl_frame_types)
{
    cr_expect_str_eq(pl_frame_name(PL_FRAME_PADDING), "PADDING");
    cr_expect(pl_frame_is_known(PL_FRAME_PADDING));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_PADDING), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_PADDING), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_PADDING), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_PING), "PING");
    cr_expect(pl_frame_is_known(PL_FRAME_PING));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_PING), true);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_PING), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_PING), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_TO), "TO");
    cr_expect(pl_frame_is_known(PL_FRAME_TO));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_TO), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_TO), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_TO), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_ACK), "ACK");
    cr_expect(pl_frame_is_known(PL_FRAME_ACK));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_ACK), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_ACK), true);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_ACK), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_ACK_ECN), "ACK_ECN");
    cr_expect(pl_frame_is_known(PL_FRAME_ACK_ECN));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_ACK_ECN), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_ACK_ECN), true);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_ACK_ECN), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_STREAM), "STREAM");
    cr_expect(pl_frame_is_known(PL_FRAME_STREAM));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_STREAM), true);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_STREAM), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_STREAM), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_RECORDS), "RECORDS");
    cr_expect(pl_frame_is_known(PL_FRAME_RECORDS));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_RECORDS), true);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_RECORDS), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_RECORDS), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_RECORDS_LENGTH), "RECORDS_LENGTH");
    cr_expect(pl_frame_is_known(PL_FRAME_RECORDS_LENGTH));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_RECORDS_LENGTH), true);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_RECORDS_LENGTH), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_RECORDS_LENGTH), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_GAP), "GAP");
    cr_expect(pl_frame_is_known(PL_FRAME_GAP));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_GAP), true);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_GAP), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_GAP), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_ASK), "ASK");
    cr_expect(pl_frame_is_known(PL_FRAME_ASK));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_ASK), true);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_ASK), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_ASK), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_STORED), "STORED");
    cr_expect(pl_frame_is_known(PL_FRAME_STORED));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_STORED), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_STORED), true);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_STORED), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_UNBOUND), "UNBOUND");
    cr_expect(pl_frame_is_known(PL_FRAME_UNBOUND));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_UNBOUND), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_UNBOUND), true);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_UNBOUND), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_REFUSED), "REFUSED");
    cr_expect(pl_frame_is_known(PL_FRAME_REFUSED));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_REFUSED), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_REFUSED), true);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_REFUSED), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_PATH_CHALLENGE), "PATH_CHALLENGE");
    cr_expect(pl_frame_is_known(PL_FRAME_PATH_CHALLENGE));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_PATH_CHALLENGE), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_PATH_CHALLENGE), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_PATH_CHALLENGE), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_PATH_RESPONSE), "PATH_RESPONSE");
    cr_expect(pl_frame_is_known(PL_FRAME_PATH_RESPONSE));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_PATH_RESPONSE), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_PATH_RESPONSE), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_PATH_RESPONSE), false);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_EPOCH), "EPOCH");
    cr_expect(pl_frame_is_known(PL_FRAME_EPOCH));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_EPOCH), true);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_EPOCH), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_EPOCH), true);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_EPOCH_OK), "EPOCH_OK");
    cr_expect(pl_frame_is_known(PL_FRAME_EPOCH_OK));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_EPOCH_OK), false);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_EPOCH_OK), true);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_EPOCH_OK), true);
    cr_expect_str_eq(pl_frame_name(PL_FRAME_EXTENSION), "EXTENSION");
    cr_expect(pl_frame_is_known(PL_FRAME_EXTENSION));
    cr_expect_eq(pl_frame_is_ack_eliciting(PL_FRAME_EXTENSION), true);
    cr_expect_eq(pl_frame_is_answer(PL_FRAME_EXTENSION), false);
    cr_expect_eq(pl_frame_is_later(PL_FRAME_EXTENSION), false);
    cr_expect_str_eq(pl_frame_name(17), "unknown");
    cr_expect_not(pl_frame_is_known(17));
    cr_expect_str_eq(pl_frame_name(63), "unknown");
    cr_expect_not(pl_frame_is_known(63));
}
