/*
 * The grammar of the senders file: NAME PUBLIC-KEY a line, comments after #. "make ragel" writes
 * senders_ragel.c.
 *
 * The machine runs over bytes as they come and holds a name and a key, never a line. It stops at the first
 * byte that does not belong; which part of the line that byte stood in makes the reason.
 */
#include "io/senders_scan.h"

%%{
    machine senders;
    alphtype unsigned char;
    getkey (*p);
    access scan->;
    variable cs scan->state;

    action begin_name { scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
    action name_byte {
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            fbreak;
        }
        scan->name[scan->name_bytes++] = fc;
    }
    action gap { scan->part = PL_SENDERS_GAP; }
    action begin_key { scan->part = PL_SENDERS_KEY; scan->key_bytes = 0; }
    action key_byte { scan->key[scan->key_bytes++] = fc; }
    action end_key { scan->part = PL_SENDERS_AFTER; }
    action comment { scan->part = PL_SENDERS_COMMENT; }
    action return { scan->part = PL_SENDERS_RETURN; }
    action take {
        error = scan->take(scan);
        if (error)
            fbreak;
    }
    action newline {
        if (scan->line_bytes + (size_t)(p - line_start) > PL_SENDERS_LINE_MAX) {
            error = fail(scan, PL_E_USAGE, line_too_long);
            fbreak;
        }
        scan->part = PL_SENDERS_START;
        scan->line++;
        line_start = p + 1;
        scan->line_bytes = 0;
    }

    # RFC 3629 section 4: shortest form, no surrogates.
    tail = 0x80..0xbf;
    two = 0xc2..0xdf tail;
    three = 0xe0 0xa0..0xbf tail | 0xe1..0xec tail tail | 0xed 0x80..0x9f tail | 0xee..0xef tail tail;
    four = 0xf0 0x90..0xbf tail tail | 0xf1..0xf3 tail tail tail | 0xf4 0x80..0x8f tail tail;
    c1_control = 0xc2 0x80..0x9f;
    # Unicode's White_Space above ASCII, and the byte order mark, which editors put where nobody sees it.
    wide_space = 0xc2 0xa0 | 0xe1 0x9a 0x80 | 0xe2 0x80 0x80..0x8a | 0xe2 0x80 0xa8..0xa9 | 0xe2 0x80 0xaf
        | 0xe2 0x81 0x9f | 0xe3 0x80 0x80 | 0xef 0xbb 0xbf;
    beyond = (two | three | four) - c1_control;

    name_character = 0x21..0x7e | (beyond - wide_space);
    name = ((name_character - '#') name_character*) >begin_name $name_byte;

    # 32 bytes in 44 characters; the last carries four bits, the other two are 0 (RFC 4648 section 3.5).
    key = ([A-Za-z0-9+/]{42} [AEIMQUYcgkosw048] '=' @end_key) >begin_key $key_byte;

    blank = [ \t]+;
    remark = '#' @comment (0x20..0x7e | '\t' | beyond)*;
    sender = name blank >gap key;
    line = blank? (sender (blank remark?)? %take | remark)?;
    end = ('\r' @return)? '\n' @newline;

    main := (line end)* line?;

    write data noentry;
}%%

static const char line_too_long[] = "the line is longer than 4096 bytes";

static enum pl_error fail(struct pl_senders_scan *scan, enum pl_error error, const char *reason)
{
    scan->reason = reason;
    return error;
}

static enum pl_error fail_in_name(struct pl_senders_scan *scan, int byte)
{
    if (byte < 0x20 || byte == 0x7f)
        return fail(scan, PL_E_NAME, "control character in the name");
    return fail(scan, PL_E_NAME, "the name is not UTF-8, or holds a space or control character beyond ASCII");
}

static enum pl_error fail_in_key(struct pl_senders_scan *scan)
{
    return fail(scan, PL_E_KEY, "the key is not 32 bytes in canonical base64 of 44 characters");
}

/* The reason why byte does not belong where it stands; -1 is the end of the file. */
static enum pl_error fail_at(struct pl_senders_scan *scan, int byte)
{
    bool ended = byte == '\n' || byte == '\r' || byte == -1;
    if (byte == 0)
        return fail(scan, PL_E_USAGE, "NUL byte: this is not a text file");
    switch (scan->part) {
    case PL_SENDERS_NAME:
        if (ended)
            return fail(scan, PL_E_USAGE, "the key is missing: a line is NAME PUBLIC-KEY");
        return fail_in_name(scan, byte);
    case PL_SENDERS_GAP:
        if (ended || byte == '#')
            return fail(scan, PL_E_USAGE, "the key is missing: a line is NAME PUBLIC-KEY");
        return fail_in_key(scan);
    case PL_SENDERS_KEY: return fail_in_key(scan);
    case PL_SENDERS_AFTER:
        return fail(scan, PL_E_USAGE, "something after the key (a comment is a space and a #)");
    case PL_SENDERS_COMMENT:
        return fail(scan, PL_E_USAGE, "the comment is not UTF-8 or holds a control character");
    case PL_SENDERS_RETURN: return fail(scan, PL_E_USAGE, "carriage return inside the line");
    default: return fail_in_name(scan, byte);
    }
}

void pl_senders_scan_init(struct pl_senders_scan *scan)
{
    %% write init;
    scan->part = PL_SENDERS_START;
    scan->line = 1;
    scan->line_bytes = 0;
    scan->name_bytes = scan->key_bytes = 0;
    scan->reason = NULL;
}

enum pl_error pl_senders_scan_bytes(struct pl_senders_scan *scan, const uint8_t *bytes, size_t n, bool last)
{
    const uint8_t *p = bytes;
    const uint8_t *pe = bytes + n;
    const uint8_t *eof = last ? pe : NULL;
    const uint8_t *line_start = bytes;
    enum pl_error error = PL_OK;

    %% write exec;

    if (error)
        return error;
    if (scan->state == senders_error)
        return fail_at(scan, *p);
    scan->line_bytes += (size_t)(pe - line_start);
    if (scan->line_bytes > PL_SENDERS_LINE_MAX)
        return fail(scan, PL_E_USAGE, line_too_long);
    if (last && scan->state < senders_first_final)
        return fail_at(scan, -1);
    return PL_OK;
}
