/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Descriptions of every struct and case for the interpreter in crosscheck/codec.
 */
#include "codec/codec.h"

/* clang-format off */

static const struct xc_entry registry_suite__entries[] = {
    {0, "COOKIE"},
    {1, "AES_128_GCM"},
    {2, "CHACHA20_POLY1305"},
    {3, "AES_128_GCM_SIV"},
    {0, NULL},
};
static const struct xc_registry registry_suite = {registry_suite__entries};

static const struct xc_entry registry_refusal__entries[] = {
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
static const struct xc_registry registry_refusal = {registry_refusal__entries};

/* spec/link.wire:154 */
static const struct xc_step struct_header__version__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step struct_header__reserved__rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule struct_header__version__rules[] = {{struct_header__version__rule0, 81}, {NULL, 0}};
static const uint64_t struct_header__version__borders[] = {
    0,
    1,
    2,
    15,
};
static const struct xc_rule struct_header__suite__rules[] = {{NULL, 0}};
static const uint64_t struct_header__suite__borders[] = {
    0,
    1,
    2,
    3,
};
static const struct xc_rule struct_header__cookie__rules[] = {{NULL, 0}};
static const uint64_t struct_header__cookie__borders[] = {
    0,
    1,
};
static const struct xc_rule struct_header__reserved__rules[] = {{struct_header__reserved__rule0, 5}, {NULL, 0}};
static const uint64_t struct_header__reserved__borders[] = {
    0,
    1,
};
static const struct xc_rule struct_header__own_epoch__rules[] = {{NULL, 0}};
static const uint64_t struct_header__own_epoch__borders[] = {
    0,
    1,
    15,
};
static const struct xc_rule struct_header__peer_epoch__rules[] = {{NULL, 0}};
static const uint64_t struct_header__peer_epoch__borders[] = {
    0,
    1,
    15,
};
static const struct xc_rule struct_header__key_id__rules[] = {{NULL, 0}};
static const uint64_t struct_header__key_id__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule struct_header__run__rules[] = {{NULL, 0}};
static const uint64_t struct_header__run__borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_rule struct_header__packet_number__rules[] = {{NULL, 0}};
static const uint64_t struct_header__packet_number__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field struct_header__fields[] = {
    {
        .name = "version",
        .kind = XC_BITS,
        .bits = 4,
        .first_bit = 0,
        .group_bytes = 1,
        .length = -1,
        .length_of = -1,
        .rules = struct_header__version__rules,
        .borders = struct_header__version__borders,
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
        .rules = struct_header__suite__rules,
        .borders = struct_header__suite__borders,
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
        .rules = struct_header__cookie__rules,
        .borders = struct_header__cookie__borders,
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
        .rules = struct_header__reserved__rules,
        .borders = struct_header__reserved__borders,
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
        .rules = struct_header__own_epoch__rules,
        .borders = struct_header__own_epoch__borders,
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
        .rules = struct_header__peer_epoch__rules,
        .borders = struct_header__peer_epoch__borders,
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
        .rules = struct_header__key_id__rules,
        .borders = struct_header__key_id__borders,
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
        .rules = struct_header__run__rules,
        .borders = struct_header__run__borders,
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
        .rules = struct_header__packet_number__rules,
        .borders = struct_header__packet_number__borders,
        .border_count = 3,
    },
};
static const struct xc_layout struct_header = {
    "header", 0, 0, 0,
    struct_header__fields, 9,
};

/* spec/link.wire:183 */
static const struct xc_step struct_run_info__suite__rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_NUMBER, 3, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step struct_run_info__direction__rule0[] = {
    {XC_FIELD, 2, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule struct_run_info__label__rules[] = {{NULL, 0}};
static const struct xc_rule struct_run_info__suite__rules[] = {{struct_run_info__suite__rule0, 3}, {NULL, 0}};
static const uint64_t struct_run_info__suite__borders[] = {
    0,
    1,
    2,
    3,
    4,
    255,
};
static const struct xc_rule struct_run_info__direction__rules[] = {{struct_run_info__direction__rule0, 3}, {NULL, 0}};
static const uint64_t struct_run_info__direction__borders[] = {
    0,
    1,
    2,
    255,
};
static const struct xc_rule struct_run_info__epochs__rules[] = {{NULL, 0}};
static const uint64_t struct_run_info__epochs__borders[] = {
    0,
    1,
    255,
};
static const struct xc_rule struct_run_info__run__rules[] = {{NULL, 0}};
static const uint64_t struct_run_info__run__borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_field struct_run_info__fields[] = {
    {
        .name = "label",
        .kind = XC_LITERAL,
        .least = 3,
        .length = -1,
        .length_of = -1,
        .literal = (const uint8_t *)"run",
        .literal_error = 3,
        .rules = struct_run_info__label__rules,
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
        .rules = struct_run_info__suite__rules,
        .borders = struct_run_info__suite__borders,
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
        .rules = struct_run_info__direction__rules,
        .borders = struct_run_info__direction__borders,
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
        .rules = struct_run_info__epochs__rules,
        .borders = struct_run_info__epochs__borders,
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
        .rules = struct_run_info__run__rules,
        .borders = struct_run_info__run__borders,
        .border_count = 3,
    },
};
static const struct xc_layout struct_run_info = {
    "run_info", 0, 0, 0,
    struct_run_info__fields, 5,
};

/* spec/link.wire:254 */
static const struct xc_rule struct_ack_range__gap__rules[] = {{NULL, 0}};
static const uint64_t struct_ack_range__gap__borders[] = {
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
static const struct xc_rule struct_ack_range__length__rules[] = {{NULL, 0}};
static const uint64_t struct_ack_range__length__borders[] = {
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
static const struct xc_field struct_ack_range__fields[] = {
    {
        .name = "gap",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = struct_ack_range__gap__rules,
        .borders = struct_ack_range__gap__borders,
        .border_count = 9,
    },
    {
        .name = "length",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = struct_ack_range__length__rules,
        .borders = struct_ack_range__length__borders,
        .border_count = 9,
    },
};
static const struct xc_layout struct_ack_range = {
    "ack_range", 0, 0, 0,
    struct_ack_range__fields, 2,
};

/* spec/link.wire:224 */
static const struct xc_rule frame_padding__length__rules[] = {{NULL, 0}};
static const struct xc_field frame_padding__fields[] = {
    {
        .name = "length",
        .kind = XC_ZEROS,
        .length = -1,
        .length_of = -1,
        .rules = frame_padding__length__rules,
    },
};
static const struct xc_layout frame_padding = {
    "padding", 1, 0, 0,
    frame_padding__fields, 1,
};

/* spec/link.wire:234 */
static const struct xc_layout frame_ping = {
    "ping", 1, 1, 1,
    NULL, 0,
};

/* spec/link.wire:242 */
static const struct xc_rule frame_to__run_tag__rules[] = {{NULL, 0}};
static const uint64_t frame_to__run_tag__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field frame_to__fields[] = {
    {
        .name = "run_tag",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_to__run_tag__rules,
        .borders = frame_to__run_tag__borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_to = {
    "to", 1, 2, 2,
    frame_to__fields, 1,
};

/* spec/link.wire:265 */
static const struct xc_step frame_ack__first_range__rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_FIELD, 0, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_ack__ranges__rule0__sum1[] = {
    {XC_FIELD, 0, NULL},
    {XC_FIELD, 1, NULL},
    {XC_ADD, 0, NULL},
    {XC_NUMBER, 2, NULL},
    {XC_ADD, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_ack__ranges__rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_SUM, 4, frame_ack__ranges__rule0__sum1},
    {XC_ADD, 0, NULL},
    {XC_FIELD, 0, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_ack__largest__rules[] = {{NULL, 0}};
static const uint64_t frame_ack__largest__borders[] = {
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
static const struct xc_rule frame_ack__delay__rules[] = {{NULL, 0}};
static const uint64_t frame_ack__delay__borders[] = {
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
static const struct xc_rule frame_ack__range_count__rules[] = {{NULL, 0}};
static const uint64_t frame_ack__range_count__borders[] = {
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
static const struct xc_rule frame_ack__first_range__rules[] = {{frame_ack__first_range__rule0, 3}, {NULL, 0}};
static const uint64_t frame_ack__first_range__borders[] = {
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
static const struct xc_rule frame_ack__ranges__rules[] = {{frame_ack__ranges__rule0, 3}, {NULL, 0}};
static const struct xc_field frame_ack__fields[] = {
    {
        .name = "largest",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack__largest__rules,
        .borders = frame_ack__largest__borders,
        .border_count = 9,
    },
    {
        .name = "delay",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack__delay__rules,
        .borders = frame_ack__delay__borders,
        .border_count = 9,
    },
    {
        .name = "range_count",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack__range_count__rules,
        .borders = frame_ack__range_count__borders,
        .border_count = 9,
    },
    {
        .name = "first_range",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack__first_range__rules,
        .borders = frame_ack__first_range__borders,
        .border_count = 9,
    },
    {
        .name = "ranges",
        .kind = XC_COUNT,
        .most = 31,
        .length = 2,
        .length_of = -1,
        .item = &struct_ack_range,
        .rules = frame_ack__ranges__rules,
    },
};
static const struct xc_layout frame_ack = {
    "ack", 1, 3, 3,
    frame_ack__fields, 5,
};

/* spec/link.wire:284 */
static const struct xc_step frame_ack_ecn__first_range__rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_FIELD, 0, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_ack_ecn__ranges__rule0__sum1[] = {
    {XC_FIELD, 0, NULL},
    {XC_FIELD, 1, NULL},
    {XC_ADD, 0, NULL},
    {XC_NUMBER, 2, NULL},
    {XC_ADD, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_ack_ecn__ranges__rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_SUM, 4, frame_ack_ecn__ranges__rule0__sum1},
    {XC_ADD, 0, NULL},
    {XC_FIELD, 0, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_ack_ecn__largest__rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn__largest__borders[] = {
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
static const struct xc_rule frame_ack_ecn__delay__rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn__delay__borders[] = {
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
static const struct xc_rule frame_ack_ecn__range_count__rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn__range_count__borders[] = {
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
static const struct xc_rule frame_ack_ecn__first_range__rules[] = {{frame_ack_ecn__first_range__rule0, 3}, {NULL, 0}};
static const uint64_t frame_ack_ecn__first_range__borders[] = {
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
static const struct xc_rule frame_ack_ecn__ranges__rules[] = {{frame_ack_ecn__ranges__rule0, 3}, {NULL, 0}};
static const struct xc_rule frame_ack_ecn__ect0__rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn__ect0__borders[] = {
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
static const struct xc_rule frame_ack_ecn__ect1__rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn__ect1__borders[] = {
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
static const struct xc_rule frame_ack_ecn__ce__rules[] = {{NULL, 0}};
static const uint64_t frame_ack_ecn__ce__borders[] = {
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
static const struct xc_field frame_ack_ecn__fields[] = {
    {
        .name = "largest",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn__largest__rules,
        .borders = frame_ack_ecn__largest__borders,
        .border_count = 9,
    },
    {
        .name = "delay",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn__delay__rules,
        .borders = frame_ack_ecn__delay__borders,
        .border_count = 9,
    },
    {
        .name = "range_count",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn__range_count__rules,
        .borders = frame_ack_ecn__range_count__borders,
        .border_count = 9,
    },
    {
        .name = "first_range",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn__first_range__rules,
        .borders = frame_ack_ecn__first_range__borders,
        .border_count = 9,
    },
    {
        .name = "ranges",
        .kind = XC_COUNT,
        .most = 31,
        .length = 2,
        .length_of = -1,
        .item = &struct_ack_range,
        .rules = frame_ack_ecn__ranges__rules,
    },
    {
        .name = "ect0",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn__ect0__rules,
        .borders = frame_ack_ecn__ect0__borders,
        .border_count = 9,
    },
    {
        .name = "ect1",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn__ect1__rules,
        .borders = frame_ack_ecn__ect1__borders,
        .border_count = 9,
    },
    {
        .name = "ce",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_ack_ecn__ce__rules,
        .borders = frame_ack_ecn__ce__borders,
        .border_count = 9,
    },
};
static const struct xc_layout frame_ack_ecn = {
    "ack_ecn", 1, 4, 4,
    frame_ack_ecn__fields, 8,
};

/* spec/link.wire:303 */
static const struct xc_step frame_stream__life__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_stream__first_number__rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_AT_LEAST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_stream__life_before__rule0[] = {
    {XC_FIELD, 2, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_FIELD, 1, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_stream__life__rules[] = {{frame_stream__life__rule0, 3}, {NULL, 0}};
static const uint64_t frame_stream__life__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_stream__first_number__rules[] = {{frame_stream__first_number__rule0, 3}, {NULL, 0}};
static const uint64_t frame_stream__first_number__borders[] = {
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
static const struct xc_rule frame_stream__life_before__rules[] = {{frame_stream__life_before__rule0, 3}, {NULL, 0}};
static const uint64_t frame_stream__life_before__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_stream__birth__rules[] = {{NULL, 0}};
static const uint64_t frame_stream__birth__borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_rule frame_stream__name_length__rules[] = {{NULL, 0}};
static const uint64_t frame_stream__name_length__borders[] = {
    0,
    1,
    255,
};
static const struct xc_rule frame_stream__name__rules[] = {{NULL, 0}};
static const struct xc_field frame_stream__fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_stream__life__rules,
        .borders = frame_stream__life__borders,
        .border_count = 3,
    },
    {
        .name = "first_number",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_stream__first_number__rules,
        .borders = frame_stream__first_number__borders,
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
        .rules = frame_stream__life_before__rules,
        .borders = frame_stream__life_before__borders,
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
        .rules = frame_stream__birth__rules,
        .borders = frame_stream__birth__borders,
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
        .rules = frame_stream__name_length__rules,
        .borders = frame_stream__name_length__borders,
        .border_count = 3,
    },
    {
        .name = "name",
        .kind = XC_BYTES,
        .length = 4,
        .length_of = -1,
        .text = true,
        .rules = frame_stream__name__rules,
    },
};
static const struct xc_layout frame_stream = {
    "stream", 1, 5, 5,
    frame_stream__fields, 6,
};

/* spec/link.wire:324 */
static const struct xc_step frame_records__life__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_records__bytes__rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_LENGTH, 2, NULL},
    {XC_ADD, 0, NULL},
    {XC_NUMBER, UINT64_C(4611686018427387903), NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_records__life__rules[] = {{frame_records__life__rule0, 3}, {NULL, 0}};
static const uint64_t frame_records__life__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_records__offset__rules[] = {{NULL, 0}};
static const uint64_t frame_records__offset__borders[] = {
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
static const struct xc_rule frame_records__bytes__rules[] = {{frame_records__bytes__rule0, 3}, {NULL, 0}};
static const struct xc_field frame_records__fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_records__life__rules,
        .borders = frame_records__life__borders,
        .border_count = 3,
    },
    {
        .name = "offset",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_records__offset__rules,
        .borders = frame_records__offset__borders,
        .border_count = 9,
    },
    {
        .name = "bytes",
        .kind = XC_REST,
        .least = 1,
        .length = -1,
        .length_of = -1,
        .rules = frame_records__bytes__rules,
    },
};
static const struct xc_layout frame_records = {
    "records", 1, 6, 6,
    frame_records__fields, 3,
};

/* spec/link.wire:339 */
static const struct xc_step frame_records_length__life__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_records_length__length__rule0[] = {
    {XC_FIELD, 2, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_AT_LEAST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_records_length__bytes__rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_FIELD, 2, NULL},
    {XC_ADD, 0, NULL},
    {XC_NUMBER, UINT64_C(4611686018427387903), NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_records_length__life__rules[] = {{frame_records_length__life__rule0, 3}, {NULL, 0}};
static const uint64_t frame_records_length__life__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_records_length__offset__rules[] = {{NULL, 0}};
static const uint64_t frame_records_length__offset__borders[] = {
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
static const struct xc_rule frame_records_length__length__rules[] = {{frame_records_length__length__rule0, 3}, {NULL, 0}};
static const uint64_t frame_records_length__length__borders[] = {
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
static const struct xc_rule frame_records_length__bytes__rules[] = {{frame_records_length__bytes__rule0, 3}, {NULL, 0}};
static const struct xc_field frame_records_length__fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_records_length__life__rules,
        .borders = frame_records_length__life__borders,
        .border_count = 3,
    },
    {
        .name = "offset",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_records_length__offset__rules,
        .borders = frame_records_length__offset__borders,
        .border_count = 9,
    },
    {
        .name = "length",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = 3,
        .rules = frame_records_length__length__rules,
        .borders = frame_records_length__length__borders,
        .border_count = 10,
    },
    {
        .name = "bytes",
        .kind = XC_BYTES,
        .length = 2,
        .length_of = -1,
        .rules = frame_records_length__bytes__rules,
    },
};
static const struct xc_layout frame_records_length = {
    "records_length", 1, 7, 7,
    frame_records_length__fields, 4,
};

/* spec/link.wire:354 */
static const struct xc_step frame_gap__life__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_gap__upto__rule0[] = {
    {XC_FIELD, 1, NULL},
    {XC_NUMBER, 1, NULL},
    {XC_AT_LEAST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_gap__life__rules[] = {{frame_gap__life__rule0, 3}, {NULL, 0}};
static const uint64_t frame_gap__life__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_gap__upto__rules[] = {{frame_gap__upto__rule0, 3}, {NULL, 0}};
static const uint64_t frame_gap__upto__borders[] = {
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
static const struct xc_rule frame_gap__offset__rules[] = {{NULL, 0}};
static const uint64_t frame_gap__offset__borders[] = {
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
static const struct xc_field frame_gap__fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_gap__life__rules,
        .borders = frame_gap__life__borders,
        .border_count = 3,
    },
    {
        .name = "upto",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_gap__upto__rules,
        .borders = frame_gap__upto__borders,
        .border_count = 10,
    },
    {
        .name = "offset",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_gap__offset__rules,
        .borders = frame_gap__offset__borders,
        .border_count = 9,
    },
};
static const struct xc_layout frame_gap = {
    "gap", 1, 8, 8,
    frame_gap__fields, 3,
};

/* spec/link.wire:368 */
static const struct xc_step frame_ask__life__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_ask__life__rules[] = {{frame_ask__life__rule0, 3}, {NULL, 0}};
static const uint64_t frame_ask__life__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field frame_ask__fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_ask__life__rules,
        .borders = frame_ask__life__borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_ask = {
    "ask", 1, 9, 9,
    frame_ask__fields, 1,
};

/* spec/link.wire:378 */
static const struct xc_step frame_stored__life__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_stored__life__rules[] = {{frame_stored__life__rule0, 3}, {NULL, 0}};
static const uint64_t frame_stored__life__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_stored__number__rules[] = {{NULL, 0}};
static const uint64_t frame_stored__number__borders[] = {
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
static const struct xc_rule frame_stored__window__rules[] = {{NULL, 0}};
static const uint64_t frame_stored__window__borders[] = {
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
static const struct xc_field frame_stored__fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_stored__life__rules,
        .borders = frame_stored__life__borders,
        .border_count = 3,
    },
    {
        .name = "number",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_stored__number__rules,
        .borders = frame_stored__number__borders,
        .border_count = 9,
    },
    {
        .name = "window",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_stored__window__rules,
        .borders = frame_stored__window__borders,
        .border_count = 9,
    },
};
static const struct xc_layout frame_stored = {
    "stored", 1, 10, 10,
    frame_stored__fields, 3,
};

/* spec/link.wire:391 */
static const struct xc_step frame_unbound__life__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_unbound__life__rules[] = {{frame_unbound__life__rule0, 3}, {NULL, 0}};
static const uint64_t frame_unbound__life__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field frame_unbound__fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_unbound__life__rules,
        .borders = frame_unbound__life__borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_unbound = {
    "unbound", 1, 11, 11,
    frame_unbound__fields, 1,
};

/* spec/link.wire:401 */
static const struct xc_step frame_refused__code__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_FIELD, 2, NULL},
    {XC_NUMBER, 7, NULL},
    {XC_EQUAL, 0, NULL},
    {XC_OR, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_step frame_refused__detail_length__rule0[] = {
    {XC_FIELD, 3, NULL},
    {XC_NUMBER, 128, NULL},
    {XC_AT_MOST, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_refused__life__rules[] = {{NULL, 0}};
static const uint64_t frame_refused__life__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_rule frame_refused__number__rules[] = {{NULL, 0}};
static const uint64_t frame_refused__number__borders[] = {
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
static const struct xc_rule frame_refused__code__rules[] = {{frame_refused__code__rule0, 3}, {NULL, 0}};
static const uint64_t frame_refused__code__borders[] = {
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
static const struct xc_rule frame_refused__detail_length__rules[] = {{frame_refused__detail_length__rule0, 3}, {NULL, 0}};
static const uint64_t frame_refused__detail_length__borders[] = {
    0,
    1,
    127,
    128,
    129,
    255,
};
static const struct xc_rule frame_refused__detail__rules[] = {{NULL, 0}};
static const struct xc_field frame_refused__fields[] = {
    {
        .name = "life",
        .kind = XC_BITS,
        .bits = 32,
        .first_bit = 0,
        .group_bytes = 4,
        .length = -1,
        .length_of = -1,
        .rules = frame_refused__life__rules,
        .borders = frame_refused__life__borders,
        .border_count = 3,
    },
    {
        .name = "number",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .rules = frame_refused__number__rules,
        .borders = frame_refused__number__borders,
        .border_count = 9,
    },
    {
        .name = "code",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = -1,
        .registry = &registry_refusal,
        .rules = frame_refused__code__rules,
        .borders = frame_refused__code__borders,
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
        .rules = frame_refused__detail_length__rules,
        .borders = frame_refused__detail_length__borders,
        .border_count = 6,
    },
    {
        .name = "detail",
        .kind = XC_BYTES,
        .length = 3,
        .length_of = -1,
        .text = true,
        .rules = frame_refused__detail__rules,
    },
};
static const struct xc_layout frame_refused = {
    "refused", 1, 12, 12,
    frame_refused__fields, 5,
};

/* spec/link.wire:419 */
static const struct xc_rule frame_path_challenge__value__rules[] = {{NULL, 0}};
static const uint64_t frame_path_challenge__value__borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_field frame_path_challenge__fields[] = {
    {
        .name = "value",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_path_challenge__value__rules,
        .borders = frame_path_challenge__value__borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_path_challenge = {
    "path_challenge", 1, 13, 13,
    frame_path_challenge__fields, 1,
};

/* spec/link.wire:429 */
static const struct xc_rule frame_path_response__value__rules[] = {{NULL, 0}};
static const uint64_t frame_path_response__value__borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_field frame_path_response__fields[] = {
    {
        .name = "value",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_path_response__value__rules,
        .borders = frame_path_response__value__borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_path_response = {
    "path_response", 1, 14, 14,
    frame_path_response__fields, 1,
};

/* spec/link.wire:439 */
static const struct xc_step frame_epoch__number__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_epoch__number__rules[] = {{frame_epoch__number__rule0, 3}, {NULL, 0}};
static const uint64_t frame_epoch__number__borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_rule frame_epoch__public_key__rules[] = {{NULL, 0}};
static const struct xc_field frame_epoch__fields[] = {
    {
        .name = "number",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_epoch__number__rules,
        .borders = frame_epoch__number__borders,
        .border_count = 3,
    },
    {
        .name = "public_key",
        .kind = XC_FIXED,
        .least = 32,
        .length = -1,
        .length_of = -1,
        .rules = frame_epoch__public_key__rules,
    },
};
static const struct xc_layout frame_epoch = {
    "epoch", 1, 15, 15,
    frame_epoch__fields, 2,
};

/* spec/link.wire:453 */
static const struct xc_step frame_epoch_ok__number__rule0[] = {
    {XC_FIELD, 0, NULL},
    {XC_NUMBER, 0, NULL},
    {XC_UNEQUAL, 0, NULL},
    {XC_END, 0, NULL},
};
static const struct xc_rule frame_epoch_ok__number__rules[] = {{frame_epoch_ok__number__rule0, 3}, {NULL, 0}};
static const uint64_t frame_epoch_ok__number__borders[] = {
    0,
    1,
    UINT64_C(18446744073709551615),
};
static const struct xc_rule frame_epoch_ok__digest__rules[] = {{NULL, 0}};
static const uint64_t frame_epoch_ok__digest__borders[] = {
    0,
    1,
    UINT64_C(4294967295),
};
static const struct xc_field frame_epoch_ok__fields[] = {
    {
        .name = "number",
        .kind = XC_BITS,
        .bits = 64,
        .first_bit = 0,
        .group_bytes = 8,
        .length = -1,
        .length_of = -1,
        .rules = frame_epoch_ok__number__rules,
        .borders = frame_epoch_ok__number__borders,
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
        .rules = frame_epoch_ok__digest__rules,
        .borders = frame_epoch_ok__digest__borders,
        .border_count = 3,
    },
};
static const struct xc_layout frame_epoch_ok = {
    "epoch_ok", 1, 16, 16,
    frame_epoch_ok__fields, 2,
};

/* spec/link.wire:465 */
static const struct xc_rule frame_extension__length__rules[] = {{NULL, 0}};
static const uint64_t frame_extension__length__borders[] = {
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
static const struct xc_rule frame_extension__body__rules[] = {{NULL, 0}};
static const struct xc_field frame_extension__fields[] = {
    {
        .name = "length",
        .kind = XC_VARINT,
        .length = -1,
        .length_of = 1,
        .rules = frame_extension__length__rules,
        .borders = frame_extension__length__borders,
        .border_count = 9,
    },
    {
        .name = "body",
        .kind = XC_BYTES,
        .length = 0,
        .length_of = -1,
        .rules = frame_extension__body__rules,
    },
};
static const struct xc_layout frame_extension = {
    "extension", 1, 64, 255,
    frame_extension__fields, 2,
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
