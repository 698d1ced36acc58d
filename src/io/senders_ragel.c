
#line 1 "src/io/senders.rl"
/*
 * The grammar of the senders file: NAME PUBLIC-KEY a line, comments after #. "make ragel" writes
 * senders_ragel.c.
 *
 * The machine runs over bytes as they come and holds a name and a key, never a line. It stops at the first
 * byte that does not belong; which part of the line that byte stood in makes the reason.
 */
#include "io/senders_scan.h"


#line 11 "src/io/senders_ragel.c"
static const int senders_start = 79;
static const int senders_first_final = 79;
static const int senders_error = 0;


#line 73 "src/io/senders.rl"


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
    
#line 64 "src/io/senders_ragel.c"
	{
	( scan->state) = senders_start;
	}

#line 123 "src/io/senders.rl"
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

    
#line 82 "src/io/senders_ragel.c"
	{
	if ( p == pe )
		goto _test_eof;
	switch ( ( scan->state) )
	{
tr0:
#line 36 "src/io/senders.rl"
	{
        if (scan->line_bytes + (size_t)(p - line_start) > PL_SENDERS_LINE_MAX) {
            error = fail(scan, PL_E_USAGE, line_too_long);
            {p++; ( scan->state) = 79; goto _out;}
        }
        scan->part = PL_SENDERS_START;
        scan->line++;
        line_start = p + 1;
        scan->line_bytes = 0;
    }
	goto st79;
tr88:
#line 31 "src/io/senders.rl"
	{
        error = scan->take(scan);
        if (error)
            {p++; ( scan->state) = 79; goto _out;}
    }
#line 36 "src/io/senders.rl"
	{
        if (scan->line_bytes + (size_t)(p - line_start) > PL_SENDERS_LINE_MAX) {
            error = fail(scan, PL_E_USAGE, line_too_long);
            {p++; ( scan->state) = 79; goto _out;}
        }
        scan->part = PL_SENDERS_START;
        scan->line++;
        line_start = p + 1;
        scan->line_bytes = 0;
    }
	goto st79;
st79:
	if ( ++p == pe )
		goto _test_eof79;
case 79:
#line 120 "src/io/senders_ragel.c"
	switch( ( (*p)) ) {
		case 9u: goto st79;
		case 10u: goto tr0;
		case 13u: goto tr72;
		case 32u: goto st79;
		case 35u: goto tr74;
		case 194u: goto tr75;
		case 224u: goto tr77;
		case 225u: goto tr78;
		case 226u: goto tr79;
		case 227u: goto tr80;
		case 237u: goto tr82;
		case 239u: goto tr83;
		case 240u: goto tr84;
		case 244u: goto tr86;
	}
	if ( ( (*p)) < 195u ) {
		if ( 33u <= ( (*p)) && ( (*p)) <= 126u )
			goto tr73;
	} else if ( ( (*p)) > 223u ) {
		if ( ( (*p)) > 238u ) {
			if ( 241u <= ( (*p)) && ( (*p)) <= 243u )
				goto tr85;
		} else if ( ( (*p)) >= 228u )
			goto tr81;
	} else
		goto tr76;
	goto st0;
st0:
( scan->state) = 0;
	goto _out;
tr72:
#line 30 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_RETURN; }
	goto st1;
tr89:
#line 31 "src/io/senders.rl"
	{
        error = scan->take(scan);
        if (error)
            {p++; ( scan->state) = 1; goto _out;}
    }
#line 30 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_RETURN; }
	goto st1;
st1:
	if ( ++p == pe )
		goto _test_eof1;
case 1:
#line 166 "src/io/senders_ragel.c"
	if ( ( (*p)) == 10u )
		goto tr0;
	goto st0;
tr3:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 2; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st2;
tr73:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 2; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st2;
st2:
	if ( ++p == pe )
		goto _test_eof2;
case 2:
#line 192 "src/io/senders_ragel.c"
	switch( ( (*p)) ) {
		case 9u: goto tr2;
		case 32u: goto tr2;
		case 194u: goto tr4;
		case 224u: goto tr6;
		case 225u: goto tr7;
		case 226u: goto tr8;
		case 227u: goto tr9;
		case 237u: goto tr11;
		case 239u: goto tr12;
		case 240u: goto tr13;
		case 244u: goto tr15;
	}
	if ( ( (*p)) < 195u ) {
		if ( 33u <= ( (*p)) && ( (*p)) <= 126u )
			goto tr3;
	} else if ( ( (*p)) > 223u ) {
		if ( ( (*p)) > 238u ) {
			if ( 241u <= ( (*p)) && ( (*p)) <= 243u )
				goto tr14;
		} else if ( ( (*p)) >= 228u )
			goto tr10;
	} else
		goto tr5;
	goto st0;
tr2:
#line 25 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_GAP; }
	goto st3;
st3:
	if ( ++p == pe )
		goto _test_eof3;
case 3:
#line 224 "src/io/senders_ragel.c"
	switch( ( (*p)) ) {
		case 9u: goto st3;
		case 32u: goto st3;
		case 43u: goto tr17;
	}
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr17;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr17;
	} else
		goto tr17;
	goto st0;
tr17:
#line 26 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_KEY; scan->key_bytes = 0; }
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st4;
st4:
	if ( ++p == pe )
		goto _test_eof4;
case 4:
#line 246 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr18;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr18;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr18;
	} else
		goto tr18;
	goto st0;
