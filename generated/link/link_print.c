/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Printers: one stable line, made of name=value. Integers of 32 bits and more are hexadecimal in full width,
 * other numbers decimal, bytes are their count and the first 16 in hexadecimal, texts are quoted with
 * everything but printable ASCII escaped.
 */
#include <stdarg.h>
#include <stdio.h>

#include "link/link_frames.h"

/* Where the line goes: n characters so far, at most room - 1 kept. */
struct pl_sink {
    char *out;
    size_t room;
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void pl_print_format(struct pl_sink *s, const char *format, ...)
{
    size_t left = s->room > s->n ? s->room - s->n : 0;
    va_list arguments;

    va_start(arguments, format);
    int n = vsnprintf(left > 0 ? s->out + s->n : NULL, left, format, arguments);
    va_end(arguments);
    if (n > 0)
        s->n += (size_t)n;
}

static void pl_print_uint(struct pl_sink *s, const char *label, uint64_t v, bool hexadecimal, int bytes)
{
    if (hexadecimal)
        pl_print_format(s, "%s=0x%0*llx", label, 2 * bytes, (unsigned long long)v);
    else
        pl_print_format(s, "%s=%llu", label, (unsigned long long)v);
}

static void pl_print_code(struct pl_sink *s, const char *label, uint64_t v, const char *name)
{
    pl_print_format(s, "%s=%llu(%s)", label, (unsigned long long)v, name);
}

static void pl_print_bytes(struct pl_sink *s, const char *label, struct pl_bytes v)
{
    pl_print_format(s, "%s=%zu:", label, v.n);
    for (size_t i = 0; i < v.n && i < 16; i++)
        pl_print_format(s, "%02x", v.p[i]);
    if (v.n > 16)
        pl_print_format(s, "..");
}

static void pl_print_string(struct pl_sink *s, const char *label, struct pl_bytes v)
{
    pl_print_format(s, "%s=\"", label);
    for (size_t i = 0; i < v.n; i++) {
        bool plain = v.p[i] >= ' ' && v.p[i] <= '~' && v.p[i] != '"' && v.p[i] != '\\';
        pl_print_format(s, plain ? "%c" : "\\x%02x", v.p[i]);
    }
    pl_print_format(s, "\"");
}

static size_t pl_print_end(const struct pl_sink *s)
{
    return s->n < s->room ? s->n : s->room > 0 ? s->room - 1 : 0;
}

/* spec/link.wire:154 */
static void print_header(struct pl_sink *s, const struct pl_header *f)
{
    pl_print_uint(s, "version", f->version, false, 0);
    pl_print_code(s, " suite", f->suite, pl_suite_name(f->suite));
    pl_print_uint(s, " cookie", f->cookie, false, 0);
    pl_print_uint(s, " reserved", f->reserved, false, 0);
    pl_print_uint(s, " own_epoch", f->own_epoch, false, 0);
    pl_print_uint(s, " peer_epoch", f->peer_epoch, false, 0);
    pl_print_uint(s, " key_id", f->key_id, true, 4);
    pl_print_uint(s, " run", f->run, true, 8);
    pl_print_uint(s, " packet_number", f->packet_number, true, 4);
}

/* spec/link.wire:183 */
static void print_run_info(struct pl_sink *s, const struct pl_run_info *f)
{
    pl_print_code(s, "suite", f->suite, pl_suite_name(f->suite));
    pl_print_uint(s, " direction", f->direction, false, 0);
    pl_print_uint(s, " epochs", f->epochs, false, 0);
    pl_print_uint(s, " run", f->run, true, 8);
}

/* spec/link.wire:254 */
static void print_ack_range(struct pl_sink *s, const struct pl_ack_range *f)
{
    pl_print_uint(s, "gap", f->gap, false, 0);
    pl_print_uint(s, " length", f->length, false, 0);
}

/* spec/link.wire:224 */
static void print_padding(struct pl_sink *s, const struct pl_frame_padding *f)
{
    pl_print_uint(s, " length", f->length, false, 0);
}

/* spec/link.wire:242 */
static void print_to(struct pl_sink *s, const struct pl_frame_to *f)
{
    pl_print_uint(s, " run_tag", f->run_tag, true, 4);
}

static void print_ack_ranges(struct pl_sink *s, const char *label, struct pl_bytes v)
{
    pl_print_format(s, "%s=[", label);
    for (size_t at = 0, used = 0; at < v.n; at += used) {
        struct pl_ack_range item = {0};
        if (pl_ack_range_decode(v.p + at, v.n - at, &item, &used) != PL_OK)
            break;
        pl_print_format(s, at > 0 ? " {" : "{");
        print_ack_range(s, &item);
        pl_print_format(s, "}");
    }
    pl_print_format(s, "]");
}

/* spec/link.wire:265 */
static void print_ack(struct pl_sink *s, const struct pl_frame_ack *f)
{
    pl_print_uint(s, " largest", f->largest, false, 0);
    pl_print_uint(s, " delay", f->delay, false, 0);
    pl_print_uint(s, " range_count", f->range_count, false, 0);
    pl_print_uint(s, " first_range", f->first_range, false, 0);
    print_ack_ranges(s, " ranges", f->ranges);
}

static void print_ack_ecn_ranges(struct pl_sink *s, const char *label, struct pl_bytes v)
{
    pl_print_format(s, "%s=[", label);
    for (size_t at = 0, used = 0; at < v.n; at += used) {
        struct pl_ack_range item = {0};
        if (pl_ack_range_decode(v.p + at, v.n - at, &item, &used) != PL_OK)
            break;
        pl_print_format(s, at > 0 ? " {" : "{");
        print_ack_range(s, &item);
        pl_print_format(s, "}");
    }
    pl_print_format(s, "]");
}

/* spec/link.wire:284 */
static void print_ack_ecn(struct pl_sink *s, const struct pl_frame_ack_ecn *f)
{
    pl_print_uint(s, " largest", f->largest, false, 0);
    pl_print_uint(s, " delay", f->delay, false, 0);
    pl_print_uint(s, " range_count", f->range_count, false, 0);
    pl_print_uint(s, " first_range", f->first_range, false, 0);
    print_ack_ecn_ranges(s, " ranges", f->ranges);
    pl_print_uint(s, " ect0", f->ect0, false, 0);
    pl_print_uint(s, " ect1", f->ect1, false, 0);
    pl_print_uint(s, " ce", f->ce, false, 0);
}

/* spec/link.wire:303 */
static void print_stream(struct pl_sink *s, const struct pl_frame_stream *f)
{
    pl_print_uint(s, " life", f->life, true, 4);
    pl_print_uint(s, " first_number", f->first_number, false, 0);
    pl_print_uint(s, " life_before", f->life_before, true, 4);
    pl_print_uint(s, " birth", f->birth, true, 8);
    pl_print_string(s, " name", f->name);
}

/* spec/link.wire:324 */
static void print_records(struct pl_sink *s, const struct pl_frame_records *f)
{
    pl_print_uint(s, " life", f->life, true, 4);
    pl_print_uint(s, " offset", f->offset, false, 0);
    pl_print_bytes(s, " bytes", f->bytes);
}

/* spec/link.wire:339 */
static void print_records_length(struct pl_sink *s, const struct pl_frame_records *f)
{
    pl_print_uint(s, " life", f->life, true, 4);
    pl_print_uint(s, " offset", f->offset, false, 0);
    pl_print_bytes(s, " bytes", f->bytes);
}

/* spec/link.wire:354 */
static void print_gap(struct pl_sink *s, const struct pl_frame_gap *f)
{
    pl_print_uint(s, " life", f->life, true, 4);
    pl_print_uint(s, " upto", f->upto, false, 0);
    pl_print_uint(s, " offset", f->offset, false, 0);
}

/* spec/link.wire:368 */
static void print_ask(struct pl_sink *s, const struct pl_frame_ask *f)
{
    pl_print_uint(s, " life", f->life, true, 4);
}

/* spec/link.wire:378 */
static void print_stored(struct pl_sink *s, const struct pl_frame_stored *f)
{
    pl_print_uint(s, " life", f->life, true, 4);
    pl_print_uint(s, " number", f->number, false, 0);
    pl_print_uint(s, " window", f->window, false, 0);
}

/* spec/link.wire:391 */
static void print_unbound(struct pl_sink *s, const struct pl_frame_unbound *f)
{
    pl_print_uint(s, " life", f->life, true, 4);
}

/* spec/link.wire:401 */
static void print_refused(struct pl_sink *s, const struct pl_frame_refused *f)
{
    pl_print_uint(s, " life", f->life, true, 4);
    pl_print_uint(s, " number", f->number, false, 0);
    pl_print_code(s, " code", f->code, pl_refusal_name(f->code));
    pl_print_string(s, " detail", f->detail);
}

/* spec/link.wire:419 */
static void print_path_challenge(struct pl_sink *s, const struct pl_frame_path_challenge *f)
{
    pl_print_uint(s, " value", f->value, true, 8);
}

/* spec/link.wire:429 */
static void print_path_response(struct pl_sink *s, const struct pl_frame_path_response *f)
{
    pl_print_uint(s, " value", f->value, true, 8);
}

/* spec/link.wire:439 */
static void print_epoch(struct pl_sink *s, const struct pl_frame_epoch *f)
{
    pl_print_uint(s, " number", f->number, true, 8);
    pl_print_bytes(s, " public_key", (struct pl_bytes){f->public_key, 32});
}

/* spec/link.wire:453 */
static void print_epoch_ok(struct pl_sink *s, const struct pl_frame_epoch_ok *f)
{
    pl_print_uint(s, " number", f->number, true, 8);
    pl_print_uint(s, " digest", f->digest, true, 4);
}

/* spec/link.wire:465 */
static void print_extension(struct pl_sink *s, const struct pl_frame_extension *f)
{
    pl_print_uint(s, " type", f->type, true, 1);
    pl_print_bytes(s, " body", f->body);
}

size_t pl_header_print(char *out, size_t room, const struct pl_header *f)
{
    struct pl_sink s = {out, room, 0};

    print_header(&s, f);
    return pl_print_end(&s);
}

size_t pl_run_info_print(char *out, size_t room, const struct pl_run_info *f)
{
    struct pl_sink s = {out, room, 0};

    print_run_info(&s, f);
    return pl_print_end(&s);
}

size_t pl_ack_range_print(char *out, size_t room, const struct pl_ack_range *f)
{
    struct pl_sink s = {out, room, 0};

    print_ack_range(&s, f);
    return pl_print_end(&s);
}

static void pl_frame_print_members(struct pl_sink *s, const struct pl_frame *f)
{
    switch (f->type) {
    case PL_FRAME_PADDING: print_padding(s, &f->u.padding); break;
    case PL_FRAME_TO: print_to(s, &f->u.to); break;
    case PL_FRAME_ACK: print_ack(s, &f->u.ack); break;
    case PL_FRAME_ACK_ECN: print_ack_ecn(s, &f->u.ack_ecn); break;
    case PL_FRAME_STREAM: print_stream(s, &f->u.stream); break;
    case PL_FRAME_RECORDS: print_records(s, &f->u.records); break;
    case PL_FRAME_RECORDS_LENGTH: print_records_length(s, &f->u.records_length); break;
    case PL_FRAME_GAP: print_gap(s, &f->u.gap); break;
    case PL_FRAME_ASK: print_ask(s, &f->u.ask); break;
    case PL_FRAME_STORED: print_stored(s, &f->u.stored); break;
    case PL_FRAME_UNBOUND: print_unbound(s, &f->u.unbound); break;
    case PL_FRAME_REFUSED: print_refused(s, &f->u.refused); break;
    case PL_FRAME_PATH_CHALLENGE: print_path_challenge(s, &f->u.path_challenge); break;
    case PL_FRAME_PATH_RESPONSE: print_path_response(s, &f->u.path_response); break;
    case PL_FRAME_EPOCH: print_epoch(s, &f->u.epoch); break;
    case PL_FRAME_EPOCH_OK: print_epoch_ok(s, &f->u.epoch_ok); break;
    default:
        if (f->type >= 0x40)
            print_extension(s, &f->u.extension);
        break;
    }
}

size_t pl_frame_print(char *out, size_t room, const struct pl_frame *f)
{
    struct pl_sink s = {out, room, 0};

    pl_print_format(&s, "%s", pl_frame_name(f->type));
    pl_frame_print_members(&s, f);
    return pl_print_end(&s);
}

const char *pl_frame_name(uint8_t type)
{
    switch (type) {
    case PL_FRAME_PADDING: return "PADDING";
    case PL_FRAME_PING: return "PING";
    case PL_FRAME_TO: return "TO";
    case PL_FRAME_ACK: return "ACK";
    case PL_FRAME_ACK_ECN: return "ACK_ECN";
    case PL_FRAME_STREAM: return "STREAM";
    case PL_FRAME_RECORDS: return "RECORDS";
    case PL_FRAME_RECORDS_LENGTH: return "RECORDS_LENGTH";
    case PL_FRAME_GAP: return "GAP";
    case PL_FRAME_ASK: return "ASK";
    case PL_FRAME_STORED: return "STORED";
    case PL_FRAME_UNBOUND: return "UNBOUND";
    case PL_FRAME_REFUSED: return "REFUSED";
    case PL_FRAME_PATH_CHALLENGE: return "PATH_CHALLENGE";
    case PL_FRAME_PATH_RESPONSE: return "PATH_RESPONSE";
    case PL_FRAME_EPOCH: return "EPOCH";
    case PL_FRAME_EPOCH_OK: return "EPOCH_OK";
    default: break;
    }
    if (type >= 0x40)
        return "EXTENSION";
    return "unknown";
}
