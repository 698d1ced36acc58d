/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Descriptions of every struct and case for the interpreter in crosscheck/codec.
 */
#include "codec/codec.h"

/* clang-format off */

static const struct xc_entry registry_suite_entries[] = {
    {0, "COOKIE"},
    {1, "AES_128_GCM"},
    {2, "CHACHA20_POLY1305"},
    {3, "AES_128_GCM_SIV"},
    {0, NULL},
};
static const struct xc_registry registry_suite = {registry_suite_entries};

static const struct xc_entry registry_refusal_entries[] = {
    {1, "FORKED"},
    {2, "UNWANTED"},
    {3, "TOO_LARGE"},
    {4, "STORE_FULL"},
    {5, "PAUSED"},
    {6, "LIMIT"},
    {7, "MALFORMED"},
    {8, "FRAMING"},
    {0, NULL},
};
static const struct xc_registry registry_refusal = {registry_refusal_entries};

/* spec/link.wire:154 */
static const struct xc_step struct_header_version_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step struct_header_reserved_rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule struct_header_version_rules[] = {{struct_header_version_rule0, 81}, {NULL, 0}};
static const uint64_t struct_header_version_borders[] = {
    0,
    1,
    2,
    15,
};
static const struct xc_rule struct_header_suite_rules[] = {{NULL, 0}};
static const uint64_t struct_header_suite_borders[] = {
    0,
    1,
    2,
    3,
};
static const struct xc_rule struct_header_cookie_rules[] = {{NULL, 0}};
static const uint64_t struct_header_cookie_borders[] = {
    0,
    1,
};
static const struct xc_rule struct_header_reserved_rules[] = {{struct_header_reserved_rule0, 5}, {NULL, 0}};
static const uint64_t struct_header_reserved_borders[] = {
    0,
    1,
};
static const struct xc_rule struct_header_own_epoch_rules[] = {{NULL, 0}};
static const uint64_t struct_header_own_epoch_borders[] = {
    0,
    1,
    15,
};
static const struct xc_rule struct_header_peer_epoch_rules[] = {{NULL, 0}};
static const uint64_t struct_header_peer_epoch_borders[] = {
    0,
    1,
    15,
};
static const struct xc_rule struct_header_key_id_rules[] = {{NULL, 0}};
static const uint64_t struct_header_key_id_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule struct_header_run_rules[] = {{NULL, 0}};
static const uint64_t struct_header_run_borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_rule struct_header_packet_number_rules[] = {{NULL, 0}};
static const uint64_t struct_header_packet_number_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field struct_header_fields[] = {
    {
        .name = "version",
        .kind = XC_BITS,
        .bits = 4,
        .first_bit = 0,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .rules = struct_header_version_rules,
        .borders = struct_header_version_borders,
        .border_count = 4,
    },
    {
        .name = "suite",
        .kind = XC_BITS,
        .bits = 2,
        .first_bit = 4,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .registry = &registry_suite,
        .rules = struct_header_suite_rules,
        .borders = struct_header_suite_borders,
        .border_count = 4,
    },
    {
        .name = "cookie",
        .kind = XC_BITS,
        .bits = 1,
        .first_bit = 6,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .rules = struct_header_cookie_rules,
        .borders = struct_header_cookie_borders,
        .border_count = 2,
    },
    {
        .name = "reserved",
        .kind = XC_BITS,
        .bits = 1,
        .first_bit = 7,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .rules = struct_header_reserved_rules,
        .borders = struct_header_reserved_borders,
        .border_count = 2,
    },
    {
        .name = "own_epoch",
        .kind = XC_BITS,
        .bits = 4,
        .first_bit = 0,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .rules = struct_header_own_epoch_rules,
        .borders = struct_header_own_epoch_borders,
        .border_count = 3,
    },
    {
        .name = "peer_epoch",
        .kind = XC_BITS,
        .bits = 4,
        .first_bit = 4,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .rules = struct_header_peer_epoch_rules,
        .borders = struct_header_peer_epoch_borders,
        .border_count = 3,
    },
    {
        .name = "key_id",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = struct_header_key_id_rules,
        .borders = struct_header_key_id_borders,
        .border_count = 3,
    },
    {
        .name = "run",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = struct_header_run_rules,
        .borders = struct_header_run_borders,
        .border_count = 3,
    },
    {
        .name = "packet_number",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = struct_header_packet_number_rules,
        .borders = struct_header_packet_number_borders,
        .border_count = 3,
    },
};
static const struct xc_layout struct_header = {
    "header", 0, 0, 0,
    struct_header_fields, 9,
};