tr18:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st5;
st5:
	if ( ++p == pe )
		goto _test_eof5;
case 5:
#line 264 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr19;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr19;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr19;
	} else
		goto tr19;
	goto st0;
tr19:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st6;
st6:
	if ( ++p == pe )
		goto _test_eof6;
case 6:
#line 282 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr20;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr20;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr20;
	} else
		goto tr20;
	goto st0;
tr20:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st7;
st7:
	if ( ++p == pe )
		goto _test_eof7;
case 7:
#line 300 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr21;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr21;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr21;
	} else
		goto tr21;
	goto st0;
tr21:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st8;
st8:
	if ( ++p == pe )
		goto _test_eof8;
case 8:
#line 318 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr22;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr22;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr22;
	} else
		goto tr22;
	goto st0;
tr22:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st9;
st9:
	if ( ++p == pe )
		goto _test_eof9;
case 9:
#line 336 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr23;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr23;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr23;
	} else
		goto tr23;
	goto st0;
tr23:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st10;
st10:
	if ( ++p == pe )
		goto _test_eof10;
case 10:
#line 354 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr24;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr24;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr24;
	} else
		goto tr24;
	goto st0;
tr24:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st11;
st11:
	if ( ++p == pe )
		goto _test_eof11;
case 11:
#line 372 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr25;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr25;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr25;
	} else
		goto tr25;
	goto st0;
tr25:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st12;
st12:
	if ( ++p == pe )
		goto _test_eof12;
case 12:
#line 390 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr26;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr26;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr26;
	} else
		goto tr26;
	goto st0;
tr26:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st13;
st13:
	if ( ++p == pe )
		goto _test_eof13;
case 13:
#line 408 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr27;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr27;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr27;
	} else
		goto tr27;
	goto st0;
tr27:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st14;
st14:
	if ( ++p == pe )
		goto _test_eof14;
case 14:
#line 426 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr28;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr28;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr28;
	} else
		goto tr28;
	goto st0;
tr28:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st15;
st15:
	if ( ++p == pe )
		goto _test_eof15;
case 15:
#line 444 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr29;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr29;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr29;
	} else
		goto tr29;
	goto st0;
tr29:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st16;
st16:
	if ( ++p == pe )
		goto _test_eof16;
case 16:
#line 462 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr30;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr30;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr30;
	} else
		goto tr30;
	goto st0;
tr30:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st17;
st17:
	if ( ++p == pe )
		goto _test_eof17;
case 17:
#line 480 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr31;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr31;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr31;
	} else
		goto tr31;
	goto st0;
tr31:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st18;
st18:
	if ( ++p == pe )
		goto _test_eof18;
case 18:
#line 498 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr32;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr32;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr32;
	} else
		goto tr32;
	goto st0;
tr32:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st19;
st19:
	if ( ++p == pe )
		goto _test_eof19;
case 19:
#line 516 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr33;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr33;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr33;
	} else
		goto tr33;
	goto st0;
tr33:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st20;
st20:
	if ( ++p == pe )
		goto _test_eof20;
case 20:
#line 534 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr34;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr34;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr34;
	} else
		goto tr34;
	goto st0;
tr34:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st21;
st21:
	if ( ++p == pe )
		goto _test_eof21;
case 21:
#line 552 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr35;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr35;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr35;
	} else
		goto tr35;
	goto st0;
tr35:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st22;
st22:
	if ( ++p == pe )
		goto _test_eof22;
case 22:
#line 570 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr36;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr36;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr36;
	} else
		goto tr36;
	goto st0;
tr36:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st23;
st23:
	if ( ++p == pe )
		goto _test_eof23;
case 23:
#line 588 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr37;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr37;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr37;
	} else
		goto tr37;
	goto st0;
tr37:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st24;
st24:
	if ( ++p == pe )
		goto _test_eof24;
case 24:
#line 606 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr38;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr38;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr38;
	} else
		goto tr38;
	goto st0;
tr38:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st25;
st25:
	if ( ++p == pe )
		goto _test_eof25;
case 25:
#line 624 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr39;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr39;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr39;
	} else
		goto tr39;
	goto st0;
tr39:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st26;
st26:
	if ( ++p == pe )
		goto _test_eof26;
case 26:
#line 642 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr40;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr40;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr40;
	} else
		goto tr40;
	goto st0;
tr40:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st27;
st27:
	if ( ++p == pe )
		goto _test_eof27;
case 27:
#line 660 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr41;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr41;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr41;
	} else
		goto tr41;
	goto st0;
tr41:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st28;
st28:
	if ( ++p == pe )
		goto _test_eof28;
case 28:
#line 678 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr42;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr42;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr42;
	} else
		goto tr42;
	goto st0;
tr42:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st29;
st29:
	if ( ++p == pe )
		goto _test_eof29;
case 29:
#line 696 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr43;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr43;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr43;
	} else
		goto tr43;
	goto st0;
tr43:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st30;
st30:
	if ( ++p == pe )
		goto _test_eof30;
case 30:
#line 714 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr44;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr44;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr44;
	} else
		goto tr44;
	goto st0;
tr44:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st31;
st31:
	if ( ++p == pe )
		goto _test_eof31;
case 31:
#line 732 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr45;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr45;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr45;
	} else
		goto tr45;
	goto st0;
tr45:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st32;
st32:
	if ( ++p == pe )
		goto _test_eof32;
case 32:
#line 750 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr46;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr46;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr46;
	} else
		goto tr46;
	goto st0;
tr46:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st33;
st33:
	if ( ++p == pe )
		goto _test_eof33;
case 33:
#line 768 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr47;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr47;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr47;
	} else
		goto tr47;
	goto st0;
tr47:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st34;
st34:
	if ( ++p == pe )
		goto _test_eof34;
case 34:
#line 786 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr48;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr48;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr48;
	} else
		goto tr48;
	goto st0;
tr48:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st35;
st35:
	if ( ++p == pe )
		goto _test_eof35;
case 35:
#line 804 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr49;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr49;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr49;
	} else
		goto tr49;
	goto st0;
tr49:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st36;
st36:
	if ( ++p == pe )
		goto _test_eof36;
case 36:
#line 822 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr50;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr50;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr50;
	} else
		goto tr50;
	goto st0;
tr50:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st37;
st37:
	if ( ++p == pe )
		goto _test_eof37;
case 37:
#line 840 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr51;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr51;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr51;
	} else
		goto tr51;
	goto st0;