/* spec/link.wire:183 */
static const struct xc_step struct_run_info_suite_rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_NUMBER, 3, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step struct_run_info_direction_rule0[] = {
    {XC_FIELD, 2, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule struct_run_info_label_rules[] = {{NULL, 0}};
static const struct xc_rule struct_run_info_suite_rules[] = {{struct_run_info_suite_rule0, 3}, {NULL, 0}};
static const uint64_t struct_run_info_suite_borders[] = {
    0,
    1,
    2,
    3,
    4,
    255,
};
static const struct xc_rule struct_run_info_direction_rules[] = {{struct_run_info_direction_rule0, 3}, {NULL, 0}};
static const uint64_t struct_run_info_direction_borders[] = {
    0,
    1,
    2,
    255,
};
static const struct xc_rule struct_run_info_epochs_rules[] = {{NULL, 0}};
static const uint64_t struct_run_info_epochs_borders[] = {
    0,
    1,
    255,
};
static const struct xc_rule struct_run_info_run_rules[] = {{NULL, 0}};
static const uint64_t struct_run_info_run_borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_field struct_run_info_fields[] = {
    {
        .name = "label",
        .kind = XC_LITERAL,
        .least = 3,
        .length = -1,
        .length_of = -1,
        .literal = (const uint8_t *)"run",
        .literal_error = 3,
        .rules = struct_run_info_label_rules,
    },
    {
        .name = "suite",
        .kind = XC_BITS,
        .bits = 8,
        .first_bit = 0,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .registry = &registry_suite,
        .rules = struct_run_info_suite_rules,
        .borders = struct_run_info_suite_borders,
        .border_count = 6,
    },
    {
        .name = "direction",
        .kind = XC_BITS,
        .bits = 8,
        .first_bit = 0,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .rules = struct_run_info_direction_rules,
        .borders = struct_run_info_direction_borders,
        .border_count = 4,
    },
    {
        .name = "epochs",
        .kind = XC_BITS,
        .bits = 8,
        .first_bit = 0,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .rules = struct_run_info_epochs_rules,
        .borders = struct_run_info_epochs_borders,
        .border_count = 3,
    },
    {
        .name = "run",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = struct_run_info_run_rules,
        .borders = struct_run_info_run_borders,
        .border_count = 3,
    },
};
static const struct xc_layout struct_run_info = {
    "run_info", 0, 0, 0,
    struct_run_info_fields, 5,
};

/* spec/link.wire:254 */
static const struct xc_rule struct_ack_range_gap_rules[] = {{NULL, 0}};
static const uint64_t struct_ack_range_gap_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule struct_ack_range_length_rules[] = {{NULL, 0}};
static const uint64_t struct_ack_range_length_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_field struct_ack_range_fields[] = {
    {
        .name = "gap",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = struct_ack_range_gap_rules,
        .borders = struct_ack_range_gap_borders,
        .border_count = 9,
    },
    {
        .name = "length",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = struct_ack_range_length_rules,
        .borders = struct_ack_range_length_borders,
        .border_count = 9,
    },
};
static const struct xc_layout struct_ack_range = {
    "ack_range", 0, 0, 0,
    struct_ack_range_fields, 2,
};

/* spec/link.wire:224 */
static const struct xc_rule frame_padding_length_rules[] = {{NULL, 0}};
static const struct xc_field frame_padding_fields[] = {
    {
        .name = "length",
        .kind = XC_ZEROS,
        .length = -1,
        .length_of = -1,
        .rules = frame_padding_length_rules,
    },
};
static const struct xc_layout frame_padding = {
    "padding", 1, 0, 0,
    frame_padding_fields, 1,
};

/* spec/link.wire:234 */
static const struct xc_layout frame_ping = {
    "ping", 1, 1, 1,
    NULL, 0,
};

/* spec/link.wire:242 */
static const struct xc_rule frame_to_run_tag_rules[] = {{NULL, 0}};
static const uint64_t frame_to_run_tag_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field frame_to_fields[] = {
    {
        .name = "run_tag",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_to_run_tag_rules,
        .borders = frame_to_run_tag_borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_to = {
    "to", 1, 2, 2,
    frame_to_fields, 1,
};

/* spec/link.wire:265 */
static const struct xc_step frame_ack_first_range_rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_FIELD, 0, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_ack_ranges_rule0_sum1[] = {
    {XC_FIELD, 0, NULL},
    {XC_FIELD, 1, NULL},
    {XC_ADD, 0, NULL},
    {XC_NUMBER, 2, NULL},
    {XC_ADD, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_ack_ranges_rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_SUM, 4, frame_ack_ranges_rule0_sum1},
    {XC_ADD, 0, NULL},
    {XC_FIELD, 0, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_ack_largest_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_largest_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_delay_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_delay_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_range_count_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_range_count_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_first_range_rules[] = {{frame_ack_first_range_rule0, 3}, {NULL, 0}};
static const uint64_t frame_ack_first_range_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_ranges_rules[] = {{frame_ack_ranges_rule0, 3}, {NULL, 0}};
static const struct xc_field frame_ack_fields[] = {
    {
        .name = "largest",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_largest_rules,
        .borders = frame_ack_largest_borders,
        .border_count = 9,
    },
    {
        .name = "delay",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_delay_rules,
        .borders = frame_ack_delay_borders,
        .border_count = 9,
    },
    {
        .name = "range_count",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_range_count_rules,
        .borders = frame_ack_range_count_borders,
        .border_count = 9,
    },
    {
        .name = "first_range",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_first_range_rules,
        .borders = frame_ack_first_range_borders,
        .border_count = 9,
    },
    {
        .name = "ranges",
        .kind = XC_COUNT,
        .most = 31,
        .length = 2,
        .length_of = -1,
        .item = &struct_ack_range,
        .rules = frame_ack_ranges_rules,
    },
};
static const struct xc_layout frame_ack = {
    "ack", 1, 3, 3,
    frame_ack_fields, 5,
};

/* spec/link.wire:284 */
static const struct xc_step frame_ack_ecn_first_range_rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_FIELD, 0, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_ack_ecn_ranges_rule0_sum1[] = {
    {XC_FIELD, 0, NULL},
    {XC_FIELD, 1, NULL},
    {XC_ADD, 0, NULL},
    {XC_NUMBER, 2, NULL},
    {XC_ADD, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_ack_ecn_ranges_rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_SUM, 4, frame_ack_ecn_ranges_rule0_sum1},
    {XC_ADD, 0, NULL},
    {XC_FIELD, 0, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_ack_ecn_largest_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn_largest_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_ecn_delay_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn_delay_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_ecn_range_count_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn_range_count_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_ecn_first_range_rules[] = {{frame_ack_ecn_first_range_rule0, 3}, {NULL, 0}};
static const uint64_t frame_ack_ecn_first_range_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_ecn_ranges_rules[] = {{frame_ack_ecn_ranges_rule0, 3}, {NULL, 0}};
static const struct xc_rule frame_ack_ecn_ect0_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn_ect0_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_ecn_ect1_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn_ect1_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_ack_ecn_ce_rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn_ce_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_field frame_ack_ecn_fields[] = {
    {
        .name = "largest",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn_largest_rules,
        .borders = frame_ack_ecn_largest_borders,
        .border_count = 9,
    },
    {
        .name = "delay",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn_delay_rules,
        .borders = frame_ack_ecn_delay_borders,
        .border_count = 9,
    },
    {
        .name = "range_count",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn_range_count_rules,
        .borders = frame_ack_ecn_range_count_borders,
        .border_count = 9,
    },
    {
        .name = "first_range",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn_first_range_rules,
        .borders = frame_ack_ecn_first_range_borders,
        .border_count = 9,
    },
    {
        .name = "ranges",
        .kind = XC_COUNT,
        .most = 31,
        .length = 2,
        .length_of = -1,
        .item = &struct_ack_range,
        .rules = frame_ack_ecn_ranges_rules,
    },
    {
        .name = "ect0",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn_ect0_rules,
        .borders = frame_ack_ecn_ect0_borders,
        .border_count = 9,
    },
    {
        .name = "ect1",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn_ect1_rules,
        .borders = frame_ack_ecn_ect1_borders,
        .border_count = 9,
    },
    {
        .name = "ce",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn_ce_rules,
        .borders = frame_ack_ecn_ce_borders,
        .border_count = 9,
    },
};
static const struct xc_layout frame_ack_ecn = {
    "ack_ecn", 1, 4, 4,
    frame_ack_ecn_fields, 8,
};

/* spec/link.wire:303 */
static const struct xc_step frame_stream_life_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_stream_first_number_rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_AT_LEAST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_stream_life_before_rule0[] = {
    {XC_FIELD, 2, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_FIELD, 1, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_stream_life_rules[] = {{frame_stream_life_rule0, 3}, {NULL, 0}};
static const uint64_t frame_stream_life_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_stream_first_number_rules[] = {{frame_stream_first_number_rule0, 3}, {NULL, 0}};
static const uint64_t frame_stream_first_number_borders[] = {
    0,
    1,
    2,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_stream_life_before_rules[] = {{frame_stream_life_before_rule0, 3}, {NULL, 0}};
static const uint64_t frame_stream_life_before_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_stream_birth_rules[] = {{NULL, 0}};
static const uint64_t frame_stream_birth_borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_rule frame_stream_name_length_rules[] = {{NULL, 0}};
static const uint64_t frame_stream_name_length_borders[] = {
    0,
    1,
    255,
};
static const struct xc_rule frame_stream_name_rules[] = {{NULL, 0}};
static const struct xc_field frame_stream_fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_stream_life_rules,
        .borders = frame_stream_life_borders,
        .border_count = 3,
    },
    {
        .name = "first_number",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_stream_first_number_rules,
        .borders = frame_stream_first_number_borders,
        .border_count = 10,
    },
    {
        .name = "life_before",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_stream_life_before_rules,
        .borders = frame_stream_life_before_borders,
        .border_count = 3,
    },
    {
        .name = "birth",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_stream_birth_rules,
        .borders = frame_stream_birth_borders,
        .border_count = 3,
    },
    {
        .name = "name_length",
        .kind = XC_BITS,
        .bits = 8,
        .first_bit = 0,
        .group_bytes = 1,
        .length = -1,
        .length_of = 5,
        .rules = frame_stream_name_length_rules,
        .borders = frame_stream_name_length_borders,
        .border_count = 3,
    },
    {
        .name = "name",
        .kind = XC_BYTES,
        .length = 4,
        .length_of = -1,
        .text = true,
        .rules = frame_stream_name_rules,
    },
};
static const struct xc_layout frame_stream = {
    "stream", 1, 5, 5,
    frame_stream_fields, 6,
};

/* spec/link.wire:324 */
static const struct xc_step frame_records_life_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_records_bytes_rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_LENGTH, 2, NULL},
    {XC_ADD, 0, NULL},
    {XC_NUMBER, UINT64_C(4611686018427387903), NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_records_life_rules[] = {{frame_records_life_rule0, 3}, {NULL, 0}};
static const uint64_t frame_records_life_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_records_offset_rules[] = {{NULL, 0}};
static const uint64_t frame_records_offset_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_records_bytes_rules[] = {{frame_records_bytes_rule0, 3}, {NULL, 0}};
static const struct xc_field frame_records_fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_records_life_rules,
        .borders = frame_records_life_borders,
        .border_count = 3,
    },
    {
        .name = "offset",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_records_offset_rules,
        .borders = frame_records_offset_borders,
        .border_count = 9,
    },
    {
        .name = "bytes",
        .kind = XC_REST,
        .least = 1,
        .length = -1,
        .length_of = -1,
        .rules = frame_records_bytes_rules,
    },
};
static const struct xc_layout frame_records = {
    "records", 1, 6, 6,
    frame_records_fields, 3,
};

/* spec/link.wire:339 */
static const struct xc_step frame_records_length_life_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_records_length_length_rule0[] = {
    {XC_FIELD, 2, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_AT_LEAST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_records_length_bytes_rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_FIELD, 2, NULL},
    {XC_ADD, 0, NULL},
    {XC_NUMBER, UINT64_C(4611686018427387903), NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_records_length_life_rules[] = {{frame_records_length_life_rule0, 3}, {NULL, 0}};
static const uint64_t frame_records_length_life_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_records_length_offset_rules[] = {{NULL, 0}};
static const uint64_t frame_records_length_offset_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_records_length_length_rules[] = {{frame_records_length_length_rule0, 3}, {NULL, 0}};
static const uint64_t frame_records_length_length_borders[] = {
    0,
    1,
    2,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_records_length_bytes_rules[] = {{frame_records_length_bytes_rule0, 3}, {NULL, 0}};
static const struct xc_field frame_records_length_fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_records_length_life_rules,
        .borders = frame_records_length_life_borders,
        .border_count = 3,
    },
    {
        .name = "offset",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_records_length_offset_rules,
        .borders = frame_records_length_offset_borders,
        .border_count = 9,
    },
    {
        .name = "length",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = 3,
        .rules = frame_records_length_length_rules,
        .borders = frame_records_length_length_borders,
        .border_count = 10,
    },
    {
        .name = "bytes",
        .kind = XC_BYTES,
        .length = 2,
        .length_of = -1,
        .rules = frame_records_length_bytes_rules,
    },
};
static const struct xc_layout frame_records_length = {
    "records_length", 1, 7, 7,
    frame_records_length_fields, 4,
};

/* spec/link.wire:354 */
static const struct xc_step frame_gap_life_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_gap_upto_rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_AT_LEAST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_gap_life_rules[] = {{frame_gap_life_rule0, 3}, {NULL, 0}};
static const uint64_t frame_gap_life_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_gap_upto_rules[] = {{frame_gap_upto_rule0, 3}, {NULL, 0}};
static const uint64_t frame_gap_upto_borders[] = {
    0,
    1,
    2,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_gap_offset_rules[] = {{NULL, 0}};
static const uint64_t frame_gap_offset_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_field frame_gap_fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_gap_life_rules,
        .borders = frame_gap_life_borders,
        .border_count = 3,
    },
    {
        .name = "upto",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_gap_upto_rules,
        .borders = frame_gap_upto_borders,
        .border_count = 10,
    },
    {
        .name = "offset",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_gap_offset_rules,
        .borders = frame_gap_offset_borders,
        .border_count = 9,
    },
};
static const struct xc_layout frame_gap = {
    "gap", 1, 8, 8,
    frame_gap_fields, 3,
};

/* spec/link.wire:368 */
static const struct xc_step frame_ask_life_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_ask_life_rules[] = {{frame_ask_life_rule0, 3}, {NULL, 0}};
static const uint64_t frame_ask_life_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field frame_ask_fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_ask_life_rules,
        .borders = frame_ask_life_borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_ask = {
    "ask", 1, 9, 9,
    frame_ask_fields, 1,
};

/* spec/link.wire:378 */
static const struct xc_step frame_stored_life_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_stored_life_rules[] = {{frame_stored_life_rule0, 3}, {NULL, 0}};
static const uint64_t frame_stored_life_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_stored_number_rules[] = {{NULL, 0}};
static const uint64_t frame_stored_number_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_stored_window_rules[] = {{NULL, 0}};
static const uint64_t frame_stored_window_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_field frame_stored_fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_stored_life_rules,
        .borders = frame_stored_life_borders,
        .border_count = 3,
    },
    {
        .name = "number",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_stored_number_rules,
        .borders = frame_stored_number_borders,
        .border_count = 9,
    },
    {
        .name = "window",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_stored_window_rules,
        .borders = frame_stored_window_borders,
        .border_count = 9,
    },
};
static const struct xc_layout frame_stored = {
    "stored", 1, 10, 10,
    frame_stored_fields, 3,
};

/* spec/link.wire:391 */
static const struct xc_step frame_unbound_life_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_unbound_life_rules[] = {{frame_unbound_life_rule0, 3}, {NULL, 0}};
static const uint64_t frame_unbound_life_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field frame_unbound_fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_unbound_life_rules,
        .borders = frame_unbound_life_borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_unbound = {
    "unbound", 1, 11, 11,
    frame_unbound_fields, 1,
};

/* spec/link.wire:401 */
static const struct xc_step frame_refused_code_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_FIELD, 2, NULL},
    {XC_NUMBER, 7, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_OR, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_refused_detail_length_rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_NUMBER, 128, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_refused_life_rules[] = {{NULL, 0}};
static const uint64_t frame_refused_life_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_refused_number_rules[] = {{NULL, 0}};
static const uint64_t frame_refused_number_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_refused_code_rules[] = {{frame_refused_code_rule0, 3}, {NULL, 0}};
static const uint64_t frame_refused_code_borders[] = {
    0,
    1,
    2,
    6,
    7,
    8,
    9,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_refused_detail_length_rules[] = {{frame_refused_detail_length_rule0, 3}, {NULL, 0}};
static const uint64_t frame_refused_detail_length_borders[] = {
    0,
    1,
    127,
    128,
    129,
    255,
};
static const struct xc_rule frame_refused_detail_rules[] = {{NULL, 0}};
static const struct xc_field frame_refused_fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_refused_life_rules,
        .borders = frame_refused_life_borders,
        .border_count = 3,
    },
    {
        .name = "number",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_refused_number_rules,
        .borders = frame_refused_number_borders,
        .border_count = 9,
    },
    {
        .name = "code",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .registry = &registry_refusal,
        .rules = frame_refused_code_rules,
        .borders = frame_refused_code_borders,
        .border_count = 14,
    },
    {
        .name = "detail_length",
        .kind = XC_BITS,
        .bits = 8,
        .first_bit = 0,
        .group_bytes = 1,
        .length = -1,
        .length_of = 4,
        .rules = frame_refused_detail_length_rules,
        .borders = frame_refused_detail_length_borders,
        .border_count = 6,
    },
    {
        .name = "detail",
        .kind = XC_BYTES,
        .length = 3,
        .length_of = -1,
        .text = true,
        .rules = frame_refused_detail_rules,
    },
};
static const struct xc_layout frame_refused = {
    "refused", 1, 12, 12,
    frame_refused_fields, 5,
};

/* spec/link.wire:419 */
static const struct xc_rule frame_path_challenge_value_rules[] = {{NULL, 0}};
static const uint64_t frame_path_challenge_value_borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_field frame_path_challenge_fields[] = {
    {
        .name = "value",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_path_challenge_value_rules,
        .borders = frame_path_challenge_value_borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_path_challenge = {
    "path_challenge", 1, 13, 13,
    frame_path_challenge_fields, 1,
};

/* spec/link.wire:429 */
static const struct xc_rule frame_path_response_value_rules[] = {{NULL, 0}};
static const uint64_t frame_path_response_value_borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_field frame_path_response_fields[] = {
    {
        .name = "value",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_path_response_value_rules,
        .borders = frame_path_response_value_borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_path_response = {
    "path_response", 1, 14, 14,
    frame_path_response_fields, 1,
};

/* spec/link.wire:439 */
static const struct xc_step frame_epoch_number_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_epoch_number_rules[] = {{frame_epoch_number_rule0, 3}, {NULL, 0}};
static const uint64_t frame_epoch_number_borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_rule frame_epoch_public_key_rules[] = {{NULL, 0}};
static const struct xc_field frame_epoch_fields[] = {
    {
        .name = "number",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_epoch_number_rules,
        .borders = frame_epoch_number_borders,
        .border_count = 3,
    },
    {
        .name = "public_key",
        .kind = XC_FIXED,
        .least = 32,
        .length = -1,
        .length_of = -1,
        .rules = frame_epoch_public_key_rules,
    },
};
static const struct xc_layout frame_epoch = {
    "epoch", 1, 15, 15,
    frame_epoch_fields, 2,
};

/* spec/link.wire:453 */
static const struct xc_step frame_epoch_ok_number_rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_epoch_ok_number_rules[] = {{frame_epoch_ok_number_rule0, 3}, {NULL, 0}};
static const uint64_t frame_epoch_ok_number_borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_rule frame_epoch_ok_digest_rules[] = {{NULL, 0}};
static const uint64_t frame_epoch_ok_digest_borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field frame_epoch_ok_fields[] = {
    {
        .name = "number",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_epoch_ok_number_rules,
        .borders = frame_epoch_ok_number_borders,
        .border_count = 3,
    },
    {
        .name = "digest",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_epoch_ok_digest_rules,
        .borders = frame_epoch_ok_digest_borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_epoch_ok = {
    "epoch_ok", 1, 16, 16,
    frame_epoch_ok_fields, 2,
};

/* spec/link.wire:465 */
static const struct xc_rule frame_extension_length_rules[] = {{NULL, 0}};
static const uint64_t frame_extension_length_borders[] = {
    0,
    1,
    63,
    64,
    16383,
    16384,
    1073741823,
    1073741824,
    UINT64_C(4611686018427387903),
};
static const struct xc_rule frame_extension_body_rules[] = {{NULL, 0}};
static const struct xc_field frame_extension_fields[] = {
    {
        .name = "length",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = 1,
        .rules = frame_extension_length_rules,
        .borders = frame_extension_length_borders,
        .border_count = 9,
    },
    {
        .name = "body",
        .kind = XC_BYTES,
        .length = 0,
        .length_of = -1,
        .rules = frame_extension_body_rules,
    },
};
static const struct xc_layout frame_extension = {
    "extension", 1, 64, 255,
    frame_extension_fields, 2,
};

static const struct xc_entry errors[] = {
    {0, "OK"},
    {1, "TRUNCATED"},
    {2, "NOT_SHORTEST"},
    {3, "RANGE"},
    {4, "UNKNOWN_TYPE"},
    {5, "NOT_ZERO"},
    {6, "LIMIT"},
    {7, "TRAILING"},
    {8, "ROOM"},
    {9, "EMPTY"},
    {64, "IO"},
    {65, "NO_MEMORY"},
    {66, "KEY"},
    {67, "AUTH"},
    {68, "STORE"},
    {69, "STORE_FULL"},
    {70, "STORE_DAMAGED"},
    {71, "BUSY"},
    {72, "NOT_FOUND"},
    {73, "EXISTS"},
    {74, "USAGE"},
    {75, "TOO_LARGE"},
    {76, "NAME"},
    {77, "ADDRESS"},
    {78, "REFUSED"},
    {79, "TIMEOUT"},
    {80, "AGAIN"},
    {81, "VERSION"},
    {82, "PERMISSION"},
    {83, "CLOSED"},
    {84, "INTERNAL"},
    {0, NULL},
};

static const struct xc_layout *const subject0[] = {
    &struct_header,
};

static const struct xc_layout *const subject1[] = {
    &struct_run_info,
};

static const struct xc_layout *const subject2[] = {
    &struct_ack_range,
};

static const struct xc_layout *const subject3[] = {
    &frame_padding,
    &frame_ping,
    &frame_to,
    &frame_ack,
    &frame_ack_ecn,
    &frame_stream,
    &frame_records,
    &frame_records_length,
    &frame_gap,
    &frame_ask,
    &frame_stored,
    &frame_unbound,
    &frame_refused,
    &frame_path_challenge,
    &frame_path_response,
    &frame_epoch,
    &frame_epoch_ok,
    &frame_extension,
};

static const struct xc_subject subjects[] = {
    {"Header", subject0, 1},
    {"Run Info", subject1, 1},
    {"Ack Range", subject2, 1},
    {"Frame", subject3, 18},
};

/* Without a declaration of its own: whoever uses it names the protocol. */
extern const struct xc_protocol link_table;
const struct xc_protocol link_table = {
    .name = "link",
    .errors = errors,
    .subjects = subjects,
    .subject_count = 4,
    .sealed = &subjects[3],
    .sealed_least = 1,
    .sealed_most = 64,
};