tr51:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st38;
st38:
	if ( ++p == pe )
		goto _test_eof38;
case 38:
#line 858 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr52;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr52;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr52;
	} else
		goto tr52;
	goto st0;
tr52:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st39;
st39:
	if ( ++p == pe )
		goto _test_eof39;
case 39:
#line 876 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr53;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr53;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr53;
	} else
		goto tr53;
	goto st0;
tr53:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st40;
st40:
	if ( ++p == pe )
		goto _test_eof40;
case 40:
#line 894 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr54;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr54;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr54;
	} else
		goto tr54;
	goto st0;
tr54:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st41;
st41:
	if ( ++p == pe )
		goto _test_eof41;
case 41:
#line 912 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr55;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr55;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr55;
	} else
		goto tr55;
	goto st0;
tr55:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st42;
st42:
	if ( ++p == pe )
		goto _test_eof42;
case 42:
#line 930 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr56;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr56;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr56;
	} else
		goto tr56;
	goto st0;
tr56:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st43;
st43:
	if ( ++p == pe )
		goto _test_eof43;
case 43:
#line 948 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr57;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr57;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr57;
	} else
		goto tr57;
	goto st0;
tr57:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st44;
st44:
	if ( ++p == pe )
		goto _test_eof44;
case 44:
#line 966 "src/io/senders_ragel.c"
	if ( ( (*p)) == 43u )
		goto tr58;
	if ( ( (*p)) < 65u ) {
		if ( 47u <= ( (*p)) && ( (*p)) <= 57u )
			goto tr58;
	} else if ( ( (*p)) > 90u ) {
		if ( 97u <= ( (*p)) && ( (*p)) <= 122u )
			goto tr58;
	} else
		goto tr58;
	goto st0;
tr58:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st45;
st45:
	if ( ++p == pe )
		goto _test_eof45;
case 45:
#line 984 "src/io/senders_ragel.c"
	switch( ( (*p)) ) {
		case 48u: goto tr59;
		case 52u: goto tr59;
		case 56u: goto tr59;
		case 65u: goto tr59;
		case 69u: goto tr59;
		case 73u: goto tr59;
		case 77u: goto tr59;
		case 81u: goto tr59;
		case 85u: goto tr59;
		case 89u: goto tr59;
		case 99u: goto tr59;
		case 103u: goto tr59;
		case 107u: goto tr59;
		case 111u: goto tr59;
		case 115u: goto tr59;
		case 119u: goto tr59;
	}
	goto st0;
tr59:
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st46;
st46:
	if ( ++p == pe )
		goto _test_eof46;
case 46:
#line 1010 "src/io/senders_ragel.c"
	if ( ( (*p)) == 61u )
		goto tr60;
	goto st0;
tr60:
#line 28 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_AFTER; }
#line 27 "src/io/senders.rl"
	{ scan->key[scan->key_bytes++] = ( (*p)); }
	goto st80;
st80:
	if ( ++p == pe )
		goto _test_eof80;
case 80:
#line 1021 "src/io/senders_ragel.c"
	switch( ( (*p)) ) {
		case 9u: goto st81;
		case 10u: goto tr88;
		case 13u: goto tr89;
		case 32u: goto st81;
	}
	goto st0;
st81:
	if ( ++p == pe )
		goto _test_eof81;
case 81:
	switch( ( (*p)) ) {
		case 9u: goto st81;
		case 10u: goto tr88;
		case 13u: goto tr89;
		case 32u: goto st81;
		case 35u: goto tr90;
	}
	goto st0;
tr90:
#line 29 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_COMMENT; }
	goto st82;
st82:
	if ( ++p == pe )
		goto _test_eof82;
case 82:
#line 1047 "src/io/senders_ragel.c"
	switch( ( (*p)) ) {
		case 9u: goto st82;
		case 10u: goto tr88;
		case 13u: goto tr89;
		case 194u: goto st47;
		case 224u: goto st49;
		case 237u: goto st51;
		case 240u: goto st52;
		case 244u: goto st54;
	}
	if ( ( (*p)) < 195u ) {
		if ( 32u <= ( (*p)) && ( (*p)) <= 126u )
			goto st82;
	} else if ( ( (*p)) > 223u ) {
		if ( ( (*p)) > 239u ) {
			if ( 241u <= ( (*p)) && ( (*p)) <= 243u )
				goto st53;
		} else if ( ( (*p)) >= 225u )
			goto st50;
	} else
		goto st48;
	goto st0;
st47:
	if ( ++p == pe )
		goto _test_eof47;
case 47:
	if ( 160u <= ( (*p)) && ( (*p)) <= 191u )
		goto st82;
	goto st0;
st48:
	if ( ++p == pe )
		goto _test_eof48;
case 48:
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto st82;
	goto st0;
st49:
	if ( ++p == pe )
		goto _test_eof49;
case 49:
	if ( 160u <= ( (*p)) && ( (*p)) <= 191u )
		goto st48;
	goto st0;
st50:
	if ( ++p == pe )
		goto _test_eof50;
case 50:
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto st48;
	goto st0;
st51:
	if ( ++p == pe )
		goto _test_eof51;
case 51:
	if ( 128u <= ( (*p)) && ( (*p)) <= 159u )
		goto st48;
	goto st0;
st52:
	if ( ++p == pe )
		goto _test_eof52;
case 52:
	if ( 144u <= ( (*p)) && ( (*p)) <= 191u )
		goto st50;
	goto st0;
st53:
	if ( ++p == pe )
		goto _test_eof53;
case 53:
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto st50;
	goto st0;
st54:
	if ( ++p == pe )
		goto _test_eof54;
case 54:
	if ( 128u <= ( (*p)) && ( (*p)) <= 143u )
		goto st50;
	goto st0;
tr4:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 55; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st55;
tr75:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 55; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st55;
st55:
	if ( ++p == pe )
		goto _test_eof55;
case 55:
#line 1148 "src/io/senders_ragel.c"
	if ( 161u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr3;
	goto st0;
tr5:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 56; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st56;
tr76:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 56; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st56;
st56:
	if ( ++p == pe )
		goto _test_eof56;
case 56:
#line 1174 "src/io/senders_ragel.c"
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr3;
	goto st0;
tr6:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 57; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st57;
tr77:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 57; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st57;
st57:
	if ( ++p == pe )
		goto _test_eof57;
case 57:
#line 1200 "src/io/senders_ragel.c"
	if ( 160u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr5;
	goto st0;
tr7:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 58; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st58;
tr78:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 58; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st58;
st58:
	if ( ++p == pe )
		goto _test_eof58;
case 58:
#line 1226 "src/io/senders_ragel.c"
	if ( ( (*p)) == 154u )
		goto tr64;
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr5;
	goto st0;
tr64:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 59; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st59;
st59:
	if ( ++p == pe )
		goto _test_eof59;
case 59:
#line 1244 "src/io/senders_ragel.c"
	if ( 129u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr3;
	goto st0;
tr8:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 60; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st60;
tr79:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 60; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st60;
st60:
	if ( ++p == pe )
		goto _test_eof60;
case 60:
#line 1270 "src/io/senders_ragel.c"
	switch( ( (*p)) ) {
		case 128u: goto tr65;
		case 129u: goto tr66;
	}
	if ( 130u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr5;
	goto st0;
tr65:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 61; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st61;
st61:
	if ( ++p == pe )
		goto _test_eof61;
case 61:
#line 1290 "src/io/senders_ragel.c"
	if ( ( (*p)) < 170u ) {
		if ( 139u <= ( (*p)) && ( (*p)) <= 167u )
			goto tr3;
	} else if ( ( (*p)) > 174u ) {
		if ( 176u <= ( (*p)) && ( (*p)) <= 191u )
			goto tr3;
	} else
		goto tr3;
	goto st0;
tr66:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 62; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st62;
st62:
	if ( ++p == pe )
		goto _test_eof62;
case 62:
#line 1312 "src/io/senders_ragel.c"
	if ( ( (*p)) > 158u ) {
		if ( 160u <= ( (*p)) && ( (*p)) <= 191u )
			goto tr3;
	} else if ( ( (*p)) >= 128u )
		goto tr3;
	goto st0;
tr9:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 63; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st63;
tr80:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 63; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st63;
st63:
	if ( ++p == pe )
		goto _test_eof63;
case 63:
#line 1341 "src/io/senders_ragel.c"
	if ( ( (*p)) == 128u )
		goto tr64;
	if ( 129u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr5;
	goto st0;
tr10:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 64; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st64;
tr81:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 64; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st64;
st64:
	if ( ++p == pe )
		goto _test_eof64;
case 64:
#line 1369 "src/io/senders_ragel.c"
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr5;
	goto st0;
tr11:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 65; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st65;
tr82:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 65; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st65;
st65:
	if ( ++p == pe )
		goto _test_eof65;
case 65:
#line 1395 "src/io/senders_ragel.c"
	if ( 128u <= ( (*p)) && ( (*p)) <= 159u )
		goto tr5;
	goto st0;
tr12:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 66; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st66;
tr83:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 66; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st66;
st66:
	if ( ++p == pe )
		goto _test_eof66;
case 66:
#line 1421 "src/io/senders_ragel.c"
	if ( ( (*p)) == 187u )
		goto tr67;
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr5;
	goto st0;
tr67:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 67; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st67;
st67:
	if ( ++p == pe )
		goto _test_eof67;
case 67:
#line 1439 "src/io/senders_ragel.c"
	if ( 128u <= ( (*p)) && ( (*p)) <= 190u )
		goto tr3;
	goto st0;
tr13:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 68; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st68;
tr84:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 68; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st68;
st68:
	if ( ++p == pe )
		goto _test_eof68;
case 68:
#line 1465 "src/io/senders_ragel.c"
	if ( 144u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr10;
	goto st0;
tr14:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 69; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st69;
tr85:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 69; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st69;
st69:
	if ( ++p == pe )
		goto _test_eof69;
case 69:
#line 1491 "src/io/senders_ragel.c"
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto tr10;
	goto st0;
tr15:
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 70; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st70;
tr86:
#line 17 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_NAME; scan->name_bytes = 0; }
#line 18 "src/io/senders.rl"
	{
        if (scan->name_bytes == PL_SENDERS_NAME_MAX) {
            error = fail(scan, PL_E_NAME, "the name is longer than 255 bytes");
            {p++; ( scan->state) = 70; goto _out;}
        }
        scan->name[scan->name_bytes++] = ( (*p));
    }
	goto st70;
st70:
	if ( ++p == pe )
		goto _test_eof70;
case 70:
#line 1517 "src/io/senders_ragel.c"
	if ( 128u <= ( (*p)) && ( (*p)) <= 143u )
		goto tr10;
	goto st0;
tr74:
#line 29 "src/io/senders.rl"
	{ scan->part = PL_SENDERS_COMMENT; }
	goto st83;
st83:
	if ( ++p == pe )
		goto _test_eof83;
case 83:
#line 1527 "src/io/senders_ragel.c"
	switch( ( (*p)) ) {
		case 9u: goto st83;
		case 10u: goto tr0;
		case 13u: goto tr72;
		case 194u: goto st71;
		case 224u: goto st73;
		case 237u: goto st75;
		case 240u: goto st76;
		case 244u: goto st78;
	}
	if ( ( (*p)) < 195u ) {
		if ( 32u <= ( (*p)) && ( (*p)) <= 126u )
			goto st83;
	} else if ( ( (*p)) > 223u ) {
		if ( ( (*p)) > 239u ) {
			if ( 241u <= ( (*p)) && ( (*p)) <= 243u )
				goto st77;
		} else if ( ( (*p)) >= 225u )
			goto st74;
	} else
		goto st72;
	goto st0;
st71:
	if ( ++p == pe )
		goto _test_eof71;
case 71:
	if ( 160u <= ( (*p)) && ( (*p)) <= 191u )
		goto st83;
	goto st0;
st72:
	if ( ++p == pe )
		goto _test_eof72;
case 72:
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto st83;
	goto st0;
st73:
	if ( ++p == pe )
		goto _test_eof73;
case 73:
	if ( 160u <= ( (*p)) && ( (*p)) <= 191u )
		goto st72;
	goto st0;
st74:
	if ( ++p == pe )
		goto _test_eof74;
case 74:
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto st72;
	goto st0;
st75:
	if ( ++p == pe )
		goto _test_eof75;
case 75:
	if ( 128u <= ( (*p)) && ( (*p)) <= 159u )
		goto st72;
	goto st0;
st76:
	if ( ++p == pe )
		goto _test_eof76;
case 76:
	if ( 144u <= ( (*p)) && ( (*p)) <= 191u )
		goto st74;
	goto st0;
st77:
	if ( ++p == pe )
		goto _test_eof77;
case 77:
	if ( 128u <= ( (*p)) && ( (*p)) <= 191u )
		goto st74;
	goto st0;
st78:
	if ( ++p == pe )
		goto _test_eof78;
case 78:
	if ( 128u <= ( (*p)) && ( (*p)) <= 143u )
		goto st74;
	goto st0;
	}
	_test_eof79: ( scan->state) = 79; goto _test_eof; 
	_test_eof1: ( scan->state) = 1; goto _test_eof; 
	_test_eof2: ( scan->state) = 2; goto _test_eof; 
	_test_eof3: ( scan->state) = 3; goto _test_eof; 
	_test_eof4: ( scan->state) = 4; goto _test_eof; 
	_test_eof5: ( scan->state) = 5; goto _test_eof; 
	_test_eof6: ( scan->state) = 6; goto _test_eof; 
	_test_eof7: ( scan->state) = 7; goto _test_eof; 
	_test_eof8: ( scan->state) = 8; goto _test_eof; 
	_test_eof9: ( scan->state) = 9; goto _test_eof; 
	_test_eof10: ( scan->state) = 10; goto _test_eof; 
	_test_eof11: ( scan->state) = 11; goto _test_eof; 
	_test_eof12: ( scan->state) = 12; goto _test_eof; 
	_test_eof13: ( scan->state) = 13; goto _test_eof; 
	_test_eof14: ( scan->state) = 14; goto _test_eof; 
	_test_eof15: ( scan->state) = 15; goto _test_eof; 
	_test_eof16: ( scan->state) = 16; goto _test_eof; 
	_test_eof17: ( scan->state) = 17; goto _test_eof; 
	_test_eof18: ( scan->state) = 18; goto _test_eof; 
	_test_eof19: ( scan->state) = 19; goto _test_eof; 
	_test_eof20: ( scan->state) = 20; goto _test_eof; 
	_test_eof21: ( scan->state) = 21; goto _test_eof; 
	_test_eof22: ( scan->state) = 22; goto _test_eof; 
	_test_eof23: ( scan->state) = 23; goto _test_eof; 
	_test_eof24: ( scan->state) = 24; goto _test_eof; 
	_test_eof25: ( scan->state) = 25; goto _test_eof; 
	_test_eof26: ( scan->state) = 26; goto _test_eof; 
	_test_eof27: ( scan->state) = 27; goto _test_eof; 
	_test_eof28: ( scan->state) = 28; goto _test_eof; 
	_test_eof29: ( scan->state) = 29; goto _test_eof; 
	_test_eof30: ( scan->state) = 30; goto _test_eof; 
	_test_eof31: ( scan->state) = 31; goto _test_eof; 
	_test_eof32: ( scan->state) = 32; goto _test_eof; 
	_test_eof33: ( scan->state) = 33; goto _test_eof; 
	_test_eof34: ( scan->state) = 34; goto _test_eof; 
	_test_eof35: ( scan->state) = 35; goto _test_eof; 
	_test_eof36: ( scan->state) = 36; goto _test_eof; 
	_test_eof37: ( scan->state) = 37; goto _test_eof; 
	_test_eof38: ( scan->state) = 38; goto _test_eof; 
	_test_eof39: ( scan->state) = 39; goto _test_eof; 
	_test_eof40: ( scan->state) = 40; goto _test_eof; 
	_test_eof41: ( scan->state) = 41; goto _test_eof; 
	_test_eof42: ( scan->state) = 42; goto _test_eof; 
	_test_eof43: ( scan->state) = 43; goto _test_eof; 
	_test_eof44: ( scan->state) = 44; goto _test_eof; 
	_test_eof45: ( scan->state) = 45; goto _test_eof; 
	_test_eof46: ( scan->state) = 46; goto _test_eof; 
	_test_eof80: ( scan->state) = 80; goto _test_eof; 
	_test_eof81: ( scan->state) = 81; goto _test_eof; 
	_test_eof82: ( scan->state) = 82; goto _test_eof; 
	_test_eof47: ( scan->state) = 47; goto _test_eof; 
	_test_eof48: ( scan->state) = 48; goto _test_eof; 
	_test_eof49: ( scan->state) = 49; goto _test_eof; 
	_test_eof50: ( scan->state) = 50; goto _test_eof; 
	_test_eof51: ( scan->state) = 51; goto _test_eof; 
	_test_eof52: ( scan->state) = 52; goto _test_eof; 
	_test_eof53: ( scan->state) = 53; goto _test_eof; 
	_test_eof54: ( scan->state) = 54; goto _test_eof; 
	_test_eof55: ( scan->state) = 55; goto _test_eof; 
	_test_eof56: ( scan->state) = 56; goto _test_eof; 
	_test_eof57: ( scan->state) = 57; goto _test_eof; 
	_test_eof58: ( scan->state) = 58; goto _test_eof; 
	_test_eof59: ( scan->state) = 59; goto _test_eof; 
	_test_eof60: ( scan->state) = 60; goto _test_eof; 
	_test_eof61: ( scan->state) = 61; goto _test_eof; 
	_test_eof62: ( scan->state) = 62; goto _test_eof; 
	_test_eof63: ( scan->state) = 63; goto _test_eof; 
	_test_eof64: ( scan->state) = 64; goto _test_eof; 
	_test_eof65: ( scan->state) = 65; goto _test_eof; 
	_test_eof66: ( scan->state) = 66; goto _test_eof; 
	_test_eof67: ( scan->state) = 67; goto _test_eof; 
	_test_eof68: ( scan->state) = 68; goto _test_eof; 
	_test_eof69: ( scan->state) = 69; goto _test_eof; 
	_test_eof70: ( scan->state) = 70; goto _test_eof; 
	_test_eof83: ( scan->state) = 83; goto _test_eof; 
	_test_eof71: ( scan->state) = 71; goto _test_eof; 
	_test_eof72: ( scan->state) = 72; goto _test_eof; 
	_test_eof73: ( scan->state) = 73; goto _test_eof; 
	_test_eof74: ( scan->state) = 74; goto _test_eof; 
	_test_eof75: ( scan->state) = 75; goto _test_eof; 
	_test_eof76: ( scan->state) = 76; goto _test_eof; 
	_test_eof77: ( scan->state) = 77; goto _test_eof; 
	_test_eof78: ( scan->state) = 78; goto _test_eof; 

	_test_eof: {}
	if ( p == eof )
	{
	switch ( ( scan->state) ) {
	case 80: 
	case 81: 
	case 82: 
#line 31 "src/io/senders.rl"
	{
        error = scan->take(scan);
        if (error)
            {p++; ( scan->state) = 0; goto _out;}
    }
	break;
#line 1703 "src/io/senders_ragel.c"
	}
	}

	_out: {}
	}

#line 139 "src/io/senders.rl"

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
